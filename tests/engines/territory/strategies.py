"""Settings, positions and whole games for property tests: cards of every kind, maps of any size, few or many rounds."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from engines.grid import cells_in, set_of
from engines.kernel import Json, Seat
from engines.territory import GAME
from engines.territory.board import COLOURS
from engines.territory.cards import DECK
from engines.territory.position import Action, Again, Await, Capture, Place, Position, Roll, Stop
from engines.territory.rules import targets
from tests.engines.steps import any_step

_TO_A_CHOICE = 60
"""Actions after which a game that never comes to a choice is given up: its cards close every number, say."""

_numbers = st.integers(2, 12)
_EFFECTS: Mapping[str, st.SearchStrategy[Json]] = {
    "free_rolls": st.integers(-2, 3),
    "stop_from": st.integers(1, 6),
    "most_rolls": st.integers(1, 8),
    "pardons": st.integers(0, 3),
    "bust_keeps": st.booleans(),
    "captures": st.sampled_from(["end-the-turn", "forbidden", "go-on", "then-roll"]),
    "doubled": st.lists(_numbers, max_size=4),
    "closed": st.lists(_numbers, max_size=4),
    "mirrored": st.booleans(),
    "reversed": st.booleans(),
}


@st.composite
def decks(draw: st.DrawFn) -> list[Json]:
    """Shipped cards and cards of one's own, in any number; their ids differ."""
    shipped = draw(st.lists(st.sampled_from(DECK), max_size=6))
    effects = draw(st.lists(st.fixed_dictionaries({}, optional=dict(_EFFECTS)), max_size=6))
    own: list[Json] = [{"id": f"own-{number}", **changes} for number, changes in enumerate(effects)]
    return draw(st.permutations([*(card.id for card in shipped), *own]))


@st.composite
def grids(draw: st.DrawFn) -> Json:
    columns = draw(st.integers(1, 9))
    return draw(st.lists(st.lists(_numbers, min_size=columns, max_size=columns), min_size=1, max_size=9))


@st.composite
def option_sets(draw: st.DrawFn) -> dict[str, Json]:
    options: dict[str, Json] = {"roll_off": draw(st.booleans()), "rounds": draw(st.integers(1, 8))}
    where = draw(st.sampled_from(["eight-by-eight", "nine-by-eight", None]))
    if where is None:
        options["table"] = {"grid": {"numbers": draw(grids())}}
    else:
        options["map"] = where
    if draw(st.booleans()):
        options["deck"] = draw(decks())
    return options


def seats() -> st.SearchStrategy[list[Seat]]:
    return st.lists(st.sampled_from(COLOURS), min_size=3, max_size=6, unique=True)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position on the way of a random game; often with more spaces held than the game would have by then."""
    position = GAME.new(draw(seats()), draw(option_sets()), draw(st.integers(0, 99)))
    random = Random(draw(st.integers(0, 9999)))
    if draw(st.booleans()) and position.awaiting is Await.ROLL:
        position = _scattered(position, random)
    for _ in range(draw(st.integers(0, 40))):
        if not position.over:
            position = GAME.after(position, any_step(GAME, position, random)).position
    return position


@st.composite
def choices(draw: st.DrawFn) -> Position:
    """A position in which somebody may roll again or stop: any, played on until it comes to that."""
    position, random = draw(positions()), Random(draw(st.integers(0, 9999)))
    for _ in range(_TO_A_CHOICE):
        if position.over or position.awaiting is Await.CHOOSE:
            break
        position = GAME.after(position, any_step(GAME, position, random)).position
    assume(position.awaiting is Await.CHOOSE)
    return position


def _scattered(position: Position, random: Random) -> Position:
    data = dict(GAME.position_to_json(position))
    owners: dict[str, Json] = {
        name: random.choice(position.players) for name in position.board.names if random.random() < 0.7
    }
    return GAME.position_from_json({**data, "owners": owners})


@st.composite
def turns(draw: st.DrawFn) -> tuple[Position, Action]:
    """A position of an unfinished game and a legal action."""
    position = draw(positions().filter(lambda position: not position.over))
    return position, any_step(GAME, position, Random(draw(st.integers(0, 9999))))


def any_actions(position: Position) -> st.SearchStrategy[Action]:
    """Actions of every kind, most of them illegal."""
    names = st.sampled_from([*position.board.names, "Z99"])
    dice = st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple)
    near = position.awaiting is Await.PLACE and targets(position, position.rolled[-1]).any
    wanted = [position.board.names[i] for i in cells_in(near or set_of([]))] or list(position.board.names)
    cells = names | st.sampled_from(wanted)
    return st.one_of(
        st.builds(Roll, dice), st.just(Again()), st.just(Stop()), st.builds(Place, cells), st.builds(Capture, cells)
    )
