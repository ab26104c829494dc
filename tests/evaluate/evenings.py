"""`python -m tests.evaluate.evenings`: whole simulated games through judging, journal and panel, counted.

Exit codes: 0 done; 2 arguments that cannot be used.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from rich.console import Console

from companion.app.typed_commands import TypedCommands
from companion.core.entries import Arranged
from companion.core.view import View
from companion.games import GAMES, SIMULATED
from companion.shell.loop import StopLoop
from companion.shell.session import Setup, open_session
from companion.simulator.behaviour import PlayerBehaviour, VerdictCounts
from companion.simulator.hands import Pace
from companion.simulator.outside import OutsideTable, Program
from companion.simulator.planner import RESTING_HAND
from companion.simulator.table import Plan, SimulatedTable, Watch
from engines.kernel import JsonObject, Seat
from tests.companion.shell.clocks import FrameClock
from tests.companion.shell.tables import lines_on
from tests.engines.steps import seatings
from tests.evaluate.disturbances import Disturbances, DisturbedCamera, Trouble, spread
from tests.evaluate.figures import show, table_of
from tests.evaluate.habits import CarelessPlayers, Habit
from tests.evaluate.sights import TrueEye
from vision.camera.camera import Camera
from vision.simulation.random_looks import tinted
from vision.simulation.scene import Scene

FRAME_S = 0.2
SIGHTS = ("pictures", "truth")
TRICKS_EVERY, TRICK_ROUNDS = 3, 10
"""This many turns are between two cheats or slips; each kind is tried so often, where the game lasts as long."""

TROUBLE_EVERY_S, TROUBLE_ROUNDS = 17.3, 5

SLOWNESS = 1.0, 4.0
"""How many times as long as this machine another one works on a picture: the last is about a Raspberry Pi 4. A slower
one sees a move in fewer pictures, and misreads what a faster one sees once more."""


@dataclass(frozen=True)
class Evening:
    """One game that is to be played: by its name, with a seed, seen in some way, on a table of some tier.

    `dice` says who throws, as after `--dice`. A `disturbed` one has the lights go off, glare, bumps of the camera and
    failures of it. One with `odd_colours` has pieces of odd tints; one that does not learn reads each picture afresh.
    With a `companion_seat` the companion plays the first seat. With pictures the program works `slowness` times as long
    on each as this machine needs, or as often as the seed draws; `inside` this process it takes no time, pictures are
    so much further apart, and all evenings have one journal. Each of the `habits` is followed beside a share of the
    moves. With some `kinds` only these cheats and slips are tried.
    """

    game: str
    seed: int
    see: str = "truth"
    tier: str = "easy"
    turns: int | None = None
    dice: str = "button"
    disturbed: bool = False
    odd_colours: bool = False
    learns: bool = True
    companion_seat: bool = False
    slowness: float | None = None
    inside: bool = False
    habits: tuple[str, ...] = ()
    habit_share: float = 0.15
    kinds: tuple[str, ...] = ()

    @property
    def slows(self) -> float:
        """How many times as long as on this machine a picture takes."""
        return drawn_slowness(self.seed) if self.slowness is None else self.slowness


def drawn_slowness(seed: int) -> float:
    """Return how slow the program is in the evening of a seed: half as slow is as likely as twice as slow."""
    least, most = SLOWNESS
    return float(least * (most / least) ** Random(f"slowness of {seed}").random())


@dataclass
class Outcome:
    """How games of one kind went; `seconds` is how long they took at the table."""

    games: int = 0
    seconds: float = 0.0
    gave_up: int = 0
    finished: int = 0
    score_equal: int = 0
    counts: list[VerdictCounts] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Add other games of the same kind."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def total(self, name: str) -> int:
        """Add up a number of all counts."""
        return sum(int(getattr(counts, name)) for counts in self.counts)

    def by_trick(self, name: str) -> Counter[str]:
        """Add up a count by cheat or slip."""
        return sum((getattr(counts, name) for counts in self.counts), Counter())

    def times_s(self, name: str) -> list[float]:
        """Collect times of all counts, sorted."""
        return sorted(time for counts in self.counts for time in getattr(counts, name))


def play(evening: Evening, folder: Path, players: Sequence[Seat] = ()) -> Outcome:
    """Play one evening to its end; without players with some that the seed draws.

    With pictures the program is in a process of its own and sees nothing but them; the seed is the people's alone.
    """
    game, random, plays = GAMES[evening.game], Random(evening.seed), SIMULATED[evening.game]
    options = plays.options[evening.seed % len(plays.options)]
    players = players or random.choice([*seatings(game, options)])
    journal = folder / ("journal.sqlite3" if evening.inside else f"{evening.game}-{evening.seed}.sqlite3")
    if evening.see == "pictures" and evening.learns and not evening.inside:
        return _play_outside(evening, Program(evening.game, players, journal, options))
    clock = FrameClock(frame_s=FRAME_S * (evening.slows if evening.see == "pictures" else 1.0))
    table = SimulatedTable(_plan(evening), clock=clock, shutter=clock.next_frame_ns, watch=_watch(evening, clock))
    arrangement = Arranged(companion_seats=tuple(players[: int(evening.companion_seat)]), dice=evening.dice)
    setup = Setup(evening.game, players, journal, options=options, seed=evening.seed, arrangement=arrangement)
    setup = replace(setup, learns=evening.learns)
    console = Console(file=StringIO(), width=100, force_terminal=False)
    dice = Random(evening.seed)
    with open_session(setup, table.equip, TypedCommands(lines_on(console)), clock=clock, random=dice) as session:
        table.when_over = lambda: session.loop.inbox.put(StopLoop())
        session.loop.run()
        return _outcome(evening, session.runner.view, table, table.conclude(), clock.now_ns() / 1e9)


def _play_outside(evening: Evening, program: Program) -> Outcome:
    """Play beside a program that runs as people run it."""
    seats = [f"--companion-seat={program.players[0]}"] if evening.companion_seat else []
    program = replace(program, more=("--plain", f"--dice={evening.dice}", *seats))
    played = OutsideTable(_plan(evening), frame_s=FRAME_S, slowness=evening.slows).play(program)
    return _outcome(evening, played.view, played.table, played.counts, played.seconds)


def _plan(evening: Evening) -> Plan:
    behaviour = PlayerBehaviour(think_s=0.4, tricks=_tricks(evening), turns=evening.turns)
    plan = Plan(evening.seed, behaviour, Pace(reach_s=0.6, piece_s=0.2), evening.tier, dice=evening.dice == "camera")
    habits = dict.fromkeys(evening.habits, evening.habit_share)
    return replace(plan, camera=partial(_camera, evening), players=partial(CarelessPlayers, habits=habits))


def _camera(evening: Evening, scene: Scene, *arguments: Any, **options: Any) -> Camera:
    """Make an evening's camera, over pieces of unusual tints if they are odd."""
    if evening.odd_colours:
        rng, seats = np.random.default_rng([evening.seed, 1]), scene.board.seats_and_saved
        tints = {seat.colour: tinted(seat.rgb, rng, hue=0.04, saturation=0.8, value=0.4) for seat in seats}
        scene = replace(scene, tints=tints)
    return DisturbedCamera(scene, *arguments, disturbances=_troubles(evening), **options)


