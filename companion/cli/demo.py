"""`companion demo`: whole games on a simulated table, played, seen, judged and scored, with cheats and hands."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import write_text
from companion.cli.exits import DONE, FAULT
from companion.cli.parser import Subparsers, at_least, examples, one_of
from companion.cli.play import ended_by_signals
from companion.locale import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from companion.core.view import View
    from companion.games.adaptor import Adaptor
    from companion.simulator.party import Tally
    from companion.simulator.table import Plan
    from engines.kernel import Seat

_FAST_SIZE_WH = (1024, 768)
_FAST_FRAME_S = 0.6
_LIVE_FRAME_S = 0.2


@dataclass(frozen=True, slots=True)
class _Played:
    """How a game went: what the screen showed last, the true score, the count of verdicts, the report picture."""

    view: View | None
    truth: Mapping[Seat, int]
    tally: Tally
    gave_up: bool
    picture: Path | None

    @property
    def scored(self) -> bool:
        """Whether the companion kept the score that the people at the table have."""
        return self.view is not None and dict(self.view.score) == dict(self.truth)


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "demo",
        help=_("watch whole games on a simulated table"),
        description=_(
            "Simulated people play a whole game on a simulated table, with cheats and a hand in view. The real reader,"
            " judge and journal watch them, and in the end their verdicts are counted against what really happened."
        ),
        epilog=examples("companion demo", "companion demo --fast --seed 3"),
    )
    parser.add_argument("--fast", action="store_true", help=_("as fast as it can be computed, told in plain lines"))
    parser.add_argument("--seed", type=at_least(0), default=1, metavar="N", help=_("another number is another game"))
    parser.add_argument(
        "--game", action="append", metavar="NAME", type=one_of(_("game"), _games), help=_("may be given several times")
    )
    parser.add_argument("--turns", type=at_least(1), metavar="N", help=_("stop after so many turns"))
    parser.add_argument("--folder", type=Path, metavar="DIR", help=_("where journal and report picture go"))


def _games() -> list[str]:
    """Name the games that simulated people can play: those without dice, with a seat at the table for each player."""
    from companion.games import GAMES

    return [game for game in GAMES if not GAMES[game].engine.has_dice and GAMES[game].board().seat]


def run(args: argparse.Namespace) -> int:
    """Play each game; 1 when a final score is not the true one, or a game could not be played to its end."""
    folder = args.folder or Path(tempfile.mkdtemp(prefix="companion-demo-"))
    agreed = True
    for game in args.game or _games():
        played = _play(game, args, folder)
        write_text(*_report(game, played))
        agreed = agreed and played.scored and not played.gave_up
    return DONE if agreed else FAULT


def _play(game: str, args: argparse.Namespace, folder: Path) -> _Played:
    from companion.games import GAMES
    from companion.shell.clock import RealClock
    from companion.shell.loop import Stop
    from companion.shell.opening import Setup
    from companion.shell.session import open_session
    from companion.simulator.clock import FrameClock, LiveShutter
    from companion.simulator.table import SimulatedTable

    fast, live = FrameClock(frame_s=_FAST_FRAME_S), RealClock()
    clock, shutter = (fast, fast.next_frame_ns) if args.fast else (live, LiveShutter(live, frame_s=_LIVE_FRAME_S))
    simulated = SimulatedTable(_plan(args), clock=clock, shutter=shutter)
    setup = Setup(game, _players(GAMES[game]), folder / f"{game}.sqlite3")
    with (
        open_session(setup, simulated.equip, console=_console(plain=args.fast), clock=clock) as table,
        ended_by_signals(table.inbox),
    ):
        simulated.when_over(lambda: table.inbox.put(Stop()))
        table.run()
        tally = simulated.conclude()
        truth = GAMES[game].engine.score(simulated.party.position)
        gave_up = simulated.party.gave_up
        return _Played(table.view, truth, tally, gave_up, table.pictures[-1] if table.pictures else None)


def _plan(args: argparse.Namespace) -> Plan:
    from companion.simulator.hands import Pace
    from companion.simulator.mischief import Mischief
    from companion.simulator.party import Manners
    from companion.simulator.table import Plan

    mischief = {
        2: Mischief.STEP_TOO_MANY,
        4: Mischief.LEAVES_HAND,
        6: Mischief.TAKES_TEE,
        8: Mischief.FORGETS_BONUS,
        9: Mischief.OUT_OF_TURN,
    }
    if args.fast:
        manners = Manners(think_s=0.0, mischief=mischief, turns=args.turns)
        return Plan(args.seed, manners, Pace(reach_s=0.3, piece_s=0.02), size_wh=_FAST_SIZE_WH)
    return Plan(args.seed, Manners(mischief=mischief, turns=args.turns), Pace())


def _players(game: Adaptor) -> tuple[Seat, ...]:
    """Give the fewest of the table's players that the game can be played by."""
    from itertools import combinations

    from engines.kernel import BadRequestError, Seat

    colours = [Seat(colour) for colour in game.board().colours]
    for seats in (seats for count in range(1, len(colours)) for seats in combinations(colours, count)):
        try:
            game.engine.new(seats, {}, 0)
        except BadRequestError:
            continue
        return seats
    return tuple(colours)


def _console(*, plain: bool) -> Console:
    """Give the terminal; told in plain lines when nobody could follow a screen."""
    from rich.console import Console

    return Console(file=sys.stdout, force_terminal=False if plain else None)


def _report(game: str, played: _Played) -> list[str]:
    """Tell the score, whether it is true, how the verdicts fared, and where the picture is."""
    from companion.ui.names import points

    tally = played.tally
    lines = [_("{game}: {score}").format(game=game, score=points(played.truth))]
    if played.gave_up:
        lines.append(_("The people gave up: they got no right verdicts any more."))
    if not played.scored:
        told = points(played.view.score) if played.view else ""
        lines.append(_("WRONG: the companion has {score}").format(score=told))
    counted = _(
        "legal moves seen right: {right} of {honest}; others caught: {caught} of {forbidden}; wrong verdicts: {wrong}"
    )
    lines.append(
        counted.format(
            right=tally.seen_right,
            honest=tally.legal,
            caught=tally.caught,
            forbidden=tally.forbidden,
            wrong=tally.wrong,
        )
    )
    if played.picture:
        lines.append(_("report picture: {path}").format(path=played.picture))
    return lines
