"""The screen of every game, as text that a person can review; and that it fits any terminal."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from companion.core.display import lamps, view
from companion.core.messages import ActionEntered, Began
from companion.core.state import State, new_state
from companion.core.step import step
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.games.showing import page_for
from companion.ui.layout import PageView
from companion.ui.page import Page
from engines.kernel import Seat
from vision.board import shipped_games

GOLDEN = Path(__file__).parents[2] / "golden" / "screens"
GAMES_SHOWN = sorted(shipped_games())
ACTIONS = 40


def _seats(game: str) -> list[Seat]:
    colours = GAMES[game].board().colours
    return [Seat(colour) for colour in (colours[:4] or ("anna", "ben"))]


def played(game: str, actions: int, seed: int = 3) -> State:
    """Return the state of a table after so many random actions."""
    adaptor, engine, random = GAMES[game], ENGINES[game], Random(seed)
    state = new_state(adaptor, engine.game.new(_seats(game), engine.turns.options, seed), sees=False, lingers=True)
    state, _effects = step(state, Began(0))
    for number in range(actions):
        if state.over:
            break
        if engine.game.to_act(state.position) == "dice" and engine.turns.throw is not None:
            action = engine.turns.throw(state.position, random)
        else:
            legal = engine.game.actions(state.position)
            action = legal[random.randrange(min(len(legal), 20))]
        state, _effects = step(state, ActionEntered(engine.game.action_to_json(action), number * 10**9))
    return state


def _page(game: str, actions: int) -> Page:
    state = played(game, actions)
    return page_for(view(state), GAMES[game].board(), lamps=lamps(state))


def _drawn(page: Page, game: str, width: int, height: int) -> list[str]:
    console = Console(file=StringIO(), width=width, height=height, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(PageView(page, GAMES[game].board(), "camera: webcam:0 · panel: desk"), height=height)
    return [line.rstrip() for line in capture.get().rstrip("\n").split("\n")]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)])
@pytest.mark.parametrize("game", GAMES_SHOWN)
def test_the_screen_is_the_one_that_was_reviewed(game: str, width: int, height: int) -> None:
    """Write the files anew with `python -m tests.companion.ui.test_golden_screens`, and review them."""
    wanted = (GOLDEN / f"{game}-{width}x{height}.txt").read_text("utf-8")
    assert "\n".join(_drawn(_page(game, ACTIONS), game, width, height)) + "\n" == wanted


def test_there_is_a_screen_of_each_game_in_two_sizes() -> None:
    assert len(list(GOLDEN.glob("*.txt"))) >= 2 * len(GAMES_SHOWN)


@given(st.sampled_from(GAMES_SHOWN), st.integers(60, 140), st.integers(24, 60), st.integers(0, 50), st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_every_page_fits_with_texts_of_any_length(
    game: str, width: int, height: int, actions: int, longer: int
) -> None:
    page = _page(game, actions)
    stretched = Page(
        **{
            **{name: getattr(page, name) for name in Page.__slots__},
            "message": " ".join([page.message] * longer),
            "turn": " ".join([page.turn] * longer),
            "notes": tuple(" ".join([note, *["lengthened"] * (8 * longer)]) for note in (*page.notes, "A note.")),
            "buttons": tuple((name, f"{meaning} {'x' * (6 * longer)}") for name, meaning in page.buttons),
        }
    )
    lines = _drawn(stretched, game, width, height)
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert all(name in text for name, _meaning in page.buttons)
    assert all(str(points) in text for points in page.scores.values())


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in GAMES_SHOWN:
        for wide, high in ((80, 24), (120, 40)):
            text = "\n".join(_drawn(_page(name, ACTIONS), name, wide, high)) + "\n"
            (GOLDEN / f"{name}-{wide}x{high}.txt").write_text(text, "utf-8")
