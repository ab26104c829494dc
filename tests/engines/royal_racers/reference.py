"""The rules once more over lists and dictionaries of names: slow, plain, and without the engine's ways.

A state is the protocol's JSON of a single race, changed in a deep copy; the caller passes a legal action or a roll.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeAlias

State: TypeAlias = "dict[str, Any]"
Action: TypeAlias = "dict[str, Any]"

CENTRE = ["C3", "D3", "D4", "C4"]
CELLS = [column + row for row in "123456" for column in "ABCDEF"]
CORNERS = [("ABC", "123"), ("DEF", "123"), ("DEF", "456"), ("ABC", "456")]


def legal(state: State) -> list[Action]:
    """Everything that the player in turn may do, in the order of the grid; nothing while the die is expected."""
    kinds = {"start": _starts, "flag": _flags, "flip": _flips, "move": _moves}
    return kinds[state["await"]](state) if state["await"] in kinds else []


def _starts(state: State) -> list[Action]:
    return [{"start": cell} for cell in CELLS if cell in CENTRE and cell not in state["pawns"].values()]


def _owner(state: State) -> str:
    players: list[str] = state["players"]
    return players[players.index(state["turn"]) - 1]


def _flags(state: State) -> list[Action]:
    *laid, start = state["flags"][_owner(state)]
    columns, rows = CORNERS[(CENTRE.index(start) + len(laid)) % 4]
    return [{"flag": cell} for cell in CELLS if cell[0] in columns and cell[1] in rows and cell not in _flagged(state)]


def _flagged(state: State) -> list[str]:
    return [cell for row in state["flags"].values() for cell in row]


def _flips(state: State) -> list[Action]:
    free = [cell for cell in CELLS if cell not in state["pawns"].values()]
    down = [cell for cell in free if not state["cards"][cell]["up"]]
    up = [cell for cell in free if state["cards"][cell]["up"] and _rank(state, cell) == state["rolled"]]
    bare = [cell for cell in up if cell not in _flagged(state)]
    choices = {*down, *(bare or up)}
    return [{"flip": cell} for cell in CELLS if cell in choices]


def _rank(state: State, cell: str) -> int:
    letter = state["cards"][cell]["card"][0]
    return 1 if letter == "A" else int(letter)


def _moves(state: State) -> list[Action]:
    column, row = state["pawns"][state["turn"]]
    beside = []
    for cell in CELLS:
        apart = abs(ord(cell[0]) - ord(column)) + abs(int(cell[1]) - int(row))
        if apart == 1 and state["cards"][cell]["up"] and cell not in state["pawns"].values():
            beside.append(cell)
    if state["terms"]["flag_variant"]:
        theirs = [cell for seat, flags in state["flags"].items() if seat != state["turn"] for cell in flags]
        beside = [cell for cell in beside if cell not in theirs] or beside
    return [*({"step": cell} for cell in beside), {"pass": True}]


def play(state: State, action: Action) -> State:
    """What the action leads to."""
    after = deepcopy(state)
    [(kind, value)] = action.items()
    _DOERS[kind](after, value)
    return after


def _start(state: State, cell: str) -> None:
    state["pawns"][state["turn"]] = cell
    state["flags"][state["turn"]] = [cell]
    waiting = [seat for seat in state["players"] if seat not in state["pawns"]]
    state["turn"] = waiting[0] if waiting else state["players"][0]
    state["await"] = "start" if waiting else "flag"


def _flag(state: State, cell: str) -> None:
    players, count = state["players"], state["terms"]["flags"]
    state["flags"][_owner(state)].insert(-1, cell)
    order = [players[(flag + turn) % len(players)] for flag in range(count - 1) for turn in range(len(players))]
    order = order[len(_flagged(state)) - len(players) :]
    state["turn"] = order[0] if order else players[0]
    state["await"] = "flag" if order else "roll"


def _roll(state: State, face: int | str) -> None:
    state["rolled"] = face
    state["await"] = "flip" if face != "null" and _flips(state) else "move"


def _flip(state: State, cell: str) -> None:
    state["await"] = "move"
    card = state["cards"][cell]
    seen = [place for place in state.pop("seen", []) if place != cell]
    of_rank = [place for place in CELLS if _rank(state, place) == state["rolled"]]
    if card["up"] or cell in of_rank or all(place in state["pawns"].values() for place in of_rank):
        card["up"] = not card["up"]
        _remember(state, seen if card["up"] else [*seen, cell])
        return
    _remember(state, [*seen, cell])
    seat = state["turn"]
    back = ([state["flags"][seat][-1]] + state["flags"][seat])[state["touched"][seat]]
    if back not in state["pawns"].values():
        state["pawns"][seat] = back


def _remember(state: State, seen: list[str]) -> None:
    if seen:
        state["seen"] = seen


def _step(state: State, cell: str) -> None:
    seat = state["turn"]
    state["pawns"][seat] = cell
    if state["flags"][seat][state["touched"][seat]] == cell:
        state["touched"][seat] += 1
    if state["touched"][seat] == state["terms"]["flags"]:
        _end(state)
    else:
        _pass(state, True)


def _pass(state: State, _: bool) -> None:
    players = state["players"]
    first = (state["round"] - 1) % len(players)
    order = players[first:] + players[:first]
    if state["turn"] != order[-1]:
        state["turn"] = order[order.index(state["turn"]) + 1]
    elif state["round"] == state["terms"]["rounds"]:
        _end(state)
        return
    else:
        state["turn"] = players[state["round"] % len(players)]
        state["round"] += 1
    state["await"], state["rolled"] = "roll", None


def _end(state: State) -> None:
    state["await"], state["rolled"], state["over"] = None, None, True


_DOERS: dict[str, Callable[[State, Any], None]] = {
    "start": _start,
    "flag": _flag,
    "roll": _roll,
    "flip": _flip,
    "step": _step,
    "pass": _pass,
}
