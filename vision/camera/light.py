"""The light that a sensor works with: settled once, then locked, then verified on every frame."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, Self

TOLERANCE = 0.05
"""Sensors keep exposure and gain in steps of up to a few hundredths: this much is the same light."""


@dataclass(frozen=True, slots=True)
class Light:
    """Exposure time in microseconds, analogue gain, and the white balance's gains for red and blue."""

    exposure_us: float
    analogue_gain: float
    colour_gains: tuple[float, float]

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> Self | None:
        """Take the light from a frame's metadata; None where the sensor does not tell it."""
        try:
            red, blue = metadata["ColourGains"]
            return cls(metadata["ExposureTime"], metadata["AnalogueGain"], (red, blue))
        except KeyError:
            return None

    def is_like(self, other: Light | None) -> bool:
        """Tell whether two frames were exposed alike, within what sensors can keep."""
        return other is not None and all(
            abs(mine - theirs) <= TOLERANCE * max(mine, theirs)
            for mine, theirs in zip(self._values(), other._values(), strict=True)
        )

    def _values(self) -> tuple[float, ...]:
        return (self.exposure_us, self.analogue_gain, *self.colour_gains)

    def controls(self, available: Container[str]) -> dict[str, Any]:
        """Give the controls that lock this light.

        The values go with the switches: `AeEnable` off alone can give black frames. The two modes are newer libcamera's
        way to say the same and are set where the camera has them.
        """
        locked = {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": int(self.exposure_us),
            "AnalogueGain": float(self.analogue_gain),
            "ColourGains": self.colour_gains,
        }
        modes = {"ExposureTimeMode": 1, "AnalogueGainMode": 1}
        return locked | {mode: manual for mode, manual in modes.items() if mode in available}
