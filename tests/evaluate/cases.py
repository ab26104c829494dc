"""`python -m tests.evaluate.cases`: what people are told, and how soon, when they do what people do at a table.

Each case is scripted on the real loop with what a good reader sees, in a game that has been played for some moves. It
passes if the game stands as it should at the end, nothing was accepted that nobody played, and what must be told is
told in time.

Exit codes: 0 all told as they should be; 1 some were not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.core.display import view as view_of
from companion.core.entries import Played
from companion.core.messages import DeviceFailed, DeviceReturned, FrameBlind
from companion.core.verdicts import Attention, Refused, TookBack, Unclear
from companion.core.view import View
from companion.games import SIMULATED
from companion.games.simulated import Opportunity
from companion.simulator.hands import without_piece
from companion.simulator.planner import legal
from engines.kernel import Cell
from hardware.panel import Button, ButtonPressed
from tests.companion.core.tables import FRAME_NS
from tests.companion.evening_table import EveningTable
from vision.observation import BlindReason

SOON_S, VERDICT_S, CLEARED_S = 1.5, 5.0, 4.0
_OPENING_TURNS, _OPENING_PIECES = 4, 2
"""A story begins after that many turns, with that many pieces on the table."""


class NotToldError(Exception):
    """What must be told was not told in time, or something false was."""


class NoOccasionError(Exception):
    """A case cannot happen in this game now."""


class Story:
    """A table some moves into a game, where something happens.

    Attributes:
        table: the table with its loop.
        position: how the game stands.
    """

    def __init__(self, game: str, seed: int) -> None:
        self.table, self.seed, self._random = EveningTable(game, seed), seed, Random(seed)
        self.table.look(3.0)
        for turn in range(60):
            self.action = self._hand_move()
            if turn >= _OPENING_TURNS and self.action is not None and len(self._pieces()) >= _OPENING_PIECES:
                break
            if not self.table.goes_forward():
                raise NotToldError("the opening could not be played")
            self.table.put_right()
        if self.action is None:
            raise NoOccasionError
        self.position = self.table.state.position

    def _hand_move(self) -> Any:
        """Return an action whose traces are seen on the table; None if none is awaited."""
        table, position = self.table, self.table.state.position
        if table.awaits_throw or table.game.engine.over(position):
            return None
        action = table.plays.decide(position, self._random)
        placed, after = table.game.placement(position), table.game.placement(legal(table.game, position, action))
        return action if placed != after else None

    @property
    def shown(self) -> View:
        """What is shown now."""
        return view_of(self.table.state)

    def leaves(self) -> Mapping[Cell, str]:
        """Return the table that hands leave for the move that is due."""
        table = self.table
        seat = table.state.rules.turns.prompt(self.position).seat or table.state.players[0]
        placed = table.game.placement(self.position)
        after = table.game.placement(legal(table.game, self.position, self.action))
        return table.plays.leaves(Opportunity(self.position, seat, self.action, placed, after, self._random))

    def piece(self) -> Cell:
        """Return a cell with a piece."""
        return self._random.choice(self._pieces())

    def _pieces(self) -> list[Cell]:
        """Return the cells with pieces that can be lifted."""
        return sorted(cell for cell, label in self.table.labels.items() if without_piece(label) != label)

    def free(self) -> list[Cell]:
        """Return the cells without anything; raises `NoOccasionError` if there are none."""
        places = map(Cell, self.table.game.board().places)
        cells = [cell for cell in places if self.table.labels.get(cell, "empty") == "empty"]
        if not cells or "empty" not in self.table.game.board().label_words:
            raise NoOccasionError
        return cells

    def look(self, seconds: float, hidden: Sequence[str] = (), *, still: bool = True) -> None:
        """Look for a while; nothing that nobody has played may be accepted."""
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.table.look(FRAME_NS / 1e9, hidden, still=still)
            self.expect_unchanged()

    def until(self, told: Callable[[View], bool], within_s: float, what: str) -> None:
        """Look until something is told; raises `NotToldError` if that is not in time."""
        for _ in range(round(within_s * 1e9 / FRAME_NS)):
            if told(self.shown):
                return
            self.table.look(FRAME_NS / 1e9)
        self.expect(told(self.shown), f"{what} not told within {within_s:g} s")

    def expect_unchanged(self) -> None:
        """Raise `NotToldError` if the game has changed since."""
        self.expect(self.table.state.position == self.position, "accepted although nobody has played")

    def expect_quiet(self) -> None:
        """Look until nothing calls for attention."""
        self.until(_quiet, CLEARED_S, "that all is well")
        self.expect_unchanged()

    def plays(self) -> None:
        """Make the move that is due and expect that it is confirmed in time."""
        seen = len(self.table.log.entries)
        self.table.labels = dict(self.leaves())
        self.table.card = self.table.plays.beside(self.position, self.action)
        self.until(lambda _view: self._played_since(seen), VERDICT_S, "the move")

    @contextmanager
    def lifted(self, *cells: Cell) -> Iterator[None]:
        """Lift pieces for a while; nothing calls for attention once they are back."""
        laid = self.table.labels
        self.table.labels = laid | {cell: without_piece(laid[cell]) for cell in cells}
        yield
        self.table.labels = laid
        self.expect_quiet()

    def expect(self, told: object, what: str) -> None:
        """Raise `NotToldError` unless something is told now."""
        if not told:
            raise NotToldError(f"{what}: {self.shown.verdict}, {self.shown.attention}, {self.shown.out_of_step}")

    def see_nothing(self, reason: BlindReason, lasts_s: float) -> None:
        """Let pictures be refused for a while."""
        for _ in range(round(lasts_s * 1e9 / FRAME_NS)):
            self.table.pass_s(FRAME_NS / 1e9)
            self.table.take(FrameBlind(reason, self.table.clock.now_ns()))

    def _played_since(self, seen: int) -> bool:
        """Return whether the move is in the journal; a throw that was asked for may have followed at once."""
        entries = self.table.log.entries[seen:]
        played = [entry.action for entry in entries if isinstance(entry, Played)]
        return self.table.game.engine.action_to_json(self.action) in played or self.action in played


def _quiet(view: View) -> bool:
    return view.attention is None and not isinstance(view.verdict, Refused | Unclear) and not view.out_of_step


def _wrong(view: View) -> bool:
    return isinstance(view.verdict, Refused | Unclear) or bool(view.out_of_step)


def _names(cell: Cell) -> Callable[[View], bool]:
    """Return whether a view says that something is wrong with a cell."""

    def named(view: View) -> bool:
        cells = view.verdict.cells if isinstance(view.verdict, Refused | Unclear) else ()
        return cell in (*cells, *(item.cell for item in (*view.todo, *view.out_of_step)))

    return named


# ---- what happens


def _idle_hand(story: Story) -> None:
    story.look(12.0, sorted(map(str, story.table.labels))[:4], still=False)
    story.look(1.0)
    story.expect_quiet()


def _given_up(story: Story) -> None:
    cell = story.piece()
    with story.lifted(cell):
        story.look(2.0, [str(cell)], still=False)


def _taken_off(story: Story) -> None:
    cell = story.piece()
    with story.lifted(cell):
        story.until(_names(cell), VERDICT_S, f"that {cell} is empty")
        story.look(6.0)


def _swept(story: Story) -> None:
    cells, _some = [*story.table.labels], story.piece()
    with story.lifted(*cells):
        story.look(1.0, sorted(map(str, cells)), still=False)
        story.until(_wrong, VERDICT_S, "that the table is another")
        story.look(6.0)


def _corrected_at_once(story: Story) -> None:
    story.table.labels = _elsewhere(story)
    story.look(0.8, sorted(map(str, story.table.labels))[:6], still=False)
    story.plays()


def _corrected_later(story: Story) -> None:
    story.table.labels = _elsewhere(story)
    story.until(_wrong, VERDICT_S, "that the piece is wrong there")
    story.look(4.0)
    story.plays()


def _elsewhere(story: Story) -> dict[Cell, str]:
    """Return the table with a piece where no legal move brings it."""
    labels, placed = dict(story.leaves()), story.table.game.placement(story.position)
    changed = [cell for cell in labels if labels[cell] not in (placed.get(cell, "empty"), "empty")]
    if not changed:
        raise NoOccasionError
    # Where the position says nothing of a cell, such as beside the squares, a piece may lie in peace.
    free = [cell for cell in story.free() if cell in placed and labels.get(cell, "empty") == "empty"]
    wrong = {**labels, changed[0]: placed.get(changed[0], "empty")}
    for cell in reversed(free):
        tried = {**wrong, cell: labels[changed[0]]}
        if not story.table.plays.allows(story.position, tried):
            return tried
    return wrong


def _two_in_turn(story: Story) -> tuple[dict[Cell, str], dict[Cell, str], Any]:
    """Return the table after the next player's move alone, the one after both moves, and the position then."""
    table, first = story.table, legal(story.table.game, story.position, story.action)
    if table.game.engine.to_act(first) in ("dice", None, table.game.engine.to_act(story.position)):
        raise NoOccasionError
    second = legal(table.game, first, table.plays.decide(first, table.random))
    before, between, after = (table.game.placement(position) for position in (story.position, first, second))
    moved = {cell: label for cell, label in after.items() if between[cell] != label}
    alone = {**before, **moved}
    apart = all(before[cell] == between[cell] for cell in moved)
    if not moved or not apart or before == between or table.plays.allows(story.position, alone):
        raise NoOccasionError
    return alone, dict(after), second


