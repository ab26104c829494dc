"""Writing the trained networks for OpenCV, with what must be known of them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import torch
from torch import nn

from vision.markerless.dice_network import PATCH_PX
from vision.training.dice.examples import SIDE_PX

RESIDUAL = 0.002
"""Probability of an error that the networks do not see: no die of any picture is more certain than that."""

_LINES = (
    "# What the networks beside this file need besides their weights; python -m vision.training.dice writes all three.",
    "places_temperature = {places_temperature} # divides the logits; fitted on drawn pictures not learned from",
    "values_temperature = {values_temperature} # the same for the second network",
    "presence = {presence} # weights of both networks' logits that a face lies there, and a constant; fitted likewise",
    "residual = {residual} # probability of an error that the networks do not see",
)


def write_places(network: nn.Module, folder: Path, temperature: float) -> None:
    """Write dice_places.onnx, and its temperature into dice.toml; it takes pictures of any size."""
    axes = {"picture": {2: "rows", 3: "columns"}, "told": {2: "rows8", 3: "columns8"}}
    _write(network, folder / "dice_places.onnx", SIDE_PX, axes)
    describe(folder, places_temperature=round(temperature, 3))


def write_values(network: nn.Module, folder: Path, temperature: float) -> None:
    """Write dice_values.onnx, and its temperature into dice.toml; it takes any number of patches."""
    _write(network, folder / "dice_values.onnx", PATCH_PX, {"picture": {0: "n"}, "told": {0: "n"}})
    describe(folder, values_temperature=round(temperature, 3))


def _write(network: nn.Module, path: Path, side_px: int, axes: dict[str, dict[int, str]]) -> None:
    torch.onnx.export(
        network,
        (torch.zeros(1, 3, side_px, side_px),),
        str(path),
        input_names=["picture"],
        output_names=["told"],
        dynamic_axes=axes,
        dynamo=False,
        opset_version=13,
    )


def describe(folder: Path, **changed: float | list[float]) -> None:
    """Change numbers in dice.toml, and leave the others as they are."""
    path = folder / "dice.toml"
    told: dict[str, float | list[float]] = {"places_temperature": 1.0, "values_temperature": 1.0, "presence": [1, 1, 0]}
    if path.is_file():
        told |= tomllib.loads(path.read_text(encoding="utf-8"))
    text = "\n".join(_LINES).format(**(told | changed | {"residual": RESIDUAL}))
    path.write_text(text + "\n", encoding="utf-8")
