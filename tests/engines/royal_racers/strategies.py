"""Positions for property tests: those of played games, and any table in the middle of a race."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engines.grid import CellIndex, cells_in, set_of
from engines.kernel import Cell, Json, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import (
    ALL_CELLS,
    DECK,
    LAST_TURNING_RANK,
    NAMES,
    QUADRANTS,
    START_SPACES,
    quadrant_of,
    rank_of,
)
from engines.royal_racers.position import (
    NULL_ROLL,
    THROWS,
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Roll,
    Step,
    Terms,
)
from engines.royal_racers.rules import turning_down, turning_up
from tests.engines.steps import any_step

SEATS = tuple(Seat(name) for name in ("suns", "moons", "crowns", "arms"))


options = st.fixed_dictionaries(
    {},
    optional={
        "flags": st.integers(2, 6),
        "flag_variant": st.booleans(),
        "rounds": st.integers(1, 12),
        "races": st.integers(1, 3),
    },
)


@st.composite
def played(draw: st.DrawFn) -> Position:
    """A position that a game of random players has come to, set-up, ends and campaigns among them."""
    chosen: dict[str, Json] = dict(draw(options))
    random = Random(draw(st.integers(0, 10_000)))
    position = GAME.new(SEATS[: draw(st.integers(2, 4))], chosen, random.randrange(1000))
    for _ in range(draw(st.integers(0, 120))):
        if GAME.over(position):
            break
        position = GAME.after(position, any_step(GAME, position, random)).position
    return position


@st.composite
def tables(draw: st.DrawFn) -> Position:
    """Any table of a single race: pawns and face-down cards anywhere, a roll, a flip or a move expected."""
    random = Random(draw(st.integers(0, 10_000)))
    seats = draw(st.integers(2, 4))
    terms = Terms(flags=draw(st.integers(2, 6)), flag_variant=draw(st.booleans()))
    cards = tuple(random.sample(DECK, len(DECK)))
    can_turn = [cell for cell in ALL_CELLS if rank_of(cards[cell]) <= LAST_TURNING_RANK]
    touched = tuple(draw(st.integers(0, terms.flags - 1)) for _ in range(seats))
    position = Position(
        players=SEATS[:seats],
        turn=draw(st.sampled_from(SEATS[:seats])),
        round=draw(st.integers(1, terms.rounds)),
        phase=Phase.MOVE,
        rolled=draw(st.sampled_from(THROWS)),
        cards=cards,
        down=set_of(random.sample(can_turn, draw(st.integers(0, len(can_turn))))),
        flags=_flags(random, seats, terms.flags),
        touched=touched,
        pawns=tuple(random.sample(ALL_CELLS, seats)),
        terms=terms,
    )
    can_flip = position.rolled != NULL_ROLL and turning_down(position) | turning_up(position)
    phases = [Phase.ROLL, Phase.MOVE, *([Phase.FLIP] * 3 if can_flip else [])]
    return _with_phase(position, draw(st.sampled_from(phases)))


def _flags(random: Random, seats: int, count: int) -> tuple[tuple[CellIndex, ...], ...]:
    starts = random.sample(START_SPACES, seats)
    free = set_of(ALL_CELLS) & ~set_of(starts)
    rows = []
    for start in starts:
        row: list[CellIndex] = []
        for number in range(count - 1):
            cell = random.choice(cells_in(QUADRANTS[(quadrant_of(start) + number) % 4] & free))
            free &= ~set_of([cell])
            row.append(cell)
        rows.append((*row, start))
    return tuple(rows)


def _with_phase(position: Position, phase: Phase) -> Position:
    return replace(position, phase=phase, rolled=None if phase is Phase.ROLL else position.rolled)


positions = played() | tables()


@st.composite
def turns(draw: st.DrawFn) -> tuple[Position, Action]:
    """A position of a race that goes on, and a legal action."""
    position = draw(positions.filter(lambda position: not GAME.over(position)))
    return position, any_step(GAME, position, Random(draw(st.integers(0, 1000))))


_cells = st.sampled_from((*NAMES, Cell("G1"), Cell("A0"), Cell("Z99")))
wild_actions: st.SearchStrategy[Action] = st.one_of(
    *(st.builds(kind, _cells) for kind in (ChooseStart, PlaceFlag, Flip, Step)),
    st.builds(Roll, st.sampled_from(THROWS)),
    st.just(Pass()),
    st.builds(Deal, st.lists(st.sampled_from(DECK), max_size=40).map(tuple)),
    st.builds(Deal, st.permutations(DECK).map(tuple)),
)
"""Whatever hands can do, mostly against the rules."""
