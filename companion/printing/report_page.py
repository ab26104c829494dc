"""A game's report as values, as one self-contained HTML page with every text escaped, and as a picture."""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from io import BytesIO, StringIO
from typing import Any

import matplotlib as mpl
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D
from matplotlib.patches import Circle as CirclePatch
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.patches import Polygon as PolygonPatch
from matplotlib.path import Path
from matplotlib.patheffects import Normal, Stroke
from matplotlib.ticker import MaxNLocator

from companion.games.kit import Circle, Colour, Drawing, KitLine, Polygon, Rectangle, Symbol, Words
from companion.locale import _
from companion.printing.ornaments import placed_symbol
from companion.printing.text import MM
from companion.printing.themes import THEMES, Theme, hex_colour
from companion.ui.console import printable

_TEMPLATE = "report.html"


@dataclass(frozen=True, slots=True)
class ReportPlayer:
    """One player at the end.

    Attributes:
        name: their name.
        points: their points.
        colour: the colour of their line and sign, "#rrggbb".
        won: whether they have won.
        score: how their points come about; "" if the game does not explain it.
    """

    name: str
    points: int
    colour: str
    won: bool = False
    score: str = ""


@dataclass(frozen=True, slots=True)
class ReportScene:
    """A moment of the game.

    Attributes:
        heading: its heading.
        caption: what happened.
        board: the table after it; None if it cannot be drawn.
        svg: the same as an SVG element, "" if it cannot be drawn; its definitions are those of the replay.
    """

    heading: str
    caption: str
    board: Drawing | None = None
    svg: str = ""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """The change of one action.

    Attributes:
        cells: the id of the definition of what is on each changed cell, None for nothing.
        caption: the action and its consequences.
    """

    cells: Mapping[str, str | None]
    caption: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game to step through.

    Attributes:
        svg: the table at the end, with the definitions of all that was on it in the game.
        middles: the middle of each place in the drawing.
        cell: width and height of a cell.
        steps: the start position as a change from the empty table, then every action.
        photographs: pictures of the table after actions, by the action's number.
    """

    svg: str
    middles: Mapping[str, tuple[float, float]]
    cell: tuple[float, float]
    steps: Sequence[ReplayStep]
    photographs: Mapping[int, Photograph] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One action in words.

    Attributes:
        number: counted from 1.
        text: the action and its consequences.
        remark: a comment of the review; "" without one.
    """

    number: int
    text: str
    remark: str = ""


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
        players: in turn order.
        notes: remarks, such as what does not count.
        scenes: the moments at which most changed, and the end.
        legend: signs of the drawings with their meanings.
        review: sentences about how the game was played.
        entries: the whole game in words.
        photographs: pictures that were kept, except those of single moves.
        replay: the game to step through; None if its table cannot be drawn.
    """

    language: str
    title: str
    facts: Sequence[str]
    result: str
    players: Sequence[ReportPlayer]
    notes: Sequence[str] = ()
    scenes: Sequence[ReportScene] = ()
    legend: Mapping[str, str] = field(default_factory=dict)
    review: Sequence[str] = ()
    entries: Sequence[ReportEntry] = ()
    photographs: Sequence[Photograph] = ()
    replay: Replay | None = None


def html_page(report: Report, plot_svg: str) -> str:
    """Return a report as one HTML page that loads nothing from anywhere.

    Args:
        report: its contents.
        plot_svg: the plot of the score, an SVG element whose texts are escaped already.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    source = resources.files(__package__).joinpath(_TEMPLATE).read_text("utf-8")
    plot = Markup(plot_svg)  # noqa: S704 - our own drawing; matplotlib escapes its texts
    drawings = {"replay": report.replay.svg} if report.replay else {}
    # our own drawings; their texts are escaped where they are made
    drawings |= {scene.heading: scene.svg for scene in report.scenes}
    page = environment.from_string(source).render(
        report=report,
        plot=plot,
        words=_words(),
        drawings={name: Markup(svg) for name, svg in drawings.items()},  # noqa: S704
        replay_data=_replay_data(report.replay),
    )
    return "\n".join(map(printable, page.split("\n")))


