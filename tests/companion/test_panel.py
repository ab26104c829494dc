"""`companion panel`: the wiring printed and drawn, every part tried in words."""

from __future__ import annotations

import io
import queue
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Literal
from xml.etree import ElementTree as Xml

import pytest

from companion.app.panel_test import Trial, TrialResult, TrialState, result_lines
from companion.cli.arguments import PARTS
from companion.games.kit import Drawing, Item, KitLine, Polygon, Words
from companion.printing.wiring import breadboard_drawing, schematic_drawing
from companion.shell.config_files import HARDWARE_FILE
from companion.shell.config_places import shipped_example
from companion.ui.console import SafeConsole
from companion.ui.wiring import header_text
from hardware.errors import PanelError
from hardware.panel import Button, ButtonPressed, PanelInput, SliderMoved
from hardware.pins import DEFAULT_PINS, HEADER, Buttons, Digits, Encoder, Lamps, PinMap, SmallDisplay
from hardware.simulated import SimulatedPanel
from tests.companion.conftest import Answered, Told

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a hardware.toml of the user who runs the tests."""
    monkeypatch.setattr("companion.shell.config_places.config_places", lambda *_any: iter(()))


def tried(
    pins: PinMap, *parts: str, heard: list[PanelInput] | None = None, answers: str | None = None, broken: bool = False
) -> Iterator[TrialResult]:
    """Try parts of a simulated panel; `heard` is what the players then touch, None: the panel's own finger does."""
    inbox: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()

    def later(_seconds: float) -> None:
        if broken:
            message = "the panel has gone"
            raise PanelError(message)

    with SimulatedPanel(inbox.put, Random(1), pins=pins, holds=set(Button)) as panel:

        def touch(_button: Button) -> None:
            for event in heard or ():
                inbox.put(event)

        finger = panel.press if heard is None else touch
        trial = Trial(panel, pins, inbox, finger, quiet=answers is None, limit_s=0.2, wait=later)
        for part in parts:
            yield from trial.of(part)


def test_on_simulated_pins_every_part_of_the_default_wiring_is_shown_and_every_button_works() -> None:
    results = {result.name: result.state for result in tried(DEFAULT_PINS, *PARTS)}
    buttons = {f"button {button}" for button in Button}
    assert {name for name, state in results.items() if state is TrialState.WORKS} == buttons
    assert {name for name, state in results.items() if state is TrialState.ABSENT} == {"digits", "slider", "display"}
    assert TrialState.FAILED not in results.values()


def test_a_panel_without_parts_has_nothing_that_fails() -> None:
    assert {result.state for result in tried(PinMap(), *PARTS)} == {TrialState.ABSENT}


def test_answers_decide_what_works(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nn\nNo\n"))
    states = [result.state for result in tried(PinMap(lamps=Lamps((5, 6, 12))), "lamps", answers="")]
    assert states == [TrialState.WORKS, TrialState.FAILED, TrialState.FAILED]
    assert "lamp 2 is lit: GPIO6, pin 31" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("heard", "state", "found"),
    [
        ([ButtonPressed(Button.ROLL, 1)], TrialState.WORKS, "pressed"),
        ([ButtonPressed(Button.ROLL, 1, held=True)], TrialState.WORKS, "held"),
        ([ButtonPressed(Button.BACK, 1)], TrialState.FAILED, "back was heard instead"),
        ([SliderMoved(3, 1), ButtonPressed(Button.ROLL, 1)], TrialState.WORKS, "pressed"),
        ([], TrialState.FAILED, "nothing was heard"),
    ],
)
def test_a_button_is_waited_for_and_reported_as_it_was_heard(
    heard: list[PanelInput], state: TrialState, found: str
) -> None:
    (result,) = tried(PinMap(buttons=Buttons(roll=17)), "buttons", heard=heard)
    assert (result.state, result.found) == (state, found)


@pytest.mark.parametrize(
    ("steps", "state", "found"),
    [
        ((1, 5, 9), TrialState.WORKS, "1, 5, 9"),
        ((2, 3), TrialState.FAILED, "2, 3"),
        ((), TrialState.FAILED, "nothing was heard"),
    ],
)
def test_a_slider_has_to_reach_both_its_ends(steps: tuple[int, ...], state: TrialState, found: str) -> None:
    inbox: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    pins = PinMap(encoder=Encoder(5, 6))
    for step in steps:
        inbox.put(SliderMoved(step, 1))
    with SimulatedPanel(inbox.put, Random(1), pins=pins) as panel:
        trial = Trial(panel, pins, inbox, None, quiet=True, limit_s=0.2)
        (result,) = trial.of("slider")
    assert (result.state, result.found) == (state, found)


