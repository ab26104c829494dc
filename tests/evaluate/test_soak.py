"""The soak itself: it reports what has grown, and runs with the allocator of the service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engines.royal_tee.position import LAST_SLIDER
from engines.royal_tee.shapes import shapes
from tests.evaluate import soak
from tests.evaluate.soak import MOST_GROWN_MB, Played, Usage, allocator, compute_ahead, growths, kinds_of, least, usage

BEFORE = Usage(memory_mb=120.0, descriptors=6, threads=1, files=5)


@pytest.mark.parametrize(
    ("after", "grown"),
    [
        (BEFORE, []),
        (replace(BEFORE, memory_mb=BEFORE.memory_mb + MOST_GROWN_MB), []),
        (replace(BEFORE, memory_mb=BEFORE.memory_mb + 20.0), ["memory grew by 20"]),
        (replace(BEFORE, descriptors=8, files=4), ["descriptors grew by 2"]),
        (replace(BEFORE, threads=2, files=6), ["threads grew by 1", "files grew by 1"]),
    ],
)
def test_what_has_grown_is_reported(after: Usage, grown: list[str]) -> None:
    assert after.grown_since(BEFORE) == grown


def test_what_only_some_evenings_take_is_no_growth() -> None:
    more = replace(BEFORE, memory_mb=140.0, descriptors=7, threads=2, files=6)
    assert least([more, BEFORE, replace(more, memory_mb=110.0)]) == replace(BEFORE, memory_mb=110.0)


PICTURES_EVERY = 4


def what_grew(memories_mb: Sequence[float]) -> list[str]:
    kinds = kinds_of(len(memories_mb), ["royal-tee"], PICTURES_EVERY)
    usages = [replace(BEFORE, memory_mb=memory_mb) for memory_mb in memories_mb]
    return [what for growth in growths(kinds, usages) for what in growth.grown()]


def test_the_first_evenings_with_pictures_are_the_warm_up() -> None:
    first = [132.0 + 5.0 * min(3, 1 + number // PICTURES_EVERY) for number in range(80)]
    assert what_grew(first) == []


def test_memory_that_an_evening_of_each_kind_needs_is_no_growth() -> None:
    assert what_grew([150.0 if number % PICTURES_EVERY == 0 else 130.0 for number in range(80)]) == []


@pytest.mark.parametrize("pictures", [True, False])
def test_a_leak_in_evenings_of_one_kind_is_seen(pictures: bool) -> None:
    leaks = [pictures == (number % PICTURES_EVERY == 0) for number in range(80)]
    grown = what_grew([130.0 + 1.5 * sum(leaks[:number]) for number in range(80)])
    assert any("memory grew" in what for what in grown)


def test_too_few_evenings_are_refused() -> None:
    with pytest.raises(SystemExit, match="2"):
        soak.main(["--evenings", "60", "--pictures-every", "4"])


@pytest.mark.parametrize(
    ("ended", "exit_code", "counted"),
    [
        (Played(180.0, gave_up=False, wrong=0), 0, "0 given up [], 0 ended wrongly []"),
        (Played(180.0, gave_up=True, wrong=0, scored=False), 0, "1 given up [7], 0 ended wrongly []"),
        (Played(180.0, gave_up=False, wrong=0, scored=False), 1, "0 given up [], 1 ended wrongly [7]"),
        (Played(180.0, gave_up=True, wrong=1, scored=False), 1, "1 given up [7], 1 ended wrongly [7]"),
        (Played(180.0, gave_up=False, wrong=1), 1, "0 given up [], 1 ended wrongly [7]"),
    ],
)
def test_evenings_given_up_are_counted_and_those_that_ended_wrongly_fail(
    ended: Played, exit_code: int, counted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    well = Played(180.0, gave_up=False, wrong=0)
    monkeypatch.setattr(soak, "played", lambda seed, *_args, **_more: ended if seed == 7 else well)
    monkeypatch.setattr(soak, "usage", lambda _folder: BEFORE)
    assert soak.main(["--evenings", "20"]) == exit_code
    assert f"of 20 evenings {counted}" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux reports a process's memory there")
def test_a_file_that_is_opened_and_kept_is_seen(tmp_path: Path) -> None:
    before = usage(tmp_path)
    with (tmp_path / "kept").open("w"):
        grown = usage(tmp_path).grown_since(before)
    assert grown[-2:] == ["descriptors grew by 1", "files grew by 1"]


def test_the_walks_of_a_slider_that_gets_far_are_no_growth() -> None:
    compute_ahead()
    computed = shapes.cache_info().misses
    shapes(LAST_SLIDER)
    assert shapes.cache_info().misses == computed


def test_the_service_sets_up_its_allocator() -> None:
    assert set(allocator()) == {"MALLOC_ARENA_MAX"}
