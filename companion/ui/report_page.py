"""A game's report: what it shows, as values, and one self-contained HTML page of it; every text is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from companion.locale import _
from companion.ui.board_picture import BoardPicture
from companion.ui.console import printable

_TEMPLATE = "report.html"


@dataclass(frozen=True, slots=True)
class ReportPlayer:
    """One player at the end.

    Attributes:
        name: what sentences call them.
        points: what they have.
        colour: of their line and sign, "#rrggbb".
        won: whether they have won.
        score: how their points come about; "" where the game has no explanation.
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
        heading: which one it is.
        caption: what happened.
        board: the table after it; None if it cannot be drawn.
    """

    heading: str
    caption: str
    board: BoardPicture | None = None


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One action in words.

    Attributes:
        number: counted from 1.
        text: what was played and what came of it.
        remark: a comment on it afterwards; "" without one.
    """

    number: int
    text: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture that was kept during the game: what it shows, and the picture as a data URI."""

    caption: str
    source: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report shows.

    Attributes:
        language: its code, such as "de".
        title: the game.
        facts: when it was played, how long it was, what was agreed.
        result: who has won, or that the game is not over.
        players: in turn order.
        notes: what does not count, and the like.
        scenes: the moments at which most changed, and the end.
        legend: signs of the drawings with the words that they stand for.
        review: sentences about how the game was played.
        entries: the whole game in words.
        photographs: what the camera kept.
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


def html_page(report: Report, plot_svg: str) -> str:
    """Return a report as one HTML page that loads nothing from anywhere.

    Args:
        report: what it shows.
        plot_svg: the plot of the score, an SVG element whose texts are escaped already.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    source = resources.files(__package__).joinpath(_TEMPLATE).read_text("utf-8")
    plot = Markup(plot_svg)  # noqa: S704 - our own drawing; matplotlib escapes its texts
    page = environment.from_string(source).render(report=report, plot=plot, words=_words())
    return "\n".join(map(printable, page.split("\n")))


def _words() -> Mapping[str, str]:
    return {
        "result": _("Result"),
        "player": _("Player"),
        "points": _("Points"),
        "won": _("won"),
        "course": _("The course of the game"),
        "moments": _("Key moments"),
        "signs": _("Signs:"),
        "review": _("How it was played"),
        "photographs": _("Photographs"),
        "record": _("The game in words"),
        "made_by": _("Written by the companion."),
    }
