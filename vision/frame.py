"""A picture on its way from a camera to a reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

ImageBgr: TypeAlias = NDArray[np.uint8]
"""Pixels as uint8 (height, width, 3), channels blue, green, red."""


def made_smaller(image: NDArray[np.uint8], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Average a picture uint8 (height, width) or (height, width, 3) to a smaller size, faster than by area.

    Exact halves are averaged in no time; by less than a half, four pixels are the average.
    """
    while image.shape[1] >= 2 * size_wh[0] and min(image.shape[:2]) > 1:
        half_wh = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half_wh, interpolation=cv2.INTER_AREA), np.uint8)
    if image.shape[1::-1] == size_wh:
        return image
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_LINEAR), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One exposure.

    Attributes:
        image_bgr: uint8 (height, width, 3).
        captured_ns: when it was taken, on a monotonic clock, in ns.
        small_bgr: the same exposure made smaller by the camera itself, uint8 (height, width, 3), where it can do that.
        retaken: whether it is another photograph than the frame before it, perhaps from elsewhere: what differs between
            the two was not seen to move.
    """

    image_bgr: ImageBgr
    captured_ns: int
    small_bgr: ImageBgr | None = None
    retaken: bool = False

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