@pytest.mark.parametrize("part", ["lamps", "bar", "buzzer"])
def test_a_part_that_fails_is_a_result_and_no_end(part: str) -> None:
    results = list(tried(DEFAULT_PINS, part, "buttons", broken=True))
    assert (results[0].state, results[0].found) == (TrialState.FAILED, "the panel has gone")
    assert len(results) == 1 + len(Button)


def test_two_digits_are_shown_with_all_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    digits = Digits((5, 6, 13, 19, 26, 20, 21), selects=(16, 17))
    assert [result.state for result in tried(PinMap(digits=digits), "digits")] == [TrialState.SHOWN]
    assert "digits: 99" in capsys.readouterr().out


@pytest.mark.parametrize("state", TrialState)
def test_every_state_has_a_mark_and_a_word(state: TrialState) -> None:
    (line,) = result_lines([TrialResult("buzzer", state, "so")])
    assert line.split()[0] in "+!-"
    assert "buzzer" in line


@pytest.mark.usefixtures("no_file")
def test_the_command_reports_by_its_exit_code_whether_all_works(told: Told) -> None:
    assert told("panel", "test", "--simulated", "--yes", "--parts", "buttons").count("works") == 4
    assert "! FAILED      lamp 1" in told("panel", "test", "--simulated", "--parts", "lamps", code=3, typed="n\n\n\n\n")


def test_the_example_can_be_written_and_read_again(tmp_path: Path, told: Told) -> None:
    file = tmp_path / "hardware.toml"
    file.write_text(told("panel", "example"), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == shipped_example(HARDWARE_FILE)
    told("panel", "wiring", "--hardware", file)


@pytest.mark.usefixtures("no_file")
def test_the_wiring_is_reported_as_a_table_and_drawn_as_text_and_picture(tmp_path: Path, told: Told) -> None:
    drawing = tmp_path / "wiring.svg"
    printed = told("panel", "wiring", "--svg", drawing)
    for wire in DEFAULT_PINS.wires():
        assert f"{wire} " in printed
    assert "Not in this wiring: digits, encoder, slide potentiometer, display." in printed
    assert "about 36 mA of the 50 mA" in printed
    texts = [text.text for text in Xml.parse(drawing).getroot().iter(f"{SVG}text")]  # noqa: S314 - our own
    assert {str(pin) for pin in range(1, 41)} <= set(texts)
    assert {str(wire) for wire in DEFAULT_PINS.wires()} <= set(texts)


def _drawn(drawing: Drawing) -> tuple[list[str], list[KitLine], Sequence[Item]]:
    """Return the texts of a drawing, its lines, and all its items."""
    items = drawing.items
    lines = [item for item in items if isinstance(item, KitLine)]
    return [item.text for item in items if isinstance(item, Words)], lines, items


@pytest.mark.parametrize(("active_high", "rail_mm"), [(True, 150.0), (False, 164.0)])
def test_the_schematic_draws_each_wire_through_its_resistor_to_the_rail_that_it_ends_at(
    active_high: bool, rail_mm: float
) -> None:
    pins = PinMap(buttons=Buttons(roll=17), lamps=Lamps((24, 25), active_high=active_high), display=SmallDisplay())
    texts, lines, items = _drawn(schematic_drawing(pins))
    assert {"GPIO17 (11)", "GPIO24 (18)", "GPIO2 (3)", "lamp 2", "display SDA"} <= set(texts)
    assert texts.count("470 Ω") == 2
    leds = [item.points for item in items if isinstance(item, Polygon)]
    assert len(leds) == 2
    tips = {points[2][0] - points[0][0] for points in leds}
    assert {tip > 0 for tip in tips} == {active_high}, "an LED points the way that the current goes"
    ends = [line.end[0] for line in lines if line.start[0] == 62.0]
    assert ends.count(rail_mm) == 2 + (active_high is True)
    own = [line.end[0] for line in lines if line.start[0] == 108]
    assert own == [164.0, 150.0], "the display's VCC and GND"


@pytest.mark.parametrize(("common", "kind", "rail_mm"), [("cathode", "NPN", 150.0), ("anode", "PNP", 164.0)])
def test_the_transistor_of_a_digit_is_drawn_with_its_emitter_at_its_rail(
    common: Literal["cathode", "anode"], kind: str, rail_mm: float
) -> None:
    pins = PinMap(digits=Digits((13, 19, 26, 21, 20, 16, 18), (15, 4), common=common))
    texts, lines, _items = _drawn(schematic_drawing(pins))
    assert (texts.count(kind), texts.count("C: digits 1"), texts.count("C: digits 2")) == (2, 1, 1)
    ends = [line.end[0] for line in lines if line.start[0] == 62.0]
    assert (ends.count(rail_mm), ends.count(118)) == (2, 7), "segments end at the digits"


@pytest.mark.parametrize(("active_high", "leg_mm"), [(True, 0.0), (False, 4.0)])
def test_the_breadboard_has_each_led_the_right_way_round_and_each_way_to_its_rail(
    active_high: bool, leg_mm: float
) -> None:
    lamps = Lamps((24, 25, 5, 6, 12, 13), active_high=active_high)
    pins = PinMap(buttons=Buttons(17, 27, 22, 23), lamps=lamps, display=SmallDisplay())
    texts, lines, items = _drawn(breadboard_drawing(pins))
    assert {str(wire) for wire in pins.wires()} | {"pin 18 · GPIO24", "SDA", "GND (6)"} <= set(texts)
    assert texts.count("470 Ω") == 6
    assert texts.count("GND (6)") == 2, "twelve wires take two boards"
    ways = [line.colour for line in lines if line.line_mm == 0.8]
    ground, high = (ways.count(colour) for colour in ((31, 95, 191), (192, 32, 31)))
    assert (ground, high) == ((11, 1) if active_high else (5, 7)), "the display needs both rails"
    resistors = [line.end[0] for line in lines if line.line_mm == 0.5]
    longs = [item.box[0] + item.box[2] / 2 for item in items if isinstance(item, Words) and item.text == "+"]
    assert longs == [x_mm + leg_mm for x_mm in resistors]


@pytest.mark.usefixtures("no_file")
def test_the_wiring_is_one_line_of_json(answered: Answered) -> None:
    answer = answered("panel", "wiring")
    assert answer["shows_throws"] is True
    assert answer["wires"][0] == {"part": "button", "name": "roll", "gpio": 17, "pin": 11, "to": "push-button, ground"}


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("[lamps]\npins = [[5, 6, 12]]\nkind = 'rgb'", ["lamp 1 blue", "blue leg; common leg to ground"]),
        ("[lamps]\npins = [5]\nactive_high = false", ["LED (short leg first), 3.3 V"]),
        ("[potentiometer]\nchannel = 2", ["pin 12 of the MCP3008 (DOUT)", "to pin 3 (CH2)", "do_spi 0"]),
        ("[display]", ["display SDA", "SCL of the display", "do_i2c 0"]),
        ("[buttons]\nroll = 5", ["can show no throw"]),
        ("[encoder]\na = 5\nb = 6", ["contact A of the encoder"]),
        ("[buzzer]\npin = 5\nkind = 'plain'", ["NPN transistor that switches the buzzer"]),
        ("[digits]\nsegments = [5, 6, 12, 13, 16, 17, 18]", ["segment g", "The digit's common legs go to ground."]),
        (
            "[digits]\nsegments = [5, 6, 12, 13, 16, 17, 18]\nselects = [19, 20]\ncommon = 'anode'",
            ["select digit 2", "PNP transistor"],
        ),
    ],
)
def test_each_part_says_where_its_wires_go(toml: str, words: list[str], tmp_path: Path, told: Told) -> None:
    file = tmp_path / "hardware.toml"
    file.write_text(toml, encoding="utf-8")
    printed = " ".join(told("panel", "wiring", "--hardware", file).split())
    assert [word for word in words if word not in printed] == []


