"""Honest players play by the rules; mischief never looks like a legal move."""

from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.adaptor import Adaptor
from companion.simulator.mischief import ALLOWED, Chance, Mischief, try_mischief
from companion.simulator.players import Deed, HonestPlayer, hand_path, legal
from engines.kernel import Cell, JsonObject, Outcome, Seat

GAME: Adaptor = GAMES["royal-tee"]
POSITION: JsonObject = {
    "game": "royal-tee",
    "players": ["red", "green"],
    "turn": "red",
    "slider": 3,
    "royals": {"red": "F6", "green": "G6"},
    "claimed": {"red": ["F6", "F7", "F8", "D12", "D11", "D10", "E10", "F9", "F10"], "green": ["G6", "G5", "H5"]},
    "over": False,
}


def near_one_another() -> Any:
    return GAME.engine.position_from_json(POSITION)


def chance_in(position: Any, seed: int) -> Chance:
    player = HonestPlayer(GAME, Random(seed))
    red = player.deed(position, Seat("red"))
    green = player.deed(GAME.engine.position_from_json({**POSITION, "turn": "green"}), Seat("green"))
    assert red is not None
    return Chance(GAME.board(), GAME.placement(position), red, green, Random(seed))


def legal_tables(position: Any) -> list[object]:
    outcomes = [GAME.engine.play(position, action) for action in GAME.engine.actions(position)]
    return [GAME.placement(o.position) for o in outcomes if isinstance(o, Outcome)]


@pytest.mark.parametrize("seed", range(4))
def test_honest_players_bring_a_whole_game_to_its_end(seed: int) -> None:
    player = HonestPlayer(GAME, Random(seed))
    position = GAME.engine.new([Seat("red"), Seat("green")], {}, seed)
    for _ in range(200):
        if GAME.engine.over(position):
            break
        deed = player.deed(position, Seat(str(GAME.engine.to_act(position))))
        assert deed is not None
        position = legal(GAME, position, GAME.engine.action_from_json(deed.action))
        assert GAME.placement(position) == deed.after
    assert sum(GAME.engine.score(position).values()) == len(GAME.board().cells)


def test_the_same_seed_gives_the_same_deeds() -> None:
    assert chance_in(near_one_another(), 5).honest == chance_in(near_one_another(), 5).honest


@pytest.mark.parametrize("mischief", sorted(set(Mischief) - ALLOWED))
def test_a_forbidden_deed_leaves_a_table_that_no_legal_action_leaves(mischief: Mischief) -> None:
    position = near_one_another()
    tables = legal_tables(position)
    deeds = [try_mischief(mischief, chance_in(position, seed)) for seed in range(12)]
    made = [deed for deed in deeds if deed is not None]
    assert made, "there is an opportunity"
    assert all(deed.action is None for deed in made)
    assert any(deed.after not in tables for deed in made)


@pytest.mark.parametrize("mischief", sorted(ALLOWED - {Mischief.FORGETS_BONUS}))
def test_an_allowed_deed_is_a_legal_action(mischief: Mischief) -> None:
    deed = try_mischief(mischief, chance_in(near_one_another(), 1))
    assert deed is not None
    assert deed.action is not None


def test_whoever_forgets_the_bonus_tees_has_walked_and_nothing_else() -> None:
    chance = chance_in(near_one_another(), 1)
    bonus = Cell("A1")
    honest = Deed(
        chance.seat, {**chance.walk(chance.honest.path).after, bonus: "red"}, chance.honest.path, {"walk": []}
    )
    deed = try_mischief(Mischief.FORGETS_BONUS, Chance(chance.board, chance.before, honest, None, Random(1)))
    assert deed is not None
    assert deed.after[bonus] == "empty"
    assert deed.action == honest.action


@pytest.mark.parametrize(
    ("before", "after", "action", "path"),
    [
        ({"A1": "red-royal", "A2": "empty"}, {"A1": "red", "A2": "red-royal"}, {"walk": ["A2"]}, ("A1", "A2")),
        (
            {"A1": "red-royal", "A2": "empty"},
            {"A1": "red-royal", "A2": "red"},
            {"walk": ["A2", "A1"]},
            ("A1", "A2", "A1"),
        ),
        ({"A1": "empty"}, {"A1": "red"}, {"place": "A1"}, ("A1",)),
        ({"A1": "empty"}, {"A1": "empty"}, {"pass": True}, ()),
    ],
    ids=["walk", "there-and-back", "placed", "pass"],
)
def test_the_hand_goes_where_the_action_says(
    before: dict[Cell, str], after: dict[Cell, str], action: dict[str, Any], path: tuple[str, ...]
) -> None:
    assert hand_path(before, after, action) == path
