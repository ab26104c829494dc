"""`python -m tests.evaluate.mending`: what a misreading costs the people at a table, panel alone.

Short games on the real loop, with what a good reader sees, except that any label is read on any cell for 1 to 20 looks
in a row: before a move, while it is judged, or after it. People mend what comes of it with the buttons: BACK takes back
what nobody played; the shown choice is taken if it is what they did; DONE says that the table is right as it is.

Exit codes: 0 all were mended; 1 people were stuck, or it cost them too much; 2 arguments that cannot be used.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from companion.core.display import view as view_of
from companion.core.messages import FrameRead
from companion.core.verdicts import Action, Refused, Unclear
from companion.core.view import View
from companion.games import SIMULATED
from companion.games.simulated import Opportunity
from companion.simulator.planner import legal
from engines.kernel import Cell
from hardware.panel import Button
from tests.companion.core.tables import FRAME_NS
from tests.companion.evening_table import EveningTable
from tests.evaluate.figures import show, table_of

MOST_LOOKS = 20
MISREAD_SHARE = 0.6
"""The share of moves beside which something is misread."""

PATIENCE_S, REACTS_S = 3.0, 1.5
"""So long people wait for a lamp to change by itself, and then between two presses."""

MOST_PRESSES, MOST_S = 2, 10.0
"""What a misreading may cost."""

GIVES_UP_PRESSES, GIVES_UP_S = 12, 60.0
_HANDS_S, _SETTLES_S = 0.6, 2.0


@dataclass(frozen=True)
class Misreading:
    """A label that is read on a cell instead of what is there, for that many looks, from a moment of a move on."""

    cell: Cell
    label: str
    looks: int
    moment: str

    def __str__(self) -> str:
        return f"{self.cell} read as {self.label} for {self.looks} looks, {self.moment} the move"


@dataclass
class Cost:
    """What misreadings cost in games of one kind.

    Attributes:
        misreadings: how many there were.
        presses, seconds: of each that people noticed, until all was as it should be.
        false: how many led to an action that nobody had played.
        stuck: the moments in which nothing helped, in words.
        dear: the misreadings that cost more than they may, in words.
    """

    misreadings: int = 0
    presses: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    false: int = 0
    stuck: list[str] = field(default_factory=list)
    dear: list[str] = field(default_factory=list)

    def add(self, other: Cost) -> None:
        """Add other games of the same kind."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class _MisreadTable(EveningTable):
    """A table at which something is misread now and then."""

    misreading: Misreading | None = None
    looks_left = 0

    def misread(self, misreading: Misreading) -> None:
        """Misread from the next look on."""
        self.misreading, self.looks_left = misreading, misreading.looks

    def look(self, seconds: float, hidden: Sequence[str] = (), *, still: bool = True) -> None:
        """Look at the table for a while, one look after the other."""
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.pass_s(FRAME_NS / 1e9)
            truth = self.labels
            if self.misreading is not None and self.looks_left > 0:
                self.labels = {**truth, self.misreading.cell: self.misreading.label}
                self.looks_left -= 1
            seen = self._observation(hidden)
            self.labels = truth
            self.take(FrameRead(seen, still, self.clock.now_ns(), self.card))


class _StuckError(Exception):
    """Nothing that people can do at the panel helps."""


