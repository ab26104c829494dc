"""Simulated players and a companion that is slower than they are patient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.core.display import view
from companion.core.hypothesis import Rules
from companion.core.state import new_state
from companion.core.verdicts import Action, ActionSource, Confirmed
from companion.core.verdicts import Position as Opaque
from companion.games import GAMES, SIMULATED
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Hands, Pace, Script, Tabletop
from companion.simulator.planner import Means, MovePlanner, SimulatedMove, hand_path, legal
from companion.simulator.players import SimulatedPlayers
from companion.simulator.table import Plan, SimulatedTable
from engines.kernel import Cell, Outcome, Seat
from engines.royal_tee import GAME as ENGINE
from engines.royal_ur.position import Move
from hardware.panel import Button
from tests.companion.core.tables import TEE, ChoosingTable, SteppedTable
from tests.companion.games.speeches import tables_of
from tests.companion.shell.clocks import ManualClock
from tests.contracts.tables import played
from tests.narrow import there
from vision.board import shipped_board
from vision.labels import EMPTY

POSITION = ENGINE.new([Seat("red"), Seat("green")], {}, 0)
AT_THE_START = TEE.placement(Opaque(POSITION))


def labels(table: Tabletop) -> dict[Cell, str]:
    """Return the label of every cell of a table."""
    lying = table.placement()
    return {cell: lying.get(cell, EMPTY) for cell in AT_THE_START}


def players_of(
    game: Rules, position: Any, seed: int, behaviour: PlayerBehaviour, press: Callable[[Button], object]
) -> SimulatedPlayers:
    """Return quick players who tell nobody anything."""
    random = Random(seed)
    hands = Hands(game.board(), random, Pace(0.2, 0.1))
    return SimulatedPlayers(game, position, hands=hands, random=random, behaviour=behaviour, press=press, tell=str)


class SlowCompanion:
    """A table of simulated players whose companion reads only when it is told to."""

    def __init__(self) -> None:
        self.companion, self.now_s = SteppedTable(POSITION), 0.0
        behaviour = PlayerBehaviour(think_s=0.0, patience_s=3.0, regrets=0.0, attempts=3)
        self.people = players_of(TEE, POSITION, 5, behaviour, self.press)
        self.hears_presses = True

    def press(self, button: Button) -> None:
        if self.hears_presses:
            self.companion.press(button)

    def pass_by(self, seconds: float) -> Tabletop:
        """Let the players do what they like while nobody reads the table; they see the screen all the time."""
        for _ in range(round(seconds / 0.2)):
            self.people.see(view(self.companion.state))
            self.now_s += 0.2
            lying = self.people.at(self.now_s)
        return lying

    def until(self, *, moved: bool) -> Tabletop:
        """Let time pass until no hand is over a table that is, or is no longer, as the game began."""
        while (lying := self.pass_by(0.2)).hands or (labels(lying) == AT_THE_START) is moved:
            assert self.now_s < 60.0
        return lying


def test_a_move_that_is_confirmed_after_it_was_given_up_is_made_again() -> None:
    table = SlowCompanion()
    table.hears_presses = False
    moved = table.until(moved=True)
    table.until(moved=False)
    table.hears_presses = True
    table.companion.lie(labels(moved), 3.0)
    assert table.companion.position != POSITION
    assert labels(table.until(moved=True)) == labels(moved)
    assert not table.people.over


def test_a_number_is_chosen_although_the_screen_follows_late() -> None:
    table = ChoosingTable(GAMES["royal-study"], "white black", dice="button")
    behaviour = PlayerBehaviour(think_s=0.0, regrets=0.0, turns=1)
    people = players_of(table.game, table.start, 1, behaviour, table.press)
    shown = [replace(view(table.state), setting_up=False)] * 4
    for tick in range(1, 400):
        people.see(shown[-4])
        people.at(0.2 * tick)
        assert people.counts.confirmed == isinstance(shown[-4].verdict, Confirmed), "the game may end with it"
        shown.append(replace(view(table.state), setting_up=False))
        if people.counts.confirmed:
            break
    assert (people.counts.confirmed, people.counts.mistaken) == (1, 0), people.counts.notes


def test_a_cheat_that_the_clock_ends_is_a_turn_that_ended() -> None:
    study = GAMES["royal-study"]
    time_up = study.engine.action_from_json({"time-up": True})
    timed = [at for at in played("study").sample(60) if isinstance(study.engine.play(at, time_up), Outcome)]
    behaviour = PlayerBehaviour(think_s=0.0, regrets=0.0, tricks={0: "put-on"})
    people = players_of(study, timed[-1], 3, behaviour, str)
    shown = replace(view(new_state(study, timed[-1])), setting_up=False)
    for tick in range(1, 60):
        people.see(shown)
        people.at(0.2 * tick)
    assert people.counts.cheats.total() == 1
    ended = Confirmed(None, time_up, source=ActionSource.CLOCK)
    people.see(replace(shown, position=legal(study, timed[-1], time_up), verdict=ended))
    people.at(12.2)
    assert (people.counts.cheats.total(), people.counts.legal, people.counts.confirmed) == (0, 1, 1)


# ---- honest moves are legal, cheats are none, and hands go where an action says


@pytest.mark.parametrize("game", SIMULATED)
def test_people_know_five_kinds_of_cheats_and_a_sentence_for_each_trick(game: str) -> None:
    plays = SIMULATED[game]
    assert len(plays.cheats) >= 5
    assert all("{player}" in plays.caption(trick) for trick in (*plays.cheats, *plays.slips))


def moves(game: str, tricks: dict[int, str]) -> list[tuple[Any, SimulatedMove]]:
    """Let the players decide in positions of a game that was played at random."""
    adaptor, found = GAMES[game], []
    for number, position in enumerate(played(tables_of(game)[0]).sample(30)):
        if not adaptor.engine.over(position):
            planner = MovePlanner(adaptor, Random(number), tricks)
            found.append((position, planner.decide(position, view(new_state(adaptor, position)), 0, None)))
    return found


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
    playing, end = played("ur").positions[-2:]
    people = players_of(GAMES["royal-ur"], playing, 1, PlayerBehaviour(regrets=1.0), str)
    people.move = SimulatedMove(Seat("white"), Means.HANDS, Action(Move(1)), {})
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


# ---- A move by hands, sampled in time


BOARD = shipped_board("royal-tee")
BEFORE = {Cell("F12"): "red-royal", Cell("G1"): "green-royal", Cell("F10"): "green"}
PATH = tuple(map(Cell, ("F12", "F11", "F10")))
AFTER = {Cell("F12"): "red", Cell("F11"): "red", Cell("F10"): "red-royal", Cell("G1"): "green-royal"}


def hands(seed: int = 1) -> Hands:
    return Hands(BOARD, Random(seed), Pace(reach_s=1.0, piece_s=0.5))


def a_walk(rest_s: float = 0.0) -> Script:
    people = hands()
    return people.script(people.set_up(BEFORE), AFTER, PATH, "bottom", rest_s)


def test_a_walking_piece_is_in_the_hand_from_the_table_before_to_the_table_after() -> None:
    script = a_walk()
    in_between = script.at(1.6).placement()
    assert script.at(0.0).placement() == BEFORE
    assert "red-royal" not in in_between.values()
    assert in_between[Cell("F12")] == "red"
    assert script.at(script.ends_s).placement() == AFTER


def test_a_walk_that_comes_back_lifts_the_piece_and_puts_it_down_again() -> None:
    people = hands()
    path = tuple(map(Cell, ("F12", "F11", "F12")))
    after = {**BEFORE, Cell("F11"): "red"}
    script = people.script(people.set_up(BEFORE), after, path, "bottom")
    assert Cell("F12") not in script.at(1.1).placement()
    assert script.at(script.ends_s).placement() == after


def test_a_hand_comes_from_its_players_side_rests_where_it_has_put_the_last_piece_and_goes() -> None:
    script, resting = a_walk(), a_walk(rest_s=5.0)
    first = there(script.at(0.1).hand)
    assert first.side == "bottom"
    assert first.tip_mm[1] > BOARD.size[1]
    assert [script.at(time_s).hand is not None for time_s in (0.5, 1.7, 3.2, 99.0)] == [True, True, True, False]
    assert there(resting.at(4.0).hand) == resting.at(7.0).hand
    assert resting.ends_s == script.ends_s + 5.0


def test_what_already_lies_as_wanted_is_not_touched() -> None:
    people = hands()
    lies = people.set_up(BEFORE)
    assert people.script(lies, BEFORE, (), "top") == Script(lies)


def test_pieces_stand_a_little_off_their_cells_middles_the_same_way_for_the_same_seed() -> None:
    one, other = hands(3).set_up(BEFORE), hands(3).set_up(BEFORE)
    assert one == other
    x, y = one[Cell("F12")].at_mm
    middle = BOARD.centres_mm()[BOARD.cells.index("F12")]
    assert 0 < abs(x - middle[0]) + abs(y - middle[1]) < 8


def test_people_at_a_simulated_table_with_a_panel_of_their_own_are_told_whose_buttons_they_are() -> None:
    """The simulated players named presses that nobody made."""
    told: list[str] = []
    table = SimulatedTable(Plan(1, PlayerBehaviour(), Pace()), clock=ManualClock(), shutter=lambda: 0)
    table.when_told = told.append
    table.push(Button.ROLL)
    assert told == ["The simulated players leave the buttons of this panel to you."]
