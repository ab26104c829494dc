"""The small display: every sentence of every game on 128 by 64 dots in six languages, and a bus that fails."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from companion.app.lobby import on_leaves
from companion.app.offers import OfferBook
from companion.app.panel_test import Trial, TrialState
from companion.cli import main
from companion.core.display import figures, lamps, view
from companion.core.lobby import Lobby, lobby_step
from companion.core.messages import DeviceFailed, DeviceReturned, Event
from companion.core.state import new_state
from companion.core.verdicts import Confirmed, Figures, Lit
from companion.games import GAMES
from companion.games.captions import count_words, dice_words, page_for
from companion.shell.effects import ShownView
from companion.shell.oled_display import LeafTurner, OledDisplay, lobby_leaves
from companion.ui.oled import HEIGHT_PX, LINES, WIDTH_PX, Leaf, draw, leaves, leaves_of
from companion.ui.page import ExtraDrawing, Page
from engines.kernel import Outcome, Seat
from hardware.errors import PanelError, PinMapError
from hardware.oled import Oled
from hardware.panel import Button
from hardware.pins import DEFAULT_PINS, Lamps, PinMap, SmallDisplay
from hardware.simulated import SimulatedPanel
from tests.companion.evening_table import EveningTable
from tests.companion.languages import spoken
from tests.contracts.pins import eventually
from vision.board import shipped_board


def page_of(table: EveningTable) -> Page:
    shown = view(table.state)
    remarks = (dice_words(shown), count_words(shown))
    return page_for(shown, table.game.board(), lamps=lamps(table.state), remarks=remarks)


def is_dark(picture: Image.Image, left: int, right: int) -> bool:
    """Return whether no dot is lit between two columns, below the heading."""
    return picture.crop((left, 14, right, HEIGHT_PX)).getbbox() is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_sentence_fits_whole_in_six_languages(game: str) -> None:
    table = EveningTable(game, 3)
    for step in range(8):
        for language in ("en", "de", "es", "fr", "it", "nl"):
            with spoken(language):
                page = page_of(table)
            shown = leaves_of(page, figures(table.state))
            text = "".join(line for leaf in shown for line in leaf.lines)
            for sentence in (page.message, page.turn, *page.notes, *page.extras.facts):
                assert "".join(sentence.split()) in "".join(text.split()), sentence
            for place, leaf in enumerate(shown):
                assert len(leaf.lines) <= LINES
                assert is_dark(draw(leaf, place, len(shown)), WIDTH_PX - 1, WIDTH_PX), leaf
        if step == 5:
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
        outcome = game.engine.play(position, action)
        assert isinstance(outcome, Outcome)
        position = outcome.position
        verdict = Confirmed(seat, action, 1.0, outcome.events)
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


def test_where_there_is_no_bus_the_display_says_where_it_is_wired() -> None:
    with pytest.raises(PanelError, match=r"0x3D.*GPIO2"):
        Oled(SmallDisplay("sh1106", address=0x3D))


def test_a_display_takes_the_pins_of_i2c_and_nobody_else_may() -> None:
    wired = PinMap(display=SmallDisplay())
    assert [(wire.name, wire.gpio) for wire in wired.wires()] == [("SDA", 2), ("SCL", 3)]
    with pytest.raises(PinMapError, match=r"GPIO2 is already used by display SDA"):
        PinMap(display=SmallDisplay(), lamps=Lamps((2,)))


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
def test_a_service_refuses_dice_on_a_panel_that_can_show_no_throw(
    game: str,
    wiring: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    hardware = tmp_path / "hardware.toml"
    hardware.write_text(wiring)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr("companion.cli.unattended.wait_until_mended", lambda *_args: False)
    monkeypatch.setattr("companion.shell.loop.Loop.run", lambda _loop: None)
    play = ["play", game, "--unattended", "--camera", "files:.", "--panel", "gpio", "--hardware", str(hardware)]
    monkeypatch.chdir(tmp_path)
    Image.new("RGB", (64, 48)).save("0.png")
    assert main(play) == code
    assert ("can show no throw" in capfd.readouterr().err) == (code == 2)


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
