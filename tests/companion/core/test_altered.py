"""What is certainly seen otherwise is named, however rare it is; what is not seen is not called certain."""

from __future__ import annotations

import pytest

from companion.core.choices import TAKE_TABLE
from companion.core.display import lamps, view
from companion.core.entries import Adopted
from companion.core.verdicts import ALTERED, Confirmed, Refused
from companion.games.captions import page_for
from engines.kernel import Cell
from hardware.panel import Button
from tests.companion.evening_table import LONG_S, EveningTable

TEE = "royal-tee"


def played(game: str = TEE, steps: int = 6) -> EveningTable:
    table = EveningTable(game, 1)
    for _ in range(steps):
        assert table.goes_forward()
    table.put_right()
    table.look(1.0)
    return table


def an_empty_and_a_taken_cell(table: EveningTable) -> tuple[Cell, Cell]:
    """Return an empty cell and one with a small piece that no walk of the player to move can reach."""
    seat = table.state.rules.turns.prompt(table.state.position).seat
    taken = [cell for cell, label in table.labels.items() if label in table.state.players and label != seat]
    empty = [cell for cell, label in table.labels.items() if label == "empty"]
    return empty[0], taken[-1]


def test_a_piece_that_fell_is_named_and_done_goes_on_with_the_table_as_it_is() -> None:
    table = played()
    _empty, cell = an_empty_and_a_taken_cell(table)
    owner, table.labels[cell] = table.labels[cell], "empty"
    table.look(LONG_S)
    refused = table.state.verdict
    assert isinstance(refused, Refused)
    assert (refused.code, refused.cells) == (ALTERED, (cell,))
    assert refused.facts == {"changed": [{"cell": cell, "expected": owner, "observed": "empty"}]}
    assert view(table.state).buttons[Button.DONE] == TAKE_TABLE
    table.press(Button.DONE)
    assert isinstance(table.log.entries[-1], Adopted)
    table.look(LONG_S)
    assert table.game.placement(table.state.position)[cell] == "empty"


def test_putting_it_back_is_all_that_is_needed() -> None:
    table = played()
    _empty, cell = an_empty_and_a_taken_cell(table)
    before = dict(table.labels)
    table.labels[cell] = "empty"
    table.look(LONG_S)
    table.labels = before
    table.look(0.2)
    table.press(Button.DONE)
    table.look(2.0)
    assert not isinstance(table.state.verdict, Refused)
    assert not any(isinstance(entry, Adopted) for entry in table.log.entries), "the table was touched since"


def test_a_piece_that_was_pushed_is_told_as_one_thing() -> None:
    table = played()
    end, start = an_empty_and_a_taken_cell(table)
    table.labels[end], table.labels[start] = table.labels[start], "empty"
    table.look(LONG_S)
    message = page_for(view(table.state), table.game.board(), lamps=lamps(table.state)).message
    assert f"from {start} to {end}" in message
    assert message.count(start) == 1


def test_what_a_hand_or_a_mug_hides_is_not_seen_for_certain() -> None:
    table = played()
    _empty, cell = an_empty_and_a_taken_cell(table)
    table.labels[cell] = "empty"
    table.look(LONG_S, hidden=(cell,))
    assert not isinstance(table.state.verdict, Refused)


@pytest.mark.parametrize("game", ["royal-tee", "royal-ur", "territory"])
def test_no_altered_table_is_called_badly_seen(game: str) -> None:
    table = played(game)
    before = dict(table.labels)
    for cell in list(before)[:: max(1, len(before) // 6)]:
        other = "empty" if before[cell] != "empty" else table.game.board().label_words[-1]
        if cell not in table.game.board().cells:
            continue
        entries = len(table.log.entries)
        table.labels = {**before, cell: other}
        table.look(LONG_S)
        verdict = table.state.verdict
        if len(table.log.entries) > entries:
            assert isinstance(verdict, Confirmed), "it was a legal move"
            break
        assert isinstance(verdict, Refused), (cell, other, verdict)
        table.labels = dict(before)
        table.look(2.0)
