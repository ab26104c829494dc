"""The gallery of kits in the README: `python -m tests.evaluate.gallery deploy/pictures/kits` writes a PNG a game."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from companion.locale import english
from companion.printing.contents import kit_parts, print_parts
from companion.printing.document import page_pictures, png
from companion.printing.kits import games_with_kits
from companion.printing.paper import Options
from companion.printing.themes import THEMES
from vision.file_access import write_atomically
from vision.frame import ImageBgr

_HEIGHT_PX, _GAP_PX = 300, 10
_GROUND = (122, 126, 130)
_SHOWN = 2
"""How many pages are shown next to the board."""


def kit_picture(game: str, options: Options) -> ImageBgr:
    """Return a game's board and the first pages of two other parts in a row, uint8 (height, width, 3)."""
    parts = kit_parts(game, options)
    board, *others = (next(page_pictures(print_parts(part.title, [part], options), 3.0)) for part in parts)
    # the darkest pages have most on them
    return np.hstack([_frame(page) for page in (board, *sorted(others, key=lambda page: float(page.mean()))[:_SHOWN])])


def _frame(page: ImageBgr) -> ImageBgr:
    """Return a page at the common height with a gap round it."""
    ratio = _HEIGHT_PX / page.shape[0]
    small = cv2.resize(page, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    gaps = (_GAP_PX,) * 4
    return np.asarray(cv2.copyMakeBorder(small, *gaps, cv2.BORDER_CONSTANT, value=_GROUND), np.uint8)


def main(folder: Path) -> None:
    """Write the pictures of all kits."""
    folder.mkdir(parents=True, exist_ok=True)
    with english():
        for place, game in enumerate(games_with_kits()):
            theme = list(THEMES.values())[place % len(THEMES)]
            picture = kit_picture(game, Options(theme=theme, whole=True))
            write_atomically(folder / f"{game}.png", png(picture))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
