"""`python -m tests.evaluate.by_panel`: games of people who see nothing of the companion but its panel.

A reader gets the lines of the small display, what lamps, bar and digits show, and what the buzzer plays; with a wiring
without display it has lamps and buzzer alone. It follows the game by that, and what it follows is all that the people
at the simulated table know of the companion. It also has the rules and the position at the start, with the order of a
deck: lamps alone tell nobody which card was drawn. They cheat now and then, too. The companion runs in a process of its
own and sees pictures, or in this one and sees the table as it is, with the panel on mock pins.

Exit codes: 0 done; 1 a game did not come to its score, or went wrong; 2 arguments that cannot be used.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import product
from multiprocessing.connection import Connection
from operator import itemgetter
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from typing import Any

from companion.core.display import view as view_of
from companion.core.hypothesis import Rules
from companion.core.verdicts import Action, Confirmed, PendingPlacement, Refused, TookBack, Unclear, Verdict
from companion.games import GAMES, SIMULATED
from companion.games.captions import choice_words
from companion.games.simulated import Labels
from companion.locale import _
from companion.shell.config_files import find_wiring
from companion.shell.devices import Devices
from companion.shell.effects import HOLDS, Display, ShownView
from companion.shell.loop import StopLoop
from companion.shell.oled_display import OledDisplay
from companion.shell.session import SessionTable, Setup, open_session
from companion.simulator.behaviour import VerdictCounts
from companion.simulator.hands import Tabletop
from companion.simulator.outside import OutsideTable, Program
from companion.simulator.planner import Means
from companion.simulator.players import SimulatedPlayers
from companion.simulator.table import Plan, SimulatedTable
from companion.ui.names import player_name
from companion.ui.oled import Leaf
from companion.ui.page import button_name
from engines.kernel import Cell, JsonObject, Outcome, Seat
from hardware.panel import Button, ButtonPressed, Enqueue, PanelInput, Rhythm, Shown, Signal, Tally
from hardware.pins import PinMap
from hardware.simulated import SimulatedPanel
from tests.companion.shell.clocks import FrameClock
from tests.evaluate.by_ear import Listener, SilentFront, plan_with_cheats
from tests.evaluate.evenings import FRAME_S, drawn_game, drawn_slowness
from tests.evaluate.sights import TrueEye
from vision.camera.camera import Camera

WIRINGS = Path("deploy/pi/examples/panels")
_PLACE = re.compile(r"\((\d+)/\d+\)")
_MOST_IN_A_ROW = 3


class PanelReader(Listener):
    """Somebody who sees the panel only, and knows what was done with the own hands.

    Args:
        game: what is played.
        people: those who play, who are shown what follows from it.
        lamps: the seats of the lamps, in their order.
    """

    def __init__(self, game: Rules, people: SimulatedPlayers, lamps: Sequence[Seat]) -> None:
        super().__init__(game, people.position, people.see)
        self._people, self._lamps = people, lamps
        self.leaves: Sequence[Leaf] = ()
        self.shown = Shown(())
        self._buzzed: SimpleQueue[tuple[Signal, Sequence[str], Shown]] = SimpleQueue()
        self._pressed: Button | None = None
        self._wrong: Sequence[str] = ()
        self._places: list[str] = []
        self.counted: list[int] = []
        self.cards_counted, self._cards_drawn = set[tuple[int, ...]](), {tuple(game.turns.cards(people.position))}

    # ---- what comes in

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Look at the small display."""
        self.leaves = leaves

    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Look at the panel, and listen to what it plays now."""
        if buzzes and isinstance(shown.signal, Signal):
            self._buzzed.put((shown.signal, _lines(self.leaves), shown))
        self.shown = shown

    def press(self, button: Button) -> None:
        """Remember what was pressed last."""
        self._pressed = button

    # ---- what is understood

    def look(self) -> None:
        """Understand what was heard and is shown, and let the people know."""
        while True:
            try:
                signal, lines, shown = self._buzzed.get_nowait()
            except Empty:
                break
            if signal in (Signal.ACCEPTED, Signal.OVER):
                self._accepted(lines, shown)
            elif signal in (Signal.REFUSED, Signal.UNSURE):
                refused = signal is Signal.REFUSED
                self._state = replace(self._state, verdict=Refused("seen", "") if refused else Unclear("seen"))
                self._wrong, self._places = lines, []
        self._take_back()
        self._note(_lines(self.leaves), self.shown)
        self._see(view_of(self._state))

    def _accepted(self, lines: Sequence[str], shown: Shown) -> None:
        """Follow what was accepted: what the display tells, or without it the own move or the throw that is shown."""
        told, move = next(self._told_in(lines), None), self._people.move
        if told is not None:
            self._follow(*told)
        if told is not None or move is None:
            return
        action = self._thrown(shown) if move.means is Means.THROW else move.action
        known = [] if lines or action is None else self._after(self.position, [action])
        if not lines and action is None and move.explainable:
            known = self._passing_for(move.after)
        if not known:
            self.not_understood += 1
            return
        self._follow(self._game.turns.prompt(self.position).seat, *known[0])

    def _after(self, position: Any, actions: Sequence[Action]) -> list[tuple[Action, Any]]:
        """Return those of some actions that are legal, with the position after each."""
        played = ((action, self._game.engine.play(position, action)) for action in actions)
        return [(action, outcome.position) for action, outcome in played if isinstance(outcome, Outcome)]

    def _passing_for(self, table: Labels) -> list[tuple[Action, Any]]:
        """Return the first action of the fewest that leave a table so, with the position after all, as people count."""
        engine, reached = self._game.engine, self._after(self.position, self._game.engine.actions(self.position))
        for _more in range(_MOST_IN_A_ROW):
            if found := [one for one in reached if self._game.placement(one[1]) == table]:
                return found[:1]
            reached = [(first, then) for first, at in reached for _next, then in self._after(at, engine.actions(at))]
        return []

    def _told_in(self, lines: Sequence[str]) -> Iterator[tuple[Seat | None, Action, Any]]:
        """Yield what lines tell first; of moves that they tell in the same words, the one that the people have made."""
        own = self._people.move
        for text in _sentences(lines):
            found = [*self._told(self.position, text, depth=3)]
            mine = (one for one in found if own is not None and one[1] == own.action)
            yield from ((seat, action, after) for seat, action, after, _rest in [*mine, *found])

    def _thrown(self, shown: Shown) -> Action | None:
        """Return the throw that is counted out, or stands on the digits."""
        if not self._game.turns.dice.awaited(self.position):
            return None
        ranges = [range(low, high + 1) for low, high in self._game.turns.dice.numbers(self.position)]
        counted = [part.numbers for part in (*shown.rhythms, shown.slider) if isinstance(part, Tally)]
        for numbers in product(*ranges):
            throw = self._game.turns.dice.counted(self.position, numbers)
            if numbers in counted or (not counted and self._game.turns.dice.number(throw) == shown.number):
                return throw
        return None

    def _take_back(self) -> None:
        """Go back if BACK was pressed and the display says that it has taken something back."""
        said = _plain(_("The last action of {player} is taken back.").partition("{")[0])
        told = any(text.startswith(said) for text in _sentences(_lines(self.leaves)))
        if self._pressed is Button.BACK and told and self._earlier:
            self._pressed = None
            self._moved_to(self._earlier.pop(), TookBack(view_of(self._state).players[0]))

    def _note(self, lines: Sequence[str], shown: Shown) -> None:
        """Note what is left to do, whether something is wrong still, and which choice and number are shown."""
        rhythms = shown.rhythms[: len(self._lamps)]
        left = (PendingPlacement(Cell(""), "", ""),) if Rhythm.TODO in rhythms else ()  # where: the lamp does not say
        state = replace(self._state, setting_up=Rhythm.SET_UP in rhythms)
        self._state = replace(state, progress=replace(state.progress, left_open=left))
        wrong = Rhythm.WRONG in rhythms or Rhythm.UNSURE in rhythms
        if set(view_of(self._state).players) > set(self._lamps):
            wrong = lines == self._wrong  # the seat may have no lamp
        if isinstance(self._state.verdict, Refused | Unclear) and not wrong:
            self._state = replace(self._state, verdict=None)
        if lines:
            self._choose_by(lines)
        else:
            self._count_cards(shown)
            self._count_by(rhythms)

    def _choose_by(self, lines: Sequence[str]) -> None:
        """Note the choice that the display offers first, with its number."""
        self._state = replace(self._state, chosen=None, number=None)
        done = f"{button_name(Button.DONE)} "
        if not lines[0].startswith(done):
            return
        self._state = replace(self._state, verdict=self._with_own_answer(lines))
        text = _plain(_PLACE.sub("", " ".join(lines)).removeprefix(done))
        low, high = self._game.turns.prompt(self.position).numbers or (1, 0)
        found = [(0, self._state)]
        for number in (None, *range(low, high + 1)):
            counted = replace(self._state, number=number)
            for place, choice in enumerate(view_of(counted).choices):
                words = _plain(choice_words(view_of(counted), choice))
                if text.startswith(words):
                    found.append((len(words), replace(counted, chosen=place)))
        self._state = max(found, key=itemgetter(0))[1]

    def _with_own_answer(self, lines: Sequence[str]) -> Verdict | None:
        """Return the verdict; where DONE would answer a question by a choice, with the own move as another answer.

        MODE may lead to it: until the display shows a choice for the second time, the own one may still come.
        """
        verdict, move, place = self._state.verdict, self._people.move, _PLACE.search(" ".join(lines))
        if not isinstance(verdict, Unclear) or place is None or move is None or move.action is None:
            return verdict
        if not self._places or place[1] != self._places[-1]:
            self._places.append(place[1])
        answers = (move.action,) if len(self._places) == len({*self._places}) else ()
        return verdict if verdict.actions == answers else replace(verdict, actions=answers)

    def _count_by(self, rhythms: Sequence[Rhythm | Tally]) -> None:
        """Note what the lamps count: the place of a choice after MODE, a number after ROLL and BACK."""
        counted = next((one.numbers for one in rhythms if isinstance(one, Tally)), ())
        if self._pressed is Button.MODE:
            self._state = replace(self._state, chosen=counted[0] - 1 if len(counted) == 1 else None)
        elif self._pressed is not None and len(counted) == 1 and self._game.turns.prompt(self.position).numbers:
            self._state = replace(self._state, number=counted[0])

    def _count_cards(self, shown: Shown) -> None:
        """Note the cards that are counted out, two figures each."""
        for tally in (*shown.rhythms, shown.slider, shown.signal):
            if isinstance(tally, Tally) and tally.pairs:
                figures = iter(tally.numbers)
                self.cards_counted.add(tuple(10 * tens + ones for tens, ones in zip(figures, figures, strict=True)))

    @property
    def cards_not_drawn(self) -> set[tuple[int, ...]]:
        """The cards that were counted out and that the program has not drawn."""
        return self.cards_counted - self._cards_drawn

    def _moved_to(self, position: Any, verdict: Confirmed | TookBack) -> None:
        self._pressed = None
        self._cards_drawn.add(tuple(self._game.turns.cards(position)))
        super()._moved_to(position, verdict)

    # ---- words as they stand on the display

    def _spoken(self, text: str) -> str:
        return _plain(text)

    def _last_cells(self, line: str) -> list[Cell | None]:
        return [*(cell for cell in dict.fromkeys(map(Cell, self._cells.values())) if cell in line), None]

    def _begins(self, line: str, said: str) -> bool:
        return line.startswith(said)

    def closes(self, press: Callable[[Button], object]) -> bool:
        """Read the points after the end; return True once they are read, else press ROLL, which counts them out."""
        seats = len(self._game.engine.score(self.position))
        if not self._game.engine.over(self.position) or self.points() or len(self.counted) == seats:
            return True
        if self._pressed is Button.ROLL:
            parts = (*self.shown.rhythms, self.shown.slider)
            counted = next((one.numbers for one in parts if isinstance(one, Tally)), None)
            if counted is not None:
                self.counted.append(int("".join(map(str, counted))))
            elif self.shown.number is not None and isinstance(self.shown.slider, int):
                self.counted.append(100 * self.shown.slider + self.shown.number)
        press(Button.ROLL)
        return False

    def points(self) -> Mapping[str, int]:
        """Return the points that the display shows, by the players' names."""
        names = [player_name(seat) for seat in self._game.engine.score(self.position)]
        lines = _lines(self.leaves)
        found = ((name, re.fullmatch(rf"{re.escape(name)} (\d+)( · .*)?", line)) for line in lines for name in names)
        return {name: int(match[1]) for name, match in found if match}


