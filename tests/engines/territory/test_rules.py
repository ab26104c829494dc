from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.rulebook import rules_text
from engines.kernel import Json, Outcome, Refusal, Seat
from engines.territory import GAME, notation, rules
from engines.territory.cards import DECK, Card
from engines.territory.position import Action, Await, Place, Position, Roll
from tests.engines.territory import reference
from tests.engines.territory.strategies import any_actions, option_sets, positions, random_action, seats, turns

Turn = tuple[Position, Action]


def _played(turn: Turn) -> Outcome[Position]:
    result = rules.play(*turn)
    assert isinstance(result, Outcome)
    return result


def _plain(position: Position) -> dict[str, Any]:
    return dict(GAME.position_to_json(position))


@settings(max_examples=60)
@given(seats(), option_sets(), st.integers(0, 9999))
def test_a_whole_game_goes_as_the_plain_rules_have_it(players: list[Seat], options: dict[str, Json], seed: int) -> None:
    position, random = GAME.new(players, options, seed), Random(seed)
    plain = _plain(position)
    while not position.over:
        assert [GAME.action_to_json(action) for action in GAME.actions(position)] == reference.options(plain)
        action = random_action(position, random)
        position = _played((position, action)).position
        after = reference.play(plain, dict(GAME.action_to_json(action)))
        assert after == _plain(position)
        plain = after
    assert reference.score(plain) == GAME.score(position)


@given(st.data())
def test_the_plain_rules_forbid_the_same_actions(data: st.DataObject) -> None:
    position = data.draw(positions())
    action = data.draw(any_actions(position))
    result = rules.play(position, action)
    plain = reference.play(_plain(position), dict(GAME.action_to_json(action)))
    assert plain == (None if isinstance(result, Refusal) else _plain(result.position))


@given(positions())
def test_an_action_is_listed_if_and_only_if_it_is_legal(position: Position) -> None:
    listed = rules.actions(position)
    assert len(listed) == len(set(listed))
    assert bool(listed) == (position.awaiting in (Await.PLACE, Await.CHOOSE))
    assert all(isinstance(rules.play(position, action), Outcome) for action in listed)
    placings = {action for action in listed if isinstance(action, Place)}
    for name in position.board.names:
        assert isinstance(rules.play(position, Place(name)), Outcome) == (Place(name) in placings)


@given(turns())
def test_playing_leaves_the_position_as_it_was(turn: Turn) -> None:
    written = notation.write_position(turn[0])
    rules.play(*turn)
    assert notation.write_position(turn[0]) == written


@given(turns())
def test_no_space_has_two_pieces_and_none_changes_but_by_the_mover(turn: Turn) -> None:
    before, after = turn[0], _played(turn).position
    owned = sum(spaces.bit_count() for spaces in after.owners)
    assert owned == after.held.bit_count()
    assert after.white & after.held == 0
    had = dict(zip(before.players, before.owners, strict=True))
    has = dict(zip(after.players, after.owners, strict=True))
    for seat in before.players:
        assert seat == before.turn or has[seat] & ~had[seat] == 0
        assert had[seat] & ~has[seat] & ~has[before.turn] == 0


@given(turns())
def test_the_events_report_every_piece_that_moves(turn: Turn) -> None:
    before, outcome = turn[0], _played(turn)
    found = [event.to_json() for event in outcome.events]
    assert found
    owner = dict(_plain(before)["owners"])
    white = set(_plain(before)["white"])
    for event in found:
        white, owner = _as_told(event, white, owner)
    assert (sorted(white), owner) == (sorted(_plain(outcome.position)["white"]), _plain(outcome.position)["owners"])


def _as_told(event: Any, white: set[str], owner: dict[str, str]) -> tuple[set[str], dict[str, str]]:
    match event["event"]:
        case "placed":
            return white | {event["cell"]}, owner
        case "captured":
            assert owner[event["cell"]] == event["from"]
            return white, {**owner, event["cell"]: event["player"]}
        case "busted":
            return white - set(event["cells"]), owner
        case "kept":
            return white - set(event["cells"]), {**owner, **dict.fromkeys(event["cells"], event["player"])}
    return white, owner


@given(turns())
def test_the_last_event_reports_whose_turn_it_is_when_that_has_changed(turn: Turn) -> None:
    before, outcome = turn[0], _played(turn)
    last = outcome.events[-1].to_json()
    if outcome.position.over:
        assert last["event"] == "game-over"
    elif outcome.position.turn != before.turn and before.roll_off is None:
        assert last == {"event": "turn", "player": outcome.position.turn}