def _outcome(
    evening: Evening, view: View | None, table: SimulatedTable, counts: VerdictCounts, seconds: float
) -> Outcome:
    game, people = GAMES[evening.game], table.players
    finished = game.engine.over(people.position) and view is not None and view.over
    equal = view is not None and dict(view.score) == dict(game.engine.score(people.position))
    notes = [f"{evening.game} seed {evening.seed}: {note}" for note in counts.notes]
    return Outcome(1, seconds, int(people.gave_up), int(finished), int(equal), [counts], notes)


def _tricks(evening: Evening) -> Mapping[int, str]:
    """Plan the cheats and slips of an evening, each kind in its turn, beginning at another one with each seed."""
    plays = SIMULATED[evening.game]
    names = [name for name in (*plays.cheats, *plays.slips, RESTING_HAND) if name in (evening.kinds or (name,))]
    start = evening.seed * 3
    turns = range(2, 2 + TRICK_ROUNDS * len(names) * TRICKS_EVERY, TRICKS_EVERY)
    return {turn: names[(start + number) % len(names)] for number, turn in enumerate(turns)}


def _troubles(evening: Evening) -> Disturbances:
    """Plan what disturbs an evening: one trouble every while, at another moment of the moves each time."""
    if not evening.disturbed:
        return Disturbances()
    troubles = [trouble for _round in range(TROUBLE_ROUNDS) for trouble in Trouble]
    return spread(troubles, 6.0 + evening.seed % 7 * 0.9, TROUBLE_EVERY_S)


