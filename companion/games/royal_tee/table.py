"""Royal Tee on its table: labels, turns, and the score of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.turns import Turns, acting
from companion.core.verdicts import Choice, Prompt
from engines.grid import cells_in
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_tee import GAME
from engines.royal_tee.board import NAMES
from engines.royal_tee.position import Action, Pass, Position
from engines.royal_tee.rules import can_walk
from vision.labels import EMPTY, Label, parse_label

# ---- labels


_ROYAL = "royal"


def royal_label(seat: Seat) -> str:
    """Return the label of a player's Royal Tee."""
    return str(Label(seat, _ROYAL))


def is_royal(label: str) -> bool:
    """Return whether a label is that of a Royal Tee."""
    return parse_label(label).kind == _ROYAL


def owner(label: str) -> Seat | None:
    """Return the player who owns a cell with this label; None for an empty one."""
    return None if label == EMPTY else Seat(parse_label(label).piece)


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every cell; under a Royal Tee there is no tee."""
    labels = dict.fromkeys(NAMES, EMPTY)
    for seat, spaces, royal in zip(position.players, position.claimed, position.royals, strict=True):
        labels.update((NAMES[cell], str(seat)) for cell in cells_in(spaces))
        labels[NAMES[royal]] = royal_label(seat)
    return labels


def score_seen(placement: Mapping[Cell, str], _board: object) -> tuple[Mapping[Seat, int], JsonObject]:
    """Return the number of each colour's spaces, including that of its Royal Tee, and the number of empty ones."""
    spaces = Counter(seat for label in placement.values() if (seat := owner(label)) is not None)
    return dict(sorted(spaces.items())), {"empty": sum(label == EMPTY for label in placement.values())}


# ---- turns


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    owners = {cell: owner(label) for cell, label in labels.items()}
    royals = {str(seat): cell for cell, seat in owners.items() if seat and is_royal(labels[cell])}
    players = [str(seat) for seat in royals]
    claimed = {seat: [cell for cell, has in owners.items() if has == seat] for seat in players}
    return {**data, "royals": royals, "claimed": claimed}


TURNS: Turns[Position, Action] = Turns(
    lambda position: Prompt(acting(GAME, position), "walk" if can_walk(position) else "pass"),
    lambda position: () if GAME.over(position) or can_walk(position) else (Choice("pass", Pass()),),
    adopt=_adopt,
)
