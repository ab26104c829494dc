"""Nobody is blamed for a table that could have come about by the rules. Shared by the games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from companion.core.hypothesis import Hypothesis
from engines.kernel import Cell

Looks: TypeAlias = Mapping[Cell, frozenset[str]]
"""The labels that a hypothesis lets lie on the cells that it speaks of."""


def drop_explainable_mistakes(
    forbidden: Iterable[Hypothesis], allowed: Iterable[Hypothesis], before: Mapping[Cell, str]
) -> Iterator[Hypothesis]:
    """Leave out mistakes that leave the table as something allowed may; `before` is how it was."""
    allowed = list(allowed)
    innocent = [_looks(hypothesis) for hypothesis in allowed]
    complete = [hypothesis.expects for hypothesis in allowed]
    for hypothesis in forbidden:
        if not any(_covers(look, _looks(hypothesis), before) for look in innocent):
            yield _with_todos_undone(hypothesis) if hypothesis.expects in complete else hypothesis


def _with_todos_undone(mistake: Hypothesis) -> Hypothesis:
    """Narrow a mistake that with all its pieces put would look like something allowed: some of them must be missing."""
    undone = {todo.cell: todo.observed for todo in mistake.optional}
    return replace(mistake, expects={**mistake.expects, **undone}, optional=())


def _looks(hypothesis: Hypothesis) -> Looks:
    looks = {cell: frozenset({label}) for cell, label in hypothesis.expects.items()}
    return looks | {todo.cell: frozenset({todo.expected, todo.observed}) for todo in hypothesis.optional}


def _covers(wide: Looks, narrow: Looks, before: Mapping[Cell, str]) -> bool:
    """Return whether the one lets lie whatever the other lets lie; of other cells both say that they are as before."""
    return all(
        narrow.get(cell, {before[cell]}) <= wide.get(cell, {before[cell]}) for cell in narrow.keys() | wide.keys()
    )
