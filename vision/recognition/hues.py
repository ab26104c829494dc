"""Checks of a picture's colours: those of the pieces that were read against those of the table file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.labels import EMPTY, Label
from vision.recognition.labeller import Labelled
from vision.recognition.light import Illumination

_LIKELY = 0.5
"""Least probability of the best label, and of visibility, for a piece to be measured."""

_LEAST_PIECES, _LEAST_FOR_PALE = 3, 8
"""Pieces from which on hues are compared, and from which on a want of colour is no accident: single heads are missed
where they lean, or shine white.
"""

_LEAST_CHROMA = 0.15
"""Distance of a seat's colour from grey, on the scale of `_opponents`, from which on its pieces have a hue."""

_PALE = 0.36
"""Share of the seats' chroma that a quarter of the pieces must reach: the least in training pictures is 0.37, and most
pictures faded to a quarter of their colour are below."""

_AS_READ = 0.02
"""Share of its probability that a label keeps if a picture proves no colour."""

_LIGHTNESS_SIGMA = 0.15
"""Standard deviation of how light a piece looks without its colour, from its seat's in the table file; white is 1:
sets of one colour differ by as much, and lamps."""

_PALE_LIGHTNESS = 0.8
"""How light a seat without a hue is to be a pale one; white is 1."""

_MIRRORED = 1.05
"""Level over that of white paper from which on a lamp is mirrored: nothing matt reflects more, and of 302 rendered
white discs 3 did, since the light is known to a few hundredths."""

_MOSTLY, _WHOLLY = 0.5, 0.95
"""Part of the spots of a pale piece, and of a coloured one, that must be so bright. On 169 path-traced boards, 36 of
them polished under small lamps, four dark discs that mirrored one were read as white and are doubted for it, beside 18
white and three coloured ones; no coloured label was wrong, and half of the spots would have cost 20 more of them."""

_BURNT = 250
"""Grey level from which on nothing brighter would look different."""

_LUMA_BGR = (0.114, 0.587, 0.299)
"""Weights of the channels in luma (ITU-R BT.601)."""

_HAS_HUE = 0.2
"""Share of its seat's chroma from which on a piece's hue is more than noise."""

_CLEARLY = 4.0
"""Degrees by which the hues must fit better with red and blue exchanged; in good pictures they fit worse by 5 to 30,
seldom by none."""

_SPOTS = np.stack(np.meshgrid(*[np.linspace(-0.2, 0.2, 9)] * 2), axis=-1).reshape(-1, 2)
"""Where about the middle of a cell a piece's colour is measured, in cells."""

_AROUND = 2.1 * _SPOTS[np.abs(_SPOTS).max(axis=1) > 0.17]
"""Where the surroundings of a piece are measured, in cells: at the edge of its cell."""

_MATT = 0.25
"""Part of a piece's spots that is taken for its colour: that with most chroma, so neither a shine nor a white dot."""

_RED_BGR = np.array([[0.16, 0.12, 0.78]])
_RED_SUITS = ("hearts", "diamonds")
"""Red in nearly every deck; in decks of four colours diamonds are blue or orange, but hearts are red."""

_CARD_SPOTS = np.stack(np.meshgrid(np.linspace(-0.42, 0.42, 15), np.linspace(-0.45, 0.45, 21)), axis=-1).reshape(-1, 2)
"""Where on a card its print is measured, in the card's width and height."""

_INKED = 0.04
"""Part of a card's spots that is taken for its print: those with most chroma."""

_PROOF = 0.25 * 1.25**0.5
"""Chroma that nothing has in a picture faded to a quarter of its colour: pure red and green, on the scale of
`_opponents`, have the root of 1.25."""

_PROVING = 0.99
"""Quantile of the chroma over the board that proves colour: a hundredth is half a cell of most boards."""

_PROVING_STRENGTH = 0.5
"""Part of its seat's chroma from which on a single piece proves colour: well above what a faded one has."""

_BOARD_SPOTS = np.stack(np.meshgrid(*[np.linspace(0.01, 0.99, 60)] * 2), axis=-1).reshape(-1, 2)
"""Where the board's chroma is measured, in its width and height."""


