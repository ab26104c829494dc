"""The pipeline from a picture to probabilities for every cell: markers, pose, light, planes, labels, doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from vision.board import Board, Marks
from vision.calibration import Calibration
from vision.enrolment import Enrolment
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.localization.locate import Located, ScaledImage, locate, search_board, search_boards, still_there
from vision.localization.markers import MarkerDetections, Sightings, of_board
from vision.localization.pose import MisfitKind, find_misfit
from vision.observation import SURE, Blind, BlindReason, Observation
from vision.recognition import disc_labeller as discs
from vision.recognition.cards.labeller import CardTableLabeller
from vision.recognition.cell_outlines import bare_cells
from vision.recognition.figure_labeller import FigureLabeller, stands_one_of_each
from vision.recognition.hues import (
    SeenColours,
    colour_is_proven,
    colours_deceive,
    doubt_mirrored,
    is_pale,
    share_among_colours,
)
from vision.recognition.labeller import CellLabeller, Labelled, Labeller, StageResult, UnknownLabeller
from vision.recognition.light import TableView, estimate_light
from vision.recognition.mark_evidence import weigh_marks
from vision.recognition.mark_recovery import look_again
from vision.recognition.marks import all_are_marked, find_marks
from vision.recognition.memory import ReadingMemory
from vision.recognition.objective import CardFinder, ObjectiveCard, has_objective_cards
from vision.recognition.own_print import weigh_print
from vision.recognition.refusal import has_no_colour, is_blurred, needs_colour, why_nothing
from vision.recognition.trust import misplaced, readable_cells, rejection_reason, tops_inside, view_table

VISIBLE = 0.5
"""A cell is reported as visible from this probability on; the samples' ground truth draws the line at half as well."""

Stage: TypeAlias = Callable[[TableView, Labelled], Labelled | Blind]
"""A function that revises the labels of a table by another cue in the picture, or returns why it is unreadable."""

_KIT_MARKS = 2
"""Number of cells with a mark of the kit that rules out chance."""

_FIRST_LOOKS, _LOOKS_BETWEEN = 3, 10
"""The kit is searched for in the first three pictures, and then in every tenth."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The observation of a table, its pose, and the objective card next to it, if there is one.

    `stages` has the result of each stage of recognition in order; the observation itself is the last.
    """

    game: str
    observation: Observation
    pose: Pose
    card: ObjectiveCard | None = None
    stages: tuple[StageResult, ...] = ()


