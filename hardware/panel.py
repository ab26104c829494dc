"""The panel at the table: the input of its buttons and slider, and the output of its lamps, bar, digits and buzzer.

Nothing is shown by colour alone: lamps and signals differ by rhythm, so a buzzer of one pitch is enough. Rhythms and
signals are written in beats of a tenth of a second.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, unique
from itertools import chain
from typing import ClassVar, Self, TypeAlias, TypeVar

BEAT_S = 0.1
"""Length of one beat of a rhythm or signal, in seconds."""

SLIDER_STEPS = 9
ALL_PARTS = ("lamps", "bar", "digits", "buzzer")
"""The parts of a panel that can show or sound something."""

MOST_LAMPS = 6
MOST_NUMBER = 99


class Button(StrEnum):
    """The panel's buttons."""

    ROLL = "roll"
    DONE = "done"
    BACK = "back"
    MODE = "mode"


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button was pressed: one event despite bouncing; `at_ns` is on the monotonic clock.

    `held` means that it was kept down for a while, on a panel where this has a meaning of its own.
    """

    button: Button
    at_ns: int
    held: bool = False


@dataclass(frozen=True, slots=True)
class SliderMoved:
    """The players' slider is at another step, from 1 to 9; `at_ns` is on the monotonic clock.

    An encoder has no position of its own: it follows the bar to another step, and reports that.
    """

    steps: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class LineTyped:
    """A line was typed, or a part of it (`is_whole` False); its meaning depends on the state of the game.

    The text is empty if the line was dropped.
    """

    text: str
    is_whole: bool = True
    at_ns: int = 0


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key of the question pad was pressed: a digit, ".", "+", "-", "*" or "enter"; `held`: it is still down."""

    key: str
    at_ns: int
    held: bool = False


PanelInput: TypeAlias = ButtonPressed | SliderMoved | LineTyped | KeyPressed
"""An input from a panel."""

Enqueue: TypeAlias = Callable[[PanelInput], object]
"""Accepts an event and returns at once, because it is called from the devices' own threads."""


@unique
class Rhythm(Enum):
    """A rhythm of a seat's lamp, a character a beat: "x" lit, "." dark; a final "|": once, keeping the last beat."""

    OFF = ".|"
    STEADY = "x|"
    TURN = "xxxxxxxx........"  # this seat acts
    CONFIRMED = "xxxxxxxxxxxxxxxxxxxx.|"
    WRONG = "x.x.x......."  # the table cannot be explained by the rules
    UNSURE = "xxxxxx..x......."  # too close to call, or nothing visible
    TODO = "x.x........."  # accepted, and something is left to do on the table
    WON = "xxxxxxxxxxxxxxxxxx.."
    FAULT = "x..................."  # camera or journal does not work
    PAUSED = "xxxxxx...xxxxxx..............."
    BLIND = "x..x..xxxxxx........"  # the camera sees no table
    SET_UP = "xxxx.xxxx.xxxx......"  # the table is not yet in its starting or saved position
    CHOICE = "x..xxxxxx......."  # DONE takes what is shown
    ON_DONE = "xxxxxx..xxxxxx..x......."  # this seat acts, and presses DONE after the move

    @property
    def beats(self) -> tuple[bool, ...]:
        """Lit or dark, beat by beat."""
        return tuple(beat == "x" for beat in self.value.removesuffix("|"))

    @property
    def repeats(self) -> bool:
        """Whether it repeats; if not, the lamp keeps the last beat."""
        return not self.value.endswith("|")

    def lit_at(self, elapsed_s: float) -> bool:
        """Return whether the lamp is lit this many seconds after the rhythm began."""
        beats, beat = self.beats, int(elapsed_s / BEAT_S)
        return beats[beat % len(beats) if self.repeats else min(beat, len(beats) - 1)]


_FLASH, _LONG_FLASH = (True, True, False, False), (True,) * 12 + (False, False)
_Beat = TypeVar("_Beat", bound=int)
_BETWEEN, _AT_END = 6, 14
"""Dark beats between two numbers, and before they repeat."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers counted out repeatedly: one flash per unit, a long one for 0, one number after another.

    A bar shows each number as that many steps, and 0 as a light that runs to its end.

    Attributes:
        numbers: the numbers.
        pairs: numbers belong together in pairs, such as a card's figures; the pause after a pair is longer.
    """

    numbers: tuple[int, ...]
    pairs: bool = False
    repeats: ClassVar[bool] = True

    @property
    def beats(self) -> tuple[bool, ...]:
        """Lit or dark, beat by beat."""
        lit = [_FLASH * number if number else _LONG_FLASH for number in self.numbers]
        return (*chain.from_iterable(self._space(lit, dark=False)), *(False,) * _AT_END)

    @property
    def steps(self) -> tuple[int, ...]:
        """Steps of a bar, beat by beat."""
        runs = range(1, SLIDER_STEPS + 1)
        shown = [(min(number, SLIDER_STEPS),) * 15 if number else tuple(runs) for number in self.numbers]
        return (*chain.from_iterable(self._space(shown, dark=0)), *(0,) * _AT_END)

    def _space(self, shown: Sequence[tuple[_Beat, ...]], *, dark: _Beat) -> Iterator[tuple[_Beat, ...]]:
        for place, number in enumerate(shown):
            yield (*number, *(dark,) * (2 * _BETWEEN if self.pairs and place % 2 else _BETWEEN))

    @property
    def sounds(self) -> str:
        """The beats as the buzzer plays them, once, in the letters of `Signal`."""
        return "".join("m" if lit else "." for lit in self.beats).rstrip(".")


