"""How many sequences of actions there are, die and all; counted beforehand by the plain reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.royal_racers import notation, rules
from engines.royal_racers.position import THROWS, Phase, Position, Roll
from tests.engines.royal_racers.strategies import after

_FILE = Path(__file__).parents[2] / "golden" / "royal-racers" / "counts.txt"
COUNTS = [line for line in _FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def _count(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    rolls = [Roll(face) for face in THROWS] if position.phase is Phase.ROLL else []
    return sum(_count(after(position, action), depth - 1) for action in (*rolls, *rules.actions(position)))


@pytest.mark.parametrize("line", COUNTS)
def test_as_many_sequences_as_the_reference_counts(line: str) -> None:
    written, depth, sequences = line.rsplit(" ", 2)
    assert _count(notation.read_position(written), int(depth)) == int(sequences)


def test_the_counts_have_not_silently_gone() -> None:
    assert len(COUNTS) >= 8
