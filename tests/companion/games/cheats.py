"""Named ways of cheating and erring, as tables that nobody could come to by the rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from engines.kernel import Cell
from engines.royal_tee.board import NAMES
from engines.royal_tee.position import Position, Walk
from tests.companion.games.looks import after, look_of, random_walk

Labels: TypeAlias = dict[Cell, str]
Tamper: TypeAlias = Callable[[Position, random.Random], "Labels | None"]


@dataclass(frozen=True, slots=True)
class Cheat:
    """A way of cheating and the codes that may be its refusal: a table can have more than one reason."""

    name: str
    tamper: Tamper
    codes: frozenset[str]


def _walked(position: Position, rng: random.Random, steps: int | None = None) -> tuple[Walk, Labels] | None:
    steps = position.slider if steps is None else steps
    action = random_walk(replace(position, slider=steps), rng, steps)
    if not isinstance(action, Walk):
        return None
    return action, look_of(after(replace(position, slider=steps), action))


def _too_many_steps(position: Position, rng: random.Random) -> Labels | None:
    walked = _walked(position, rng, position.slider + rng.choice((1, 2, 3)))
    return walked and walked[1]


def _too_few_steps(position: Position, rng: random.Random) -> Labels | None:
    walked = _walked(position, rng, position.slider - 1) if position.slider > 1 else None
    return walked and walked[1]


def _changed(
    position: Position, rng: random.Random, where: Callable[[Labels, Walk], list[Cell]], label: str
) -> Labels | None:
    """Walk by the rules, then change one of some cells."""
    walked = _walked(position, rng)
    if walked is None or not (cells := where(walked[1], walked[0])):
        return None
    return {**walked[1], rng.choice(cells): label}


def _tee_missing(position: Position, rng: random.Random) -> Labels | None:
    before = look_of(position)

    def newly(seen: Labels, walk: Walk) -> list[Cell]:
        return [c for c in walk.cells if seen[c] == position.turn and before[c] == "empty"]

    return _changed(position, rng, newly, "empty")


def _extra_tee(position: Position, rng: random.Random) -> Labels | None:
    return _changed(position, rng, lambda seen, _: [c for c in NAMES if seen[c] == "empty"], position.turn)


def _others_tee(position: Position) -> str:
    return next(seat for seat in position.players if seat != position.turn)


def _removed(position: Position, rng: random.Random) -> Labels | None:
    other = _others_tee(position)
    return _changed(position, rng, lambda seen, _: [c for c in NAMES if seen[c] == other], "empty")


def _foreign(position: Position, rng: random.Random) -> Labels | None:
    return _changed(position, rng, lambda seen, _: [c for c in NAMES if seen[c] == "empty"], _others_tee(position))


def _wrong_colour(position: Position, rng: random.Random) -> Labels | None:
    before, other = look_of(position), _others_tee(position)

    def stepped_on(seen: Labels, walk: Walk) -> list[Cell]:
        return [c for c in walk.cells if seen[c] == position.turn and before[c] not in (position.turn, other)]

    return _changed(position, rng, stepped_on, other)


def _jumped(position: Position, rng: random.Random) -> Labels | None:
    """Put the Royal Tee far away, with its tee where it stood."""
    seen, start = look_of(position), position.royal(position.turn)
    far = [
        c for i, c in enumerate(NAMES) if abs(i // 12 - start // 12) + abs(i % 12 - start % 12) > position.slider + 3
    ]
    far = [c for c in far if not seen[c].endswith("-royal")]
    return {**seen, NAMES[start]: position.turn, rng.choice(far): f"{position.turn}-royal"} if far else None


def _other_royal(position: Position, rng: random.Random) -> Labels | None:
    """Walk by the rules, and shift another's Royal Tee as well."""
    walked = _walked(position, rng)
    if walked is None:
        return None
    seat = _others_tee(position)
    seen = walked[1]
    free = [c for c in NAMES if seen[c] == "empty"]
    here = next(c for c in NAMES if seen[c] == f"{seat}-royal")
    return {**seen, here: seat, rng.choice(free): f"{seat}-royal"} if free else None


def _no_royal(position: Position, rng: random.Random) -> Labels | None:
    return {**look_of(position), NAMES[position.royal(position.turn)]: rng.choice(("empty", str(position.turn)))}


def _two_royals(position: Position, rng: random.Random) -> Labels | None:
    return _changed(position, rng, lambda seen, _: [c for c in NAMES if seen[c] == "empty"], f"{position.turn}-royal")


def _out_of_turn(position: Position, rng: random.Random) -> Labels | None:
    other = next(seat for seat in position.players if seat != position.turn)
    walked = _walked(replace(position, turn=other), rng)
    return walked and walked[1]


MISCOUNTED = frozenset({"wrong-length", "unreachable", "tees-missing", "extra-tee", "tee-missing", "unexplained"})

CHEATS = (
    Cheat("too many steps", _too_many_steps, MISCOUNTED | {"not-enclosed"}),
    Cheat("too few steps", _too_few_steps, MISCOUNTED),
    Cheat("a tee missing on the way", _tee_missing, MISCOUNTED | {"tee-removed"}),
    Cheat("a tee too many", _extra_tee, MISCOUNTED | {"not-enclosed"}),
    Cheat("another's tee removed", _removed, frozenset({"tee-removed", "tee-missing"})),
    Cheat("another's tee added", _foreign, frozenset({"foreign-tee", "wrong-colour"})),
    Cheat("a tee of the wrong colour", _wrong_colour, frozenset({"wrong-colour"})),
    Cheat("the Royal Tee put elsewhere", _jumped, MISCOUNTED),
    Cheat("another's Royal Tee shifted", _other_royal, frozenset({"royal-displaced", "out-of-turn"})),
    Cheat("no Royal Tee", _no_royal, frozenset({"royal-missing"})),
    Cheat("two Royal Tees", _two_royals, frozenset({"two-royals"})),
    Cheat("out of turn", _out_of_turn, frozenset({"out-of-turn", "foreign-tee"})),
)