class _People:
    """Who plays one evening honestly, and mends what is misread."""

    def __init__(self, game: str, seed: int, cost: Cost) -> None:
        self.table, self.random, self.cost = _MisreadTable(game, seed), Random(seed), cost
        self.truth = self.table.state.position
        self._presses, self._began_ns, self._pressed_ns = 0, 0, 0
        self._misreading: Misreading | None = None

    def play(self, turns: int) -> None:
        """Play that many turns; raises `_StuckError`."""
        self.table.look(_SETTLES_S)
        for _turn in range(turns):
            if self.table.game.engine.over(self.truth):
                return
            self._misreading = self._drawn() if self.random.random() < MISREAD_SHARE else None
            self._turn()

    def _drawn(self) -> Misreading:
        cell = Cell(self.random.choice(self.table.game.board().places))
        there = self.table.labels.get(cell, "empty")
        label = self.random.choice([word for word in self.table.game.board().label_words if word != there])
        moment = self.random.choice(["before", "during", "after"])
        return Misreading(cell, label, self.random.randint(1, MOST_LOOKS), moment)

    def _turn(self) -> None:
        before, table = self.truth, self.table
        if table.awaits_throw:
            self._at("before", before)
            for _attempt in range(3):
                if table.state.position == before:
                    table.press(Button.ROLL)
            self.truth = table.state.position
            self._at("after", self.truth)
            return
        self._at("before", before)
        action = table.plays.decide(before, table.random)
        self.truth = legal(table.game, before, action)
        placed, after = table.game.placement(before), table.game.placement(self.truth)
        if (placed == after or self.random.random() < 0.5) and table._choose(action):
            self._settle(before, action)
            return
        seat = table.state.rules.turns.prompt(before).seat or table.state.players[0]
        leaves = table.plays.leaves(Opportunity(before, seat, action, placed, after, table.random))
        table.look(_HANDS_S, [str(cell) for cell in leaves if leaves[cell] != placed.get(cell)], still=False)
        table.labels, table.card = dict(leaves), table.plays.beside(before, action)
        self._misread("during")
        self._settle(before, action)
        table.lay(self.truth)
        self._at("after", self.truth)

    def _misread(self, moment: str) -> None:
        if self._misreading is not None and self._misreading.moment == moment:
            self.cost.misreadings += 1
            self.table.misread(self._misreading)

    def _at(self, moment: str, before: Any) -> None:
        """Let the table rest for a while, in which something may be misread."""
        self._misread(moment)
        if self.table.looks_left:
            self._settle(before, None)

    # ---- mending

    def _settle(self, before: Any, played: Action | None) -> None:
        """Wait until the game stands as it should and nothing is said against the table; mend it with the buttons."""
        table = self.table
        began_ns, self._presses, noticed_ns, fell = table.clock.now_ns(), 0, 0, False
        self._pressed_ns = began_ns
        quiet_ns = 0
        while True:
            table.look(FRAME_NS / 1e9)
            now_ns, shown = table.clock.now_ns(), view_of(table.state)
            wrong = self._wrong(shown)
            late = now_ns - began_ns > PATIENCE_S * 1e9
            if wrong == "waits" and not late:
                continue
            if wrong == "":
                quiet_ns = quiet_ns or now_ns
                if table.looks_left == 0 and now_ns - quiet_ns >= _SETTLES_S * 1e9:
                    break
                continue
            quiet_ns, noticed_ns = 0, noticed_ns or now_ns
            fell |= shown.position not in (before, self.truth)
            self._mend(shown, before, played, noticed_ns)
        self.cost.false += fell
        if noticed_ns:
            self._paid((quiet_ns - noticed_ns) / 1e9)

    def _paid(self, seconds: float) -> None:
        self.cost.presses.append(self._presses)
        self.cost.seconds.append(seconds)
        if self._presses > MOST_PRESSES or seconds > MOST_S:
            where = f"{self.table.game.name}: {self._misreading}: {self._presses} presses, {seconds:.1f} s"
            self.cost.dear.append(where)

    def _wrong(self, shown: View) -> str:
        """Return what is wrong by what people see: "waits" if the move is only not judged yet, "" if nothing is."""
        if shown.position != self.truth:
            judged = isinstance(shown.verdict, Refused | Unclear)
            return "refused" if judged else "waits"
        if isinstance(shown.verdict, Refused | Unclear) or shown.out_of_step:
            return "doubted"
        return ""

    def _mend(self, shown: View, before: Any, played: Action | None, noticed_ns: int) -> None:
        """Press a button, if people have waited long enough for things to mend themselves."""
        now_ns = self.table.clock.now_ns()
        waits_s = PATIENCE_S if self._presses == 0 else REACTS_S
        if now_ns - max(noticed_ns, self._pressed_ns) < waits_s * 1e9:
            return
        if self._presses >= GIVES_UP_PRESSES or now_ns - noticed_ns > GIVES_UP_S * 1e9:
            text = f"{self.table.game.name}: {self._misreading}: {shown.verdict}, {dict(shown.buttons)}"
            raise _StuckError(text)
        self._press(self._button(shown, before, played))

    def _button(self, shown: View, before: Any, played: Action | None) -> Button:
        if shown.position not in (before, self.truth):
            return Button.BACK
        choices = enumerate(shown.choices)
        listed = [place for place, choice in choices if played is not None and choice.action == played]
        if listed and shown.shown not in listed:
            return Button.MODE
        return Button.DONE

    def _press(self, button: Button) -> None:
        self._presses += 1
        self._pressed_ns = self.table.clock.now_ns()
        self.table.press(button)


def evening(game: str, seed: int, turns: int) -> Cost:
    """Play a short evening; return what misreadings cost in it."""
    cost = Cost()
    try:
        _People(game, seed, cost).play(turns)
    except _StuckError as stuck:
        cost.stuck.append(f"seed {seed}: {stuck}")
    return cost


def measure(games: Iterable[str], seeds: Iterable[int], turns: int) -> dict[str, Cost]:
    """Play every game with every seed; return the costs of each game."""
    costs = {game: Cost() for game in games}
    for seed in seeds:
        for game, cost in costs.items():
            cost.add(evening(game, seed, turns))
    return costs


def figures(cost: Cost) -> dict[str, Any]:
    """Return the figures of one game."""
    presses, seconds = np.array(cost.presses or [0]), np.array(cost.seconds or [0.0])
    return {
        "misreadings": cost.misreadings,
        "noticed": len(cost.presses),
        "false actions": cost.false,
        "presses 95 %": round(float(np.percentile(presses, 95)), 1),
        "presses most": int(presses.max()),
        "s 95 %": round(float(np.percentile(seconds, 95)), 1),
        "s most": round(float(seconds.max()), 1),
        "too dear": len(cost.dear),
        "stuck": len(cost.stuck),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evaluate.mending",
        description="Injects misreadings into short games and counts what it takes people to mend them at the panel.",
    )
    parser.add_argument("--games", nargs="+", choices=list(SIMULATED), default=list(SIMULATED))
    parser.add_argument("--evenings", type=int, default=40, help="of each game")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--turns", type=int, default=8, help="of each evening")
    parser.add_argument("--notes", action="store_true", help="write what was stuck or too dear to standard error")
    args = parser.parse_args(argv)
    costs = measure(args.games, range(args.first, args.first + args.evenings), args.turns)
    rows = ((game, *figures(cost).values()) for game, cost in costs.items())
    show(table_of("mending", ("game", *figures(Cost())), rows))
    if args.notes:
        sys.stderr.writelines(f"{note}\n" for cost in costs.values() for note in (*cost.stuck, *cost.dear))
    return int(any(cost.stuck or cost.dear for cost in costs.values()))


if __name__ == "__main__":
    sys.exit(main())