def _lines(leaves: Sequence[Leaf]) -> list[str]:
    return [line for leaf in leaves for line in leaf.lines]


def _sentences(lines: Sequence[str]) -> Iterator[str]:
    """Yield the text from each line on, without blanks: which of them begins a sentence cannot be seen."""
    return (_plain(" ".join(lines[place:])) for place in range(min(len(lines), 6)))


def _plain(text: str) -> str:
    return "".join(text.split())


# ---- games


@dataclass(frozen=True)
class Played:
    """How a game went.

    Attributes:
        finished: to its end by the rules.
        score: the truth, by the players' names.
        read: the points that the panel has shown.
        followed: the reader holds the position that the game has.
        counts: what the companion said, compared with what was done.
        presses: of buttons.
        cards_counted: what lamps, bar or buzzer have counted out of the cards that the program has drawn.
        cards_not_drawn: those that it has not drawn.
        turns: it was to end after that many; None: by the rules.
    """

    finished: bool
    score: Mapping[str, int]
    read: Mapping[str, int]
    followed: bool
    counts: VerdictCounts
    presses: int
    cards_counted: Collection[tuple[int, ...]] = ()
    cards_not_drawn: Collection[tuple[int, ...]] = ()
    turns: int | None = None

    @property
    def problems(self) -> list[str]:
        """Why the game did not come to its score, or went wrong."""
        as_far_as_asked = self.turns is not None and self.counts.confirmed >= self.turns
        found = [] if self.finished or as_far_as_asked else ["not finished"]
        found += [] if self.followed else ["the reader holds another position"]
        if self.finished and self.read != self.score:
            found.append(f"read {dict(self.read)}, and it is {dict(self.score)}")
        found += [f"cards {[*self.cards_not_drawn]} counted out"] if self.cards_not_drawn else []
        wrong = {"cheats accepted": self.counts.accepted.total(), "moves mistaken": self.counts.mistaken}
        return [*found, *(f"{number} {what}" for what, number in wrong.items() if number)]


