"""How simulated players race: which cards they turn over, where they go, and how they cheat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import TypeAlias

from companion.games.royal_racers.table import LabelParts, face_of, parts_of, placement
from companion.games.simulated import Labels, Opportunity, SimulatedGame, tables_after
from companion.locale import _
from engines.grid import Bitboard, cells_in
from engines.kernel import Cell, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import ALL_SPACES, NAMES, NEIGHBOURS, cell_index
from engines.royal_racers.position import SETTING_UP, Action, Flip, Phase, Position
from engines.royal_racers.search import advise
from vision.labels import BACK, COVERED

__all__ = ["SIMULATED"]

_THINKS = 0.85
_REMEMBERS = 0.5
_CHAIN = 2

_Chance: TypeAlias = Opportunity[Position, Action]


def _decide(position: Position, random: Random) -> Action:
    """Follow the adviser mostly, with all turned cards remembered or none; otherwise do anything that is legal."""
    if position.phase not in SETTING_UP and random.random() < _THINKS:
        advice = advise(position, position.down if random.random() < _REMEMBERS else 0)
        if advice is not None:
            return advice.action
    return random.choice(GAME.actions(position))


def _leaves(chance: _Chance) -> Labels:
    """Leave a wrong card face up until the companion has seen it, since nothing else may show that it was turned."""
    if isinstance(chance.action, Flip) and _is_wrong(chance, chance.action.cell):
        cell = chance.action.cell
        return chance.instead({cell: _face_up(chance, cell)})
    return chance.after


def _is_wrong(chance: _Chance, cell: Cell) -> bool:
    return parts_of(chance.before[cell]).card == BACK == parts_of(chance.after[cell]).card


def _face_up(chance: _Chance, cell: Cell) -> str:
    return replace(parts_of(chance.after[cell]), card=face_of(chance.position, cell_index(cell))).label


def _allows(position: Position, left: Labels) -> bool:
    """Return whether legal actions leave such a table, or one on which a wrong card is still face up."""
    before = placement(position)
    if position.phase is Phase.FLIP and _is_peek(position, before, left):
        return True
    chain = 1 if position.phase in SETTING_UP else _CHAIN
    return any(table == left for table in tables_after(GAME, position, placement, chain))


def _is_peek(position: Position, before: Labels, left: Labels) -> bool:
    """Return whether all that differs is one card turned up, and the pawn that may go back for it."""
    turned = [cell for cell, label in left.items() if parts_of(label).card != parts_of(before[cell]).card]
    return (
        len(turned) == 1
        and parts_of(before[turned[0]]).card == BACK
        and _pawns(left)
        in (
            _pawns(before),
            {**_pawns(before), position.turn: NAMES[position.last_touched(position.place)]},
        )
    )


def _pawns(table: Labels) -> dict[Seat, Cell]:
    return {pawn: cell for cell, label in table.items() if (pawn := parts_of(label).pawn) is not None}


# ---- cheats


def _cells(chance: _Chance, table: Labels) -> list[tuple[Cell, LabelParts]]:
    parts = [(cell, parts_of(label)) for cell, label in table.items()]
    return chance.random.sample(parts, len(parts))


def _with_pawn_on(table: Labels, seat: Seat, end: Cell) -> Labels:
    start = _pawns(table)[seat]
    lifted, there = replace(parts_of(table[start]), pawn=None), replace(parts_of(table[end]), pawn=seat)
    return {**table, start: lifted.label, end: there.label}


def _racing(chance: _Chance) -> bool:
    return chance.position.phase in (Phase.ROLL, Phase.FLIP, Phase.MOVE)


def _free(chance: _Chance, table: Labels) -> Iterator[Cell]:
    return (cell for cell, there in _cells(chance, table) if there.pawn is None)


def _too_far(chance: _Chance) -> Labels | None:
    if chance.position.phase is not Phase.MOVE:
        return None
    near = NEIGHBOURS[chance.position.pawn]
    reach = {cell for one in cells_in(near) for cell in cells_in(NEIGHBOURS[one])}
    ends = [cell for cell in _free(chance, chance.before) if cell_index(cell) in reach]
    seat = chance.position.turn
    return next((_with_pawn_on(chance.before, seat, end) for end in ends if end != NAMES[chance.position.pawn]), None)


def _onto_back(chance: _Chance) -> Labels | None:
    position = chance.position
    return _beside(chance, position.down) if position.phase is Phase.MOVE else None


def _before_the_roll(chance: _Chance) -> Labels | None:
    return _beside(chance, ALL_SPACES) if chance.position.phase is Phase.ROLL else None


def _beside(chance: _Chance, spaces: Bitboard) -> Labels | None:
    """Step to one of some spaces that has no pawn."""
    position = chance.position
    near = cells_in(NEIGHBOURS[position.pawn] & spaces & ~position.standing)
    return _with_pawn_on(chance.before, position.turn, NAMES[chance.random.choice(near)]) if near else None


def _others_pawn(chance: _Chance) -> Labels | None:
    others = [seat for seat in chance.position.players if seat != chance.position.turn]
    if not _racing(chance):
        return None
    return _with_pawn_on(chance.after, chance.random.choice(others), next(_free(chance, chance.after)))


def _pawn_removed(chance: _Chance) -> Labels | None:
    if not _racing(chance):
        return None
    start = _pawns(chance.before)[chance.position.turn]
    return chance.instead({start: replace(parts_of(chance.before[start]), pawn=None).label})


def _turned(chance: _Chance, table: Labels) -> Iterator[tuple[Cell, str]]:
    """List cards that can be turned over, with the label of the cell then."""
    for cell, there in _cells(chance, table):
        if there.card != COVERED and there.pawn is None:
            card = face_of(chance.position, cell_index(cell)) if there.card == BACK else BACK
            yield cell, replace(there, card=card).label


def _wrong_card(chance: _Chance) -> Labels | None:
    """Turn a card down that is not of the rank rolled."""
    if chance.position.phase is not Phase.FLIP:
        return None
    down = ((cell, label) for cell, label in _turned(chance, chance.before) if parts_of(label).card == BACK)
    return next((chance.instead({cell: label}) for cell, label in down), None)


def _card_too_many(chance: _Chance) -> Labels | None:
    """Turn another card over as well as the one that the rules allow."""
    if not _racing(chance) or (chance.action is None and chance.position.phase is Phase.FLIP):
        return None
    return next((chance.changed({cell: label}) for cell, label in _turned(chance, chance.after)), None)


def _flag_moved(chance: _Chance) -> Labels | None:
    flags = [(cell, there) for cell, there in _cells(chance, chance.after) if there.flag and not there.pawn]
    ends = [(cell, there) for cell, there in _cells(chance, chance.after) if there == LabelParts(there.card)]
    if not flags or not ends or not _racing(chance):
        return None
    (start, lifted), (end, there) = flags[0], ends[0]
    bare = BACK if chance.position.down >> cell_index(start) & 1 else face_of(chance.position, cell_index(start))
    moved = {start: LabelParts(bare).label, end: replace(there, card=COVERED, flag=lifted.flag).label}
    return chance.changed(moved)


def _flag_removed(chance: _Chance) -> Labels | None:
    flags = [(cell, there) for cell, there in _cells(chance, chance.after) if there.flag and not there.pawn]
    if not flags or not _racing(chance):
        return None
    start = flags[0][0]
    bare = BACK if chance.position.down >> cell_index(start) & 1 else face_of(chance.position, cell_index(start))
    return chance.changed({start: LabelParts(bare).label})


# ---- slips


def _stays_beyond(chance: _Chance) -> Labels | None:
    """Turn a wrong card up and back, and forget that the pawn goes back for it."""
    if not isinstance(chance.action, Flip) or not _is_wrong(chance, chance.action.cell):
        return None
    cell = chance.action.cell
    return chance.changed({cell: _face_up(chance, cell)})


def _captions() -> Mapping[str, str]:
    return {
        "too-far": _("{player} cheated: moved the pawn too far"),
        "onto-back": _("{player} cheated: stepped onto a card that was face down"),
        "before-the-roll": _("{player} cheated: moved before the roll"),
        "others-pawn": _("{player} cheated: moved another player's pawn"),
        "pawn-removed": _("{player} slipped: the pawn fell off the table"),
        "wrong-card": _("{player} cheated: turned down a card of another rank"),
        "card-too-many": _("{player} cheated: turned over one more card"),
        "flag-moved": _("{player} cheated: moved a flag"),
        "flag-removed": _("{player} cheated: took a flag away"),
        "stays-beyond": _("{player} turned up a wrong card and went back"),
    }


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    leaves=_leaves,
    cheats={
        "too-far": _too_far,
        "onto-back": _onto_back,
        "before-the-roll": _before_the_roll,
        "others-pawn": _others_pawn,
        "pawn-removed": _pawn_removed,
        "wrong-card": _wrong_card,
        "card-too-many": _card_too_many,
        "flag-moved": _flag_moved,
        "flag-removed": _flag_removed,
    },
    slips={"stays-beyond": _stays_beyond},
    captions=_captions,
    options=({"flags": 3}, {"flags": 2}, {"flags": 3, "flag_variant": True}),
)
"""How simulated players play it."""
