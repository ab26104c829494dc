"""One press for one push, whatever the contact does."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.panel import Button, ButtonPressed
from hardware.push import QUIET_NS, Push
from hardware.simulated import REST_NS, contact_edges

MS = 1_000_000


def presses(edges: list[tuple[int, bool]], button: Button) -> list[int]:
    """Return the moments at which the pushes began that are reported as presses."""
    push, events = Push(button, holds=button is Button.MODE), []
    for at_ns, closes in edges:
        if closes:
            push.closed(at_ns)
        else:
            events.append(push.opened(at_ns))
    return [event.at_ns for event in events if event and not event.held]


def contact(*closings: tuple[int, int]) -> list[tuple[int, bool]]:
    """Return the edges of a contact that closes and opens at these moments, in ms."""
    return [(at * MS, closes) for span in closings for at, closes in zip(span, (True, False), strict=True)]


@pytest.mark.parametrize("button", Button)
@pytest.mark.parametrize(
    ("closings", "began"),
    [
        ([(0, 120)], [0]),
        ([(0, 60), (120, 200)], [0, 120]),
        ([(0, 1)], []),  # a spike
        ([(0, 1), (500, 501), (502, 503)], []),
        ([(0, 3), (6, 9), (12, 15), (18, 140)], [0]),  # it chatters when it closes
        ([(0, 100), (102, 104), (106, 108)], [0]),  # and when it opens
        ([(0, 1), (40, 41), (80, 200)], [0]),  # a bad one, 40 ms apart
        ([(0, 39), (40, 79), (80, 200)], [0]),
        ([(0, 200), (240, 241), (280, 281)], [0]),
    ],
)
def test_every_button_reports_pushes_of_fingers_and_nothing_else(
    button: Button, closings: list[tuple[int, int]], began: list[int]
) -> None:
    assert presses(contact(*closings), button) == [at * MS for at in began]


@given(st.sampled_from(Button), st.integers(0, 2**32), st.integers(1, 6))
def test_any_train_of_any_pushes_gives_one_press_for_each(button: Button, seed: int, pushes: int) -> None:
    rng, edges, starts, at_ns = Random(seed), [], [], 0
    for _ in range(pushes):
        push = [(at_ns + offset_ns, closes) for offset_ns, closes in contact_edges(rng)]
        edges += push
        starts.append(at_ns)
        at_ns = push[-1][0] + REST_NS
    assert presses(edges, button) == starts


@given(st.integers(0, 2**32))
def test_simulated_contacts_close_and_open_in_turn_and_end_open(seed: int) -> None:
    edges = list(contact_edges(Random(seed)))
    assert edges[0] == (0, True)
    assert edges[-1][1] is False
    assert all(later > earlier and closes != closed for (earlier, closed), (later, closes) in pairwise(edges))


def test_simulated_contacts_do_bounce_within_what_a_debounce_must_stand() -> None:
    trains = [list(contact_edges(Random(seed))) for seed in range(50)]
    gaps = [later - earlier for edges in trains for (earlier, _), (later, _) in pairwise(edges)]
    assert max(len(edges) for edges in trains) > 20
    assert sum(gap < QUIET_NS for gap in gaps) > 500


def pressed(edges: list[tuple[int, bool]], held_at_ns: int | None = None) -> list[ButtonPressed]:
    """What a push of a button that can be held reports; the hold is reported after the edges up to then."""
    push, events = Push(Button.MODE, holds=True), []
    for at_ns, closes in edges:
        if held_at_ns is not None and at_ns > held_at_ns:
            events.append(push.held())
            held_at_ns = None
        if closes:
            push.closed(at_ns)
        else:
            events.append(push.opened(at_ns))
    return [event for event in events if event]


@given(st.integers(0, 8), st.integers(0, 8))
def test_a_hold_is_reported_once_and_letting_go_reports_nothing_more(closing: int, opening: int) -> None:
    down = [(at * MS, at % 2 == 0) for at in range(2 * closing + 1)]
    up = [(1_500 * MS + at * MS, at % 2 == 1) for at in range(2 * opening + 1)]
    assert pressed(down + up, held_at_ns=1_000 * MS) == [ButtonPressed(Button.MODE, 0, held=True)]


def test_a_button_whose_hold_means_nothing_else_reports_a_press_when_it_is_held() -> None:
    push = Push(Button.ROLL, holds=False)
    push.closed(0)
    assert push.held() == ButtonPressed(Button.ROLL, 0)
    assert push.opened(2_000 * MS) is None