class _SeenPanel(SimulatedPanel):
    """A panel on mock pins that somebody looks at."""

    def __init__(self, enqueue: Enqueue, lit: Callable[..., None], pins: PinMap, **more: Any) -> None:
        super().__init__(enqueue, Random(7), pins=pins, holds=HOLDS, **more)
        self._lit = lit

    def order(self, shown: Shown) -> None:
        super().order(shown)
        self._lit(shown)

    def buzz(self, signal: Signal | Tally) -> None:
        super().buzz(signal)
        self._lit(self.shown, buzzes=True)


class _PanelTable(SimulatedTable):
    """A simulated table whose people see a panel on mock pins, and nothing else."""

    def __init__(self, plan: Plan, clock: FrameClock, pins: PinMap) -> None:
        self._frames, self._pins = clock, pins
        self.presses, self._reader = 0, list[PanelReader]()
        super().__init__(plan, clock=clock, shutter=clock.next_frame_ns, watch=self._true_eye)

    @property
    def reader(self) -> PanelReader:
        """The one who looks at the panel."""
        return self._reader[0]

    def equip(self, game: Rules, position: Any) -> Devices:
        """Lay the table out; of the screen people see nothing."""
        devices = super().equip(game, position)
        self._reader.append(PanelReader(game, self.players, _lamp_seats(game, position, len(self._pins.lamps.pins))))
        return replace(devices, see=lambda _view: None, reads_elsewhere=self._pins.display is not None)

    def _true_eye(self, game: Rules, table_at: Callable[[float], Tabletop]) -> TrueEye:
        return TrueEye(game, table_at, self._frames.next_frame_ns)

    def _open_panel(self, enqueue: Enqueue) -> SimulatedPanel:
        self._panel = _SeenPanel(enqueue, self.reader.lit, self._pins, clock_ns=self._frames.now_ns)
        self.reader.lit(self._panel.shown)
        return self._panel

    def push(self, button: Button, *, held: bool = False) -> None:
        self.presses += 1
        self.reader.press(button)
        super().push(button, held=held)

    def _table_at(self, time_s: float) -> Tabletop:
        self.reader.look()
        if self.players.over and self.reader.closes(self.push):
            return super()._table_at(time_s)
        return self.players.at(time_s)


