"""The Royal Study on its table: labels, turns, and what a single picture shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.turns import Turns
from companion.core.verdicts import Choice, Deadline, Prompt
from companion.locale import _
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_study import GAME
from engines.royal_study.board import NAMES, Piece
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import NOTHING, Placement, meets, write_placement
from engines.royal_study.position import (
    MOST_STEPS,
    QUARTERS,
    Action,
    Await,
    Call,
    Card,
    Match,
    Position,
    Say,
    Side,
    puzzle_of,
)
from vision.labels import EMPTY

# ---- labels


WORDS: Mapping[str, str] = {".": EMPTY, **{piece.value: piece.name.lower() for piece in Piece}}
"""The label of a piece by its letter; a point is an empty square."""

_LETTERS = {word: letter for letter, word in WORDS.items()}


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every square; empty before the pieces have places."""
    pieces = puzzle_of(position).pieces
    return {} if pieces == NOTHING else look_of(pieces)


def look_of(pieces: Placement) -> dict[Cell, str]:
    """Return the label of every square of a placement."""
    return {name: WORDS[letter] for name, letter in zip(NAMES, pieces, strict=True)}


def letter_of(label: str) -> str:
    """Return the letter of a piece's label; a point for an empty square."""
    return _LETTERS[label]


def kind_of(label: str) -> str:
    """Return a label without the identity of the piece: `EMPTY` or "piece"."""
    return label if label == EMPTY else "piece"


# ---- turns


def _prompt(position: Position) -> Prompt[Action]:
    if not isinstance(position, Match):
        return Prompt(None, "puzzle")
    match position.awaits:
        case Await.NOTHING:
            return Prompt(None)
        case Await.CALL:
            return Prompt(None, position.awaits.value, numbers=(0, MOST_STEPS))
        case Await.CHALLENGE:
            hourglass = Deadline("hourglass", position.terms.hourglass_s, Say.TIME_UP)
            return Prompt(position.turn, position.awaits.value, hourglass)
        case Await.EXECUTE if position.terms.execution_s is not None:
            execution = Deadline("execution", position.terms.execution_s, Say.TIME_UP)
            return Prompt(position.turn, position.awaits.value, execution)
    return Prompt(position.turn, position.awaits.value)


def _choices(position: Position) -> Sequence[Choice[Action]]:
    if not isinstance(position, Match):
        return ()
    match position.awaits:
        case Await.CALL:
            return tuple(Choice("call", Call(0, seat), partial(Call, by=seat), by=seat) for seat in position.players)
        case Await.CHALLENGE:
            return _said(Say.CHALLENGE), _said(Say.DECLINE)
        case Await.EXECUTE:
            return (_said(Say.GIVE_UP, standing=False),)
        case Await.NEXT:
            legal = GAME.actions(position)
            return tuple(_said(word) for word in (Say.NEXT, Say.AGAIN, Say.STOP) if word in legal)
    return ()


def _said(word: Say, *, standing: bool = True) -> Choice[Action]:
    return Choice(word.value, word, standing=standing)


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    return {**data, "pieces": write_placement(Placement("".join(letter_of(labels[name]) for name in NAMES)))}


def _cards(position: Position) -> Sequence[int]:
    """Return the cards to be met that the program has drawn, which the players cannot see otherwise."""
    if not isinstance(position, Match) or not position.terms.dealt:
        return ()
    return [target.card.number for target in position.puzzle.targets if target.card is not None and not target.done]


TURNS: Turns[Position, Action] = Turns(_prompt, _choices, cards=_cards, adopt=_adopt, seen_options={"deck": "table"})


# ---- what a single picture shows


def score_seen(placement: Mapping[Cell, str], _board: object) -> tuple[Mapping[Seat, int], JsonObject]:
    """Return no score, since points cannot be seen, and details.

    The details have the pieces as the engine writes them, and the shipped cards that they meet, with their orientation.
    """
    pieces = Placement("".join(letter_of(placement.get(name, EMPTY)) for name in NAMES))
    meets_cards = [
        {"number": card.number, "side": card.side.value, "turns": card.turns}
        for card in [
            Card(number, side, turns) for number in range(len(CARDS)) for side in Side for turns in range(QUARTERS)
        ]
        if meets(pieces, card.lay(CARDS[card.number]))
    ]
    return {}, {
        "pieces": write_placement(pieces),
        "meets": meets_cards,
        "note": _("Points cannot be seen in a picture; where the pieces stand can."),
    }
