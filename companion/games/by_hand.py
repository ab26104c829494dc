"""A game that people play by typing: what they may type now, and what a typed line means. Pure, for any game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from companion.games.engines import AnyEngine
from companion.locale import _
from engines.kernel import BadRequestError, JsonObject, Seat

FEW = 12
"""So many possible actions are told unasked."""

MANY = 60
"""So many are told when somebody asks."""

_LONGEST_QUOTE = 40

_THROW = "roll"
"""What stands before the numbers of a throw in every notation."""


def set_up(engine: AnyEngine, players: Sequence[Seat], colours: Sequence[str], seed: int) -> Any:
    """Set a game up in which as much as possible is decided at the table; `colours` are the table's, if it has any.

    Raises:
        BadRequestError: these players cannot play it.
    """
    for seat in players:
        if colours and seat not in colours:
            sentence = _('the table has no "{colour}"; there are: {colours}')
            raise BadRequestError(sentence.format(colour=seat, colours=", ".join(colours)))
    return engine.game.new(players, engine.lead.options, seed)


def choices(engine: AnyEngine, position: Any) -> Sequence[str]:
    """Write the legal actions; none while dice are awaited."""
    return [engine.notation.write_action(action) for action in engine.game.actions(position)]


def choices_words(written: Sequence[str], most: int = FEW) -> str:
    """Say what is possible: all of it where that is not too much, else the first, or the first few when asked."""
    if len(written) <= most:
        return _("Possible: {actions}").format(actions=", ".join(written))
    if most == FEW:
        sentence = _('{count} actions are possible, such as "{action}"; ? lists them.')
        return sentence.format(count=len(written), action=written[0])
    sentence = _("Possible: {actions} and others, {count} in all")
    return sentence.format(actions=", ".join(written[:most]), count=len(written))


def read_typed(engine: AnyEngine, position: Any, line: str) -> Any:
    """Give the action that a line means; whether the rules allow it is another question.

    A throw may be typed without its word.

    Raises:
        BadRequestError: it means none.
    """
    text = " ".join(line.split())
    try:
        return engine.notation.read_action(text)
    except BadRequestError as error:
        if engine.game.to_act(position) == "dice":
            with suppress(BadRequestError):
                return engine.notation.read_action(f"{_THROW} {text}")
        sentence = _('"{line}" is no action of this game ({error})')
        raise BadRequestError(sentence.format(line=text[:_LONGEST_QUOTE], error=error)) from error


def shown_to_all(engine: AnyEngine, position: Any) -> JsonObject:
    """Write a position without what the players may not know."""
    public: JsonObject = engine.public(position, None) if engine.public else engine.game.position_to_json(position)
    return public
