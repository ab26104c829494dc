"""What Four in Line says and understands, in the user's language where `locale` has it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.games.bundle import Speech
from companion.games.line import Entered, Mistake, Reading, TypedLine
from companion.locale import Catalogue
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list
from companion.ui.words import EventSentences, EventWords
from engines.kernel import Advice, Refusal

from .rules import GAME, Place, Position

_ = Catalogue("four_in_line", Path(__file__).parent / "locale").gettext


_EVENTS: EventSentences = {
    "placed": lambda _event: _("{player} put a disc on {cell}."),
    "game-over": lambda _event: _("The game is over.") + " {won}",
}


def _refusals() -> Mapping[str, str]:
    return {
        "game-over": _("The game is over."),
        "off-board": _("{cells} is not on the board; its spaces are A1 to E5."),
        "not-empty": _("{cells} is not empty: put your disc on an empty space."),
        "disc-removed": _("A disc has left {cells}: put it back."),
        "foreign-disc": _("{cells} has a disc of the wrong colour."),
        "too-many": _("More than one disc was put down: {cells}."),
    }


def refusal_sentence(position: Position, action: Place, refusal: Refusal, names: Names) -> str:  # noqa: ARG001
    """Return why an action is forbidden."""
    return _refusals()[refusal.code].format(cells=cells_list(refusal.cells))


def hint_sentence(position: Position, advice: Advice[Place], names: Names) -> str:  # noqa: ARG001
    """Return the adviser's proposal."""
    sentence = _("Put your disc on {cell}: your longest line then has {length}.")
    return sentence.format(cell=advice.action.cell, length=int(advice.numbers["length"]))


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action."""
    return _("{player}: put a disc on an empty space.").format(player=player_name(position.turn, names))


def action_name(position: Position, action: Place, names: Names) -> str:  # noqa: ARG001
    """Return what an action is called in a list."""
    return str(action.cell)


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Place] | None:
    if len(line.cells) != 1:
        return Mistake(_explain(position, names)) if line.cells else None
    return Entered(Place(line.cells[0]))


def _explain(position: Position, names: Names) -> str:  # noqa: ARG001
    free = cells_list([action.cell for action in GAME.actions(position)])
    return " ".join((_("Type the space for your disc, such as C3."), _("Free: {cells}.").format(cells=free)))


SPEECH: Speech[Position, Place] = Speech(
    words=EventWords(_EVENTS, refusals=lambda _cells, _facts: _refusals(), things=lambda _number: {}),
    refusal=refusal_sentence,
    hint=hint_sentence,
    prompt=prompt,
    explain=_explain,
    action_name=action_name,
    phrases=lambda: {"place": _("place, put")},
    read=_read,
    columns="abcde",
    offered=lambda _position: (),
)
