"""Honest moves are legal, cheats are none, and hands go where an action says."""

from random import Random
from typing import Any

import pytest

from companion.core.display import view
from companion.core.state import new_state
from companion.core.verdicts import Action
from companion.games import GAMES, SIMULATED
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Hands, Pace
from companion.simulator.planner import Means, MovePlanner, SimulatedMove, hand_path, legal
from companion.simulator.players import SimulatedPlayers
from engines.kernel import Cell, Outcome, Seat
from engines.royal_ur.position import Move
from tests.contracts.tables import TABLES, played

TABLE_OF = {table.game: name for name, table in reversed(list(TABLES.items())) if "together" not in name}


@pytest.mark.parametrize("game", SIMULATED)
def test_people_know_five_kinds_of_cheats_and_a_sentence_for_each_trick(game: str) -> None:
    plays = SIMULATED[game]
    assert len(plays.cheats) >= 5
    assert all("{player}" in plays.caption(trick) for trick in (*plays.cheats, *plays.slips))


def moves(game: str, tricks: dict[int, str]) -> list[tuple[Any, SimulatedMove]]:
    """Let the players decide in positions of a game that was played at random."""
    adaptor, found = GAMES[game], []
    for number, position in enumerate(played(TABLE_OF[game]).sample(30)):
        if not adaptor.engine.over(position):
            planner = MovePlanner(adaptor, Random(number), tricks)
            found.append((position, planner.decide(position, view(new_state(adaptor, position)), 0, None)))
    return found


@pytest.mark.parametrize("game", SIMULATED)
def test_honest_moves_are_legal(game: str) -> None:
    engine = GAMES[game].engine
    honest = [(position, move) for position, move in moves(game, {}) if move.means is not Means.THROW]
    assert honest
    for position, move in honest:
        assert move.action is not None
        assert isinstance(engine.play(position, move.action), Outcome)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("game", "cheat"), [(game, cheat) for game in SIMULATED for cheat in SIMULATED[game].cheats])
def test_a_cheat_leaves_a_table_that_no_legal_action_leaves(game: str, cheat: str) -> None:
    adaptor = GAMES[game]
    for position, move in moves(game, {0: cheat}):
        if move.is_cheat and move.card != SIMULATED[game].beside(position, None):
            assert move.card is not None
            assert adaptor.beside(position, move.card).refusal is not None
        elif move.is_cheat:
            actions = adaptor.engine.actions(position) if game != "royal-tee" else ()
            tables = [adaptor.placement(legal(adaptor, position, action)) for action in actions]
            assert move.after not in [*tables, adaptor.placement(position)]


def test_people_regret_any_move_but_the_one_that_ends_the_game() -> None:
    adaptor, random = GAMES["royal-ur"], Random(1)
    playing, end = played(TABLE_OF["royal-ur"]).positions[-2:]
    hands, behaviour = Hands(adaptor.board(), random, Pace()), PlayerBehaviour(regrets=1.0)
    people = SimulatedPlayers(
        adaptor, playing, hands=hands, random=random, behaviour=behaviour, press=str, hold=str, tell=str
    )
    people._move = SimulatedMove(Seat("white"), Means.HANDS, Action(Move(1)), {})
    regretted = []
    for people.position in (playing, end):
        regretted.append(people._regrets())
    assert regretted == [True, False]


@pytest.mark.parametrize(
    ("before", "after", "action", "path"),
    [
        ({"A1": "red-royal", "A2": "empty"}, {"A1": "red", "A2": "red-royal"}, {"walk": ["A2"]}, ("A1", "A2")),
        (
            {"A1": "red-royal", "A2": "empty"},
            {"A1": "red-royal", "A2": "red"},
            {"walk": ["A2", "A1"]},
            ("A1", "A2", "A1"),
        ),
        ({"A1": "empty"}, {"A1": "red"}, {"place": "A1"}, ("A1",)),
        ({"A1": "empty"}, {"A1": "empty"}, {"pass": True}, ()),
    ],
    ids=["walk", "there-and-back", "placed", "pass"],
)
def test_the_hand_goes_where_the_action_says(
    before: dict[Cell, str], after: dict[Cell, str], action: dict[str, Any], path: tuple[str, ...]
) -> None:
    assert hand_path(before, after, action) == path
