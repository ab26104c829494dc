"""One contract for every engine: a line in `tables.TABLES` puts another game under the same tests, none exempted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.discovery import packages
from companion.games.engines import ENGINES, game_of
from companion.games.record import read_record, replay
from companion.games.requests import answer
from engines.kernel import BadRequestError, Json, JsonObject, Outcome, Refusal, Seat
from tests.contracts.tables import NEW_NAMES, OURS, TABLES, Table, played

GOLDEN = Path(__file__).parents[1] / "golden"

every_table = pytest.mark.parametrize("name", TABLES)


def _through_text(value: JsonObject) -> Any:
    return json.loads(json.dumps(value))


def test_every_engine_sits_at_a_table() -> None:
    assert {table.game for table in TABLES.values()} == set(ENGINES)
    assert {game for game, package in packages().items() if package.startswith("companion.")} == {
        table.game for table in OURS.values()
    }
    assert {game: engine.game.name for game, engine in ENGINES.items()} == {game: game for game in ENGINES}


@every_table
def test_a_random_game_ends_within_the_bound_that_the_rules_tell(name: str) -> None:
    game, table = played(name), TABLES[name]
    assert table.engine.game.over(game.positions[-1])
    assert len(game.turns) <= table.most_actions
    assert not table.bounded_by or re.search(rf"^{re.escape(table.bounded_by)} ", table.rules(), re.MULTILINE)


@every_table
def test_the_same_set_up_and_actions_give_the_same_game(name: str) -> None:
    """Every action goes through JSON on its way."""
    game, table = played(name), TABLES[name]
    rules, position = table.engine.game, table.start()
    for turn in game.turns:
        assert position == turn.before
        action = rules.action_from_json(_through_text(rules.action_to_json(turn.action)))
        outcome = rules.play(position, action)
        assert outcome == turn.outcome
        position = turn.outcome.position


@every_table
def test_positions_actions_and_events_survive_json_and_notation_and_name_their_game(name: str) -> None:
    game, table = played(name), TABLES[name]
    rules, notation = table.engine.game, table.engine.notation
    for position in game.sample(150):
        written = rules.position_to_json(position)
        assert _through_text(written) == written
        assert rules.position_from_json(written) == position
        assert (written["game"], written["over"], game_of(written)) == (table.game, rules.over(position), table.game)
        text = notation.write_position(position)
        assert notation.read_position(text) == position
        assert "\n" not in text
    for turn in game.turns:
        assert rules.action_from_json(_through_text(rules.action_to_json(turn.action))) == turn.action
        text = notation.write_action(turn.action)
        assert notation.read_action(text) == turn.action
        assert "\n" not in text
    for event in game.events:
        assert _through_text(event.to_json()) == {"event": event.name, **event.facts}


@every_table
def test_somebody_acts_until_the_end_when_seats_have_won_and_every_player_has_a_score(name: str) -> None:
    game, table = played(name), TABLES[name]
    rules = table.engine.game
    for position in game.positions:
        to_act = rules.to_act(position)
        assert (to_act is None) == rules.over(position)
        assert to_act in {*table.players, "dice", None}
        assert set(rules.score(position)) == set(table.players)
    for position in game.sample(30):
        assert set(rules.winners(position)) <= set(table.seats)
        assert rules.over(position) or not rules.winners(position)
    assert any("roll" in rules.action_to_json(turn.action) for turn in game.turns) == rules.has_dice


@every_table
def test_there_are_actions_exactly_while_a_player_is_to_act_and_each_of_them_can_be_played(name: str) -> None:
    """As `actions` lists them, in JSON; of very many a sample is played."""
    rules = TABLES[name].engine.game
    for position in played(name).sample(6):
        decides = rules.to_act(position) not in {"dice", None}
        listed = rules.actions(position)
        assert bool(listed) == decides
        found = rules.actions_to_json(position)
        for action in Random(1).sample(found, min(len(found), 12)):
            assert rules.is_legal(position, rules.action_from_json(_through_text(action))), action
        assert len(found) <= len(listed)


@every_table
def test_playing_and_asking_changes_nothing_that_is_there(name: str) -> None:
    game, engine = played(name), TABLES[name].engine
    for turn in Random(1).sample(game.turns, min(len(game.turns), 60)):
        before = engine.game.position_to_json(turn.before)
        frozen = json.dumps(before)
        engine.game.play(turn.before, turn.action)
        engine.game.score(turn.before)
        assert json.dumps(engine.game.position_to_json(turn.before)) == frozen
        read = engine.game.position_from_json(before)
        engine.game.play(read, turn.action)
        assert json.dumps(before) == frozen


@every_table
def test_an_action_that_is_not_listed_is_refused_with_code_paragraph_and_cells(name: str) -> None:
    """Actions of other moments of the game, pressed where they do not belong."""
    game, table = played(name), TABLES[name]
    rules, random = table.engine.game, Random(2)
    paragraphs = set(re.findall(r"^(\d+\.\d+) ", table.rules(), re.MULTILINE))
    cells = table.cells()
    codes = set()
    for position in game.sample(60):
        for turn in random.sample(game.turns, min(len(game.turns), 12)):
            refusal = rules.play(position, turn.action)
            if isinstance(refusal, Refusal):
                codes.add(refusal.code)
                assert re.fullmatch(r"[a-z]+(-[a-z]+)*", refusal.code)
                assert refusal.rule in paragraphs
                assert set(refusal.cells) <= cells
                assert re.search(rf"`{refusal.code}`.*\b{re.escape(refusal.rule)}\b", table.rules())
    assert "game-over" in codes
    assert len(codes) >= 2


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(held, names) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(held, names) for held in value]
    return names.get(value, value) if isinstance(value, str) else value


@every_table
def test_the_players_names_change_nothing_else(name: str) -> None:
    game, table = played(name), TABLES[name]
    rules, names = table.engine.game, dict(zip(table.players, NEW_NAMES, strict=False))
    options = table.options if table.renamed is None else table.renamed
    position = rules.new([Seat(names[seat]) for seat in table.players], options, 1)
    for turn in game.turns:
        action = rules.action_from_json(_renamed(rules.action_to_json(turn.action), names))
        outcome = rules.after(position, action)
        assert [event.to_json() for event in outcome.events] == [
            _renamed(event.to_json(), names) for event in turn.outcome.events
        ]
        position = outcome.position
        expected = turn.outcome.position
        assert dict(rules.score(position)) == _renamed(dict(rules.score(expected)), names)
        assert rules.to_act(position) == _renamed(rules.to_act(expected), names)


@every_table
def test_what_an_engine_writes_is_read_in_strict_requests(name: str) -> None:
    game = played(name).table.engine.game
    for position in played(name).sample(3):
        written = game.position_to_json(position)
        for do in ("score", "actions", "advise", "public"):
            if do != "advise" or game.name != "royal-tee":
                assert "error" not in answer({"do": do, "position": written, "strict": True})
        with_another = answer({"do": "score", "position": {**written, "colour": 1}, "strict": True})
        assert 'the position has no "colour"' in str(with_another["error"])


@every_table
def test_unknown_keys_of_options_and_actions_are_ignored_or_refused_in_strict_requests(name: str) -> None:
    table, game = played(name).table, played(name).table.engine.game
    new: JsonObject = {"do": "new", "game": game.name, "players": [*table.players], "options": table.options}
    with_another: JsonObject = {**new, "options": {**table.options, "colour": 1}}
    assert answer(with_another) == answer({**new, "strict": True})
    assert '"options" has no "colour"' in str(answer({**with_another, "strict": True})["error"])
    for turn in played(name).turns[:40]:
        action = game.action_to_json(turn.action)
        asked: JsonObject = {"do": "play", "position": game.position_to_json(turn.before)}
        assert "error" not in answer({**asked, "action": action, "strict": True})
        with_another = {**asked, "action": {**action, "colour": 1}}
        assert answer(with_another) == answer({**asked, "action": action})
        assert ' has no "colour"; there are: ' in str(answer({**with_another, "strict": True})["error"])


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table.engine.public])
def test_what_is_shown_and_advised_does_not_depend_on_what_is_hidden(name: str) -> None:
    game, table, random = played(name), TABLES[name], Random(3)
    rules, public = table.engine.game, table.engine.public
    assert public is not None
    differing = 0
    for position in game.sample(40):
        one, other = (
            rules.position_from_json(table.rearrange(_through_text(rules.position_to_json(position)), random))
            for _ in range(2)
        )
        differing += other != one
        for viewer in (None, *table.seats):
            assert _through_text(public(one, viewer)) == _through_text(public(other, viewer))
        assert table.engine.advise(one) == table.engine.advise(other)
        assert str(one) == str(other)
    assert differing or not table.hides


@every_table
def test_a_position_prints_as_a_few_short_lines_of_names_and_pieces(name: str) -> None:
    drawn = [str(position) for position in played(name).sample(10)]
    assert len(set(drawn)) > 1
    for text in drawn:
        assert 3 <= len(text.splitlines()) <= 13
        assert max(map(len, text.splitlines())) <= 100
        assert not re.search(r"[<(]\w+[.=]|None", text)


@every_table
def test_advice_is_a_legal_action_with_a_reason_in_numbers(name: str) -> None:
    engine, codes = TABLES[name].engine, set()
    for position in played(name).sample(5):
        advice = engine.advise(position)
        assert (advice is None) == (engine.game.to_act(position) in {"dice", None})
        if advice:
            assert isinstance(engine.game.play(position, advice.action), Outcome)
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", advice.code)
            assert all(isinstance(number, int | float) for number in (advice.value, *advice.numbers.values()))
            codes.add(advice.code)
    assert codes


# ---- whatever comes in

_json = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def _paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the ways to every place inside a value."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [here, *(path for key in keys for path in _paths(value[key], (*here, key)))]


def _with(value: Any, path: tuple[Any, ...], new: Json) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _with(value[path[0]], path[1:], new)
    return copy


def _is_told_in_one_sentence(read: Any, given: Any) -> Any:
    """Read what may be nonsense; only one exception may come of it, and it is fit to be shown: None is returned."""
    try:
        return read(given)
    except BadRequestError as error:
        assert str(error)
        assert "\n" not in str(error)
        return None


@every_table
@given(data=st.data())
def test_a_position_with_anything_in_it_is_read_or_reported_in_one_sentence(name: str, data: st.DataObject) -> None:
    rules = TABLES[name].engine.game
    written = _through_text(rules.position_to_json(data.draw(st.sampled_from(played(name).sample(20)))))
    path = data.draw(st.sampled_from(_paths(written)))
    position = _is_told_in_one_sentence(rules.position_from_json, _with(written, path, data.draw(_json)))
    assert position is None or rules.position_from_json(rules.position_to_json(position)) == position


@every_table
@given(data=st.data())
def test_an_action_with_anything_in_it_is_read_or_reported_in_one_sentence(name: str, data: st.DataObject) -> None:
    rules = TABLES[name].engine.game
    written = _through_text(rules.action_to_json(data.draw(st.sampled_from(played(name).turns[:200])).action))
    path = data.draw(st.sampled_from(_paths(written)))
    _is_told_in_one_sentence(rules.action_from_json, _with(written, path, data.draw(_json)))


@every_table
@given(data=st.data())
def test_a_text_that_is_no_notation_is_reported_in_one_sentence(name: str, data: st.DataObject) -> None:
    game, notation = played(name), TABLES[name].engine.notation
    written = notation.write_position(data.draw(st.sampled_from(game.sample(20))))
    start, length = data.draw(st.integers(0, len(written))), data.draw(st.integers(0, 5))
    noise = data.draw(st.text(max_size=4) | st.sampled_from([" ", "/", "9", "a", ",", "=", "-", "A1"]))
    _is_told_in_one_sentence(notation.read_position, written[:start] + noise + written[start + length :])
    _is_told_in_one_sentence(notation.read_action, noise)
    action = notation.write_action(data.draw(st.sampled_from(game.turns[:200])).action)
    _is_told_in_one_sentence(notation.read_action, action[: start % (len(action) + 1)] + noise)


@every_table
@given(options=st.dictionaries(st.sampled_from(["table", "seats", "flags", "level", "deck", "paths", "x"]), _json))
def test_options_of_any_kind_are_taken_or_reported_in_one_sentence(name: str, options: dict[str, Json]) -> None:
    table: Table = TABLES[name]
    expected = answer({"do": "new", "game": table.game, "players": list(table.players), "options": options})
    assert "position" in expected or expected["code"] == "bad-request"


# ---- whole games as text

RECORDS = sorted(GOLDEN.glob("*/games/*.txt"))

_WON = [
    line.split(" | ") if " | " in line else line.split(": ")
    for line in (GOLDEN / "winners.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
WON_GAMES = {line[0]: line[1] for line in _WON if len(line) == 2}
WON_POSITIONS = [line for line in _WON if len(line) == 3]


def _winners(written: str) -> list[str]:
    return [] if written == "-" else written.split()


def test_at_least_forty_whole_games_are_kept_as_text_eight_of_each() -> None:
    """That they hold is the business of the tests of records."""
    assert len(RECORDS) >= 44
    ours = {table.game for table in OURS.values()}
    assert {path.parents[1].name for path in RECORDS} == ours
    assert all(sum(path.parents[1].name == game for path in RECORDS) >= 8 for game in ours)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parents[1].name}/{path.stem}")
def test_a_whole_game_has_the_winners_that_the_golden_list_and_its_last_event_name(path: Path) -> None:
    record = read_record(path.read_text("utf-8"))
    game, plies = record.engine.game, list(replay(record))
    outcomes = [ply.outcome for ply in plies if isinstance(ply.outcome, Outcome)]
    assert not any(game.winners(outcome.position) for outcome in outcomes[:-1])
    expected = _winners(WON_GAMES[str(path.relative_to(GOLDEN).with_suffix(""))])
    assert list(game.winners(outcomes[-1].position)) == expected
    ended = [event.facts for event in outcomes[-1].events if event.name == "game-over"]
    assert [facts.get("winners", [facts.get("winner")]) for facts in ended] == [expected]


@pytest.mark.parametrize(("game", "position", "winners"), WON_POSITIONS)
def test_a_position_has_the_winners_that_the_golden_list_names(game: str, position: str, winners: str) -> None:
    engine = ENGINES[game]
    assert list(engine.game.winners(engine.notation.read_position(position))) == _winners(winners)
