"""Which pictures of the table are kept, and for how long: they may show hands, faces and the room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

USUAL_NUMBER, USUAL_DAYS = 100, 30


@dataclass(frozen=True, slots=True)
class PicturePolicy:
    """How many pictures are kept and for how many days.

    Attributes:
        enabled: False: no picture is ever written.
        most: the newest so many are kept.
        days: those that are older are deleted; 0: on the day itself.
    """

    enabled: bool = True
    most: int = USUAL_NUMBER
    days: int = USUAL_DAYS

    def outdated(self, folder: Path, now: datetime) -> Iterator[Path]:
        """Return the pictures of a folder that are too many or too old; other files are none of them."""
        oldest = (now - timedelta(days=self.days)).timestamp()
        newest_first = sorted(((_written(path), path) for path in folder.glob("*.png")), reverse=True)
        for place, (written, path) in enumerate(newest_first):
            if place >= self.most or written < oldest:
                yield path


def tidy(folder: Path, policy: PicturePolicy, now: datetime) -> None:
    """Delete the pictures that the policy does not keep; one that cannot be deleted stays."""
    for path in policy.outdated(folder, now):
        with suppress(OSError):
            path.unlink()


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter; one that is there already is closed to others.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        folder.chmod(0o700)


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
