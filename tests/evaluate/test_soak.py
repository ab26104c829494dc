"""The soak itself: it reports what has grown, and runs with the allocator of the service."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engines.royal_tee.position import LAST_SLIDER
from engines.royal_tee.shapes import shapes
from tests.evaluate import soak
from tests.evaluate.evenings import Outcome
from tests.evaluate.habits import HabitCounts
from tests.evaluate.soak import MOST_GROWN_MB, Usage, allocator, compute_ahead, growth_of, least, usage

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


@pytest.mark.parametrize(("leaks_mb", "grows"), [(0.0, False), (0.1, False), (1.5, True)])
def test_a_leak_of_the_warm_evenings_is_seen(leaks_mb: float, grows: bool) -> None:
    growth = growth_of([replace(BEFORE, memory_mb=130.0 + leaks_mb * number) for number in range(77)])
    assert any("memory grew" in what for what in growth.grown()) is grows


def test_the_first_evenings_of_each_game_are_the_warm_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    memories = iter([132.0, 137.0, 142.0, 147.0, 149.0, 150.0, *[150.0] * 15])
    monkeypatch.setattr(soak, "play", lambda *_args: Outcome(score_equal=1))
    monkeypatch.setattr(soak, "usage", lambda _folder: replace(BEFORE, memory_mb=next(memories)))
    assert soak.main(["--evenings", "21", "--games", "royal-tee", "royal-ur"]) == 0
    assert "150.0 to 150.0 MB over 10 evenings" in capsys.readouterr().out


def test_too_few_evenings_are_refused() -> None:
    with pytest.raises(SystemExit, match="2"):
        soak.main(["--evenings", "20", "--games", "royal-tee", "royal-ur"])


@pytest.mark.parametrize(
    ("ended", "exit_code", "counted"),
    [
        (Outcome(score_equal=1), 0, "0 given up [], 0 ended wrongly []"),
        (Outcome(gave_up=1), 0, "1 given up [7], 0 ended wrongly []"),
        (Outcome(), 1, "0 given up [], 1 ended wrongly [7]"),
        (Outcome(gave_up=1, counts=[HabitCounts(mistaken=1)]), 1, "1 given up [7], 1 ended wrongly [7]"),
        (Outcome(score_equal=1, counts=[HabitCounts(mistaken=1)]), 1, "0 given up [], 1 ended wrongly [7]"),
    ],
)
def test_evenings_given_up_are_counted_and_those_that_ended_wrongly_fail(
    ended: Outcome, exit_code: int, counted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    well = Outcome(score_equal=1)
    monkeypatch.setattr(soak, "play", lambda evening, _folder: ended if evening.seed == 7 else well)
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
