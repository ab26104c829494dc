"""How actions of Royal Racers are typed: what the die shows, a bare space, a card, a direction, a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from companion.games.line import TypedLine
from companion.games.royal_racers.prompts import explain, offered
from companion.games.typed import Command, Entered, Grammar, Mistake, Reading
from companion.locale import _
from companion.ui.names import Names
from engines.grid import CellIndex, bit
from engines.kernel import Cell
from engines.royal_racers.board import DECK, LAST_TURNING_RANK, NAMES, SIZE, SUITS, card_name
from engines.royal_racers.position import (
    NULL_ROLL,
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Roll,
    Step,
)

__all__ = ["GRAMMAR"]

_WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _phrases() -> Mapping[str, str]:
    return {
        "roll": _("roll, throw, r"),
        "ace": _("ace"),
        "null": _("null, empty, blank, nothing, none, zero"),
        "clubs": _("clubs, club"),
        "diamonds": _("diamonds, diamond"),
        "hearts": _("hearts, heart"),
        "spades": _("spades, spade"),
        "up": _("up, u, north"),
        "down": _("down, south"),
        "left": _("left, l, west"),
        "right": _("right, east"),
        "step": _("step, go, move"),
        "flip": _("flip, turn"),
        "flag": _("flag, put"),
        "start": _("start"),
        "pass": _("pass, stay, wait"),
        "deal": _("deal, lay, shuffle"),
        "yes": _("yes, y"),
    }


_CARDS = {card_name(card).replace("-", "")[:2].casefold(): card for card in DECK}
"""The cards by rank and the suit's English initial: "ah", "9s"."""

_LEAST_LISTED = 4
"""A line that names that many cards, and nothing else, is a layout."""


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:  # noqa: PLR0911 - one line a phase
    if position.phase in (Phase.DEAL, Phase.START) and (named := _named_cards(line)):
        return _layout(named)
    match position.phase:
        case Phase.ROLL:
            return _die(line)
        case Phase.FLIP:
            return _card(position, line, names)
        case Phase.MOVE:
            return _move(position, line, names)
        case Phase.START:
            return _space(ChooseStart, position, line, names)
        case Phase.FLAG:
            return _space(PlaceFlag, position, line, names)
        case Phase.DEAL if line.has("deal", "yes"):
            return Entered(Deal(position.coming[0]))
    return None


def _named_cards(line: TypedLine) -> list[str]:
    """Return the cards that a line lists one after the other, as "deal ah 9s 2c"; empty if it is another line."""
    parts = re.split(r"[\s,;]+", line.text.strip().casefold())
    cards = parts[1:] if line.tokens and line.tokens[0].word == "deal" else parts
    return cards if len(cards) >= _LEAST_LISTED and all(part in _CARDS for part in cards) else []


def _layout(named: Sequence[str]) -> Reading[Action]:
    """Return the layout of these cards, row by row from A1, or say which are missing or named twice."""
    if sorted(named) == sorted(_CARDS):
        return Entered(Deal(tuple(_CARDS[name] for name in named)))
    wrong = [name for name in _CARDS if named.count(name) != 1]
    sentence = _("A layout is all 36 cards, row by row from A1, each once. Missing or named twice: {cards}.")
    return Mistake(sentence.format(cards=", ".join(wrong)))


def _die(line: TypedLine) -> Reading[Action] | None:
    named = [word for word in line.words if word in ("null", "ace")]
    others = {*line.words} - {"roll", *named}
    if line.cells or line.seats or line.has(*SUITS) or (line.numbers and (others or named)):
        return Mistake(_die_words())
    if line.has("null"):
        return Entered(Roll(NULL_ROLL))
    if line.has("ace"):
        return Entered(Roll(1))
    if not line.numbers:
        return Command("roll") if line.has("roll") else None
    [rank, *more] = line.numbers
    return Mistake(_die_words()) if more or rank > LAST_TURNING_RANK else Entered(Roll(rank))


def _die_words() -> str:
    return _("One die: type ace or 1, 2, 3, 4, 5, or null for the empty face.")


def _space(kind: Callable[[Cell], Action], position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    """Read a bare space as the action that is expected; a number may be that of a list."""
    off = next((cell for cell in line.cells if cell not in NAMES), None)
    if off is not None:
        return Mistake(_("{cell} is not on the grid; its spaces are A1 to F6.").format(cell=off))
    if len(line.cells) == 1:
        return Entered(kind(line.cells[0]))
    return Mistake(explain(position, names)) if line.cells or not line.numbers else None


def _card(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    suit = next((word for word in line.words if word in SUITS), None)
    if suit is None:
        return _space(Flip, position, line, names) if line.cells or line.numbers or line.has("flip", "pass") else None
    rank = "A" if line.has("ace") or line.numbers == (1,) else "".join(map(str, line.numbers))
    for cell, card in enumerate(position.cards):
        if card_name(card) == f"{rank}-{suit}" and not position.down & bit(CellIndex(cell)):
            return Entered(Flip(NAMES[cell]))
    return Mistake(_("That card is not face up. Name the space of the card."))


def _move(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.has("pass"):
        return Entered(Pass())
    if line.cells:
        return _space(Step, position, line, names)
    way = next((word for word in line.words if word in _WAYS), None)
    if way is None:
        return Mistake(explain(position, names)) if line.has("step") else None
    row, column = (place + by for place, by in zip(divmod(position.pawn, SIZE), _WAYS[way], strict=True))
    if not (0 <= row < SIZE and 0 <= column < SIZE):
        return Mistake(_("The grid ends there."))
    return Entered(Step(NAMES[row * SIZE + column]))


GRAMMAR: Grammar[Position, Action] = Grammar(
    phrases=_phrases,
    read=_read,
    offered=offered,
    seats=lambda position: position.players,
    explain=explain,
    columns="abcdef",
)
"""How lines of Royal Racers are read."""
