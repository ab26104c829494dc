"""The rules of the Royal Game of Ur for the players."""

from __future__ import annotations

from companion.games.guide import Guide, Option, Section, credit_to
from companion.locale import _

__all__ = ["guide"]


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        title=_("The Royal Game of Ur"),
        credit=credit_to(""),
        goal=_("Bring your seven counters home over a track that both of you share."),
        turn=_turn(),
        sections=(_set_up(), _throws(), _landing(), _signs_on_squares(), _end()),
        signs={
            _("small letter"): _("a counter of that colour; a number behind it says how many stand there"),
            "·": _("an empty square"),
        },
        terms=_terms(),
        options=(
            Option(
                "throw_off",
                _("Who begins"),
                "",
                {"true": _("both throw for it"), "false": _("the player named first")},
            ),
        ),
    )


def _turn() -> tuple[str, ...]:
    return (
        _("Throw the three dice and count the dots that show."),
        _("Three dots: move a counter 5 squares, or enter one; two dots: 1 square; no dot: 4 squares."),
        _("Then throw again; only a throw of one dot ends your turn, and moves nothing."),
        _("A single counter of the other on the shared track is hit and has to enter again."),
        _("Two or more together are safe: who lands on them goes off the board."),
        _("Home is reached by the exact count; seven counters home win."),
    )


def _set_up() -> Section:
    return Section(
        _("Setting up"),
        (
            _("Each of you has seven counters beside the board."),
            _("Both throw; more dots begin, and a tie is thrown again."),
        ),
    )


def _throws() -> Section:
    return Section(
        _("Throwing and moving"),
        (
            _("Three dots let a counter enter; entering is a move."),
            _("Each throw moves one counter by the whole count. If you can move, you have to, also to your harm."),
            _("Your way runs along your own side, over the track in the middle, and back along your side home."),
        ),
    )


def _landing() -> Section:
    return Section(
        _("Meeting others"),
        (
            _("Your own counters may stand on one another, as many as you like, and everybody may be passed."),
            _("On the track in the middle a single counter of the other goes off the board when you land on it."),
            _("If two or more stand there, it is your counter that goes off; the square's sign does nothing then."),
        ),
    )


def _signs_on_squares() -> Section:
    return Section(
        _("Signs on the squares"),
        (
            _("Rosette: you may enter a counter."),
            _("Eyes: the other must move a counter 4 squares, if possible, and then you go on."),
            _("That move hits, and obeys four-fives and rosettes, but no eyes."),
            _("Four-fives: the same counter moves on by the same count."),
            _("Circles, grid and zigzag do nothing."),
        ),
    )


def _end() -> Section:
    return Section(
        _("The end"),
        (
            _("The first to have seven counters home wins at once."),
            _("Only the winner scores, for the counters that the other has left."),
            _("A counter off the board brings 25 points, on the space where counters enter 10."),
            _("On a square it brings its dots: four-fives 20, grid 12, circles and zigzag 5, eyes 4, rosette 1."),
        ),
    )


def _terms() -> dict[str, str]:
    return {
        _("dots"): _("the marks on the dice that count; each die shows one or none"),
        _("enter"): _("to bring a counter onto the board"),
        _("rosette"): _("a flower of eight petals; it lets you enter a counter"),
        _("eyes"): _("a square full of eyes; they make the other move a counter"),
        _("four-fives"): _("four fields of five dots; they carry your counter on"),
        _("hit"): _("to land on a single counter, which goes off the board"),
        _("home"): _("the end of your way"),
        _("forfeit"): _("the move that the eyes make you do"),
    }