def _replay_data(replay: Replay | None) -> Mapping[str, object]:
    """Return the data for the page's script, which JSON can hold."""
    if replay is None:
        return {}
    return {
        "middles": replay.middles,
        "cell": replay.cell,
        "steps": [{"cells": step.cells, "caption": printable(step.caption)} for step in replay.steps],
        "photographs": {number: photograph.source for number, photograph in replay.photographs.items()},
    }


def _words() -> Mapping[str, str]:
    return {
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
    }


# ---- plots of a game with matplotlib: the score over the actions as SVG, and a report's picture as PNG

_DASHES = ("solid", "dashed", "dotted", "dashdot")
"""Styles of the lines, which are not distinguished by colour alone."""

_INK, _FAINT = "#24211c", "#6b6456"
_LABEL_APART = 0.055
"""Distance of the names at the ends of the lines, over the plot's height."""

_WIDTH_IN, _PLOT_HEIGHT_IN, _DPI = 9.0, 4.0, 130
_SCENES_DRAWN = 3


@dataclass(frozen=True, slots=True)
class Track:
    """One player's line: name, colour "#rrggbb", and for each point an action's number and the value after it."""

    name: str
    colour: str
    points: Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Plot:
    """The course of a game.

    Attributes:
        tracks: one line for each player.
        values: the label of the axis of values.
        actions: the label of the axis of actions.
        marked: the numbers of actions that are marked as key moments.
    """

    tracks: Sequence[Track]
    values: str
    actions: str
    marked: Sequence[int] = ()

    @property
    def changes(self) -> bool:
        """Whether any value changes; if nobody ever scores, there is nothing to draw."""
        return len({value for track in self.tracks for _action, value in track.points}) > 1


def plot_svg(plot: Plot) -> str:
    """Return a plot as an SVG element; equal plots give equal texts."""
    with _style():
        figure = Figure(figsize=(_WIDTH_IN, _PLOT_HEIGHT_IN), layout="constrained")
        _draw(figure.add_subplot(), plot)
        written = StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = written.getvalue()
    return text[text.index("<svg") :]


def report_png(report: Report, plot: Plot) -> bytes:
    """Return the plot with result and key moments as one PNG."""
    scenes = [scene for scene in report.scenes if scene.board is not None][-_SCENES_DRAWN:]
    with _style():
        figure = Figure(figsize=(_WIDTH_IN, 8.4 if scenes else 5.2), layout="constrained", facecolor="#fffdf8")
        title = "\n".join([report.title, *textwrap.wrap(printable(report.result), 80)])
        figure.suptitle(title, fontsize=14, fontweight="bold", parse_math=False)
        grid = GridSpec(2 if scenes else 1, max(1, len(scenes)), figure=figure)
        _draw(figure.add_subplot(grid[0, :]), plot)
        for place, scene in enumerate(scenes):
            _draw_scene(figure.add_subplot(grid[1, place]), scene)
        written = BytesIO()
        figure.savefig(written, format="png", dpi=_DPI)
    return written.getvalue()


@contextmanager
def _style() -> Iterator[None]:
    with (
        warnings.catch_warnings(),
        mpl.rc_context(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": "companion",
                "font.size": 10,
                "axes.edgecolor": _FAINT,
                "axes.labelcolor": _FAINT,
                "text.color": _INK,
                "xtick.color": _FAINT,
                "ytick.color": _FAINT,
            }
        ),
    ):
        # a name may have letters of any script; the font shows a box in place of one that it lacks
        warnings.filterwarnings("ignore", "Glyph .* missing from|Matplotlib currently does not support", UserWarning)
        yield


def _draw(axes: Axes, plot: Plot) -> None:
    for place, track in enumerate(plot.tracks):
        numbers, values = zip(*track.points, strict=True)
        (line,) = axes.plot(
            numbers,
            values,
            drawstyle="steps-post",
            color=track.colour,
            linestyle=_DASHES[place % len(_DASHES)],
            linewidth=2.4,
        )
        line.set_path_effects([Stroke(linewidth=3.6, foreground=_INK, alpha=0.35), Normal()])
    for number in plot.marked:
        axes.axvline(number, color=_FAINT, linewidth=0.8, linestyle=":")
    axes.set_xlabel(plot.actions, parse_math=False)
    axes.set_ylabel(plot.values, parse_math=False)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    if not plot.changes:
        axes.set_ylim(0, 1)
    axes.grid(axis="y", color="#e8e0cd")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_facecolor("none")
    _label_ends(axes, plot.tracks)


