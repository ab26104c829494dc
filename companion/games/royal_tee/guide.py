"""The rules of Royal Tee for the players."""

from __future__ import annotations

from companion.games.guide import Guide, Section, credit_to
from companion.locale import _

__all__ = ["guide"]


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        title=_("Royal Tee"),
        credit=credit_to(""),
        goal=_(
            "Walk with your Royal Tee, mark every space you step on, and fence in more of the board than the others."
        ),
        turn=_turn(),
        sections=(_set_up(), _walk(), _claim(), _enclose(), _end()),
        signs={
            _("small letter"): _("a space of that colour"),
            _("capital letter"): _("the Royal Tee of that colour"),
            "·": _("a free space"),
        },
        terms={
            _("tee"): _("a small peg; it marks a space as yours"),
            _("Royal Tee"): _("the large peg that walks; the space under it is yours too"),
            _("slider"): _("says how many steps every walk has"),
            _("zone"): _("the strip along your own side of the board, outside it; for you it is wall"),
            _("enclosed"): _("cut off from the outside by your spaces and your zone; also called bonus spaces"),
        },
    )


def _turn() -> tuple[str, ...]:
    return (
        _("Walk with your Royal Tee exactly as many steps as the slider shows."),
        _("A step goes to the next space up, down, left or right; you may walk back over any space."),
        _("Only another Royal Tee is in your way."),
        _("The space you came from and all you stepped on become yours, also those of others."),
        _("Then everything that your spaces and your zone cut off from the outside becomes yours as well."),
        _("When everybody has walked, the slider moves up by one, as far as 9."),
    )


def _set_up() -> Section:
    return Section(
        _("Setting up"),
        (
            _("Two players take opposite colours; otherwise four play."),
            _("Put each Royal Tee on its start space: red F12, blue L7, green G1, yellow A6."),
            _("Set the slider to 1. Red begins, and turns go counter-clockwise."),
        ),
    )


def _walk() -> Section:
    return Section(
        _("Walking"),
        (
            _("You walk exactly as many steps as the slider shows, no more and no fewer."),
            _("You never step diagonally, off the board, into a zone, or onto another Royal Tee."),
            _("Any other space may be walked on, again and again, no matter who holds it."),
            _("If you can step anywhere, you have to walk; if not, you pass."),
        ),
    )


def _claim() -> Section:
    return Section(
        _("Claiming"),
        (
            _("Put your tees on the space where you began and on every space you stepped on."),
            _("Take off the tees of others there."),
            _("The space under a Royal Tee belongs to its owner, needs no tee, and cannot be taken."),
            _("A space that somebody holds may change hands, but it is never free again."),
        ),
    )


def _enclose() -> Section:
    return Section(
        _("Enclosing"),
        (
            _("After your walk you also get every space from which no way leads out past your spaces and your zone."),
            _("A way out may go diagonally, so a wall needs its corners."),
            _("The edge of the board is open everywhere but along your own zone."),
            _("A Royal Tee that you enclose keeps its own space; one that stands in your wall is a gap."),
        ),
    )


def _end() -> Section:
    return Section(
        _("The end"),
        (
            _("The game is over at once when the last free space is claimed."),
            _("Every space is a point. The player with the most wins; in a tie all of them do."),
        ),
    )