def _lamp_seats(game: Rules, position: Any, lamps: int) -> Sequence[Seat]:
    """Return whose the lamps are: a panel has them in the table's order, or those of the players if it has too few."""
    colours, players = [Seat(colour) for colour in game.board().colours], [*game.engine.score(position)]
    return (colours if lamps >= len(colours) and {*players} <= {*colours} else players)[:lamps]


class _Display(SilentFront, Display):
    """The only front of a companion in this process: its small display, if the panel has one."""

    name, language = "display", ""

    def __init__(self, table: _PanelTable, words: bool) -> None:
        self._table, self._words = table, words

    def display(self, table: SessionTable) -> AbstractContextManager[Display]:
        return nullcontext(OledDisplay(self._table.reader, table.game.adaptor.board()) if self._words else self)

    def show(self, shown: ShownView) -> None:
        """Show nothing: the panel has no display."""


def play(game: str, seed: int, pins: PinMap, folder: Path, *, turns: int | None = None) -> Played:
    """Play a game on the simulated table, whose pieces are seen as they are, with the panel on mock pins."""
    options, players = _drawn(game, seed, pins)
    clock = FrameClock(frame_s=FRAME_S)
    table = _PanelTable(plan_with_cheats(game, seed, turns), clock, pins)
    setup = Setup(game, players, folder / f"{game}-{seed}.sqlite3", options=options, seed=seed, lingers=True)
    front = _Display(table, pins.display is not None)
    with open_session(setup, table.equip, front, clock=clock, random=Random(seed)) as session:
        table.when_over = lambda: session.loop.inbox.put(StopLoop())
        session.loop.run()
        counts, truth = table.conclude(), table.players.position
        followed = session.loop.state.position == truth == table.reader.position
    return _played(game, truth, table.reader, counts, table.presses, followed=followed, turns=turns)