def colours_deceive(seen: SeenColours) -> bool:
    """Return whether the pieces or red cards are far too pale, or fit better with red and blue exchanged.

    The labels of a picture with exchanged channels are as consistent as those of a good one; only hues that no seat
    has, such as orange for exchanged blue, reveal it. Each red suit must show it by itself, because diamonds may be
    blue while hearts are red. False if too few coloured pieces were read, or those of one seat only.
    """
    if seen.board.card_words:
        # the colours of the print of each red suit's likely cards
        board, likely, suits = seen.board, _likely(seen.labelled), []
        cards = [board.cell_labels[int(seen.labelled.p[place].argmax())].card for place in likely]
        for suit in _RED_SUITS:
            found = [place for place, card in zip(likely, cards, strict=True) if card.endswith(suit)]
            middles = np.column_stack([board.places_mm()[found], np.zeros(len(found))])
            printed = _most_coloured(_about(seen, middles, _CARD_SPOTS * board.cards["size"]), _INKED)
            suits.append(_coloured_pieces(printed, np.repeat(_RED_BGR, len(found), axis=0)))
        enough = sum(map(len, suits)) >= _LEAST_PIECES
        return enough and all(_fits_exchanged(cards, _RED_BGR) for cards in suits if len(cards))
    # Exchanged: the hues fit the seats clearly better with red and blue swapped. Pieces of one seat share what sets
    # their hue apart from the declared one, their make and the light, and say nothing together that one does not.
    _places, measured, expected = seen.pieces
    coloured = _coloured_pieces(measured, expected)
    several = len(coloured) >= _LEAST_PIECES and len(np.unique(expected, axis=0)) > 1
    return is_pale(seen) or (several and _fits_exchanged(coloured, _chromatic(seen.board)))


def is_pale(seen: SeenColours) -> bool:
    """Return whether three quarters of the pieces have far less chroma than their seats declare."""
    _places, measured, expected = seen.pieces
    return len(measured) >= _LEAST_FOR_PALE and float(np.quantile(_strength(measured, expected), 0.75)) < _PALE


def colour_is_proven(seen: SeenColours) -> bool:
    """Return whether the board's print or one piece has more chroma than a faded picture can have.

    Without proof, a black piece cannot be distinguished from a faded blue one. Nothing is proven if the pieces fit
    better with red and blue exchanged: clearly if they are few, at all if they are many.
    """
    # 1. Few pieces must fit better exchanged by a larger angle: the error of a mean falls with the root of their
    #   number.
    _places, measured, expected = seen.pieces
    coloured = _coloured_pieces(measured, expected)
    few = _LEAST_PIECES / max(len(coloured), 1)
    by_deg = _CLEARLY * max(1.0, few**0.5)  # a mean's error falls with the root
    by_deg = 0.0 if len(coloured) >= _LEAST_FOR_PALE else by_deg
    if len(coloured) and _fits_exchanged(coloured, _chromatic(seen.board), by_deg):
        return False
    # 2. One piece shows colour.
    if ((_chroma(measured) > _PROOF) & (_strength(measured, expected) > _PROVING_STRENGTH)).any():
        return True
    # 3. Or the board's print does, by its chroma at a grid of points.
    spots = np.column_stack([_BOARD_SPOTS * np.asarray(seen.board.size), np.zeros(len(_BOARD_SPOTS))])
    return float(np.quantile(_chroma(seen.at(spots)), _PROVING)) > _PROOF


def _chroma(colours: Floats) -> Floats:
    """Return the distances of colours (n, bgr), white being 1, from grey, float64 (n,)."""
    return np.asarray(np.linalg.norm(_opponents(colours.clip(0, 1)), axis=1))


def share_among_colours(board: Board, labelled: Labelled) -> Labelled:
    """Return labels in which each piece's probability is shared among colours of the same kind and lightness.

    Each keeps a little of its own, so that the most probable label stays the same.
    """
    p = labelled.p.copy()
    for columns in _columns_alike(board):
        # 1. A Gaussian kernel over the differences in lightness; each row sums to 1, so probability is only moved.
        lightness = np.array([_lightness(board, board.cell_labels[column]) for column in columns])
        apart = np.square(lightness[:, None] - lightness[None, :]).sum(axis=2) / _LIGHTNESS_SIGMA**2
        shares = np.exp(-0.5 * apart)
        shares /= shares.sum(axis=1, keepdims=True)
        # 2. Mix the shared probabilities with a little of what was read.
        p[:, columns] = (1 - _AS_READ) * p[:, columns] @ shares + _AS_READ * p[:, columns]
    return replace(labelled, p=p)


