"""What the screen shows of Territory beside the pieces: numbers of owned spaces, the active card, dice, the round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.territory.card_words import card_text, card_title
from companion.games.territory.labels import EMPTY, placement
from companion.locale import _, ngettext
from companion.ui.board_text import letter
from companion.ui.names import Names, player_name
from companion.ui.page import Extras
from companion.ui.phrases import spaces
from engines.kernel import Seat
from engines.territory.position import Position
from engines.territory.scoring import best_group
from vision.board import Board

__all__ = ["extras"]


def extras(position: Position, board: Board, names: Names) -> Extras:
    """Return what is shown beside the labels of a position."""
    return Extras(facts=tuple(_facts(position, names)), of_player=_groups(position), texts=_numbers(position, board))


def _facts(position: Position, names: Names) -> Iterator[str]:
    if position.roll_off is not None:
        thrown = zip(position.roll_off.contenders, position.roll_off.rolls, strict=False)
        if rolls := ", ".join(f"{player_name(seat, names)} {roll}" for seat, roll in thrown):
            yield _("Rolled to see who begins: {rolls}").format(rolls=rolls)
        return
    yield _("Round {round} of {rounds}").format(round=position.round, rounds=position.setting.rounds)
    if position.rolled:
        yield _("Rolled in this turn: {numbers}").format(numbers=", ".join(map(str, position.rolled)))
    if position.card is not None:
        card = position.in_force
        yield _("Card in force: {title}. {effect}").format(title=card_title(card), effect=card_text(card))
    count = len(position.deck)
    yield ngettext("{count} card in the deck", "{count} cards in the deck", count).format(count=count)


def _groups(position: Position) -> Mapping[Seat, str]:
    """Return each player's best group."""
    found = {}
    for seat, owned in zip(position.players, position.owners, strict=True):
        group = best_group(position.board, owned)
        if owned:
            number = group.spaces.bit_count()
            found[seat] = _("best group {spaces}").format(spaces=spaces(number))
    return found


def _numbers(position: Position, board: Board) -> Mapping[str, str]:
    """Return the piece with the number of its space, for every space that is not empty."""
    printed = board.grid.numbers or ()
    labels = {cell: label for cell, label in placement(position).items() if label != EMPTY}
    texts = {}
    for cell, label in labels.items():
        column, row = ord(cell[0]) - ord("A"), int(cell[1:]) - 1
        if row < len(printed) and column < len(printed[row]):
            texts[str(cell)] = f"{letter(board, label)}{printed[row][column]}"
    return texts
