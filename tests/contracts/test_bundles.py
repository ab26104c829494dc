"""What every game offers is one value: its parts belong together, and a part of another form is an error for mypy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import GAMES, SIMULATED
from companion.games.bundle import Bundle
from companion.games.discovery import bundle_of, packages
from companion.games.engines import ENGINES
from companion.games.royal_ur import BUNDLE
from companion.games.speech import SPEECHES
from companion.ui.names import Names
from engines.royal_ur.position import Action, Position

every_game = pytest.mark.parametrize("game", list(packages()))


@every_game
def test_the_parts_of_a_bundle_are_of_one_game(game: str) -> None:
    bundle = bundle_of(game)
    assert bundle.engine.game.name == game
    assert bundle.table.engine is bundle.engine.game
    assert bundle.table.turns is bundle.engine.turns
    assert (ENGINES[game], GAMES[game], SPEECHES[game]) == (bundle.engine, bundle.table, bundle.speech)
    assert (game in SIMULATED) == (bundle.simulated is not None)


def test_a_game_that_nobody_knows_has_no_parts() -> None:
    assert "backgammon" not in ENGINES
    with pytest.raises(KeyError):
        bundle_of("backgammon")


def _names_first(names: Names, position: Position) -> str:
    return f"{names}{position}"


def test_a_part_that_is_missing_is_named_and_one_of_another_form_is_an_error_for_mypy() -> None:
    """Mypy reports an ignored error that is none, so that each of these comments holds."""
    replace(BUNDLE.speech, prompt=_names_first)  # type: ignore[arg-type]
    replace(BUNDLE, table=BUNDLE.speech)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="speech"):
        Bundle[Position, Action](engine=BUNDLE.engine, table=BUNDLE.table)  # type: ignore[call-arg]
