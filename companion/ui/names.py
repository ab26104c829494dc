"""Names of colours, labels and panel parts in the user's language.

JSON keeps the English words. For the letters on boards see `companion.ui.board_text`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from companion.core.entries import is_shared
from companion.locale import _
from engines.kernel import Level, Seat
from vision.labels import BACK, COVERED, EMPTY, parse_label, part_word, split_card

COMPUTER = "computer"
"""The seat of the computer at a table without colours."""


_SEATS: Mapping[str, Callable[[], tuple[str, str]]] = {
    "red": lambda: (_("red"), _("Red")),
    "blue": lambda: (_("blue"), _("Blue")),
    "green": lambda: (_("green"), _("Green")),
    "yellow": lambda: (_("yellow"), _("Yellow")),
    "purple": lambda: (_("purple"), _("Purple")),
    "black": lambda: (_("black"), _("Black")),
    "white": lambda: (_("white"), _("White")),
    "suns": lambda: (_("suns"), _("Sun")),
    "moons": lambda: (_("moons"), _("Moon")),
    "crowns": lambda: (_("crowns"), _("Crown")),
    "arms": lambda: (_("arms"), _("Arms")),
    COMPUTER: lambda: (_("computer"), _("Computer")),
}
"""Each seat's name within a sentence and alone, by colour or sign."""


def _names_of_seat(seat: str) -> tuple[str, str]:
    """Return a seat's name within a sentence and alone; unknown words stay as they are."""
    if seat in _SEATS:
        return _SEATS[seat]()
    stem, _hyphen, number = seat.partition("-")
    if stem == "player" and number.isdecimal():
        numbered = _("Player-{number}").format(number=number)
        return numbered, numbered
    return seat, seat[:1].upper() + seat[1:]


def seat_name(seat: str) -> str:
    """Return a player's colour or sign in the user's language; unknown words stay as they are."""
    return _names_of_seat(seat)[0]


FACE = "face"
"""The name under which all cards that are face up are counted."""


def counts(labels: Iterable[str]) -> str:
    """Return the labels' parts with their numbers; cards are counted by the side that is up, and empty cells too."""
    counted: Counter[str] = Counter()
    for label in map(parse_label, labels):
        lowest, *on_card = label.parts() or (EMPTY,)
        counted.update([FACE if label.is_face else lowest, *on_card])
    del counted[COVERED]
    return ", ".join(f"{label_name(label)} {number}" for label, number in sorted(counted.items()))


def label_name(label: str) -> str:
    """Return the name of a label, or of a part of one; unknown words stay as they are."""
    if label == FACE:
        return _("a card face up")
    seen = parse_label(label)
    if seen.is_empty:
        return _("empty")
    colour = seat_name(seen.piece)
    if seen.card:
        lowest = _("a card") if seen.card == COVERED else card_name(seen.card)
    elif seen.height > 1:
        lowest = _("{number} {colour} on one another").format(number=seen.height, colour=colour)
    elif seen.piece in _on_card_names():
        lowest = _on_card_name(seen.piece, seen.kind)
    elif seen.kind == "royal":
        lowest = _("royal piece: {colour}").format(colour=colour)
    else:
        lowest = seat_name(label)
    return " + ".join((lowest, *(_on_card_name(*part) for part in seen.on_card)))


def _on_card_name(kind: str, colour: str) -> str:
    """Return the name of a piece on a card, such as its flag."""
    names = _on_card_names()
    return names[kind].format(colour=seat_name(colour)) if kind in names else part_word(kind, seat_name(colour))


def _on_card_names() -> Mapping[str, str]:
    return {"flag": _("flag: {colour}"), "pawn": _("pawn: {colour}")}


