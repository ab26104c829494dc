"""From turn to turn: who begins, whose turn follows, the card of a round, the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.kernel import Event, Outcome, Seat
from engines.territory import scoring
from engines.territory.position import Await, Position, RollOff


def begin(position: Position, first: Seat) -> Outcome[Position]:
    """Begin the first round with a player: one card is drawn face down (RULES.md 6.2)."""
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
    """Go on with the roll-off by one die: the highest begins, those who share it roll again (RULES.md 1.5)."""
    thrown = Event("rolled-for-first", {"player": position.turn, "dice": [value]})
    rolls = (*roll_off.rolls, value)
    if len(rolls) < len(roll_off.contenders):
        turn = roll_off.contenders[len(rolls)]
        return Outcome(replace(position, turn=turn, roll_off=RollOff(roll_off.contenders, rolls)), (thrown,))
    highest = [seat for seat, roll in zip(roll_off.contenders, rolls, strict=True) if roll == max(rolls)]
    if len(highest) > 1:
        tied = Event("roll-off-tied", {"players": list(highest)})
        return Outcome(replace(position, turn=highest[0], roll_off=RollOff(tuple(highest))), (thrown, tied))
    begun = begin(position, highest[0])
    return Outcome(begun.position, (thrown, Event("begins", {"player": highest[0]}), *begun.events))


def end_turn(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """End a turn: white takes the player's colour (RULES.md 3.5), and the next turn, round or the end follows."""
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
        return _end_round(ended, happened)
    return _next_turn(ended, order[order.index(ended.turn) + 1], happened)


def is_last_turn(position: Position) -> bool:
    """Return whether the game is over when this turn is."""
    return position.round == position.setting.rounds and position.turn == order_of_turns(position)[-1]


def order_of_turns(position: Position) -> tuple[Seat, ...]:
    """Return the order of turns in this round: a card may turn it about, the first player stays the first."""
    first, *others = position.players
    return (first, *(reversed(others) if position.in_force.reversed else others))


def _next_turn(position: Position, seat: Seat, events: tuple[Event, ...]) -> Outcome[Position]:
    return Outcome(replace(position, turn=seat), (*events, Event("turn", {"player": seat})))


def _end_round(position: Position, events: tuple[Event, ...]) -> Outcome[Position]:
    if position.round == position.setting.rounds:
        over = replace(position, awaiting=Await.NOTHING)
        return Outcome(over, (*events, Event("game-over", {"winners": list(scoring.winners(over))})))
    card, deck = draw(position.deck)
    begun = replace(position, round=position.round + 1, card=card, deck=deck)
    return _next_turn(begun, begun.players[0], (*events, Event("round", {"round": begun.round, "card": card})))


def draw(deck: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Draw the next card; an empty deck gives none (RULES.md 6.4)."""
    return (deck[0], deck[1:]) if deck else (None, ())
