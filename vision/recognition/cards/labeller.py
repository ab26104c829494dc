"""The labeller of a table of cards: what is in each cell, where exactly, and then which card it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.geometry import Floats
from vision.recognition.cards.crops import cut_cards
from vision.recognition.cards.joint import each_pawn_once, joint, restricted
from vision.recognition.cards.layout import Layout, LayoutReader
from vision.recognition.cards.likeness import ASKED, SETTLED, weigh_backs, weigh_pawns_on_backs
from vision.recognition.cards.recogniser import CardPictures, CardRecogniser
from vision.recognition.cards.sharpness import median_edge_px, too_coarse
from vision.recognition.cards.words import BACK, CARDS, WORDS
from vision.recognition.labeller import DOUBT, Labelled
from vision.recognition.light import TableView
from vision.recognition.memory import Remembering

_WORTH_A_LOOK = 0.005
"""Probability of a card's face from which on the card is recognised."""

COARSE_DOUBT = 0.1
"""Error probability of a cell that is too coarse, so that none of them is certain."""

_LEAST = 1e-12


class CardTableLabeller:
    """The labeller of a table of cards. It holds networks, so only one thread may use it at a time.

    Args:
        board: the table.
        played: a game is played, in which a pawn may be in a hand.

    Raises:
        BoardFileError: there is no network for this game or for cards, or it was not trained for this table's colours.
    """

    def __init__(self, board: Board, *, played: bool = False) -> None:
        self._board = board
        self.layout = LayoutReader(board)
        self.labels, self.sure = board.label_words, self.layout.file.sure
        cards = CardRecogniser()
        self._cards = Remembering(cards.recognise)
        self._cards_turned = Remembering(lambda pictures: cards.recognise(pictures[:, :, ::-1, ::-1]))
        self._middles = np.column_stack([board.centres_mm(), np.zeros(len(board.cells))])
        self._corner_mm = float(np.hypot(*board.cards["size"])) / 2
        standing = [piece for piece in board.pieces.values() if piece.on == "card" and not piece.covers]
        self._pawns_once, self._played = all(piece.count == 1 for piece in standing), played
        self._known = np.array([card in board.card_words for card in CARDS])

    def label(self, view: TableView) -> Labelled:
        """Compute the labels of all cells in a picture."""
        layout = self.layout.read(view)
        if self._board.marks is None:  # marked cards are alike
            layout = self._compare_backs(view, layout)
        asked = np.flatnonzero((layout.p_lying[:, 0] > _WORTH_A_LOOK) & (layout.p_visible > _WORTH_A_LOOK))
        # The prior of the card in each cell from the layout alone, float64 (n_cells, 54).
        sides = layout.p_lying[:, :3] + _LEAST
        sides /= sides.sum(axis=1, keepdims=True)
        p = np.column_stack([sides[:, :1] * self._known / self._known.sum(), sides[:, 1:]])
        if len(asked):
            p[asked] = self._recognise(asked.tolist(), self._cut(view, layout, asked))
        if self._pawns_once:
            layout = each_pawn_once(layout, played=self._played)
        reported = joint(layout, p, self._board.card_words, self._corner_mm)
        edge_px = median_edge_px(view.scaled, self._board, view.located.detections)
        unclear = too_coarse(edge_px, view.pose, self._middles[:, :2])
        reported[unclear] = (1 - COARSE_DOUBT) * reported[unclear] + COARSE_DOUBT / reported.shape[1]
        return Labelled(reported, layout.p_visible, layout.appearance).after("cards")

    def _compare_backs(self, view: TableView, layout: Layout) -> Layout:
        """Return the layout after all possible backs, and the pawns on them, have been compared with one another."""
        rows = np.flatnonzero((layout.p_lying[:, 0] < SETTLED) & (layout.p_visible > 0.5))
        doubtful = layout.p_lying[rows].max(axis=1) < ASKED
        if not doubtful.any():  # then flags are not backs
            rows = rows[layout.p_lying[rows, 1] > ASKED]
            return weigh_pawns_on_backs(layout, rows, self._cut(view, layout, rows))
        cards = self._cut(view, layout, rows)
        says_back = layout.p_lying[rows, 1]
        says_back[doubtful] = self._cards.answers(rows[doubtful].tolist(), cards[doubtful])[:, WORDS.index(BACK)]
        layout = weigh_backs(layout, rows, cards, says_back)
        return weigh_pawns_on_backs(layout, rows, cards)

    def _cut(self, view: TableView, layout: Layout, rows: NDArray[np.int_]) -> CardPictures:
        places = layout.place[rows] + self._middles[rows]
        return cut_cards(view.scaled.image_bgr, view.pose, view.light, self._board.size, places)

    def _recognise(self, cells: list[int], cards: CardPictures) -> Floats:
        p = self._cards.answers(cells, cards)
        doubtful = np.flatnonzero(p.max(axis=1) < DOUBT)
        if len(doubtful):
            turned = self._cards_turned.answers([cells[row] for row in doubtful], cards[doubtful])
            # The geometric mean of a card's two readings, one upside down: that they agree adds no certainty.
            both = np.sqrt(p[doubtful] * turned)
            p[doubtful] = both / both.sum(axis=1, keepdims=True)
        return restricted(p, np.append(self._known, (True, True)))  # a back, and no card
