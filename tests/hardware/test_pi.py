"""The panel on pins, as gpiozero's mock pins see it: presses from outside, lamps from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Literal

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from hardware.errors import PanelError
from hardware.panel import Button, ButtonPressed, PanelInput, Rhythm, Signal
from hardware.pi import GpioPanel
from hardware.pins import DEFAULT_PINS, Buttons, Buzzer, PinMap
from hardware.push import SHORTEST_NS
from tests.contracts.pins import eventually

CONTACTS = DEFAULT_PINS.buttons.contacts
LAMPS = [gpio for gpio in DEFAULT_PINS.lamps.pins if isinstance(gpio, int)]
BAR: tuple[int, ...] = DEFAULT_PINS.bar.pins if DEFAULT_PINS.bar else ()


def test_a_press_is_stamped_on_the_monotonic_clock(factory: MockFactory) -> None:
    heard: list[PanelInput] = []
    with GpioPanel(heard.append, factory=factory):
        before_ns = time.monotonic_ns()
        factory.pin(CONTACTS[Button.DONE]).drive_low()
        after_ns = time.monotonic_ns()
        time.sleep(2 * SHORTEST_NS / 1e9)
        factory.pin(CONTACTS[Button.DONE]).drive_high()
    assert isinstance(heard[0], ButtonPressed)
    assert before_ns - 1_000 <= heard[0].at_ns <= after_ns


def test_a_lamp_follows_its_rhythm_on_the_pin(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.parts.BEAT_S", 0.001)
    pin = factory.pin(LAMPS[1])
    with GpioPanel(lambda _: None, factory=factory) as panel:
        pin.clear_states()
        panel.lamp(1, Rhythm.WRONG)
        assert eventually(lambda: len(pin.states) > 8)
    assert [bool(state.state) for state in pin.states[:9]] == [False, True] * 4 + [False]


def test_a_rhythm_that_is_played_once_ends_in_its_last_beat(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.parts.BEAT_S", 0.001)
    pin = factory.pin(LAMPS[0])
    with GpioPanel(lambda _: None, factory=factory) as panel:
        panel.lamp(0, Rhythm.CONFIRMED)
        assert eventually(lambda: [bool(state.state) for state in pin.states] == [False, True, False])
        panel.lamp(0, Rhythm.STEADY)
        assert pin.state
    assert not pin.state


def test_the_same_rhythm_again_does_not_start_it_anew(factory: MockFactory) -> None:
    with GpioPanel(lambda _: None, factory=factory) as panel:
        panel.lamp(0, Rhythm.TURN)
        before = set(threading.enumerate())
        panel.lamp(0, Rhythm.TURN)
        assert set(threading.enumerate()) == before


@pytest.mark.parametrize("kind", ["tonal", "plain"])
def test_the_buzzer_plays_each_sound_of_a_signal_and_falls_silent(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, *, kind: Literal["tonal", "plain"]
) -> None:
    monkeypatch.setattr("hardware.parts.BEAT_S", 0.001)
    pin = factory.pin(12)
    with GpioPanel(lambda _: None, PinMap(buzzer=Buzzer(12, kind)), factory=factory) as panel:
        pin.clear_states()
        panel.buzz(Signal.REFUSED)
        assert eventually(lambda: len(pin.states) == 5)
    assert [bool(state.state) for state in pin.states] == [False, True, False, True, False]


def test_a_panel_without_a_buzzer_stays_silent(factory: MockFactory) -> None:
    with GpioPanel(lambda _: None, PinMap(buttons=Buttons(roll=17)), factory=factory) as panel:
        panel.buzz(Signal.REFUSED)


def test_a_lamp_whose_pin_is_in_use_is_reported_in_one_sentence_and_nothing_stays_open(factory: MockFactory) -> None:
    with (
        gpiozero.LED(DEFAULT_PINS.lamps.pins[0], pin_factory=factory),
        pytest.raises(PanelError, match=r"pins cannot be opened: .*GPIO"),
    ):
        GpioPanel(lambda _: None, factory=factory)
    GpioPanel(lambda _: None, factory=factory).close()


def test_a_part_whose_pin_is_in_use_is_reported_and_the_rest_works(factory: MockFactory) -> None:
    with gpiozero.LED(BAR[8], pin_factory=factory), GpioPanel(lambda _: None, factory=factory) as panel:
        assert list(panel.faults) == ["bar"]
        assert "GPIO4" in panel.faults["bar"]
        panel.slider(3)
        panel.lamp(0, Rhythm.STEADY)
        assert panel.shown.slider == 3
        assert not factory.pin(BAR[0]).state
    with GpioPanel(lambda _: None, factory=factory) as panel:
        assert not panel.faults


def test_a_panel_that_is_closed_reports_so_instead_of_failing_obscurely(factory: MockFactory) -> None:
    panel = GpioPanel(lambda _: None, factory=factory)
    panel.close()
    with pytest.raises(PanelError, match="slider bar does not work"):
        panel.slider(3)
    with pytest.raises(PanelError, match="lamp 2 does not work"):
        panel.lamp(1, Rhythm.WRONG)


def test_a_pin_that_the_kernel_has_given_away_is_named_with_its_part_and_its_place(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = factory.pin

    def busy(gpio: int) -> Any:
        if gpio == DEFAULT_PINS.buttons.back:
            message = "'GPIO busy'"
            raise OSError(message)
        return pin(gpio)

    monkeypatch.setattr(factory, "pin", busy)
    with pytest.raises(PanelError, match=r"button back .*GPIO22, pin 15.*busy"):
        GpioPanel(lambda _: None, factory=factory)


def test_the_pins_of_a_pc_are_mock_pins_if_gpiozeros_own_variable_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    with GpioPanel(lambda _: None) as panel:
        panel.lamp(0, Rhythm.STEADY)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    with pytest.raises(PanelError, match="pigpio"):
        GpioPanel(lambda _: None)


def test_lgpio_makes_its_pipe_where_it_may(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write everywhere
    with pytest.raises(PanelError):
        GpioPanel(lambda _: None)
    assert Path(os.environ["LG_WD"]).is_dir()


def test_without_a_raspberry_pi_the_panel_says_what_is_missing() -> None:
    with pytest.raises(PanelError, match=r"lgpio|pins cannot be opened"):
        GpioPanel(lambda _: None)


def test_importing_the_panel_touches_no_hardware_library() -> None:
    code = "import sys, hardware.pi, hardware.simulated, hardware.desk; sys.exit('gpiozero' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
