"""The mutation sample itself: its faults reach the tests, and those that went unnoticed once do no longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.mutants import (
    INFERENCE,
    NAMED,
    PACKAGES,
    POSE,
    Change,
    Mutant,
    is_noticed,
    modules,
    noticing_tests,
    source_of,
)


@pytest.mark.parametrize("change", NAMED, ids=lambda change: change.new[:30])
def test_a_named_fault_still_has_its_place(change: Change) -> None:
    compile(change.mutant().source, change.module, "exec")


@pytest.mark.long
def test_a_module_without_a_fault_passes_its_tests_and_one_with_a_named_fault_does_not(tmp_path: Path) -> None:
    few_tests = "vision.looks.ground"
    assert not is_noticed(Mutant(few_tests, "none", source_of(few_tests)), tmp_path)
    assert is_noticed(NAMED[0].mutant(), tmp_path)


def test_every_module_has_tests() -> None:
    found = {module: noticing_tests(module) for package in PACKAGES for module in modules(package)}
    assert {POSE, INFERENCE} <= found.keys()
    assert [module for module, files in found.items() if not files] == []
