"""The distinct walks as a list in JSON: at slider 9 some eighty thousand, so counted without listing them, and written
as text at once.

For the text the spaces are numbered in the order of their names ("A1", "A10", "A2"), in which the protocol lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import overload

from engines.grid import Bitboard, CellIndex
from engines.kernel import JsonList, JsonObject
from engines.royal_tee import codec
from engines.royal_tee.board import NAMES, NEIGHBOURS
from engines.royal_tee.position import Position
from engines.royal_tee.rules import Choice, can_walk, choices, example_walks, layers
from engines.royal_tee.shapes import of_turn

_BY_NAME = sorted(range(len(NAMES)), key=NAMES.__getitem__)
_PLACE = {index: CellIndex(place) for place, index in enumerate(_BY_NAME)}
_QUOTED = [f'"{NAMES[index]}"' for index in _BY_NAME]
_GROUP_BITS = 24
_GROUP = (1 << _GROUP_BITS) - 1


class ChoiceList(JsonList):
    """The mover's choices, written for the protocol on access."""

    def __init__(self, position: Position) -> None:
        """List the choices of a position."""
        self._position = position

    @cached_property
    def _choices(self) -> list[Choice]:
        return choices(self._position)

    def __len__(self) -> int:
        """Count the choices, without listing walks."""
        if self._position.over or not can_walk(self._position):
            return len(self._choices)
        return len(of_turn(self._position).walks())

    @overload
    def __getitem__(self, at: int) -> JsonObject: ...
    @overload
    def __getitem__(self, at: slice) -> list[JsonObject]: ...
    def __getitem__(self, at: int | slice) -> JsonObject | list[JsonObject]:
        """Write one choice, or those of a page."""
        if isinstance(at, int):
            return codec.choice_to_json(self._choices[at])
        return [codec.choice_to_json(choice) for choice in self._choices[at]]

    def text(self) -> str:
        """Write all choices as JSON."""
        if self._position.over or not can_walk(self._position):
            return super().text()
        return f"[{', '.join(_walk_texts(self._position))}]"


def _walk_texts(position: Position) -> Iterator[str]:
    closed = position.royals_but(position.turn)
    beside = [tuple(_PLACE[n] for n in NEIGHBOURS[index] if not closed >> n & 1) for index in _BY_NAME]
    found = layers(beside, _PLACE[position.royal(position.turn)], position.slider)
    examples = example_walks(beside, found, "", [f"{name}, " for name in _QUOTED])
    names = [_GroupNames(first) for first in range(0, len(NAMES), _GROUP_BITS)]
    for end, counts in found[-1].items():
        name, walks = _QUOTED[end], examples[end]
        for visited, count in counts.items():
            listed = "".join([group[visited >> group.first & _GROUP] for group in names])
            yield f'{{"walk": [{walks[visited][:-2]}], "end": {name}, "visited": [{listed[:-2]}], "walks": {count}}}'


class _GroupNames(dict[Bitboard, str]):
    """The names in each set of up to 24 spaces with consecutive numbers from `first` on."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def __missing__(self, spaces: Bitboard) -> str:
        names = _QUOTED[self.first : self.first + _GROUP_BITS]
        text = self[spaces] = "".join(f"{name}, " for place, name in enumerate(names) if spaces >> place & 1)
        return text
