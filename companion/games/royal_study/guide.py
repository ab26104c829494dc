"""The rules of The Royal Study for the players, and the names of its pieces and cards."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.guide import Guide, Option, credit_to, with_usual
from companion.locale import _
from companion.ui.board_text import initials
from engines.royal_study.board import SIZE
from engines.royal_study.placement import Way
from engines.royal_study.position import Card, Position, Side, Target, puzzle_of
from engines.royal_study.set_up import Agreement, StudyOptions
from engines.schema import bounds

# ---- names of pieces and cards


def the_piece(letter: str) -> str:
    """Return a piece with its article, by its letter: "the king"."""
    names = {
        "K": _("the king"),
        "Q": _("the queen"),
        "R": _("the rook"),
        "B": _("the bishop"),
        "N": _("the knight"),
    }
    return names[letter]


def piece_named(letter: str) -> str:
    """Return a piece without its article, by its letter: "king"."""
    names = {"K": _("king"), "Q": _("queen"), "R": _("rook"), "B": _("bishop"), "N": _("knight")}
    return names[letter]


def piece_signs() -> Mapping[str, str]:
    """Return each piece's sign in the user's language, by its letter: "K" for the king."""
    words = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
    drawn = initials(words.values())
    return {letter: drawn[word] for letter, word in words.items()}


def picture_drawn(rows: str) -> str:
    """Return the rows of a card's picture with each piece's sign, and points for empty squares."""
    signs = {**piece_signs(), ".": "\u00b7"}
    return "".join(signs.get(letter, letter) for letter in rows)


def way_named(way: str) -> str:
    """Return the name of a way to turn or mirror a card."""
    names = {
        Way.CLOCKWISE.value: _("a quarter to the right"),
        Way.COUNTER_CLOCKWISE.value: _("a quarter to the left"),
        Way.LEFT_RIGHT.value: _("over, left to right"),
        Way.TOP_BOTTOM.value: _("over, top to bottom"),
    }
    return names[way]


def the_card(position: Position, target: int) -> str:
    """Return the name of a card of this round: "the card" if there is only one."""
    if len(puzzle_of(position).targets) == 1:
        return _("the card")
    return card_number(target)


def card_number(target: int) -> str:
    """Return the name of a card by its place among the cards of the round, 0 or 1."""
    return _("the second card") if target else _("the first card")


def card_laid(card: Card) -> str:
    """Return the name of a printed card: its number, side and rotation."""
    side = _("its face up") if card.side is Side.FACE else _("its back up")
    turned = {
        0: _("not turned"),
        1: _("turned a quarter to the right"),
        2: _("turned upside down"),
        3: _("turned a quarter to the left"),
    }
    return _("card {number}, {side}, {turned}").format(number=card.number, side=side, turned=turned[card.turns])


def card_lines(position: Position) -> list[str]:
    """Return lines that draw the cards of this round: a title, and the three rows of the picture."""
    return [line for target in puzzle_of(position).targets for line in _card(target)]


def _card(target: Target) -> list[str]:
    title = _("The card") if target.card is None else card_laid(target.card)
    met = _("{card} (met)").format(card=title) if target.done else title
    rows = [target.picture[first : first + SIZE] for first in range(0, len(target.picture), SIZE)]
    names = "   " + "  ".join("ABC")
    drawn = [f"{number:>2} " + "  ".join(picture_drawn(row)) for number, row in enumerate(rows, 1)]
    return [met[:1].upper() + met[1:], names, *drawn]


# ---- the rules


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        title=_("The Royal Study"),
        credit=credit_to("Stan van Rooijen"),
        goal=_("Bring five chess pieces to where a card shows them, in fewer moves than your rival dares to call."),
        turn=(
            _("Draw a card and put it below the board; everybody looks for the fewest moves that make its picture."),
            _("The first to name a number turns the hourglass."),
            _("Until it runs out, the other player may claim to need fewer moves."),
            _("The caller, or the challenger, moves the pieces: success is a point, failure is the other's."),
            _("King: one square. Queen: any way, rook straight, bishop diagonally, as far as the way is free."),
            _("Knight: two squares straight and one aside; it jumps, and never stops in the middle."),
            _("Level 2: a quarter turn of the card costs a move. Level 3: so does a mirroring. Six points win."),
        ),
        signs={
            **{sign: piece_named(piece) for piece, sign in piece_signs().items()},
            "·": _("an empty square"),
        },
        terms={
            _("call"): _("naming in how many moves it can be done"),
            _("challenge"): _("saying that it can be done in fewer"),
            _("execution"): _("making the moves, no more than were called"),
            _("a move"): _("moving a piece, or turning the card where the level allows it"),
            _("met"): _("every piece that the card shows stands where the card shows it"),
        },
        options=with_usual(StudyOptions, _options()),
    )


def _options() -> tuple[Option, ...]:
    return (
        Option(
            "level",
            _("Level"),
            "",
            {
                "1": _("only moving a piece is a move"),
                "2": _("turning the card a quarter costs one move"),
                "3": _("turning the card, or turning it over, costs one move"),
            },
        ),
        Option(
            "difficulty",
            _("Difficulty"),
            "",
            {
                "easy": _("the third of the cards that need the fewest moves"),
                "medium": _("the third of the cards in between"),
                "hard": _("the third of the cards that need the most moves"),
            },
        ),
        Option("bonus", _("Bonus"), "", {"true": _("two cards, both must be met"), "false": _("one card a round")}),
        Option("points", _("Points"), _("{value} to win the match"), span=bounds(Agreement, "points")),
        Option(
            "hourglass", _("Hourglass"), _("{value} seconds to challenge a call"), span=bounds(Agreement, "hourglass")
        ),
        Option(
            "execution",
            _("Time for the moves"),
            _("{value} seconds to make the moves"),
            span=bounds(Agreement, "execution"),
        ),
        Option("together", _("Together"), "", {"true": _("all solve together, without calls and points")}),
        Option(
            "deck",
            _("Cards"),
            "",
            {"dealt": _("the companion draws them"), "table": _("they are drawn at the table")},
        ),
    )
