"""The sections of a table file, in mm on the board plane, each with the constraints on its own values."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Literal, TypedDict

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from engines.sentence import Sentence, unexpected
from vision.image_file import decode_image

MARKER_DICTIONARY = "DICT_APRILTAG_36h11"
"""The dictionary of our boards, which had no false detection on hundreds of photographs of games."""

MARK_DICTIONARY = "DICT_4X4_250"
"""The dictionary of our marked pieces; it has few modules, which suits small pieces."""

MOST_MM = 10_000.0
"""The largest length in a table file: no table is longer than ten metres."""

Length = Annotated[float, msgspec.Meta(gt=0, le=MOST_MM, extra={"expected": Sentence("a length above 0 mm")})]
Place = Annotated[float, msgspec.Meta(ge=-MOST_MM, le=MOST_MM, extra={"expected": Sentence("a length up to 10000 mm")})]
Point = tuple[Place, Place]
Rectangle = tuple[Place, Place, Length, Length]
"""x and y of the top-left corner, width and height."""

Byte = Annotated[int, msgspec.Meta(ge=0, le=255)]
Rgb = tuple[Byte, Byte, Byte]


class PlacedMarker(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One marker on the board plane, in mm; `angle` is its clockwise rotation in degrees, seen from above."""

    id: int
    centre: Point
    angle: Annotated[float, msgspec.Meta(ge=-360, le=360)] = 0.0
    side: Length | None = None


LEAST_PATCHES = 12
"""Least number of patches of print by which a board can be found."""

