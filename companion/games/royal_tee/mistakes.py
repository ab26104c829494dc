"""What hands do wrong on single cells, whatever the Royal Tee did: missing tees, extra ones, wrong colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.core.hypothesis import Hypothesis, Kind
from companion.core.verdicts import ALTERED
from companion.games.royal_tee.labels import EMPTY, is_royal, royal_label
from companion.games.royal_tee.seen import Seen
from companion.games.royal_tee.stories import Story
from engines.grid import Bitboard, CellIndex, bit, cells_in, set_of
from engines.kernel import Json, JsonObject
from engines.royal_tee.board import NAMES, NEIGHBOURS
from engines.royal_tee.position import Action, Position

Explanation: TypeAlias = Hypothesis[Position, Action]

BESIDES = -3.2
"""log prior that something on the cells is wrong besides what the story says: 4 in 100."""

NOTEWORTHY = 1.0
"""A cell is looked at when another label is likelier than the expected one by e to this power."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """A named fault: the paragraph that it breaks and how rare it is on one given cell, as log prior."""

    rule: str
    log_prior: float


# In the order of what is told first. A tee is missing on one of a few visited spaces, but an extra one may be on any
# of 144: hence the different weights. What players hardly do by accident is rarer still.
_FAULTS: Mapping[str, _Fault] = {
    "royal-displaced": _Fault("2.1", -6.0),
    "two-royals": _Fault("1.4", -6.0),
    "not-enclosed": _Fault("4.2", -4.0),
    "royal-unplaced": _Fault("2.1", -4.0),
    "wrong-colour": _Fault("3.1", -4.0),
    "tee-missing": _Fault("3.1", -2.0),
    "extra-tee": _Fault("3.1", -5.0),
    "tee-removed": _Fault("3.4", -5.0),
    "foreign-tee": _Fault("3.1", -5.0),
}


@dataclass(frozen=True, slots=True)
class _Deviation:
    cell: CellIndex
    label: str
    code: str
    gain: float


def with_faults(seen: Seen, story: Story) -> Explanation | None:
    """Add to an explanation the faults on single cells that explain the evidence best; None if nothing hints at one.

    A story that is itself against the rules keeps its own reason.
    """
    deviations = _deviations(seen, story)
    if not deviations:
        return None
    worthwhile = [d for d in deviations if d.gain > 0] or [max(deviations, key=lambda d: d.gain)]
    code = min((d.code for d in worthwhile), key=list(_FAULTS).index)
    cells = tuple(NAMES[d.cell] for d in worthwhile)
    facts: JsonObject = story.facts if story.code else {"player": story.seat}
    if len({d.code for d in worthwhile}) > 1 and not story.code:  # one name would be wrong of some of the cells
        expected = {d.cell: story.expects.get(NAMES[d.cell], seen.labels[d.cell]) for d in worthwhile}
        changed: list[Json] = [
            {"cell": NAMES[d.cell], "expected": expected[d.cell], "observed": d.label} for d in worthwhile
        ]
        code, facts = ALTERED, {"changed": changed}
    return Hypothesis(
        kind=Kind.ILLEGAL,
        log_prior=story.log_prior + BESIDES + sum(_FAULTS[d.code].log_prior for d in worthwhile),
        expects={**story.expects, **{NAMES[d.cell]: d.label for d in worthwhile}},
        optional=tuple(todo for todo in story.optional if todo.cell not in cells),
        code=story.code or code,
        rule=story.rule or (_FAULTS[code].rule if code in _FAULTS else ""),
        cells=tuple(dict.fromkeys((*story.cells, *cells))),
        facts=facts,
    )


def _deviations(seen: Seen, story: Story) -> Sequence[_Deviation]:
    expected = dict(enumerate(seen.labels))
    expected.update((NAMES.index(cell), label) for cell, label in story.expects.items())
    odd = [CellIndex(i) for i, label in expected.items() if _odds(seen, i, label) > NOTEWORTHY]
    allowed = {todo.cell: (todo.expected, todo.observed) for todo in story.optional}
    odd = [i for i in odd if seen.most_probable[i] not in allowed.get(NAMES[i], ())]
    filled = _filled(seen, story, [i for i in odd if seen.most_probable[i] == story.seat])
    return [_deviation(seen, story, i, expected[i], filled) for i in odd]


def _odds(seen: Seen, cell: int, label: str) -> float:
    """Return the log ratio of the most probable label's likelihood to that of the expected one."""
    if seen.most_probable[cell] == label:
        return 0.0
    return seen.highest[cell] - seen.evidence.of(NAMES[cell], label)


def _deviation(seen: Seen, story: Story, cell: CellIndex, expected: str, filled: Bitboard) -> _Deviation:
    label = seen.most_probable[cell]
    code = _code(story, cell, expected, label, is_as_before=label == seen.labels[cell], filled=filled)
    return _Deviation(cell, label, code, _odds(seen, cell, expected) + _FAULTS[code].log_prior)


def _code(story: Story, cell: CellIndex, expected: str, label: str, *, is_as_before: bool, filled: Bitboard) -> str:
    """Name what is wrong where `label` is and `expected` should."""
    own_royal = royal_label(story.seat)
    if own_royal in (label, expected):
        return "two-royals" if label == own_royal else "royal-unplaced"
    if is_royal(label) or is_royal(expected):
        return "royal-displaced"
    if label == story.seat:
        return "not-enclosed" if filled >> cell & 1 else "extra-tee"
    if story.claimed >> cell & 1:
        return "tee-missing" if is_as_before or label == EMPTY else "wrong-colour"
    return "tee-removed" if label == EMPTY else "foreign-tee"


def _filled(seen: Seen, story: Story, extra: Sequence[CellIndex]) -> Bitboard:
    """Return the extra tees that fill whole areas between the player's spaces: somebody took them for enclosed."""
    held = seen.position.claimed[seen.position.place(story.seat)] | story.claimed
    royals = seen.position.royals_but(story.seat)
    filled, wanted = 0, set_of(extra)
    for cell in extra:
        area = _area(cell, held)
        filled |= bit(cell) if not area & ~(wanted | royals) else 0
    return filled


def _area(cell: CellIndex, wall: Bitboard) -> Bitboard:
    """Return the spaces joined to one by orthogonal steps that do not cross the wall."""
    area, rim = bit(cell), bit(cell)
    while rim:
        near = set_of(n for c in cells_in(rim) for n in NEIGHBOURS[c])
        rim = near & ~wall & ~area
        area |= rim
    return area
