"""The players at a simulated table: they play, cheat as planned, look at the screen, and correct the table.

They act whenever the table is looked at (`at`), so that simulated time needs no thread of its own. Their position is
the truth with which the companion's verdicts are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from random import Random
from typing import Any

from companion.core.choices import COMPANION, GO_BACK
from companion.core.hypothesis import Rules
from companion.core.state import BY_BUTTON
from companion.core.verdicts import ActionSource, Confirmed, Refused, TookBack, Unchanged, Unclear, Verdict
from companion.core.view import View
from companion.games import SIMULATED
from companion.games.simulated import Labels
from companion.locale import _
from companion.simulator.behaviour import PlayerBehaviour, VerdictCounts, caption, on_the_table
from companion.simulator.dice import ROLLS_S, DiceByHand
from companion.simulator.hands import Hands, Script, Tabletop
from companion.simulator.planner import Means, MovePlanner, SimulatedMove, is_choice, legal, number_for, side_of
from engines.kernel import Outcome
from hardware.panel import Button

_SEEN_S = 2.0
"""How long the players wait after a move was taken back or a card changed, so that the camera sees it."""

_FOLLOWS_S = 1.0
"""How long the players wait for the screen to follow a press before they press again."""


class PlayersPhase(Enum):
    """What the players are doing."""

    SETTING_UP = auto()
    THINKING = auto()
    CHOOSING = auto()  # with the buttons
    WAITING = auto()  # for the companion's verdict
    TAKING_BACK = auto()
    TIDYING = auto()
    OVER = auto()


class SimulatedPlayers:
    """The players of one game, with the true position and their hands.

    They `press` a button of the panel, and `tell` what happens on the table.

    Attributes:
        position: the true position.
        counts: the counts of the companion's verdicts.
        move: their last move, None before the first.
    """

    def __init__(
        self,
        game: Rules,
        position: Any,
        *,
        hands: Hands,
        random: Random,
        behaviour: PlayerBehaviour,
        press: Callable[[Button], object],
        tell: Callable[[str], object],
    ) -> None:
        self.position = position
        self.counts = VerdictCounts()
        self._game, self._hands, self._random, self._behaviour = game, hands, random, behaviour
        self._planner = MovePlanner(game, random, behaviour.tricks)
        self._press, self._tell = press, tell
        self._plays = SIMULATED[game.name]
        self._script = Script(hands.set_up(game.placement(position)), card=self._plays.beside(position, None))
        self._now_s = self._seen_s = self._began_s = self._asked_s = 0.0
        self._phase = PlayersPhase.SETTING_UP
        self.move: SimulatedMove | None = None
        self._before: Any = None
        self._earlier: Labels | None = None
        self._view: View | None = None
        self._stale: Verdict | None = None
        self._pressed = self._asked = self._insists = False
        self._turn = self._in_vain = 0
        self._dice = DiceByHand(game, random)
        self._settles_s, self._later = 0.0, self._plays.later
        self._looked_at = False
        self._last_press: tuple[Button, float, object] | None = None

    @property
    def over(self) -> bool:
        """Whether these players will do nothing more."""
        return self._phase is PlayersPhase.OVER

    @property
    def gave_up(self) -> bool:
        """Whether they stopped because too many moves in a row got no right verdict."""
        return self._in_vain >= self._behaviour.attempts

    def see(self, view: View) -> None:
        """Show the companion's screen to the players; may be called from another thread."""
        self._view, self._seen_s = view, self._now_s

    def at(self, time_s: float) -> Tabletop:
        """Let the players do what is due, and return the table at a moment; moments must not decrease.

        Nobody acts at the first look, because the screen may not show the position before it.
        """
        self._now_s = time_s
        if self._looked_at and self._view is not None and time_s >= self._asked_s:
            self._go_on(self._view, time_s - self._asked_s)
        self._looked_at = True
        table = self._script.at(time_s - self._began_s)
        rolling = self._dice.throw is not None and time_s < self._asked_s
        return table if rolling else replace(table, dice=self._dice.lying)

    def _go_on(self, view: View, since_s: float) -> None:
        # the screen lists nothing to be corrected
        settled = not view.todo and not view.out_of_step and not isinstance(view.verdict, Refused | Unclear)
        match self._phase:
            case PlayersPhase.SETTING_UP:
                # begin once the screen accepts the table as set up; else press DONE twice, then begin anyway
                patient = since_s < self._behaviour.patience_s
                if not view.setting_up or (self._asked and not patient):
                    self._phase = PlayersPhase.THINKING
                elif not patient:
                    self._asked = self._pressed
                    self.counts.asked(f"not seen to be set up: {[item.cell for item in view.out_of_step]}")
                    self._press_done()
            case PlayersPhase.THINKING if since_s >= self._behaviour.think_s:
                self._act(view, since_s)
            case PlayersPhase.CHOOSING:
                self._choose(view)
            case PlayersPhase.WAITING:
                self._hear(view, since_s)
            case PlayersPhase.TAKING_BACK:
                self._hear_taken_back(view, since_s)
            case PlayersPhase.TIDYING if (
                settled and since_s >= self._settles_s
            ) or since_s >= self._behaviour.patience_s:
                self._begin(self._script.rest(), PlayersPhase.THINKING)

    # ---- acting

    def _act(self, view: View, since_s: float) -> None:
        if self._game.engine.over(self.position) or self._turn == self._behaviour.turns or self.gave_up:
            self._stop()
            return
        if view.position != self.position and not self._follows(view):  # the companion holds another position
            if self._is_late(view):
                self._accept_late(view)
            elif view.buttons.get(Button.DONE) == GO_BACK:  # what was taken off had passed for a move
                self.counts.asked(f"asked to go back{self._after()}: {view.verdict}")
                self._press_done()
            elif since_s >= self._behaviour.patience_s:
                self._lose_step(view)
            return
        if view.prompt.seat in view.arrangement.companion_seats and view.request is None:
            if view.buttons.get(Button.DONE) == COMPANION:
                self._press_done()  # the companion waits after something was taken back
            return
        self._dice.throw = None
        self._begin_move(view)

    def _after(self) -> str:
        """Return what came before something that is noted, "" for a move."""
        return ""

    def _begin_move(self, view: View) -> None:
        move = self._planner.decide(self.position, view, self._turn, self._earlier)
        self.move, self._before = move, self.position
        self.counts.count(move)
        self._tell(caption(self._game.name, move))
        self._make(move, view)

    def _make(self, move: SimulatedMove, view: View) -> None:
        """Begin a move."""
        match move.means:
            case Means.HANDS:
                self._begin(self._by_hand(move.after, move), PlayersPhase.WAITING)
            case Means.CHOICE:
                self._expect(PlayersPhase.CHOOSING)
            case Means.THROW if view.arrangement.dice != BY_BUTTON:
                self._tell(on_the_table(_("{player} threw the dice"), move.seat))
                self._dice.throw_in(self.position)
                self._expect(PlayersPhase.WAITING, ROLLS_S)
            case Means.THROW:
                self._expect(PlayersPhase.WAITING)
                self._press(Button.ROLL)
            case Means.WAITING:
                self._expect(PlayersPhase.WAITING)

    def _follows(self, view: View, *, thrown: bool = False) -> bool:
        """Adopt the companion's position if it has played a seat of its own; return whether that was so.

        Except after a throw, the position must have the players' placement.
        """
        table, shown = self._game.placement(self.position), self._game.placement(view.position)
        follows = bool(view.arrangement.companion_seats) and (thrown or table == shown)
        self.position = view.position if follows else self.position
        return follows

    def _is_late(self, view: View) -> bool:
        """Return whether the companion shows as played what the players had given up, or what the clock has ended."""
        verdict = view.verdict
        if isinstance(verdict, Confirmed) and verdict.source is ActionSource.CLOCK:
            outcome = self._game.engine.play(self.position, verdict.action)
            return isinstance(outcome, Outcome) and bool(outcome.position == view.position)
        move = self.move
        if move is None or move.action is None or self.position != self._before:
            return False
        return bool(view.position == legal(self._game, self._before, move.action))

    def _accept_late(self, view: View) -> None:
        """Adopt the position after a move that was confirmed late."""
        self._earlier, self.position = self._game.placement(self.position), view.position
        self._turn += 1
        self._tidy(view)

    def _lose_step(self, view: View) -> None:
        """Stop playing because the companion holds another position, and note it."""
        self.counts.notes.append(f"out of step before turn {self._turn}{self._after()}: {view.verdict}")
        self._in_vain = self._behaviour.attempts
        self._stop()

    def _stop(self) -> None:
        self._phase = PlayersPhase.OVER
        if self.gave_up:
            self._tell(on_the_table(_("the players have lost track of the game and stop; Ctrl-C ends")))

    def _by_hand(self, after: Labels, move: SimulatedMove | None) -> Script:
        path, rest_s = (move.path, move.rest_s) if move else ((), 0.0)
        lies, card = self._script.rest(), move.card if move else self._plays.beside(self.position, None)
        return self._hands.script(
            lies.before, after, path, side_of(self._game, self.position, self.move), rest_s, cards=(lies.card, card)
        )

    def _begin(self, script: Script, phase: PlayersPhase) -> None:
        self._script, self._began_s = script, self._now_s
        self._expect(phase, script.ends_s)

    def _expect(self, phase: PlayersPhase, hands_s: float = 0.0) -> None:
        """Begin a phase that counts its time from when the hands have left."""
        self._phase, self._asked_s = phase, self._now_s + hands_s
        self._pressed = self._asked = self._insists = False
        self._stale = self._view.verdict if self._view else None
        self._last_press = None

    def _choose(self, view: View) -> None:
        """Press the next button to a choice: MODE until it is shown, ROLL or BACK until its number is, then DONE.

        Before the next press they look whether the screen has followed the last one.
        """
        shows = (view.shown, view.number, view.verdict)
        if self._last_press is not None:
            button, pressed_s, showed = self._last_press
            if button is Button.DONE and view.verdict is not self._stale:
                self._phase = PlayersPhase.WAITING
                self._hear(view, self._now_s - self._asked_s)  # the game may have ended: this is the last look then
                return
            if shows == showed and self._now_s - pressed_s < _FOLLOWS_S:
                return
        action = self.move.action if self.move else None
        choices = [c for c in view.choices if action is not None and is_choice(view, c, action)]
        if not choices or action is None:
            self._phase, self._asked_s = PlayersPhase.WAITING, self._now_s
            return
        choice = choices[0]
        counted = number_for(view, choice, action)
        if view.shown is None or view.choices[view.shown] != choice:
            button = Button.MODE
        elif counted is not None and view.number != counted:
            button = Button.BACK if view.number is not None and view.number > counted else Button.ROLL
        else:
            button, self._pressed, self._asked_s = Button.DONE, True, self._now_s
        self._last_press = button, self._now_s, shows
        self._press(button)

    def _press_done(self) -> None:
        self._pressed, self._asked_s = True, self._now_s
        self._press(Button.DONE)

    # ---- hearing

    def _hear(self, view: View, since_s: float) -> None:
        """Handle the companion's verdict, once there is a new one."""
        verdict, believed = view.verdict, since_s >= self._behaviour.believe_s
        new = verdict is not self._stale
        if not (new and isinstance(verdict, Confirmed)) and self._dice.counts(view, since_s):
            if (button := self._dice.next_press(view)) is not None:
                self._press(button)
            return
        if new and isinstance(verdict, Confirmed):
            self._take_confirmed(view, verdict)
        elif new and isinstance(verdict, TookBack):
            self._conclude("taken for a move that is taken back", view)
        elif new and believed and isinstance(verdict, Refused):
            self._take_refused(view, verdict)
        elif new and believed and isinstance(verdict, Unclear):
            self._take_unclear(view, verdict)
        elif new and isinstance(verdict, Unchanged) and self._is_late(view):
            self.counts.confirmed += 1  # the answer to DONE, pressed early, replaced the confirmation
            self._accept_late(view)
        elif self._shows_nothing() and not self._pressed:
            self._press_done()
        else:
            deadline = view.prompt.deadline
            move, patience_s = self.move, self._behaviour.patience_s
            if deadline and move is not None and move.means is Means.WAITING:
                patience_s += deadline.seconds
            if since_s < patience_s:
                return
            if not self._asked:  # the second time they give this move up
                self.counts.asked(
                    f"no verdict on {move and (move.means, move.trick, move.action)}: {view.waiting}", move
                )
                self._insist(view)
                return
            self.counts.unanswered += 1
            self._conclude("", view, settled=False)

    def _shows_nothing(self) -> bool:
        move, lies = self.move, self._game.placement(self.position)
        same = move is not None and move.means is Means.HANDS and move.after == lies
        return same and self._script.card_change is None

    def _take_confirmed(self, view: View, verdict: Confirmed) -> None:
        if (move := self.move) is None:
            return
        thrown = verdict.action if self._dice.throw is None else self._dice.throw.action
        known = thrown if move.means is Means.THROW else move.action
        if verdict.source is ActionSource.CLOCK:
            known = verdict.action
            if move.is_cheat:  # time was up before it could be judged: a turn that ended, and no cheat
                self.counts.cheats[move.trick] -= 1
                self.counts.legal += 1
        if known is None and move.explainable:
            self.counts.explained[move.trick] += 1
            self.position = view.position
            self._conclude("", view)
            return
        if known is None:
            self.counts.accepted[move.trick] += 1
            self._conclude(f"{move.trick} is accepted as {verdict.action}", view)
            return
        self._earlier = self._game.placement(self.position)
        if move.means is not Means.THROW or not view.arrangement.companion_seats:
            self.position = legal(self._game, self.position, known)
        right = view.position == self.position or self._follows(view, thrown=move.means is Means.THROW)
        if self._dice.throw is not None:
            self.counts.mistaken += not right
        if move.means is not Means.THROW:
            self.counts.confirmed += right
            self.counts.mistaken += not right
            self._turn += 1
        self._note_time(self.counts.confirming_s)
        self._conclude("" if right else f"{known} is confirmed as {verdict.action}", view)

    def _note_time(self, times_s: list[float]) -> None:
        """Append the time from hands off to the verdict, unless the players have pressed a button for it."""
        if self.move and self.move.means is Means.HANDS and not self._pressed:
            times_s.append(round(max(0.0, self._seen_s - self._asked_s), 3))

    def _take_refused(self, view: View, verdict: Refused) -> None:
        move = self.move
        if move is not None and move.explainable:
            self._conclude("", view)
        elif move is not None and move.is_cheat:
            self.counts.caught[move.trick] += 1
            self._note_time(self.counts.refusing_s)
            self._conclude("", view)
        elif not self._asked:
            self.counts.refused += 1
            self._insist(view)
        else:
            self.counts.refused_for_good += 1
            self._conclude(f"{move and move.action} is refused: {verdict.code} {verdict.cells}", view)

    def _insist(self, view: View) -> None:
        """Press DONE once more."""
        self._asked = self._insists = True
        self._stale = view.verdict
        self._press_done()

    def _take_unclear(self, view: View, verdict: Unclear) -> None:
        move = self.move
        if move is not None and move.explainable:
            self._conclude("", view)
            return
        self.counts.asked(f"question about {move and (move.trick, move.action)}: {verdict}", move)
        offered = [*verdict.actions, *(choice.action for choice in view.choices)]
        listed = move is not None and move.action is not None and move.action in offered
        if listed and (self._insists or not self._asked):
            self._asked, self._insists = True, False
            self._stale, self._phase, self._last_press = verdict, PlayersPhase.CHOOSING, None
        elif not self._asked and move is not None and not move.is_cheat:
            self._insist(view)
        else:
            self.counts.unanswered += 1
            self._conclude("", view, settled=False)

    def _conclude(self, problem: str, view: View, *, settled: bool = True) -> None:
        """Continue after a verdict: correct the table, or take a wrong or regretted action back."""
        if problem:
            self.counts.notes.append(f"turn {self._turn}: {problem}")
        self._in_vain = 0 if settled and not problem else self._in_vain + 1
        is_wrong = bool(problem) and view.position not in (self.position, self._before)
        if is_wrong or (not problem and self._regrets()):
            self.position = self._before
            self._take_back()
        else:
            self._tidy(view)

    # ---- taking back

    def _regrets(self) -> bool:
        move, over = self.move, self._game.engine.over(self.position)  # the demo ends with the game
        acted = not over and move is not None and move.means is not Means.THROW and move.action is not None
        return acted and self.position != self._before and self._random.random() < self._behaviour.regrets

    def _take_back(self) -> None:
        self._expect(PlayersPhase.TAKING_BACK)
        self._press(Button.BACK)

    def _hear_taken_back(self, view: View, since_s: float) -> None:
        if view.verdict is not self._stale and view.position == self.position:
            self._earlier = None
            self._tidy(view)
            self._settles_s = _SEEN_S
        elif since_s >= self._behaviour.patience_s:
            self.counts.kept += 1
            self._lose_step(view)

    # ---- correcting the table

    def _tidy(self, view: View) -> None:
        """Put the pieces as in the position; a step that the screen still lists may be left for later."""
        self._settles_s = 0.0
        move, should = self.move, dict(self._game.placement(self.position))
        if view.todo and self._random.random() < self._later:
            self._begin(self._script.rest(), PlayersPhase.THINKING)
            return
        self._begin(self._by_hand(should, None), PlayersPhase.TIDYING)
        if self._script.card_change is not None:
            self._settles_s = _SEEN_S
        if self._script.way and move is not None:
            self._tell(on_the_table(_("{player} put it right"), move.seat))
