from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings

from engines.kernel import Level, Seat
from engines.territory import GAME, notation, search
from engines.territory.position import Again, Await, Position, Roll, Stop
from engines.territory.rules import actions, is_last_turn
from tests.engines.drawing import parse_territory as parse
from tests.engines.territory.strategies import choices, positions
from tests.narrow import there

THROWS = [(one, other) for one in range(1, 7) for other in range(1, 7)]


@given(positions().filter(lambda position: position.awaiting in (Await.ROLL, Await.CHOOSE)))
def test_the_chance_to_bust_is_that_of_throwing_all_thirty_six_throws(position: Position) -> None:
    outcomes = [GAME.after(position, Roll(dice)) for dice in THROWS]
    names = [{event.name for event in outcome.events} for outcome in outcomes]
    busts = sum("busted" in found for found in names)
    assert search.bust_chance(position) == pytest.approx(float(Fraction(busts, len(THROWS))))


@pytest.mark.parametrize(
    ("rolled", "ways"),
    [("7.7.7", 6), ("7.6.8", 16), ("2.12.3", 4), ("6.7.8.5.9", 24), ("2.3.4.5.6.7.8.9.10.11.12", 36)],
)
def test_the_chance_to_bust_grows_with_the_numbers_rolled(rolled: str, ways: int) -> None:
    position = _after([int(number) for number in rolled.split(".")])
    assert search.bust_chance(position) == pytest.approx(ways / 36)


def _after(numbers: Sequence[int]) -> Position:
    """Return an empty map after rolls of a first turn, each piece on the first space that takes it."""
    position = notation.read_position("red,yellow,green red 1/8 roll - - 8/8/8/8/8/8/8/8")
    for number in numbers:
        position = GAME.after(position, Roll((number // 2, number - number // 2))).position
        position = GAME.after(position, actions(position)[0]).position
    return position


SMALL = """
 7.  4w  7.
12.  9w  4.
12w  7.  2.
red,yellow,green red 2/8 choose 4.9.12 -
""".strip()


BARE = re.sub(r"(\d)w", r"\1.", SMALL)


def test_stopping_is_worth_the_lead_with_the_white_pieces_kept() -> None:
    assert search.lead(parse(SMALL), parse(SMALL).turn) == 12
    ahead = parse(SMALL.replace(" 2.", " 2y"))
    assert search.lead(ahead, ahead.turn) == 1


def test_rolling_is_worth_the_mean_over_all_throws_of_the_best_placing() -> None:
    """By hand: 4, 9 and 12 bust (8 of 36) and leave 0; 7 joins B3 or A1 (13, 6 of 36); 2 stands alone; others miss."""
    by_hand = Fraction(8 * 0 + 6 * 24 + (36 - 8 - 6) * 12, 36)
    position = parse(SMALL)
    assert search.value_of_rolling(position) == pytest.approx(float(by_hand))


@settings(max_examples=30)
@given(choices())
def test_rolling_once_is_worth_what_a_plain_count_of_throws_and_pieces_gives(position: Position) -> None:
    mover = position.turn
    plain = sum(_best(GAME.after(position, Roll(dice)).position, mover) for dice in THROWS) / len(THROWS)
    assert search.value_of_rolling(position) == pytest.approx(plain)


def _best(position: Position, mover: Seat) -> float:
    if position.turn == mover and position.awaiting is Await.PLACE:
        return max(_best(GAME.after(position, action).position, mover) for action in actions(position))
    return search.lead(position, mover)


@pytest.mark.parametrize(
    ("rolled", "top"), [("4.9.12", None), ("5.6.8", " 7.  4."), ("3.3.3", " 7.  4."), ("4.7.5", " 7w  4w")]
)
@pytest.mark.parametrize("shown", [" 2.", " 2y", " 2r"])
def test_looking_further_never_makes_rolling_worth_less(rolled: str, top: str | None, shown: str) -> None:
    drawing = SMALL if top is None else BARE.replace(" 7.  4.  7.", f"{top}  7.").replace("4.9.12", rolled)
    position = parse(drawing.replace(" 2.", shown))
    values = [search.value_of_rolling(position, rolls) for rolls in (1, 2)]
    assert values == pytest.approx(sorted(values))


@settings(max_examples=30)
@given(choices())
def test_the_numbers_of_a_choice_speak_for_it(position: Position) -> None:
    advice = there(search.advise(position))
    numbers = advice.numbers
    if is_last_turn(position):  # the win counts, not the lead; who loses by stopping has nothing to lose
        rolls = numbers["win_stop"] == 0 or numbers["win_roll"] > numbers["win_stop"] + 1e-9
    else:
        rolls = numbers["roll"] > numbers["stop"]
    assert (advice.action, advice.value) == ((Again(), numbers["roll"]) if rolls else (Stop(), numbers["stop"]))
    assert numbers["bust"] == search.bust_chance(position)


def test_the_last_numbers_of_a_turn_are_not_worth_the_risk() -> None:
    advice = there(search.advise(parse(SMALL.replace(" 7.  4w", " 7w  4w").replace("4.9.12", "4.9.12.5.6.8.7"))))
    assert (advice.action, advice.code) == (Stop(), "not-worth-the-risk")


def test_nothing_at_stake_is_worth_the_risk() -> None:
    advice = there(search.advise(parse(BARE.replace("4.9.12", "5.6.8"))))
    assert (advice.action, advice.code) == (Again(), "worth-the-risk")


@pytest.mark.parametrize("shown", [" 2.", " 2y"])
def test_a_single_space_is_reported_as_such(shown: str) -> None:
    drawing = BARE.replace(" 2.", shown).replace("choose", "place").replace("4.9.12", "2")
    advice = there(search.advise(parse(drawing)))
    assert (advice.code, advice.numbers["choices"]) == ("only-space", 1)


def test_a_certain_win_of_the_last_turn_is_never_put_at_risk() -> None:
    """Red leads with the white pieces; here it would even after a bust, where rolling on is worth the same."""
    for owned, rolled in (("12w", "4.9.12"), ("12r", "4.9.5")):
        last = SMALL.replace(" red 2/8", " green 8/8").replace("12w", owned)
        last = last.replace("4.9.12", rolled)
        position = parse(last.replace("r ", "g ").replace("r\n", "g\n"))
        assert search.share_of_win(position, position.turn) == 1
        advice = there(search.advise(position))
        assert (advice.action, advice.numbers["win_stop"]) == (Stop(), 1)


LEADER = """
 7y  4y  7.
12y  9w  4.
12.  7.  2.
red,yellow,green red 2/8 place 9.12 -
""".strip()


def test_taking_from_the_leader_is_advised() -> None:
    advice = there(search.advise(parse(LEADER)))
    assert (notation.write_action(advice.action), advice.code) == ("capture A2", "best-capture")


@settings(max_examples=20)
@given(positions().filter(lambda position: position.awaiting is Await.PLACE and not is_last_turn(position)))
def test_only_a_strong_adviser_weighs_the_next_roll_when_it_places(position: Position) -> None:
    after = [GAME.after(position, action).position for action in actions(position)]
    placed, ahead = ([search.value_of_position(one, position.turn, rolls) for one in after] for rolls in (0, 1))
    for level, values in ((Level.EASY, placed), (Level.MEDIUM, placed), (Level.STRONG, ahead)):
        assert there(search.advise(position, level=level)).value == pytest.approx(max(values))