def _both_in_a_row(story: Story) -> None:
    """Let the next player move as well before anybody looks: both moves are accepted and told."""
    _alone, story.table.labels, second = _two_in_turn(story)
    story.until(lambda view: view.position == second, 2 * VERDICT_S, "both moves")
    story.expect(getattr(story.shown.verdict, "then", ()), "the second move")


def _later_first(story: Story) -> None:
    """Let the next player move first: that is said, and once the other has moved as well both count."""
    story.table.labels, both, second = _two_in_turn(story)
    story.until(_wrong, VERDICT_S, "that it is another player's turn")
    story.look(3.0)
    story.table.labels = both
    story.until(lambda view: view.position == second, 2 * VERDICT_S, "both moves")


def _next_hand(story: Story) -> None:
    """Let another hand come before the first has left, and rest on the board while the move is judged."""
    leaves = story.leaves()
    changed = [cell for cell in leaves if leaves[cell] != story.table.labels.get(cell, "empty")]
    others = [str(cell) for cell in story.table.labels if cell not in changed][:3]
    story.look(0.6, [*map(str, changed), *others], still=False)
    story.table.labels = dict(leaves)
    story.look(0.8, others, still=False)
    seen = len(story.table.log.entries)
    for _look in range(10):
        story.table.look(SOON_S / 5, others)
    if not story._played_since(seen):
        story.plays()


