"""Simulated players of Royal Racers: their decisions, cheats and slips."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeAlias

from companion.games.royal_racers.table import LabelParts, card_label, face_of, parts_of, placement
from companion.games.simulated import Labels, Opportunity, SimulatedGame, misplays, tables_after
from companion.locale import _
from engines.kernel import Cell, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import LAST_TURNING_RANK, NAMES, cell_index
from engines.royal_racers.position import RACING, SETTING_UP, Action, Flip, Phase, Position
from engines.royal_racers.search import advise
from vision.labels import BACK

_THINKS = 0.85
_REMEMBERS = 0.5
_CHAIN = 2

_Chance: TypeAlias = Opportunity[Position, Action]


def _decide(position: Position, random: Random) -> Action:
    """Return mostly the adviser's action, with all turned cards remembered or none; otherwise a random one."""
    if position.phase not in SETTING_UP and random.random() < _THINKS:
        advice = advise(position, position.down if random.random() < _REMEMBERS else 0)
        if advice is not None:
            return advice.action
    return random.choice(GAME.actions(position))


def _leaves(chance: _Chance) -> Labels:
    """Return the table after an action; a wrong card stays face up, since nothing else may show that it was turned."""
    if isinstance(chance.action, Flip) and _is_wrong(chance, chance.action.cell):
        cell = chance.action.cell
        return chance.instead({cell: _face_up(chance, cell)})
    return chance.after


def _is_wrong(chance: _Chance, cell: Cell) -> bool:
    return parts_of(chance.before[cell]).card == BACK == parts_of(chance.after[cell]).card


def _face_up(chance: _Chance, cell: Cell) -> str:
    return replace(parts_of(chance.after[cell]), card=face_of(chance.position, cell_index(cell))).label


def _allows(position: Position, left: Labels) -> bool:
    """Return whether legal actions lead to such a table, or to one on which a wrong card is still face up."""
    before = placement(position)
    if position.phase is Phase.FLIP and _is_peek(position, before, left):
        return True
    chain = 1 if position.phase in SETTING_UP else _CHAIN
    return any(table == left for table in tables_after(GAME, position, placement, chain))


def _is_peek(position: Position, before: Labels, left: Labels) -> bool:
    """Return whether only one card turned up differs, and perhaps the pawn that goes back for it."""
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


def _other_roll(position: Position, random: Random) -> Position | None:
    """Return the belief that the die shows another rank, of which a card can be turned over."""
    ranks = (replace(position, rolled=rank) for rank in range(1, LAST_TURNING_RANK + 1) if rank != position.rolled)
    possible = [other for other in ranks if position.phase is Phase.FLIP and GAME.actions(other)]
    return random.choice(possible) if possible else None


def _flag_moved(chance: _Chance) -> Labels | None:
    """Take a flag off its card, and perhaps put it on another one."""
    lying = {cell: parts_of(label) for cell, label in chance.after.items()}
    flags = [cell for cell, there in lying.items() if there.flag and not there.pawn]
    bare = [cell for cell, there in lying.items() if there == LabelParts(there.card)]
    if chance.position.phase not in RACING or not flags or not bare:
        return None
    start, end = chance.random.choice(flags), chance.random.choice(bare)
    removed = {start: card_label(chance.position, cell_index(start))}
    return chance.changed(chance.random.choice((removed, {**removed, end: chance.after[start]})))


# ---- slips


def _stays_beyond(chance: _Chance) -> Labels | None:
    """Turn a wrong card up and back, and forget that the pawn goes back for it."""
    if not isinstance(chance.action, Flip) or not _is_wrong(chance, chance.action.cell):
        return None
    cell = chance.action.cell
    return chance.changed({cell: _face_up(chance, cell)})


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    leaves=_leaves,
    named={"wrong-card": misplays(GAME, placement, _other_roll), "flag-moved": _flag_moved},
    slips={"stays-beyond": _stays_beyond},
    captions=lambda: {
        "wrong-card": _("{player} cheated: turned over a card of another rank"),
        "flag-moved": _("{player} cheated: moved a flag or took it away"),
        "stays-beyond": _("{player} turned up a wrong card and went back"),
    },
    options=({"flags": 3}, {"flags": 2}, {"flags": 3, "flag_variant": True}),
)
