"""A picture on its way from a camera to a reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

ImageBgr: TypeAlias = NDArray[np.uint8]
"""Pixels as uint8 (height, width, 3), channels blue, green, red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One exposure.

    Attributes:
        image_bgr: uint8 (height, width, 3).
        captured_ns: when it was taken, on a monotonic clock, in ns.
        small_bgr: the same exposure made smaller by the camera itself, uint8 (height, width, 3), where it can do that.
    """

    image_bgr: ImageBgr
    captured_ns: int
    small_bgr: ImageBgr | None = None

    def __post_init__(self) -> None:
        shape = self.image_bgr.shape
        if self.image_bgr.dtype != np.uint8 or len(shape) != 3 or shape[2] != 3:
            message = f"a frame needs uint8 (height, width, 3), not {self.image_bgr.dtype} {shape}"
            raise ValueError(message)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.image_bgr.shape[:2]
        return width, height
