"""A card beside the board: it is drawn and turned before the camera, and refused where the rules do not let it be."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.core.display import view
from companion.core.looking import CARD_PATIENCE_S
from companion.core.messages import ActionEntered, FrameRead
from companion.core.verdicts import ActionSource, Confirmed, Refused, TookBack, Unchanged
from companion.games import GAMES
from companion.games.captions import page_for
from engines.kernel import Json, Seat
from engines.royal_study.position import Card, Match, Side
from hardware.panel import Button
from tests.companion.core.tables import FRAME_NS, Stepped, act
from tests.companion.shell.seen import observation
from tests.narrow import narrowed, there
from vision.board import shipped_board
from vision.recognition.objective import ObjectiveCard

STUDY = GAMES["royal-study"]
BOARD = shipped_board("royal-study")
PLAYERS = (Seat("white"), Seat("black"))


class Sitting(Stepped):
    """A match that is stepped by hand; the pieces stand as the position has them."""

    def __init__(self, **options: Json) -> None:
        super().__init__(STUDY, STUDY.engine.new(PLAYERS, options, 3))
        self.state = replace(self.state, setting_up=False)

    @property
    def match(self) -> Match:
        assert isinstance(self.state.position, Match)
        return self.state.position

    @property
    def awaits(self) -> str:
        return self.match.awaits.value

    @property
    def refused(self) -> str | None:
        verdict = self.state.verdict
        return verdict.code if isinstance(verdict, Refused) else None

    @property
    def drawn(self) -> ObjectiveCard:
        card = there(self.match.puzzle.targets[-1].card)
        return seen(card)

    def say(self, *actions: Mapping[str, Json]) -> None:
        position = self.state.position
        for action in actions:
            position = STUDY.engine.after(position, STUDY.engine.action_from_json(action)).position
        progress = replace(self.state.progress, position=position)
        self.state = replace(self.state, progress=progress, verdict=None)

    def see(self, card: ObjectiveCard | None, seconds: float = 1.0) -> None:
        labels = {str(cell): label for cell, label in STUDY.placement(self.state.position).items()}
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.at_ns += FRAME_NS
            self.take(FrameRead(observation(BOARD, labels), True, self.at_ns, card))

    def executes(self) -> None:
        """Call a number that nobody challenges, after the card was seen as it was drawn."""
        self.see(self.drawn)
        self.say({"call": 9, "by": PLAYERS[0]}, {"decline": True})


def seen(card: Card) -> ObjectiveCard:
    return ObjectiveCard(card.number, card.side.value, card.turns)


def quarter(card: ObjectiveCard) -> ObjectiveCard:
    return replace(card, quarter_turns=(card.quarter_turns + 1) % 4)


def test_cards_from_the_table_are_drawn_as_they_are_laid() -> None:
    sitting = Sitting(deck="table")
    sitting.see(ObjectiveCard(17, "back", 1))
    assert sitting.awaits == "card"
    assert sitting.state.setting_up
    sitting.see(ObjectiveCard(17, "back", 1), 5.0)
    assert sitting.awaits == "card"
    sitting.see(ObjectiveCard(4, "face", 3))
    assert sitting.awaits == "call"
    assert sitting.match.puzzle.targets[0].card == Card(4, Side.FACE, 3)


def test_who_presses_done_for_a_card_that_is_not_read_is_told_how_to_type_it() -> None:
    sitting = Sitting(deck="table")
    for card in (ObjectiveCard(17, "face", 0), ObjectiveCard(4, "face", 3)):
        awaited = sitting.awaits
        sitting.see(None)
        sitting.press(Button.DONE)
        sitting.see(None)
        assert (sitting.awaits, sitting.state.verdict) == (awaited, Unchanged())
        page = page_for(view(sitting.state), BOARD, lamps={})
        assert "Type the card's number and its position: 17, 17 back, 17 right." in page.notes
        sitting.see(card)
    assert not page_for(view(sitting.state), BOARD, lamps={}).notes


def test_a_card_that_flickers_is_not_drawn() -> None:
    sitting = Sitting(deck="table")
    for number in (17, 18) * 10:
        sitting.see(ObjectiveCard(number, "face", 0), 0.4)
    assert sitting.awaits == "start"


def test_a_card_taken_back_is_not_drawn_again_until_it_is_laid_otherwise() -> None:
    sitting = Sitting(deck="table")
    sitting.see(ObjectiveCard(17, "face", 0))
    sitting.press(Button.BACK)
    assert isinstance(sitting.state.verdict, TookBack)
    sitting.see(ObjectiveCard(17, "face", 0), 10.0)
    assert sitting.awaits == "start"
    sitting.see(ObjectiveCard(17, "back", 0))
    assert sitting.awaits == "card"


def test_a_card_turned_while_moves_are_made_costs_a_step() -> None:
    sitting = Sitting(level=2)
    sitting.executes()
    picture = sitting.match.puzzle.targets[0].picture
    sitting.see(quarter(sitting.drawn))
    assert narrowed(sitting.state.verdict, Confirmed).source is ActionSource.CAMERA
    assert (sitting.match.used, sitting.match.puzzle.targets[0].picture != picture) == (1, True)


def test_a_card_that_was_never_seen_as_drawn_is_not_taken_for_turned() -> None:
    sitting = Sitting(level=2)
    sitting.say({"call": 9, "by": PLAYERS[0]}, {"decline": True})
    card = sitting.drawn
    sitting.see(quarter(card), 10.0)
    assert sitting.match.used == 0
    sitting.see(card)
    sitting.see(quarter(card))
    assert sitting.match.used == 1


def test_a_card_seen_while_choices_are_made_quickly_is_remembered() -> None:
    sitting = Sitting(level=2)
    card = sitting.drawn
    sitting.see(replace(card, number=(card.number + 1) % 60))
    sitting.see(card, 0.4)
    sitting.take(ActionEntered(act(STUDY, call=9, by=PLAYERS[0]), sitting.at_ns))
    sitting.take(ActionEntered(act(STUDY, decline=True), sitting.at_ns))
    sitting.see(card, 0.2)
    sitting.see(quarter(card))
    assert sitting.match.used == 1


@pytest.mark.parametrize(("level", "code"), [(1, "level-too-low"), (2, None)])
def test_a_level_may_forbid_to_turn_the_card(level: int, code: str | None) -> None:
    sitting = Sitting(level=level)
    sitting.executes()
    card = sitting.drawn
    sitting.see(quarter(card), CARD_PATIENCE_S - 0.4)
    assert sitting.refused is None
    sitting.see(quarter(card), 2.0)
    assert (sitting.refused, sitting.match.used) == (code, 0 if code else 1)


def test_a_card_that_is_put_right_is_no_longer_refused() -> None:
    sitting = Sitting(level=1)
    sitting.executes()
    card = sitting.drawn
    sitting.see(quarter(card), 5.0)
    assert sitting.refused
    sitting.see(card, 3.0)
    assert isinstance(sitting.state.verdict, Unchanged)


def test_before_the_call_no_card_is_turned_and_done_plays_nothing_over_it() -> None:
    sitting = Sitting(level=3)
    card = sitting.drawn
    sitting.see(card)
    sitting.say({"call": 9, "by": PLAYERS[0]})
    sitting.see(replace(card, side="back"), 0.6)
    sitting.press(Button.DONE)
    assert (sitting.refused, sitting.awaits) == ("card-turned", "challenge")
    sitting.press(Button.DONE)
    assert not sitting.state.pressed
    assert (sitting.refused, sitting.awaits) == ("card-turned", "challenge")


@pytest.mark.parametrize("card", [None, ObjectiveCard(59, "face", 2)])
def test_no_card_and_one_that_is_not_drawn_mean_nothing(card: ObjectiveCard | None) -> None:
    sitting = Sitting(level=3)
    before = sitting.match
    sitting.see(card, 10.0)
    assert (sitting.match, sitting.refused) == (before, None)
