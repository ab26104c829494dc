"""A shipped model's weights, from which training goes on, make the network that was exported."""

from __future__ import annotations

from importlib.util import find_spec

import cv2
import numpy as np
import pytest

from vision.board import shipped_board
from vision.training.data import LayoutData
from vision.training.model_files import MODELS

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="the extra train is not installed")


@needs_torch
@pytest.mark.parametrize(
    ("name", "shape", "training"),
    [
        ("royal-racers", (1, 9, 160, 128), True),
        ("royal-racers", (1, 9, 160, 128), False),
        ("cards", (2, 3, 192, 144), False),
    ],
)
def test_a_loaded_network_answers_as_the_shipped_one(name: str, shape: tuple[int, ...], *, training: bool) -> None:
    import torch  # noqa: PLC0415 - no part of the gate

    from vision.training.learning import load_exported  # noqa: PLC0415 - needs torch
    from vision.training.models import card_network, layout_network  # noqa: PLC0415 - needs torch

    planes = np.random.default_rng(1).normal(0.5, 0.3, shape).astype(np.float32)
    path = MODELS / name / "model.onnx"
    shipped = cv2.dnn.readNetFromONNX(str(path))
    shipped.setInput(planes)
    network = card_network() if name == "cards" else layout_network(LayoutData(shipped_board(name)))
    load_exported(network, path)
    network.train(training)

    np.testing.assert_allclose(network(torch.from_numpy(planes)).detach(), shipped.forward(), atol=1e-3)


@needs_torch
def test_weights_of_other_layers_are_refused() -> None:
    from vision.training.learning import load_exported  # noqa: PLC0415 - needs torch
    from vision.training.models import layout_network  # noqa: PLC0415 - needs torch

    with pytest.raises(ValueError, match=r"expected weights of shape .*, found"):
        load_exported(layout_network(LayoutData(shipped_board("royal-racers"))), MODELS / "territory" / "model.onnx")
