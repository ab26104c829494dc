"""Which game begins where nobody has said which: the one on the table, as people agree on it in the lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.app.lobby import LobbyDevices, hold_lobby
from companion.app.offers import OfferBook
from companion.app.output import flush, write_text
from companion.core.lobby import Offer
from companion.shell.journal import Journal
from vision.board import shipped_board

if TYPE_CHECKING:
    from companion.shell.clock import Clock
    from companion.shell.journal import RecordedGame
    from companion.shell.loop import Inbox
    from companion.shell.opening import Setup
    from vision.board import Board


def is_open(setup: Setup, clock: Clock) -> bool:
    """Return whether it is left to the table which game begins: no game is named, and none is to be gone on with.

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
    """Look at the table until people agree on a game; return its set-up, None where they leave.

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
    """Return the set-up of the game that people agreed on."""
    return replace(
        base,
        game=offer.game,
        players=offer.players,
        number=offer.number,
        resume=offer.number is not None,
        unattended=False,
        options={**base.options, **offer.options},
        arrangement=replace(base.arrangement, names=offer.names),
    )


def _games(base: Setup, clock: Clock) -> list[RecordedGame]:
    with closing(Journal(base.journal, clock)) as journal:
        return list(journal.games())


def _say(lines: Sequence[str]) -> None:
    """Write at once: people wait for it."""
    write_text(*lines, "")
    flush()