def _knocked(story: Story) -> None:
    """Knock the camera: it sees a blur, then part of the board, then all of it from elsewhere."""
    story.see_nothing(BlindReason.BLURRED, 0.8)
    story.see_nothing(BlindReason.CUT_OFF, 3.0)
    story.expect(story.shown.attention is Attention.BLIND, "that part of the board is not seen")
    story.expect_quiet()
    story.plays()


def _light_off(story: Story) -> None:
    story.see_nothing(BlindReason.DARK, 20 * FRAME_NS / 1e9)
    story.expect(story.shown.attention is Attention.BLIND, "that it is dark")
    story.expect_quiet()


def _camera_fails(story: Story) -> None:
    story.table.take(DeviceFailed("camera", "the cable"))
    story.expect(story.shown.attention is Attention.FAULT, "that the camera has failed")
    story.table.take(DeviceReturned("camera"))
    story.expect_quiet()


def _rolls_again(story: Story) -> None:
    story.table.press(Button.ROLL)
    story.look(SOON_S)
    story.expect_unchanged()
    story.plays()


def _early_done(story: Story) -> None:
    hidden = sorted(map(str, story.table.game.board().places))
    story.look(0.6, hidden, still=False)
    story.table.press(Button.DONE)
    story.look(0.6, hidden, still=False)
    story.plays()


