"""One game after the other at the same table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING

from companion.core.choices import REMATCH
from companion.core.state import winners

if TYPE_CHECKING:
    from companion.shell.opening import Setup
    from companion.shell.session import Session


__all__ = ["REMATCH", "goes_on", "next_setup", "tally_after"]


def goes_on(wanted: str, *, unattended: bool) -> bool:
    """Return whether another game follows on the table.

    A service goes on when people end the evening as well, with a new game that is in no journal before its first move:
    a game that they keep for another day is not taken up again at once.

    Args:
        wanted: what people want next, as `Session.next` has it; "" where the program was ended.
        unattended: whether it plays as a service.
    """
    return wanted in ("rematch", "new") or (unattended and wanted in ("save", "over"))


def tally_after(setup: Setup, session: Session) -> Mapping[str, int]:
    """Return how many games of the evening each person has won after a session, by name, or by seat without one."""
    state = session.state
    if not state.over:
        return setup.tally
    names = state.progress.arrangement.names
    won = Counter(names.get(seat, seat) for seat in winners(state))
    people = {str(names.get(seat, seat)): 0 for seat in state.players}
    return {**people, **setup.tally, **{person: setup.tally.get(person, 0) + number for person, number in won.items()}}


def next_setup(setup: Setup, session: Session) -> Setup:
    """Return the set-up of the game that follows one on the same table: same people, same options."""
    state = session.state
    return replace(
        setup,
        game=state.rules.engine.name,
        players=state.players,
        resume=False,
        number=None,
        arrangement=state.progress.arrangement,
        tally=tally_after(setup, session),
        seed=SystemRandom().randint(0, 2**31),
    )
