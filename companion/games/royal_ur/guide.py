"""The rules of the Royal Game of Ur for the players."""

from __future__ import annotations

from companion.games.guide import Guide, Option, credit_to
from companion.locale import _


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        title=_("The Royal Game of Ur"),
        credit=credit_to(""),
        goal=_("Bring your seven counters home over a track that both of you share."),
        turn=(
            _("Throw three dice. 3 dots: enter a counter on S or move one 5. 2 dots: move 1. No dot: move 4."),
            _("1 dot: nothing, and your turn ends; after any other throw you throw again."),
            _("A move must be made if there is one; a counter goes home by the exact count."),
            _("On the middle row a single enemy counter is sent off; two or more send yours off."),
            _("Four fives: move on by the same count. Rosette: you may enter a counter."),
            _(
                "Eyes: your opponent moves a counter 4. The seventh counter home wins,"
                " and scores what the others stand on."
            ),
        ),
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
                usual=False,
            ),
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
        _("forfeit"): _(
            "the move that the eyes make you do: any counter 4 squares on; it obeys four-fives and rosettes, no eyes"
        ),
    }