def _wrong_button(story: Story) -> None:
    story.table.press(Button.MODE)
    story.look(2.0)
    story.plays()


def _thing_on(story: Story) -> None:
    story.look(10.0, [str(cell) for cell in story.free()[:2]])
    story.expect(not isinstance(story.shown.verdict, Refused), "refused because of a mug")
    story.look(1.0)
    story.expect_quiet()


def _silent_take_back(story: Story) -> None:
    laid, before = dict(story.table.labels), story.position
    story.plays()
    story.table.lay(story.table.state.position)
    story.table.look(3.0)
    story.table.labels, story.table.card = laid, story.table.plays.beside(before, None)
    story.table.look(3.0)

    def back(view: View) -> bool:
        return isinstance(view.verdict, TookBack) and bool(story.table.state.position == before)

    by_itself = back(story.shown)
    story.table.press(Button.DONE)
    if not by_itself:
        story.until(back, VERDICT_S, "that the move is taken back")
    story.look(2.0)


def _forgets_to_roll(story: Story) -> None:
    """Move before the throw: the position is that of after the next throw, played without it."""
    story.plays()
    story.table.put_right()
    story.position = story.table.state.position
    if not story.table.awaits_throw:
        return
    cell, free = story.piece(), story.free()
    label = story.table.labels[cell]
    laid = dict(story.table.labels)
    story.table.labels = {**laid, cell: without_piece(label), **dict.fromkeys(free[:1], label)}
    story.until(_wrong, VERDICT_S, "that it was not thrown yet")
    story.table.labels = laid
    story.expect_quiet()


def _rolls_twice(story: Story) -> None:
    """Press ROLL twice within a moment: one throw is made, and none is kept for later."""
    story.plays()
    story.table.put_right()
    if not story.table.awaits_throw:
        return
    before = len(story.table.log.entries)
    for _press in range(2):
        story.table.pass_s(0.25)
        story.table.take(ButtonPressed(Button.ROLL, story.table.clock.now_ns()))
    story.table.look(SOON_S)
    thrown = len(story.table.log.entries) - before
    story.expect(thrown == 1 and story.table.state.rolled_ns is None, f"{thrown} throws were made")


def _child(story: Story) -> None:
    """Let a child take the last move back and step through what may be chosen; DONE plays the move again."""
    before = story.position
    story.plays()
    played = story.table.state.position
    story.table.put_right()
    story.table.press(Button.BACK, Button.MODE)
    story.expect(isinstance(story.shown.verdict, TookBack), "that a move was taken back")
    story.table.look(SOON_S)
    story.expect(story.table.state.position != played, "played again although nobody wanted it")
    for _press in range(8):
        if story.shown.attention is Attention.CHOICE:
            story.table.press(Button.MODE)
    story.position = story.table.state.position
    if story.table.awaits_throw or story.position != before:
        return  # a throw that was taken back counts again with ROLL
    story.table.press(Button.DONE)
    story.until(lambda _view: story.table.state.position == played, VERDICT_S, "the move once more")


def _or_nothing(story: Story, cell: Cell) -> Mapping[Cell, Mapping[str, float]]:
    """Read a cell as what is there or nothing, each as likely: it has fallen, or is not where it belongs."""
    return {cell: {"empty": 0.4999, story.table.labels[cell]: 0.4999}}


def _fallen(story: Story) -> None:
    cell = story.piece()
    if "empty" not in story.table.game.board().label_words:
        raise NoOccasionError
    story.table.doubtful = _or_nothing(story, cell)
    story.until(lambda view: cell in view.doubt or _calls(view), VERDICT_S, f"that {cell} is not seen well")
    story.look(6.0)
    story.table.doubtful = {}
    story.look(0.6, [cell], still=False)
    story.expect_quiet()


