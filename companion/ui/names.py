"""What table files call colours and labels, and the panel its parts, in the user's language.

Commands and JSON keep the English words; so does a board drawn with letters, whose legend gives the names beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

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


FACE = "face"
"""What all cards that lie face up count as."""


def tallied(labels: Iterable[str]) -> Mapping[str, int]:
    """Count what lies on the cells: of what lies on one another each, and cards by the side that is up."""
    counted: Counter[str] = Counter()
    for label in labels:
        card, *on_it = label.split("+")
        is_face = card.endswith(("-clubs", "-diamonds", "-hearts", "-spades"))
        counted.update([FACE if is_face else card, *on_it])
    del counted["covered"]
    return dict(sorted(counted.items()))


def label_name(label: str) -> str:
    """Name what lies on a cell; a word of somebody's own table stays as it is."""
    if "+" in label:
        return " + ".join(map(label_name, label.split("+")))
    whole = {"empty": _("empty"), "covered": _("a card"), "back": card_name("back"), FACE: _("a card face up")}
    if label in whole:
        return whole[label]
    colour, star, number = label.partition("*")
    if star:
        return _("{number} {colour} on one another").format(number=number, colour=seat_name(colour))
    kind, _dash, rest = label.partition("-")
    of_colour = {"flag": _("flag: {colour}"), "pawn": _("pawn: {colour}")}
    if kind in of_colour:
        return of_colour[kind].format(colour=seat_name(rest))
    return _("{colour}-royal").format(colour=seat_name(kind)) if rest == "royal" else seat_name(label)


def card_name(card: str) -> str:
    """Name a playing card, "7-hearts" or "back"."""
    if card == "back":
        return _("a card face down")
    rank, _dash, suit = card.partition("-")
    suits = {
        "clubs": _("{rank} of clubs"),
        "diamonds": _("{rank} of diamonds"),
        "hearts": _("{rank} of hearts"),
        "spades": _("{rank} of spades"),
    }
    ranks = {"A": _("ace"), "J": _("jack"), "Q": _("queen"), "K": _("king")}
    return suits[suit].format(rank=ranks.get(rank, rank))


def points(score: Mapping[Seat, int] | Mapping[str, int]) -> str:
    """List players with their points."""
    return ", ".join(f"{seat_name(seat)} {number}" for seat, number in score.items())


def counts(labels: Mapping[str, int]) -> str:
    """List labels with how many cells bear them."""
    return ", ".join(f"{label_name(label)} {number}" for label, number in labels.items())
