"""What happens on the simulated table, in words: a caption for whoever watches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.locale import _
from companion.simulator.mischief import Mischief
from companion.simulator.players import Deed
from companion.ui.names import seat_name

_SAYS: Mapping[Mischief, Callable[[], str]] = {
    Mischief.STEP_TOO_MANY: lambda: _("{player} cheats: one step too many"),
    Mischief.STEP_TOO_FEW: lambda: _("{player} slips: one step too few"),
    Mischief.FORGETS_TEE: lambda: _("{player} slips: a tee on the way is forgotten"),
    Mischief.TEE_TOO_MANY: lambda: _("{player} cheats: one tee too many"),
    Mischief.TAKES_TEE: lambda: _("{player} cheats: another player's tee becomes an own one"),
    Mischief.THROUGH_ROYAL: lambda: _("{player} cheats: walks through another player's piece"),
    Mischief.JUMPS: lambda: _("{player} cheats: jumps over a space"),
    Mischief.WRONG_COLOUR: lambda: _("{player} slips: a tee of the wrong colour"),
    Mischief.OUT_OF_TURN: lambda: _("{player} cheats: it is not their turn"),
    Mischief.KNOCKS_OVER: lambda: _("{player} slips: a tee is knocked over"),
    Mischief.FALSE_ENCLOSURE: lambda: _("{player} cheats: fills what is not enclosed"),
    Mischief.FORGETS_BONUS: lambda: _("{player} forgets the bonus tees"),
    Mischief.LEAVES_HAND: lambda: _("{player} leaves a hand lying on the board"),
}


def caption(deed: Deed, mischief: Mischief | None = None) -> str:
    """Tell what a player begins to do."""
    return _on_the_table(_SAYS[mischief]().format(player=seat_name(deed.seat)) if mischief else _plainly(deed))


def tidying(deed: Deed) -> str:
    """Tell that a player makes the table lie as it should."""
    return _on_the_table(_("{player} puts it right").format(player=seat_name(deed.seat)))


def _plainly(deed: Deed) -> str:
    if len(deed.path) > 1:
        text = _("{player} goes from {start} to {end}")
        return text.format(player=seat_name(deed.seat), start=deed.path[0], end=deed.path[-1])
    return _("{player} plays").format(player=seat_name(deed.seat))


def _on_the_table(what: str) -> str:
    return _("On the table: {what}.").format(what=what)
