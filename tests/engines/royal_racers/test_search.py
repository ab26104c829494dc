from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from msgspec import structs

from engines.grid import cells_in, set_of
from engines.kernel import Cell, Level
from engines.royal_racers import GAME, notation, search
from engines.royal_racers.board import ALL_CELLS, ALL_SPACES, NAMES, cell_index
from engines.royal_racers.position import Flip, Pass, Phase, PlaceFlag, Position, Step
from tests.engines.royal_racers.strategies import SEATS, tables
from tests.engines.steps import any_step
from tests.narrow import narrowed, there

GRID = "AC2D3H4S5C6D/6H7S8C9DAH2S/3C4D5H6S7C8D/8H9SAD2H3S4C/5D6C7H8S9CAS/2C3D4H5S7D9H"


def _table(grid: str, suns: str, moons: str, awaited: str) -> Position:
    """Return a race with the pawns on these spaces, each with the number of flags that it has touched."""
    return notation.read_position(
        f"suns,moons suns 1/300 {awaited} flags=5 {grid} {suns}:B2.E2.F5.A6.C3 {moons}:F6.B5.A2.F1.D4"
    )


def _shut(*cards: str) -> str:
    grid = GRID
    for card in cards:
        grid = grid.replace(card, card.lower() if card[0] != "A" else "A" + card[1].lower())
    return grid


@given(tables())
def test_time_left_is_never_less_than_the_steps_from_flag_to_flag_on_open_ground(position: Position) -> None:
    open_ground = replace(position, down=0, terms=structs.replace(position.terms, flag_variant=False))
    for place in range(len(position.players)):
        route = [position.pawns[place], *position.flags[place][position.touched[place] :]]
        rows_and_columns = [divmod(cell, 6) for cell in route]
        least = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(rows_and_columns))
        assert search.time_left(open_ground, place) == least
        assert search.time_left(position, place) >= least


SUNS, MOONS = SEATS[:2]


def test_a_pawn_walled_in_has_no_way_until_a_card_of_the_wall_is_turned_up() -> None:
    position = _table(_shut("5C", "2S"), "F1:0", "D4:0", "flip=2")
    assert search.chance_right(position, cell_index("F2"), remembered=position.down) == 1.0


def test_the_wrong_card_brings_the_way_from_the_start_again() -> None:
    position = _table(_shut("5C", "2S"), "F1:0", "D4:0", "flip=2")
    assert search.chance_right(position, cell_index("F2")) == 0.5


@given(tables())
def test_the_chances_of_unknown_cards_add_up_to_the_cards_of_the_rank(position: Position) -> None:
    if position.phase is Phase.FLIP and position.down:
        of_rank = [cell for cell in cells_in(position.down) if position.cards[cell] // 4 + 1 == position.rolled]
        chances = [search.chance_right(position, cell) for cell in cells_in(position.down)]
        if of_rank:
            assert sum(chances) == pytest.approx(len(of_rank))


@given(tables())
def test_who_remembers_all_knows_each_card(position: Position) -> None:
    if position.phase is Phase.FLIP:
        for cell in cells_in(position.down & ~position.standing):
            right = GAME.after(position, Flip(NAMES[cell])).events[0].name == "turned-up"
            assert search.chance_right(position, cell, position.down) == float(right)


@pytest.mark.parametrize(
    ("grid", "suns", "moons", "awaited", "advice"),
    [
        (GRID, "B1:0", "D4:0", "move=null", (Step(Cell("B2")), "touch")),
        (GRID, "C1:0", "D4:0", "move=null", (Step(Cell("B1")), "nearer")),
        (_shut("2D", "4D", "3H"), "C2:0", "B1:0", "move=null", (Step(Cell("B2")), "touch")),
        (_shut("5H", "AD"), "B3:4", "B4:0", "move=null", (Pass(), "wait")),
        (GRID, "A4:3", "F4:4", "flip=3", (Flip(Cell("E4")), "hold-up")),
    ],
)
def test_the_advice_says_why(
    grid: str, suns: str, moons: str, awaited: str, advice: tuple[Step | Pass | Flip, str]
) -> None:
    given_advice = there(search.advise(_table(grid, suns, moons, awaited)))
    assert (given_advice.action, given_advice.code) == advice


def test_a_remembered_card_in_the_way_is_turned_up() -> None:
    position = _table(_shut("5H", "2H", "3S", "2D"), "B3:4", "F6:1", "flip=5")
    advice = there(search.advise(position, remembered=position.down))
    assert (advice.action, advice.code, advice.numbers["chance"]) == (Flip(Cell("C3")), "clear-way", 1.0)


WRONG = _table(_shut("5H", "2H", "3S", "2D"), "B3:4", "F6:1", "flip=5")
SEEN = tuple(cells_in(WRONG.down))


def test_the_cards_seen_last_are_remembered_as_many_as_the_level_has() -> None:
    position = replace(WRONG, down=ALL_SPACES, seen=ALL_CELLS)
    assert search.remembered_by(position, Level.EASY) == set_of(ALL_CELLS[32:])
    assert search.remembered_by(position, Level.MEDIUM) == set_of(ALL_CELLS[26:])
    assert search.remembered_by(position, Level.STRONG) == ALL_SPACES
    assert search.remembered_by(replace(position, seen=SEEN), Level.MEDIUM) == set_of(SEEN)


def test_a_card_that_everybody_saw_to_be_wrong_is_not_proposed_again() -> None:
    first = narrowed(there(search.advise(WRONG)).action, Flip)
    flipped = GAME.after(WRONG, first).position
    assert flipped.seen == (cell_index(first.cell),)
    assert there(search.advise(replace(flipped, phase=Phase.FLIP))).action != first


def test_flags_are_laid_as_far_as_can_be_from_the_last() -> None:
    position = GAME.new(SEATS[:2], {"starts": {"suns": "C3", "moons": "D4"}}, 0)
    advice = there(search.advise(position))
    assert (advice.action, advice.numbers) == (PlaceFlag(Cell("F6")), {"from_last": 4, "from_start": 4})


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("seed", range(3))
def test_players_who_follow_the_advice_come_to_the_end(seed: int, level: Level) -> None:
    random = Random(seed)
    position = GAME.new(SEATS[:2], {}, seed)
    while not GAME.over(position):
        advice = search.advise(position, level=level)
        position = GAME.after(position, advice.action if advice else any_step(GAME, position, random)).position
    assert max(position.touched) == 5
    assert position.round < (100 if level is Level.STRONG else 200)


def test_of_two_who_stand_on_each_others_flag_the_one_ahead_steps_aside() -> None:
    facing = _table(GRID, "A2:0", "B2:2", "move=null")
    behind, ahead = (there(search.advise(position)) for position in (facing, replace(facing, turn=MOONS)))
    assert isinstance(behind.action, Pass)
    assert isinstance(ahead.action, Step)
    walls = set_of(map(cell_index, ("C2", "B1", "B3")))
    assert not facing.down & walls
    gives_way = there(search.advise(replace(facing, down=facing.down | walls)))
    assert isinstance(gives_way.action, Step), "who is ahead cannot move"