@pytest.mark.parametrize(("with_digit", "current_ma", "too_much"), [(False, 50, False), (True, 70, True)])
def test_more_current_than_the_pins_may_give_is_reported(
    with_digit: bool, current_ma: int, too_much: bool, tmp_path: Path, told: Told
) -> None:
    lamps = f"[lamps]\nkind = 'rgb'\npins = {[[4, 5, 6], *([n, n + 1, n + 2] for n in range(12, 27, 3))]}"
    digit = "[digits]\nsegments = [2, 3, 7, 8, 9, 10, 11]\n[buses]\nspi = false\ni2c = false"
    file = tmp_path / "hardware.toml"
    file.write_text(f"{lamps}\n{digit}" if with_digit else lamps, encoding="utf-8")
    printed = told("panel", "wiring", "--hardware", file)
    assert f"about {current_ma} mA" in printed
    assert ("That is too much" in printed) is too_much


def test_a_narrow_terminal_shows_every_pin_of_the_header() -> None:
    console = SafeConsole(file=io.StringIO())
    console.width = 40
    with console.capture() as written:
        console.print(header_text(DEFAULT_PINS))
    shown = written.get()
    assert set(re.findall(r"GPIO\d+", shown)) == {name for name in HEADER if name.startswith("GPIO")}
    assert {*map(str, range(1, 41))} <= {*re.findall(r"\d+", shown)}
