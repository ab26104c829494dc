from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Outcome, Seat
from engines.royal_study import GAME, rules
from engines.royal_study.placement import Way, turned
from engines.royal_study.position import Action, Await, Call, Match, Puzzle, Say, Turning
from engines.royal_study.rules import take
from tests.engines.royal_study.strategies import any_action, legal_actions, matches, puzzles
from tests.narrow import narrowed


@given(matches(), any_action)
def test_an_action_is_refused_if_and_only_if_it_is_not_listed(match: Match, action: Action) -> None:
    if GAME.to_act(match) == "dice":
        return
    assert isinstance(rules.play(match, action), Outcome) == (action in rules.actions(match))


@given(puzzles(), any_action)
def test_a_step_of_a_puzzle_is_refused_if_and_only_if_it_is_not_listed(puzzle: Puzzle, action: Action) -> None:
    assert isinstance(rules.play(puzzle, action), Outcome) == (action in rules.actions(puzzle))


@given(puzzles(), st.sampled_from(Way), st.integers(0, 1))
def test_turning_a_card_moves_no_piece_and_no_other_card(puzzle: Puzzle, way: Way, target: int) -> None:
    taken = take(puzzle, Turning(way, target))
    if isinstance(taken, Outcome):
        after = taken.position
        assert after.pieces == puzzle.pieces
        assert after.targets[target].picture == turned(puzzle.targets[target].picture, way)
        assert after.targets[1 - target :: 2] == puzzle.targets[1 - target :: 2]


@given(matches(), st.data())
def test_a_round_gives_one_point_to_one_player_and_the_pieces_stay(match: Match, data: st.DataObject) -> None:
    if match.over or match.terms.together:
        return
    outcome = GAME.after(match, data.draw(legal_actions(match)))
    after = narrowed(outcome.position, Match)
    gained = sum(after.points) - sum(match.points)
    ended = [event for event in outcome.events if event.name in ("solved", "failed")]
    assert gained == len(ended) <= 1
    moves = [event for event in outcome.events if event.name == "moved"]
    if not moves and match.awaits is not Await.START:
        assert after.puzzle.pieces == match.puzzle.pieces


NO_SET_UPS = [
    ([], {}, "royal-study has 2 players against each other, not 0"),
    (["a", "b", "c"], {}, "royal-study has 2 players against each other, not 3"),
    ([*"abcdefghi"], {"together": True}, "royal-study has 1 to 8 players who play together, not 9"),
    (["a"], {"together": False}, "royal-study has 2 players against each other, not 1"),
    (["a", "a"], {}, "each player can sit down only once: a, a"),
    (["a", "b c"], {}, "a player must be one word of letters, digits, - and _"),
    (["a", "dice"], {}, "a player must be one word"),
    (["a", "b"], {"size": 4}, '"options" has no "size"; there are: bonus, points, hourglass, execution,'),
    (["a", "b"], {"level": 4}, '"level" of "options" must be a whole number from 1 to 3, not 4'),
    (["a", "b"], {"hourglass": 0}, '"hourglass" of "options" must be a whole number from 1 to 3600, not 0'),
    (["a", "b"], {"execution": 0}, '"execution" of "options" must be a whole number from 1 to 3600 or null, not 0'),
    (["a", "b"], {"points": 0}, '"points" of "options" must be a whole number from 1 to 50, not 0'),
    (["a", "b"], {"cards": ["KQB/N../R.."]}, '"cards" must be at least 2 cards, not 1'),
    (["a", "b"], {"cards": ["K../.../...", "..K/.../..."]}, '"cards" must have one with all five pieces'),
    (["a", "b"], {"cards": ["KQB/N../R..", "KBQ/N../R.."]}, '"cards" has the bishop on edge squares and on others'),
    (["a", "b"], {"cards": ["KQB/N../R..", "KQB"]}, "card 1 must be three rows"),
    (["a", "b"], {"cards": ["K../.../..."], "start": "KQB/N../..."}, '"start" must have all five pieces'),
    (["a", "b"], {"start": "KBQ/N../R.."}, '"start" with the cards has the bishop on edge squares'),
]


@given(st.integers(0, 1000))
def test_the_seed_decides_the_decks_order_and_the_first_cards_are_drawn_from_it(seed: int) -> None:
    match = narrowed(GAME.new([Seat("white"), Seat("black")], {}, seed), Match)
    assert match == GAME.new([Seat("white"), Seat("black")], {}, seed)
    drawn = [target.card.number for target in match.puzzle.targets if target.card]
    assert len({*drawn, *match.deck}) == 59
    assert match.puzzle.pieces in match.terms.pictures


def test_a_first_card_that_leaves_pieces_out_is_passed_over() -> None:
    cards = ["K../.../...", "KQB/N../R.."]
    for seed in range(5):
        match = narrowed(GAME.new([Seat("white"), Seat("black")], {"cards": cards}, seed), Match)
        assert (match.puzzle.pieces, match.puzzle.targets[0].picture) == ("KQBN..R..", "K........")


def test_the_hourglass_is_reported_when_a_number_is_named_and_the_time_limit_when_the_execution_begins() -> None:
    match = GAME.new([Seat("white"), Seat("black")], {"hourglass": 30, "execution": 45}, 0)
    called = GAME.after(match, Call(5, Seat("black")))
    assert called.events[0].to_json() == {"event": "called", "player": "black", "number": 5, "seconds": 30}
    declined = GAME.after(called.position, Say.DECLINE)
    assert declined.events[1].to_json() == {"event": "execution", "player": "black", "limit": 5, "seconds": 45}
