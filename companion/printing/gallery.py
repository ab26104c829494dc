"""Small pictures of whole kits, for guides: a board and some of its pages side by side.

`python -m companion.printing.gallery FOLDER` writes one PNG a game.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from companion.locale import english
from companion.printing.contents import Options, Part, parts_of, print_parts
from companion.printing.kits import games_with_kits
from companion.printing.preview import page_pictures, png
from companion.printing.themes import THEMES
from vision.file_access import write_atomically
from vision.frame import ImageBgr

_HEIGHT_PX, _GAP_PX = 300, 10
_GROUND = (122, 126, 130)
_ORDER = ("cards", "flags", "standees", "pieces", "aid")
_SHOWN = 2
"""How many pages beside the board are shown."""


def kit_picture(game: str, options: Options) -> ImageBgr:
    """Draw a game's board and the first pages of its other parts in a row, uint8 (height, width, 3)."""
    parts = parts_of(game, options)
    chosen = [part for part in parts[1:] if part.key in _ORDER]
    pages = [_first_page(part, options) for part in (parts[0], *_best(chosen))]
    resized = [_framed(page) for page in pages]
    return np.hstack(resized)


def _best(parts: list[Part]) -> list[Part]:
    """Choose what shows most of a game."""
    return sorted(parts, key=lambda part: _ORDER.index(part.key))[:_SHOWN]


def _first_page(part: Part, options: Options) -> ImageBgr:
    return next(page_pictures(print_parts(part.title, [part], options), 3.0))


def _framed(page: ImageBgr) -> ImageBgr:
    """Resize a page to the common height, and put a gap round it."""
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
            picture = kit_picture(game, Options(theme=theme, whole=True, marked=False))
            write_atomically(folder / f"{game}.png", png(picture))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
