"""An evening without a screen: what lamps, bar, digits and buzzer show, and what four buttons reach."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.core.choices import CONTINUE, HINT, JUDGE_ON_DONE, LEAVE, RETURN, SWITCH_OFF, tally
from companion.core.display import attention, bar, digits, figures, lamps, view
from companion.core.entries import Advised, Arranged, Undone
from companion.core.messages import (
    Advise,
    Began,
    Buzz,
    DeviceFailed,
    DeviceReturned,
    DiceRead,
    FrameBlind,
    Leave,
    SeatsArranged,
    Show,
    Thrown,
    WriteEntry,
)
from companion.core.state import State, new_state
from companion.core.step import step
from companion.core.verdicts import ActionSource, Attention, Figures, Position
from companion.games import GAMES
from engines.kernel import Cell, JsonObject, Level, Seat
from hardware.panel import Button, Rhythm, Signal
from tests.companion.core.tables import TEE, ChoosingTable, SteppedTable, act, of_type
from tests.companion.core.test_step import FIRST, SHORT, last_walk
from tests.companion.evening_table import EveningTable
from tests.companion.games.looks import after, look_of, new_game
from tests.narrow import there
from vision.observation import BlindReason

RED, GREEN = Seat("red"), Seat("green")
ROLL, DONE, BACK, MODE = Button.ROLL, Button.DONE, Button.BACK, Button.MODE


def ended(**changes: Any) -> SteppedTable:
    """A game that red has just won with 143 points to 1, at which the players linger."""
    position, then = last_walk()
    table = SteppedTable(position)
    table.state = replace(table.state, lingers=True, **changes)
    table.lie(look_of(then), SHORT)
    assert table.state.over
    return table


def shown(state: State) -> tuple[int | None, int, set[Seat]]:
    """Digits, bar, and the seats whose lamp is on."""
    return digits(state), bar(state), {seat for seat, rhythm in lamps(state).items() if rhythm is not Rhythm.OFF}


def test_after_the_end_roll_shows_the_points_and_then_the_wins_of_the_evening_player_by_player() -> None:
    table = ended(tally={RED: 1, GREEN: 2})
    seen = []
    for _ in range(4):
        table.press(ROLL)
        seen.append(shown(table.state))
    assert seen == [(43, 1, {RED}), (1, 0, {GREEN}), (2, 9, {RED}), (2, 9, {GREEN})]
    table.press(ROLL)
    assert view(table.state).count is None
    assert shown(table.state)[2] == {RED}, "the winner again"


def test_the_first_game_counts_in_the_evening_once_it_is_over() -> None:
    assert tally(ended().state) == {RED: 1, GREEN: 0}
    assert tally(SteppedTable(new_game("red", "green")).state) == {}


def test_the_score_is_shown_in_a_pause_and_play_goes_on() -> None:
    table = SteppedTable(new_game("red", "green"))
    table.press(MODE, held=True)
    table.press(ROLL)
    assert shown(table.state) == (1, 0, {RED})
    table.press(DONE)
    assert (table.state.paused, view(table.state).count) == (False, None)


def test_back_after_the_end_reopens_the_game() -> None:
    table = ended()
    effects = table.press(BACK)
    assert WriteEntry(Undone()) in effects
    assert not table.state.over
    assert lamps(table.state)[RED] is not Rhythm.WON


def test_the_panel_begins_a_rematch_another_game_or_ends_the_evening() -> None:
    wanted = []
    for steps in range(3):
        table = ended()
        wanted += [effect.code for effect in table.press(*[MODE] * steps, DONE) if isinstance(effect, Leave)]
    assert wanted == ["rematch", "new", "over"]


def test_a_player_leaves_in_a_pause_and_the_companion_plays_on_until_they_return() -> None:
    table = SteppedTable(new_game("red", "green"))
    table.press(MODE, held=True)
    codes = [(choice.code, choice.by) for choice in view(table.state).choices]
    assert codes[3:6] == [(LEAVE, RED), (LEAVE, GREEN), (HINT, None)]
    effects = table.press(MODE, MODE, MODE, DONE)
    assert of_type(effects, WriteEntry) == [WriteEntry(Arranged(companion_seats=(RED,)))]
    assert [(c.code, c.by) for c in view(table.state).choices][3:-2] == [(RETURN, RED)], "somebody has to stay"
    assert of_type(table.press(DONE), Advise)
    table.press(MODE, held=True)
    table.press(MODE, MODE, MODE, DONE, DONE)
    assert table.state.progress.arrangement.companion_seats == ()


def test_nobody_returns_to_a_seat_that_was_the_computers_from_the_start() -> None:
    table = SteppedTable(new_game("red", "green"))
    table.take(SeatsArranged(Arranged(companion_seats=(GREEN,), levels={GREEN: Level.EASY}), 0))
    table.press(MODE, held=True)
    assert {choice.code for choice in view(table.state).choices}.isdisjoint({LEAVE, RETURN})


def test_a_hint_is_asked_for_in_a_pause_and_stands_until_somebody_has_moved() -> None:
    table = SteppedTable(new_game("red", "green"))
    table.press(MODE, held=True)
    effects = table.press(*[MODE] * 5, DONE)
    assert of_type(effects, Advise) == [Advise(table.state.position)]
    assert not table.state.paused
    table.take(Advised(act(TEE, walk=["F11"]), "most", {}, table.state.position, table.at_ns))
    assert view(table.state).advice is not None
    table.lie(look_of(after(table.start, FIRST)), SHORT)
    assert view(table.state).advice is None


def test_a_fault_of_camera_or_disk_has_a_rhythm_and_a_signal_of_its_own() -> None:
    table = SteppedTable(new_game("red", "green"))
    for device in ("camera", "journal"):
        effects = table.take(DeviceFailed(device, "it does not work"))
        assert of_type(effects, Buzz) == [Buzz(Signal.FAULT)]
        assert lamps(table.state)[RED] is Rhythm.FAULT
        table.take(DeviceReturned(device))
        assert lamps(table.state)[RED] is Rhythm.TURN
    assert not of_type(table.take(DeviceFailed("panel", "no chip")), Buzz)


def test_digits_never_show_more_than_they_have() -> None:
    table = ended(tally={RED: 250})
    for _ in range(6):
        for effect in table.press(ROLL):
            if isinstance(effect, Show):
                assert effect.lit.number is None or 0 <= effect.lit.number <= 99


@pytest.mark.sampled(7)
@pytest.mark.parametrize("game", ["royal-ur", "territory", "royal-racers"])
def test_each_throw_is_counted_out_die_by_die(game: str) -> None:
    table = EveningTable(game, 3)
    for _ in range(40):
        last = table.state.progress.past[-1:]
        if any(past.played and isinstance(past.played.action, table.game.turns.dice.kind) for past in last):
            shown = there(figures(table.state))
            assert shown.throw == len(table.state.progress.past)
            assert sum(shown.numbers) == digits(table.state)
        if not table.goes_forward():
            break


def test_a_throw_that_ends_the_game_is_shown_like_any_other_beside_the_winner() -> None:
    game = GAMES["territory"]
    before, throw = _last_throw_of_a_game(game)
    state = step(new_state(game, before, sees=False), Began(1))[0]
    state = step(state, Thrown(throw, 2, ActionSource.TYPED))[0]
    thrower, number = game.turns.prompt(before).seat, game.turns.dice.number(throw)
    assert state.over and thrower is not None
    seen = there(figures(state))
    assert (digits(state), sum(seen.numbers), seen.seat, seen.throw) == (number, number, thrower, 1)
    won = {seat for seat, rhythm in lamps(state).items() if rhythm is Rhythm.WON}
    assert won == {*game.engine.winners(state.position)}


def _last_throw_of_a_game(game: Any) -> tuple[Any, Any]:
    """Play at random until a game ends with a throw; return the position before it, and the throw."""
    engine, seats = game.engine, [Seat(colour) for colour in game.board().colours[:3]]
    for seed in range(1000):
        rng, position, before = Random(seed), engine.new(seats, {}, seed), None
        while not engine.over(position):
            is_chance = engine.to_act(position) == "dice"
            action = engine.throw(position, rng) if is_chance else rng.choice(engine.actions(position))
            before, position = position, engine.after(position, action).position
        if isinstance(action, game.turns.dice.kind):
            return before, action
    raise AssertionError("no game ended with a throw")


def test_the_place_of_a_choice_that_mode_has_stepped_to_is_counted_out_and_stands_on_the_bar() -> None:
    table = SteppedTable(new_game("red", "green"))
    table.press(MODE, held=True)
    assert figures(table.state) is None, "the pause has a rhythm of its own"
    table.press(MODE)
    assert (figures(table.state), bar(table.state)) == (Figures((2,), choice=True), 2)


@pytest.mark.parametrize(
    ("game", "options", "counted"),
    [
        ("royal-study", {}, 2),
        ("royal-study", {"bonus": True}, 4),
        ("royal-study", {"deck": "table"}, 0),
        ("territory", {}, 2),
    ],
)
def test_the_cards_that_the_program_draws_are_counted_out_with_two_figures_each(
    game: str, options: JsonObject, counted: int
) -> None:
    engine = GAMES[game].engine
    players = [*map(Seat, ("red", "green", "blue"))] if game == "territory" else [Seat("one"), Seat("two")]
    position: Any = engine.new(players, options, 4)
    position = replace(position, card="raid") if game == "territory" else position
    state = new_state(GAMES[game], position)
    numbers = figures(state)
    counted_out = () if numbers is None else numbers.numbers
    drawn = [10 * tens + ones for tens, ones in zip(counted_out[::2], counted_out[1::2], strict=True)]
    assert (2 * len(drawn), tuple(drawn)) == (counted, tuple(GAMES[game].turns.cards(state.position)))
    assert digits(state) is None, "a number on the digits is one that is called, or thrown"


def test_points_are_counted_out_digit_by_digit() -> None:
    table = ended()
    table.press(ROLL)
    assert figures(table.state) == Figures((1, 4, 3), RED)


@pytest.mark.parametrize("where", ["pause", "end"])
def test_the_box_is_switched_off_by_a_choice_that_is_confirmed(where: str) -> None:
    table = ended(switches_off=True) if where == "end" else SteppedTable(new_game("red", "green"))
    table.state = replace(table.state, switches_off=True)
    if where == "pause":
        table.press(MODE, held=True)
    while view(table.state).choices[view(table.state).shown or 0].code != SWITCH_OFF:
        table.press(MODE)
    assert not of_type(table.press(DONE), Leave)
    assert set(lamps(table.state).values()) == {Rhythm.CHOICE}
    table.press(ROLL)
    assert not of_type(table.press(DONE), Leave), "another button in between: it is asked again"
    assert of_type(table.press(DONE), Leave) == [Leave(SWITCH_OFF)]


def test_a_choice_that_is_typed_drops_the_switching_off_that_was_to_be_confirmed() -> None:
    table = SteppedTable(new_game("red", "green"))
    table.state = replace(table.state, switches_off=True)
    table.press(MODE, held=True)
    table.choose(SWITCH_OFF)
    assert set(lamps(table.state).values()) == {Rhythm.CHOICE}
    table.choose(CONTINUE)
    assert set(lamps(table.state).values()) != {Rhythm.CHOICE}
    table.press(MODE, held=True)
    assert not of_type(table.choose(SWITCH_OFF), Leave)


def test_a_box_that_is_no_service_offers_no_switching_off() -> None:
    table = SteppedTable(new_game("red", "green"))
    table.press(MODE, held=True)
    assert SWITCH_OFF not in [choice.code for choice in view(table.state).choices]


# ---- what the players have to look at is one value, and lamps and screen follow it


def blinded(table: SteppedTable, seconds: float, reason: BlindReason = BlindReason.DARK) -> list[object]:
    effects: list[object] = []
    for _ in range(round(seconds / 0.2)):
        table.at_ns += 200_000_000
        effects += table.take(FrameBlind(reason, table.at_ns))
    return effects


def test_with_the_light_off_no_lamp_says_whose_turn_it_is_and_the_buzzer_says_so_once(table: SteppedTable) -> None:
    table.lie(look_of(table.start), 2.0)
    effects = blinded(table, 20.0)
    assert view(table.state).attention is Attention.BLIND
    assert set(lamps(table.state).values()) == {Rhythm.BLIND}
    assert effects.count(Buzz(Signal.UNSURE)) == 1
    table.lie(look_of(table.start), 2.0)
    assert attention(table.state) is None


@pytest.mark.parametrize(("resumed", "expected"), [(False, Attention.SET_UP), (True, Attention.RESUMED)])
def test_a_table_that_is_not_yet_right_calls_everybody(resumed: bool, expected: Attention) -> None:
    state, _effects = step(new_state(TEE, Position(new_game("red", "green"))), Began(0, resumed=resumed))
    assert attention(state) is expected
    assert set(lamps(state).values()) == {Rhythm.SET_UP}


def test_moves_that_are_judged_on_done_only_are_shown_by_the_lamp_of_the_player(table: SteppedTable) -> None:
    table.press(MODE, held=True)
    table.choose(JUDGE_ON_DONE)
    table.choose(CONTINUE)
    assert attention(table.state) is Attention.ON_DONE
    assert lamps(table.state) == {"red": Rhythm.ON_DONE, "green": Rhythm.OFF}


def test_what_done_would_take_is_shown_by_a_rhythm_of_its_own() -> None:
    table = ChoosingTable(GAMES["royal-ur"], "white black")
    table.take(DiceRead(act(GAMES["royal-ur"], roll=2), 0))
    assert attention(table.state) is Attention.THROW
    table.press(Button.BACK, Button.MODE)
    assert attention(table.state) is Attention.CHOICE
    assert Rhythm.CHOICE in lamps(table.state).values()


def test_the_caller_who_is_chosen_has_the_lamp() -> None:
    table = ChoosingTable(GAMES["royal-study"], "white black", "button")
    table.press(Button.MODE)
    assert lamps(table.state) == {"white": Rhythm.OFF, "black": Rhythm.CHOICE}


def test_the_most_pressing_reason_comes_first(table: SteppedTable) -> None:
    wrong = {**look_of(table.start), Cell("A1"): "green"}
    table.lie(wrong, 9.0)
    assert attention(table.state) in (Attention.REFUSED, Attention.UNSURE)
    blinded(table, 3.0)
    assert attention(table.state) is Attention.BLIND
    table.take(DeviceFailed("camera", "gone"))
    assert attention(table.state) is Attention.FAULT
    assert attention(replace(table.state, paused=True)) is Attention.FAULT


@pytest.mark.parametrize(("seconds", "said"), [(5.0, False), (12.0, True)])
def test_a_hand_that_lies_on_the_board_is_not_taken_for_missing_colours(
    table: SteppedTable, seconds: float, said: bool
) -> None:
    table.lie(look_of(table.start), 2.0)
    table.frame(look_of(table.start), still=False)
    blinded(table, seconds, BlindReason.NO_COLOUR)
    assert (attention(table.state) is Attention.BLIND) is said
