from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.core.verdicts import Figures, Lit
from companion.shell.effects import PanelDisplay
from hardware.panel import Panel, Rhythm, Signal, Tally
from tests.companion.shell.fakes import GREEN, RED
from tests.companion.shell.tables import KeptPanel


def test_a_seats_orders_go_to_its_own_lamp() -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED, GREEN]).light(Lit({GREEN: Rhythm.WRONG}))
    assert panel.shown.rhythms[:2] == (Rhythm.OFF, Rhythm.WRONG)


def test_a_seat_without_a_lamp_stays_dark() -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED]).light(Lit({GREEN: Rhythm.WRONG}))
    assert panel.shown == Panel(4).shown


@pytest.mark.parametrize("rhythm", Rhythm)
def test_every_rhythm_can_be_shown(rhythm: Rhythm) -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED]).light(Lit({RED: rhythm}))
    assert (panel.shown.rhythms[0] is Rhythm.OFF) == (rhythm is Rhythm.OFF)


@pytest.mark.parametrize("signal", Signal)
def test_every_signal_can_be_sounded(signal: Signal) -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED]).light(Lit(signal=signal))
    assert len(panel.signals) == 1


def test_a_quiet_panel_sounds_nothing_but_numbers_that_it_can_show_in_no_other_way() -> None:
    quiet, buzzer = KeptPanel(), KeptPanel()
    buzzer.parts = ("buzzer",)
    for panel in (quiet, buzzer):
        PanelDisplay(panel, [RED], loudness=0.0).light(Lit(signal=Signal.ACCEPTED, figures=Figures((3,), RED, 1)))
    assert (quiet.signals, buzzer.signals) == ([], [Tally((3,))])


def test_only_what_has_changed_is_sent_and_everything_after_a_failure() -> None:
    sent: list[object] = []

    class Loose(KeptPanel):
        """A panel whose bar fails at 8."""

        def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
            sent.append(seat_index)
            super().lamp(seat_index, rhythm)

        def slider(self, steps: int | Tally) -> None:
            if steps == 8:
                raise OSError("a loose contact")
            super().slider(steps)

    panel = Loose()
    display = PanelDisplay(panel.opened(lambda _press: None), [RED, GREEN])
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.OFF}, 7, 23))
    assert (panel.shown.slider, panel.shown.number, sent) == (7, 23, [0, 1])
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 7, 23))
    assert sent == [0, 1, 1]
    with pytest.raises(OSError, match="loose"):
        display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 8, 23))
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 7, 23))
    assert sent == [0, 1, 1, 0, 1]


# ---- numbers on a panel without digits

THROWN = Lit({RED: Rhythm.TURN, GREEN: Rhythm.OFF}, number=8, signal=Signal.ACCEPTED, figures=Figures((3, 5), RED, 1))
COUNTED = Tally((3, 5))


@pytest.mark.parametrize(
    ("parts", "bar", "lamps", "sounds"),
    [
        (("lamps", "bar", "digits", "buzzer"), 0, Rhythm.TURN, Signal.ACCEPTED),
        (("lamps", "bar", "buzzer"), COUNTED, Rhythm.TURN, Signal.ACCEPTED),
        (("lamps", "buzzer"), 0, COUNTED, Signal.ACCEPTED),
        (("buzzer",), 0, Rhythm.TURN, COUNTED),
    ],
)
def test_a_throw_is_shown_with_whatever_there_is(
    parts: Sequence[str], bar: object, lamps: object, sounds: object
) -> None:
    panel = KeptPanel()
    panel.parts = parts
    PanelDisplay(panel, [RED, GREEN]).light(THROWN)
    assert (panel.shown.slider, panel.shown.rhythms[:2]) == (bar, (lamps, Rhythm.OFF))
    assert panel.signals == [sounds]


def test_lamps_count_nothing_that_another_display_shows() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    PanelDisplay(panel, [RED, GREEN], read_elsewhere=True).light(THROWN)
    assert panel.shown.rhythms[0] is Rhythm.TURN


def test_a_lamp_counts_nothing_while_its_player_has_something_left_to_do() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    PanelDisplay(panel, [RED, GREEN]).light(replace(THROWN, lamps={RED: Rhythm.TODO, GREEN: Rhythm.OFF}))
    assert panel.shown.rhythms[:2] == (Rhythm.TODO, Rhythm.OFF)


def test_an_equal_throw_is_counted_again_and_the_same_one_goes_on_undisturbed() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    display = PanelDisplay(panel, [RED, GREEN])
    display.light(THROWN)
    first = panel.shown.rhythms[0]
    display.light(replace(THROWN, slider=0))
    assert panel.shown.rhythms[0] is first
    display.light(replace(THROWN, figures=Figures((3, 5), RED, 3)))
    assert panel.shown.rhythms[0] is not first
    display.light(Lit({RED: Rhythm.OFF, GREEN: Rhythm.TURN}))
    assert panel.shown.rhythms[:2] == (Rhythm.OFF, Rhythm.TURN)


def test_a_seat_without_a_lamp_has_its_numbers_counted_on_all_lamps() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    display = PanelDisplay(panel, [GREEN])
    display.light(THROWN)
    assert panel.shown.rhythms[0] == COUNTED
    display.light(Lit({RED: Rhythm.WRONG, GREEN: Rhythm.OFF}, figures=Figures((3, 5), RED, 1)))
    dark: Rhythm | Tally = Rhythm.OFF
    assert panel.shown.rhythms[0] == dark


def test_two_cards_are_told_from_each_other_by_two_figures_each() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    PanelDisplay(panel, [RED, GREEN]).light(Lit({}, figures=Figures((1, 2, 0, 7), None, cards=True)))
    tally = panel.shown.rhythms[0]
    assert tally == Tally((1, 2, 0, 7), pairs=True)
    gaps = [len(gap) for gap in "".join("x" if lit else "." for lit in tally.beats).split("x") if len(gap) > 2]
    assert gaps[0] == gaps[2] < gaps[1] < gaps[3], "longest at the end, then between the cards"


@pytest.mark.parametrize("numbers", [(0,), (1,), (4,), (2, 6), (1, 4, 3)])
def test_numbers_are_flashes_that_can_be_counted(numbers: tuple[int, ...]) -> None:
    tally = Tally(numbers)
    flashes = [len(run) for run in "".join("x" if lit else "." for lit in tally.beats).split(".") if run]
    assert len(flashes) == sum(number or 1 for number in numbers)
    assert (max(flashes) > 6) == (0 in numbers), "a long one stands for nothing"
    assert len(tally.steps) > 9
    assert {step for step in tally.steps if step} == (set(range(1, 10)) if 0 in numbers else set(numbers))
