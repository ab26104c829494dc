"""The people at the table in sentences: by their own names, or else by the colour or sign that they play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from companion.locale import _
from engines.kernel import Seat

Names: TypeAlias = Mapping[Seat, str]
"""The people's own names, by seat; a seat that is missing is called by its colour or sign."""

NO_NAMES: Names = {}


def player_name(seat: str | None, names: Names = NO_NAMES) -> str:
    """Return what a sentence calls a player: Anna, Red, or "the player" where the seat is unknown."""
    if seat is None:
        return _("The player")
    return names.get(Seat(seat)) or _seats().get(seat, seat[:1].upper() + seat[1:])


def _seats() -> Mapping[str, str]:
    return {
        "red": _("Red"),
        "blue": _("Blue"),
        "green": _("Green"),
        "yellow": _("Yellow"),
        "purple": _("Purple"),
        "black": _("Black"),
        "white": _("White"),
        "suns": _("Suns"),
        "moons": _("Moons"),
        "crowns": _("Crowns"),
        "arms": _("Arms"),
    }


def player_names(seats: Iterable[str], names: Names = NO_NAMES) -> str:
    """Return players as one list: "Anna, Red and Ben"."""
    return enumerated([player_name(seat, names) for seat in seats])


def enumerated(parts: Iterable[str]) -> str:
    """Join words with commas, the last one with "and"."""
    *first, last = parts
    return _("{first} and {last}").format(first=", ".join(first), last=last) if first else last


def won_by(winners: Iterable[str], names: Names = NO_NAMES) -> str:
    """Return who has won; a draw where it is nobody."""
    won = list(winners)
    if not won:
        return _("Nobody has won.")
    sentence = _("Winner: {players}.") if len(won) == 1 else _("Winners: {players}.")
    return sentence.format(players=player_names(won, names))
