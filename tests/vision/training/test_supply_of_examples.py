"""Scenes are rendered while others are learned from, and pictures are drawn as often as they count."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.training.data import Supply


def test_another_scene_is_rendered_after_so_many_uses_while_there_are_more() -> None:
    rendered: list[int] = []

    def scenes() -> Iterator[int]:
        for k in range(3):
            rendered.append(k)
            yield k

    supply = Supply([], 0.0, scenes(), 4, np.random.default_rng(1))
    so_far = [(supply.pick(), len(rendered)) for _ in range(20)]
    assert [count for _, count in so_far] == [1] * 4 + [2] * 4 + [3] * 12
    assert {scene for scene, _ in so_far} == {0, 1, 2}
    assert all(scene < count for scene, count in so_far)


def test_pictures_are_drawn_as_often_as_they_count() -> None:
    supply = Supply(["picture"], 0.25, iter(["scene"] * 9), 1, np.random.default_rng(1))
    drawn = [supply.pick() for _ in range(2000)]
    assert 0.2 < drawn.count("picture") / len(drawn) < 0.3


def test_pictures_alone_are_enough() -> None:
    supply = Supply(["picture"], 0.5, iter(()), 1, np.random.default_rng(1))
    assert {supply.pick() for _ in range(9)} == {"picture"}