_Part = Annotated[float, msgspec.Meta(ge=-10, le=10)]


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The picture of an empty board, by which a board without markers is found.

    Attributes:
        patches: the centres of squares of print that are searched for, each as if it were a marker.
        rectangle: the part of the board plane that the picture shows, as if from straight above.
        seen: the picture's corners in the photograph that it was made from, clockwise from the top left, as shares of
            the photograph's width and height. A camera that has not moved sees them there again.
        white: grey level of white in the picture.
        picture: a JPEG or PNG in base64.
    """

    patches: Annotated[tuple[Point, ...], msgspec.Meta(min_length=LEAST_PATCHES)]
    rectangle: Rectangle
    seen: Annotated[tuple[tuple[_Part, _Part], ...], msgspec.Meta(min_length=4, max_length=4)]
    white: Annotated[float, msgspec.Meta(ge=1, le=255)]
    picture: str

    def problems(self) -> Iterator[Sentence]:
        """Yield the invalid values."""
        try:
            size = empty_board(self).shape
        except ValueError as error:
            yield unexpected("markers.printed.picture", "a picture of the empty board in base64", str(error))
        else:
            if max(size) > _MOST_PRINTED_PX:
                yield unexpected("markers.printed.picture", "at most {most} pixels a side", size, most=_MOST_PRINTED_PX)


_MOST_PRINTED_PX = 2000
_MARKER_IDS = 100_000
"""The first id of patches, beyond the ids of every dictionary."""


@lru_cache(maxsize=8)
def empty_board(printed: Printed) -> NDArray[np.uint8]:
    """Decode the picture of an empty board, uint8 (height, width, bgr).

    Raises:
        ValueError: it is not a picture.
    """
    return decode_image(b64decode(printed.picture), "markers.printed.picture")


class Markers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"corners": "centres"}):
    """The features that locate a board: four markers in its corners, three or more placed freely, or its print.

    Attributes:
        dictionary: name of one of OpenCV's dictionaries.
        side: side of the black square in mm, for markers without a side of their own.
        base: id of the top-left marker; the other three corners follow clockwise.
        corners: the centres of these four.
        placed: markers with ids, places and angles of their own, instead of `base` and `centres`.
        printed: the print of a board without markers; `side` is then the side of its patches.
    """

    dictionary: str
    side: Length
    base: int | None = None
    corners: tuple[Point, ...] = ()
    placed: tuple[PlacedMarker, ...] = ()
    printed: Printed | None = None

    @property
    def each(self) -> tuple[PlacedMarker, ...]:
        """All markers, or patches of print, each with its side."""
        if self.printed is not None:
            patches = enumerate(self.printed.patches, start=_MARKER_IDS)
            return tuple(PlacedMarker(id=number, centre=centre, side=self.side) for number, centre in patches)
        if self.base is None:
            return tuple(msgspec.structs.replace(one, side=one.side or self.side) for one in self.placed)
        numbered = enumerate(self.corners, start=self.base)
        return tuple(PlacedMarker(id=number, centre=centre, side=self.side) for number, centre in numbered)

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids; those of corner markers in the order top-left, top-right, bottom-right, bottom-left."""
        return tuple(one.id for one in self.each)

    @property
    def centres(self) -> tuple[Point, ...]:
        """The centres, in the order of `ids`."""
        return tuple(one.centre for one in self.each)

    def corners_mm(self) -> NDArray[np.float64]:
        """Return the corners of the black squares, float64 (n markers, 4 clockwise from their own top left, xy)."""
        square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        squares = []
        for one in self.each:
            cos, sin = np.cos(np.radians(one.angle)), np.sin(np.radians(one.angle))
            turned = square @ np.array([(cos, sin), (-sin, cos)])  # clockwise, as y points down
            squares.append(np.asarray(one.centre) + turned * (one.side or self.side))
        return np.asarray(squares, dtype=np.float64)

    def problems(self) -> Iterator[Sentence]:
        """Yield the invalid values."""
        if self.printed is not None and self.base is None and not self.corners and not self.placed:
            yield from self.printed.problems()
            return
        by_base = self.base is not None
        if self.printed is not None or by_base != bool(self.corners) or by_base == bool(self.placed):
            yield unexpected(
                "markers",
                'either "base" and "centres", or three or more sections [[markers.placed]], or [markers.printed]',
                Sentence("neither, or both"),
            )
            return
        if self.base is not None and len(self.corners) != _CORNERS:
            yield unexpected("markers.centres", "the middles of four markers", self.corners)
        if self.base is None and len(self.placed) < LEAST_MARKERS:
            yield unexpected("markers.placed", "{least} markers or more", len(self.placed), least=LEAST_MARKERS)
        yield from self._place_problems()
        yield from self._id_problems()

    def _place_problems(self) -> Iterator[Sentence]:
        """Yield markers that overlap, and those in one line, far from which a slanting picture misplaces cells."""
        sides = np.array([one.side or self.side for one in self.each])
        centres = np.asarray(self.centres)
        # 1. Squares of any angles overlap if their middles are nearer than half of both sides.
        away_mm = np.linalg.norm(centres[:, None] - centres, axis=2)
        for i, j in np.argwhere(np.triu(away_mm < (sides[:, None] + sides) / 2, k=1)).tolist():
            found = Sentence("ids {ids}, {apart:g} mm apart")
            ids = f"{self.ids[i]}, {self.ids[j]}"
            yield unexpected("markers", "no overlap", found.format(ids=ids, apart=away_mm[i, j]))
        # 2. The line nearest to all middles runs along the first principal direction; the second is across it.
        around = centres - centres.mean(axis=0)
        across = np.linalg.svd(around, full_matrices=False)[2][-1]
        if np.abs(around @ across).max() < sides.min() / 2:
            yield unexpected("markers", "middles that are not all in one line", self.centres)

    def _id_problems(self) -> Iterator[Sentence]:
        """Yield ids that are not in the dictionary, and ids that two markers share."""
        count = markers_in(self.dictionary)
        if not count:
            yield unexpected("markers.dictionary", _A_DICTIONARY, self.dictionary, example="DICT_4X4_50")
            return
        for number, times in Counter(self.ids).items():
            if not 0 <= number < count:
                last, name = count - 1, self.dictionary
                yield unexpected("markers", "ids from 0 to {last}, as {name} has", number, last=last, name=name)
            if times > 1:
                yield unexpected("markers", "another id for each marker", [number] * times)


