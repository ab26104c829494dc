"""The table that most tests of a turn are about."""

from __future__ import annotations

import pytest

from tests.companion.core.tables import SteppedTable
from tests.companion.games.looks import new_game


@pytest.fixture
def table() -> SteppedTable:
    """A table of Royal Tee at which red and green have just begun."""
    return SteppedTable(new_game("red", "green"))
