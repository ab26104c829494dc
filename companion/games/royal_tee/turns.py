"""Royal Tee's turns: a walk as long as the slider says, or a pass where no step is free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.verdicts import Choice, Prompt
from companion.games.royal_tee.labels import is_royal, owner
from companion.games.turns import Turns, acting
from engines.kernel import Cell, JsonObject
from engines.royal_tee import GAME
from engines.royal_tee.position import Action, Pass, Position
from engines.royal_tee.rules import can_walk

__all__ = ["TURNS"]


def _prompt(position: Position) -> Prompt[Action]:
    return Prompt(acting(GAME, position), "walk" if can_walk(position) else "pass")


def _choices(position: Position) -> Sequence[Choice[Action]]:
    return () if GAME.over(position) or can_walk(position) else (Choice("pass", Pass()),)


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    owners = {cell: owner(label) for cell, label in labels.items()}
    royals = {str(seat): cell for cell, seat in owners.items() if seat and is_royal(labels[cell])}
    players = [str(seat) for seat in royals]
    claimed = {seat: [cell for cell, has in owners.items() if has == seat] for seat in players}
    return {**data, "royals": royals, "claimed": claimed}


TURNS: Turns[Position, Action] = Turns(_prompt, _choices, adopt=_adopt)
