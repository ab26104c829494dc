"""Mock pins for a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.parts import mock_pins


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = mock_pins()
    yield pins
    pins.close()
