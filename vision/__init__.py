"""From pixels to probabilities: this package knows tables and labels, never rules.

Read a photograph of any table that ships, then look up the label of one cell:

>>> import vision
>>> from pathlib import Path
>>> from vision.recognition.reader import Reading
>>> reading = vision.read(Path("tests/recorded/royal-tee/easy-31.jpg"))
>>> assert isinstance(reading, Reading)  # not Blind, which has the reason
>>> reading.game
'royal-tee'
>>> seen = reading.observation
>>> seen.best()[seen.cells.index("A1")]
'empty'
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from vision.observation import Blind
    from vision.recognition.reader import AnyTableReader, Reading

__all__ = ["read"]


def read(path: Path) -> Reading | Blind:
    """Read a photograph of a known table and return the probabilities of each cell's labels, or why it is unreadable.

    The tables are those that ship and those that other packages have registered. To read many pictures, of a table or
    through a lens of your own, see `vision.recognition.reader`.

    Args:
        path: a JPEG, PNG, WebP or BMP picture.

    Raises:
        UnreadableImageError: the file is not a picture.
    """
    from vision.image_file import load_image  # noqa: PLC0415 - `import vision.labels` must not wait for OpenCV

    return _reader().read(load_image(path))


@cache
def _reader() -> AnyTableReader:
    from vision.board import shipped_board, shipped_games  # noqa: PLC0415 - as above
    from vision.recognition.reader import AnyTableReader  # noqa: PLC0415 - as above

    return AnyTableReader([shipped_board(game) for game in shipped_games()])