def doubt_mirrored(seen: SeenColours) -> Labelled:
    """Return labels with doubt about pieces that may be a lamp mirrored by the board, since they outshine white paper.

    A coloured piece that mirrors the lamp shows its colour beside it; where all of it outshines paper, the colour is
    that of a burnt-out spot beside a warm light. Of pale ones most of it is enough. One white disc in a hundred is that
    bright, so the most probable label stays. If white paper would burn out as well, a pale piece is doubted if its
    surroundings are burnt out like its middle. On tables whose places are never empty such places are hidden instead.
    """
    board, labelled = seen.board, seen.labelled
    best = labelled.p.argmax(axis=1)
    columns, of = np.unique(best, return_inverse=True)
    labels = [board.cell_labels[column] for column in columns]
    tops_mm = np.array([_top_mm(board, label) for label in labels])[of]
    pale = np.array([_is_pale(board, label) for label in labels])[of]
    raised = pale | (tops_mm > 0) & (tops_mm < min(board.grid.pitch) / 2)
    middles = np.column_stack([board.places_mm(), tops_mm])
    bright, burnt = np.zeros((2, len(middles)))
    bright[raised] = _shares(seen.is_brighter(_points(middles[raised], _SPOTS * board.grid.pitch)), len(_SPOTS))
    burnt[pale] = np.minimum(
        *(_shares(seen.is_burnt(_points(middles[pale], at * board.grid.pitch)), len(at)) for at in (_SPOTS, _AROUND))
    )
    mirrors = np.where(pale, np.maximum(bright, burnt) > _MOSTLY, bright > _WHOLLY)
    if EMPTY not in board.label_words:
        return replace(labelled, p_visible=np.where(mirrors, 0.0, labelled.p_visible))
    p, rows, empty = labelled.p.copy(), np.flatnonzero(mirrors), board.label_words.index(EMPTY)
    # Half of the lead over the empty place at most can be moved without changing the most probable label.
    shared = (1 - _AS_READ) / 2 * (p[rows, best[rows]] - p[rows, empty])
    p[rows, best[rows]] -= shared
    p[rows, empty] += shared
    return replace(labelled, p=p)


def _shares(points: NDArray[np.bool_], each: int) -> Floats:
    """Return the share of the points of each place that are so, float64 (n_places,); points (n_places * each,)."""
    return np.asarray(points.reshape(-1, each).mean(axis=1))


def _is_pale(board: Board, label: Label) -> bool:
    """Return whether a piece's seat has no hue and is light."""
    return (
        board.seat_of(label) is not None
        and _seat_bgr(board, label) is None
        and _lightness(board, label)[0] > _PALE_LIGHTNESS
    )


def _columns_alike(board: Board) -> list[list[int]]:
    """Return the columns of labels that differ by nothing but colour."""
    alike, first = dict[Label, list[int]](), board.seats_and_saved[0].colour
    for column, label in enumerate(board.cell_labels):
        # the label as if all pieces of seats were the first seat's
        piece = first if board.seat_of(label) else label.piece
        of_first = replace(label, piece=piece, on_card=tuple((kind, first) for kind, _colour in label.on_card))
        alike.setdefault(of_first, []).append(column)
    return list(alike.values())


def _lightness(board: Board, label: Label) -> list[float]:
    """Return how light the pieces of seats are that a label names, from the lowest to the highest; white is 1."""
    seats = {seat.colour: seat for seat in board.seats_and_saved}
    return [float(np.dot(seats[colour].rgb[::-1], _LUMA_BGR)) / 255 for colour in label.colours if colour in seats]


def _strength(measured: Floats, expected: Floats) -> Floats:
    """Return the part of the expected chroma that colours (n, bgr) have, float64 (n,)."""
    strength = np.linalg.norm(_opponents(measured), axis=1) / np.linalg.norm(_opponents(expected), axis=1)
    return np.asarray(strength)


def _coloured_pieces(measured: Floats, expected: Floats) -> Floats:
    """Return the colours (n, bgr) that have a hue."""
    return measured[_strength(measured, expected) > _HAS_HUE]


def _fits_exchanged(coloured: Floats, hues: Floats, by_deg: float = _CLEARLY) -> bool:
    """Return whether colours (n, bgr) fit hues better, by more than `by_deg`, with red and blue exchanged."""
    return _misfit_deg(coloured, hues) - _misfit_deg(coloured[:, ::-1], hues) > by_deg


