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
SHIPPED = MODELS / "royal-racers" / "model.onnx"


@needs_torch
@pytest.mark.parametrize("training", [True, False])
def test_a_loaded_network_answers_as_the_shipped_one(*, training: bool) -> None:
    import torch  # noqa: PLC0415 - no part of the gate

    from vision.training.learning import load_exported  # noqa: PLC0415 - needs torch
    from vision.training.models import layout_network  # noqa: PLC0415 - needs torch

    planes = np.random.default_rng(1).normal(0.5, 0.3, (1, 9, 160, 128)).astype(np.float32)
    shipped = cv2.dnn.readNetFromONNX(str(SHIPPED))
    shipped.setInput(planes)
    network = layout_network(LayoutData(shipped_board("royal-racers")))
    load_exported(network, SHIPPED)
    network.train(training)

    np.testing.assert_allclose(network(torch.from_numpy(planes)).detach(), shipped.forward(), atol=1e-3)


@needs_torch
def test_every_layer_of_a_network_with_whole_connections_is_loaded() -> None:
    import torch  # noqa: PLC0415 - no part of the gate

    from vision.training.learning import load_exported  # noqa: PLC0415 - needs torch
    from vision.training.models import card_network  # noqa: PLC0415 - needs torch

    cards = np.random.default_rng(1).normal(0.5, 0.3, (2, 3, 192, 144)).astype(np.float32)
    shipped = cv2.dnn.readNetFromONNX(str(MODELS / "cards" / "model.onnx"))
    shipped.setInput(cards)
    network = card_network()
    load_exported(network, MODELS / "cards" / "model.onnx")

    np.testing.assert_allclose(network.eval()(torch.from_numpy(cards)).detach(), shipped.forward(), atol=1e-3)


@needs_torch
def test_weights_of_other_layers_are_refused() -> None:
    from vision.training.learning import load_exported  # noqa: PLC0415 - needs torch
    from vision.training.models import layout_network  # noqa: PLC0415 - needs torch

    with pytest.raises(ValueError, match=r"expected weights of shape .*, found"):
        load_exported(layout_network(LayoutData(shipped_board("royal-racers"))), MODELS / "territory" / "model.onnx")
