"""Actions that are one key with a value in JSON, read and written by the forms that each game lists.

With `Form("place", Place, cell_like("C4"))` the action `Place("C4")` is {"place": "C4"} in JSON and "place C4" in
notation; with `Form("stop", Stop)` the action `Stop()` is {"stop": true} and "stop".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Generic

from engines.decode import as_object, as_true, only_keys, quote
from engines.kernel import ActionT, BadRequestError, Cell, Json, JsonObject
from engines.schema import named_like, read


@dataclass(frozen=True, slots=True)
class Form:
    """The form of one kind of action.

    Attributes:
        key: its key in JSON, its first word in notation.
        kind: its class, with one field or none.
        type: the type of the value in JSON; None if the action has no field, and true is written.
        made: makes the field of what was read.
        write: writes the field as JSON.
        listed: whether the value is a list, in notation one word after the other.
    """

    key: str
    kind: type
    type: Any = None
    made: Callable[[Any], Any] = lambda value: value
    write: Callable[[Any], Json] = lambda value: value
    listed: bool = False

    def takes(self, words: int) -> bool:
        """Return whether this many words may follow the key in notation."""
        return words > 0 if self.listed else words == (self.type is not None)

    def value(self, action: object) -> Json:
        """Return the value of the key."""
        return self.write(getattr(action, fields(self.kind)[0].name)) if self.type else True

    def action(self, value: Json) -> Any:
        """Return the action with this value of the key; raise `BadRequestError` if the value is not valid."""
        if self.type is not None:
            return self.kind(self.made(read(value, self.type, f'"{self.key}"')))
        as_true(value, self.key)
        return self.kind()


class ActionForms(Generic[ActionT]):
    """All kinds of actions of a game.

    Args:
        game: the game's name.
        forms: one for each kind.
        beside: keys that are allowed next to an action's own, and ignored.
    """

    def __init__(self, game: str, *forms: Form, beside: Sequence[str] = ()) -> None:
        self._name = f"an action of {game}"
        self._by_key = {form.key: form for form in forms}
        self._by_kind = {form.kind: form for form in forms}
        self._keys = (*self._by_key, *beside)

    def to_json(self, action: ActionT) -> JsonObject:
        """Write an action."""
        form = self._by_kind[type(action)]
        return {form.key: form.value(action)}

    def from_json(self, data: Json) -> ActionT:
        """Parse an action, legal or not; raise `BadRequestError` if it is not valid."""
        given = as_object(data, self._name)
        only_keys(given, self._keys, self._name)
        found = [key for key in self._by_key if key in given]
        if len(found) != 1:
            raise BadRequestError(f"{self._name} has one of {', '.join(self._by_key)}, not {quote(data)}")
        action: ActionT = self._by_key[found[0]].action(given[found[0]])
        return action

    def write(self, action: ActionT) -> str:
        """Write an action as a line of text: "roll 3 4", "stop"."""
        [(key, value)] = self.to_json(action).items()
        words = [] if value is True else value if isinstance(value, list) else [value]
        return " ".join([key, *map(str, words)])

    def read(self, text: str) -> ActionT:
        """Parse what `write` wrote; raise `BadRequestError` for any other text."""
        key, *words = text.split(" ")
        form = self._by_key.get(key)
        if form is None or not form.takes(len(words)):
            known = ", ".join(f"{one.key} ..." if one.type else one.key for one in self._by_key.values())
            raise BadRequestError(f"{self._name} is written as one of {known}, not {text[:40]!r}")
        values: list[Json] = [int(word) if _A_NUMBER.fullmatch(word) else word for word in words]
        action: ActionT = form.action(values if form.listed else values[0] if values else True)
        return action


_A_NUMBER = re.compile(r"[0-9]{1,4}")


def cell_like(example: str) -> Any:
    """Return the type of cell names, with an example for sentences."""
    return Annotated[Cell, named_like(example)]
