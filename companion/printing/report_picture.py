"""A game's report as a picture: its result, the course of the game, and the last key moments."""

from __future__ import annotations

from companion.games.kit import SCALE_PT, Rectangle, Words
from companion.printing.document import Document
from companion.printing.paper import Paper
from companion.printing.pictures import page_pictures, png
from companion.printing.plot import HEIGHT_MM, WIDTH_MM, Plot, plot_drawing
from companion.printing.report_page import Report
from companion.printing.themes import THEMES
from companion.ui.console import printable

_EDGE_MM, _TITLE_MM = 5.0, 19.0
_SCENES, _CAPTION_MM, _GAP_MM = 3, 17.0, 4.0
_PX_PER_MM = 130 / 25.4


def report_png(report: Report, plot: Plot) -> bytes:
    """Return result, plot and key moments as one PNG."""
    scenes = [(scene, scene.board) for scene in report.scenes if scene.board is not None][-_SCENES:]
    side = (WIDTH_MM - _GAP_MM * (_SCENES - 1)) / _SCENES
    top = _EDGE_MM + _TITLE_MM + HEIGHT_MM
    heights = (min(side, side * board.height_mm / board.width_mm) for _scene, board in scenes)
    below = _CAPTION_MM + max(heights) if scenes else 0.0
    paper = Paper("report", WIDTH_MM + 2 * _EDGE_MM, top + below + 2 * _EDGE_MM)
    document = Document(report.title, THEMES["wood"])
    with document.page(paper) as pen:
        title = f"{report.title}\n{printable(report.result)}"
        pen.items(
            [
                Rectangle((0.0, 0.0, paper.width_mm, paper.height_mm), fill=(255, 253, 248)),
                Words((_EDGE_MM, _EDGE_MM, WIDTH_MM, _TITLE_MM - 4), title, 18.0, weight="bold", upright="top"),
            ]
        )
        pen.moved(_EDGE_MM, _EDGE_MM + _TITLE_MM).items(plot_drawing(plot).items)
        for place, (scene, board) in enumerate(scenes):
            left = _EDGE_MM + place * (side + _GAP_MM)
            caption = f"{scene.heading}\n{printable(scene.caption)}"
            box = (left, top + _EDGE_MM, side, _CAPTION_MM - 1.0)
            pen.items([Words(box, caption, SCALE_PT["text"], align="left", upright="top")])
            pen.fitted(board, (left, top + _EDGE_MM + _CAPTION_MM, side, side))
    (picture,) = page_pictures(document.pdf(), _PX_PER_MM)
    return png(picture)
