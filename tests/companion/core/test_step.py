from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from companion.core.choices import CONTINUE, JUDGE_BY_ITSELF, JUDGE_ON_DONE, alternatives
from companion.core.entries import ModeSet, Played, Put, Redone, Undone
from companion.core.looking import ANSWER
from companion.core.messages import (
    ActionEntered,
    Buzz,
    Effect,
    FrameBlind,
    FrameRead,
    SavePicture,
    Show,
    StartTimer,
    StopTimer,
    TimerFired,
    WriteEntry,
)
from companion.core.stability import ASK_S, HIDDEN_LOOKS, LOOKS_S, PATIENCE_S, PATIENT_LOOKS
from companion.core.verdicts import Confirmed, Mode, Picture, Refused, TookBack, Unchanged, Unclear, Waiting
from companion.games import SIMULATED
from companion.ui.words import waiting_words
from engines.kernel import Cell, Json
from engines.royal_tee import GAME as TEE_GAME
from engines.royal_tee.board import ALL_SPACES
from engines.royal_tee.position import Position, Walk
from hardware.panel import Button, ButtonPressed, Rhythm, Signal, SliderMoved
from tests.companion.core.tables import FRAME_NS, TEE, SteppedTable, act, of_type
from tests.companion.games.looks import BOARD, after, look_of, new_game, observe, random_walk, turns
from tests.companion.games.readings import EASY, cheated
from tests.companion.games.test_royal_tee_hypotheses import ABOUT_TO_ENCLOSE
from tests.narrow import narrowed, there
from vision.observation import BlindReason

CHEATS = [*SIMULATED["royal-tee"].cheats]

REPEAT_NS = 33_000_000
"""A key that is held down is sent some thirty times a second."""

FIRST = Walk((Cell("E12"),))
SHORT = LOOKS_S[0] + 0.6
LONG = LOOKS_S[PATIENT_LOOKS - 1] + 1.0
LONGEST = LOOKS_S[HIDDEN_LOOKS - 1] + 1.0


def played(table: SteppedTable) -> SteppedTable:
    table.lie(look_of(after(table.position, FIRST)), SHORT)
    return table


def lamp_of(table: SteppedTable, effects: list[Effect], place: int) -> Rhythm:
    """Return how the lamp of a player was lit last."""
    return of_type(effects, Show)[-1].lit.lamps[table.state.players[place]]


def test_a_piece_that_looks_like_one_of_a_colour_that_nobody_plays_is_taken_for_one_in_play(
    table: SteppedTable,
) -> None:
    then = after(table.position, FIRST)
    before, labels = look_of(table.position), look_of(then)
    row = next(row for row, cell in enumerate(BOARD.cells) if labels[Cell(cell)] != before[Cell(cell)] == "empty")
    for _ in range(round(SHORT * 1e9 / FRAME_NS)):
        table.at_ns += FRAME_NS
        reading = observe(labels, table.rng)
        own = reading.labels.index(labels[Cell(BOARD.cells[row])])
        other = reading.labels.index(reading.labels[own].replace("red", "blue"))
        reading.p[row, [own, other]] = reading.p[row, own] * np.array([0.04, 0.96])
        table.take(FrameRead(reading, True, table.at_ns))
    assert table.position == then


def test_a_legal_walk_is_accepted_after_a_short_while_and_recorded_before_anything_shows_it(
    table: SteppedTable,
) -> None:
    then = after(table.position, FIRST)
    effects = table.lie(look_of(then), SHORT)
    assert table.position == then
    assert isinstance(table.state.verdict, Confirmed)
    first = effects.index(WriteEntry(Played({"walk": ["E12"]})))
    assert not of_type(effects[:first], Buzz)
    assert not any(shown.view.played for shown in of_type(effects[:first], Show))
    assert lamp_of(table, effects[first:], 1) is Rhythm.TURN