def _between(story: Story) -> None:
    """Put the piece of a move between two cells, and push it to its own later; where it left may say enough."""
    placed, left = story.table.game.placement(story.position), dict(story.leaves())
    changed = [cell for cell, label in left.items() if label not in (placed.get(cell, "empty"), "empty")]
    if len(changed) != 1 or placed.get(changed[0], "empty") != "empty":
        raise NoOccasionError
    story.table.labels = left
    story.table.doubtful = _or_nothing(story, changed[0])
    after = legal(story.table.game, story.position, story.action)
    told = f"that {changed[0]} is not seen well"
    story.until(lambda view: _calls(view) or view.position == after, VERDICT_S, told)
    if story.table.state.position == after:
        return
    story.look(4.0)
    story.table.doubtful = {}
    story.look(0.6, changed, still=False)
    story.plays()


def _calls(view: View) -> bool:
    waits = view.waiting is not None and view.waiting.code not in ("settling", "moving")
    return _wrong(view) or waits


def _laid_by_hand(story: Story) -> None:
    """Set a new table up piece by piece, two of them exchanged at first: play begins when all stand right."""
    table = story.table = EveningTable(story.table.game.name, story.seed)
    laid = {cell: label for cell, label in table.labels.items() if without_piece(label) != label}
    if len(laid) < 2 or "empty" not in table.game.board().label_words:
        raise NoOccasionError
    cells = list(laid)
    wrong = {**laid, cells[0]: laid[cells[-1]], cells[-1]: laid[cells[0]]}
    table.labels = dict.fromkeys(table.labels, "empty")
    for cell in cells:
        table.look(0.6)
        table.labels[cell] = wrong[cell]
    table.look(VERDICT_S)
    if wrong != laid:
        story.expect(table.state.setting_up and _names(cells[0])(story.shown), f"that {cells[0]} is wrong")
        table.labels.update(laid)
    table.look(CLEARED_S)
    story.expect(not table.state.setting_up, "that the table is set up")


CASES: Mapping[str, Callable[[Story], None]] = {
    case.__name__[1:].replace("_", "-"): case
    for case in (
        *(_idle_hand, _given_up, _taken_off, _swept, _corrected_at_once, _corrected_later, _both_in_a_row),
        *(_later_first, _next_hand, _knocked, _light_off, _camera_fails, _rolls_again, _early_done, _wrong_button),
        *(_thing_on, _silent_take_back, _forgets_to_roll, _rolls_twice, _child, _fallen, _between, _laid_by_hand),
    )
}


@dataclass(frozen=True)
class Told:
    """How a case went in a game; `fault` is empty if people were told what they should be."""

    case: str
    game: str
    seed: int
    fault: str = ""


def told(case: str, game: str, seed: int) -> Told | None:
    """Let a case happen in a game; None if there is no occasion for it."""
    try:
        CASES[case](Story(game, seed))
    except NotToldError as error:
        return Told(case, game, seed, str(error))
    except NoOccasionError:
        return None
    return Told(case, game, seed)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evaluate.cases", description="What people are told, how soon."
    )
    parser.add_argument("--games", nargs="+", choices=list(SIMULATED), default=list(SIMULATED))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--cases", nargs="+", choices=list(CASES), default=list(CASES))
    args, faults = parser.parse_args(argv), 0
    for case in args.cases:
        found = [one for game in args.games for seed in args.seeds if (one := told(case, game, seed)) is not None]
        wrong = [one for one in found if one.fault]
        sys.stdout.write(f"{case}: {len(found) - len(wrong)} of {len(found)} told as they should be\n")
        sys.stdout.writelines(f"    {one.game} {one.seed}: {one.fault}\n" for one in wrong)
        sys.stdout.flush()
        faults += len(wrong)
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
