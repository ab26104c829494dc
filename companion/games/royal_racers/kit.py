"""Royal Racers on paper: 36 playing cards, flags, pawns, the dice of the four suits, the turn in six sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games import kit_shapes, playing_cards
from companion.games.kit import (
    SCALE_PT,
    BoardDetails,
    Circle,
    Drawing,
    FlatPiece,
    Item,
    Kit,
    KitLine,
    KitMarks,
    KitSheet,
    Point,
    Rectangle,
    Rgb,
    Symbol,
    Words,
)
from companion.locale import _
from companion.ui.names import label_name
from vision.board import shipped_board
from vision.labels import split_card

_SUITS: Mapping[str, str] = {"suns": "sun", "moons": "moon", "crowns": "crown", "arms": "lily"}
_FLAGS = ("", "A", "2", "3", "4", "5")
_COINS = ("0", "1", "2", "3", "4", "5", "6")
"""Values of the coins of each suit: one point for each flag touched in a race."""

_DIE_FACES = ("", "A", "2", "5", "3", "4")
_DIE_VALUES: Mapping[str, str] = {"": "null", "A": "1"}
_FLAG_MARK_MM, _PAWN_MARK_MM, _PAWN_MM = 16.0, 15.0, 25.8
_COIN_MM, _CORNER_MM = 22.0, 22.0
_FIGURE_MM = 30.0
"""Height of a standing pawn."""

_STARTS = ("C3", "D3", "C4", "D4")


def kit() -> Kit:
    """Return the kit in the current language."""
    seats = shipped_board("royal-racers").seat
    pawns = tuple(
        FlatPiece(f"pawn-{seat.colour}", label_name(f"pawn-{seat.colour}"), 1, seat.rgb, _SUITS[seat.colour], _PAWN_MM)
        for seat in seats
    )
    starts = dict.fromkeys(_STARTS, ("crown", "hairline"))
    return Kit(
        board=BoardDetails(card_outlines=True, starts=starts),
        pieces=pawns,
        marks=_marks(),
        flat={"pawn": _PAWN_MM},
        sheets=_sheets,
    )


def _marks() -> KitMarks:
    board = shipped_board("royal-racers")
    flags = tuple(f"flag-{colour}" for colour in board.colours)
    pawns = tuple(f"pawn-{colour}" for colour in board.colours)
    sizes = {**dict.fromkeys(flags, _FLAG_MARK_MM), **dict.fromkeys(pawns, _PAWN_MARK_MM)}
    labels = (*board.card_words, "back", *flags, *pawns)
    dice = ("null", "1", "2", "3", "4", "5")
    return KitMarks(30, labels, playing_cards.MARK_MM, sizes, dice, 1, standing_mm=_FIGURE_MM)


def _sheets(marked: bool) -> tuple[KitSheet, ...]:  # noqa: FBT001 - the kit's signature
    board = shipped_board("royal-racers")
    ids = _marks().ids if marked else {}
    fronts = tuple(playing_cards.face(*split_card(word), ids.get(word)) for word in board.card_words)
    back = playing_cards.back("accent-2", ids.get("back"))
    flags = tuple(
        _flag(seat.colour, seat.rgb, value, ids.get(f"flag-{seat.colour}")) for seat in board.seat for value in _FLAGS
    )
    dice = tuple(_die(seat.colour, seat.rgb, marked=marked) for seat in board.seat)
    coins = tuple(_coin(seat.colour, seat.rgb, points) for seat in board.seat for points in _COINS)
    corners = tuple(map(_corner, board.cells))
    (across, down), (width, height) = board.grid.pitch, board.cards["size"]
    between = _(
        "Lay the markers first (print markers); cards are {across:g} mm apart across, {down:g} mm down."
    ).format(across=across - width, down=down - height)
    thick = _("Glue them on card of 2 mm, so that they can be picked up.")
    return (
        KitSheet("cards", _("Playing cards"), fronts, (back,) * len(fronts), declared=True),
        KitSheet("flags", _("Flags"), flags, (), thick, declared=True),
        _pawns(ids),
        kit_shapes.dice_sheet(dice, marked=marked),
        KitSheet("coins", _("Coins for a campaign"), coins, (), thick),
        KitSheet("corners", _("Corners instead of the mat"), corners, (), between),
    )


def _flag(colour: str, rgb: Rgb, value: str, mark: int | None) -> Drawing:
    side = float(shipped_board("royal-racers").pieces["flag"].size or 0.0)
    frame = Rectangle((0.9, 0.9, side - 1.8, side - 1.8), line=rgb, line_mm=0.8, corner_mm=1.5)
    ground = Rectangle((0, 0, side, side), fill="white")
    if mark is not None:
        # two markers on one diagonal, and on the other the suit and the value, where a pawn hides no marker
        near, radius = _FLAG_MARK_MM / 2 + _FLAG_MARK_MM / 6 + 1.4, _PAWN_MM / 2
        x, y = side - radius - 0.5, radius + 0.5
        marks = [kit_shapes.piece_mark(mark, (place, place), _FLAG_MARK_MM) for place in (near, side - near)]
        circle = Circle((x, y), radius - 1.4, line="hairline")
        suit = Symbol(_SUITS[colour], (near, side - near), 17.0, (rgb,))
        return Drawing(side, side, (ground, frame, *marks, circle, *_value(value, (x, y), 18.0), suit))
    sign = Symbol(_SUITS[colour], (side / 2, side / 2 + 2), 27.0, (rgb,))
    return Drawing(side, side, (ground, frame, sign, *_value(value, (9.0, 8.6), 10.0)))


def _pawns(ids: Mapping[str, int]) -> KitSheet:
    """Return standing pawns: tents, or with markers figures between two feet that bear the pawn's marker."""
    seats, title = shipped_board("royal-racers").seat, _("Standing pawns")
    if not ids:
        tents = tuple(_pawn(seat.colour, seat.rgb, (26.0, 12.0)) for seat in seats)
        return KitSheet("pawns", title, tents, (), _("Fold to a tent."), declared=True)
    foot = (_PAWN_MARK_MM * 4 / 3,) * 2
    fronts = tuple(_pawn(seat.colour, seat.rgb, foot, ids[f"pawn-{seat.colour}"]) for seat in seats)
    note = _("Glue the figures back to back, a foot to each side. It goes across a card, and over a flag's edge.")
    return KitSheet("pawns", title, fronts, (), note, declared=True)


