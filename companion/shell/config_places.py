"""Where the user's own files lie: systemd's folder for settings, the user's, the machine's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import platformdirs


def config_places(name: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """Give the places where a file of this name may lie, first come first served."""
    if given := environment.get("CONFIGURATION_DIRECTORY", "").split(":")[0]:
        yield Path(given) / name
    yield platformdirs.user_config_path("companion") / name
    yield Path("/etc/companion") / name
