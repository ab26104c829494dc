"""What several kits have: dice of card, standing figures to fold, cards with a table of points, pieces of the seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from companion.games.kit import SCALE_PT, Drawing, Item, KitLine, KitMarks, KitSheet, Rectangle, Symbol, Words
from companion.games.kit_shapes import card, cube_net, marked_face, moved
from companion.locale import _

_LEFT, _WIDTH = 6.0, 51.0
"""Of a table on a card, in mm."""


def fold_note() -> str:
    """Return how a net becomes a die."""
    return _("Cut along the outline, fold, and glue the flaps.")


def dice_sheet(nets: Sequence[Drawing], *, marked: bool) -> KitSheet:
    """Return a sheet of nets of dice; a table file declares those with markers."""
    return KitSheet("dice", _("Dice"), tuple(nets), (), fold_note(), declared=marked)


def marked_die(marks: KitMarks, values: Sequence[str], sign: Callable[[str], Iterable[Item]]) -> Drawing:
    """Draw the net of a die with a marker on each face.

    Args:
        marks: of the game.
        values: of the faces, in the order of `cube_net`.
        sign: gives what the players see of a value, in the strip beside the marker.
    """
    side = marks.dice_mm
    faces = [marked_face(marks.dice_ids[value], marks.dice_mark_mm, sign(value)) for value in values]
    return cube_net(faces, side)


def standing_figure(figure: Symbol, foot: tuple[float, float], figure_mm: float, on_foot: Sequence[Item]) -> Drawing:
    """Draw a strip to fold: foot, figure upside down, figure, foot; one foot is in front of the figure, one behind it.

    Args:
        figure: drawn twice; its place does not matter.
        foot: width and height of a foot.
        figure_mm: height of the part of the strip that bears a figure.
        on_foot: what is on each foot, mm from its top-left corner.
    """
    width, base = foot
    middle, height = width / 2, 2 * (base + figure_mm)
    folds = (base, base + figure_mm, base + 2 * figure_mm)
    items: list[Item] = [
        replace(figure, centre=(middle, base + figure_mm / 2), turn_deg=180.0),
        replace(figure, centre=(middle, base + 1.5 * figure_mm)),
        *on_foot,
        *(moved(item, 0.0, folds[2]) for item in on_foot),
        *(KitLine((0, y), (width, y), "hairline", 0.3, 1.5) for y in folds),
    ]
    return Drawing(width, height, tuple(items))


def glue_note() -> str:
    """Return how a strip becomes a standing figure with a foot in front of it and one behind it."""
    return _(
        "Glue the two figures back to back, fold one foot to the front and one to the back, and glue them on card."
    )


def points_card(
    title: str, rows: Sequence[tuple[Symbol | Words, int]], pitch_mm: float, below: Sequence[Item] = ()
) -> Drawing:
    """Draw a card with a table of what something is worth.

    Args:
        title: above the table.
        rows: a symbol or words, whose place does not matter, and the points.
        pitch_mm: from one row to the next.
        below: what else is on the card.
    """
    items: list[Item] = [Words((_LEFT, 6, _WIDTH, 10), title, SCALE_PT["heading"], "ink", "centre", "bold")]
    for k, (sign, value) in enumerate(rows):
        items += _row(17.5 + pitch_mm * k, pitch_mm - 0.6, sign, value, shaded=bool(k % 2))
    return card((*items, *below))


def _row(top: float, height: float, sign: Symbol | Words, value: int, *, shaded: bool) -> Iterator[Item]:
    yield Rectangle((_LEFT, top, _WIDTH, height), fill="tint" if shaded else "white")
    if isinstance(sign, Symbol):
        yield replace(sign, centre=(14, top + height / 2))
    else:
        yield replace(sign, box=(8, top, 28, height), align="left")
    yield Words((38, top, 17, height), str(value), SCALE_PT["heading"], "accent", "right", "bold")
