"""Parts of sentences: counted things, lists of cells, and facts filled into placeholders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from companion.locale import _, ngettext
from companion.ui.names import NO_NAMES, Names, enumerated, player_name
from engines.kernel import Json, JsonObject

MOST_CELLS = 8
"""The most cells that a sentence names; the board shows the others."""


def cells_list(cells: Iterable[str]) -> str:
    """Return cells as a list in board order, shortened if there are many: "A1, A2, A10"."""
    names = sorted(set(cells), key=_column_and_row)
    more = len(names) - MOST_CELLS
    named = ", ".join(names[:MOST_CELLS])
    if more <= 0:
        return named
    return ngettext("{cells} and {more} more", "{cells} and {more} more", more).format(cells=named, more=more)


def cells_words(cells: Iterable[str]) -> str:
    """Return cells as part of a sentence: "I10 and J10"; shortened like `cells_list` if there are many."""
    names = sorted(set(cells), key=_column_and_row)
    return cells_list(names) if len(names) > MOST_CELLS or not names else enumerated(names)


def joined(parts: Iterable[str], between: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Yield parts joined as long as the result fits; a part that does not fit alone is yielded as it is."""
    line = ""
    for part in parts:
        longer = f"{line}{between}{part}" if line else part
        if line and not fits(longer):
            yield line
            line = part
        else:
            line = longer
    if line:
        yield line


def _column_and_row(cell: str) -> tuple[str, int, str]:
    """Return a key that sorts A2 before A10. A word out of a damaged file may have more digits than a number."""
    return cell[:1], len(cell), cell


def steps(number: int) -> str:
    """Return "1 step", "2 steps"."""
    return ngettext("{number} step", "{number} steps", number).format(number=number)


def moves(number: int) -> str:
    """Return "1 move", "2 moves"."""
    return ngettext("{number} move", "{number} moves", number).format(number=number)


def spaces(number: int) -> str:
    """Return "1 space", "2 spaces"."""
    return ngettext("{number} space", "{number} spaces", number).format(number=number)


def points(number: int) -> str:
    """Return "1 point", "2 points"."""
    return ngettext("{number} point", "{number} points", number).format(number=number)


def percent(chance: float) -> int:
    """Return a probability in whole percent; 0 and 100 only for certainty."""
    if chance in (0, 1):
        return int(100 * chance)
    return min(99, max(1, round(100 * chance)))


def tenths(number: float) -> str:
    """Return a number with one decimal, with the decimal mark of the language: "4.5"."""
    whole, tenth = f"{number:.1f}".split(".")
    return _("{whole}.{tenth}").format(whole=whole, tenth=tenth)


def filled(sentence: str, facts: JsonObject, names: Names = NO_NAMES, seats: Sequence[str] = ("player",)) -> str:
    """Return a sentence filled in with facts; those named in `seats` are players, lists are cells."""
    cells = {key: cells_list(map(str, value)) for key, value in facts.items() if isinstance(value, list | tuple)}
    players = {key: player_name(str(facts[key]), names) for key in seats if key in facts}
    return sentence.format_map({**facts, **cells, **players})


def strings(value: Json) -> list[str]:
    """Return the items of a fact that is a list, as text; an empty list for None."""
    return [str(part) for part in value] if isinstance(value, list | tuple) else []


def number_of_cells(facts: JsonObject) -> int:
    """Return how many cells facts name."""
    return len(strings(facts.get("cells")))


def number_in(facts: JsonObject, key: str) -> int:
    """Return a fact that is a whole number; 0 if it is missing or another type."""
    value = facts.get(key)
    return value if isinstance(value, int) else 0
