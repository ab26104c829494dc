"""The chain from a picture to probabilities for every cell: markers, pose, light, planes, labels, doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from vision.board import Board, known_boards
from vision.calibration import Calibration
from vision.enrolment import Enrolment
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.localization.locate import Located, Shot, locate, search, still_there
from vision.localization.markers import Sightings, of_board, whose
from vision.observation import SURE, Blind, BlindReason, Observation
from vision.recognition import disc_labeller as discs
from vision.recognition.cards.labeller import CardTableLabeller
from vision.recognition.figure_labeller import FigureLabeller, stands_one_of_each
from vision.recognition.hues import colours_deceive
from vision.recognition.labeller import CellLabeller, Labelled, Labeller
from vision.recognition.light import estimate_light
from vision.recognition.mark_evidence import weigh_marks
from vision.recognition.marks import find_marks
from vision.recognition.objective import ObjectiveCard, find_card, has_objective_cards
from vision.recognition.refusal import has_no_colour, needs_colour, why_nothing
from vision.recognition.trust import misplaced, readable_cells, tops_inside, why_not
from vision.recognition.view import TableView

VISIBLE = 0.5
"""Probability of being seen below which nothing is built on a cell: the truth of the samples draws the line at half."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What was read of which table, where it is, and the objective card beside it, if one does."""

    game: str
    observation: Observation
    pose: Pose
    card: ObjectiveCard | None = None


class TableReader:
    """Reads pictures of one table. It remembers where the table lay: while nothing moves, it need not be searched for.

    Args:
        board: the table.
        calibration: of the camera's lens, if there is one; else the lens is estimated from the markers.
        enrolment: what was learned of this table, if it was enrolled.

    Raises:
        BoardFileError: this table cannot be read.
    """

    def __init__(
        self, board: Board, calibration: Calibration | None = None, enrolment: Enrolment | None = None
    ) -> None:
        self._board = board
        self._calibration = calibration
        self._enrolled = enrolment is not None
        self._labeller = labeller_of(board, enrolment)
        self._located: Located | None = None
        self._sightings: Sightings = {}

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        """Read a picture, uint8 (height, width, 3), or report why it cannot be read. Never raises on any picture."""
        shot = Shot(image_bgr)
        if self._located is not None and still_there(shot, self._board, self._located):
            return self._look(shot, self._located)
        return self.read_found(shot, search(shot))

    def forget(self) -> None:
        """Search for the table again in the next picture, as if it were the first."""
        self._located = None

    def read_found(self, shot: Shot, sightings: Sightings) -> Reading | Blind:
        """Read a picture in which the markers have been searched for."""
        self._located, self._sightings = None, sightings
        located = self._locate(shot, sightings)
        if isinstance(located, Blind):
            return located
        self._located = located
        return self._look(shot, located)

    def _locate(self, shot: Shot, sightings: Sightings) -> Located | Blind:
        lens = self._calibration.lens_for(shot.size_wh) if self._calibration else None
        located = locate(shot, self._board, sightings, lens) if of_board(sightings, self._board) else None
        if located is None:
            known = [board for board in known_boards() if board.game != self._board.game]
            return why_nothing(shot.gray, shot.reduced_gray, sightings, known)
        if needs_colour(self._board) and has_no_colour(shot.reduced_bgr):
            return Blind(BlindReason.NO_COLOUR)
        return why_not(shot, self._board, located) or located

    def _look(self, shot: Shot, located: Located) -> Reading | Blind:
        board, pose = self._board, located.estimate.pose
        light = estimate_light(shot.image_bgr, board, pose, located.sightings)
        labelled = self._labeller.label(TableView(shot, located, light))
        if board.marks is None and not self._enrolled and colours_deceive(shot.image_bgr, board, pose, light, labelled):
            return Blind(BlindReason.NO_COLOUR)
        if board.marks is not None:
            marks = find_marks(shot, board, board.marks, pose)
            labelled = weigh_marks(labelled, shot.image_bgr, board, pose, marks)
        seen = _observe(board, self._labeller, labelled, located, shot.size_wh)
        card = find_card(shot.gray, board, pose, self._sightings) if has_objective_cards(board) else None
        return Reading(board.game, seen, pose, card)


class AnyTableReader:
    """Reads pictures of one of several tables; the markers reports which. Only the networks of these are loaded.

    Raises:
        BoardFileError: there is only one table, and it cannot be read.
    """

    def __init__(
        self,
        boards: Sequence[Board],
        calibration: Calibration | None = None,
        enrolments: Mapping[str, Enrolment] = MappingProxyType({}),
    ) -> None:
        self._boards = boards
        self._calibration = calibration
        self._enrolments = enrolments
        self._readers: dict[str, TableReader] = {}
        if len(boards) == 1:
            self._reader(boards[0])

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        """Read a picture, uint8 (height, width, 3), or report why it cannot be read.

        Raises:
            BoardFileError: the table in the picture cannot be read, whatever the picture. Nothing else is ever raised.
        """
        shot = Shot(image_bgr)
        sightings = search(shot)
        board = whose(sightings, self._boards)
        if board is not None:
            return self._reader(board).read_found(shot, sightings)
        return why_nothing(shot.gray, shot.reduced_gray, sightings, known_boards())

    def _reader(self, board: Board) -> TableReader:
        if board.game not in self._readers:
            self._readers[board.game] = TableReader(board, self._calibration, self._enrolments.get(board.game))
        return self._readers[board.game]


def labeller_of(board: Board, enrolment: Enrolment | None = None) -> Labeller:
    """Choose the kind of labeller that reads a table: by what is on it, never by the game's name.

    Flat discs of the table file's colours are read without a model, if there is none for them.

    Raises:
        BoardFileError: this table cannot be read.
    """
    if discs.has_own_colours(board):
        return discs.DiscLabeller(board)
    try:
        return _trained_labeller(board, enrolment)
    except BoardFileError:
        if not discs.reads(board):
            raise
        return discs.DiscLabeller(board)


def _trained_labeller(board: Board, enrolment: Enrolment | None) -> Labeller:
    if board.card_words:
        return CardTableLabeller(board)
    return FigureLabeller(board) if stands_one_of_each(board) else CellLabeller(board, enrolment)


def _observe(
    board: Board, labeller: Labeller, labelled: Labelled, located: Located, size_wh: tuple[int, int]
) -> Observation:
    """Join what was read with what could be seen; p and visibility stay separate, but what is not placed is unknown."""
    placed = readable_cells(board, located, size_wh)
    p_misplaced = np.where(placed, misplaced(board, located), 1.0)[:, None]
    p = (1 - p_misplaced) * labelled.p + p_misplaced / labelled.p.shape[1]
    best = [labeller.labels[column] for column in p.argmax(axis=1)]
    whole = tops_inside(board, best, located.estimate.pose, size_wh)
    visible = placed & whole & (labelled.p_visible >= VISIBLE)
    sure = labeller.sure if board.marks is None else min(labeller.sure, SURE)  # chosen for the labeller without marks
    return Observation(board.places, labeller.labels, p, visible, sure, labelled.appearance)
