"""What a game needs on paper, as values: drawings of a few simple shapes in mm, pieces, cards and short texts.

A game describes its kit here; `companion.printing` puts it on pages. Coordinates are mm from a drawing's top-left
corner, x to the right, y down. A colour is an RGB triple, or a role that the theme of the print resolves ("ink").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
Colour: TypeAlias = Rgb | str
Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width, height."""

SCALE_PT: Mapping[str, float] = {"small": 7.5, "text": 10.0, "heading": 14.0, "title": 24.0, "display": 40.0}
"""The one typographic scale of all that is printed; boards' inscriptions are as large as their cells allow."""

Align: TypeAlias = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle, filled or outlined or both; `corner_mm` rounds its corners."""

    box: Box
    fill: Colour | None = None
    line: Colour | None = None
    line_mm: float = 0.3
    corner_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle, filled or outlined or both."""

    centre: Point
    radius_mm: float
    fill: Colour | None = None
    line: Colour | None = None
    line_mm: float = 0.3


@dataclass(frozen=True, slots=True)
class KitLine:
    """A straight line; `dash_mm` 0 for a continuous one."""

    start: Point
    end: Point
    colour: Colour = "ink"
    line_mm: float = 0.3
    dash_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed polygon, filled or outlined or both."""

    points: tuple[Point, ...]
    fill: Colour | None = None
    line: Colour | None = None
    line_mm: float = 0.3


@dataclass(frozen=True, slots=True)
class Symbol:
    """An ornament by its name (`companion.printing.ornaments`), as large as a square of `size_mm` about a middle.

    `colours` paint its parts in order, the last one those that are left; `turn_deg` turns it clockwise.
    """

    name: str
    centre: Point
    size_mm: float
    colours: tuple[Colour, ...] = ("ink",)
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """Text in a box: wrapped, centred upright, and set smaller where it would not fit; "\\n" begins a new paragraph."""

    box: Box
    text: str
    size_pt: float = SCALE_PT["text"]
    colour: Colour = "ink"
    align: Align = "centre"
    weight: Literal["regular", "bold", "italic"] = "regular"
    turn_deg: float = 0.0
    upright: Literal["top", "middle"] = "middle"


@dataclass(frozen=True, slots=True)
class Mark:
    """A square marker with its white border; `side_mm` is the black square's, `border_mm` the white around it."""

    dictionary: str
    number: int
    centre: Point
    side_mm: float
    border_mm: float


Item: TypeAlias = Rectangle | Circle | KitLine | Polygon | Symbol | Words | Mark


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing of a width and height in mm; later items cover earlier ones.

    `outline` is the cutting line: the whole rectangle, or a circle inside it.
    """

    width_mm: float
    height_mm: float
    items: tuple[Item, ...] = ()
    outline: Literal["rectangle", "circle", "none"] = "rectangle"


@dataclass(frozen=True, slots=True)
class KitSheet:
    """Drawings that are cut out: each as often as the list has it, with a back of its own or none.

    Attributes:
        key: the word for it on the command line ("cards").
        title: for users, on the page.
        fronts: what is cut out.
        backs: the other side of each, empty where the back stays white.
        note: a sentence on how to use it.
        declared: whether the camera reads them, and expects a look that is not in the shipped table file.
    """

    key: str
    title: str
    fronts: tuple[Drawing, ...]
    backs: tuple[Drawing, ...] = ()
    note: str = ""
    declared: bool = False


@dataclass(frozen=True, slots=True)
class FlatPiece:
    """A kind of paper piece that is put flat on a cell.

    Attributes:
        label: the label of the table file that it is read as, or a part of it.
        name: for users.
        count: how many one set has.
        colour, symbol: what distinguishes it, twice, for players who see few colours.
        size_mm: diameter, or side of a square one.
        ring: whether a white dot distinguishes it from the same colour's common pieces.
    """

    label: str
    name: str
    count: int
    colour: Colour
    symbol: str
    size_mm: float
    ring: bool = False


@dataclass(frozen=True, slots=True)
class KitMarks:
    """Ids of the markers of one game's pieces: `labels` in order, from `first_id` on; `size_mm` is a marker's side.

    The ranges of two games do not overlap, so that a piece of another game on the table is noticed.

    Attributes:
        sizes: side by label where it is not `size_mm`.
        dice: values of the faces of marked dice, whose ids follow those of the labels; "null" is a face without one.
        dice_count: how many are thrown at once.
        standing_mm: height of the standing figures of the kit; 0 if it has none.
        dice_mm, dice_mark_mm: sides of a die and of the markers on it, the same in all kits.
    """

    first_id: int
    labels: tuple[str, ...]
    size_mm: float
    sizes: Mapping[str, float] = field(default_factory=dict)
    dice: tuple[str, ...] = ()
    dice_count: int = 0
    standing_mm: float = 0.0
    dice_mm: ClassVar[float] = 28.0
    dice_mark_mm: ClassVar[float] = 14.0

    def size_of(self, label: str) -> float:
        """Return the side of a label's marker in mm."""
        return self.sizes.get(label, self.size_mm)

    @property
    def dice_ids(self) -> dict[str, int]:
        """The id of each value of a marked die."""
        first = self.first_id + len(self.labels)
        return {value: first + place for place, value in enumerate(self.dice)}

    @property
    def ids(self) -> dict[str, int]:
        """The id of each label."""
        return {label: self.first_id + place for place, label in enumerate(self.labels)}


@dataclass(frozen=True, slots=True)
class BoardDetails:
    """What the table file leaves open about the printed board.

    Attributes:
        ornaments: an ornament for a cell, by the cell's name.
        values: a small number in a cell's corner.
        card_outlines: whether cells show the outline of a card instead of a frame.
        starts: a symbol and its colour on single cells.
        pads: a letter for each kind of place beside the cells.
    """

    ornaments: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)
    card_outlines: bool = False
    starts: Mapping[str, tuple[str, Colour]] = field(default_factory=dict)
    pads: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kit:
    """All that one game has printed; texts are in the language of the moment.

    Attributes:
        board: details of the board.
        pieces: flat pieces.
        marks: markers that the pieces can bear.
        flat: diameter in mm of the paper disc that replaces each piece of the table file.
        sheets: what else is cut out: cards, tiles, nets; the argument says whether they bear markers.
        also_needed: what paper cannot give, such as dice.
        plain: whether the camera reads the pieces without markers, too.
        title: the game's name, which the table file has.
        turn, credit: the turn in at most seven sentences, and who made the game, as its guide has them.
    """

    board: BoardDetails
    pieces: tuple[FlatPiece, ...]
    marks: KitMarks
    flat: Mapping[str, float]
    sheets: Callable[[bool], tuple[KitSheet, ...]]
    also_needed: tuple[str, ...] = ()
    plain: bool = True
    title: str = ""
    turn: tuple[str, ...] = ()
    credit: str = ""
