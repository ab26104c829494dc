"""Review of The Royal Study: each execution compared with a line of fewest steps, and statistics over many games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.bundle import Feat, Review, Turn
from companion.games.royal_study.speech import action_name
from companion.locale import _, ngettext
from companion.ui.names import NO_NAMES, Names, player_name
from companion.ui.phrases import moves
from engines.kernel import Seat
from engines.royal_study.position import Match, Move, Step, Turning
from engines.royal_study.search import Comparison, compare

__all__ = ["FEATS", "review"]

_ENDINGS = ("solved", "failed")


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return for every execution how many steps were made and how many it takes, and remarks with a best line."""
    ended = list(_executions(turns))
    remarks = {}
    for turn, comparison in ended:
        if comparison.too_many:
            line = ", ".join(action_name(turn.before, step, NO_NAMES) for step in comparison.best)
            remarks[turn.number] = _("a line of fewest moves: {line}").format(line=line)
    return Review(tuple(_sentence(turn, comparison, names) for turn, comparison in ended), remarks)


def _executions(turns: Sequence[Turn]) -> Iterator[tuple[Turn, Comparison]]:
    """Yield the last turn of every execution, with its steps compared with a best line."""
    made: list[Step] = []
    for turn in turns:
        before, names = turn.before, {event.name for event in turn.events}
        if not isinstance(before, Match):
            return
        if before.used == 0:
            made = []
        if isinstance(turn.action, Move | Turning):
            made.append(turn.action)
        if names & set(_ENDINGS) and before.begun is not None:
            yield turn, compare(before.begun, made)


def _sentence(turn: Turn, comparison: Comparison, names: Names) -> str:
    solved = any(event.name == "solved" for event in turn.events)
    made, least = moves(len(comparison.played)), moves(len(comparison.best))
    if not comparison.played:
        sentence = _("Round {round}: {player} gave up at once; it takes {least}.")
    elif not solved:
        sentence = _("Round {round}: {player} did not make it with {made}; it takes {least}.")
    elif comparison.too_many:
        sentence = _("Round {round}: {player} made it in {made}; it takes {least}.")
    else:
        sentence = _("Round {round}: {player} made it in {made}; nobody can do it in fewer.")
    player = player_name(str(turn.before.turn), names)
    return sentence.format(round=turn.before.round, player=player, made=made, least=least)


# ---- statistics over many games


def _solved(turns: Sequence[Turn]) -> Iterator[tuple[Seat, int]]:
    """Yield the player and the number of steps of every execution in the fewest steps."""
    for turn, comparison in _executions(turns):
        if comparison.too_many == 0 and any(event.name == "solved" for event in turn.events):
            yield Seat(str(turn.before.turn)), len(comparison.played)


def _number(number: int) -> str:
    sentence = ngettext("{number} card solved in the fewest moves", "{number} cards solved in the fewest moves", number)
    return sentence.format(number=number)


FEATS = (
    Feat(lambda turns: ((seat, 1) for seat, _steps in _solved(turns)), sum, _number),
    Feat(_solved, max, lambda number: _("best solution: {steps}, none too many").format(steps=moves(number))),
)
