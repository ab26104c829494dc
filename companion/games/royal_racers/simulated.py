"""Simulated players of Royal Racers: their decisions, cheats and slips."""

from __future__ import annotations

from collections.abc import Iterator
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
from vision.labels import BACK, COVERED

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


def _cells(chance: _Chance, table: Labels) -> list[tuple[Cell, LabelParts]]:
    parts = [(cell, parts_of(label)) for cell, label in table.items()]
    return chance.random.sample(parts, len(parts))


def _turnings(chance: _Chance, table: Labels) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of cards that can be turned over, each with its label then."""
    for cell, there in _cells(chance, table):
        if there.card != COVERED and there.pawn is None:
            card = face_of(chance.position, cell_index(cell)) if there.card == BACK else BACK
            yield cell, replace(there, card=card).label


def _wrong_card(chance: _Chance) -> Labels | None:
    """Turn down a card, whatever was rolled."""
    if chance.position.phase is not Phase.FLIP:
        return None
    down = ((cell, label) for cell, label in _turnings(chance, chance.before) if parts_of(label).card == BACK)
    return next((chance.instead({cell: label}) for cell, label in down), None)


def _card_too_many(chance: _Chance) -> Labels | None:
    """Turn over another card besides the one that the rules allow."""
    if chance.position.phase not in RACING or (chance.action is None and chance.position.phase is Phase.FLIP):
        return None
    return next((chance.changed({cell: label}) for cell, label in _turnings(chance, chance.after)), None)


def _flags(chance: _Chance) -> list[tuple[Cell, LabelParts]]:
    """Return the flags without a pawn during a race."""
    racing = chance.position.phase in RACING
    return [(cell, there) for cell, there in _cells(chance, chance.after) if racing and there.flag and not there.pawn]


def _flag_removed(chance: _Chance) -> Labels | None:
    under = ((cell, card_label(chance.position, cell_index(cell))) for cell, _flag in _flags(chance))
    return next((chance.changed({cell: card}) for cell, card in under), None)


def _flag_moved(chance: _Chance) -> Labels | None:
    without, flags = _flag_removed(chance), _flags(chance)
    ends = [(cell, there) for cell, there in _cells(chance, chance.after) if there == LabelParts(there.card)]
    if without is None or not ends:
        return None
    lifted = next(there for cell, there in flags if without[cell] != chance.after[cell])
    return {**without, ends[0][0]: replace(ends[0][1], card=COVERED, flag=lifted.flag).label}


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
        "flag-removed": _flag_removed,
    },
    slips={"stays-beyond": _stays_beyond},
    captions=lambda: {
        "wrong-card": _("{player} cheated: turned down a card of another rank"),
        "card-too-many": _("{player} cheated: turned over one more card"),
        "flag-moved": _("{player} cheated: moved a flag"),
        "flag-removed": _("{player} cheated: took a flag away"),
        "stays-beyond": _("{player} turned up a wrong card and went back"),
    },
    options=({"flags": 3}, {"flags": 2}, {"flags": 3, "flag_variant": True}),
)