def test_a_move_half_made_is_not_complained_of(table: SteppedTable) -> None:
    lifted = {**look_of(table.start), Cell("F12"): "empty"}
    effects = table.lie(lifted, LOOKS_S[1] - 1.0)
    assert not of_type(effects, Buzz)
    assert not isinstance(table.state.verdict, Refused)
    table.lie(look_of(after(table.start, FIRST)), SHORT)
    assert isinstance(table.state.verdict, Confirmed)


@pytest.mark.parametrize("pressed", [False, True])
def test_a_walk_to_and_fro_counts_once_it_has_lain_or_when_done_is_pressed(
    table: SteppedTable, *, pressed: bool
) -> None:
    """Whoever has set one of five tees may pause; walking to and fro between two spaces leaves the same."""
    table = SteppedTable(replace(table.start, slider=5))
    begun = look_of(after(table.start, Walk(tuple(map(Cell, ("E12", "F12", "E12", "F12", "E12"))))))
    table.lie(begun, LOOKS_S[PATIENT_LOOKS - 1] - 1.0)
    assert not table.entries
    if pressed:
        table.press(Button.DONE)
        assert table.entries
    table.lie(begun, 2.0)
    assert len(table.entries) == 1


def test_a_move_that_the_camera_saw_is_pictured_once(table: SteppedTable) -> None:
    effects = table.lie(look_of(after(table.start, FIRST)), 60.0)
    assert of_type(effects, SavePicture) == [SavePicture(Picture.MOVE)]


def test_a_table_against_the_rules_is_reported_once_it_has_lain_and_reported_only_once(table: SteppedTable) -> None:
    far = {**look_of(after(table.start, FIRST)), Cell("A1"): "red"}
    effects = table.lie(far, 60.0)
    assert of_type(effects, Buzz) == [Buzz(Signal.REFUSED)]
    assert of_type(effects, SavePicture) == [SavePicture(Picture.REFUSED)]
    assert lamp_of(table, effects, 0) is Rhythm.WRONG
    assert narrowed(table.state.verdict, Refused).cells == ("A1",)
    assert "A1" in [difference.cell for difference in table.state.out_of_step]
    assert not table.entries


@pytest.mark.parametrize("cheat", CHEATS)
def test_after_every_cheat_putting_things_right_goes_on_with_the_game(cheat: str) -> None:
    rng = random.Random(3)
    positions = (then for *_, then in turns(rng, ("red", "blue", "green", "yellow"), 200))
    tried = ((p, cheated("royal-tee", cheat, p, random_walk(p, rng), rng)) for p in positions)
    position, labels = next((position, labels) for position, labels in tried if labels)
    table = SteppedTable(position)
    table.lie({**labels}, LONG)
    assert not table.entries
    table.lie(look_of(position), LONG)
    assert isinstance(table.state.verdict, Unchanged)
    action = random_walk(position, rng)
    table.lie(look_of(after(position, action)), SHORT)
    assert table.position == after(position, action)


def test_done_asks_for_a_verdict_now(table: SteppedTable) -> None:
    far = {**look_of(after(table.start, FIRST)), Cell("A1"): "red"}
    table.lie(far, 0.6)
    effects = table.press(Button.DONE)
    assert isinstance(table.state.verdict, Refused)
    assert [type(e) for e in effects if isinstance(e, StartTimer | StopTimer)] == [StartTimer, StopTimer]


def test_done_with_nothing_moved_says_so(table: SteppedTable) -> None:
    table.lie(look_of(table.start), 1.0)
    effects = table.press(Button.DONE)
    assert isinstance(table.state.verdict, Unchanged)
    assert Buzz(Signal.UNSURE) in effects


def test_done_without_a_view_gets_an_answer_in_time(table: SteppedTable) -> None:
    effects = table.press(Button.DONE)
    assert [timer.name for timer in of_type(effects, StartTimer)] == [ANSWER]
    effects = table.take(TimerFired(ANSWER, 5 * 10**9))
    assert isinstance(table.state.verdict, Unclear)
    assert Buzz(Signal.UNSURE) in effects
    assert table.take(TimerFired(ANSWER, 6 * 10**9)) == []


