"""A sensor's exposure and white balance: settled once, then locked and verified on every frame."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, Self

from vision.frame import ImageBgr

TOLERANCE = 0.05
"""Largest relative difference of the same light: sensors have exposure and gain in steps of a few per cent."""

CHANGED, FOR_GOOD_S = 1.5, 4.0
"""Factor of the brightness, and its duration in s, from which on the room's light has changed for good."""


@dataclass(frozen=True, slots=True)
class LightLevel:
    """Exposure time in microseconds, analogue gain, and the white balance's gains for red and blue."""

    exposure_us: float
    analogue_gain: float
    colour_gains: tuple[float, float]

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> Self | None:
        """Return the light of a frame's metadata; None if the sensor does not report it."""
        try:
            red, blue = metadata["ColourGains"]
            return cls(metadata["ExposureTime"], metadata["AnalogueGain"], (red, blue))
        except KeyError:
            return None

    def is_like(self, other: LightLevel | None) -> bool:
        """Return whether two frames were exposed alike, within the tolerance."""
        return other is not None and all(
            abs(mine - theirs) <= TOLERANCE * max(mine, theirs)
            for mine, theirs in zip(self._values(), other._values(), strict=True)
        )

    def _values(self) -> tuple[float, ...]:
        return (self.exposure_us, self.analogue_gain, *self.colour_gains)


def controls(light: LightLevel | None, available: Container[str]) -> dict[str, Any]:
    """Return the controls that lock a light; without one those of automatic exposure and white balance.

    The values are set together with the switches, since `AeEnable` off alone can give black frames. The two modes are
    equivalents in newer libcamera, set if the camera has them.
    """
    modes = {mode: int(light is not None) for mode in ("ExposureTimeMode", "AnalogueGainMode") if mode in available}
    if light is None:
        return {"AeEnable": True, "AwbEnable": True} | modes
    exposure = {"ExposureTime": int(light.exposure_us), "AnalogueGain": float(light.analogue_gain)}
    return {"AeEnable": False, "AwbEnable": False, **exposure, "ColourGains": light.colour_gains} | modes


def mean_level(image_bgr: ImageBgr) -> float:
    """Return the mean grey level of a picture's subsampled pixels."""
    return float(image_bgr[::8, ::8].mean())


class LightWatch:
    """Detects that the room's light has changed for good, from the brightness of pictures with locked exposure.

    A hand in front of the lens passes; a lamp that was switched on stays.
    """

    def __init__(self) -> None:
        self._usual: float | None = None
        self._since_ns: int | None = None

    def changed_for_good(self, level: float, now_ns: int) -> bool:
        """Return whether the mean grey level of a picture shows another light than the first one, for long enough."""
        if self._usual is None:
            self._usual = level
        ratio = max(level, 1.0) / max(self._usual, 1.0)
        if 1 / CHANGED < ratio < CHANGED:
            self._since_ns = None
            return False
        if self._since_ns is None:
            self._since_ns = now_ns
        return now_ns - self._since_ns >= FOR_GOOD_S * 1e9
