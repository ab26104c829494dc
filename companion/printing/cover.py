"""A kit's cover page (how to print it, what to cut, what else is needed) and the players' aids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.games.kit import SCALE_PT, Drawing, Item, Kit, KitLine, KitSheet, Rectangle, Symbol, Words
from companion.locale import _
from companion.printing.document import Document
from companion.printing.paper import Options, Paper
from companion.printing.text import MM, set_text

_EDGE_MM = 24.0
_AID_MM = (92.0, 118.0)
_AIDS = 4
_AID_EDGE_MM = 8.0


@dataclass(frozen=True, slots=True)
class KitPart:
    """A part of a kit that can be printed.

    Attributes:
        key: its word on the command line.
        title: its title.
        draw: draws it.
        pieces: how many there are to cut out.
        two_sided: whether its backs are printed on the other side of the paper.
        declared: whether a table file goes with it.
    """

    key: str
    title: str
    draw: Callable[[Document], None]
    pieces: int = 1
    two_sided: bool = False
    declared: bool = False


def cover_items(
    kit: Kit, options: Options, entries: Sequence[tuple[KitPart, range]], table_file: str = ""
) -> Iterator[Item]:
    """Yield the items of the cover page, from the top down.

    Args:
        kit: the game's kit.
        options: how it is printed.
        entries: the parts in order, each with its pages.
        table_file: the name of the table file that goes with this print, "" for the shipped one.
    """
    width = options.paper.width_mm - 2 * _EDGE_MM
    yield from _title(kit.title, kit.credit, options.paper, width)
    contents = []
    for part, pages in entries:
        text = _("{title}: page {first}") if len(pages) == 1 else _("{title}: pages {first} to {last}")
        title = part.title if part.pieces == 1 else f"{part.title} ({part.pieces})"
        contents.append(text.format(title=title, first=pages[0], last=pages[-1]))
    needed = [*kit.also_needed, _("scissors or a knife, a ruler, glue, and a camera above the table")]
    if table_file:
        text = _("the table file {file}, which says what these pieces look like: give it with --table")
        needed.append(text.format(file=table_file))
    y = 82.0
    sections = (
        (_("How to print it"), _printing(options, entries, is_plain=kit.plain)),
        (_("What is in it"), contents),
        (_("What to cut and glue"), _cutting(options)),
        (_("What else is needed"), needed),
    )
    for heading, lines in sections:
        yield Words((_EDGE_MM, y, width, 7.0), heading, SCALE_PT["heading"], "accent", "left", "bold")
        y += 9.0
        for line in lines:
            words = Words((_EDGE_MM + 5, y, width - 5, 30.0), line, SCALE_PT["text"], "ink", "left", upright="top")
            height = set_text(words).height_mm
            yield Symbol("diamond", (_EDGE_MM + 1.6, y + 0.6 * SCALE_PT["text"] / MM), 1.8, ("accent",))
            yield words
            y += height + 1.0
        y += 4.5


def _title(title: str, credit: str, paper: Paper, width: float) -> Iterator[Item]:
    middle = paper.width_mm / 2
    yield Symbol("rosette", (middle, 30.0), 20.0, ("accent-2", "accent", "white"))
    yield Words((_EDGE_MM, 43.0, width, 18.0), title, SCALE_PT["display"], "ink", "centre", "bold")
    sentence = _("A kit to print, cut out and play: the companion's camera reads it.")
    yield Words((_EDGE_MM, 60.5, width, 5.0), sentence, SCALE_PT["text"], "soft", "centre", "italic")
    yield Words((_EDGE_MM, 65.0, width, 5.0), credit, SCALE_PT["text"], "soft", "centre", "italic")
    for start, end in ((_EDGE_MM, middle - 26), (middle + 26, _EDGE_MM + width)):
        yield KitLine((start, 73.0), (end, 73.0), "hairline")
    for k in (-1, 0, 1):
        yield Symbol("eyes", (middle + 14 * k, 73.0), 8.0, ("accent-2", "accent"))


def _printing(options: Options, entries: Sequence[tuple[KitPart, range]], *, is_plain: bool) -> Iterator[str]:
    text = _("On {paper} paper at 100 % (“actual size”), not fitted to the page. Measure the bar of 100 mm first.")
    yield text.format(paper=options.paper.title)
    two_sided = [f"{pages[0]}-{pages[-1]}" for part, pages in entries if part.two_sided]
    if two_sided and options.flip:
        edges = {"long": _("the long edge"), "short": _("the short edge")}
        text = _("Pages {pages} on both sides, turned on {edge}; everything else on one side.")
        yield text.format(pages=", ".join(two_sided), edge=edges[options.flip])
    yield _("Heavy matt paper is best; gloss mirrors lamps.")
    if not options.marked and not is_plain:
        yield _("Without markers the camera does not read these pieces; for the camera, print them with markers.")
    elif not options.marked:
        yield _("The camera often asks about pieces without markers: print the kit without --no-marks to be sure.")
    if two_sided and options.flip:
        yield _("If fronts and backs do not match: companion print calibrate.")


def _cutting(options: Options) -> Iterator[str]:
    if options.cutting:
        yield _(
            "Board: cut each page along its upper and left crop marks, and glue it over the strip of its neighbour."
        )
    yield _("Keep the white border of every marker, and leave no marker covered or creased.")
    if options.cutting:
        yield _("Cards and pieces: along the fine lines; glue pieces on card of 1 to 2 mm before you cut.")


def aid_sheet(kit: Kit) -> KitSheet:
    """Return the player aids of a game, four alike: cards with its name and its turn in numbered sentences."""
    card = Drawing(*_AID_MM, tuple(_aid_items(kit, *_AID_MM)))
    return KitSheet("aid", _("Player aids"), (card,) * _AIDS)


def _aid_items(kit: Kit, width: float, height: float) -> Iterator[Item]:
    yield Rectangle((0, 0, width, height), fill="white")
    yield Rectangle((2.5, 2.5, width - 5, height - 5), line="hairline", corner_mm=2.5)
    inner = width - 2 * _AID_EDGE_MM
    yield Words((_AID_EDGE_MM, 6, inner, 9), kit.title, SCALE_PT["heading"], "ink", "centre", "bold")
    half = width / 2
    yield KitLine((_AID_EDGE_MM, 18.0), (half - 4, 18.0), "hairline")
    yield KitLine((half + 4, 18.0), (width - _AID_EDGE_MM, 18.0), "hairline")
    yield Symbol("rosette", (half, 18.0), 5.0, ("accent-2", "accent", "white"))
    top, bottom = 22.0, height - 7.0
    step = (bottom - top) / len(kit.turn)
    texts = [
        Words((_AID_EDGE_MM + 7, 0.0, inner - 7, step - 0.8), sentence, SCALE_PT["text"], "ink", "left")
        for sentence in kit.turn
    ]
    heights = [set_text(words).height_mm for words in texts]
    gap = (bottom - top - sum(heights)) / len(heights)
    y = top
    for number, (words, high) in enumerate(zip(texts, heights, strict=True), 1):
        yield Words((_AID_EDGE_MM, y, 6.0, high + gap), str(number), SCALE_PT["heading"], "accent", "left", "bold")
        yield replace(words, box=(words.box[0], y, words.box[2], high + gap))
        y += high + gap