class _OutsideTable(OutsideTable):
    """A simulated table at which people see the panel of another process, and nothing else of it."""

    def __init__(self, plan: Plan, pins: PinMap) -> None:
        super().__init__(plan, frame_s=FRAME_S, slowness=drawn_slowness(plan.seed))
        self._pins, self.presses = pins, 0
        self._reader = list[PanelReader]()
        self._leaving = False

    @property
    def reader(self) -> PanelReader:
        """The one who looks at the panel."""
        return self._reader[0]

    def _shown(self, connection: Connection, said: Mapping[str, Any]) -> None:
        """Lay the table for the first view; of the later ones the last is compared with what was read."""
        if not self._reader:
            super()._shown(connection, said)
            view, people = said["view"], self._table.players
            lamps = _lamp_seats(GAMES[view.game], view.position, len(self._pins.lamps.pins))
            self._reader.append(PanelReader(GAMES[view.game], people, lamps))
        self._view = said["view"]

    def _lit(self, said: Mapping[str, Any]) -> None:
        if self._reader and "leaves" in said:
            self.reader.show(said["leaves"])
        if self._reader and "panel" in said:
            self.reader.lit(said["panel"], buzzes=said["buzzes"])

    def _pressed(self, connection: Connection, heard: PanelInput) -> None:
        self.presses += 1
        if isinstance(heard, ButtonPressed):
            self.reader.press(heard.button)
        super()._pressed(connection, heard)

    def _take_frame(self, connection: Connection, camera: Camera) -> None:
        self.reader.look()
        if self._leaving and self.reader.closes(self._table.push):
            self._leaving = False
            super()._end()
        super()._take_frame(connection, camera)

    def _end(self) -> None:
        self._leaving = True


