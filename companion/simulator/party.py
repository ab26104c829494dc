"""The people round a simulated table: they play, cheat when told to, look at the screen, and put things right.

They act whenever somebody looks at the table (`at`), so simulated time needs no thread of its own. What they hold to
be the position is the truth that the companion's verdicts are counted against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import Any

from companion.core.verdicts import Confirmed, Refused, Unchanged, Verdict, Waiting
from companion.core.view import View
from companion.games.adaptor import Adaptor
from companion.simulator.hands import Hands, Script, Tabletop
from companion.simulator.minds import Minds
from companion.simulator.mischief import Mischief
from companion.simulator.players import Deed, legal
from companion.simulator.story import caption, tidying
from engines.kernel import Seat


@dataclass(frozen=True, slots=True)
class Manners:
    """How these people play, in seconds: think before a move, wait for a verdict before they press "done" or give up.

    `believe_s`: so long a refusal must stand after the hands have left; before that it may be about hands.
    `mischief`: what is tried at which turn, counted from 0; put off to the next turn that gives an opportunity.
    `turns`: after so many they stop, None to play to the end.
    """

    think_s: float = 1.0
    believe_s: float = 1.5
    patience_s: float = 8.0
    mischief: Mapping[int, Mischief] | None = None
    turns: int | None = None
    attempts: int = 6


@dataclass(slots=True)
class Tally:
    """What the companion said, held against what happened.

    Attributes:
        legal, forbidden: moves that were made, by kind.
        seen_right: legal ones confirmed as what they were.
        caught: forbidden ones refused.
        wrong: legal ones refused or taken for others, and forbidden ones confirmed.
        unclear: moves without a verdict in time.
        tried: which mischief was tried.
    """

    legal: int = 0
    forbidden: int = 0
    seen_right: int = 0
    caught: int = 0
    wrong: int = 0
    unclear: int = 0
    tried: list[Mischief] = field(default_factory=list)

    def count(self, deed: Deed, mischief: Mischief | None) -> None:
        """Count a move that is being made."""
        self.legal += deed.action is not None
        self.forbidden += deed.action is None
        if mischief is not None:
            self.tried.append(mischief)


class _Phase(Enum):
    THINKING = auto()
    MOVING = auto()
    TIDYING = auto()
    OVER = auto()


class Party:
    """Players of one game, the truth of their position, and their hands on one table.

    Args:
        game: what they play.
        position: where the game stands.
        hands: theirs.
        random: everything that they leave to chance.
        manners: how they play.
        press_done: pushes the panel's button.
        tell: takes a sentence about what happens on the table.

    Attributes:
        position: what the players hold to be the position.
        tally: how the companion does.
    """

    def __init__(
        self,
        game: Adaptor,
        position: Any,
        *,
        hands: Hands,
        random: Random,
        manners: Manners,
        press_done: Callable[[], object],
        tell: Callable[[str], object],
    ) -> None:
        self.position = position
        self.tally = Tally()
        self._game, self._hands, self._manners = game, hands, manners
        self._minds = Minds(game, random, manners.mischief or {})
        self._press_done, self._tell = press_done, tell
        self._script = Script(hands.set_up(game.placement(position)))
        self._began_s = self._asked_s = 0.0
        self._phase = _Phase.THINKING
        self._deed: Deed | None = None
        self._view: View | None = None
        self._stale: Verdict | None = None
        self._pressed = False
        self._turn = self._in_vain = 0
        self._looked_at = False

    @property
    def over(self) -> bool:
        """Whether these people will do nothing more."""
        return self._phase is _Phase.OVER

    @property
    def gave_up(self) -> bool:
        """Whether they stopped for want of verdicts, or of right ones."""
        return self._in_vain >= self._manners.attempts

    def see(self, view: View) -> None:
        """Look at the companion's screen; may be called from another thread."""
        self._view = view

    def at(self, time_s: float) -> Tabletop:
        """Do what is due, and give the table at this moment. Moments must not go backwards.

        Nobody acts at the first look: only after it has the screen surely been told where the game stands.
        """
        phase = None if self._looked_at else self._phase
        self._looked_at = True
        while self._view is not None and phase is not self._phase and time_s >= self._asked_s:
            phase = self._phase
            self._go_on(time_s, time_s - self._asked_s)
        return self._script.at(time_s - self._began_s)

    def _go_on(self, time_s: float, since_s: float) -> None:
        match self._phase:
            case _Phase.THINKING if since_s >= self._manners.think_s:
                self._move(time_s)
            case _Phase.MOVING:
                self._hear(time_s, since_s)
            case _Phase.TIDYING if self._agreed() or since_s >= self._manners.patience_s:
                self._rest(time_s)

    def _rest(self, time_s: float) -> None:
        """Take the hands off and think about what comes next."""
        at_end = self._turn == self._manners.turns or self._game.engine.over(self.position)
        self._phase = _Phase.OVER if at_end or self.gave_up else _Phase.THINKING
        self._begin(Script(self._script.leaves), time_s)

    def _begin(self, script: Script, time_s: float) -> None:
        self._script, self._began_s, self._asked_s, self._pressed = script, time_s, time_s + script.ends_s, False
        self._stale = self._view.verdict if self._view else None

    def _move(self, time_s: float) -> None:
        decided = self._minds.decide(self.position, self._turn)
        if decided is None:
            self._phase = _Phase.OVER
            return
        self._deed, mischief = decided
        self.tally.count(self._deed, mischief)
        self._tell(caption(self._deed, mischief))
        self._phase = _Phase.MOVING
        self._begin(self._by_hand(self._deed), time_s)

    def _by_hand(self, deed: Deed) -> Script:
        lies = self._script.leaves
        return self._hands.script(lies, deed.after, deed.path, self._side(deed.seat), deed.rest_s)

    def _side(self, seat: Seat) -> str:
        """Give the side of the table where a seat's player sits; whoever has none of their own sits below."""
        return next((s.side for s in self._game.board().seat if s.colour == seat and s.side), "bottom")

    def _hear(self, time_s: float, since_s: float) -> None:
        """Take the companion's verdict, once there is one that is about this move."""
        verdict = self._view.verdict if self._view else None
        new = verdict is not self._stale and not isinstance(verdict, Waiting | Unchanged)
        if new and isinstance(verdict, Confirmed):
            self._confirmed(time_s)
        elif new and isinstance(verdict, Refused) and since_s >= self._manners.believe_s:
            self._refused(time_s)
        elif since_s >= self._manners.patience_s:
            self._impatient(time_s)

    def _confirmed(self, time_s: float) -> None:
        right = False
        if self._deed is not None and self._deed.action is not None:
            action = self._game.engine.action_from_json(self._deed.action)
            self.position = legal(self._game, self.position, action)
            self._turn += 1
            right = self._view is not None and dict(self._view.board) == dict(self._game.placement(self.position))
        self.tally.seen_right += right
        self._judged(right=right, time_s=time_s)

    def _refused(self, time_s: float) -> None:
        right = self._deed is not None and self._deed.action is None
        self.tally.caught += right
        self._judged(right=right, time_s=time_s)

    def _judged(self, *, right: bool, time_s: float) -> None:
        self.tally.wrong += not right
        self._in_vain = 0 if right else self._in_vain + 1
        self._tidy(time_s)

    def _impatient(self, time_s: float) -> None:
        """Press "done" once; when that does not help either, give up on this move."""
        if not self._pressed:
            self._press_done()
            self._asked_s, self._pressed = time_s, True
            return
        self.tally.unclear += 1
        self._in_vain += 1
        self._tidy(time_s)

    def _tidy(self, time_s: float) -> None:
        """Make the table lie as the position wants it: put a refused move back, or put what is left to do."""
        seat = self._deed.seat if self._deed else Seat("")
        deed = Deed(seat, self._game.placement(self.position))
        self._phase = _Phase.TIDYING
        self._begin(self._by_hand(deed), time_s)
        if self._script.changes:
            self._tell(tidying(deed))

    def _agreed(self) -> bool:
        """Tell whether the companion sees nothing to put right, by its screen."""
        view = self._view
        return view is not None and not view.todo and not view.differs and not isinstance(view.verdict, Refused)
