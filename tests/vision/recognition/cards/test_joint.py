"""What two networks say of a table of cards becomes one probability a word."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from vision.board import shipped_board
from vision.geometry import Floats
from vision.labels import EMPTY
from vision.recognition.cards.joint import each_pawn_once, joint
from vision.recognition.cards.layout import Layout, lying_words, standing_words
from vision.recognition.cards.words import WORDS

_BOARD = shipped_board("royal-racers")
_LYING, _STANDING = lying_words(_BOARD), standing_words(_BOARD)
_CORNER_MM = 54.0


def _row(words: tuple[str, ...], word: str, p: float = 0.999) -> Floats:
    row = np.full(len(words), (1 - p) / (len(words) - 1))
    row[words.index(word)] = p
    return row


def _layout(lying: list[Floats], standing: list[Floats], visible: list[float]) -> Layout:
    return Layout(np.array(lying), np.array(standing), np.array(visible), np.zeros((len(lying), 3)))


def _best(p: Floats) -> list[str]:
    return [_BOARD.label_words[i] for i in p.argmax(axis=1)]


def test_the_words_of_card_flag_and_pawn_are_joined_as_the_table_file_says() -> None:
    lying = [_row(_LYING, word) for word in ("face", "back", "flag-suns", "flag-arms")]
    standing = [_row(_STANDING, word) for word in ("pawn-moons", "nothing", "nothing", "pawn-crowns")]
    odds = np.array([_row(WORDS, word) for word in ("7-hearts", "back", "none", "3-clubs")])

    p = joint(_layout(lying, standing, [1.0] * 4), odds, _BOARD.card_words, _CORNER_MM)

    assert _best(p) == ["7-hearts+pawn-moons", "back", "covered+flag-suns", "covered+flag-arms+pawn-crowns"]
    assert p.max(axis=1).min() > 0.98


def _with_pawns(seen: dict[int, dict[str, float]], visible: float = 1.0, *, played: bool = False) -> Floats:
    """Return what stands in 36 cells, the first with a flag of moons, allowing for what is in the others."""
    standing = [_row(_STANDING, "nothing", 0.9998)] * 36
    for cell, words in seen.items():
        standing[cell] = np.array([words.get(word, 0.0005) for word in _STANDING])
        standing[cell] /= standing[cell].sum()
    lying = [_row(_LYING, "flag-moons"), *[_row(_LYING, "face")] * 35]
    return each_pawn_once(_layout(lying, standing, [1.0] + [visible] * 35), played=played).p_standing


def test_a_pawn_that_is_in_no_other_cell_is_not_overlooked_for_certain() -> None:
    overlooked = {"nothing": 0.98, "pawn-moons": 0.018}
    moons = _STANDING.index("pawn-moons")
    nowhere_else = _with_pawns({0: overlooked})
    assert nowhere_else[0, moons] > 0.3
    assert nowhere_else[1:, moons].max() < 0.05
    assert _with_pawns({0: overlooked, 5: {"pawn-moons": 0.99}})[0, moons] < 0.01
    assert _with_pawns({0: overlooked}, visible=0.0)[0, moons] < 0.05, "it may be where nothing is seen"


def test_while_a_game_is_played_a_pawn_may_be_in_a_hand_but_not_in_two_cells() -> None:
    doubtful, moons = {"nothing": 0.9, "pawn-moons": 0.1}, _STANDING.index("pawn-moons")
    assert abs(_with_pawns({0: doubtful}, played=True)[0, moons] - 0.1) < 0.02
    assert _with_pawns({0: doubtful, 5: {"pawn-moons": 0.99}}, played=True)[0, moons] < 0.02


def test_of_two_cells_with_one_colours_pawn_the_doubtful_one_has_another_or_none() -> None:
    p = _with_pawns({0: {"pawn-moons": 0.98}, 7: {"pawn-moons": 0.6, "pawn-arms": 0.4}})
    words = [_STANDING[index] for index in p[[0, 7]].argmax(axis=1)]
    assert words == ["pawn-moons", "pawn-arms"]
    assert p[7].max() < 0.99, "two mistakes of one light are not certain of each other"


def test_a_hidden_cell_claims_no_card_from_others() -> None:
    doubtful = 0.6 * _row(WORDS, "6-spades") + 0.4 * _row(WORDS, "9-spades")
    odds = np.array([_row(WORDS, "6-spades"), doubtful])
    layout = _layout([_row(_LYING, "face")] * 2, [_row(_STANDING, "nothing")] * 2, [0.001, 1.0])

    assert _best(joint(layout, odds, _BOARD.card_words, _CORNER_MM))[1] == "6-spades"


def test_a_cell_without_a_card_is_empty_and_a_hidden_one_nothing_in_particular() -> None:
    odds, layout = np.array([_row(WORDS, "none")] * 2), [_row(_LYING, "nothing")] * 2
    p = joint(_layout(layout, [_row(_STANDING, "nothing")] * 2, [1.0, 0.0]), odds, _BOARD.card_words, _CORNER_MM)

    assert p[0, _BOARD.label_words.index(EMPTY)] > 0.95
    assert p[1].max() < 0.05


def test_what_lies_askew_is_no_print_of_the_mat() -> None:
    odds = np.array([(_row(WORDS, "back") + _row(WORDS, "none")) / 2] * 3)
    doubtful = (_row(_LYING, "back") + _row(_LYING, "nothing")) / 2
    layout = _layout([doubtful] * 3, [_row(_STANDING, "nothing")] * 3, [1.0] * 3)
    layout.place[2] = 2.0, -2.0, 0.05
    back = joint(layout, odds, _BOARD.card_words, _CORNER_MM)[:, _BOARD.label_words.index("back")]
    assert back[2] > 0.99
    assert back[0] == back[1] < 0.8


def test_networks_that_quarrel_over_the_side_leave_it_open() -> None:
    odds = np.array([_row(WORDS, "back")])
    p = joint(_layout([_row(_LYING, "face")], [_row(_STANDING, "nothing")], [1.0]), odds, _BOARD.card_words, _CORNER_MM)

    assert p.max() < 0.95


def _rows(width: int) -> st.SearchStrategy[Floats]:
    values = arrays.arrays(np.float64, (3, width), elements=st.floats(0, 1))
    return values.map(lambda rows: (rows + 1e-9) / (rows + 1e-9).sum(axis=1, keepdims=True))


@given(
    _rows(len(_LYING)), _rows(len(_STANDING)), _rows(len(WORDS)), arrays.arrays(np.float64, 3, elements=st.floats(0, 1))
)
def test_whatever_the_networks_say_every_cell_has_a_distribution(
    lying: Floats, standing: Floats, odds: Floats, visible: Floats
) -> None:
    p = joint(Layout(lying, standing, visible, np.zeros((3, 3))), odds, _BOARD.card_words, _CORNER_MM)

    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-9)