class TableReader:
    """The reader of pictures of one table. It remembers the table's pose and searches again only after a move.

    Args:
        board: the table.
        calibration: of the camera's lens; without it, the lens is estimated from the markers.
        enrolment: the colours learned for this table, if it was enrolled.
        kit: the table of the same board with the game's printed kit, whose pieces bear marks. It replaces `board` from
            the first picture on in which its marks are seen on the cells.
        played: a game is played, in which a piece may be in a hand.

    Raises:
        BoardFileError: this table cannot be read.
    """

    def __init__(
        self,
        board: Board,
        calibration: Calibration | None = None,
        enrolment: Enrolment | None = None,
        kit: Board | None = None,
        *,
        played: bool = False,
    ) -> None:
        self._calibration, self._played = calibration, played
        self._kit, self._looks = kit, 0
        self._use(board, enrolment)

    def _use(self, board: Board, enrolment: Enrolment | None) -> None:
        """Start to read this table."""
        self._board = board
        self._enrolled = enrolment is not None
        self._by_colour = needs_colour(board)
        self._labeller = labeller_of(board, enrolment, played=self._played)
        is_strange = discs.are_paper(board) or (discs.reads(board) and discs.is_measured(board))
        is_checked = enrolment is None and isinstance(self._labeller, CellLabeller) and is_strange
        self._by_declared_colour = discs.DiscLabeller(board) if is_checked else None
        self._located: Located | None = None
        self._sightings: MarkerDetections = {}
        self._cards = CardFinder(board) if has_objective_cards(board) else None
        self._memory: ReadingMemory[Reading] = ReadingMemory(board)

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        """Read a picture, uint8 (height, width, 3), or return why it cannot be read. Raises on no picture."""
        scaled = ScaledImage(image_bgr)
        located = self._located
        if located is None or not still_there(scaled, self._board, located):
            return self.read_found(scaled, search_board(scaled, self._board))
        # The table has not moved: if its picture has not changed, return the last reading again.
        known = self._memory.recall(scaled.image_bgr, located.estimate.pose)
        if known is None:
            return self._look(scaled, located)
        card = self._cards.find(scaled.gray, known.pose, self._sightings) if self._cards else None
        return replace(known, card=card)

    def forget(self) -> None:
        """Forget the table's pose, so that the next picture is searched as if it were the first."""
        self._located = None

    def read_found(self, scaled: ScaledImage, detections: MarkerDetections) -> Reading | Blind:
        """Read a picture whose markers were detected already."""
        self._located, self._sightings = None, detections
        lens = self._calibration.lens_for(scaled.size_wh) if self._calibration else None
        sightings = detections if isinstance(detections, Sightings) else Sightings(detections)
        if misfit := find_misfit(self._board, sightings, scaled.size_wh, lens):
            if misfit.kind is MisfitKind.UNFIT and is_blurred(scaled.reduced_gray, [self._board], len(misfit.ids)):
                return Blind(BlindReason.BLURRED)  # out of focus a marker is measured badly
            return Blind(BlindReason.MARKERS, {"misfit": misfit.kind.value, "ids": ", ".join(map(str, misfit.ids))})
        located = locate(scaled, self._board, detections, lens) if of_board(detections, self._board) else None
        if located is None:
            return why_nothing(scaled, [self._board])
        if needs_colour(self._board) and has_no_colour(scaled.reduced_bgr):
            return Blind(BlindReason.NO_COLOUR)
        if (rejected := rejection_reason(scaled, self._board, located)) is not None:
            return rejected
        self._located = located
        return self._look(scaled, located)

    def _look(self, scaled: ScaledImage, located: Located) -> Reading | Blind:
        # 1. Search for marks of the printed kit on the cells, though not in each picture.
        self._looks += 1
        is_due = self._looks <= _FIRST_LOOKS or self._looks % _LOOKS_BETWEEN == 0
        if self._kit is not None and self._kit.marks is not None and is_due:
            marks = find_marks(scaled, self._kit, self._kit.marks, located.estimate.pose).seen
            if len({mark.place for mark in marks}) >= _KIT_MARKS:
                self._use(self._kit, None)
                self._kit, self._located = None, located
        # 2. The labels, as one stage after the other revises them.
        board, pose = self._board, located.estimate.pose
        light = estimate_light(scaled.image_bgr, board, pose, located.detections)
        view = TableView(scaled, located, light)
        labelled = self._labeller.label(view)
        for name, stage in self._stages():
            changed = stage(view, labelled)
            if isinstance(changed, Blind):
                return changed
            labelled = changed.after(name)
        # 3. Mix each cell's probabilities with a uniform share, the probability that another cell is read in its place.
        placed = readable_cells(board, located, scaled.size_wh)
        p_misplaced = np.where(placed, misplaced(board, located, labelled.in_step), 1.0)[:, None]
        p = (1 - p_misplaced) * labelled.p + p_misplaced / labelled.p.shape[1]
        # 4. A cell is visible if it is placed, its piece is inside the picture, and nothing hides it.
        labels, sure = self._labeller.labels, self._labeller.sure
        whole = tops_inside(board, [labels[column] for column in p.argmax(axis=1)], pose, scaled.size_wh)
        visible = placed & whole & (labelled.p_visible >= VISIBLE)
        # 5. The labeller's level was chosen for tables without marks.
        sure = sure if board.marks is None else min(sure, SURE)
        p_hidden = np.where(visible, 1.0 - labelled.p_visible, 1.0)
        observed = Observation(board.places, labels, p, visible, sure, labelled.appearance, p_hidden=p_hidden)
        card = self._cards.find(scaled.gray, pose, self._sightings) if self._cards else None
        last = StageResult("place", observed.p, np.where(observed.visible, labelled.p_visible, 0.0))
        reading = Reading(board.game, observed, pose, card, (*labelled.stages, last))
        self._memory.keep(scaled.image_bgr, pose, light, reading)
        return reading

    def _stages(self) -> Iterator[tuple[str, Stage]]:
        """Yield the stages that revise the labeller's result on this table, in order, each with its name."""
        if self._by_declared_colour is not None:
            yield "declared-colours", self._by_declared_colour.check
        if self._board.markers.printed is not None:
            yield "print", partial(weigh_print, self._board, self._board.markers.printed)
        if self._board.marks is not None:
            yield "marks", partial(_weigh_marks, self._board, self._board.marks)
        elif not self._enrolled:
            yield "colours", self._weigh_colours
            if not isinstance(self._labeller, discs.DiscLabeller):  # which checks for a disc's edge itself
                yield "mirrored-lamps", lambda view, labelled: doubt_mirrored(self._colours(view, labelled))

    def _weigh_colours(self, view: TableView, labelled: Labelled) -> Labelled | Blind:
        """Add doubt to the colours of all pieces if nothing proves that the picture has colours, or has them right."""
        seen = self._colours(view, labelled)
        if colours_deceive(seen):
            # Report that red and blue are exchanged if the picture is plausible with them exchanged again.
            other = ScaledImage(np.ascontiguousarray(view.scaled.image_bgr[..., ::-1]))
            light = estimate_light(other.image_bgr, self._board, view.pose, view.located.detections)
            mended = TableView(other, view.located, light)
            again = self._colours(mended, self._labeller.label(mended))
            if not colours_deceive(again) and colour_is_proven(again):
                return Blind(BlindReason.NO_COLOUR, {"exchanged": "red-blue"})
            if is_pale(seen):
                return Blind(BlindReason.NO_COLOUR)
            # Hues that fit neither way are no fault of the picture: purple pieces in warm light deceive, and narrow
            # ones on a red board, which shows beside them.
        proven = not self._by_colour or colour_is_proven(seen)
        return labelled if proven else share_among_colours(self._board, labelled)

    def _colours(self, view: TableView, labelled: Labelled) -> SeenColours:
        return SeenColours(view.scaled.image_bgr, self._board, view.pose, view.light, labelled)


