"""What table files call colours and labels, and the panel its parts, in the user's language.

Commands and JSON keep the English words; so does a board drawn with letters, whose legend gives the names beside them.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.locale import _
from engines.kernel import Seat


def seat_name(seat: str) -> str:
    """Name a player by their colour or sign; a word of somebody's own table stays as it is."""
    names = {
        "red": _("red"),
        "blue": _("blue"),
        "green": _("green"),
        "yellow": _("yellow"),
        "purple": _("purple"),
        "black": _("black"),
        "white": _("white"),
        "suns": _("suns"),
        "moons": _("moons"),
        "crowns": _("crowns"),
        "arms": _("arms"),
    }
    return names.get(seat, seat)


def label_name(label: str) -> str:
    """Name what lies on a cell; a word of somebody's own table stays as it is."""
    if label == "empty":
        return _("empty")
    colour, _dash, kind = label.partition("-")
    return _("{colour}-royal").format(colour=seat_name(colour)) if kind == "royal" else seat_name(label)


def points(score: Mapping[Seat, int] | Mapping[str, int]) -> str:
    """List players with their points."""
    return ", ".join(f"{seat_name(seat)} {number}" for seat, number in score.items())


def counts(labels: Mapping[str, int]) -> str:
    """List labels with how many cells bear them."""
    return ", ".join(f"{label_name(label)} {number}" for label, number in labels.items())
