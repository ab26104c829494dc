"""The rules once more with plain dictionaries and lists, without the engine's ways: the position is the JSON object.

`play` takes a position as the protocol writes it and an action, both as JSON, and gives the next position, or None if
the rules forbid the action. Only the rules are here: what is no JSON of this game is not looked for.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from engines.schema import write
from engines.territory.board import EIGHT_BY_EIGHT
from engines.territory.cards import DECK

Position = dict[str, Any]
_CARDS = {card.id: write(card) for card in DECK}
_NUMBERS = [list(row) for row in EIGHT_BY_EIGHT.rows()]
_ROUNDS = {3: 8, 4: 6, 5: 5, 6: 4}
_POINTS = {2: 11, 3: 9, 4: 7, 5: 5, 6: 3, 7: 1, 8: 3, 9: 5, 10: 7, 11: 9, 12: 11}


def play(position: Position, action: dict[str, Any]) -> Position | None:
    after = copy.deepcopy(position)
    ((kind, value),) = action.items()
    if after["over"] or not _PLAYS[kind](after, value):
        return None
    return after


def options(position: Position) -> list[dict[str, Any]]:
    """List what the player may do; nothing while dice are expected."""
    if position["await"] == "choose":
        return [{"again": True}, {"stop": True}]
    if position["await"] != "place":
        return []
    empty, others = _targets(position)
    return [{"place": cell} for cell in empty] + [{"capture": cell} for cell in others]


def score(position: Position) -> dict[str, int]:
    return {player: _best_group(position, player) for player in position["players"]}


def numbers(position: Position) -> dict[str, int]:
    """Give the number of each space by its name."""
    rows = position["table"]["grid"]["numbers"] if "table" in position else _NUMBERS
    return {chr(65 + column) + str(row + 1): n for row, line in enumerate(rows) for column, n in enumerate(line)}


def _best_group(position: Position, player: str) -> int:
    value = numbers(position)
    mine = {cell for cell, owner in position["owners"].items() if owner == player}
    best = 0
    while mine:
        flood, points = [mine.pop()], 0
        while flood:
            cell = flood.pop()
            points += _POINTS[value[cell]]
            column, row = ord(cell[0]), int(cell[1:])
            for across, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                near = chr(column + across) + str(row + down)
                if near in mine:
                    mine.remove(near)
                    flood.append(near)
        best = max(best, points)
    return best


def _card(position: Position) -> dict[str, Any]:
    own = {card["id"]: card for card in position.get("cards", [])}
    card: dict[str, Any] = {**_CARDS, **own}.get(position["card"], {})
    return card


def _targets(position: Position) -> tuple[list[str], list[str]]:
    cells = [cell for cell, number in numbers(position).items() if number == position["rolled"][-1]]
    owners = position["owners"]
    empty = [cell for cell in cells if cell not in owners and cell not in position["white"]]
    others = [cell for cell in cells if owners.get(cell, position["turn"]) != position["turn"]]
    return empty, [] if _card(position).get("captures") == "forbidden" else others


def _roll(position: Position, dice: list[int]) -> bool:
    if position["await"] == "roll-off":
        return len(dice) == 1 and _roll_for_first(position, dice[0])
    if position["await"] == "place" or len(dice) != 2:
        return False
    card, rolled = _card(position), position["rolled"]
    number = 14 - sum(dice) if card.get("mirrored") else sum(dice)
    free = 3 + card.get("free_rolls", 0)
    used = len([i for i in range(free, len(rolled)) if rolled[i] in rolled[:i]])
    repeat = len(rolled) >= free and number in rolled and not position.get("extra")
    rolled.append(number)
    if repeat and used >= card.get("pardons", 0):
        if not card.get("bust_keeps"):
            position["white"] = []
        return _end_turn(position)
    left = 0 if number in card.get("closed", []) else 2 if number in card.get("doubled", []) else 1
    return _await_piece(position, left)


def _await_piece(position: Position, left: int) -> bool:
    position.pop("left", None)
    if left and any(_targets(position)):
        position["await"] = "place"
        if left > 1:
            position["left"] = left
        return True
    card, rolls = _card(position), len(position["rolled"])
    if position.get("extra") or rolls == card.get("most_rolls"):
        return _end_turn(position)
    stop_from = card.get("stop_from", 3 + card.get("free_rolls", 0))
    position["await"] = "choose" if rolls >= stop_from else "roll"
    return True


def _place(position: Position, cell: str) -> bool:
    if position["await"] != "place" or cell not in _targets(position)[0]:
        return False
    position["white"] = sorted([*position["white"], cell], key=_reading_order)
    return _await_piece(position, position.get("left", 1) - 1)


def _capture(position: Position, cell: str) -> bool:
    if position["await"] != "place" or cell not in _targets(position)[1]:
        return False
    position["owners"][cell] = position["turn"]
    captures = _card(position).get("captures")
    if captures == "go-on":
        return _await_piece(position, position.get("left", 1) - 1)
    if captures == "then-roll" and not position.get("extra"):
        position.pop("left", None)
        position.update({"extra": True, "await": "roll"})
        return True
    return _end_turn(position)


def _again(position: Position, _true: bool) -> bool:
    allowed: bool = position["await"] == "choose"
    position["await"] = "roll"
    return allowed


def _stop(position: Position, _true: bool) -> bool:
    return position["await"] == "choose" and _end_turn(position)


def _end_turn(position: Position) -> bool:
    for cell in position["white"]:
        position["owners"][cell] = position["turn"]
    position.pop("extra", None)
    position.pop("left", None)
    position.update({"white": [], "rolled": [], "await": "roll"})
    first, *others = position["players"]
    order = [first, *(others[::-1] if _card(position).get("reversed") else others)]
    if position["turn"] != order[-1]:
        position["turn"] = order[order.index(position["turn"]) + 1]
    elif position["round"] == position.get("rounds", _ROUNDS[len(order)]):
        position.update({"over": True, "await": None})
    else:
        card = position["deck"].pop(0) if position["deck"] else None
        position.update({"turn": first, "round": position["round"] + 1, "card": card})
    return True


def _roll_for_first(position: Position, die: int) -> bool:
    rolls = position["roll_off"]
    rolls[position["turn"]] = die
    waiting = [player for player in rolls if rolls[player] is None]
    if waiting:
        position["turn"] = waiting[0]
        return True
    highest = [player for player in rolls if rolls[player] == max(rolls.values())]
    position["turn"] = highest[0]
    if len(highest) > 1:
        position["roll_off"] = dict.fromkeys(highest)
        return True
    del position["roll_off"]
    players = position["players"]
    while players[0] != highest[0]:
        players.append(players.pop(0))
    if position["deck"]:
        position["face_down"] = position["deck"].pop(0)
    position["await"] = "roll"
    return True


def _reading_order(cell: str) -> tuple[int, str]:
    return int(cell[1:]), cell[0]


_PLAYS: Mapping[str, Callable[[Position, Any], bool]] = {
    "roll": _roll,
    "place": _place,
    "capture": _capture,
    "again": _again,
    "stop": _stop,
}
