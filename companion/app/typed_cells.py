"""What the players call the thing on a cell, as a label of the table. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from companion.core.view import View
from companion.games import GAMES
from companion.games.commands import noise_words
from companion.games.line import in_both_languages, plain
from companion.games.speech import SPEECHES
from companion.locale import english
from companion.ui.names import label_name
from companion.ui.words import thing_name
from engines.kernel import Cell
from vision.labels import EMPTY, parse_label

MOST_OFFERED = 6
"""This many labels are named where a line names none."""

_WORD = re.compile(r"[^\W_]+")


def label_typed(view: View, cell: Cell, text: str) -> str | None:
    """Return the label that is meant by words such as "white", "2 black" or "pawn suns"; None if that is not clear.

    Of the labels that have all the words in one of their names it is the one with the fewest others; the card that
    belongs on the cell need not be named.
    """
    noise = in_both_languages(noise_words)
    typed = [word for word in _words(text) if word not in noise]
    if not typed:
        return None
    missing: dict[str, int] = {}
    for label, names in _names(view.game).items():
        others = [len(_others(name, typed, label, view.board[cell])) for name in names if _within(typed, name)]
        if others:
            missing[label] = min(others)
    fewest = min(missing.values(), default=0)
    meant = [label for label, number in missing.items() if number == fewest]
    return meant[0] if len(meant) == 1 else None


def _others(name: Sequence[str], typed: Sequence[str], label: str, expected: str) -> list[str]:
    """Return the words of a label's name that were not typed and do not go without saying."""
    card = parse_label(label).card
    given = {*typed, *in_both_languages(noise_words), *(_words(card) if card == parse_label(expected).card else ())}
    return [word for word in name if word not in given]


def _within(typed: Sequence[str], name: Sequence[str]) -> bool:
    """Return whether a name has all typed words in their order."""
    rest = iter(name)
    return all(word in rest for word in typed)


def labels_offered(view: View, cell: Cell) -> list[str]:
    """Return examples of what can be typed for a cell: what belongs there, nothing, and other labels of the table."""
    known = GAMES[view.game].board().label_words
    first = [label for label in (view.board[cell], EMPTY) if label in known]
    words = SPEECHES[view.game].words
    return [thing_name(words, label) for label in dict.fromkeys((*first, *known))][:MOST_OFFERED]


def _names(game: str) -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the words of each label's names: the table's, and what it is called in both languages."""
    labels, words = GAMES[game].board().label_words, SPEECHES[game].words
    own = {label: (*_orders(label), label_name(label), thing_name(words, label)) for label in labels}
    with english():
        return {label: [*map(_words, (*own[label], label_name(label), thing_name(words, label)))] for label in labels}


def _orders(label: str) -> tuple[str, str]:
    """Return the table's word for a label, and the same with what is on a card from the highest to the lowest."""
    first, *on_card = parse_label(label).parts() or (label,)
    return label, " ".join((first, *reversed(on_card)))


def _words(text: str) -> list[str]:
    return [*map(plain, _WORD.findall(text))]
