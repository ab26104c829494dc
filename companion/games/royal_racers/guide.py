"""The rules of Royal Racers for the players, and what its cards are called."""

from __future__ import annotations

from companion.games.guide import Guide, Option, Section, credit_to
from companion.locale import _
from companion.ui.board_text import SUIT_SIGNS, letter
from engines.royal_racers.position import NULL_ROLL, Terms
from engines.schema import bounds
from vision.board import Board, shipped_board
from vision.labels import COVERED, Label

# ---- how cards are called


def rank_named(rank: int | str | None) -> str:
    """Return a rank as the players say it: ace, 2 to 9."""
    return _("ace") if rank in (1, "1", "A") else str(rank)


def die_named(face: int | str | None) -> str:
    """Return what the die shows: an empty face, the ace, 2 to 5."""
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
    """Return what is drawn for a player's flag."""
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
        turn=_turn(),
        sections=(_set_up(), _cards(), _move(), _end()),
        signs=_signs(),
        terms={
            _("suns, moons, crowns, arms"): _("the signs of the four players; arms are a coat of arms"),
            _("null"): _("the empty face of the die: no card is turned over"),
            _("flag"): _("a card that you have to step on, in the order of your flags; the last is your start space"),
            _("quarter"): _("nine cards in one corner of the grid"),
            _("coin"): _("in a campaign, as many points as flags were touched in a race"),
        },
        options=_options(),
    )


def _turn() -> tuple[str, ...]:
    return (
        _("Roll the die: it shows the empty face, the ace, or 2 to 5."),
        _("Turn a card of that rank face down, or point at one that is face down and turn it up from memory."),
        _("The wrong one goes back face down, and your pawn goes back to the flag you touched last, or to its start."),
        _("Then step to a space beside your pawn, if you like."),
        _("You cannot step onto a card that is face down, nor onto a pawn."),
        _("Touch your flags in order; the first to touch the last one wins."),
    )


def _set_up() -> Section:
    return Section(
        _("Setting up"),
        (
            _("Shuffle the 36 cards, ace to 9 of four suits, and lay them out face up, 6 by 6."),
            _("In turn everybody stands the pawn on one of the four spaces in the middle; this is the last flag too."),
            _("Your flags are put down by the player on your left, one in each quarter of the grid, clockwise."),
            _("The first flag goes in the quarter where its owner starts. A card has one flag at most."),
            _("Laying goes round: first all first flags, then all second ones; each time the next player begins."),
        ),
    )


def _cards() -> Section:
    return Section(
        _("Turning cards over"),
        (
            _("At the empty face nothing is turned over."),
            _("Otherwise turn over one card: face down one of the rank rolled, or face up one that you remember."),
            _("A card with a flag on it is turned down only when no other of its rank can be."),
            _("If all of that rank that you may turn are face down, you have to point at a card and turn it up."),
            _("If all of that rank are under pawns, turn any face-down card up; it stays so, whatever it is."),
            _("Cards under pawns are never turned over, and cards from 6 to 9 always stay face up."),
        ),
    )


def _move() -> Section:
    return Section(
        _("Stepping"),
        (
            _("You may step one space up, down, left or right, or stay."),
            _("A flag counts when it is the next one in order; it stays where it is."),
        ),
    )


def _end() -> Section:
    return Section(
        _("The end"),
        (
            _("The first to touch the last flag, back on the start space, wins the race at once."),
            _("In a campaign everybody gets a coin after each race, with as many points as flags touched."),
            _("The most points of all races win the campaign."),
        ),
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
        Option(
            "rounds", _("Rounds"), _("a race ends after {value} rounds at the latest"), span=bounds(Terms, "rounds")
        ),
    )
