"""Positions and actions in one line of text each (RULES.md 4)."""

from __future__ import annotations

from engines.kernel import BadRequestError, Seat

from .rules import CELLS, GAME, SIDE, Place, Position


def write_position(position: Position) -> str:
    """Write a position: the players' initials by space, row by row, then the players, the one to move first."""
    letters = "".join("." if disc is None else str(position.players.index(disc)) for disc in position.discs)
    rows = "/".join(letters[start : start + SIDE] for start in range(0, len(letters), SIDE))
    return f"{rows} {','.join(position.players)} {position.turn}"


def read_position(text: str) -> Position:
    """Read what `write_position` wrote."""
    words = text.split()
    if len(words) != 3 or len(words[0].replace("/", "")) != len(CELLS):
        raise BadRequestError(f'expected rows, players and who is to move, not "{text}"')
    players, letters = words[1].split(","), words[0].replace("/", "")
    discs = {str(cell): players[int(letter)] for cell, letter in zip(CELLS, letters, strict=True) if letter in "01"}
    return GAME.position_from_json({"players": players, "turn": Seat(words[2]), "discs": discs})


def write_action(action: Place) -> str:
    """Write an action: its space."""
    return str(action.cell)


def read_action(text: str) -> Place:
    """Read what `write_action` wrote."""
    return GAME.action_from_json({"place": text.strip().upper()})
