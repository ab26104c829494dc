"""Cards that the players have shuffled: read from the table, doubted, completed by hand, journaled and replayed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from companion.core.choices import CONTINUE, JUDGE_ON_DONE
from companion.core.display import view
from companion.core.entries import Played
from companion.core.messages import CellSet
from companion.core.verdicts import ActionSource, Mode
from companion.core.verdicts import Position as Opaque
from companion.games.captions import page_for
from companion.games.royal_racers.table import placement
from engines.kernel import Cell, Outcome
from engines.royal_racers import GAME as RACERS
from engines.royal_racers.position import THROWS, Phase, Position, Roll
from hardware.panel import Button
from tests.companion.evening_table import EveningTable
from tests.narrow import there

GAME = "royal-racers"


class LayingTable(EveningTable):
    """A table on which cards were laid out that the companion has not drawn."""

    def __init__(self) -> None:
        super().__init__(GAME, 3)
        cells = list(self.labels)
        faces = [self.labels[cell] for cell in cells]
        Random(99).shuffle(faces)
        self.dealt = dict(zip(cells, faces, strict=True))
        self.labels = dict(self.dealt)

    def look_in_doubt(self, doubtful: Mapping[Cell, Mapping[str, float]], seconds: float = 2.0) -> None:
        """Look at the table with some cells read as these shares of labels say."""
        self.doubtful = doubtful
        self.look(seconds)
        self.doubtful = {}

    @property
    def position(self) -> Position:
        assert isinstance(self.state.position, Position)
        return self.state.position

    @property
    def cards(self) -> Mapping[Cell, str]:
        return dict(placement(self.position))

    @property
    def label_chosen(self) -> str | None:
        """The label that the panel would set now."""
        return None if self.state.setting is None else self.state.setting.choice.label

    @property
    def deals(self) -> list[Any]:
        return [entry.source for entry in self.log.entries if isinstance(entry, Played) and "deal" in entry.action]


@pytest.fixture
def table() -> LayingTable:
    return LayingTable()


def test_the_cards_that_people_have_shuffled_are_read_journaled_and_replayed(table: LayingTable) -> None:
    table.look(2.0)
    assert table.cards == table.dealt
    assert table.deals == [ActionSource.CAMERA]
    assert not table.state.setting_up
    table.check()
    table.restart()
    assert table.cards == table.dealt


def test_cards_that_are_exchanged_before_the_first_pawn_are_read_again(table: LayingTable) -> None:
    table.look(2.0)
    table.labels[Cell("A1")], table.labels[Cell("F6")] = table.labels[Cell("F6")], table.labels[Cell("A1")]
    table.look(2.0)
    assert table.cards == table.labels


def test_while_cards_are_laid_out_nothing_is_complained_of(table: LayingTable) -> None:
    for cell in list(table.labels)[10:]:
        table.labels[cell] = "back"
    table.look(30.0)
    assert table.state.verdict is None
    assert len(there(table.state.layout).bare) == 26
    assert table.deals == []


def test_a_card_that_is_doubtful_counts_only_once_people_have_said_what_it_is(table: LayingTable) -> None:
    two = [Cell("B2"), Cell("E5")]
    alike = {table.dealt[cell]: 0.45 for cell in two}
    doubt = {cell: {**alike, table.dealt[cell]: 0.5} for cell in two}
    table.look_in_doubt(doubt)
    assert table.deals == []
    table.press(Button.DONE)
    assert table.state.setting is not None, "DONE asks for a doubtful card"
    for _press in range(3):
        table.look_in_doubt(doubt, 0.6)
        assert table.deals == [], "waiting and looking say nothing of it"
    assert table.label_chosen == table.dealt[Cell("B2")], "the most likely one is proposed"
    table.press(Button.DONE)
    table.look_in_doubt(doubt, 0.6)
    assert table.cards == table.dealt, "the other one follows from it"
    assert table.deals == [ActionSource.OVERRULED]


def test_where_moves_are_judged_on_done_it_looks_again_before_it_asks_for_an_old_doubt(table: LayingTable) -> None:
    two = [Cell("B2"), Cell("E5")]
    doubt = {cell: dict.fromkeys(map(table.dealt.__getitem__, two), 0.45) for cell in two}
    table.press(Button.MODE, held=True)
    table.choose(JUDGE_ON_DONE)
    table.choose(CONTINUE)
    assert table.state.progress.mode is Mode.ON_DONE
    table.look_in_doubt(doubt)
    table.press(Button.DONE)
    table.look_in_doubt(doubt)
    assert table.state.layout is not None
    table.press(Button.DONE)
    asked_for = [table.label_chosen]
    table.press(Button.MODE)
    table.look(2.0)
    table.press(Button.DONE)
    asked_for.append(table.label_chosen)
    assert (asked_for[0] in table.dealt.values(), asked_for[1]) == (True, None), "what is still in doubt is asked for"
    assert table.cards == table.dealt, "the cards have been straightened since"


def test_what_was_certain_at_an_earlier_look_is_not_asked_for(table: LayingTable) -> None:
    first, second = Cell("B2"), Cell("E5")
    vague = dict.fromkeys(table.dealt.values(), 0.025)
    table.look_in_doubt({cell: {**vague, table.dealt[cell]: 0.125} for cell in (first, Cell("C3"))})
    assert table.deals == []
    table.look_in_doubt({cell: {**vague, table.dealt[cell]: 0.125} for cell in (second, Cell("C3"))}, 6.0)
    assert table.cards == table.dealt


def test_a_card_that_was_known_and_is_taken_away_is_not_there_any_more(table: LayingTable) -> None:
    table.labels[Cell("C3")] = "back"
    table.look(2.0)
    assert table.state.layout is not None
    assert table.state.layout.bare == ("C3",)
    table.labels[Cell("C3")], table.labels[Cell("B2")] = table.dealt[Cell("C3")], "back"
    table.look(2.0)
    assert table.state.layout.bare == ("B2",)
    assert table.deals == []


def test_no_number_of_presses_deals_a_layout_that_is_wholly_in_doubt(table: LayingTable) -> None:
    vague = dict.fromkeys(table.dealt.values(), 1 / 36)
    for _press in range(6):
        table.look_in_doubt(dict.fromkeys(table.dealt, vague), 0.6)
        table.press(Button.DONE, Button.MODE)
    assert table.deals == []


def test_what_is_doubtful_on_one_cell_only_follows_from_the_others(table: LayingTable) -> None:
    [other] = [label for cell, label in table.dealt.items() if cell == "A1"]
    table.look_in_doubt({Cell("B2"): {other: 0.5, table.dealt[Cell("B2")]: 0.4}})
    assert table.cards == table.dealt


def test_a_card_that_is_seen_twice_is_named_and_set_by_hand(table: LayingTable) -> None:
    right = table.dealt[Cell("D4")]
    table.labels[Cell("D4")] = table.dealt[Cell("A6")]
    table.look(2.0)
    layout = there(table.state.layout)
    assert {card: set(cells) for card, cells in layout.doubled.items()} == {table.dealt[Cell("A6")]: {"A6", "D4"}}
    assert right in layout.missing
    table.press(Button.DONE)
    table.look(1.0)
    page = page_for(view(table.state), table.game.board(), lamps={})
    assert "can't see" not in " ".join((page.message, *page.notes)), "each card is seen well"
    table.take(CellSet(Cell("D4"), right, table.clock.now_ns()))
    table.look(2.0)
    assert table.cards == table.dealt
    assert table.deals == [ActionSource.OVERRULED]


def test_the_panel_alone_names_a_card_that_is_seen_twice(table: LayingTable) -> None:
    table.labels[Cell("D4")] = table.dealt[Cell("A6")]
    table.look(2.0)
    table.press(Button.DONE)
    while (setting := table.state.setting) is not None:
        if setting.choice.label == table.dealt[setting.cell]:
            table.press(Button.DONE)
            table.look(2.0)
        else:
            table.press(Button.ROLL)
    assert table.cards == table.dealt
    assert table.deals == [ActionSource.OVERRULED]


def test_the_cards_of_the_next_race_are_read_as_well() -> None:
    table = LayingTable()
    position = RACERS.new(["suns", "moons"], {"races": 2, "rounds": 1, "flags": 2}, 4)
    random = Random(4)
    while position.phase is not Phase.DEAL:
        outcome = RACERS.play(position, random.choice(RACERS.actions(position) or [Roll(random.choice(THROWS))]))
        assert isinstance(outcome, Outcome)
        position = outcome.position
    table.opening = Opaque(position)
    table.lay(table.opening)
    table.restart()
    table.look(20.0)
    assert table.state.verdict is None, "a table that is cleared is no mistake"
    table.labels = dict(table.dealt)
    table.look(2.0)
    assert table.position.race == 2
    assert table.cards == table.dealt
