"""What the labellers look at: a picture in which a table was found, with where it is and how it is lit."""

from __future__ import annotations

from dataclasses import dataclass

from vision.geometry import Pose
from vision.localization.locate import Located, ScaledImage
from vision.recognition.light import Illumination


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """A picture, the board found in it, and the light on that board."""

    scaled: ScaledImage
    located: Located
    light: Illumination

    @property
    def pose(self) -> Pose:
        """Where the board is."""
        return self.located.estimate.pose
