"""The rules of Royal Tee for the players."""

from __future__ import annotations

from companion.games.guide import Guide, credit_to
from companion.locale import _


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        title=_("Royal Tee"),
        credit=credit_to(""),
        goal=_(
            "Walk with your Royal Tee, mark every space you step on, and fence in more of the board than the others."
        ),
        turn=(
            _("Walk with your Royal Tee exactly as many steps as the slider shows."),
            _("A step goes to the next space up, down, left or right; you may walk back over any space."),
            _("Only another Royal Tee is in your way."),
            _("The space you came from and all you stepped on become yours, also those of others."),
            _("Then everything that your spaces and your zone cut off from the outside becomes yours as well."),
            _("When everybody has walked, the slider moves up by one, as far as 9."),
        ),
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