def judged_otherwise(table: SteppedTable) -> list[Effect]:
    """Choose in a pause when moves are judged, and go on."""
    table.press(Button.MODE, held=True)
    offered = {choice.code for choice in alternatives(table.state)}
    effects = table.choose(JUDGE_ON_DONE if JUDGE_ON_DONE in offered else JUDGE_BY_ITSELF)
    table.choose(CONTINUE)
    return effects


def test_in_the_other_mode_only_done_asks_for_a_verdict(table: SteppedTable) -> None:
    assert WriteEntry(ModeSet(Mode.ON_DONE)) in judged_otherwise(table)
    then = after(table.position, FIRST)
    table.lie(look_of(then), 30.0)
    assert table.position == table.start
    table.press(Button.DONE)
    assert table.position == then
    assert WriteEntry(ModeSet(Mode.AUTOMATIC)) in judged_otherwise(table)


def test_back_takes_the_last_action_back_and_does_not_accept_it_again(table: SteppedTable) -> None:
    played(table)
    lies = look_of(table.position)
    assert WriteEntry(Undone()) in table.press(Button.BACK)
    table.lie(lies, 30.0)
    assert table.position == table.start
    assert isinstance(table.state.verdict, TookBack)
    assert {(todo.cell, todo.expected) for todo in table.state.verdict.todo} == {("E12", "empty"), ("F12", "red-royal")}
    table.lie(look_of(table.start), SHORT)
    assert WriteEntry(Played({"walk": ["E12"]})) in table.lie(lies, SHORT)


def test_a_held_key_or_a_bouncing_button_takes_one_action_back_and_a_hold_plays_it_again(table: SteppedTable) -> None:
    for number, space in enumerate(("E12", "G2"), 1):
        table.take(ActionEntered(act(TEE, walk=[space]), number))
    table.entries.clear()
    for repeat in range(100):
        table.take(ButtonPressed(Button.BACK, 10**9 + repeat * REPEAT_NS))
    assert [type(entry) for entry in table.entries] == [Undone]
    for number in (1, 2):
        table.take(ButtonPressed(Button.BACK, number * 10**10, held=True))
    assert [type(entry) for entry in table.entries] == [Undone, Redone], "the second hold has nothing to play again"
    for number in (3, 4):
        table.take(ButtonPressed(Button.BACK, number * 10**10))
    assert table.position == table.start


@pytest.mark.parametrize("seen_before", [True, False], ids=["seen", "at once"])
def test_a_move_that_is_put_back_and_made_again_within_a_second_is_accepted(
    table: SteppedTable, *, seen_before: bool
) -> None:
    played(table)
    lies = look_of(table.position)
    table.lie(lies, 1.0 if seen_before else 0.0)
    table.press(Button.BACK)
    table.lie(lies, 0.0 if seen_before else 1.0)
    lifted = {**lies, Cell("F12"): "empty"}
    table.frame(lifted, still=False, hidden=("E12",))
    table.frame(look_of(table.start), still=False, hidden=("E12",))
    assert WriteEntry(Played({"walk": ["E12"]})) in table.lie(lies, SHORT)


def test_a_piece_that_is_misread_in_one_frame_does_not_bring_back_what_was_taken_back(table: SteppedTable) -> None:
    played(table)
    lies = look_of(table.position)
    table.lie(lies, 1.0)
    table.press(Button.BACK)
    table.frame({**lies, Cell("F12"): "red-royal"}, still=False)
    table.lie(lies, 10.0)
    assert table.position == table.start


def test_done_accepts_what_was_taken_back_by_mistake(table: SteppedTable) -> None:
    played(table)
    lies, then = look_of(table.position), table.position
    table.press(Button.BACK)
    table.lie(lies, 1.0)
    table.press(Button.DONE)
    assert table.position == then


def test_back_at_the_beginning_does_nothing(table: SteppedTable) -> None:
    assert table.press(Button.BACK) == []


