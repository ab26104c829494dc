"""What the guide's numbers come from: a pinhole camera over a table, and a lamp's mirror image in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

MARGIN_MM = 30
"""What should be seen round the board, so that a bumped camera loses no marker."""

LEAST_PX_MM = 2.0


@dataclass(frozen=True, slots=True)
class Module:
    """A camera module (raspberrypi.com/documentation/accessories/camera.html): focal length, pixel, full resolution."""

    name: str
    focal_mm: float
    pixel_um: float
    full_wh: tuple[int, int]

    @property
    def reading_wh(self) -> tuple[int, int]:
        """Pictures are read at half the sensor's width and height."""
        return self.full_wh[0] // 2, self.full_wh[1] // 2

    @property
    def focal_px(self) -> float:
        return self.focal_mm / (2 * self.pixel_um / 1000)

    def px_mm(self, distance_mm: float) -> float:
        return self.focal_px / distance_mm

    def field_mm(self, distance_mm: float) -> tuple[int, int]:
        width, height = self.reading_wh
        return round(width / self.px_mm(distance_mm)), round(height / self.px_mm(distance_mm))

    def nearest_mm(self, board_mm: tuple[float, float]) -> int:
        """Give the least height, to the next 10 mm, from which a board and its margin are seen, turned as fits best."""
        sides = sorted(side + 2 * MARGIN_MM for side in board_mm)
        pixels = sorted(self.reading_wh)
        height = max(side * self.focal_px / count for side, count in zip(sides, pixels, strict=True))
        return 10 * math.ceil(height / 10)

    def farthest_mm(self) -> int:
        """Give the greatest height, to the next 10 mm below, at which a millimetre still has `LEAST_PX_MM` pixels."""
        return 10 * math.floor(self.focal_px / LEAST_PX_MM / 10)


MODULES = (
    Module("Camera Module 2", 3.04, 1.12, (3280, 2464)),
    Module("Camera Module 3", 4.74, 1.4, (4608, 2592)),
    Module("Camera Module 3 Wide", 2.75, 1.4, (4608, 2592)),
    Module("HQ Camera, 6 mm lens", 6.0, 1.55, (4056, 3040)),
)


def lamp_aside_mm(board_side_mm: float, camera_mm: float, lamp_mm: float) -> int:
    """Return how far from the board's middle a lamp must hang so that its mirror image falls beside the board.

    The camera looks from `camera_mm` above the middle, the lamp hangs `lamp_mm` above the table. A mirror sends light
    on at the angle at which it came, so a lamp that hangs `aside` shows
    at aside * camera / (camera + lamp) from the middle.
    """
    return 10 * math.ceil(board_side_mm / 2 * (camera_mm + lamp_mm) / camera_mm / 10)