class AnyTableReader:
    """The reader of several tables, identified by their markers. A table's networks are loaded when it is first seen.

    Raises:
        BoardFileError: there is only one table, and it cannot be read.
    """

    def __init__(
        self,
        boards: Sequence[Board],
        calibration: Calibration | None = None,
        enrolments: Mapping[str, Enrolment] = MappingProxyType({}),
        kits: Mapping[str, Board] = MappingProxyType({}),
    ) -> None:
        self._boards = boards
        self._kits = kits
        self._calibration = calibration
        self._enrolments = enrolments
        self._readers: dict[str, TableReader] = {}
        if len(boards) == 1:
            self._reader(boards[0])

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        """Read a picture, uint8 (height, width, 3), or return why it cannot be read.

        Raises:
            BoardFileError: no picture of this table can be read. Nothing else is raised.
        """
        scaled = ScaledImage(image_bgr)
        board, detections = search_boards(scaled, self._boards)
        if board is None:
            return why_nothing(scaled, self._boards)
        return self._reader(board).read_found(scaled, detections)

    def _reader(self, board: Board) -> TableReader:
        if board.game not in self._readers:
            enrolment, kit = self._enrolments.get(board.game), self._kits.get(board.game)
            self._readers[board.game] = TableReader(board, self._calibration, enrolment, kit)
        return self._readers[board.game]


def labeller_of(board: Board, enrolment: Enrolment | None = None, *, played: bool = False) -> Labeller:
    """Return the labeller for a table, chosen by its pieces and never by the game's name.

    Without a trained model, flat discs are read by the table file's colours, and pieces that all bear marks by these.
    `played` is as in `TableReader`.

    Raises:
        BoardFileError: this table cannot be read.
    """
    if discs.has_own_colours(board):
        return discs.DiscLabeller(board)
    try:
        if board.card_words:
            return CardTableLabeller(board, played=played)
        return FigureLabeller(board) if stands_one_of_each(board) else CellLabeller(board, enrolment)
    except BoardFileError:
        if discs.reads(board):
            return discs.DiscLabeller(board)
        if board.marks is not None and all_are_marked(board, board.marks):
            return UnknownLabeller(board)
        raise


def _weigh_marks(board: Board, marks: Marks, view: TableView, labelled: Labelled) -> Labelled:
    """Detect the marks on a table and combine their evidence with the other cues."""
    image_bgr, pose = view.scaled.image_bgr, view.pose
    found = find_marks(view.scaled, board, marks, pose)
    places = {mark.place for mark in found.seen}
    blank, recovered = look_again(image_bgr, board, marks, pose, light=view.light, found=places)
    found = replace(found, seen=found.seen + recovered)
    bare = bare_cells(image_bgr, board, pose, blank, {mark.place for mark in found.seen})
    return weigh_marks(labelled, board, pose, found, bare)


def take_lesson(
    image_bgr: ImageBgr, board: Board, labeller: CellLabeller, calibration: Calibration | None
) -> tuple[Floats, Mapping[str, str]] | None:
    """Return what a picture, uint8 (height, width, 3), contributes to an enrolment; None if the board cannot be read.

    That is the colours over the places, float64 (n_places, heights x bgr), and the certain labels, by place.
    """
    lens = calibration.lens_for((image_bgr.shape[1], image_bgr.shape[0])) if calibration else None
    if (view := view_table(image_bgr, board, lens)) is None:
        return None
    seen = labeller.label(view)
    sure = (
        readable_cells(board, view.located, view.scaled.size_wh)
        & (seen.p_visible > SURE)
        & (seen.p.max(axis=1) >= SURE)
    )
    words = [labeller.labels[column] for column in seen.p.argmax(axis=1)]
    reported = {place: word for place, word, certain in zip(board.places, words, sure, strict=True) if certain}
    return labeller.tones(view), reported
