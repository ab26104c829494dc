"""One game after the other at the same table."""

from __future__ import annotations

from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING

from companion.core.choices import REMATCH

if TYPE_CHECKING:
    from companion.shell.opening import Setup
    from companion.shell.session import Session


__all__ = ["REMATCH", "goes_on", "next_setup"]


def goes_on(wanted: str, *, unattended: bool) -> bool:
    """Return whether another game follows on the table.

    A service goes on when people end the evening as well, with a new game that is in no journal before its first move:
    a game that they keep for another day is not taken up again at once.

    Args:
        wanted: what people want next, as `Session.next` has it; "" where the program was ended.
        unattended: whether it plays as a service.
    """
    return wanted in ("rematch", "new") or (unattended and wanted in ("save", "over"))


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
        seed=SystemRandom().randint(0, 2**31),
    )