@given(turns())
def test_events_never_name_a_hidden_card(turn: Turn) -> None:
    outcome = _played(turn)
    drawn = outcome.position.card
    named = {event.facts["card"] for event in outcome.events if "card" in event.facts}
    assert named <= {drawn}


@given(turns(), st.permutations(range(6)))
def test_other_colours_change_nothing(turn: Turn, order: list[int]) -> None:
    position, action = turn
    assert _played((_recoloured(position, order), action)).position == _recoloured(_played(turn).position, order)


def _recoloured(position: Position, order: list[int]) -> Position:
    colours = position.setting.colours
    other = {seat: colours[order[place]] for place, seat in enumerate(colours)}
    roll_off = position.roll_off
    if roll_off is not None:
        roll_off = replace(roll_off, contenders=tuple(other[seat] for seat in roll_off.contenders))
    players = tuple(other[seat] for seat in position.players)
    return replace(position, players=players, turn=other[position.turn], roll_off=roll_off)


@given(turns())
def test_the_map_seen_in_a_mirror_changes_nothing(turn: Turn) -> None:
    position, action = turn
    there = _played((_mirrored(position), _mirrored_action(position, action))).position
    assert there == _mirrored(_played(turn).position)
    assert GAME.score(there) == GAME.score(_mirrored(there))


def _mirrored_cells(spaces: int, position: Position) -> int:
    columns = position.board.columns
    names = position.board.names_in(spaces)
    return sum(1 << position.board.cell_index(_mirrored_name(name, columns)) for name in names)


def _mirrored_name(name: str, columns: int) -> str:
    return chr(2 * ord("A") + columns - 1 - ord(name[0])) + name[1:]


def _mirrored(position: Position) -> Position:
    board = position.board
    numbers = tuple(number for row in board.rows() for number in reversed(row))
    return replace(
        position,
        setting=replace(position.setting, board=replace(board, numbers=numbers)),
        owners=tuple(_mirrored_cells(spaces, position) for spaces in position.owners),
        white=_mirrored_cells(position.white, position),
    )


def _mirrored_action(position: Position, action: Action) -> Action:
    data = GAME.action_to_json(action)
    columns = position.board.columns
    turned = {key: _mirrored_name(value, columns) if isinstance(value, str) else value for key, value in data.items()}
    return GAME.action_from_json(turned)


@given(positions(), st.integers(2, 12))
def test_a_mirroring_card_reads_fourteen_less_the_sum(position: Position, total: int) -> None:
    fresh = replace(position, awaiting=Await.ROLL, rolled=(), left=0, extra=False, white=0, roll_off=None)
    dice = (total // 2, total - total // 2)
    plain = replace(fresh, card="calm", setting=replace(fresh.setting, own_cards=()))
    mirrored = replace(plain, card="mirror")
    other = (7 - dice[0], 7 - dice[1])
    assert replace(_played((mirrored, Roll(dice))).position, card="calm") == _played((plain, Roll(other))).position


@pytest.mark.parametrize("card", DECK, ids=lambda card: card.id)
def test_a_card_of_the_deck_that_ships_stays_in_force_for_one_round(card: Card) -> None:
    deck: list[Json] = ["calm", card.id, "calm"]
    position = GAME.new([Seat("red"), Seat("green"), Seat("blue")], {"deck": deck, "shuffle": False}, 0)
    random, seen = Random(3), dict[int, set[str | None]]()
    while not position.over:
        seen.setdefault(position.round, set()).add(position.card)
        position = _played((position, random_action(position, random))).position
    assert list(seen.values()) == [{None}, {deck[1]}, {"calm"}, *[{None}] * 5]


def test_every_refusal_of_the_code_stands_in_the_rules_with_its_paragraph() -> None:
    folder, text = Path(rules.__file__).parent, rules_text("territory")
    rows = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (\d\.\d) \|", text, re.MULTILINE)
    source = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    given = dict(re.findall(r'Refusal\(\s*"([a-z-]+)", "(\d\.\d)"', source))
    assert given == {code: paragraph for codes, paragraph in rows for code in re.findall("[a-z-]+", codes)}
    assert all(f"\n{paragraph} " in text for paragraph in given.values())
