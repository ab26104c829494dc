"""A stack's height is less certain than its colour, by a temperature of its own."""

from __future__ import annotations

import numpy as np

from vision.recognition.labeller import heights_tempered
from vision.shipped_network import softmax

KINDS = ("empty", "white", "black", "white", "black")


def test_heights_are_less_certain_and_kinds_are_as_certain_as_before() -> None:
    logits = np.log([[0.02, 0.9, 0.01, 0.06, 0.01], [0.9, 0.04, 0.03, 0.02, 0.01]])
    p, tempered = softmax(logits), softmax(heights_tempered(logits, KINDS, 2.0))
    for kind in set(KINDS):
        columns = [column for column, other in enumerate(KINDS) if other == kind]
        np.testing.assert_allclose(tempered[:, columns].sum(axis=1), p[:, columns].sum(axis=1))
    np.testing.assert_allclose(tempered[0, 1] / tempered[0, 3], np.sqrt(0.9 / 0.06))


def test_labels_that_the_network_excludes_stay_excluded() -> None:
    p = softmax(heights_tempered(np.array([[0.0, 9.0, -2000.0, -2000.0, -2000.0]]), KINDS, 1.6))
    np.testing.assert_allclose(p[0, 2:], 0.0)
    assert p[0, 1] > 0.99
