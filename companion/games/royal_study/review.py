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
from engines.royal_study.search import best_line


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return for every execution how many steps were made and how many it takes, and remarks with a best line."""
    sentences, remarks = [], {}
    for turn, made, best in _executions(turns):
        if made != len(best):
            line = ", ".join(action_name(turn.before, step, NO_NAMES) for step in best)
            remarks[turn.number] = _("a line of fewest moves: {line}").format(line=line)
        if not made:
            sentence = _("Round {round}: {player} gave up at once; it takes {least}.")
        elif not _is_solved(turn):
            sentence = _("Round {round}: {player} did not make it with {made}; it takes {least}.")
        elif made > len(best):
            sentence = _("Round {round}: {player} made it in {made}; it takes {least}.")
        else:
            sentence = _("Round {round}: {player} made it in {made}; nobody can do it in fewer.")
        player = player_name(str(turn.before.turn), names)
        counts = {"made": moves(made), "least": moves(len(best))}
        sentences.append(sentence.format(round=turn.before.round, player=player, **counts))
    return Review(tuple(sentences), remarks)


def _executions(turns: Sequence[Turn]) -> Iterator[tuple[Turn, int, Sequence[Step]]]:
    """Yield the last turn of every execution, the number of its steps, and a line of fewest steps."""
    made = 0
    for turn in turns:
        before, names = turn.before, {event.name for event in turn.events}
        if not isinstance(before, Match):
            return
        made = (0 if before.used == 0 else made) + isinstance(turn.action, Move | Turning)
        if names & {"solved", "failed"} and before.begun is not None:
            yield turn, made, best_line(before.begun)


def _is_solved(turn: Turn) -> bool:
    return any(event.name == "solved" for event in turn.events)


# ---- statistics over many games


def _solutions(turns: Sequence[Turn]) -> Iterator[tuple[Seat, int]]:
    """Yield the player and the number of steps of every execution in the fewest steps."""
    for turn, made, best in _executions(turns):
        if made == len(best) and _is_solved(turn):
            yield Seat(str(turn.before.turn)), made


FEATS = (
    Feat(
        lambda turns: ((seat, 1) for seat, _steps in _solutions(turns)),
        sum,
        lambda n: ngettext("{number} card solved in the fewest moves", "{number} cards solved in the fewest moves", n),
    ),
    Feat(_solutions, max, lambda number: _("best solution: {steps}, none too many").format(steps=moves(number))),
)