LEAST_MARKERS = 3
"""Least number of markers; of this many, one can be covered or torn without loss."""

_CORNERS = 4
_A_DICTIONARY = Sentence("the name of one of OpenCV's dictionaries, such as {example}")


@lru_cache
def markers_in(dictionary: str) -> int:
    """Return the number of markers in one of OpenCV's dictionaries; 0 if the name is unknown."""
    known = getattr(cv2.aruco, dictionary, None) if dictionary.startswith("DICT_") else None
    return 0 if known is None else len(cv2.aruco.getPredefinedDictionary(int(known)).bytesList)


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cells: `origin` is the top-left corner of A1 and `pitch` a cell's width and height, in mm.

    Cells are areas unless `lines` is set; then they are points, and each line runs through the centres of its cells.
    """

    columns: Annotated[int, msgspec.Meta(ge=1, le=26)]
    rows: Annotated[int, msgspec.Meta(ge=1, le=99)]
    origin: Point
    pitch: tuple[Length, Length]
    missing: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()
    numbers: tuple[tuple[int, ...], ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()

    @property
    def end(self) -> Point:
        """The bottom-right corner of the last cell."""
        return (self.origin[0] + self.columns * self.pitch[0], self.origin[1] + self.rows * self.pitch[1])

    def problems(self, size: Point) -> Iterator[Sentence]:
        """Yield the values that are invalid on a board of that size."""
        lengths = [len(row) for row in self.numbers]
        if lengths and lengths != [self.columns] * self.rows:
            rows, columns = self.rows, self.columns
            yield unexpected("grid.numbers", "{rows} rows of {columns} numbers", lengths, rows=rows, columns=columns)
        if min(self.origin) < 0 or self.end[0] > size[0] or self.end[1] > size[1]:
            size_mm = f"{size[0]:g} x {size[1]:g} mm"
            yield unexpected("grid", "cells within the board's size, {size}", self.end, size=size_mm)


class SeatPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player's colour and, if the game has them, the side, zone and start space."""

    colour: str
    rgb: Rgb
    side: str | None = None
    zone: tuple[float, float, float, float] | None = None
    start: str | None = None


class PieceSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece's shape, its sizes in mm and its abilities; the sizes that are set depend on the shape.

    Attributes:
        shape: only a disc is flat with a uniform top.
        stack: how many of one colour can be stacked.
        on: "card" if it is put on a card, None if it is put on the cell.
        covers: whether it hides the card that it is on.
        walks: whether each colour has one that walks over cells, which then become the colour's.
        count: how many there are in the game for each label; None for any number.
        rgb: colour of its top, for a flat piece without a seat's colour.
    """

    height: Length
    shape: Literal["turned", "tee", "pawn", "tile", "disc"] = "turned"
    diameter: Length | None = None
    head_diameter: Length | None = None
    dot_diameter: Length | None = None
    dot: str | None = None
    size: Length | None = None
    stack: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    on: Literal["card"] | None = None
    covers: bool = False
    walks: bool = False
    count: int | None = None
    rgb: Rgb | None = None

    def problems(self, name: str, size: Point, pitch: Point) -> Iterator[Sentence]:
        """Yield the values that are invalid on a board of that size, with cells of that pitch."""
        at, most, least = f"pieces.{name}.", min(pitch), _LEAST_DISC * min(pitch)
        if self.shape == "disc" and (wide := self.diameter) is not None:
            if wide > most and not self.on:
                yield unexpected(at + "diameter", "at most the width of a cell, {most:g} mm", wide, most=most)
            if wide < least:
                yield unexpected(
                    at + "diameter", "at least a sixth of a cell's width, {least:.1f} mm", wide, least=least
                )
        if (height := self.stack * self.height) >= max(size):
            key = "height" if self.stack == 1 else "stack"
            yield unexpected(at + key, "less height than the board is wide, {width:g} mm", height, width=max(size))
        if self.covers and self.on is None:
            yield unexpected(at + "covers", 'on = "card" beside it', self.covers)


_LEAST_DISC = 1 / 6
"""The smallest disc, in cells: a smaller one does not fill what is read of a cell's middle."""


