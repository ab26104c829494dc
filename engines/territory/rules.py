"""The effect of each action, or why it is forbidden. Paragraph numbers are those of RULES.md next to this file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engines.grid import Bitboard
from engines.kernel import Cell, Event, JsonObject, Outcome, Refusal, Seat, leaders
from engines.territory import scoring
from engines.territory.cards import Captures
from engines.territory.position import Action, Again, Await, Capture, Place, Position, Roll, RollOff, Stop

Result: TypeAlias = Outcome[Position] | Refusal


@dataclass(frozen=True, slots=True)
class Targets:
    """The spaces for the piece of a roll: empty ones, and others' that may be captured."""

    empty: Bitboard
    capturable: Bitboard

    @property
    def any(self) -> Bitboard:
        """All of them."""
        return self.empty | self.capturable


def targets(position: Position, number: int) -> Targets:
    """Return the spaces for the mover's piece after a roll of a number."""
    spaces = position.board.spaces_of[number]
    own = position.owners[position.place(position.turn)]
    open_to_capture = spaces & position.held & ~own
    return Targets(
        empty=spaces & ~position.held & ~position.white,
        capturable=0 if position.in_force.captures is Captures.FORBIDDEN else open_to_capture,
    )


def actions(position: Position) -> list[Action]:
    """Return the legal actions; empty while a throw is expected or after the end."""
    if position.awaiting is Await.CHOOSE:
        return [Again(), Stop()]
    if position.awaiting is not Await.PLACE:
        return []
    where = targets(position, position.rolled[-1])
    names_in = position.board.names_in
    return [*map(Place, names_in(where.empty)), *map(Capture, names_in(where.capturable))]


def play(position: Position, action: Action) -> Result:
    """Apply an action, or return why the rules forbid it."""
    match action:
        case Roll(dice) if position.awaiting not in (Await.NOTHING, Await.PLACE):
            if position.roll_off is None:
                return _read_roll(position, dice) if len(dice) == 2 else Refusal("two-dice", "2.1")
            first = position.roll_off
            return roll_for_first(position, first, dice[0]) if len(dice) == 1 else Refusal("one-die", "1.5")
        case Place(cell) | Capture(cell) if position.awaiting is Await.PLACE:
            return _refuse_cell(position, action, cell) or _set_piece(position, action)
        case Again() if position.awaiting is Await.CHOOSE:
            return Outcome(replace(position, awaiting=Await.ROLL), (Event("rolls-again", {"player": position.turn}),))
        case Stop() if position.awaiting is Await.CHOOSE:
            return end_turn(position, [Event("stopped", {"player": position.turn})])
    return _refuse_untimely(position, action)


def _refuse_untimely(position: Position, action: Action) -> Refusal:
    """Return why an action is not expected now."""
    match position.awaiting:
        case Await.NOTHING:
            return Refusal("game-over", "8.1")
        case Await.ROLL_OFF:
            return Refusal("roll-off-first", "1.5")
        case Await.PLACE:
            where = targets(position, position.rolled[-1])
            return Refusal("piece-first", "3.1", position.board.names_in(where.any))
        case Await.CHOOSE:
            return Refusal("nothing-to-place", "2.3")
    if isinstance(action, Stop) and len(position.rolled) < position.in_force.may_stop_from:
        return Refusal("too-early-to-stop", "2.2")
    return Refusal("roll-first", "2.3")


def _read_roll(position: Position, dice: tuple[int, ...]) -> Outcome[Position]:
    card = position.in_force
    number = 14 - sum(dice) if card.mirrored else sum(dice)
    thrown = Event("rolled", {"player": position.turn, "dice": list(dice), "number": number})
    rolled = replace(position, rolled=(*position.rolled, number), left=card.pieces(number))
    if busts(position, number):
        lost = 0 if card.bust_keeps else rolled.white
        cells = list(position.board.names_in(lost))
        busted = Event("busted", {"player": position.turn, "number": number, "cells": cells})
        return end_turn(replace(rolled, white=rolled.white & ~lost), [thrown, busted])
    if _is_late_repeat(position, number):
        return _place_next(rolled, [thrown, Event("pardoned", {"number": number})])
    return _place_next(rolled, [thrown])


def busts(position: Position, number: int) -> bool:
    """Return whether a roll of a number would bust the mover (RULES.md 4.1)."""
    card, rolled = position.in_force, position.rolled
    # each repeat after the free rolls has used a pardon
    pardons_used = sum(number in rolled[:index] for index, number in enumerate(rolled) if index >= card.free)
    return _is_late_repeat(position, number) and pardons_used >= card.pardons


def _is_late_repeat(position: Position, number: int) -> bool:
    after_the_free_ones = len(position.rolled) >= position.in_force.free and not position.extra
    return after_the_free_ones and number in position.rolled


def _place_next(position: Position, events: list[Event]) -> Outcome[Position]:
    """Expect the next piece of the last roll, if there is one and a space for it; otherwise a roll or a decision.

    After the last roll the turn ends.
    """
    number = position.rolled[-1]
    if position.left and targets(position, number).any:
        return Outcome(replace(position, awaiting=Await.PLACE), tuple(events))
    if position.left or number in position.in_force.closed:
        events = [*events, Event("nothing-to-place", {"number": number})]
    placed, card, rolls = replace(position, left=0), position.in_force, len(position.rolled)
    if position.extra or rolls == card.most_rolls:
        return end_turn(placed, events)
    awaiting = Await.CHOOSE if rolls >= card.may_stop_from else Await.ROLL
    return Outcome(replace(placed, awaiting=awaiting), tuple(events))


