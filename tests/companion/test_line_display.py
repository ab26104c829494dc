"""Typed play as lines: the board stays on the screen, lists are short, and the end says it all."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random
from textwrap import wrap
from types import SimpleNamespace
from typing import Any, Literal, cast
from unittest.mock import MagicMock

import pytest
from PIL import Image
from rich.console import RenderableType

from companion.app.evening import _front, run_session
from companion.app.line_display import ClockPrompt, LineDisplay, board_lines, ending_words, final_lines
from companion.app.lobby import on_leaves
from companion.app.offers import OfferBook
from companion.app.panel_test import Trial, TrialState
from companion.app.typed_commands import TypedCommands
from companion.core.choices import AFTER_THE_END, PAUSED
from companion.core.display import figures, lamps, view
from companion.core.display import view as view_of
from companion.core.lobby import Lobby, lobby_step
from companion.core.messages import ActionEntered, Began, ChoiceMade, DeviceFailed, DeviceReturned, Event, TakeBackAsked
from companion.core.state import new_state
from companion.core.step import step
from companion.core.verdicts import Confirmed, Figures, Lit, Refused, Waiting
from companion.core.view import View
from companion.games import GAMES
from companion.games.captions import count_words, dice_words, page_for
from companion.games.engines import ENGINES
from companion.games.speech import SPEECHES
from companion.locale import speaking
from companion.shell.effects import ShownView
from companion.shell.oled_display import LeafTurner, OledDisplay, lobby_leaves
from companion.shell.session import SessionTable, screen_display
from companion.ui.console import SafeConsole
from companion.ui.layout import in_columns
from companion.ui.oled import HEIGHT_PX, LINES, WIDTH_PX, Leaf, draw, leaves, leaves_of
from companion.ui.page import ExtraDrawing, Page
from engines.kernel import Cell, Level, Seat
from hardware.errors import PanelError
from hardware.oled import Oled
from hardware.panel import Button, ButtonPressed, LineTyped
from hardware.pins import DEFAULT_PINS, PinMap, SmallDisplay
from hardware.simulated import SimulatedPanel
from tests.companion.conftest import Told
from tests.companion.core.tables import act, begun
from tests.companion.evening_table import EveningTable
from tests.companion.languages import LANGUAGES
from tests.companion.shell.clocks import ManualClock
from tests.contracts.pins import eventually
from tests.evaluate.advisers import SEATS
from tests.narrow import there
from vision.board import shipped_board

SMALL = os.terminal_size((80, 24))
Replied = Callable[[View, str], str]


@pytest.fixture
def commands() -> Iterator[TypedCommands]:
    """What people type on in a game."""
    opened = TypedCommands(lambda _table: nullcontext(LineDisplay()), now_ns=ManualClock().now_ns)
    with opened.display(cast("SessionTable", None)):
        yield opened


@pytest.fixture
def replied(commands: TypedCommands, capsys: pytest.CaptureFixture[str]) -> Replied:
    """Type a line by which nothing happens; return what is answered."""

    def typed(view: View, line: str) -> str:
        assert commands.interpret(view, LineTyped(line)) == ()
        return capsys.readouterr().out

    return typed


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", SEATS)
def test_the_board_and_the_points_are_on_a_small_screen_after_every_action(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine, random, display, written = ENGINES[game], Random(4), LineDisplay(SMALL), ""
    state = begun(game)
    for number in range(30):
        if number and not state.over:
            position, legal = state.position, engine.game.actions(state.position)[:12]
            action = random.choice(legal) if legal else engine.turns.dice.throw(position, random)
            state, _effects = step(state, ActionEntered(action, number * 10**9))
        view = view_of(state)
        display.show(ShownView(view))
        written += capsys.readouterr().out
        screen = written.split("\n")[-SMALL.lines :]
        assert any(line.startswith("   A ") for line in screen), written[-2000:]
        assert all(str(points) in "\n".join(screen) for points in view.score.values())


def test_what_was_answered_in_between_moves_the_board_up(capsys: pytest.CaptureFixture[str]) -> None:
    state = begun("royal-ur")
    display = LineDisplay(SMALL)
    display.show(ShownView(view_of(state)))
    for _line in range(20):
        display.typed(LineTyped(""), view_of(state))
    capsys.readouterr()
    thrown, _effects = step(state, ActionEntered(act(GAMES["royal-ur"], roll=2), 10**9))
    display.show(ShownView(view_of(thrown)))
    assert "   A   B" in capsys.readouterr().out


def test_the_time_that_is_left_stands_beside_the_question_and_is_written_again_near_its_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = ENGINES["royal-study"]
    position = engine.game.new([Seat("anna"), Seat("ben")], engine.turns.options, 4)
    state, _effects = step(new_state(GAMES["royal-study"], position, sees=False), Began(0))
    called, _effects = step(state, ActionEntered(act(GAMES["royal-study"], call=7, by="anna"), 0))
    for width, between in ((SMALL.columns, " · "), (60, "\n")):
        display = LineDisplay(os.terminal_size((width, SMALL.lines)))
        display.show(ShownView(view_of(state)))
        assert "Clock" not in capsys.readouterr().out
        display.show(ShownView(view_of(called)))
        assert f"Challenge or not?{between}Clock 1:00\n" in capsys.readouterr().out
    for second in range(1, 60):
        display.show(ShownView(view_of(replace(called, now_ns=second * 10**9))))
    assert capsys.readouterr().out.split("\n") == ["Clock 0:30", "Clock 0:20", "Clock 0:10", "Clock 0:05", ""]
    display.answer("Card 5")
    assert capsys.readouterr().out == "Card 5\nClock 0:01\n"


def test_a_running_clock_is_rewritten_before_what_is_being_typed_and_stays_behind_when_others_write() -> None:
    written: list[str] = []
    clock = ClockPrompt(live=True, write=written.append)
    for second in (10, 10, 9):
        clock.show(second)
    assert "".join(written) == "Clock 0:10 > \x1b7\rClock 0:09 > \x1b8"
    assert (clock.leave(), clock.leave()) == (1, 0)
    clock.show(8)
    clock.typed()
    assert "".join(written[2:]) == "\nClock 0:08 > \r\x1b[K"
    clock.show(None)
    ClockPrompt(live=False, write=written.append).show(5)
    assert len(written) == 5


def test_a_map_of_its_own_is_drawn_and_nothing_where_no_piece_is_placed_yet() -> None:
    territory, study = ENGINES["territory"], ENGINES["royal-study"]
    other = territory.game.new([*map(Seat, SEATS["territory"])], {"map": "nine-by-eight"}, 4)
    [table] = board_lines("territory", other)
    assert str(table).splitlines()[1].split() == ["1", "7", "11", "8", "6", "11", "5", "9", "3", "7"]
    other_table: Any = {"grid": {"columns": 2, "rows": 2, "numbers": [[2, 3], [4, 5]]}}
    other_table["seat"] = [{"colour": colour} for colour in ("orange", "pink", "red")]
    begun = territory.game.new(
        [Seat("orange"), Seat("pink"), Seat("red")], {"table": other_table, "roll_off": False}, 4
    )
    held = {**territory.game.position_to_json(begun), "owners": {"A1": "orange", "B2": "red"}}
    [drawn] = board_lines("territory", territory.game.position_from_json(held))
    assert str(drawn).split() == ["A", "B", "1", "o2", "3", "2", "4", "r5"]
    assert board_lines("royal-study", study.game.new([Seat("anna"), Seat("ben")], {"deck": "table"}, 4)) == []


def test_the_page_beside_a_camera_names_what_is_taken_back() -> None:
    thrown, _effects = step(begun("royal-ur"), ActionEntered(act(GAMES["royal-ur"], roll=2), 10**9))
    back, _effects = step(thrown, TakeBackAsked(2 * 10**9))
    page = page_for(view_of(back), GAMES["royal-ur"].board(), lamps={})
    assert page.message.startswith("Taken back: White threw 2 dots")


def test_the_adviser_promises_no_growth_where_the_best_group_stays_as_it_is() -> None:
    engine = ENGINES["territory"]
    position = engine.game.new([*map(Seat, SEATS["territory"])], {}, 3)
    for text in ("roll 3 4", "place H4", "roll 3 4"):
        position = engine.game.after(position, engine.notation.read_action(text)).position
    advice = there(engine.advise(position, level=Level.STRONG))
    assert "makes your best group bigger now" in SPEECHES["territory"].hint(position, advice, {})


def test_a_game_that_is_interrupted_says_how_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    runner, loop = SimpleNamespace(view=view_of(begun("royal-ur"))), SimpleNamespace(run=interrupted)
    session: Any = SimpleNamespace(loop=loop, runner=runner, resumable=True)
    with pytest.raises(KeyboardInterrupt):
        run_session(session, sees=False)
    assert "--resume goes on with it." in capsys.readouterr().out


def test_long_lists_stand_in_columns_and_short_ones_do_not() -> None:
    numbered = [f"{number}: walk A{number}" for number in range(1, 13)]
    assert in_columns(numbered[:4], 80) == numbered[:4]
    rows = in_columns(numbered, 60)
    assert len(rows) == 3
    assert max(map(len, rows)) <= 60
    flowing = in_columns([*numbered, "13: a walk that leaves no room for two columns"], 60)
    assert flowing[0].startswith("1: walk A1   2: walk A2")
    assert max(map(len, flowing)) <= 60


def test_the_end_has_the_wins_of_the_evening_and_every_answer_what_can_be_chosen(replied: Replied) -> None:
    playing = view_of(begun("royal-ur"))
    tally = {Seat("white"): 2, Seat("black"): 0}
    view = replace(playing, over=True, choices=AFTER_THE_END, leaders=(Seat("white"),), tally=tally)
    assert "   A   B" in "\n".join(map(str, final_lines(view)))
    assert "Games won this evening: White 2" in "\n".join(ending_words(view, resumable=False))
    for typed in ("?", "hello", "hint", "score", "white", "A1"):
        said = replied(view, typed)
        assert "1: play again" in said
        assert said.count("Games won this evening") == 1


def test_a_pause_is_said_once_with_what_can_be_chosen(replied: Replied) -> None:
    view = replace(view_of(begun("territory")), paused=True, choices=PAUSED)
    for typed in ("?", "hint", "possible"):
        said = replied(view, typed)
        assert said.count("The game is paused.") == 1
        assert "Type" not in said
        assert "1: go on playing" in said


@pytest.mark.parametrize(("game", "cards"), [("royal-ur", False), ("territory", True)])
def test_help_has_cards_where_the_game_has_and_the_language_always(game: str, cards: bool, replied: Replied) -> None:
    for typed in ("?", "help all"):
        said = replied(view_of(begun(game)), typed)
        assert ("card" in said) == cards
        assert "language de" in said
    assert ("the cards in force" in said) == cards


@pytest.mark.parametrize("game", SEATS)
def test_help_leaves_room_for_the_board(game: str, replied: Replied) -> None:
    view = view_of(begun(game))
    helped = sum(len(wrap(line, SMALL.columns)) for line in replied(view, "help").split("\n"))
    board = sum(str(part).count("\n") + 1 for part in board_lines(game, view.position))
    assert helped + board < SMALL.lines


def test_a_game_is_left_for_another_one_when_people_say_so(commands: TypedCommands, replied: Replied) -> None:
    view = view_of(begun("royal-tee"))
    assert "it is kept" in replied(view, "games")
    paused, saved = commands.interpret(view, LineTyped("yes"))
    assert isinstance(paused, ButtonPressed)
    assert isinstance(saved, ChoiceMade)
    assert commands.wish == "new", "as after the end: the list of games"


# ---- the lines beside a camera, for pipes and screen readers: nothing is repeated that has not changed


ENGINE = ENGINES["royal-ur"]
OPENING = ENGINE.game.new([Seat("white"), Seat("black")], ENGINE.turns.options, 4)
THROWN = OPENING
for roll in ("roll 2", "roll 1", "roll 3"):
    THROWN = ENGINE.game.after(THROWN, ENGINE.notation.read_action(roll)).position
VIEW = replace(view_of(new_state(GAMES["royal-ur"], OPENING)), waiting=None)
OTHER = replace(view_of(new_state(GAMES["royal-ur"], THROWN)), waiting=None)
MOVES = Waiting("moving")
DOUBT = "I can't see E3 well. Straighten what stands there, and take your hands away."


def doubtful(view: View) -> View:
    return replace(view, doubt=(Cell("E3"),))


def refused(view: View) -> View:
    return replace(view, verdict=Refused("not-as-asked", "", (Cell("E3"),)))


def written(*views: View, draws: bool = False) -> list[str]:
    lines: list[str] = []

    def say(*parts: RenderableType) -> int:
        lines.extend(line for part in parts for line in str(part).splitlines())
        return len(parts)

    display = LineDisplay(draws=draws, say=say)
    for seen in views:
        display.show(ShownView(seen))
    return lines


def test_a_doubt_that_comes_and_goes_is_written_once_a_turn() -> None:
    looks = [VIEW, doubtful(VIEW), replace(VIEW), doubtful(VIEW), replace(VIEW)]
    assert written(*looks).count(DOUBT) == 1
    assert written(*looks, OTHER, doubtful(OTHER)).count(DOUBT) == 2
    assert written(doubtful(VIEW), doubtful(OTHER)).count(DOUBT) == 1, "it has not gone in between"


def test_a_refusal_is_written_again_only_after_hands_were_over_the_table() -> None:
    untouched = written(refused(VIEW), replace(VIEW), refused(VIEW))
    touched = written(refused(VIEW), replace(VIEW), replace(VIEW, waiting=MOVES), refused(VIEW))
    numbers = [sum("another move than" in line for line in lines) for lines in (untouched, touched)]
    assert numbers == [1, 2]


def test_points_and_turn_are_written_when_they_change() -> None:
    scored = replace(VIEW, score={Seat("white"): 1, Seat("black"): 0})
    lines = written(VIEW, replace(VIEW), scored)
    assert [line[:9] for line in lines if "Black" in line] == ["w White 0", "w White 1"]
    assert sum("throw the three dice" in line for line in lines) == 1


def test_the_clock_is_written_with_a_new_turn_and_near_its_end_even_where_a_second_was_missed() -> None:
    left = [replace(VIEW, remaining_s=seconds) for seconds in (60, 59, 31, 29, 28, 10, 9)]
    lines = written(VIEW, *left, replace(OTHER, remaining_s=9))
    assert [line[-10:] for line in lines if "Clock" in line] == ["Clock 0:29", "Clock 0:10", "Clock 0:09"]


@pytest.mark.parametrize("draws", [True, False])
def test_the_board_and_what_is_possible_stand_with_each_new_turn_on_a_terminal(draws: bool) -> None:
    moved = replace(OTHER, board={**OTHER.board, Cell("E3"): "white"}, choices=(), shown=None, buttons={})
    seen = [VIEW, replace(VIEW, board=moved.board), moved]
    lines = written(*seen, draws=draws)
    assert sum(line.startswith("   A ") for line in lines) == 2 * draws
    assert any(line.startswith("1: ") for line in lines) == draws


@pytest.mark.parametrize(
    ("terminal", "term", "plain", "full"),
    [
        (True, "xterm", False, True),
        (True, "xterm", True, False),
        (True, "dumb", False, False),
        (False, "", False, False),
    ],
)
def test_a_terminal_that_can_be_redrawn_has_the_screen_and_others_lines(
    terminal: bool, term: str, plain: bool, full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    devices = SimpleNamespace(sees=True)
    plan: Any = SimpleNamespace(voice=None, plain=plain, devices=devices, clock=ManualClock())
    opened: Any = _front(plan, SafeConsole(terminal=terminal), None)._open_writer
    assert (opened.func is screen_display) == full


# ---- the small display: every sentence of every game on 128 by 64 dots in six languages, and a bus that fails


def is_dark(picture: Image.Image, left: int, right: int) -> bool:
    """Return whether no dot is lit between two columns, below the heading."""
    return picture.crop((left, 14, right, HEIGHT_PX)).getbbox() is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_sentence_fits_whole_in_six_languages(game: str) -> None:
    table = EveningTable(game, 3)
    for turn in range(8):
        for language in LANGUAGES:
            with speaking(language):
                viewed = view(table.state)
                remarks = (dice_words(viewed), count_words(viewed))
                page = page_for(viewed, table.game.board(), lamps=lamps(table.state), remarks=remarks)
            shown = leaves_of(page, figures(table.state))
            text = "".join(line for leaf in shown for line in leaf.lines)
            for sentence in (page.message, page.turn, *page.notes, *page.extras.facts):
                assert "".join(sentence.split()) in "".join(text.split()), sentence
            for place, leaf in enumerate(shown):
                assert len(leaf.lines) <= LINES
                assert is_dark(draw(leaf, place, len(shown)), WIDTH_PX - 1, WIDTH_PX), leaf
        if turn == 5:
            table.press(Button.MODE)
        else:
            table.goes_forward()


def test_a_throw_stands_in_large_figures_beside_the_text_and_a_choices_place_does_not() -> None:
    page = Page(banner="Red", message="Red throws. " * 20, turn="Move.")
    thrown, chosen = leaves_of(page, Figures((3, 5), None, 1)), leaves_of(page, Figures((2,), choice=True))
    assert (thrown[0].number, chosen[0].number) == ("3+5", "")
    assert not is_dark(draw(thrown[0]), 100, WIDTH_PX)
    alone = draw(Leaf("Red", number="8"))
    assert is_dark(alone, 0, 90)


def test_a_throw_that_follows_at_once_leaves_the_sentence_of_the_move() -> None:
    game, texts = GAMES["royal-ur"], list[str]()
    kept = SimpleNamespace(show=lambda shown: texts.append(" ".join(line for leaf in shown for line in leaf.lines)))
    display = OledDisplay(kept, game.board())
    position: Any = game.engine.new([Seat("white"), Seat("black")], {}, 1)
    dice = game.turns.dice
    for number, seat in ((3, None), (None, Seat("white")), (1, None)):
        action = game.engine.actions(position)[0] if number is None else dice.counted(position, (number,))
        outcome = game.engine.after(position, action)
        position = outcome.position
        verdict = Confirmed(seat, action, outcome.events)
        display.show(ShownView(replace(view(new_state(game, position)), verdict=verdict), Lit()))
    moved = texts[1].partition(".")[0]
    assert moved.startswith("White")
    assert moved not in texts[0]
    assert moved in texts[2]


def test_a_card_is_drawn_cell_by_cell() -> None:
    card = ExtraDrawing("Card", ("┌─────┐", "│ · K │", "│ T Q │", "└─────┘"))
    rows = [leaf.rows for leaf in leaves("Red", [["Turn."]], drawings=[card])]
    assert rows == [(), ("·K", "TQ")]


def test_a_word_that_is_wider_than_the_display_is_broken() -> None:
    (leaf, *_more) = leaves("A heading that is much too long for any small display", [["W" * 60]])
    assert "".join(leaf.lines) == "W" * 60
    assert is_dark(draw(leaf), WIDTH_PX - 1, WIDTH_PX)


class Dots(Oled):
    """A display that may fail."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []
        self.fails = self.closed = False

    def show(self, image: Image.Image) -> None:
        if self.fails:
            message = "nothing answers"
            raise PanelError(message)
        self.pictures.append(image.tobytes())

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def dots() -> Iterator[Dots]:
    yield Dots()
    assert not any(thread.name == "display" for thread in threading.enumerate())