def _pawn(colour: str, rgb: Rgb, foot: tuple[float, float], mark: int | None = None) -> Drawing:
    """Return a pawn to fold, with a marker on each foot, or its suit if there is none."""
    width, depth = foot
    middle = (width / 2, depth / 2)
    suit, figure = Symbol(_SUITS[colour], middle, 8.0, (rgb,)), Symbol("pawn", (0, 0), width, (rgb,))
    on_foot = suit if mark is None else kit_shapes.piece_mark(mark, middle, _PAWN_MARK_MM)
    return kit_shapes.standing_figure(figure, foot, _FIGURE_MM, (on_foot,))


def _die(colour: str, rgb: Rgb, *, marked: bool) -> Drawing:
    if marked:
        faces = {_DIE_VALUES.get(face, face): face for face in _DIE_FACES}
        return kit_shapes.marked_die(_marks(), list(faces), lambda value: _sign(colour, rgb, faces[value]))
    side, items = kit_shapes.DIE_MM, list[Sequence[Item]]()
    middle = (side / 2, side / 2)
    for face in _DIE_FACES:
        if not face:
            items.append(kit_shapes.ring(middle, 0.25 * side))
        elif face == "A":
            items.append((Symbol(_SUITS[colour], middle, 0.7 * side, (rgb,)),))
        else:
            items.append((Words((0, 0, side, side), face, SCALE_PT["display"], "ink", "centre", "bold"),))
    return kit_shapes.die_net(items)


def _sign(colour: str, rgb: Rgb, face: str) -> Iterator[Item]:
    """Yield the suit in two corners of a marked face, and its value in the third, or a ring for null."""
    for place in kit_shapes.strip_places(2):
        yield Symbol(_SUITS[colour], place, kit_shapes.STRIP_MM - 1.0, (rgb,))
    [corner] = kit_shapes.strip_places(1)
    yield from _value(face, corner, kit_shapes.STRIP_MM)


def _value(face: str, centre: Point, size_mm: float) -> Iterator[Item]:
    if face:
        box = (centre[0] - size_mm / 2, centre[1] - size_mm / 2, size_mm, size_mm)
        yield Words(box, face, SCALE_PT["display"], "ink", "centre", "bold")
    else:
        yield from kit_shapes.ring(centre, 0.4 * size_mm)


def _coin(colour: str, rgb: Rgb, points: str) -> Drawing:
    middle = (_COIN_MM / 2, _COIN_MM / 2)
    return Drawing(
        _COIN_MM,
        _COIN_MM,
        (
            Circle(middle, _COIN_MM / 2, fill="white"),
            Circle(middle, _COIN_MM / 2 - 1.2, line=rgb, line_mm=0.8),
            Words((0, 2.5, _COIN_MM, 11), points, SCALE_PT["title"], "ink", "centre", "bold"),
            Symbol(_SUITS[colour], (_COIN_MM / 2, _COIN_MM - 6.5), 6.0, (rgb,)),
        ),
        outline="circle",
    )


def _corner(cell: str) -> Drawing:
    """Return a corner to be laid at the upper left corner of a card's place."""
    return Drawing(
        _CORNER_MM,
        _CORNER_MM,
        (
            Rectangle((0, 0, _CORNER_MM, _CORNER_MM), fill="white"),
            KitLine((2, 2), (2, _CORNER_MM), "ink", 0.8),
            KitLine((2, 2), (_CORNER_MM, 2), "ink", 0.8),
            Words((4, 4, _CORNER_MM - 5, _CORNER_MM - 5), cell, SCALE_PT["heading"], "ink", "centre", "bold"),
        ),
    )
