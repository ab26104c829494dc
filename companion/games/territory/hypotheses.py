"""Hypotheses on what happened in a turn of Territory, for the core to weigh."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import TypeAlias

from companion.core.hypothesis import Hypothesis
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import REFUTED, Explainer, PlyLine, TableLikelihood, most_probable
from companion.games.territory.table import WHITE, placement
from engines.kernel import Cell, JsonObject, Refusal
from engines.territory import GAME
from engines.territory.position import Action, Capture, Place, Position, Stop
from vision.labels import EMPTY

# ---- a space changes against the rules, or more spaces than the rules allow


Explanation: TypeAlias = Hypothesis[Position, Action]

ONE = -3.0
"""Log prior of a mistake on one given space."""

SEVERAL = -5.0
EACH = -1.5
"""Log priors of a mistake on several spaces, and for each of them."""


def mistakes(position: Position, seen: TableLikelihood, allowed: Sequence[Explanation]) -> Iterator[Explanation]:
    """Yield the best explanations: one space changed in any way, and everything that looks different as it looks."""
    changes = ((seen.gain(cell, label), (cell, label)) for cell in seen.before for label in seen.evidence.labels)
    for cell, label in most_probable(changes):
        yield _illegal(position, seen, {cell: label}, (cell,), ONE)
    odd = seen.odd()
    if len(odd) > 1:
        # results of a legal action are to blame only if nothing else is
        innocent = {change for hypothesis in allowed for change in hypothesis.expects.items()}
        wrong = tuple(cell for cell, label in odd.items() if (cell, label) not in innocent) or tuple(odd)
        yield _illegal(position, seen, odd, wrong, SEVERAL + EACH * len(wrong))


def _illegal(
    position: Position, seen: TableLikelihood, expects: Mapping[Cell, str], cells: tuple[Cell, ...], log_prior: float
) -> Explanation:
    """Return the explanation that a table is wrong on the first of these cells, and on others with the same code.

    A piece that was pushed is missing on one space; its new space breaks another rule.
    """
    refusals = {cell: _refusal(position, seen.before[cell], expects[cell], cell) for cell in cells}
    refusal = refusals[cells[0]]
    cells = tuple(cell for cell in cells if refusals[cell].code == refusal.code)
    optional = tuple(todo for todo in seen.left_open.values() if todo.cell not in expects)
    board = position.board
    facts: JsonObject = {
        "player": position.turn,
        "number": board.numbers[board.cell_index(cells[0])],
        "rolled": position.rolled[-1] if position.rolled else None,
    }
    refused = seen.refused(expects, replace(refusal, cells=cells), log_prior, facts)
    return replace(refused, optional=optional)


def _refusal(position: Position, before: str, label: str, cell: Cell) -> Refusal:
    """Return the rule that a change of one space breaks."""
    own = str(position.turn)
    if label == EMPTY:
        return Refusal("white-removed", "4.1") if before == WHITE else Refusal("piece-removed", "5.1")
    if label not in (own, WHITE):
        return Refusal("foreign-piece", "3.1")
    if (before, label) == (WHITE, own):
        return _of_engine(position, Stop()) or Refusal("too-many", "3.1")
    if before in (EMPTY, own):
        return _of_engine(position, Place(cell)) or Refusal("too-many" if label == WHITE else "not-white", "3.1")
    return _of_engine(position, Capture(cell)) or Refusal("too-many", "3.1")


def _of_engine(position: Position, action: Action) -> Refusal | None:
    result = GAME.play(position, action)
    return result if isinstance(result, Refusal) else None


# ---- what may have happened


MOST_ACTIONS = 3  # two pieces for a number that a card doubles, and the decision to stop


def _is_hinted(seen: TableLikelihood, before: Position, after: Position) -> bool:
    """Return whether some space may look as after an action, or already have the player's colour."""
    earlier, later, own = placement(before), placement(after), str(before.turn)
    changed = (cell for cell in seen.before if earlier[cell] != later[cell])
    gains = (max(seen.gain(cell, later[cell]), seen.gain(cell, own)) for cell in changed)
    return any(gain > REFUTED for gain in gains)


def _looks(seen: TableLikelihood, line: PlyLine[Position, Action], whole: Explanation) -> Iterator[Explanation]:
    """Yield a line with the exchange of its white pieces complete or begun.

    Stopping is seen by the exchange alone: at least one white piece, whichever it is, was exchanged.
    """
    expects, own = whole.expects, str(line.before.turn)
    white = line.before.board.names_in(line.before.white)
    exchange = tuple(PendingPlacement(cell, own, WHITE) for cell in white if expects.get(cell) == own)
    others = tuple(todo for todo in seen.still_open(expects) if todo.cell not in expects)
    if not (exchange and isinstance(line.actions[-1], Stop)):
        yield replace(whole, optional=(*exchange, *others))
        return
    for done in exchange:
        rest = tuple(todo for todo in exchange if todo != done)
        yield replace(whole, log_prior=whole.log_prior - log(len(exchange)), optional=(*rest, *others))


def _halfway(_seen: TableLikelihood, line: PlyLine[Position, Action]) -> Iterator[Mapping[Cell, str]]:
    """Yield a white piece on a space that is being captured; one that only lost its piece is not captured yet."""
    if isinstance(capture := line.actions[-1], Capture):
        yield {capture.cell: WHITE}


EXPLAINER: Explainer[Position, Action] = Explainer(
    game=GAME,
    labels=placement,
    most_actions=MOST_ACTIONS,
    mistakes=mistakes,
    hinted=_is_hinted,
    looks=_looks,
    halfway=_halfway,
)
