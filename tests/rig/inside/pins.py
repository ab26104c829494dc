"""The simulated header from outside: what a finger does to a contact, and what an eye sees of a lamp."""

from __future__ import annotations

import os
import time
from pathlib import Path

BOUNCE_S = 0.001


def _line(gpio: int) -> Path:
    return Path(os.environ["RIG_PINS"]) / f"sim_gpio{gpio}"


def close_contact(gpio: int) -> None:
    (_line(gpio) / "pull").write_text("pull-down")


def open_contact(gpio: int) -> None:
    (_line(gpio) / "pull").write_text("pull-up")


def push(gpio: int, *, bounces: int = 3, held_s: float = 0.1) -> None:
    """Push a button whose contact chatters, 1 ms a swing, when it closes and when it opens."""
    for _ in range(bounces):
        close_contact(gpio)
        time.sleep(BOUNCE_S)
        open_contact(gpio)
        time.sleep(BOUNCE_S)
    close_contact(gpio)
    time.sleep(held_s)
    for _ in range(bounces):
        open_contact(gpio)
        time.sleep(BOUNCE_S)
        close_contact(gpio)
        time.sleep(BOUNCE_S)
    open_contact(gpio)
    time.sleep(0.1)


def lit(gpio: int) -> bool:
    return (_line(gpio) / "value").read_text().strip() == "1"


def seen(gpio: int, beats: int, beat_s: float) -> list[bool]:
    """Watch a lamp: its state in the middle of that many beats."""
    start_s = time.monotonic() + beat_s / 2
    watched = []
    for beat in range(beats):
        time.sleep(max(0.0, start_s + beat * beat_s - time.monotonic()))
        watched.append(lit(gpio))
    return watched