def test_putting_the_pieces_back_takes_the_action_back_without_a_button(table: SteppedTable) -> None:
    played(table)
    effects = table.lie(look_of(table.start), SHORT)
    assert WriteEntry(Undone()) in effects
    assert table.position == table.start
    assert table.state.verdict == TookBack(table.state.players[0], action=act(TEE, walk=["E12"]))


@pytest.mark.parametrize("wrong", [{}, {Cell("A1"): "red"}], ids=["", "beside something wrong"])
def test_bonus_tees_are_left_to_do_until_they_are_seen(wrong: Mapping[Cell, str]) -> None:
    table = SteppedTable(ABOUT_TO_ENCLOSE)
    then = after(table.position, Walk((Cell("F10"),)))
    bare = {**look_of(then), Cell("F11"): "empty", Cell("F12"): "empty"}
    effects = table.lie(bare, SHORT)
    assert [todo.cell for todo in table.state.progress.left_open] == ["F11", "F12"]
    assert lamp_of(table, effects, 0) is Rhythm.TODO
    table.lie(bare, LONG)
    assert isinstance(table.state.verdict, Confirmed)
    effects = table.lie({**look_of(then), **wrong}, LONG)
    assert WriteEntry(Put((Cell("F11"), Cell("F12")))) in effects
    assert lamp_of(table, effects, 0) is Rhythm.OFF
    assert isinstance(table.state.verdict, Refused if wrong else Confirmed)
    assert not table.state.progress.left_open


@pytest.mark.parametrize(("waited_ns", "walks"), [(FRAME_NS, 1), (4 * FRAME_NS, 2)])
def test_impatient_presses_of_done_walk_nobody_there_and_back(waited_ns: int, walks: int) -> None:
    """The next player could walk so that nothing changes on the table, but has not read yet that it is their turn."""
    claimed: Json = {"red": ["F11", "F12"], "green": ["G1", "G2"]}
    royals: Json = {"red": "F12", "green": "G1"}
    players: Json = ["red", "green"]
    lies: Json = {"players": players, "turn": "red", "slider": 2, "royals": royals, "claimed": claimed, "over": False}
    table = SteppedTable(TEE_GAME.position_from_json(lies))
    table.lie(look_of(table.start), SHORT)
    moved = look_of(after(table.start, Walk((Cell("F11"), Cell("F10")))))
    while not isinstance(table.state.verdict, Confirmed):
        table.lie(moved, FRAME_NS / 1e9)
        table.take(ButtonPressed(Button.DONE, table.at_ns))
    for _press in range(3):
        table.at_ns += waited_ns - FRAME_NS
        table.lie(moved, FRAME_NS / 1e9)
        table.take(ButtonPressed(Button.DONE, table.at_ns))
    table.lie(moved, SHORT)
    assert [isinstance(entry, Played) for entry in table.entries].count(True) == walks


@pytest.mark.parametrize(("seen", "doubted"), [("empty", False), ("green", True)])
def test_what_most_probably_looks_as_the_game_has_it_is_not_doubted_on_a_table_that_agrees(
    table: SteppedTable, seen: str, *, doubted: bool
) -> None:
    for _frame in range(10):
        observed = observe(look_of(table.start), table.rng, EASY)
        row, p = observed.cells.index("C5"), observed.p.copy()
        p[row] = 1e-4
        p[row, [observed.labels.index(seen), observed.labels.index("green-royal")]] = 0.54, 0.45
        table.at_ns += FRAME_NS
        table.take(FrameRead(replace(observed, p=p / p.sum(axis=1, keepdims=True)), True, table.at_ns))
    assert table.state.position == table.start
    assert table.state.doubt == (("C5",) if doubted else ())


def test_hands_are_waited_for_but_not_for_ever(table: SteppedTable) -> None:
    then = look_of(after(table.start, FIRST))
    table.lie(then, ASK_S - 0.4, hidden=("A1", "A2"))
    assert table.state.waiting == Waiting("moving")
    table.lie(then, PATIENCE_S - ASK_S - 0.2, hidden=("A1", "A2"))
    assert table.state.waiting is not None
    assert (table.state.waiting.code, table.state.waiting.cells) == ("hand", ("A1", "A2"))
    table.lie(then, 2.0, hidden=("A1", "A2"))
    assert isinstance(table.state.verdict, Confirmed)
    assert {"A1", "A2"} <= set(table.state.doubt)