def _refuse_cell(position: Position, action: Place | Capture, cell: Cell) -> Refusal | None:
    """Return why a piece cannot be placed or a space captured; None if it can."""
    board, number = position.board, position.rolled[-1]
    if not board.has(cell):
        return Refusal("off-board", "1.1", (cell,))
    space = 1 << board.cell_index(cell)
    if not space & board.spaces_of[number]:
        return Refusal("other-number", "3.1", (cell,))
    if isinstance(action, Place):
        return None if space & targets(position, number).empty else Refusal("not-empty", "3.4", (cell,))
    own = position.owners[position.place(position.turn)] | position.white
    if space & own:
        return Refusal("own-space", "5.4", (cell,))
    if not space & position.held:
        return Refusal("nobody-there", "5.1", (cell,))
    return Refusal("no-captures", "6.3", (cell,)) if position.in_force.captures is Captures.FORBIDDEN else None


def _set_piece(position: Position, action: Place | Capture) -> Outcome[Position]:
    space = 1 << position.board.cell_index(action.cell)
    facts: JsonObject = {"player": position.turn, "cell": action.cell, "number": position.rolled[-1]}
    if isinstance(action, Capture):
        taken = replace(position, owners=position.with_owner(space, position.turn), left=position.left - 1)
        events = [Event("captured", {**facts, "from": position.owner_of(space)})]
        match position.in_force.captures:
            case Captures.GO_ON:
                return _place_next(taken, events)
            case Captures.THEN_ROLL if not position.extra:
                extra = replace(taken, awaiting=Await.ROLL, left=0, extra=True)
                return Outcome(extra, (*events, Event("extra-roll", {"player": position.turn})))
        return end_turn(taken, events)
    placed = replace(position, white=position.white | space, left=position.left - 1)
    return _place_next(placed, [Event("placed", facts)])


# ---- from turn to turn: who begins, whose turn follows, the card of a round, the end of the game


def begin(position: Position, first: Seat) -> Outcome[Position]:
    """Begin the first round with a player; one card is drawn face down (RULES.md 6.2)."""
    place = position.place(first)
    players = position.players[place:] + position.players[:place]
    face_down, deck = draw(position.deck)
    begun = replace(
        position,
        players=players,
        turn=first,
        awaiting=Await.ROLL,
        face_down=face_down,
        deck=deck,
        roll_off=None,
    )
    drawn = [Event("card-drawn-face-down")] if face_down is not None else []
    return Outcome(begun, (*drawn, Event("turn", {"player": first})))


def roll_for_first(position: Position, roll_off: RollOff, value: int) -> Outcome[Position]:
    """Apply one die of the roll-off: the highest begins, those who share it roll again (RULES.md 1.5)."""
    thrown = Event("rolled-for-first", {"player": position.turn, "dice": [value]})
    rolls = (*roll_off.rolls, value)
    if len(rolls) < len(roll_off.contenders):
        turn = roll_off.contenders[len(rolls)]
        return Outcome(replace(position, turn=turn, roll_off=RollOff(roll_off.contenders, rolls)), (thrown,))
    highest = leaders(dict(zip(roll_off.contenders, rolls, strict=True)))
    if len(highest) > 1:
        tied = Event("roll-off-tied", {"players": list(highest)})
        return Outcome(replace(position, turn=highest[0], roll_off=RollOff(highest)), (thrown, tied))
    begun = begin(position, highest[0])
    return Outcome(begun.position, (thrown, Event("begins", {"player": highest[0]}), *begun.events))


def end_turn(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """End a turn: white pieces become the player's (RULES.md 3.5), and the next turn, round or the end follows."""
    kept = {"player": position.turn, "cells": list(position.board.names_in(position.white))}
    happened = (*events, Event("kept", kept)) if position.white else tuple(events)
    ended = replace(
        position,
        owners=position.with_owner(position.white, position.turn),
        white=0,
        rolled=(),
        awaiting=Await.ROLL,
        left=0,
        extra=False,
    )
    order = order_of_turns(ended)
    if ended.turn == order[-1]:
        if ended.round == ended.setting.rounds:
            over = replace(ended, awaiting=Await.NOTHING)
            winners = list(leaders(scoring.score(over)))
            return Outcome(over, (*happened, Event("game-over", {"winners": winners})))
        card, deck = draw(ended.deck)
        begun = replace(ended, round=ended.round + 1, card=card, deck=deck)
        return _next_turn(begun, begun.players[0], (*happened, Event("round", {"round": begun.round, "card": card})))
    return _next_turn(ended, order[order.index(ended.turn) + 1], happened)


def is_last_turn(position: Position) -> bool:
    """Return whether this turn is the last of the game."""
    return position.round == position.setting.rounds and position.turn == order_of_turns(position)[-1]


def order_of_turns(position: Position) -> tuple[Seat, ...]:
    """Return the order of turns in this round: a card may reverse it, but the first player stays first."""
    first, *others = position.players
    return (first, *(reversed(others) if position.in_force.reversed else others))


def _next_turn(position: Position, seat: Seat, events: tuple[Event, ...]) -> Outcome[Position]:
    return Outcome(replace(position, turn=seat), (*events, Event("turn", {"player": seat})))


def draw(deck: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Return the next card and the rest of the deck; None if the deck is empty (RULES.md 6.4)."""
    return (deck[0], deck[1:]) if deck else (None, ())
