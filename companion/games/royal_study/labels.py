"""Positions of The Royal Study as labels on squares: the words of the table file."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Cell
from engines.royal_study.board import NAMES, Piece
from engines.royal_study.placement import NOTHING, Placement
from engines.royal_study.position import Position, puzzle_of
from vision.labels import EMPTY

__all__ = ["EMPTY", "WORDS", "kind_of", "letter_of", "look_of", "placement"]

WORDS: Mapping[str, str] = {".": EMPTY, **{piece.value: piece.name.lower() for piece in Piece}}
"""What the table file calls a piece, by its letter; a point is an empty square."""

_LETTERS = {word: letter for letter, word in WORDS.items()}


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every square; none while pieces may still stand anywhere."""
    pieces = puzzle_of(position).pieces
    return {} if pieces == NOTHING else look_of(pieces)


def look_of(pieces: Placement) -> dict[Cell, str]:
    """Return the label of every square of a placement."""
    return {name: WORDS[letter] for name, letter in zip(NAMES, pieces, strict=True)}


def letter_of(label: str) -> str:
    """Return the letter of a piece by its label; a point for an empty square."""
    return _LETTERS[label]


def kind_of(label: str) -> str:
    """Return whether a square is empty, not which piece stands on it."""
    return label if label == EMPTY else "piece"
