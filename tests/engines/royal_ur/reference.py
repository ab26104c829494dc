"""The rules once more, with the counters' cells in dicts and lists: plain, without the engine's ways."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

State = dict[str, Any]

WAYS = {
    "white": ["E3", "D3", "C3", "B3", "A3", "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "H3", "G3", "F3"],
    "black": ["E1", "D1", "C1", "B1", "A1", "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "H1", "G1", "F1"],
}
ROSETTES = ["A3", "A1", "D2", "G3", "G1"]
FOUR_FIVES = ["C2", "F2"]
EYES = ["D3", "D1", "B3", "B1", "G2"]
COUNTS = {0: 4, 2: 1, 3: 5}
OTHER = {"white": "black", "black": "white"}


def new() -> State:
    counters = {"white": ["off"] * 7, "black": ["off"] * 7}
    return {"turn": "white", "await": "roll", "decides": "white", "dots": None, "counters": counters, "winner": None}


def legal(state: State) -> list[tuple[str, ...]]:
    """List the decisions as ("move", cell), ("enter",), ("decline",)."""
    who = state["decides"]
    if state["winner"] or state["await"] == "roll":
        return []
    if state["await"] == "enter":
        return [("enter",), ("decline",)]
    count = 4 if state["await"] == "forfeit" else COUNTS[state["dots"]]
    decisions: list[tuple[str, ...]] = []
    for cell in WAYS[who][:-1]:
        if cell in state["counters"][who] and _ahead(who, cell, count) is not None:
            decisions.append(("move", cell))
    if state["await"] == "move" and state["dots"] == 3 and "off" in state["counters"][who]:
        decisions.append(("enter",))
    return decisions


def _ahead(who: str, cell: str, count: int) -> str | None:
    way = WAYS[who]
    there = way.index(cell) + count
    return way[there] if there < len(way) else None


def roll(before: State, dots: int) -> State:
    state = deepcopy(before)
    if dots == 1:
        state["turn"] = state["decides"] = OTHER[state["turn"]]
        return state
    state["dots"], state["await"] = dots, "move"
    if not legal(state):
        return before
    return state


def decide(before: State, decision: tuple[str, ...]) -> State:
    state = deepcopy(before)
    who = state["decides"]
    if decision[0] == "decline":
        return _throw_again(state)
    if decision[0] == "enter":
        _put(state, who, "off", WAYS[who][0])
        return _throw_again(state)
    count = 4 if state["await"] == "forfeit" else COUNTS[state["dots"]]
    return _sign(state, who, _travel(state, who, decision[1], count))


def _put(state: State, who: str, cell: str, there: str) -> None:
    state["counters"][who].remove(cell)
    state["counters"][who].append(there)


def _travel(state: State, who: str, cell: str, count: int) -> str:
    """Move a counter and give where it comes to lie."""
    there = _ahead(who, cell, count)
    if there is None:
        return cell
    enemies = state["counters"][OTHER[who]].count(there)
    if enemies > 1:
        _put(state, who, cell, "off")
        return "off"
    if enemies == 1:
        _put(state, OTHER[who], there, "off")
    _put(state, who, cell, there)
    return _travel(state, who, there, count) if there in FOUR_FIVES else there


def _sign(state: State, who: str, cell: str) -> State:
    counters = state["counters"]
    if all(at == WAYS[who][-1] for at in counters[who]):
        state.update({"winner": who, "await": None, "decides": state["turn"], "dots": None})
        return state
    if cell in ROSETTES and "off" in counters[who]:
        state["await"] = "enter"
        return state
    if cell in EYES and state["await"] == "move":
        state.update({"await": "forfeit", "decides": OTHER[who]})
        if legal(state):
            return state
    return _throw_again(state)


def _throw_again(state: State) -> State:
    state.update({"await": "roll", "decides": state["turn"], "dots": None})
    return state