def card_name(card: str) -> str:
    """Return the name of a playing card, "7-hearts" or "back"."""
    if card == BACK:
        return _("a card face down")
    rank, suit = split_card(card)
    suits = {
        "clubs": _("{rank} of clubs"),
        "diamonds": _("{rank} of diamonds"),
        "hearts": _("{rank} of hearts"),
        "spades": _("{rank} of spades"),
    }
    ranks = {"A": _("ace"), "J": _("jack"), "Q": _("queen"), "K": _("king")}
    return suits[suit].format(rank=ranks.get(rank, rank))


def points(score: Mapping[Seat, int] | Mapping[str, int]) -> str:
    """Return the players with their points."""
    return ", ".join(f"{seat_name(seat)} {number}" for seat, number in score.items())


Names: TypeAlias = Mapping[Seat, str]
"""The players' own names, by seat; seats without one are called by colour or sign."""

NO_NAMES: Names = {}


def player_name(seat: str | None, names: Names = NO_NAMES) -> str:
    """Return a player's name in a sentence: Anna, Red, or "the player" if the seat is unknown.

    Players who have the same name are distinguished by their seats: "Anna (White)".
    """
    if seat is None:
        return _("The player")
    name = names.get(Seat(seat))
    if name and is_shared(name, names):
        return seated_name(seat, name, "")
    return name or _names_of_seat(seat)[1]


def level_names() -> Mapping[Level, str]:
    """Return the names of the computer's levels, weakest first."""
    return {Level.EASY: _("easy"), Level.MEDIUM: _("medium"), Level.STRONG: _("strong")}


def computer_note(seat: str, level: Level | None) -> str:
    """Return the note on a seat that the computer plays: "computer, easy"; for the seat `COMPUTER` only the level."""
    parts = [] if seat == COMPUTER else [_("computer")]
    parts += [level_names()[level]] if level is not None else []
    return ", ".join(parts)


def seated_name(seat: str, name: str, computer: str) -> str:
    """Return a player with colour and the computer's note in brackets: "Anna (White)", "Red (computer)", or "Red"."""
    behind = ", ".join(filter(None, [player_name(seat) if name else "", computer]))
    called = name or player_name(seat)
    return _("{name} ({seat})").format(name=called, seat=behind) if behind else called


def player_names(seats: Iterable[str], names: Names = NO_NAMES) -> str:
    """Return players as a list: "Anna, Red and Ben"."""
    return enumerated([player_name(seat, names) for seat in seats])


def enumerated(parts: Iterable[str]) -> str:
    """Join words with commas, the last one with "and"; "-" for no words."""
    *first, last = list(parts) or ("-",)
    return _("{first} and {last}").format(first=", ".join(first), last=last) if first else last


def either(parts: Iterable[str]) -> str:
    """Join words with commas, the last one with "or"; "-" for no words."""
    *first, last = list(parts) or ("-",)
    return _("{first} or {second}").format(first=", ".join(first), second=last) if first else last


def clauses(parts: Iterable[str]) -> str:
    """Join parts of a sentence that may have commas themselves."""
    return _("; ").join(parts)


def won_by(winners: Iterable[str], names: Names = NO_NAMES) -> str:
    """Return a sentence with the winners, or that nobody has won."""
    won = list(winners)
    if not won:
        return _("Nobody has won.")
    sentence = _("Winner: {players}.") if len(won) == 1 else _("Winners: {players}.")
    return sentence.format(players=player_names(won, names))


# ---- teaching the camera, for the terminal and the page


def lens_steps() -> str:
    """Return how to photograph the sheet that measures the lens."""
    return _(
        "Print the sheet at 100 % and glue it to something flat. Take five to fifteen pictures with the table's\n"
        "camera, at the size that games are played with: the sheet tilted this way and that by 20 to 40 degrees,\n"
        "near and far, also in the corners of the picture."
    )


def pieces_steps() -> str:
    """Return which pictures teach the camera the colours of pieces."""
    return _(
        "Two or three pictures with pieces of every colour, in the light that you play in, do most of the work;\n"
        "the camera learns from what it reads with certainty. Where it is wrong, --shows says what is really\n"
        "there, in all pictures given."
    )