@dataclass(frozen=True, eq=False)
class SeenColours:
    """A picture of a table with pose, light and labels; its colours are measured on first use."""

    image_bgr: ImageBgr
    board: Board
    pose: Pose
    light: Illumination
    labelled: Labelled

    @cached_property
    def pieces(self) -> tuple[NDArray[np.int_], Floats, Floats]:
        """The places of likely pieces of coloured seats, int (n,), and their colours and their seats', (n, bgr)."""
        board, likely = self.board, _likely(self.labelled)
        best = self.labelled.p[likely].argmax(axis=1).tolist()
        labels = {column: board.cell_labels[column] for column in set(best)}
        colours = {column: _seat_bgr(board, label) for column, label in labels.items()}
        found = [(place, column) for place, column in zip(likely, best, strict=True) if colours[column] is not None]
        if not found:
            return np.empty(0, np.int_), np.empty((0, 3)), np.empty((0, 3))
        places = np.array([place for place, _column in found])
        tops = [_top_mm(board, labels[column]) for _place, column in found]
        spots = np.column_stack([board.places_mm()[places], tops])
        expected = np.array([colours[column] for _place, column in found])
        return places, _most_coloured(_about(self, spots, _SPOTS * board.grid.pitch), _MATT), expected

    def at(self, points_mm: Floats) -> Floats:
        """Return the colours at points (n, xyz), divided by the light, float64 (n, bgr)."""
        return self._unlit(self._levels_at(points_mm), self.light.white_at(points_mm[:, :2], self.board.size))

    def is_brighter(self, points_mm: Floats) -> NDArray[np.bool_]:
        """Return whether points (n, xyz) are brighter than white paper there, bool (n,)."""
        levels, white = self._levels_at(points_mm), self.light.white_at(points_mm[:, :2], self.board.size)
        burnt = ((levels >= _BURNT) & (white < _BURNT)).all(axis=1)
        return np.asarray(burnt | (self._unlit(levels, white) > _MIRRORED).all(axis=1))

    def is_burnt(self, points_mm: Floats) -> NDArray[np.bool_]:
        """Return whether points (n, xyz) are so bright that nothing brighter would look different, bool (n,)."""
        return np.asarray((self._levels_at(points_mm) >= _BURNT).all(axis=1))

    def _unlit(self, levels: NDArray[np.uint8], white: Floats) -> Floats:
        """Return grey levels (n, bgr) divided by the light, where white paper has the levels `white`, float64."""
        return np.asarray((levels - self.light.black) / np.maximum(white - self.light.black, 4.0))

    def _levels_at(self, points_mm: Floats) -> NDArray[np.uint8]:
        """Return the picture's grey levels at points (n, xyz), uint8 (n, bgr)."""
        height, width = self.image_bgr.shape[:2]
        x, y = np.rint(self.pose.project(points_mm)).astype(int).clip(0, (width - 1, height - 1)).T
        return np.asarray(self.image_bgr[y, x])


def _most_coloured(colours: Floats, share: float) -> Floats:
    """Return the mean of the share of spots with most chroma, float64 (n, bgr), of colours (n, spots, bgr)."""
    chroma = np.linalg.norm(_opponents(colours), axis=2)
    most = chroma >= np.quantile(chroma, 1 - share, axis=1, keepdims=True)
    return np.asarray((colours * most[..., None]).sum(axis=1) / most.sum(axis=1, keepdims=True))


def _likely(labelled: Labelled) -> list[int]:
    """Return the places that can be seen and whose best label is likely."""
    likely = (labelled.p.max(axis=1) > _LIKELY) & (labelled.p_visible > _LIKELY)
    return [int(place) for place in np.flatnonzero(likely)]


def _about(look: SeenColours, spots_mm: Floats, steps_mm: Floats) -> Floats:
    """Return the colours at points steps (m, xy) about spots (n, xyz), float64 (n, m, bgr)."""
    return look.at(_points(spots_mm, steps_mm)).reshape(len(spots_mm), len(steps_mm), 3)


def _points(spots_mm: Floats, steps_mm: Floats) -> Floats:
    """Return the points steps (m, xy) about spots (n, xyz), float64 (n * m, xyz)."""
    points = spots_mm[:, None] + np.column_stack([steps_mm, np.zeros(len(steps_mm))])
    return np.asarray(points.reshape(-1, 3))


def _seat_bgr(board: Board, label: Label) -> Floats | None:
    """Return the colour of a piece's seat, white being 1; None if it has no hue."""
    seat = board.seat_of(label)
    bgr = None if seat is None else np.asarray(seat.rgb[::-1]) / 255
    return bgr if bgr is not None and np.linalg.norm(_opponents(bgr)) > _LEAST_CHROMA else None


def _chromatic(board: Board) -> Floats:
    """Colours of the seats that have a hue, float64 (n, bgr)."""
    colours = np.array([seat.rgb[::-1] for seat in board.seats_and_saved]) / 255
    return np.asarray(colours[np.linalg.norm(_opponents(colours), axis=1) > _LEAST_CHROMA])


def _top_mm(board: Board, label: Label) -> float:
    piece = board.piece_of(label)
    return board.pieces[piece].height * label.height if piece is not None else 0.0


def _opponents(bgr: Floats) -> Floats:
    """Red against green and yellow against blue, (..., 2), of colours (..., bgr)."""
    blue, green, red = np.moveaxis(bgr, -1, 0)
    return np.stack([red - green, (red + green) / 2 - blue], axis=-1)


def _misfit_deg(measured: Floats, seats: Floats) -> float:
    """Return the mean angle between colours (n, bgr) and the nearest seat's hue."""
    # The angle between two hues is that between their unit vectors in the opponent plane.
    directions = [
        c / np.maximum(np.linalg.norm(c, axis=1, keepdims=True), 1e-6) for c in map(_opponents, (measured, seats))
    ]
    nearest = (directions[0] @ directions[1].T).max(axis=1)
    return float(np.degrees(np.arccos(nearest.clip(-1, 1))).mean())