def _watch(evening: Evening, clock: FrameClock) -> Watch | None:
    if evening.see != "truth":
        return None
    return lambda game, table_at: TrueEye(game, table_at, clock.next_frame_ns, _troubles(evening))


def drawn_game(game: str, seed: int, random: Random) -> tuple[JsonObject, Sequence[Seat]]:
    """Return the options of a seed, and players that are drawn for them."""
    options = SIMULATED[game].options[seed % len(SIMULATED[game].options)]
    return options, random.choice([*seatings(GAMES[game], options)])


# ---- the command


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    args = _parser().parse_args(argv)
    evening = Evening("", 0, args.see, args.tier, args.turns, dice=args.dice, disturbed=args.disturbed)
    evening = replace(evening, odd_colours=args.odd_colours, learns=not args.no_learning)
    evening = replace(evening, habits=tuple(args.habits), habit_share=args.habit_share)
    evening = replace(evening, companion_seat=args.companion_seat, kinds=tuple(args.kinds), slowness=args.slowness)
    outcomes = measure(args.games, args.seeds, evening, jobs=args.jobs)
    if args.json:
        for game, outcome in outcomes.items():
            times = {name: _percentiles(outcome.times_s(name)) for name in ("confirming_s", "refusing_s")}
            sys.stdout.write(json.dumps({**figures(game, outcome), **times, "kinds": by_kind(outcome)}) + "\n")
    else:
        _print(outcomes)
    if args.notes:
        sys.stderr.writelines(note + "\n" for outcome in outcomes.values() for note in outcome.notes)
    return 0


def measure(
    games: Iterable[str], seeds: Iterable[int], evening: Evening = Evening("", 0), *, jobs: int = 1
) -> Mapping[str, Outcome]:
    """Play every game with every seed, in all else as one evening; return how each game went."""
    evenings = [replace(evening, game=game, seed=seed) for game in games for seed in seeds]
    outcomes: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory() as folder:
        for one, outcome in zip(evenings, _played(evenings, Path(folder), jobs), strict=True):
            outcomes.setdefault(one.game, Outcome()).add(outcome)
    return outcomes


def _played(evenings: Sequence[Evening], folder: Path, jobs: int) -> Iterable[Outcome]:
    if jobs == 1:
        return (play(evening, folder) for evening in evenings)
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(play, evenings, [folder] * len(evenings)))


def figures(game: str, outcome: Outcome) -> dict[str, Any]:
    """Return the figures of one game."""
    asked = sum(len(counts.asked_at) for counts in outcome.counts)
    return {
        "game": game,
        "games": outcome.games,
        "finished": outcome.finished,
        "score_equal": outcome.score_equal,
        "legal": outcome.total("legal"),
        "confirmed": outcome.total("confirmed"),
        "refused_for_good": outcome.total("refused_for_good"),
        "cheats": outcome.by_trick("cheats").total(),
        "caught": outcome.by_trick("caught").total(),
        "accepted": outcome.by_trick("accepted").total(),
        "moves": outcome.total("moves"),
        "questions": asked,
        "asked_of_cheats": outcome.total("asked_of_cheats"),
        "asked_per_100": round(100 * asked / max(outcome.total("moves"), 1), 1),
        "per_100": quarters(outcome),
    }


def quarters(outcome: Outcome) -> list[float]:
    """Return the questions of each quarter of the moves, for each 100 moves; games weigh by their moves."""
    moves = [counts.moves for counts in outcome.counts]
    rates = [_rates(counts) for counts in outcome.counts]
    return [round(float(rate), 1) for rate in np.average(rates, axis=0, weights=moves)] if any(moves) else []