def play_outside(game: str, seed: int, wiring: Path, folder: Path, *, turns: int | None = None) -> Played:
    """Play a game next to a program that sees pictures and nothing else."""
    pins = find_wiring(wiring, {})
    options, players = _drawn(game, seed, pins)
    table = _OutsideTable(plan_with_cheats(game, seed, turns), pins)
    more = ("--hardware", str(wiring), "--plain")
    played = table.play(Program(game, players, folder / f"{game}-{seed}.sqlite3", options, more))
    truth = played.table.players.position
    followed = played.view.position == truth == table.reader.position
    return _played(game, truth, table.reader, played.counts, table.presses, followed=followed, turns=turns)


def _drawn(game: str, seed: int, pins: PinMap) -> tuple[JsonObject, Sequence[Seat]]:
    """Draw the options and the players; where lamps are all that there is, as many players as lamps at most."""
    random = Random(seed)
    while True:
        options, players = drawn_game(game, seed, random)
        if pins.display is not None or len(players) <= len(pins.lamps.pins):
            return options, players


def _played(
    game: str,
    truth: Any,
    reader: PanelReader,
    counts: VerdictCounts,
    presses: int,
    *,
    followed: bool,
    turns: int | None,
) -> Played:
    engine = GAMES[game].engine
    score = {player_name(seat): points for seat, points in engine.score(truth).items()}
    read = reader.points() or dict(zip(score, reader.counted, strict=False))
    cards = reader.cards_counted, reader.cards_not_drawn
    return Played(bool(engine.over(truth)), score, read, followed, counts, presses, *cards, turns)


# ---- the command


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    args = _parser().parse_args(argv)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for game, seed in product(args.game, range(args.first, args.first + args.games)):
            if args.see == "pictures":
                played = play_outside(game, seed, args.wiring, Path(folder), turns=args.turns)
            else:
                played = play(game, seed, find_wiring(args.wiring, {}), Path(folder), turns=args.turns)
            bad += bool(played.problems)
            sys.stdout.write(json.dumps(_figures(game, seed, played), ensure_ascii=False) + "\n")
            sys.stdout.flush()
    return int(bad > 0)


def _figures(game: str, seed: int, played: Played) -> dict[str, Any]:
    counts = played.counts
    return {
        "game": game,
        "seed": seed,
        "finished": played.finished,
        "read": dict(played.read),
        "score": dict(played.score),
        "confirmed": counts.confirmed,
        "legal": counts.legal,
        "cheats": counts.cheats.total(),
        "caught": counts.caught.total(),
        "accepted": counts.accepted.total(),
        "questions": len(counts.asked_at),
        "presses": played.presses,
        "cards_counted": len(played.cards_counted),
        "problems": played.problems,
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.evaluate.by_panel",
        description="Plays games by people who see the companion's panel and small display, and nothing else of it.",
        epilog="example: python -m tests.evaluate.by_panel --games 3 --see pictures",
    )
    parser.add_argument("--games", type=int, default=1, metavar="N", help="of each game; default: 1")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="the first seed; default: 1")
    parser.add_argument("--game", nargs="*", choices=[*SIMULATED], default=[*SIMULATED], help="default: all five")
    parser.add_argument("--turns", type=int, metavar="N", help="stop after that many; default: to the end")
    parser.add_argument(
        "--wiring", type=Path, default=WIRINGS / "display.toml", metavar="FILE", help="the panel; default: %(default)s"
    )
    parser.add_argument(
        "--see",
        choices=("truth", "pictures"),
        default="truth",
        help="how the companion sees the table: as it is, or in a process of its own on pictures",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
