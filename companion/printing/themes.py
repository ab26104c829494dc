"""Themes: the RGB triples of the roles of colours ("ink", "ground", "accent"), and the contrast of two colours.

"paper" spares ink: white grounds, thin lines. "wood" and "dark" print full grounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.kit import Colour, Rgb

WHITE: Rgb = (255, 255, 255)
BLACK: Rgb = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role.

    Attributes:
        name: the word on the command line.
        colours: an RGB triple for each role.
        zone_strength: how much of a seat's colour its zone has, 0 to 1.
    """

    name: str
    colours: Mapping[str, Rgb]
    zone_strength: float

    def rgb(self, colour: Colour) -> Rgb:
        """Return the RGB triple of a colour or role.

        Raises:
            KeyError: the theme has no such role.
        """
        return self.colours[colour] if isinstance(colour, str) else colour


_EVERYWHERE: Mapping[str, Rgb] = {
    "page": WHITE,
    "ink": (28, 26, 24),
    "soft": (96, 92, 86),
    "hairline": (150, 146, 140),
    "white": WHITE,
    "tint": (238, 234, 226),
    "accent": (150, 44, 36),
    "accent-2": (36, 66, 112),
}
"""Roles of pages and cut-out parts, alike in every theme because they are on white paper."""

_OF_THEMES: Mapping[str, tuple[Rgb, Rgb, Rgb]] = {
    "frame": (WHITE, (196, 156, 108), (34, 44, 42)),
    "frame-ink": ((60, 54, 48), (58, 34, 16), (236, 228, 206)),
    "ground": ((255, 254, 250), (232, 206, 164), (62, 82, 74)),
    "second": ((224, 217, 203), (188, 142, 94), (38, 52, 50)),
    "line": ((92, 84, 76), (84, 52, 28), (214, 200, 160)),
    "number": ((40, 36, 32), (58, 34, 16), (244, 238, 220)),
    "ornament": ((36, 66, 112), (48, 34, 74), (240, 224, 176)),
    "ornament-2": ((150, 44, 36), (128, 30, 22), (244, 178, 150)),
}
"""Roles of boards, in the themes "paper", "wood" and "dark"."""

THEMES: Mapping[str, Theme] = {
    name: Theme(name, {**_EVERYWHERE, **{role: rgb[place] for role, rgb in _OF_THEMES.items()}}, zone_strength)
    for place, (name, zone_strength) in enumerate((("paper", 0.30), ("wood", 0.75), ("dark", 0.85)))
}


def blend(first: Rgb, second: Rgb, share: float) -> Rgb:
    """Return a mixture of two colours, `share` of it the second."""
    r, g, b = (round(a * (1 - share) + c * share) for a, c in zip(first, second, strict=True))
    return r, g, b


def luminance(rgb: Rgb) -> float:
    """Return the relative luminance of an sRGB colour, 0 (black) to 1 (white), by WCAG 2."""
    shares = (value / 255 for value in rgb)
    r, g, b = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(first: Rgb, second: Rgb) -> float:
    """Return the contrast ratio of two colours, 1 to 21, by WCAG 2."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def readable_on(ground: Rgb) -> Rgb:
    """Return the ink, nearly black or nearly white, that contrasts more with a ground."""
    dark, light = _EVERYWHERE["ink"], _EVERYWHERE["white"]
    return max((dark, light), key=lambda ink: contrast(ink, ground))


def hex_colour(rgb: Rgb) -> str:
    """Return a colour as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)
