"""Figures, what they are held against, and how they are printed, whatever they were measured on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rich.console import Console, RenderableType
from rich.table import Table

Figures: TypeAlias = Mapping[str, Mapping[str, float]]
"""Row (a tier), then the figure's name; a figure that does not apply to a row is left out."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One column of the report.

    Attributes:
        name: in baselines.
        title: above the column.
        better: which way is better; "same" where any difference means that other pictures were measured.
        slack: how much worse is still no news.
        form: how the value is written.
    """

    name: str
    title: str
    better: Literal["more", "less", "same"]
    slack: float = 0.0
    form: str = "{:.0f}"


@dataclass(frozen=True, slots=True)
class Report:
    """What was measured on one kind of pictures: its columns, the figures, and lines to print below them."""

    kind: str
    columns: Sequence[Figure]
    figures: Figures
    notes: Sequence[str] = ()

    def show(self) -> None:
        """Print the figures, a row a line, without columns that have none, and the notes below."""
        columns = [one for one in self.columns if any(one.name in row for row in self.figures.values())]
        rows = (
            (name, *(one.form.format(row[one.name]) if one.name in row else "" for one in columns))
            for name, row in self.figures.items()
        )
        show(table_of(self.kind, ("", *(one.title for one in columns)), rows), *self.notes)


def worse(report: Report, baseline: Figures) -> list[str]:
    """Say, a line each, which figures are worse than in the baseline; a figure that only one side has is no news."""
    return [
        f"{row}: {column.title} {column.form.format(report.figures[row][column.name])},"
        f" in the baseline {column.form.format(before[column.name])}"
        for row, before in baseline.items()
        for column in report.columns
        if row in report.figures
        and column.name in before
        and column.name in report.figures[row]
        and _is_worse(column, report.figures[row][column.name], before[column.name])
    ] + [f"{row}: not measured" for row in baseline if row not in report.figures]


def _is_worse(column: Figure, now: float, before: float) -> bool:
    loss = {"more": before - now, "less": now - before, "same": abs(now - before)}[column.better]
    return loss > column.slack + 1e-9


_NAMES = ("", "game", "tier", "kind", "habit")
"""Columns that stand on the left: they have words in them."""


def table_of(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Table:
    """Return a table of what was counted."""
    table = Table(title=title)
    for column in columns:
        table.add_column(column, justify="left" if column in _NAMES else "right", no_wrap=not column)
    for row in rows:
        table.add_row(*map(str, row))
    return table


def show(*parts: RenderableType) -> None:
    """Print tables and lines below one another."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 190)  # a pipe has no width
    console.print(*parts, sep="\n")
