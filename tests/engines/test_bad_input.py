"""Input that is no position, action, set-up or line of a game: one sentence says what, where and what was expected.

The cases stand with the other tests of each game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import pytest

from companion.games.engines import ENGINES
from engines.kernel import BadRequestError, Json, Seat

GAMES = ("royal-racers", "royal-study", "royal-tee", "royal-ur", "territory")


def _cases(name: str, module: str = "test_json", games: Sequence[str] = GAMES) -> list[tuple[Any, ...]]:
    modules = {game: import_module(f"tests.engines.{game.replace('-', '_')}.{module}") for game in games}
    return [(game, *case) for game, of_game in modules.items() for case in vars(of_game)[name]]


def _is_refused(read: Callable[..., object], *given: object, sentence: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence) or ".") as raised:
        read(*given)
    assert len(str(raised.value)) < 200
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("game", "base", "changed", "sentence"), _cases("NO_POSITIONS"))
def test_what_is_no_position_is_reported(
    game: str, base: Mapping[str, Json], changed: Mapping[str, Json], sentence: str
) -> None:
    _is_refused(ENGINES[game].game.position_from_json, {**base, **changed}, sentence=sentence)


@pytest.mark.parametrize(("game", "base", "key"), _cases("REQUIRED"))
def test_a_missing_key_is_named(game: str, base: Mapping[str, Json], key: str) -> None:
    without = {name: value for name, value in base.items() if name != key}
    _is_refused(ENGINES[game].game.position_from_json, without, sentence=f'lacks "{key}"')


@pytest.mark.parametrize(("game", "data", "sentence"), _cases("NO_ACTIONS"))
def test_what_is_no_action_is_reported(game: str, data: Json, sentence: str) -> None:
    _is_refused(ENGINES[game].game.action_from_json, data, sentence=sentence)


@pytest.mark.parametrize(("game", "players", "options", "sentence"), _cases("NO_SET_UPS", "test_rules"))
def test_an_impossible_set_up_is_reported(
    game: str, players: Sequence[str], options: Mapping[str, Json], sentence: str
) -> None:
    _is_refused(ENGINES[game].game.new, [Seat(name) for name in players], options, 0, sentence=sentence)


@pytest.mark.parametrize(("game", "line", "sentence"), _cases("NO_LINES"))
def test_a_line_that_is_no_position_is_reported(game: str, line: str, sentence: str) -> None:
    _is_refused(ENGINES[game].notation.read_position, line, sentence=sentence)


@pytest.mark.parametrize(
    ("game", "line"), _cases("NO_ACTION_LINES", games=[game for game in GAMES if game != "royal-tee"])
)
def test_a_line_that_is_no_action_is_reported(game: str, line: str) -> None:
    _is_refused(ENGINES[game].notation.read_action, line, sentence="")
