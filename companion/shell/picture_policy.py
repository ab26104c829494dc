"""The retention of pictures of the table: they may show hands, faces and the room."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

FOLDER = "pictures"
"""The folder of pictures, next to the journal."""

USUAL_NUMBER, USUAL_DAYS = 100, 30

_ORDER_DIGITS = 6

PICTURE, OF_MOVE = ".png", ".jpg"
"""The endings of picture names: annotated pictures, and pictures of single moves."""

MOVES_A_PICTURE = 10


@dataclass(frozen=True, slots=True)
class PicturePolicy:
    """How many pictures are kept, and for how many days.

    The clock of a Raspberry Pi jumps: it may say 1970 until a network has set it, or 2036 once. So pictures are
    numbered, and a day of play ends at each change of date between one picture and the next.

    Attributes:
        enabled: False: no picture is ever written.
        most: how many of the newest are kept; of pictures of moves `MOVES_A_PICTURE` times as many.
        days: pictures of that many of the last days of play are kept, at least of one.
        moves: whether a picture of each move that the camera saw is kept as well.
    """

    enabled: bool = True
    most: int = USUAL_NUMBER
    days: int = USUAL_DAYS
    moves: bool = False


def in_order(folder: Path, names: str = "*", kind: str = PICTURE) -> list[Path]:
    """Return the pictures of a folder whose names match, oldest first; unnumbered ones come first."""
    return sorted(folder.glob(f"{names}{kind}"), key=lambda path: (_number(path), path.name))


def next_number(folder: Path) -> str:
    """Return the prefix of the next picture's name, which sorts after all others."""
    pictures = [*folder.glob(f"*{PICTURE}"), *folder.glob(f"*{OF_MOVE}")]
    return f"{max(map(_number, pictures), default=0) + 1:0{_ORDER_DIGITS}d}"


def _number(path: Path) -> int:
    number = path.name.partition("-")[0]
    return int(number) if len(number) >= _ORDER_DIGITS and number.isascii() and number.isdecimal() else 0


def tidy(folder: Path, policy: PicturePolicy) -> None:
    """Delete the pictures of a folder that exceed the policy's number or days; ignore errors and other files."""
    for kind, most in ((PICTURE, policy.most), (OF_MOVE, MOVES_A_PICTURE * policy.most)):
        days, day = 0, date.max
        for place, path in enumerate(reversed(in_order(folder, kind=kind))):
            before, day = day, date.min
            with suppress(OSError, ValueError, OverflowError):
                day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
            days += day != before
            if place >= most or days > max(policy.days, 1):
                with suppress(OSError):
                    path.unlink()


def make_private_folder(folder: Path) -> None:
    """Make a folder for its owner only; close an existing one to others.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        folder.chmod(0o700)
