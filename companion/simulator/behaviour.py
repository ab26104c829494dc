"""How simulated players behave, and counts of the companion's verdicts on what they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games import SIMULATED
from companion.locale import _
from companion.simulator.planner import RESTING_HAND, Means, SimulatedMove
from companion.ui.names import player_name
from engines.kernel import Seat


@dataclass(frozen=True, slots=True)
class PlayerBehaviour:
    """How simulated players behave, in seconds and shares.

    Attributes:
        think_s: how long they think before a move.
        believe_s: how long a refusal must stand after the hands have left; before that it may be due to the hands.
        patience_s: how long they wait for a verdict before they press "done", and again before they give the move up.
        tricks: the cheats and slips, by the turn at which they are due, counted from 0; each is postponed to the next
            turn at which it is possible.
        turns: the number of turns after which they stop; None to play to the end.
        attempts: the number of moves in a row without the right verdict after which they stop.
        regrets: the share of moves that they take back.
    """

    think_s: float = 1.0
    believe_s: float = 1.5
    patience_s: float = 10.0
    tricks: Mapping[int, str] = field(default_factory=dict)
    turns: int | None = None
    attempts: int = 6
    regrets: float = 0.01


@dataclass(slots=True)
class VerdictCounts:
    """The companion's verdicts, compared with what happened.

    Attributes:
        legal: honest moves and slips that were made.
        confirmed: those that were confirmed as what they were.
        mistaken: those that were confirmed as something else.
        refused: those that were refused, even if only for a while.
        refused_for_good: those that were refused and given up.
        cheats, caught, accepted: moves that the rules forbid, by name: tried, refused, confirmed.
        explainable, explained: cheats whose result legal actions also explain, by name: tried, taken for these.
        slips: the slips that were made, by name.
        asked_at: for each question, the number of moves before it; a question is a verdict that the table is
            ambiguous, or a wait that was too long.
        asked_of_cheats: the number of questions about moves that the rules forbid.
        unanswered: moves that were given up without a verdict.
        kept: moves that the players took back and the companion did not.
        confirming_s, refusing_s: times from hands off to the verdict.
        notes: what went wrong, one line each.
    """

    legal: int = 0
    confirmed: int = 0
    mistaken: int = 0
    refused: int = 0
    refused_for_good: int = 0
    cheats: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    explainable: Counter[str] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    slips: Counter[str] = field(default_factory=Counter)
    asked_at: list[int] = field(default_factory=list)
    asked_of_cheats: int = 0
    unanswered: int = 0
    kept: int = 0
    confirming_s: list[float] = field(default_factory=list)
    refusing_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def asked(self, note: str, move: SimulatedMove | None = None) -> None:
        """Count a question about a move, or about none, and add a note."""
        self.asked_at.append(self.moves)
        self.asked_of_cheats += move is not None and move.is_cheat
        self.notes.append(note)

    @property
    def moves(self) -> int:
        """The number of moves, including cheats except explainable ones."""
        return self.legal + self.cheats.total()

    @property
    def wrong(self) -> int:
        """The number of verdicts that were wrong or missing."""
        return self.mistaken + self.refused + self.accepted.total() + self.unanswered

    def count(self, move: SimulatedMove) -> None:
        """Count a move that is being made, unless it is a throw."""
        if move.means is Means.THROW:
            return
        if move.is_cheat or move.explainable:
            (self.cheats if move.is_cheat else self.explainable)[move.trick] += 1
            return
        self.legal += 1
        if move.trick:
            self.slips[move.trick] += 1


def caption(game: str, move: SimulatedMove) -> str:
    """Return the sentence that a player makes a move."""
    match move.means:
        case _ if move.trick == RESTING_HAND:
            sentence = _("{player} left a hand on the board")
        case _ if move.trick:
            sentence = SIMULATED[game].caption(move.trick)
        case Means.THROW:
            sentence = _("{player} pressed the button for the dice")
        case Means.CHOICE:
            sentence = _("{player} chose with the buttons")
        case Means.WAITING:
            sentence = _("{player} let the time run out")
        case Means.HANDS if len(move.path) > 1:
            way = _("{player} went from {start} to {end}")
            sentence = way.replace("{start}", move.path[0]).replace("{end}", move.path[-1])
        case _:
            sentence = _("{player} made a move")
    return on_the_table(sentence, move.seat)


def on_the_table(sentence: str, seat: Seat | None = None) -> str:
    """Return a sentence about what a player does, or all players do, as it is told."""
    return _("On the table: {what}.").format(what=sentence.format(player=player_name(seat)))
