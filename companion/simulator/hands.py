"""A physical table as values: the pieces, the hands over it, and a move by hand as a script in time.

A script is made from two placements (cell -> label) and the path of the hand, whatever the game. Seconds count from the
script's beginning, lengths are in mm on the board plane.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from engines.kernel import Cell
from vision.board import Board, Point
from vision.labels import COVERED, EMPTY, Label, parse_label
from vision.recognition.objective import ObjectiveCard
from vision.simulation.dice import SceneDie

_PLACING_ERROR_MM = 0.7
"""Standard deviation of a piece's place from its cell's middle, along each axis."""

_AWAY_MM = 260.0
"""Distance from the board's edge from which a hand reaches in."""

_BESIDE_MM = 48.0
"""Distance of the middle of a card next to the board from the board's edge."""

_OUTWARDS: Mapping[str, Point] = {"top": (0.0, -1.0), "right": (1.0, 0.0), "bottom": (0.0, 1.0), "left": (-1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class StandingPiece:
    """A piece on the board: its label, its place, and the offset of its top from its foot, (x, y) in mm."""

    label: str
    at_mm: Point
    lean_mm: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the board: its fingertips in mm, and the side of the table that its arm comes from."""

    tip_mm: Point
    side: str


@dataclass(frozen=True, slots=True)
class Tabletop:
    """The table at one moment; `card` and `dice` are next to the board, dice at places from the tray's middle."""

    pieces: Mapping[Cell, StandingPiece]
    hand: Hand | None = None
    dice: tuple[SceneDie, ...] = ()
    card: ObjectiveCard | None = None

    @property
    def hands(self) -> tuple[Hand, ...]:
        """All hands over the board."""
        return () if self.hand is None else (self.hand,)

    def placement(self) -> dict[Cell, str]:
        """Return the label on every cell that is not empty."""
        return {cell: piece.label for cell, piece in self.pieces.items()}


@dataclass(frozen=True, slots=True)
class PieceChange:
    """A piece is put on a cell, or the cell is emptied (`piece` None)."""

    at_s: float
    cell: Cell
    piece: StandingPiece | None


@dataclass(frozen=True, slots=True)
class CardChange:
    """The card next to the board is exchanged, turned or taken away (`card` None)."""

    at_s: float
    card: ObjectiveCard | None


@dataclass(frozen=True, slots=True)
class Waypoint:
    """The place of the fingertips at a moment."""

    at_s: float
    tip_mm: Point


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of hands: to reach in or leave, and for each piece."""

    reach_s: float = 0.7
    piece_s: float = 0.3


@dataclass(frozen=True, slots=True)
class Script:
    """A move by hand: the changes in time, and the way of the hand, empty if none comes.

    Attributes:
        before: the pieces at the beginning.
        changes: what changes, in order.
        way: the way of the hand.
        side: the side of the table that it comes from.
        card: the card next to the board at the beginning.
        card_change: how it changes.
    """

    before: Mapping[Cell, StandingPiece]
    changes: tuple[PieceChange, ...] = ()
    way: tuple[Waypoint, ...] = ()
    side: str = "bottom"
    card: ObjectiveCard | None = None
    card_change: CardChange | None = None

    @property
    def ends_s(self) -> float:
        """The time when the last hand has left."""
        return self.way[-1].at_s if self.way else 0.0

    def rest(self) -> Script:
        """Return a script of the table as this one leaves it, without changes."""
        after = self.at(float("inf"))
        return Script(after.pieces, card=after.card)

    def at(self, time_s: float) -> Tabletop:
        """Return the table at a moment."""
        pieces = dict(self.before)
        for change in self.changes:
            if change.at_s > time_s:
                continue
            if change.piece is None:
                pieces.pop(change.cell, None)
            else:
                pieces[change.cell] = change.piece
        changed = self.card_change is not None and self.card_change.at_s <= time_s
        card = self.card_change.card if self.card_change is not None and changed else self.card
        return Tabletop(pieces, hand_at(self.way, self.side, time_s), card=card)


def hand_at(way: Sequence[Waypoint], side: str, time_s: float) -> Hand | None:
    """Return the hand on its way from a side at a moment; None if it is not over the board."""
    after = bisect_right([point.at_s for point in way], time_s)
    if not 0 < after < len(way):
        return None
    one, other = way[after - 1], way[after]
    share = (time_s - one.at_s) / (other.at_s - one.at_s)
    x, y = (a + share * (b - a) for a, b in zip(one.tip_mm, other.tip_mm, strict=True))
    return Hand((x, y), side)


def beside_mm(board: Board) -> Point:
    """Return the middle of a card next to the board, at its right, in mm."""
    width, height = board.size
    return width + _BESIDE_MM, height / 2


class Hands:
    """The hands of players at a board; `random` is the source of placing errors.

    Attributes:
        middles: the middle of each place in mm.
    """

    def __init__(self, board: Board, random: Random, pace: Pace) -> None:
        self._board = board
        self._random = random
        self._pace = pace
        places = zip(board.places, board.places_mm().tolist(), strict=True)
        self.middles: dict[Cell, Point] = {Cell(cell): (x, y) for cell, (x, y) in places}

    def set_up(self, placement: Mapping[Cell, str]) -> dict[Cell, StandingPiece]:
        """Return the pieces of a placement, each with a placing error."""
        put = ((cell, self._put(cell, label)) for cell, label in placement.items())
        return {cell: piece for cell, piece in put if piece is not None}

    def script(
        self,
        before: Mapping[Cell, StandingPiece],
        after: Mapping[Cell, str],
        path: Sequence[Cell],
        side: str,
        rest_s: float = 0.0,
        *,
        cards: tuple[ObjectiveCard | None, ObjectiveCard | None] = (None, None),
    ) -> Script:
        """Return the script of a move: reach in, lift the piece at the path's start, put along the path, then the rest.

        Cells that already are as in `after` are not touched.

        Args:
            before: the pieces before the move.
            after: the label of each cell after it.
            path: the cells that the hand visits first, that of the lifted piece at the start.
            side: the side of the table where the player sits.
            rest_s: how long the hand stays at the end.
            cards: the card next to the board before and after, which is laid last.
        """
        # the hand's steps in order: lift the moving piece, change the path's cells, then the others
        differing = {cell for cell in self.middles if _label(before, cell) != after.get(cell, EMPTY)}
        on_path = list(dict.fromkeys(reversed(path)))[::-1]
        touched = [cell for cell in on_path if cell in differing or cell == path[0]]
        rest = [cell for cell in self.middles if cell in differing and cell not in on_path]
        steps = [(cell, self._put(cell, without_piece(_label(before, cell)))) for cell in path[:1]]
        steps += [(cell, self._put(cell, after.get(cell, EMPTY))) for cell in (*touched, *rest)]
        pace = self._pace
        times_s = [pace.reach_s + k * pace.piece_s for k in range(len(steps) + 1)]
        changes = tuple(PieceChange(t, cell, piece) for t, (cell, piece) in zip(times_s, steps, strict=False))
        laid = CardChange(times_s[-1], cards[1]) if cards[0] != cards[1] else None
        stops = [Waypoint(change.at_s, self.middles[change.cell]) for change in changes]
        stops += [Waypoint(laid.at_s, beside_mm(self._board))] if laid else []
        if not stops:
            return Script(before, card=cards[0])
        return Script(before, changes, self.way(stops, side, rest_s), side, cards[0], laid)

    def way(
        self, stops: Sequence[Waypoint], side: str, rest_s: float = 0.0, from_s: float = 0.0
    ) -> tuple[Waypoint, ...]:
        """Return the way of a hand in from a side, from a moment on, through all stops, and out again."""
        (width, height), (right, down) = self._board.size, _OUTWARDS[side]
        from_mm = width / 2 + right * (width / 2 + _AWAY_MM), height / 2 + down * (height / 2 + _AWAY_MM)
        last = stops[-1]
        leaves_s = last.at_s + self._pace.piece_s + rest_s
        rests, gone = Waypoint(leaves_s, last.tip_mm), Waypoint(leaves_s + self._pace.reach_s, from_mm)
        return (Waypoint(from_s, from_mm), *stops, rests, gone)

    def _put(self, cell: Cell, label: str) -> StandingPiece | None:
        if label == EMPTY:
            return None
        (x, y), error = self.middles[cell], self._random.gauss
        return StandingPiece(label, (x + error(0, _PLACING_ERROR_MM), y + error(0, _PLACING_ERROR_MM)))


def _label(pieces: Mapping[Cell, StandingPiece], cell: Cell) -> str:
    return pieces[cell].label if cell in pieces else EMPTY


def without_piece(label: str) -> str:
    """Return a cell's label after its topmost piece is lifted: what lies below, or empty."""
    parsed = parse_label(label)
    if not parsed.card:
        return EMPTY
    left = Label(card=parsed.card, on_card=parsed.on_card[:-1])
    return label if left == Label(card=COVERED) else str(left)
