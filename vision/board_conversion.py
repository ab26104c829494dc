"""Converts table files of earlier versions to the present form.

In earlier files the names of labels implied the abilities of pieces: "counters" could be stacked, a "royal" next to
"claimed" walked, "card", "flag" and "pawn" together meant cards with pieces on them, and labels that were the names of
all pieces meant that there is one of each. Now the pieces have keys for that, and the keys of `[labels]` are their
names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CAPABILITIES = {"stack", "on", "covers", "walks", "count"}
_STACKED = 7
"""The largest stack of earlier versions."""

_WITHOUT_PIECE = {"empty", "card"}


def converted(table: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a table file in the present form, unchanged if it already has it.

    Invalid values are left for validation to report.
    """
    labels, pieces = table.get("labels"), table.get("pieces")
    if labels is None or pieces is None or not _is_old(labels, pieces):
        return table
    # The labels by the names of the pieces, in the file's order; keys without a piece go to the first piece.
    joined: dict[str, list[Any]] = {}
    first = next(iter(pieces))
    for key, entry in labels.items():
        for word in entry if isinstance(entry, list) else [entry]:
            if key in _WITHOUT_PIECE or key in pieces:
                joined.setdefault(key, []).append(word)
            else:
                joined.setdefault(word if word in pieces else first, []).append(word)
    by_piece = {key: words[0] if len(words) == 1 else words for key, words in joined.items()}
    pieces = {name: {**piece, **_abilities(name, labels, pieces)} for name, piece in pieces.items()}
    return {**table, "labels": by_piece, "pieces": pieces}


def _is_old(labels: object, pieces: object) -> bool:
    """Return whether a file's labels have the keys of earlier versions, or its pieces lack keys for their abilities."""
    if not isinstance(labels, Mapping) or not isinstance(pieces, Mapping) or not pieces:
        return False
    if not all(isinstance(piece, Mapping) for piece in pieces.values()):
        return False
    if not all(isinstance(word, str) for word in _words(labels)):
        return False
    says = any(_CAPABILITIES & set(piece) for piece in pieces.values())
    with_cards = {"card", "flag", "pawn"} <= labels.keys()
    return not says and (with_cards or not set(labels) <= _WITHOUT_PIECE | set(pieces))


def _abilities(name: str, labels: Mapping[str, Any], pieces: Mapping[str, Any]) -> dict[str, Any]:
    """Return a piece's abilities, by the keys of the labels."""
    if {"card", "flag", "pawn"} <= labels.keys() and name in ("flag", "pawn"):
        return {"on": "card", "covers": True} if name == "flag" else {"on": "card", "count": 1}
    if "counters" in labels and name == next(iter(pieces)):
        return {"stack": _STACKED}
    if name == "royal" and {"claimed", "royal"} <= labels.keys():
        return {"walks": True}
    if set(_words(labels)) == set(pieces):
        return {"count": 1}
    return {}


def _words(labels: Mapping[str, Any]) -> list[Any]:
    """Return all words except that of empty cells."""
    entries = [entry for key, entry in labels.items() if key != "empty"]
    return [word for entry in entries for word in (entry if isinstance(entry, list) else [entry])]
