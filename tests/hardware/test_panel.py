"""Rhythms and signals can be distinguished without colour and without pitch."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hardware.panel import BEAT_S, Rhythm, Signal


def flashes(beats: list[bool]) -> str:
    """The lit runs as a person sees them: "s" under three tenths of a second, "l" from half a second."""
    runs = [sum(1 for _ in run) for lit, run in groupby(beats) if lit]
    assert all(run < 3 or run > 3 for run in runs), "a run that is neither short nor long"
    return "".join("s" if run < 3 else "l" for run in runs)


def looks_like(rhythm: Rhythm) -> tuple[Any, ...]:
    share = sum(rhythm.beats) / len(rhythm.beats)
    return flashes(list(rhythm.beats)), rhythm.repeats, "mostly lit" if share > 0.8 else "less"


def test_every_rhythm_looks_different_without_colour() -> None:
    settled = {Rhythm.OFF, Rhythm.STEADY}
    looks = [looks_like(rhythm) for rhythm in Rhythm if rhythm not in settled]
    assert len(set(looks)) == len(looks)
    assert (Rhythm.OFF.lit_at(9), Rhythm.STEADY.lit_at(9)) == (False, True)


def test_every_signal_sounds_different_on_a_buzzer_of_one_pitch() -> None:
    sounds = [flashes([beat != "." for beat in signal.value]) for signal in Signal]
    assert len(set(sounds)) == len(sounds)


@given(st.sampled_from(Rhythm), st.integers(0, 500))
def test_a_rhythm_repeats_or_rests_in_its_last_beat(rhythm: Rhythm, beat: int) -> None:
    cycle = len(rhythm.beats)
    lit = rhythm.lit_at((beat + 0.5) * BEAT_S)
    later = rhythm.lit_at((beat + cycle + 0.5) * BEAT_S)
    assert later == (lit if rhythm.repeats else rhythm.beats[-1])
