"""What the card network learns from: pictures as the recogniser gets them, of all words, turned without harm."""

from __future__ import annotations

import numpy as np
import pytest

from vision.recognition.cards.recogniser import CardRecogniser
from vision.recognition.cards.words import BACK, CARD_PX, CARDS, NONE, WORDS
from vision.training.cards import CardSample, Dealer, rendered, turned


def test_lessons_are_pictures_as_the_recogniser_is_shown() -> None:
    dealer = Dealer(np.random.default_rng(5))
    for _ in range(30):
        lesson = dealer.deal()
        assert lesson.planes.shape == (3, CARD_PX[1], CARD_PX[0])
        assert lesson.planes.dtype == np.float32
        assert np.isfinite(lesson.planes).all()
        assert 0 <= lesson.word < len(WORDS)


@pytest.mark.long
def test_paper_is_about_white_whatever_the_light() -> None:
    dealer = Dealer(np.random.default_rng(6))
    lessons = [dealer.deal() for _ in range(60)]
    papers = [np.quantile(lesson.planes, 0.8) for lesson in lessons if WORDS[lesson.word] in CARDS]
    assert 0.75 < float(np.median(papers)) < 1.2


@pytest.mark.long
def test_backs_and_empty_places_are_among_the_lessons() -> None:
    dealer = Dealer(np.random.default_rng(7))
    words = {WORDS[dealer.deal().word] for _ in range(150)}
    assert {BACK, NONE} < words


@pytest.mark.parametrize("seed", range(6))
def test_a_lesson_shown_again_is_the_same_card_upright_or_upside_down(seed: int) -> None:
    picture = np.zeros((3, CARD_PX[1], CARD_PX[0]), np.float32)
    picture[:, :20] = 1
    again = turned(CardSample(picture, 17), np.random.default_rng(seed))
    assert again.word == 17
    first, last = again.planes[:, :20].mean(), again.planes[:, -20:].mean()
    assert abs(first - last) > 0.5


def test_cards_cut_out_of_a_rendered_table_are_what_the_truth_names() -> None:
    lessons = [lesson for lesson in rendered([1]) if WORDS[lesson.word] != NONE]
    found = CardRecogniser().recognise(np.stack([lesson.planes for lesson in lessons])).argmax(axis=1)
    right = found == [lesson.word for lesson in lessons]
    assert len(lessons) >= 20
    assert right.mean() > 0.8  # half of them lie under pawns


@pytest.mark.long
def test_a_table_without_cards_gives_outlines_that_are_none() -> None:
    lessons = list(rendered([3]))
    assert lessons
    assert {WORDS[lesson.word] for lesson in lessons} == {NONE}
