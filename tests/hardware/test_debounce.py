"""One press for one push, whatever the contact does."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from hardware.panel import Button, PanelEvent
from hardware.push import QUIET_NS, Debounce, Push
from hardware.simulated import REST_NS, contact_edges

MS = 1_000_000


def presses(edges: list[tuple[int, bool]]) -> list[int]:
    """Return the moments at which a new debounce reports a press."""
    debounce, presses_at = Debounce(), []
    for at_ns, closes in edges:
        if not closes:
            debounce.opened(at_ns)
        elif debounce.closed(at_ns):
            presses_at.append(at_ns)
    return presses_at


def test_five_bounces_within_thirty_milliseconds_are_one_press_reported_at_the_first_edge() -> None:
    train = [(at * 3 * MS, at % 2 == 0) for at in range(10)]
    assert presses(train) == [0]


def test_the_chatter_of_letting_go_is_no_press() -> None:
    assert presses([(0, True), (500 * MS, False), (502 * MS, True), (504 * MS, False)]) == [0]


def test_two_pushes_are_two_presses() -> None:
    assert presses([(0, True), (60 * MS, False), (120 * MS, True)]) == [0, 120 * MS]


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_any_train_of_any_pushes_gives_one_press_for_each(seed: int, pushes: int) -> None:
    rng, edges, starts, at_ns = Random(seed), [], [], 0
    for _ in range(pushes):
        push = [(at_ns + offset_ns, closes) for offset_ns, closes in contact_edges(rng)]
        edges += push
        starts.append(at_ns)
        at_ns = push[-1][0] + REST_NS
    assert presses(edges) == starts


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


def pressed(edges: list[tuple[int, bool]], held_at_ns: int | None = None) -> list[PanelEvent]:
    """What a push of a button that can be held reports; the hold is reported after the edges up to then."""
    push, events = Push(Button.MODE, holds=True), []
    for at_ns, closes in edges:
        if held_at_ns is not None and at_ns > held_at_ns:
            events.append(push.held())
            held_at_ns = None
        events.append(push.closed(at_ns) if closes else push.opened(at_ns))
    return [event for event in events if event]


@given(st.integers(0, 2**32))
def test_a_push_that_may_become_a_hold_is_one_press_stamped_at_its_first_edge(seed: int) -> None:
    edges = list(contact_edges(Random(seed)))
    assert pressed(edges) == [PanelEvent(Button.MODE, 0)]


@given(st.integers(0, 8), st.integers(0, 8))
def test_a_hold_is_reported_once_and_letting_go_reports_nothing_more(closing: int, opening: int) -> None:
    down = [(at * MS, at % 2 == 0) for at in range(2 * closing + 1)]
    up = [(1_500 * MS + at * MS, at % 2 == 1) for at in range(2 * opening + 1)]
    assert pressed(down + up, held_at_ns=1_000 * MS) == [PanelEvent(Button.MODE, 0, held=True)]
