"""Which game begins where nobody has said which: the one on the table, as the players agree on it in the lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from companion.app.lobby import LobbyDevices, hold_lobby
from companion.app.offers import OfferBook
from companion.app.output import flush, write_text
from companion.core.lobby import Offer
from companion.games.record import LARGEST_SEED
from companion.games.speech import options_for
from companion.shell.journal import Journal
from vision.board import shipped_board

if TYPE_CHECKING:
    from companion.shell.clock import Clock
    from companion.shell.journal import RecordedGame
    from companion.shell.loop import Inbox
    from companion.shell.opening import Setup
    from vision.board import Board


from collections import Counter
from typing import TYPE_CHECKING

from companion.core.choices import REMATCH
from companion.core.state import winners

if TYPE_CHECKING:
    from companion.shell.opening import Setup
    from companion.shell.session import Session


def is_open(setup: Setup, clock: Clock) -> bool:
    """Return whether the table decides which game begins: no game is named, and none is to be resumed.

    Raises:
        JournalError: the journal cannot be used.
    """
    if setup.game is not None or setup.number is not None:
        return False
    if not setup.resume:
        return True
    with closing(Journal(setup.journal, clock)) as journal:
        return setup.unattended and journal.unfinished() is None


def agreed(
    base: Setup,
    devices: LobbyDevices,
    tables: Mapping[str, Board],
    *,
    clock: Clock,
    ended_by: Callable[[Inbox], AbstractContextManager[None]],
) -> Setup | None:
    """Look at the table until the players agree on a game; return its set-up, None if they leave.

    Args:
        base: what holds whichever game it is.
        devices: what the lobby is held with.
        tables: the players' own boards, by game.
        clock: waits for what happens.
        ended_by: ends the lobby by signals while it is entered.

    Raises:
        JournalError: the journal cannot be used.
        PanelError: the panel cannot be opened.
        SetUpError: a recording has ended, and no table was recognised in it.
    """
    book = OfferBook(_games(base, clock), base.options, base.players, tuple(base.arrangement.names.values()))
    offer = hold_lobby(
        devices,
        lambda game, labels: book.offers(tables.get(game) or shipped_board(game), labels),
        book.can_begin,
        clock=clock,
        say=_say,
        ended_by=ended_by,
    )
    return None if offer is None else setup_of(base, offer)


def setup_of(base: Setup, offer: Offer) -> Setup:
    """Return the set-up of the game that the players agreed on."""
    language = offer.language or base.arrangement.language
    return replace(
        base,
        game=offer.game,
        players=offer.players,
        number=offer.number,
        resume=offer.number is not None,
        unattended=False,
        options={**options_for(offer.game, base.options), **offer.options},
        arrangement=replace(base.arrangement, names=offer.names, language=language),
    )


def _games(base: Setup, clock: Clock) -> list[RecordedGame]:
    with closing(Journal(base.journal, clock)) as journal:
        return list(journal.games())


def _say(lines: Sequence[str]) -> None:
    """Write at once: the players wait for it."""
    write_text(*lines, "")
    flush()


__all__ = ["REMATCH", "drawn_seed", "goes_on", "next_setup", "tally_after"]


def goes_on(wanted: str, *, unattended: bool) -> bool:
    """Return whether another game follows on the table.

    A service also goes on when the players end the evening: with a new game, in no journal before its first move:
    a game that they keep for another day is not taken up again at once.

    Args:
        wanted: what the players want next, as `Session.next` has it; "" where the program was ended.
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
    """Return the set-up of the game that follows one on the same table: same players, same options."""
    state = session.state
    return replace(
        setup,
        game=state.rules.engine.name,
        players=state.players,
        resume=False,
        number=None,
        arrangement=state.progress.arrangement,
        tally=tally_after(setup, session),
        seed=drawn_seed(),
    )


def drawn_seed(random: Random | None = None) -> int:
    """Draw the seed of a new game, so that no two have the same cards; None: with the system's source of chance."""
    return (random or SystemRandom()).randrange(LARGEST_SEED)