@unique
class Signal(Enum):
    """A signal that the buzzer plays once, one character a beat: "l", "m", "h" low, middle or high, "." silent.

    Digits show a letter in the same rhythm, one that does not look like a number.
    """

    ACCEPTED = "h"
    REFUSED = "llll.llll"
    UNSURE = "mmmm.m"
    OVER = "l.m.hhhhhh"
    FAULT = "l.l.l.l"

    @property
    def letter(self) -> str:
        """What digits show: yes, no, unclear, end or fault."""
        return {"ACCEPTED": "Y", "REFUSED": "N", "UNSURE": "U", "OVER": "E", "FAULT": "F"}[self.name]


@dataclass(frozen=True, slots=True)
class Shown:
    """The last state that a panel was ordered to show: rhythms by seat, steps of the slider bar, number, signal."""

    rhythms: tuple[Rhythm | Tally, ...]
    slider: int | Tally = 0
    signal: Signal | Tally | None = None
    number: int | None = None


class Panel:
    """Buttons, a lamp per seat, a slider bar, digits and a buzzer. No method blocks; events go to an `Enqueue`.

    Orders for a part that the panel does not have are only noted. Any method but `close` may raise `PanelError` when
    the device fails. This class only stores its state, for play without a panel; panels of real parts build on it.

    Attributes:
        shown: the last ordered state; there are as many lamps as `rhythms`.
        parts: the available parts of `ALL_PARTS`.
        faults: a sentence for each part that could not be opened, by "bar", "digits", "buzzer" or "slider"; the panel
            works without them.
        loudness: of the buzzer, from 1 down to 0; it does not affect a buzzer of one pitch.
    """

    loudness: float = 1.0

    def __init__(self, lamps: int = MOST_LAMPS) -> None:
        self.shown = Shown((Rhythm.OFF,) * lamps)
        self.parts: Collection[str] = ALL_PARTS
        self.faults: dict[str, str] = {}

    def order(self, shown: Shown) -> None:
        """Store the state to be shown."""
        self.shown = shown

    def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
        """Set the rhythm of a seat's lamp (from 0); an unchanged repeating rhythm continues.

        Raises:
            ValueError: the panel has no lamp for that seat.
        """
        rhythms = list(self.shown.rhythms)
        if not 0 <= seat_index < len(rhythms):
            raise ValueError(f"lamp {seat_index}: this panel has {len(rhythms)} lamps, counted from 0")
        rhythms[seat_index] = rhythm
        self.order(replace(self.shown, rhythms=tuple(rhythms)))

    def slider(self, steps: int | Tally) -> None:
        """Light the first `steps` (0 to 9) of the slider bar, or show numbers on it.

        Raises:
            ValueError: the bar has not that many.
        """
        if isinstance(steps, int) and not 0 <= steps <= SLIDER_STEPS:
            raise ValueError(f"slider {steps}: the bar has 0 to {SLIDER_STEPS} steps")
        self.order(replace(self.shown, slider=steps))

    def number(self, number: int | None) -> None:
        """Show a number (0 to 99) on the digits, or nothing; "-" if it has more digits than the panel.

        Raises:
            ValueError: it has more than two digits.
        """
        if number is not None and not 0 <= number <= MOST_NUMBER:
            raise ValueError(f"number {number}: digits show 0 to {MOST_NUMBER}")
        self.order(replace(self.shown, number=number))

    def buzz(self, signal: Signal | Tally) -> None:
        """Play a signal once, on the buzzer and with its letter on the digits; or beep numbers, once."""
        self.order(replace(self.shown, signal=signal))

    def close(self) -> None:
        """Turn everything off and release the device; closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


_log = logging.getLogger(__name__)


def guarded(enqueue: Enqueue) -> Callable[[PanelInput], None]:
    """Return an `Enqueue` that never raises: an exception would end the thread that serves all buttons."""

    def deliver(event: PanelInput) -> None:
        try:
            enqueue(event)
        except Exception:
            what = f"press of {event.button}" if isinstance(event, ButtonPressed) else type(event).__name__
            _log.exception("the %s was lost", what)

    return deliver
