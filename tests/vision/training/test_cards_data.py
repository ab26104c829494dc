"""What the card network learns from: pictures as the recogniser gets them, of all words, turned without harm."""

from __future__ import annotations

import numpy as np
import pytest

from vision.recognition.cards.recogniser import CardRecogniser
from vision.recognition.cards.words import CARD_PX, NONE, WORDS
from vision.training.cards import Dealer, rendered, turned
from vision.training.data import Sample


def test_lessons_are_pictures_as_the_recogniser_is_shown() -> None:
    dealer = Dealer(np.random.default_rng(5))
    for _ in range(30):
        lesson = dealer.deal()
        assert lesson.planes.shape == (3, CARD_PX[1], CARD_PX[0])
        assert lesson.planes.dtype == np.float32
        assert np.isfinite(lesson.planes).all()
        assert 0 <= lesson.truth < len(WORDS)


@pytest.mark.parametrize("seed", range(6))
def test_a_lesson_shown_again_is_the_same_card_upright_or_upside_down(seed: int) -> None:
    picture = np.zeros((3, CARD_PX[1], CARD_PX[0]), np.float32)
    picture[:, :20] = 1
    again = turned(Sample(picture, 17), np.random.default_rng(seed))
    assert again.truth == 17
    first, last = again.planes[:, :20].mean(), again.planes[:, -20:].mean()
    assert abs(first - last) > 0.5


def test_cards_cut_out_of_a_rendered_table_are_what_the_truth_names() -> None:
    lessons = [lesson for lesson in rendered([1]) if WORDS[lesson.truth] != NONE]
    found = CardRecogniser().recognise(np.stack([lesson.planes for lesson in lessons])).argmax(axis=1)
    right = found == [lesson.truth for lesson in lessons]
    assert len(lessons) >= 20
    assert right.mean() > 0.8  # half of them lie under pawns
