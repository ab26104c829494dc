"""Simulated players of Royal Racers: their decisions, cheats and slips."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeAlias

from companion.games.royal_racers.table import LabelParts, card_label, face_of, parts_of, placement
from companion.games.simulated import Labels, Opportunity, SimulatedGame, tables_after
from companion.locale import _
from engines.kernel import Cell, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import NAMES, cell_index
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
    if position.phase is Phase.FLIP:
        # only one card turned up may differ, and the pawn that goes back for it
        turned = [cell for cell, label in left.items() if parts_of(label).card != parts_of(before[cell]).card]
        is_peek = len(turned) == 1 and parts_of(before[turned[0]]).card == BACK
        pawns, back = _pawns(before), NAMES[position.last_touched(position.place)]
        if is_peek and _pawns(left) in (pawns, {**pawns, position.turn: back}):
            return True
    chain = 1 if position.phase in SETTING_UP else _CHAIN
    return any(table == left for table in tables_after(GAME, position, placement, chain))


def _pawns(table: Labels) -> dict[Seat, Cell]:
    return {pawn: cell for cell, label in table.items() if (pawn := parts_of(label).pawn) is not None}


# ---- cheats


def _bare(table: Labels) -> list[Cell]:
    """Return the cells with nothing on their card."""
    lying = ((cell, parts_of(label)) for cell, label in table.items())
    return [cell for cell, there in lying if there == LabelParts(there.card)]


def _wrong_card(chance: _Chance) -> Labels | None:
    """Turn down a card, whatever was rolled."""
    up = [cell for cell in _bare(chance.before) if chance.before[cell] != BACK]
    return chance.instead({chance.random.choice(up): BACK}) if chance.position.phase is Phase.FLIP and up else None


def _card_too_many(chance: _Chance) -> Labels | None:
    """Turn over another card besides the one that the rules allow."""
    phase, bare = chance.position.phase, _bare(chance.after)
    if phase not in RACING or not bare or (chance.action is None and phase is Phase.FLIP):
        return None
    cell = chance.random.choice(bare)
    is_down = chance.after[cell] == BACK
    return chance.changed({cell: face_of(chance.position, cell_index(cell)) if is_down else BACK})


def _flag_moved(chance: _Chance) -> Labels | None:
    """Take a flag off its card, and perhaps put it on another one."""
    flags = [cell for cell, there in chance.after.items() if parts_of(there).flag and not parts_of(there).pawn]
    bare = _bare(chance.after)
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
    named={
        "wrong-card": _wrong_card,
        "card-too-many": _card_too_many,
        "flag-moved": _flag_moved,
    },
    slips={"stays-beyond": _stays_beyond},
    captions=lambda: {
        "wrong-card": _("{player} cheated: turned down a card of another rank"),
        "card-too-many": _("{player} cheated: turned over one more card"),
        "flag-moved": _("{player} cheated: moved a flag or took it away"),
        "stays-beyond": _("{player} turned up a wrong card and went back"),
    },
    options=({"flags": 3}, {"flags": 2}, {"flags": 3, "flag_variant": True}),
)
