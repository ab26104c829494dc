"""A race in Portable Piecepack Notation (PPN), version 0.11, which programs for the piecepack show and animate.

https://trevorldavis.com/piecepackr/portable-piecepack-notation.html describes it. Cards are tiles with the suits of
playing cards, flags are tiles of their owners on them, and throws are comments. Letters are our columns; numbers count
from the bottom.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from companion.games.bundle import Turn
from companion.ui.names import Names, player_name
from engines.grid import CellIndex, bit
from engines.royal_racers.board import ALL_CELLS, SIZE, SUITS, Card, card_name, cell_index, rank_of
from engines.royal_racers.position import ChooseStart, Flip, PlaceFlag, Position, Roll, Step
from engines.royal_racers.rules import flag_owner

_CARDS, _SEATS, _RANKS = dict(zip(SUITS, "♣♦♥♠", strict=True)), "SMCA", "na23456789"


def write_ppn(turns: Sequence[Turn], names: Names) -> str:
    """Return a game in PPN, each race of a campaign as a game of its own."""
    races: dict[int, list[Turn]] = {}
    for turn in turns:
        if isinstance(turn.before, Position):
            races.setdefault(turn.before.race, []).append(turn)
    lines = []
    for number, race in races.items():
        lines += ["---", f"Event: Royal Racers, race {number}"]
        for place, seat in enumerate(race[-1].after.players, 1):
            lines.append(f"Player{place}: {json.dumps(player_name(seat, names), ensure_ascii=False)}")
        begun = next((turn.before for turn in race if isinstance(turn.action, ChooseStart)), race[0].before)
        cards = (f"{_card(begun.cards[cell])}@{_at(cell)}" for cell in ALL_CELLS)
        lines += ["...", " ".join(["setup.", *cards])]
        lines += [moves for turn in race if (moves := " ".join(_moves(turn, names)))]
    return "".join(f"{line}\n" for line in lines)


def _moves(turn: Turn, names: Names) -> Iterator[str]:
    before, after, action = turn.before, turn.after, turn.action
    match action:
        case ChooseStart(cell):
            at = _at(cell_index(cell))
            yield f"start. {_flag(before.place, before.terms.flags)}@{at} p{_SEATS[before.place]}@{at}"
        case PlaceFlag(cell):
            owner = flag_owner(before)
            yield f"flags. {_flag(owner, len(before.flags[owner]))}@{_at(cell_index(cell))}"
        case Roll(rank):
            name = re.sub("[{}]", "", player_name(before.turn, names))
            yield f"{before.round}{'...' if before.place else '.'} {{{name}: {rank or 'null'}}}"
        case Flip(cell):
            yield from _flip(before, after, cell_index(cell))
        case Step(cell):
            yield f"{_at(before.pawn)}-{_at(cell_index(cell))}"


def _flip(before: Position, after: Position, cell: CellIndex) -> Iterator[str]:
    """Yield the moves of a flip: lift flags, show or turn the card, put flags back, and send the pawn back."""
    card, at = before.cards[cell], _at(cell)
    flags = [
        _flag(owner, place + 1)
        for owner, laid in enumerate(before.flags)
        for place, flag in enumerate(laid)
        if flag == cell
    ]
    yield from (f"*{at}" for _ in flags)
    if before.down & bit(cell):
        yield f"{at}={_card(card)}"
    if after.down & bit(cell):
        yield f"{at}={_card(card, 'b')}"
    yield from (f"{flag}@{at}" for flag in flags)
    back = after.pawns[before.place]
    if back != before.pawn:
        yield f"{_at(before.pawn)}-{_at(back)}"


def _flag(owner: int, rank: int) -> str:
    return f"t{_SEATS[owner]}{_RANKS[rank]}"


def _card(card: Card, side: str = "") -> str:
    return f"t{side}{_CARDS[card_name(card).partition('-')[2]]}{_RANKS[rank_of(card)]}"


def _at(cell: CellIndex) -> str:
    row, column = divmod(cell, SIZE)
    return f"{'abcdef'[column]}{SIZE - row}"