def test_leaves_follow_one_another_and_begin_again_with_other_text(dots: Dots) -> None:
    turner = LeafTurner(lambda: dots, lambda _event: None, leaf_s=0.01)
    pair = (Leaf("Red", lines=("one",)), Leaf("Red", lines=("two",)))
    turner.show(pair)
    assert eventually(lambda: len(set(dots.pictures)) == 2)
    turner.show((Leaf("Blue"),))
    assert eventually(lambda: dots.pictures[-1] == draw(Leaf("Blue")).tobytes())
    turner.close()
    assert dots.closed


def test_a_bus_that_fails_is_reported_once_and_is_opened_again(dots: Dots) -> None:
    events: list[Event] = []
    dots.fails = True
    turner = LeafTurner(lambda: dots, events.append, leaf_s=0.01)
    turner.show((Leaf("Red"),))
    assert eventually(lambda: events == [DeviceFailed("display", "nothing answers")])
    dots.fails = False
    assert eventually(lambda: events[1:] == [DeviceReturned("display")])
    turner.close()


def test_a_display_in_memory_shows_what_it_is_given() -> None:
    oled = Oled(SmallDisplay(), simulated=True)
    picture = draw(Leaf("Red", lines=("Your turn.",)))
    oled.show(picture)
    assert oled.image.convert("1").tobytes() == picture.tobytes()
    oled.close()


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma.oled calls it
@pytest.mark.parametrize("kind", ["ssd1306", "sh1106", "ssd1309"])
def test_a_display_that_is_mounted_upside_down_turns_its_picture(
    kind: Literal["ssd1306", "sh1106", "ssd1309"], monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = MagicMock()
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr("luma.core.interface.serial.i2c", lambda **_wiring: bus)
    picture = draw(Leaf("Red", lines=("Your turn.",)))

    def sent(*, upside_down: bool, shown: Image.Image) -> list[object]:
        oled = Oled(SmallDisplay(kind, upside_down=upside_down))
        bus.reset_mock()
        oled.show(shown)
        return [call.args for call in bus.data.call_args_list]

    turned = sent(upside_down=True, shown=picture)
    assert turned == sent(upside_down=False, shown=picture.rotate(180))
    assert turned != sent(upside_down=False, shown=picture)


def test_where_there_is_no_bus_the_display_says_where_it_is_wired() -> None:
    with pytest.raises(PanelError, match=r"0x3D.*GPIO2"):
        Oled(SmallDisplay("sh1106", address=0x3D))


def test_the_panels_test_walks_through_the_display() -> None:
    pins = PinMap(buttons=DEFAULT_PINS.buttons, display=SmallDisplay())
    with SimulatedPanel(lambda _event: None, Random(1), pins=pins) as panel:
        trial = Trial(panel, pins, queue.SimpleQueue(), panel.press, quiet=True, limit_s=0.1, wait=lambda _s: None)
        (result,) = trial.of("display")
    assert result.state is TrialState.SHOWN


@pytest.mark.parametrize(
    ("game", "wiring", "code"),
    [
        ("royal-ur", "[buttons]\nroll = 17\ndone = 27\nback = 22\nmode = 23\n", 2),
        ("royal-study", "[buttons]\nroll = 17\ndone = 27\nback = 22\nmode = 23\n", 0),
        ("royal-ur", "[buttons]\ndone = 27\n[buzzer]\npin = 12\n", 0),
        ("royal-ur", "[buttons]\ndone = 27\n[display]\n", 0),
    ],
)
@pytest.mark.usefixtures("state")
def test_a_service_refuses_dice_on_a_panel_that_can_show_no_throw(
    game: str, wiring: str, code: int, recording: Path, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    hardware = recording / "hardware.toml"
    hardware.write_text(wiring)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr("companion.cli.unattended.wait_until_mended", lambda *_args: False)
    monkeypatch.setattr("companion.shell.loop.Loop.run", lambda _loop: None)
    play = ["play", game, "--unattended", "--camera", f"files:{recording}", "--panel", "gpio", "--hardware", hardware]
    assert ("can show no throw" in told(*play, code=code)) == (code == 2)


def test_the_lobby_has_what_the_buttons_do_on_its_first_leaf() -> None:
    first, *_more = lobby_leaves(["On the table: Royal Ur.", "> 1  new game", "DONE: begin   ROLL: choose"])
    assert (first.heading, first.lines) == ("On the table: Royal Ur.", ("DONE: begin", "ROLL: choose", "> 1 new game"))
    assert lobby_leaves(["Looking for a table ..."])[0].heading == "Looking for a table ..."
    assert lobby_leaves([])[0].heading == ""


def test_the_lobby_says_on_the_display_where_the_page_is() -> None:
    shown: list[Sequence[Leaf]] = []
    display: Any = SimpleNamespace(show=shown.append)
    watch = on_leaves(lambda _report: nullcontext(display), lambda: "the page: 123456")
    book = OfferBook([], {})
    with watch(lambda _act: None, None) as show:
        show(Lobby(book.can_begin))
        show(lobby_step(Lobby(book.can_begin), book.offers(shipped_board("royal-ur"), {})))
    for first, *others in shown:
        assert "123456" in " ".join(line for leaf in (first, *others) for line in leaf.lines) and first.heading
