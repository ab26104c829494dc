"""The soak itself: it reports what has grown, and runs with the allocator of the service."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engines.royal_tee.position import LAST_SLIDER
from engines.royal_tee.shapes import shapes
from tests.evaluate import soak
from tests.evaluate.evenings import Evening, Outcome, play
from tests.evaluate.habits import HabitCounts
from tests.evaluate.soak import MOST_GROWN_MB, Usage, allocator, compute_ahead, usage

BEFORE = Usage(memory_mb=120.0, descriptors=6, threads=1, files=5)


MORE = replace(BEFORE, memory_mb=140.0, descriptors=8, threads=2, files=6)
FLAT, WELL = [BEFORE] * 20, Outcome(score_equal=1)
NOBODY = r"0 given up \[\], 0 ended wrongly \[\]"


@pytest.mark.parametrize(
    ("usages", "ended", "exit_code", "said"),
    [
        (FLAT, WELL, 0, f"nothing has grown since evening 4; .*{NOBODY}"),
        ([MORE, replace(BEFORE, memory_mb=160.0), MORE, *FLAT[3:]], WELL, 0, "120.0 to 120.0 MB over 12 evenings"),
        ([*FLAT[:15], BEFORE, MORE, MORE, MORE, MORE], WELL, 0, "nothing has grown"),
        (
            [*FLAT[:15], *[replace(BEFORE, memory_mb=BEFORE.memory_mb + MOST_GROWN_MB)] * 5],
            WELL,
            0,
            "nothing has grown",
        ),
        ([*FLAT[:15], *[replace(BEFORE, memory_mb=140.0)] * 5], WELL, 1, "memory grew by 20"),
        ([*FLAT[:15], *[replace(BEFORE, descriptors=8, files=4)] * 5], WELL, 1, "\ndescriptors grew by 2;"),
        ([*FLAT[:15], *[replace(BEFORE, threads=2, files=6)] * 5], WELL, 1, "threads grew by 1; files grew by 1"),
        ([replace(BEFORE, memory_mb=130.0 + 0.1 * n) for n in range(20)], WELL, 0, "nothing has grown"),
        ([replace(BEFORE, memory_mb=130.0 + 1.5 * n) for n in range(20)], WELL, 1, "memory grew by 18"),
        (FLAT, Outcome(gave_up=1), 0, r"1 given up \[7\], 0 ended wrongly \[\]"),
        (FLAT, Outcome(), 1, r"0 given up \[\], 1 ended wrongly \[7\]"),
        (FLAT, Outcome(gave_up=1, counts=[HabitCounts(mistaken=1)]), 1, r"1 given up \[7\], 1 ended wrongly \[7\]"),
        (FLAT, Outcome(score_equal=1, counts=[HabitCounts(mistaken=1)]), 1, r"0 given up \[\], 1 ended wrongly \[7\]"),
    ],
)
def test_growth_of_the_warm_evenings_and_evenings_that_ended_wrongly_fail(
    usages: list[Usage], ended: Outcome, exit_code: int, said: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    left = iter(usages)
    monkeypatch.setattr(soak, "play", lambda evening, _folder: ended if evening.seed == 7 else WELL)
    monkeypatch.setattr(soak, "usage", lambda _folder: next(left))
    assert soak.main(["--evenings", "20"]) == exit_code
    assert re.search(said, capsys.readouterr().out, re.DOTALL)


def test_too_few_evenings_for_the_warm_up_of_each_game_are_refused() -> None:
    with pytest.raises(SystemExit, match="2"):
        soak.main(["--evenings", "20", "--games", "royal-tee", "royal-ur"])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux reports a process's memory there")
def test_a_file_that_is_opened_and_kept_is_seen(tmp_path: Path) -> None:
    before = usage(tmp_path)
    with (tmp_path / "kept").open("w"):
        grown = usage(tmp_path).grown_since(before)
    assert grown[-2:] == ["descriptors grew by 1", "files grew by 1"]


def test_a_second_evening_leaves_no_further_file(tmp_path: Path) -> None:
    evenings = [Evening("royal-ur", seed, "truth", turns=1, inside=True) for seed in range(2)]
    files = [(play(one, tmp_path), usage(tmp_path).files)[1] for one in evenings]
    assert files[0] == files[1] > 0


def test_the_walks_of_a_slider_that_gets_far_are_no_growth() -> None:
    compute_ahead()
    computed = shapes.cache_info().misses
    shapes(LAST_SLIDER)
    assert shapes.cache_info().misses == computed


def test_the_service_sets_up_its_allocator() -> None:
    assert set(allocator()) == {"MALLOC_ARENA_MAX"}
