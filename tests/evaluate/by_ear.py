"""`python -m tests.evaluate.by_ear`: games of people who only hear the companion, against people who see its screen.

A listener gets the lines of `--voice text` and nothing else of the program. It understands a line by comparing it with
what would be said of every action that the rules allow, follows the game by that, and asks by keys. The hands, the
moves that are chosen and the dice are the same as those of people who see: their games must end with the same score.

Exit codes: 0 done; 1 a game by ear went worse than the same game by eye; 2 arguments that cannot be used.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from companion.core.display import view as view_of
from companion.core.hypothesis import Rules
from companion.core.state import State, new_state
from companion.core.verdicts import (
    Action,
    ActionSource,
    Confirmed,
    PendingPlacement,
    Refused,
    TookBack,
    Unclear,
    Wanted,
)
from companion.core.view import View
from companion.games import GAMES, SIMULATED
from companion.games.captions import choice_words, page_for, prompt_words
from companion.games.engines import ENGINES
from companion.games.speech import SPEECHES
from companion.locale import _
from companion.shell.devices import Devices
from companion.shell.loop import Message, StopLoop
from companion.shell.session import SessionTable, Setup, open_session
from companion.shell.settings import USUAL_WPM
from companion.shell.voice import ESPEAK, LineVoice, VoiceDisplay, espeak_command
from companion.simulator.behaviour import PlayerBehaviour, VerdictCounts
from companion.simulator.hands import Pace, Tabletop
from companion.simulator.table import Plan, SimulatedTable
from companion.ui.hearing import breaths, drawing_lines, for_the_ear, traces
from companion.ui.words import thing_name
from engines.kernel import Cell, Outcome, Seat
from hardware.panel import ButtonPressed, KeyPressed
from tests.companion.shell.clocks import FrameClock
from tests.companion.transcripts import FOLDER
from tests.evaluate.evenings import drawn_game
from tests.evaluate.sights import TrueEye
from vision.labels import EMPTY
from vision.recognition.objective import ObjectiveCard, has_objective_cards

FRAME_S = 0.5
"""Between two looks at the table: a slow box."""

MOST_PRESSES = 1.5
"""By ear no more presses are needed than that many times those by eye."""

MOST_REFUSED = 2
"""So many tries in a row may be refused."""

TRICKS_EVERY = 7
"""This many turns are between two cheats."""


AS_IT_SHOULD_BE = "The table is as it should be."
"""What is said once nothing is left to do on the table."""

_SIDES: Sequence[Literal["face", "back"]] = ("face", "back")


_Stories: TypeAlias = dict[str, list[tuple[Seat | None, Action, Any]]]
"""What is said of actions: by whom each is, and the position after it."""


def _named(said: str, line: str) -> re.Match[str] | None:
    return re.search(rf"\b{said}\b", line)


def _last_cell(action: Action) -> Cell | None:
    cell = re.match(r".*'([A-Z]\d{1,2})'", repr(action))
    return None if cell is None else Cell(cell[1])


class Listener:
    """Somebody who only hears: returns, after each batch of lines, the view that follows from what was said.

    Args:
        game: what is played.
        position: where it begins, which people know who have read the rules.
        see: is shown that view.

    Attributes:
        laid: what it has put on the empty table before play, as it was told.
    """

    def __init__(self, game: Rules, position: Any, see: Callable[[View], object]) -> None:
        self._game, self._see = game, see
        self._state: State = replace(new_state(game, position), setting_up=True)
        self._cells = {for_the_ear(cell, [cell]): cell for cell in {*game.board().places, *game.placement(position)}}
        self._offered: dict[Any, dict[Cell | None, list[Action]]] = {}
        self._known: dict[Any, dict[Cell | None, _Stories]] = {}
        self._heard: dict[str, str] = {}
        self._possible: list[tuple[Action, Any]] = []
        self._named: set[Cell] = set()
        self._earlier: list[Any] = []
        self.lines: list[str] = []
        self.laid: dict[Cell, str] = {}
        self.refused_in_a_row = self.most_refused = self.not_understood = 0

    @property
    def position(self) -> Any:
        """Where the game stands, as far as the listener has understood."""
        return self._state.position

    def on_table(self, table: Tabletop) -> Tabletop:
        """Return a table with what the listener has put there so far; what people shuffle lies there."""
        shuffled = ENGINES[self._game.name].turns.laid_out(self.position)
        if shuffled is not None or not self._state.setting_up:
            return table
        pieces = {cell: piece for cell, piece in table.pieces.items() if self.laid.get(cell) == piece.label}
        return replace(table, pieces=pieces)

    def _lay(self, line: str) -> bool:
        """Put down the piece that a line says is missing; return whether one was."""
        words, labels = SPEECHES[self._game.name].words, self._game.board().label_words
        for cell, label in product(self._named_in(line), labels):
            missing = _("{cell}: {thing} is missing.").format(cell=cell, thing=thing_name(words, label))
            if line == self._spoken(missing):
                self.laid[cell] = label
                return True
        return False

    def hear(self, *lines: str) -> None:
        """Take in what was said at once."""
        for line in lines:
            self.lines.append(line)
            self._understand(line)
        self._see(view_of(self._state))

    def _understand(self, line: str) -> None:
        view = view_of(self._state)
        if view.setting_up and self._lay(line):
            return
        if line.startswith("No: "):
            self._state = replace(self._state, verdict=Refused("heard", ""))
            self.refused_in_a_row += 1
            self.most_refused = max(self.most_refused, self.refused_in_a_row)
        elif line.startswith("Not sure: "):
            self._state = replace(self._state, verdict=Unclear("heard"))
        elif line == self._spoken(prompt_words(view)):
            self._state = replace(self._state, setting_up=False)
        elif line == AS_IT_SHOULD_BE:
            self._state = replace(self._state, progress=replace(self._state.progress, left_open=()))
        elif (found := re.fullmatch(r"DONE: (.*)\.", line)) is not None:
            self._choose(found[1])
        elif line.startswith("Taken back") and self._earlier:
            self._moved_to(self._earlier.pop(), TookBack(view.players[0]))
        elif not self._trace(line) and not self._action(line):
            self._number(line)

    def _spoken(self, text: str) -> str:
        if text not in self._heard:
            self._heard[text] = for_the_ear(text, self._cells.values())
        return self._heard[text]

    def _moved_to(self, position: Any, verdict: Confirmed | TookBack) -> None:
        self._state = replace(new_state(self._game, position), setting_up=False, verdict=verdict)
        self._offered, self._known = {}, {}
        self.refused_in_a_row = 0

    # ---- actions

    def _action(self, line: str) -> bool:
        """Take a line for the actions that it tells, one or several; return whether it tells any."""
        found = [*self._told(self.position, line, depth=3)]
        if not found:
            return False
        self._named = self._named_in(line)
        self._possible = [(action, after) for _seat, action, after, _rest in found]
        seat, action, after, _rest = found[0]
        self._follow(seat, action, after)
        if any(rest for *_found, rest in found):
            cell, label = next(iter(self._game.placement(after).items()))
            left = (PendingPlacement(cell, label, ""),)
            self._state = replace(self._state, progress=replace(self._state.progress, left_open=left))
        return True

    def _follow(self, seat: Seat | None, action: Action, after: Any) -> None:
        """Go to the position after an action that was accepted."""
        self._earlier.append(self.position)
        deadline = self._game.turns.prompt(self.position).deadline
        by_clock = deadline is not None and action == deadline.time_up
        source = ActionSource.CLOCK if by_clock else ActionSource.CAMERA
        self._moved_to(after, Confirmed(seat, action, source=source))

    def _told(self, position: Any, line: str, depth: int) -> Iterator[tuple[Seat | None, Action, Any, str]]:
        """Yield the actions whose sentence begins a line, with the position after all that it tells, and its rest."""
        stories = [self._stories(position, last) for last in self._last_cells(line)]
        said = max((said for one in stories for said in one if said and self._begins(line, said)), key=len, default="")
        rest = line[len(said) :].strip()
        for by, action, after in (told for one in stories for told in one.get(said, ())):
            later = next(self._told(after, rest, depth - 1), None) if rest and depth > 1 else None
            yield by, action, later[2] if later else after, later[3] if later else rest

    def _begins(self, line: str, said: str) -> bool:
        """Return whether a sentence is the beginning of a line."""
        return f"{line} ".startswith(f"{said} ")

    def _last_cells(self, line: str) -> list[Cell | None]:
        """Return the cells by which what may have been done is looked up: as the line names them, then none."""
        places = {Cell(cell): found.start() for said, cell in self._cells.items() if (found := _named(said, line))}
        return [*sorted(places, key=places.__getitem__), None]

    def _stories(self, position: Any, last: Cell | None) -> _Stories:
        """Return the sentences of all that may have been done in a position whose last cell is the one given."""
        if position not in self._offered:
            offered = self._offered[position] = dict[Cell | None, list[Action]]()
            for action in self._candidates(position):
                offered.setdefault(_last_cell(action), []).append(action)
        known = self._known.setdefault(position, {})
        if last not in known:
            known[last] = {}
            for action in self._offered[position].get(last, ()):
                outcome = self._game.engine.play(position, action)
                if isinstance(outcome, Outcome):
                    thrown = isinstance(action, self._game.turns.dice.kind)
                    by = None if thrown else self._game.turns.prompt(position).seat or getattr(action, "by", None)
                    said = self._spoken(SPEECHES[self._game.name].words.played(by, action, outcome.events))
                    known[last].setdefault(said, []).append((by, action, outcome.position))
        return known[last]

    def _candidates(self, position: Any) -> Sequence[Action]:
        """Return what may have been done: what the rules allow, and what the clock, dice and cards do."""
        game = self._game
        actions = [*game.engine.actions(position)]
        deadline = game.turns.prompt(position).deadline
        if deadline is not None and deadline.time_up not in actions:
            actions.append(deadline.time_up)
        if game.turns.dice.awaited(position):
            numbers = product(*(range(low, high + 1) for low, high in game.turns.dice.numbers(position)))
            actions += [game.turns.dice.counted(position, thrown) for thrown in numbers]
        return [*actions, *self._cards(position)]

    def _cards(self, position: Any) -> Iterator[Action]:
        """Yield what each card means that may have been laid beside the board."""
        board = self._game.board()
        if not has_objective_cards(board):
            return
        for number, side, turns in product(range(board.cards["count"]), _SIDES, range(4)):
            yield from self._game.beside(position, ObjectiveCard(number, side, turns)).actions

    def _named_in(self, line: str) -> set[Cell]:
        return {Cell(cell) for said, cell in self._cells.items() if _named(said, line)}

    def _trace(self, line: str) -> bool:
        """Use what has come to cells to distinguish moves that were told in the same words; return True if so."""
        fitting = [(action, after) for action, after in self._possible if line in self._shown(after)]
        if not fitting:
            return False
        self._possible = fitting
        action, after = fitting[0]
        verdict = self._state.verdict
        if isinstance(verdict, Confirmed) and after != self._state.position:
            left = self._state.progress.left_open
            self._moved_to(after, replace(verdict, action=action))
            self._state = replace(self._state, progress=replace(self._state.progress, left_open=left))
        return True

    def _shown(self, after: Any) -> list[str]:
        """Return what would be said of pieces and cards after a move, beside the move itself."""
        game, before = self._game, self._game.placement(self._earlier[-1])
        board = game.placement(after)
        cells = {cell for cell, label in board.items() if before.get(cell, EMPTY) != label} - self._named
        page = page_for(view_of(new_state(game, after)), game.board(), lamps={})
        drawn = (line for one in page.extras.drawings for line in drawing_lines(one, page.extras.legend))
        return [self._spoken(line) for line in (*traces(board, cells, page.words), *drawn)]

    # ---- choices and numbers

    def _choose(self, name: str) -> None:
        """Note which choice DONE plays, with the number that is counted for it."""
        low, high = self._game.turns.prompt(self.position).numbers or (1, 0)
        for number in (None, *range(low, high + 1)):
            view = view_of(replace(self._state, number=number))
            for place, choice in enumerate(view.choices):
                if self._spoken(choice_words(view, choice)) == name:
                    self._state = replace(self._state, chosen=place, number=number)
                    return
        self.not_understood += 1

    def _number(self, line: str) -> None:
        limits = self._game.turns.prompt(self.position).numbers
        for number in range(limits[0], limits[1] + 1) if limits else ():
            if line == self._spoken(f"{number}."):
                self._state = replace(self._state, number=number)


# ---- games


@dataclass(frozen=True)
class Played:
    """How a game went.

    Attributes:
        finished: to its end by the rules.
        score: at the end.
        presses: of buttons, and of keys by which something was asked.
        refused: the most tries in a row that were refused.
        counts: what was heard of moves and cheats, compared with what was done.
        lost_step: why the listener or the players lost step, "" if they did not.
        lines: what was said.
    """

    finished: bool
    score: dict[str, int]
    presses: int
    refused: int
    counts: VerdictCounts = field(default_factory=VerdictCounts)
    lost_step: str = ""
    lines: tuple[str, ...] = ()


def play(game: str, seed: int, folder: Path, *, by_ear: bool, turns: int | None = None) -> Played:
    """Play a game to its end on the simulated table, whose pieces are seen as they are.

    Args:
        game: its name.
        seed: of people and dice; both ways of playing get the same.
        folder: for the journal.
        by_ear: people have only what is said, and begin with an empty table.
        turns: after that many the people stop; None to play to the end.
    """
    adaptor, random = GAMES[game], Random(seed)
    options, players = drawn_game(game, seed, random)
    clock, presses = FrameClock(frame_s=FRAME_S), list[Message]()
    table = SimulatedTable(
        plan_with_cheats(game, seed, turns),
        clock=clock,
        shutter=clock.next_frame_ns,
        watch=lambda one, at: TrueEye(one, lambda s: laid(at(s)), clock.next_frame_ns),
    )
    lines = list[str]()
    listeners: list[Listener] = []

    def laid(top: Tabletop) -> Tabletop:
        return listeners[-1].on_table(top) if listeners else top

    def equip(one: Rules, position: Any) -> Devices:
        devices = table.equip(one, position)
        if not by_ear:
            return devices
        listeners.append(Listener(one, table.players.position, devices.see))
        return replace(devices, see=lambda _view: None)

    def write(*said: str) -> None:
        lines.extend(said)
        for listener in listeners[-1:]:
            listener.hear(*said)

    def heard(message: Message) -> None:
        if isinstance(message, ButtonPressed | KeyPressed):
            presses.append(message)

    setup = Setup(game, players, folder / f"{game}-{seed}-{by_ear}.sqlite3", options=options, seed=seed)
    with open_session(setup, equip, _Spoken(write), clock=clock, random=Random(seed), heard=heard) as session:
        table.when_over = lambda: session.loop.inbox.put(StopLoop())
        session.loop.run()
        counts, truth = table.conclude(), table.players.position
    view = session.runner.view
    finished = adaptor.engine.over(truth) and view is not None and view.over
    lost_step = "; ".join(counts.notes[:2])
    if listeners and listeners[0].position != truth:
        lost_step = lost_step or "the listener holds another position"
    score = {} if view is None else {str(seat): points for seat, points in view.score.items()}
    refused = listeners[0].most_refused if listeners else 0
    return Played(finished, score, len(presses), refused, counts, lost_step, tuple(lines))


def plan_with_cheats(game: str, seed: int, turns: int | None = None) -> Plan:
    """Return how people play who cheat in every `TRICKS_EVERY`th turn, each time in another way."""
    kinds = [*SIMULATED[game].cheats]
    turns_of_tricks = enumerate(range(3, 400, TRICKS_EVERY), seed)
    tricks = {turn: kinds[number % len(kinds)] for number, turn in turns_of_tricks}
    behaviour = PlayerBehaviour(think_s=0.4, regrets=0.0, turns=turns, tricks=tricks)
    return Plan(seed, behaviour, Pace(reach_s=0.6, piece_s=0.2))


class SilentFront:
    """What a front does at which nothing is typed."""

    def source(self, _inbox: object) -> None:
        """Nothing is typed."""

    def interpret(self, _view: View, _line: object) -> Sequence[Any]:
        return ()

    def cannot_keep(self, _view: View) -> None:
        """Nothing was typed."""


class _Spoken(SilentFront):
    """A front that only speaks, line by line."""

    def __init__(self, write: Callable[..., object]) -> None:
        self._voice = LineVoice(write)

    def display(self, table: SessionTable) -> AbstractContextManager[VoiceDisplay]:
        return nullcontext(VoiceDisplay(self._voice, table.game.adaptor.board(), Wanted.ALL))


# ---- the command


def compare(eye: Played, ear: Played) -> list[str]:
    """Return why a game by ear went worse than the same game by eye; empty if it did not."""
    problems = []
    if eye.finished and not ear.finished:
        problems.append(f"not finished: {ear.lost_step}")
    if eye.finished and ear.score != eye.score:
        problems.append(f"another score: {ear.score}, by eye {eye.score}")
    if ear.refused > MOST_REFUSED:
        problems.append(f"{ear.refused} tries in a row refused")
    if ear.presses > MOST_PRESSES * eye.presses:
        problems.append(f"{ear.presses} presses, by eye {eye.presses}")
    if accepted := ear.counts.accepted.total():
        problems.append(f"{accepted} cheats accepted")
    return problems


MOST_S, STARTS_S = 6.0, 0.5
"""No part of a sentence is longer, and none begins later after it was asked for."""


def measure_speech(files: Sequence[Path]) -> dict[str, Any]:
    """Return how long espeak-ng speaks, and when its sound begins, over the parts of all sentences of transcripts.

    Args:
        files: transcripts called heard-LANGUAGE.txt.

    Raises:
        OSError: espeak-ng is not there.
    """
    lengths, starts = list[tuple[float, str]](), list[float]()
    for file in files:
        spoken = file.stem.removeprefix("heard-")
        lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("> ")]
        for breath in dict.fromkeys(part for line in lines for part in breaths(line)):
            began_s = time.perf_counter()
            command = espeak_command(spoken, USUAL_WPM, "--stdout")
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as speaking_program:
                assert speaking_program.stdin is not None
                assert speaking_program.stdout is not None
                speaking_program.stdin.write(breath.encode())
                speaking_program.stdin.close()
                head = speaking_program.stdout.read(1024)  # the header of a WAV file, and the first sound
                starts.append(time.perf_counter() - began_s)
                sound = head[44:] + speaking_program.stdout.read()
            lengths.append((len(sound) / 2 / int.from_bytes(head[24:28], "little"), breath))
    longest_s, longest = max(lengths)
    return {
        "sentences": len(lengths),
        "longest_s": round(longest_s, 2),
        "longest": longest,
        "starts_s_median": round(sorted(starts)[len(starts) // 2], 3),
        "starts_s_most": round(max(starts), 3),
        "too_long": sum(length > MOST_S for length, _breath in lengths),
        "too_late": sum(start > STARTS_S for start in starts),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    args = _parser().parse_args(argv)
    if args.speech is not None:
        try:
            measured = measure_speech(args.speech or sorted(FOLDER.glob("*/heard-*.txt")))
        except OSError as error:
            sys.stderr.write(f"tests.evaluate.by_ear: {ESPEAK}: {error.strerror}\n")
            return 1
        sys.stdout.write(json.dumps(measured, ensure_ascii=False) + "\n")
        return int(measured["too_long"] + measured["too_late"] > 0)
    pairs = list[dict[str, Any]]()
    with tempfile.TemporaryDirectory() as folder:
        for seed, game in product(range(args.first, args.first + args.games), args.game):
            pairs.append(_pair(game, seed, Path(folder)))
            sys.stderr.writelines(f"{game} seed {seed}: {problem}\n" for problem in pairs[-1]["problems"])
    for game in args.game:
        sys.stdout.write(json.dumps(_summed(game, [pair for pair in pairs if pair["game"] == game])) + "\n")
    return int(any(pair["problems"] for pair in pairs))


def _pair(game: str, seed: int, folder: Path) -> dict[str, Any]:
    """Play a game by eye and by ear; return what is compared, as numbers that can be summed."""
    eye, ear = (play(game, seed, folder, by_ear=by_ear) for by_ear in (False, True))
    return {
        "game": game,
        "problems": compare(eye, ear),
        "games": 1,
        "finished_by_eye": int(eye.finished),
        "finished_by_ear": int(ear.finished),
        "same_score": int(eye.score == ear.score),
        "refused_in_a_row": ear.refused,
        "presses_by_eye": eye.presses,
        "presses_by_ear": ear.presses,
        "cheats": ear.counts.cheats.total(),
        "refused_and_heard": ear.counts.caught.total(),
        "asked_about": ear.counts.asked_of_cheats,
        "accepted": ear.counts.accepted.total(),
        "lines": len(ear.lines),
    }


def _summed(game: str, pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    numbers = [key for key, value in pairs[0].items() if isinstance(value, int) and key != "refused_in_a_row"]
    most = max(pair["refused_in_a_row"] for pair in pairs)
    problems = [problem for pair in pairs for problem in pair["problems"]]
    sums = {key: sum(pair[key] for pair in pairs) for key in numbers}
    return {"game": game, **sums, "most_refused_in_a_row": most, "problems": problems}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.evaluate.by_ear",
        description="Plays games by people who only hear the companion, and the same games by people who see it.",
        epilog="example: python -m tests.evaluate.by_ear --games 100",
    )
    parser.add_argument("--games", type=int, default=2, metavar="N", help="of each game; default: 2")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="the first seed; default: 1")
    parser.add_argument("--game", nargs="*", choices=[*SIMULATED], default=[*SIMULATED], help="default: all five")
    parser.add_argument(
        "--speech",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="let espeak-ng speak transcripts, and measure it; default: those of tests/golden",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