def _label_ends(axes: Axes, tracks: Sequence[Track]) -> None:
    """Write every player's name at the end of the line; move names apart that would overlap."""
    low, high = axes.get_ylim()
    apart = (high - low) * _LABEL_APART
    below = low - apart
    for track in sorted((track for track in tracks if track.points), key=lambda track: track.points[-1][1]):
        number, value = track.points[-1]
        below = max(value, below + apart)
        axes.annotate(
            textwrap.shorten(printable(track.name), 22, placeholder="…"),
            (number, below),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontweight="bold",
            annotation_clip=False,
            parse_math=False,
        )


def _draw_scene(axes: Axes, scene: ReportScene) -> None:
    axes.set_axis_off()
    if scene.board is not None:
        _draw_board(axes, scene.board, THEMES["wood"])
    caption = "\n".join([scene.heading, *textwrap.wrap(printable(scene.caption), 46, max_lines=3, placeholder=" …")])
    axes.set_title(caption, fontsize=8, loc="left", parse_math=False)


_SCENE_PT = _WIDTH_IN * 72 / _SCENES_DRAWN
"""Approximate width of a scene."""


def _draw_board(axes: Axes, board: Drawing, theme: Theme) -> None:
    """Draw a table, in mm from its top-left corner, with lines and letters to scale."""
    axes.set_xlim(0, board.width_mm)
    axes.set_ylim(board.height_mm, 0)
    axes.set_aspect("equal")
    point = _SCENE_PT / max(board.width_mm, board.height_mm)  # of the page, in a mm of the table

    order = 0

    def inks(fill: Colour | None, line: Colour | None, line_mm: float) -> dict[str, Any]:
        face, edge = ("none" if colour is None else hex_colour(theme.rgb(colour)) for colour in (fill, line))
        return {"facecolor": face, "edgecolor": edge, "linewidth": line_mm * point, "zorder": order}

    def add(artist: Artist) -> None:
        artist.set_in_layout(False)  # the axes have their limits; looking at each of a thousand takes seconds
        axes.add_artist(artist)

    for order, item in enumerate(board.items):
        match item:
            case Rectangle((x, y, width, height), fill, line, line_mm, corner_mm):
                shape = f"round,pad=0,rounding_size={corner_mm}" if corner_mm else "square,pad=0"
                add(FancyBboxPatch((x, y), width, height, shape, **inks(fill, line, line_mm)))
            case Circle(centre, radius_mm, fill, line, line_mm):
                add(CirclePatch(centre, radius_mm, **inks(fill, line, line_mm)))
            case KitLine((x, y), (to_x, to_y), colour, line_mm):
                ink = hex_colour(theme.rgb(colour))
                add(Line2D((x, to_x), (y, to_y), color=ink, linewidth=line_mm * point, zorder=order))
            case Polygon(points, fill, line, line_mm):
                add(PolygonPatch(points, **inks(fill, line, line_mm)))
            case Symbol():
                for colour, (outer, *inner) in placed_symbol(item):
                    # matplotlib leaves a hole where an outline within another one goes the other way round
                    ways = (outer, *(way[::-1] for way in inner))
                    paths = [Path((*way, way[0]), closed=True) for way in ways]
                    add(PathPatch(Path.make_compound_path(*paths), **inks(colour, None, 0.0)))
            case Words((x, y, width, height), text, size_pt, colour):
                axes.text(
                    x + width / 2, y + height / 2, text, ha="center", va="center", fontsize=size_pt / MM * point,
                    color=hex_colour(theme.rgb(colour)), rotation=-item.turn_deg, clip_on=True,
                    zorder=order, parse_math=False, in_layout=False,
                )  # fmt: skip
