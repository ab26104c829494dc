"""The rules of Royal Racers for the players, and the names of its cards."""

from __future__ import annotations

from companion.games.guide import Guide, Option, credit_to, with_usual
from companion.locale import _
from companion.ui.board_text import SUIT_SIGNS, letter
from engines.royal_racers.position import NULL_ROLL, Terms
from engines.schema import bounds
from vision.board import Board, shipped_board
from vision.labels import COVERED, Label

# ---- names of cards


def rank_named(rank: int | str | None) -> str:
    """Return the name of a rank: ace, 2 to 9."""
    return _("ace") if rank in (1, "1", "A") else str(rank)


def die_named(face: int | str | None) -> str:
    """Return the name of a die's face: the empty face, ace, 2 to 5."""
    return _("the empty face") if face in (NULL_ROLL, "null") else rank_named(face)


def card_named(card: str) -> str:
    """Return a card with its article: "the 7 of hearts"."""
    rank, _dash, suit = card.partition("-")
    suits = {
        "clubs": _("the {rank} of clubs"),
        "diamonds": _("the {rank} of diamonds"),
        "hearts": _("the {rank} of hearts"),
        "spades": _("the {rank} of spades"),
    }
    return suits[suit].format(rank=rank_named(rank))


def flag_sign(board: Board, seat: str) -> str:
    """Return the sign of a player's flag on the screen."""
    return letter(board, str(Label(card=COVERED, on_card=(("flag", seat),))))


# ---- the rules


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        title=_("Royal Racers"),
        credit=" ".join(
            (
                credit_to("Robert Kouba"),
                _("Its instructions may be distributed and copied for free as long as he is credited."),
            )
        ),
        goal=_("Be the first to touch your flags in order, over cards that turn over on the way."),
        turn=(
            _("Roll the die: it shows the empty face, the ace, or 2 to 5."),
            _("Turn a card of that rank face down, or point at one that is face down and turn it up from memory."),
            _(
                "The wrong one goes back face down, and your pawn goes back to the flag you touched last,"
                " or to its start."
            ),
            _(
                "If all of that rank lie face down, you have to point at one; if pawns stand on all four, you may turn"
                " any card up."
            ),
            _("Then step to a space beside your pawn, if you like."),
            _("You cannot step onto a card that is face down, nor onto a pawn."),
            _("Touch your flags in order; the first to touch the last one wins."),
        ),
        signs=_signs(),
        terms={
            _("suns, moons, crowns, arms"): _("the signs of the four players; arms are a coat of arms"),
            _("null"): _("the empty face of the die: no card is turned over"),
            _("flag"): _("a card that you have to step on, in the order of your flags; the last is your start space"),
            _("quarter"): _(
                "nine cards in one corner of the grid; your neighbour on the left lays your first flag in that of your"
                " start space, each next one in the next quarter clockwise, and never two on a card"
            ),
            _("coin"): _("in a campaign, as many points as flags were touched in a race"),
        },
        options=with_usual(Terms, _options()),
    )


def _signs() -> dict[str, str]:
    board = shipped_board("royal-racers")
    return {
        f"7{SUIT_SIGNS['hearts']}": _("a card face up: its rank and its suit"),
        "[]": _("a card face down"),
        f"{flag_sign(board, board.colours[0])}1": _("a flag: the letter of its player, and its number"),
        f"+{letter(board, board.colours[0])}": _("a pawn on the card: the letter of its player"),
        " ".join(letter(board, colour) for colour in board.colours): _("suns, moons, crowns, arms"),
    }


def _options() -> tuple[Option, ...]:
    return (
        Option("flags", _("Flags"), _("{value} flags for each player to touch"), span=bounds(Terms, "flags")),
        Option(
            "flag_variant",
            _("Flags of others"),
            "",
            {"true": _("stepped on only when no other step is possible"), "false": _("may be stepped on")},
        ),
        Option(
            "optional_flip",
            _("Turning over"),
            "",
            {"false": _("a card of the rank rolled has to be turned over"), "true": _("it may be left out")},
        ),
        Option("races", _("Races"), _("{value}, with coins for the flags touched"), span=bounds(Terms, "races")),
        Option("rounds", _("Rounds"), _("{value} in a race at most"), span=bounds(Terms, "rounds")),
    )
