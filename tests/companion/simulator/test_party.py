"""Whole games on the simulated table, seen as a good reader would: right moves are accepted, cheats are told."""

from dataclasses import replace

import pytest

from companion.core.messages import Record
from companion.core.verdicts import Refused
from companion.core.view import View
from companion.games import GAMES
from companion.simulator.mischief import ALLOWED, Mischief
from companion.simulator.party import Manners
from tests.companion.simulator.rig import Rig
from tests.companion.simulator.test_players import POSITION

GAME = GAMES["royal-tee"]


def agreed(rig: Rig) -> bool:
    return bool(rig.state.position == rig.party.position)


@pytest.mark.parametrize("seed", [0, 2])
def test_every_move_of_an_honest_game_is_seen_right(seed: int) -> None:
    rig = Rig(seed, Manners())
    rig.play()
    assert rig.party.over
    assert rig.state.over
    assert agreed(rig)
    assert rig.party.tally.seen_right == rig.party.tally.legal
    assert (rig.party.tally.wrong, rig.party.tally.unclear) == (0, 0)


def test_four_play_as_well_as_two() -> None:
    rig = Rig(4, Manners(turns=12), players="red blue green yellow")
    rig.play()
    assert (rig.party.tally.seen_right, agreed(rig)) == (12, True)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("mischief", sorted(set(Mischief) - ALLOWED))
def test_whoever_cheats_is_told_so_and_the_game_goes_on_when_it_is_put_right(mischief: Mischief, seed: int) -> None:
    position = GAME.engine.position_from_json(POSITION)
    rig = Rig(seed, Manners(mischief={0: mischief}, turns=3), position=position)
    rig.play()
    assert rig.party.tally.tried == [mischief]
    assert rig.party.tally.caught == 1
    assert rig.party.tally.seen_right == rig.party.tally.legal == 3
    assert agreed(rig)


@pytest.mark.parametrize("mischief", sorted(ALLOWED))
def test_what_only_looks_odd_is_accepted(mischief: Mischief) -> None:
    rig = Rig(2, Manners(mischief={2: mischief}, turns=14))
    rig.play()
    assert rig.party.tally.tried == [mischief]
    assert rig.party.tally.seen_right == rig.party.tally.legal == 14
    assert agreed(rig)
    assert rig.party.tally.forbidden == 0


def test_the_same_seed_gives_the_same_game_to_the_last_record() -> None:
    def records(seed: int) -> list[Record]:
        rig = Rig(seed, Manners(mischief={3: Mischief.JUMPS}, turns=8))
        rig.play()
        return rig.records

    assert records(5) == records(5)
    assert records(5) != records(6)


def test_an_honest_player_who_is_refused_counts_as_a_wrong_verdict_and_puts_the_move_back() -> None:
    rig = Rig(0, Manners(turns=2))
    while not rig.party.tally.legal:
        rig.step()
    before = GAME.placement(rig.party.position)
    rig.party.see(_refusing(rig.shown))
    for _ in range(12):
        rig.party.at(rig.now_s)
        rig.now_s += 1.0
    assert rig.party.tally.wrong == 1
    assert GAME.placement(rig.party.position) == before


def _refusing(view: View) -> View:
    return replace(view, verdict=Refused("unfair", "9.9", 1.0))


def test_without_a_verdict_the_players_press_done_and_in_the_end_give_the_move_up() -> None:
    rig = Rig(0, Manners(turns=2, patience_s=4.0))
    rig.blind = True
    while not rig.party.tally.unclear:
        rig.step()
    assert rig.presses == 1
    assert rig.now_s < 30


def test_people_whose_moves_are_told_nothing_any_more_stop_playing() -> None:
    rig = Rig(0, Manners(patience_s=2.0, attempts=3))
    rig.blind = True
    rig.play()
    assert rig.party.gave_up
    assert (rig.party.tally.unclear, rig.party.tally.seen_right) == (3, 0)


def test_whoever_watches_is_told_who_cheats_and_that_it_is_put_right() -> None:
    rig = Rig(1, Manners(mischief={1: Mischief.STEP_TOO_MANY}, turns=2))
    rig.play()
    assert [sentence.removeprefix("On the table: ") for sentence in rig.told[1:3]] == [
        "green cheats: one step too many.",
        "green puts it right.",
    ]
