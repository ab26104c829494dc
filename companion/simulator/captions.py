"""What happens on the simulated table, in words: a caption for people who watch."""

from __future__ import annotations

from companion.games.simulated import SIMULATED
from companion.locale import _
from companion.simulator.moves import Means, SimulatedMove
from companion.simulator.planner import RESTING_HAND
from companion.ui.names import seat_name


def caption(game: str, move: SimulatedMove) -> str:
    """Return what a player begins to do."""
    return _on_the_table(_sentence(game, move).format(player=seat_name(move.seat)))


def throwing(move: SimulatedMove) -> str:
    """Return that a player throws the dice on the table."""
    return _on_the_table(_("{player} throws the dice").format(player=seat_name(move.seat)))


def tidying(move: SimulatedMove) -> str:
    """Return that a player makes the table as it should be."""
    return _on_the_table(_("{player} puts it right").format(player=seat_name(move.seat)))


def _sentence(game: str, move: SimulatedMove) -> str:
    if move.trick == RESTING_HAND:
        return _("{player} leaves a hand lying on the board")
    if move.trick:
        return SIMULATED[game].captions()[move.trick]
    return _plainly(move)


def _plainly(move: SimulatedMove) -> str:
    match move.means:
        case Means.THROW:
            return _("{player} presses the button for the dice")
        case Means.CHOICE:
            return _("{player} chooses with the buttons")
        case Means.WAITING:
            return _("{player} lets the time run out")
        case Means.HANDS if len(move.path) > 1:
            way = _("{player} goes from {start} to {end}")
            return way.replace("{start}", move.path[0]).replace("{end}", move.path[-1])
    return _("{player} plays")


def _on_the_table(what: str) -> str:
    return _("On the table: {what}.").format(what=what)
