"""The first half of a turn: the roll, and the card that is turned over for it (RULES.md, section 3)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engines.grid import Bitboard, CellIndex, bit, set_of
from engines.kernel import Cell, Event, Json, Outcome, Refusal
from engines.royal_racers.board import (
    LAST_TURNING_RANK,
    NAMES,
    Layout,
    Rank,
    card_name,
    cell_index,
    names_in,
    on_board,
    rank_of,
)
from engines.royal_racers.position import NULL_ROLL, Phase, Position


@lru_cache(maxsize=64)
def cells_of_rank(cards: Layout, rank: Rank | None) -> Bitboard:
    """Return the spaces of the four cards of a rank, whichever way they are."""
    return set_of(CellIndex(i) for i, card in enumerate(cards) if rank_of(card) == rank)


def turning_down(position: Position) -> Bitboard:
    """Return face-up cards that may be turned down: those without flag, or if there is none those with one (3.3)."""
    face_up = cells_of_rank(position.cards, position.rolled) & ~position.down & ~position.standing
    return face_up & ~position.flagged or face_up


def turning_up(position: Position) -> Bitboard:
    """Return the face-down cards that one may try to turn up: all without pawn, whatever they are (3.4)."""
    return position.down & ~position.standing


def roll(position: Position, rank: Rank) -> Outcome[Position]:
    """Take what the die shows; if there is nothing to turn over the turn goes on with the move (3.1, 3.8)."""
    shown: Json = "null" if rank == NULL_ROLL else rank
    events = [Event("rolled", {"player": position.turn, "roll": shown})]
    rolled = replace(position, rolled=rank, phase=Phase.FLIP)
    if rank != NULL_ROLL and turning_down(rolled) | turning_up(rolled):
        return Outcome(rolled, tuple(events))
    if rank != NULL_ROLL:
        events.append(Event("nothing-to-flip", {"player": position.turn, "rank": rank}))
    return Outcome(replace(rolled, phase=Phase.MOVE), tuple(events))


def flip(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Turn a card over, with what follows when it is the wrong one."""
    if refusal := _refuse_flip(position, name):
        return refusal
    cell = cell_index(name)
    moving = replace(position, phase=Phase.MOVE)
    if not position.down & bit(cell):
        lying = replace(moving, down=position.down | bit(cell), seen=(*position.seen, cell))
        return Outcome(lying, (_card_event("turned-down", position, cell),))
    others = tuple(space for space in position.seen if space != cell)
    # whether a face-down card may stay up: of the rolled rank, or any if all of that are under pawns (3.5)
    of_rank = cells_of_rank(position.cards, position.rolled)
    if bool(of_rank & bit(cell)) or not of_rank & ~position.standing:
        lying = replace(moving, down=position.down & ~bit(cell), seen=others)
        return Outcome(lying, (_card_event("turned-up", position, cell),))
    back = sent_back(replace(moving, seen=(*others, cell)))
    return Outcome(back.position, (_card_event("wrong-card", position, cell), *back.events))


def _refuse_flip(position: Position, name: Cell) -> Refusal | None:
    if not on_board(name):
        return Refusal("off-board", "3.2", (name,))
    cell = cell_index(name)
    if not position.is_free(cell):
        return Refusal("under-pawn", "3.6", (name,))
    if position.down & bit(cell):
        return None
    return _refuse_turning_down(position, cell)


def _refuse_turning_down(position: Position, cell: CellIndex) -> Refusal | None:
    rank = rank_of(position.cards[cell])
    if rank > LAST_TURNING_RANK:
        return Refusal("stays-up", "3.7", (NAMES[cell],))
    if rank != position.rolled:
        return Refusal("wrong-rank", "3.2", (NAMES[cell],))
    better = turning_down(position)
    if not better & bit(cell):
        return Refusal("flag-on-it", "3.3", (NAMES[cell], *names_in(better)))
    return None


def sent_back(position: Position) -> Outcome[Position]:
    """Send the pawn of `turn` back to its last flag; it stays where it stands when another pawn is there (3.5)."""
    place = position.place
    here, there = position.pawns[place], position.last_touched(place)
    if here == there:
        return Outcome(position)
    facts: dict[str, Json] = {"player": position.turn, "from": NAMES[here], "to": NAMES[there]}
    if not position.is_free(there):
        return Outcome(position, (Event("return-blocked", facts),))
    pawns = tuple(there if seat == place else pawn for seat, pawn in enumerate(position.pawns))
    return Outcome(replace(position, pawns=pawns), (Event("returned", facts),))


def _card_event(name: str, position: Position, cell: CellIndex) -> Event:
    return Event(name, {"player": position.turn, "cell": NAMES[cell], "card": card_name(position.cards[cell])})
