"""A game's report as values, as one self-contained HTML page with every text escaped, and as a picture.

The picture has its result, the course of the game, and the last key moments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from companion.games.kit import SCALE_PT, Drawing, Rectangle, Words
from companion.locale import _, unbroken
from companion.printing.board_svg import SvgItems
from companion.printing.document import Document, page_pictures, png
from companion.printing.paper import Paper
from companion.printing.plot import HEIGHT_MM, WIDTH_MM, Plot, plot_drawing
from companion.printing.themes import THEMES
from companion.ui.console import printable

_TEMPLATE = "report.html"


@dataclass(frozen=True, slots=True)
class ReportScene:
    """A moment of the game.

    Attributes:
        heading: its heading.
        caption: what happened.
        board: the table after it; None if it cannot be drawn.
    """

    heading: str
    caption: str
    board: Drawing | None = None


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture that was kept during the game: its caption, and the picture as a data URI."""

    caption: str
    source: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report shows.

    Attributes:
        language: its code, such as "de".
        title: the game.
        facts: when it was played, how long it took, its options.
        result: who has won, or that the game is not over.
        players: in turn order the name, the points, the colour of line and sign ("#rrggbb"), whether they have won, and
            how the points come about, "" if the game does not explain it.
        notes: remarks, such as what does not count.
        scenes: the moments at which most changed, and the end.
        legend: signs of the drawings with their meanings.
        review: sentences about how the game was played.
        entries: the number of each action, counted from 1, the action with its consequences, and a comment of the
            review, "" without one.
        photographs: pictures that were kept, except those of single moves.
        replay_svg: the table at the end, with the definitions of all that was on it in the game; "" if it cannot be
            drawn.
        replay: what the page's script needs to step through the game: the middle of each place in the drawing
            ("middles"), width and height of a "cell", the "photographs" after actions, and the "steps": the start
            position as a change from the empty table, then every action, each with its caption and the definition of
            what is on each changed cell.
    """

    language: str
    title: str
    facts: Sequence[str]
    result: str
    players: Sequence[tuple[str, int, str, bool, str]]
    notes: Sequence[str] = ()
    scenes: Sequence[ReportScene] = ()
    legend: Mapping[str, str] = field(default_factory=dict)
    review: Sequence[str] = ()
    entries: Sequence[tuple[int, str, str]] = ()
    photographs: Sequence[Photograph] = ()
    replay_svg: str = ""
    replay: Mapping[str, Any] = field(default_factory=dict)


def html_page(report: Report, plot: Plot) -> str:
    """Return a report as one HTML page that loads nothing from anywhere.

    Args:
        report: its contents.
        plot: the course of the game, which is shown if anything changes in it.
    """
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda shown: unbroken(shown) if type(shown) is str else shown,  # not our own HTML
    )
    source = resources.files(__package__).joinpath(_TEMPLATE).read_text("utf-8")
    drawings, written = {"replay": report.replay_svg} if report.replay_svg else {}, SvgItems(THEMES["wood"], "s")
    if plot.changes:
        drawings["plot"] = written.drawn(plot_drawing(plot), plot.values)
    boards = [(scene.heading, scene.board) for scene in report.scenes if scene.board is not None]
    drawings |= {heading: written.drawn(board, heading) for heading, board in boards}
    page = environment.from_string(source).render(
        report=report,
        words={
            "result": _("Result"),
            "player": _("Player"),
            "points": _("Points"),
            "won": _("won"),
            "course": _("The course of the game"),
            "moments": _("Key moments"),
            "replay": _("The game move by move"),
            "back": _("One move back"),
            "forward": _("One move on"),
            "by_itself": _("By itself"),
            "signs": _("Signs:"),
            "review": _("How it was played"),
            "photographs": _("Photographs"),
            "record": _("The game in words"),
            "made_by": _("Written by the companion."),
        },
        drawings={name: Markup(svg) for name, svg in drawings.items()},  # noqa: S704 - our own: their texts are escaped
    )
    return "\n".join(map(printable, page.split("\n")))


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