def test_cells_that_flicker_between_seen_and_hidden_do_not_keep_the_table_from_being_judged(
    table: SteppedTable,
) -> None:
    then = look_of(after(table.start, FIRST))
    for n in range(10):
        table.frame(then, hidden=("A1",) if n % 2 else ("A2",))
    assert isinstance(table.state.verdict, Confirmed)


def test_what_hidden_cells_decide_is_said_to_be_unclear(table: SteppedTable) -> None:
    labels = look_of(after(table.start, FIRST))
    effects = table.lie(labels, LONGEST, hidden=("E12", "F11", "G12", "F12"))
    assert isinstance(table.state.verdict, Unclear)
    assert Buzz(Signal.UNSURE) in effects
    assert lamp_of(table, effects, 0) is Rhythm.UNSURE
    assert WriteEntry(Played({"walk": ["E12"]})) in table.lie(labels, SHORT)


def test_blind_frames_are_reported_once_they_last_and_cost_nothing_but_time(table: SteppedTable) -> None:
    for at_s in (0.0, ASK_S - 0.1):
        table.take(FrameBlind(BlindReason.NO_COLOUR, round(at_s * 1e9)))
        assert table.state.waiting == Waiting("moving")
    table.take(FrameBlind(BlindReason.NO_COLOUR, round(ASK_S * 1e9)))
    assert table.state.waiting == Waiting("blind-no-colour")
    assert isinstance(played(table).state.verdict, Confirmed)


def test_missing_colours_are_reported_only_when_they_last_by_themselves(table: SteppedTable) -> None:
    covered, pale = BlindReason.NO_BOARD, BlindReason.NO_COLOUR
    for reason, at_s in ((covered, 0.0), (covered, ASK_S), (pale, ASK_S + 0.2), (pale, ASK_S + 0.4)):
        table.take(FrameBlind(reason, round(at_s * 1e9)))
    assert table.state.waiting == Waiting("blind-no-board")
    table.take(FrameBlind(BlindReason.NO_COLOUR, round((2 * ASK_S + 0.2) * 1e9)))
    assert table.state.waiting == Waiting("blind-no-colour")


def test_markers_that_do_not_fit_are_named(table: SteppedTable) -> None:
    for at_s in (0.0, ASK_S):
        table.take(FrameBlind(BlindReason.MARKERS, round(at_s * 1e9), {"misfit": "moved", "ids": "17"}))
    waiting = there(table.state.waiting)
    assert "17" in waiting_words(waiting)


def test_a_slider_that_is_set_by_hand_is_shown_and_changes_nothing_else(table: SteppedTable) -> None:
    before = table.state.progress
    effects = table.take(SliderMoved(7, 0))
    assert [effect.view.slider_by_hand for effect in of_type(effects, Show)] == [7]
    assert len(effects) == 1
    assert table.state.progress == before


def last_walk() -> tuple[Position, Position]:
    """A position in which red's next walk claims the last free space."""
    full = ALL_SPACES & ~(1 << 6) & ~(1 << 1)
    position = replace(new_game("red", "green"), royals=(0, 6), claimed=(full, 1 << 6))  # type: ignore[arg-type]
    return position, after(position, Walk((Cell("B1"),)))


def test_the_end_is_reported_once_with_a_picture_and_the_winners_lamps() -> None:
    position, then = last_walk()
    table = SteppedTable(position)
    effects = table.lie(look_of(then), SHORT)
    assert table.state.over
    assert SavePicture(Picture.FINAL) in effects
    assert Buzz(Signal.OVER) in effects
    assert effects.count(Buzz(Signal.OVER)) == 1
    assert lamp_of(table, effects, 0) is Rhythm.WON
    assert not of_type(table.lie(look_of(position), 10.0), WriteEntry)
