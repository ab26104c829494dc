"""How walks of Royal Tee are typed: cells, directions, corners, or only where the walk ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.line import Token, TypedLine
from companion.games.royal_tee.prompts import explain, offered
from companion.games.typed import Entered, Grammar, Mistake, Reading
from companion.locale import _, ngettext
from companion.ui.names import Names
from companion.ui.phrases import spaces, steps
from engines.grid import CellIndex
from engines.kernel import Cell
from engines.royal_tee.board import SIZE, cell_index, cell_name, on_board
from engines.royal_tee.position import Action, Pass, Position
from engines.royal_tee.rules import DistinctWalk, after_walk, distinct_walks, walk_along

__all__ = ["GRAMMAR"]

_WAYS = {"up": -SIZE, "down": SIZE, "left": -1, "right": 1}


def _phrases() -> Mapping[str, str]:
    return {
        "up": _("up, u, north"),
        "down": _("down, d, south"),
        "left": _("left, l, west"),
        "right": _("right, r, east"),
        "walk": _("walk, go"),
        "pass": _("pass"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.words == ("pass",):
        return Entered(Pass())
    if not line.cells and not line.has(*_WAYS):
        return Mistake(explain(position, names)) if line.numbers else None
    tokens = [token for token in line.tokens if token.word != "walk"]
    traced = _trace(position.royal(position.turn), tokens)
    if isinstance(traced, Mistake):
        return traced
    if len(tokens) == 1 and tokens[0].cell is not None and len(traced.path) != position.slider:
        return _to_the_end(position, Cell(tokens[-1].cell or ""))
    return Entered(walk_along(traced.path)) if traced.gap is None else _no_way(traced)


# ---- the spaces of a walk


@dataclass(slots=True)
class _Traced:
    """The spaces walked on as far as they are clear, and the cells between which they are not."""

    path: list[CellIndex]
    gap: tuple[Cell, Cell] | None = None


def _trace(start: CellIndex, tokens: Sequence[Token]) -> _Traced | Mistake:
    """Return the spaces of a walk; between cells in one line all spaces between are walked on."""
    traced, here, count = _Traced([]), start, 1
    for place, token in enumerate(tokens):
        if token.digits:
            count = min(int(token.digits), SIZE) if token.digits.isdecimal() else 1
            continue
        line = _line(here, token, count)
        if isinstance(line, Mistake):
            return line
        if line is None:
            traced.gap = traced.gap or (cell_name(here), Cell(token.cell or ""))
        elif line or place:
            traced.path += line
        here, count = (line or [here])[-1] if line is not None else cell_index(str(token.cell)), 1
    return traced


def _line(here: CellIndex, token: Token, count: int) -> list[CellIndex] | Mistake | None:
    """Return the spaces that one part of a line leads over; None if a cell is not straight ahead."""
    if token.word in _WAYS:
        return _straight(here, token.word, count)
    if token.cell is None:
        return Mistake(_('"{word}" is no part of a walk.').format(word=token.text))
    if not on_board(token.cell):
        return Mistake(_("{cell} is not on the board; its spaces are A1 to L12.").format(cell=token.cell))
    return _between(here, cell_index(token.cell))


def _straight(here: CellIndex, way: str, count: int) -> list[CellIndex] | Mistake:
    row, column = divmod(here, SIZE)
    room = {"up": row, "down": SIZE - 1 - row, "left": column, "right": SIZE - 1 - column}[way]
    if count > room:
        sentence = _("From {cell} there is no room for {steps} in that direction.")
        return Mistake(sentence.format(cell=cell_name(here), steps=steps(count)))
    return [CellIndex(here + _WAYS[way] * step) for step in range(1, count + 1)]


def _between(here: CellIndex, there: CellIndex) -> list[CellIndex] | None:
    (row, column), (other_row, other_column) = divmod(here, SIZE), divmod(there, SIZE)
    if row != other_row and column != other_column:
        return None
    stride = (SIZE if row != other_row else 1) * (1 if there > here else -1)
    return [CellIndex(cell) for cell in range(here + stride, there + stride, stride)] if here != there else []


def _no_way(traced: _Traced) -> Mistake:
    start, end = traced.gap or (Cell(""), Cell(""))
    sentence = _("From {start} to {end} there is no straight line: name the corner too.")
    return Mistake(sentence.format(start=start, end=end))


# ---- only the end is known


def _to_the_end(position: Position, end: Cell) -> Reading[Action]:
    """Propose, of all walks that end there, the one that claims most spaces."""
    goal = cell_index(end)
    steps_more = position.slider - _away(position, goal)
    reached = steps_more >= 0 and steps_more % 2 == 0
    walks = [walk for walk in distinct_walks(position) if walk.end == goal] if reached else []
    if not walks:
        return _unreachable(position, goal)
    best = max(walks, key=lambda walk: _gained(position, walk))
    walk = walk_along(best.example)
    if len(walks) == 1:
        return Entered(walk)
    sentence = _("Walk {walk}? Of all walks to {end} it brings the most: {spaces}.")
    gained = spaces(_gained(position, best))
    return Entered(walk, confirm=sentence.format(walk=" ".join(walk.cells), end=end, spaces=gained))


def _gained(position: Position, walk: DistinctWalk) -> int:
    after = after_walk(position, walk.end, walk.visited).position
    place = position.place(position.turn)
    return (after.claimed[place] & ~position.claimed[place]).bit_count()


def _away(position: Position, goal: CellIndex) -> int:
    here = position.royal(position.turn)
    return sum(abs(one - other) for one, other in zip(divmod(here, SIZE), divmod(goal, SIZE), strict=True))


def _unreachable(position: Position, goal: CellIndex) -> Mistake:
    """Return why no walk ends on a space: it is held, too far away, or the count comes out wrong."""
    away, slider = _away(position, goal), position.slider
    facts = {"cell": cell_name(goal), "slider": slider, "steps": steps(away)}
    if position.royals_but(position.turn) >> goal & 1:
        return Mistake(_("Another Royal Tee stands on {cell}.").format_map(facts))
    if away > slider:
        sentence = ngettext(
            "{cell} is {steps} away; you have to walk exactly {slider}.",
            "{cell} is {steps} away; you have to walk exactly {slider}.",
            slider,
        )
        return Mistake(sentence.format_map(facts))
    if (slider - away) % 2:
        sentence = _("{cell} is {steps} away; with a detour it is two more each time, never exactly {slider}.")
        return Mistake(sentence.format_map(facts))
    return Mistake(_("No walk of exactly {slider} ends on {cell}: other Royal Tees are in the way.").format_map(facts))


GRAMMAR: Grammar[Position, Action] = Grammar(
    phrases=_phrases,
    read=_read,
    offered=offered,
    seats=lambda position: position.players,
    explain=explain,
    columns="abcdefghijkl",
)
"""How lines of Royal Tee are read."""
