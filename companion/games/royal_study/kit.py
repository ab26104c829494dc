"""The Royal Study on paper: sixty objective cards with mirrored backs, the five pieces, the turn in six sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.kit import (
    SCALE_PT,
    BoardDetails,
    Circle,
    Drawing,
    FlatPiece,
    Item,
    Kit,
    KitMarks,
    KitSheet,
    Mark,
    Rectangle,
    Rgb,
    Symbol,
    Words,
)
from companion.games.kit_shapes import fold_note, piece_mark, standing_figure, tray_net
from companion.locale import _
from companion.ui.names import label_name
from engines.royal_study.board import Piece
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import Placement
from engines.royal_study.search import DIFFICULTIES, difficulties
from vision.board import shipped_board

_PIECES: Mapping[str, str] = {piece.value: piece.name.lower() for piece in Piece}
_FOOT_MM, _FIGURE_MM = (34.0, 21.6), 36.0
"""Width and depth of each of a figure's two feet, which together fit on a cell, and a figure's height."""

_MARKS = KitMarks(24, tuple(_PIECES.values()), 16.0, standing_mm=_FIGURE_MM)
_DISC_MM = 44.0
_WALL_MM, _SLACK_MM = 24.0, 2.0
"""Height of the card holder's walls, for sixty cards, and how much larger it is than a card."""

_COLOURS: Mapping[str, Rgb] = {
    "king": (30, 30, 32),
    "queen": (200, 40, 38),
    "rook": (38, 84, 178),
    "bishop": (44, 140, 68),
    "knight": (120, 50, 140),
}
"""Colours of the flat discs, by which the camera reads those without markers."""


def kit() -> Kit:
    """Return the kit in the current language."""
    return Kit(
        board=BoardDetails(),
        pieces=tuple(FlatPiece(name, label_name(name), 1, _COLOURS[name], name, _DISC_MM) for name in _PIECES.values()),
        marks=_MARKS,
        flat=dict.fromkeys(_PIECES.values(), _DISC_MM),
        sheets=_sheets,
        also_needed=(_("no hourglass: the screen counts the seconds; your own, or a phone, does as well"),),
    )


def _sheets(marked: bool) -> tuple[KitSheet, ...]:  # noqa: FBT001 - the kit's signature
    difficulty = [1 + DIFFICULTIES.index(name) for name in difficulties(CARDS)]
    fronts = tuple(_card(number, shown, difficulty[number]) for number, shown in enumerate(CARDS))
    backs = tuple(_card(number, shown, difficulty[number], mirrored=True) for number, shown in enumerate(CARDS))
    note = _("Print on both sides: each back is the mirror image of its face.")
    glue = _(
        "Glue the two figures back to back, fold one foot to the front and one to the back, and glue them on card."
    )
    width, height = shipped_board("royal-study").cards["size"]
    holder = tray_net(width + _SLACK_MM, height + _SLACK_MM, _WALL_MM, _("Objective cards"))
    # pieces to fold, with a marker or its name on each foot
    standees = []
    across, deep = _FOOT_MM
    for name in _PIECES.values():
        foot: Item = (
            piece_mark(_MARKS.ids[name], (across / 2, deep / 2), _MARKS.size_mm)
            if marked
            else Words((2, 4, across - 4, deep - 8), label_name(name), SCALE_PT["heading"], "ink", "centre", "bold")
        )
        standees.append(standing_figure(Symbol(name, (0, 0), 30.0), _FOOT_MM, _FIGURE_MM, (foot,)))
    return (
        KitSheet("cards", _("Objective cards"), fronts, backs, note),
        KitSheet("holder", _("Card holder"), (holder,), (), fold_note()),
        KitSheet("standees", _("Standing pieces"), tuple(standees), (), glue, declared=True),
    )


def _card(number: int, shown: Placement, difficulty: int, *, mirrored: bool = False) -> Drawing:
    """Return one side of a card, with the measures of the table file, which the reader uses, too."""
    cards = shipped_board("royal-study").cards
    (width, height), (x, y) = cards["size"], cards["marker_centre"]
    base = cards["back_base"] if mirrored else cards["face_base"]
    side = cards["marker_side"]
    mark = Mark(shipped_board("royal-study").markers.dictionary, base + number, (x, y), side, side / 8 * 1.25)
    items = (
        Rectangle((0, 0, width, height), fill="white"),
        Rectangle((2, 2, width - 4, height - 4), line="hairline", corner_mm=2.0),
        Words((4.5, 6, 14, 9), str(number), SCALE_PT["title"], "ink", "centre", "bold"),
        *(
            Circle((49.0 + 4.2 * (k - 1), 11.0), 1.4, "accent" if k < difficulty else None, "accent")
            for k in range(len(DIFFICULTIES))
        ),
        Words((4.5, 15, 14, 6), _("mirrored") if mirrored else "", SCALE_PT["small"], "accent", "centre", "italic"),
        mark,
        *_picture(shown, mirrored=mirrored),
    )
    return Drawing(width, height, items)


def _picture(shown: Placement, *, mirrored: bool) -> Iterator[Item]:
    board = shipped_board("royal-study")
    side, (x, y) = board.cards["picture_side"], board.cards["picture_centre"]
    cell = side / board.grid.columns
    left, top = x - side / 2, y - side / 2
    for place, letter in enumerate(shown):
        row, column = divmod(place, board.grid.columns)
        column = board.grid.columns - 1 - column if mirrored else column
        box = (left + column * cell, top + row * cell, cell, cell)
        yield Rectangle(box, fill=(206, 188, 160) if (row + column) % 2 == 0 else "white", line="ink", line_mm=0.3)
        if letter in _PIECES:
            yield Symbol(_PIECES[letter], (box[0] + cell / 2, box[1] + cell / 2), 0.8 * cell, ("ink",))
    yield Rectangle((left, top, side, side), line="ink", line_mm=0.7)
