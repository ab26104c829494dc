"""Every event, refusal and proposal of every game is a sentence for the players, without a code or key in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from companion.games.engines import ENGINES
from companion.games.speech import SPEECHES, story
from engines.kernel import Advice, Cell, Event, Outcome, Refusal, Seat
from tests.companion.games.speeches import (
    advice_of,
    advised_in_source,
    events_of,
    named_in_source,
    refusals_of,
    tables_of,
)
from tests.contracts.tables import played

NO_NAMES: Mapping[Seat, str] = {}

UNPLAYED = {
    "royal-tee": {"passed": Event("passed", {"player": "red"})},
    "royal-racers": {"nothing-to-flip": Event("nothing-to-flip", {"player": "suns", "rank": 1})},
}
"""Events too rare for random games."""


def events(game: str) -> dict[str, Event]:
    return {**UNPLAYED.get(game, {}), **events_of(game)}


def assert_is_a_sentence(text: str) -> None:
    assert re.match(r"[A-Z0-9]", text) or text.startswith(("ann", "bob", "cem")), text
    assert text.endswith((".", "!", "?", ")")), text
    assert not re.search(r"[{}_]|None|\b[a-z]+-(?!fives)[a-z]+\b(?<!about-turn)", text), text


@pytest.mark.parametrize("game", ENGINES)
def test_every_event_is_a_sentence(game: str) -> None:
    known = events(game)
    assert named_in_source(game, "Event") <= known.keys()
    assert len({SPEECHES[game].event(event.to_json(), NO_NAMES) for event in known.values()}) == len(known)
    for event in known.values():
        assert_is_a_sentence(SPEECHES[game].event(event.to_json(), NO_NAMES))


@pytest.mark.parametrize("game", ENGINES)
def test_every_refusal_is_a_sentence(game: str) -> None:
    tried = refusals_of(game)
    for position, action, refusal in tried.values():
        assert_is_a_sentence(SPEECHES[game].refusal(position, action, refusal, NO_NAMES))
    position, action, _refusal = next(iter(tried.values()))
    for code in named_in_source(game, "Refusal") - tried.keys():
        refusal = Refusal(code, "1.1", (Cell("A1"), Cell("A2")))
        assert_is_a_sentence(SPEECHES[game].refusal(position, action, refusal, NO_NAMES))


@pytest.mark.parametrize("game", ENGINES)
def test_most_refusals_come_up_at_random(game: str) -> None:
    assert len(refusals_of(game)) >= len(named_in_source(game, "Refusal")) * 0.6


@pytest.mark.parametrize("game", ENGINES)
def test_every_proposal_is_a_sentence(game: str) -> None:
    found = advice_of(game)
    for position, advice in found.values():
        assert_is_a_sentence(SPEECHES[game].hint(position, advice, NO_NAMES))
    position, sample = next(iter(found.values()))
    numbers = {name: 1.0 for _position, advice in found.values() for name in advice.numbers} | {"gain": 1.0}
    for code in advised_in_source(game) - found.keys():
        advice = Advice(sample.action, code, numbers, 0.0)
        assert_is_a_sentence(SPEECHES[game].hint(position, advice, NO_NAMES))


def test_the_codes_of_all_advisers_are_found_in_their_source() -> None:
    assert {game: len(advised_in_source(game)) for game in ENGINES} == {
        "royal-tee": 5,
        "territory": 5,
        "royal-study": 6,
        "royal-racers": 9,
        "royal-ur": 9,
    }


@pytest.mark.parametrize("game", ENGINES)
def test_whole_games_are_stories(game: str) -> None:
    rules = ENGINES[game].game
    for name in tables_of(game):
        for turn in played(name).turns[:200]:
            assert isinstance(turn.outcome, Outcome)
            assert_is_a_sentence(story(game, rules.to_act(turn.before), turn.action, turn.outcome.events))


@pytest.mark.parametrize("game", ENGINES)
def test_people_are_called_by_their_names(game: str) -> None:
    turn = next(turn for name in tables_of(game) for turn in played(name).turns if _names_a_player(turn.outcome.events))
    event = next(event for event in turn.outcome.events if "player" in event.facts)
    names = {Seat(str(event.facts["player"])): "Zoë"}
    assert "Zoë" in SPEECHES[game].event(event.to_json(), names)


def _names_a_player(events: tuple[Event, ...]) -> bool:
    return any("player" in event.facts and event.name != "round" for event in events)


def test_a_counter_that_leaves_the_board_is_proposed_to_go_home() -> None:
    game, waiting = ENGINES["royal-ur"].game, [-1] * 6
    position = game.position_from_json(
        {
            **game.position_to_json(game.new([Seat("white"), Seat("black")], {"throw_off": False}, 0)),
            "await": "move",
            "dots": 2,
            "counters": {"white": [14, *waiting], "black": [3, *waiting]},
        }
    )
    advice = Advice(game.action_from_json({"move": 14}), "comes-home", {"win": 0.5}, 0.0)
    assert SPEECHES["royal-ur"].hint(position, advice, NO_NAMES).startswith("Move from G3 home: ")