def _rates(counts: VerdictCounts) -> tuple[float, ...]:
    """Return the questions per 100 moves in each quarter of one game's moves."""
    asked = [sum(4 * at // (counts.moves + 1) == quarter for at in counts.asked_at) for quarter in range(4)]
    return tuple(400.0 * number / max(counts.moves, 1) for number in asked)


def by_kind(outcome: Outcome) -> dict[str, dict[str, int]]:
    """Return for each kind of cheat how often it was tried, caught and accepted.

    Cheats that leave a table as legal actions may are counted apart: how often they were tried, and taken for these.
    """
    counts = {name: outcome.by_trick(count) for name, count in _OF_CHEATS.items()}
    kinds = sorted(counts["tried"] | counts["explainable"])
    return {kind: {name: count[kind] for name, count in counts.items()} for kind in kinds}


_OF_CHEATS = {
    "tried": "cheats",
    "caught": "caught",
    "accepted": "accepted",
    "explainable": "explainable",
    "explained": "explained",
}


def _print(outcomes: Mapping[str, Outcome]) -> None:
    names = [*(name.replace("_", " ") for name in figures("", Outcome())), "slips", "confirmed in s", "refused in s"]
    evenings = (
        (
            *figures(game, outcome).values(),
            outcome.by_trick("slips").total(),
            *(_times(outcome.times_s(name)) for name in ("confirming_s", "refusing_s")),
        )
        for game, outcome in outcomes.items()
    )
    cheats = (
        (game, kind, *counts.values())
        for game, outcome in outcomes.items()
        for kind, counts in by_kind(outcome).items()
    )
    show(
        table_of("evenings", names, evenings),
        table_of("cheats", ("game", "kind", *_OF_CHEATS), cheats),
        table_of("habits", ("game", "habit", "followed", "for 100 moves", "misled"), _habits(outcomes)),
    )


def _habits(outcomes: Mapping[str, Outcome]) -> Iterator[tuple[object, ...]]:
    """Yield how often each habit was followed, its share of the moves, and how often it misled the companion."""
    for game, outcome in outcomes.items():
        misled, moves = outcome.by_trick("misled"), outcome.total("moves")
        for habit, followed in sorted(outcome.by_trick("habits").items()):
            yield game, habit, followed, f"{100 * followed / max(moves, 1):.0f}", misled[habit]


def _times(times_s: Sequence[float]) -> str:
    """Write the median, the 99th percentile and the longest time."""
    return " / ".join(f"{value:.1f}" for value in _percentiles(times_s)) or "-"


def _percentiles(times_s: Sequence[float]) -> list[float]:
    """Return the median, the 99th percentile and the longest time; nothing without any."""
    return [float(value) for value in (*np.percentile(times_s, (50, 99)), times_s[-1])] if times_s else []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.evaluate.evenings",
        description="Plays whole games on the simulated table and counts what the companion said of them.",
        epilog="example: python -m tests.evaluate.evenings --games royal-ur,territory --seeds 1-10 --see truth",
    )
    parser.add_argument("--games", type=_names, default=list(SIMULATED), help="names, with commas between them")
    parser.add_argument("--seeds", type=_seeds, default=range(1, 61), help="such as 1-60 or 7")
    parser.add_argument("--see", choices=SIGHTS, default="pictures", help="what the reader gets")
    parser.add_argument("--tier", choices=("easy", "medium"), default="easy", help="how hard the room is for pictures")
    parser.add_argument("--dice", choices=("button", "camera", "typed"), default="button", help="who throws")
    parser.add_argument("--disturbed", action="store_true", help="with lights off, glare, bumps, failures")
    parser.add_argument("--odd-colours", action="store_true", help="with pieces of unusual tints")
    parser.add_argument("--no-learning", action="store_true", help="read each picture by itself")
    parser.add_argument("--companion-seat", action="store_true", help="the companion plays the first seat")
    parser.add_argument(
        "--slowness",
        type=float,
        help="with pictures: 4 is about a Raspberry Pi 4; default: {:g} to {:g}, by the seed".format(*SLOWNESS),
    )
    parser.add_argument("--habits", nargs="*", choices=list(Habit), default=[], metavar="HABIT", help=_habits_help())
    parser.add_argument("--habit-share", type=float, default=0.15, help="the share of moves with each habit")
    kinds = sorted({RESTING_HAND, *(kind for plays in SIMULATED.values() for kind in (*plays.cheats, *plays.slips))})
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=[], metavar="KIND", help="try only these cheats")
    parser.add_argument("--turns", type=int, help="stop after so many turns")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    parser.add_argument("--json", action="store_true", help="one line a game")
    parser.add_argument("--notes", action="store_true", help="write what went wrong to standard error")
    return parser


def _habits_help() -> str:
    return f"what people do beside their moves: {', '.join(Habit)}"


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in SIMULATED]:
        message = f"unknown game {unknown[0]}; there are: {', '.join(SIMULATED)}"
        raise argparse.ArgumentTypeError(message)
    return names


def _seeds(text: str) -> range:
    first, _dash, last = text.partition("-")
    if not first.isdecimal() or not (last or first).isdecimal():
        message = f'expected seeds such as 1-60, found "{text}"'
        raise argparse.ArgumentTypeError(message)
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    sys.exit(main())