class Cards(TypedDict, total=False):
    """A table's `cards`: cards on the cells, or cards with markers next to the board."""

    size: Point
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    count: int
    face_base: int
    back_base: int
    marker_side: float
    marker_centre: Point
    picture_centre: Point
    picture_side: float


class Marks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Small square markers on the pieces, whose ids are their labels.

    Attributes:
        dictionary: name of one of OpenCV's dictionaries; if it is the board's own, the ids must differ from its ids.
        size_mm: side of the black square.
        ids: id by part of a label: "red", "red-royal", "king", "7-hearts", "back", "flag-suns".
        sizes: side of the black square by part of a label, if it is not `size_mm`.
        standing_mm: height of figures with a mark on the foot in front of and behind them; 0 if all pieces are flat.
        raised: whether the marks are on the heads of pieces of unknown height; the height is then estimated from the
            size of the marks in each picture.
        outlined: whether lines are printed along the edges of each place; a line that is not seen is covered.
    """

    size_mm: Length
    ids: Mapping[str, int]
    dictionary: str = MARK_DICTIONARY
    sizes: Mapping[str, Length] = {}
    standing_mm: Annotated[float, msgspec.Meta(ge=0, le=MOST_MM)] = 0.0
    raised: bool = False
    outlined: bool = False

    def size_of(self, part: str) -> float:
        """Return the side of the black square on a part's marks, in mm."""
        return self.sizes.get(part, self.size_mm)

    def problems(self) -> Iterator[Sentence]:
        """Yield the invalid values."""
        count = markers_in(self.dictionary)
        if not count:
            yield unexpected("marks.dictionary", _A_DICTIONARY, self.dictionary, example=MARK_DICTIONARY)
        taken: dict[int, str] = {}
        for part, number in self.ids.items():
            if count and not 0 <= number < count:
                yield unexpected("marks.ids." + part, "an id from 0 to {last}", number, last=count - 1)
            if number in taken:
                yield unexpected("marks.ids." + part, 'another id than that of "{part}"', number, part=taken[number])
            taken[number] = part


class Tray(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The area where dice are thrown: a rectangle on the board plane, on or next to the board; None for anywhere."""

    rectangle: Rectangle | None = None


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dice of a game.

    Attributes:
        count: how many are thrown at once.
        faces: how a value is shown: "pips" are counted, "dots" are one dot or none on the uppermost face or corner,
            "marks" are markers of the pieces' dictionary.
        size_mm: a die's side, or the length of its edges.
        null: the number of pips on a face without a value; such a face is read as null.
        marks: id by value, "null" for a face without one; only for faces = "marks".
        mark_mm: side of the marks' black square.
    """

    count: Annotated[int, msgspec.Meta(ge=1, le=12)]
    faces: Literal["pips", "dots", "marks"] = "pips"
    size_mm: Length = 16.0
    null: int | None = None
    marks: Mapping[str, Annotated[int, msgspec.Meta(ge=0, le=249)]] = {}
    mark_mm: Length = 12.0

    def problems(self) -> Iterator[Sentence]:
        """Yield the invalid values."""
        if (self.faces == "marks") != bool(self.marks):
            yield unexpected("dice.marks", 'ids by value, beside faces = "marks" and only there', self.marks)
        for value in self.marks:
            if value != "null" and not value.isdecimal():
                yield unexpected("dice.marks", 'values as numbers, or "null"', value)
