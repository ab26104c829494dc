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

from companion.core.values import Confirmed, Refused, Unchanged, Verdict, View, Waiting
from companion.games.adaptor import Adaptor
from companion.simtable.hands import Hands, Script, Tabletop
from companion.simtable.mischief import Chance, Mischief, try_mischief
from companion.simtable.players import Deed, HonestPlayer, hand_path, legal
from companion.simtable.story import caption, tidying
from companion.simtable.walking import Labels
from engines.kernel import Seat

_MOST_ACTIONS = 2000
"""With more legal actions than that nobody cheats: whether it is one would take too long to find out."""


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
        self._game, self._hands, self._random, self._manners = game, hands, random, manners
        self._honest = HonestPlayer(game, random)
        self._press_done, self._tell = press_done, tell
        self._planned = sorted((manners.mischief or {}).items())
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
        """Whether they stopped because their moves were not told anything any more."""
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
        seat = Seat(str(self._game.engine.to_act(self.position)))
        honest = self._honest.deed(self.position, seat)
        if honest is None:
            self._phase = _Phase.OVER
            return
        self._deed = self._mischief_or(honest)
        self.tally.legal += self._deed.action is not None
        self.tally.forbidden += self._deed.action is None
        self._phase = _Phase.MOVING
        self._begin(self._by_hand(self._deed), time_s)

    def _mischief_or(self, honest: Deed) -> Deed:
        """Take the first mischief that is due and has an opportunity, and tell what is about to happen."""
        for planned in [(turn, mischief) for turn, mischief in self._planned if turn <= self._turn]:
            deed = try_mischief(planned[1], self._chance(honest))
            if deed and (deed.action or not self._could_be_legal(deed)):
                self._planned.remove(planned)
                self.tally.tried.append(planned[1])
                self._tell(caption(deed, planned[1]))
                return deed
        self._tell(caption(honest))
        return honest

    def _chance(self, honest: Deed) -> Chance:
        before = self._game.placement(self.position)
        outcome = self._outcome(honest)
        rival_seat = self._game.engine.to_act(outcome)
        rival = None
        if rival_seat is not None:
            swapped = {**self._game.engine.position_to_json(self.position), "turn": rival_seat}
            rival = self._honest.deed(self._game.engine.position_from_json(swapped), Seat(rival_seat))
        return Chance(self._game.board(), before, honest, rival, self._random)

    def _could_be_legal(self, deed: Deed) -> bool:
        """Tell whether what is meant as a cheat would be one: some legal action may lead to the same table."""
        actions = self._game.engine.actions(self.position)
        return len(actions) > _MOST_ACTIONS or any(deed.after in self._tables(action) for action in actions)

    def _tables(self, action: Any) -> list[Labels]:
        """Give the tables that a legal action may leave: with what it earns beside its walk, and without."""
        data, then = self._game.engine.action_to_json(action), legal(self._game, self.position, action)
        before, after = self._game.placement(self.position), self._game.placement(then)
        path = hand_path(before, after, data)
        return [after, {**before, **{cell: after[cell] for cell in path}}]

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
        assert self._deed is not None  # noqa: S101 - somebody has moved
        self._in_vain, right = 0, False
        if self._deed.action is not None:
            self.position = self._outcome(self._deed)
            self._turn += 1
            right = self._view is not None and dict(self._view.board) == dict(self._game.placement(self.position))
        self.tally.seen_right += right
        self.tally.wrong += not right
        self._tidy(time_s)

    def _refused(self, time_s: float) -> None:
        legal = self._deed is not None and self._deed.action is not None
        self.tally.caught += not legal
        self.tally.wrong += legal
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

    def _outcome(self, deed: Deed) -> Any:
        return legal(self._game, self.position, self._game.engine.action_from_json(deed.action))
