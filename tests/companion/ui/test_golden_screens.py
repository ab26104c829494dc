"""The screen of every game in every language, as text that a person can review; and that it fits any terminal.

`python -m tests.companion.ui.test_golden_screens` writes the files and the README's screens again, all of them or those
of the languages named behind it. With `--pictures FOLDER` they are drawn as SVG too; review them before you keep them.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console, ConsoleDimensions

from companion.core.display import lamps, view
from companion.core.messages import ActionEntered, Began
from companion.core.state import State, new_state
from companion.core.step import step
from companion.core.verdicts import ActionSource
from companion.games import GAMES
from companion.games.captions import page_for
from companion.games.engines import ENGINES
from companion.locale import speaking
from companion.shell.session import new_position
from companion.ui.console import SafeConsole
from companion.ui.layout import PageView, _keys, _signs, device_words, key_words
from companion.ui.page import Page, clock_words
from engines.kernel import Seat
from tests.companion.games.speeches import named_in_source
from tests.companion.languages import ENGLISH, LANGUAGES, TRANSLATED, Brackets, Lengthened, assert_all_is_translated
from vision.board import shipped_games

GOLDEN = Path(__file__).parents[2] / "golden" / "screens"
GAMES_SHOWN = sorted(shipped_games())
ACTIONS = 40
SMALL, LARGE = (80, 24), (120, 40)
SIZES = {ENGLISH: (SMALL, LARGE), "de": (SMALL, LARGE), **dict.fromkeys(("es", "fr", "it", "nl"), (SMALL,))}
"""The sizes in which the screens of a language are kept."""

KEPT = [(language, game, size) for language, sizes in SIZES.items() for game in GAMES_SHOWN for size in sizes]


def path_of(language: str, game: str, size: tuple[int, int]) -> Path:
    folder = GOLDEN if language == ENGLISH else GOLDEN / language
    return folder / f"{game}-{size[0]}x{size[1]}.txt"


def _seats(game: str) -> list[Seat]:
    colours = GAMES[game].board().colours
    return [Seat(colour) for colour in (colours[:4] or ("anna", "ben"))]


@cache
def played(game: str, actions: int, seed: int = 3) -> State:
    """Return the state of a table before a camera after that many random actions, each as the table shows it."""
    adaptor, engine, random = GAMES[game], ENGINES[game], Random(seed)
    state = new_state(adaptor, engine.game.new(_seats(game), engine.turns.options, seed), lingers=True)
    state, _effects = step(state, Began(0))
    state = replace(state, setting_up=False)
    for number in range(actions):
        if state.over:
            break
        if engine.game.to_act(state.position) == "dice" and engine.turns.dice is not None:
            action = engine.turns.dice.throw(state.position, random)
        else:
            legal = engine.game.actions(state.position)
            action = legal[random.randrange(min(len(legal), 20))]
        seen = ActionEntered(action, number * 10**9, ActionSource.OVERRULED)
        state, _effects = step(state, seen)
    return state


def _page(game: str, actions: int) -> Page:
    state = played(game, actions)
    return page_for(view(state), GAMES[game].board(), lamps=lamps(state))


def _drawn(view: PageView, width: int, height: int) -> list[str]:
    console = SafeConsole(file=StringIO(), terminal=False)
    console.size = ConsoleDimensions(width, height)
    with console.capture() as capture:
        console.print(view, height=height)
    return [line.rstrip() for line in capture.get().rstrip("\n").split("\n")]


def _kept_view(game: str) -> PageView:
    """Return the page of a game as it is on the screen at the desk, with a camera."""
    return PageView(
        _page(game, ACTIONS),
        GAMES[game].board(),
        device_words("webcam:0", None),
        key_words(typed=True, asks=False),
    )


def screen(language: str, game: str, size: tuple[int, int]) -> str:
    """Return a screen in a language, as text."""
    with speaking(language):
        return "\n".join(_drawn(_kept_view(game), *size)) + "\n"


@pytest.mark.parametrize(("language", "game", "size"), KEPT)
def test_the_screen_is_the_one_that_was_reviewed(language: str, game: str, size: tuple[int, int]) -> None:
    """Write the files again as the head of this file says, and review them."""
    assert screen(language, game, size) == path_of(language, game, size).read_text("utf-8")


README = Path(__file__).parents[3] / "README.md"


def indented(text: str) -> str:
    """Return a screen as the README shows it."""
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _readme() -> str:
    return "\n".join(line.rstrip() for line in README.read_text("utf-8").split("\n"))


def test_the_readme_shows_a_screen_as_it_is() -> None:
    assert indented(path_of(ENGLISH, "territory", SMALL).read_text("utf-8")) in _readme()


def test_there_is_no_screen_that_nobody_compares() -> None:
    assert sorted(GOLDEN.rglob("*.txt")) == sorted(path_of(*kept) for kept in KEPT)


ANY_LANGUAGE = st.sampled_from([*LANGUAGES, "longer"])
SIDES = st.integers(60, 140), st.integers(24, 60)


@given(ANY_LANGUAGE, st.sampled_from(GAMES_SHOWN), *SIDES, st.integers(0, 50), st.integers(0, 4))
@settings(max_examples=45, deadline=None)
def test_every_page_fits_in_every_language_and_with_texts_of_any_length(
    language: str, game: str, width: int, height: int, actions: int, longer: int
) -> None:
    """Longer texts than a language has are on terminals that are as wide as the smallest usual one."""
    with speaking(Lengthened()) if language == "longer" else speaking(language):
        page = _page(game, actions)
        if longer and width >= SMALL[0]:
            page = replace(
                page,
                message=" ".join([page.message] * longer),
                turn=" ".join([page.turn] * longer),
                notes=tuple(" ".join([note, *["lengthened"] * (8 * longer)]) for note in (*page.notes, "A note.")),
                buttons=tuple((name, f"{meaning} {'x' * (6 * longer)}") for name, meaning in page.buttons),
            )
        lines = _drawn(PageView(page, GAMES[game].board()), width, height)
        clock = clock_words(page.remaining_s)
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert all(name in text for name, _meaning in page.buttons)
    assert clock in text
    assert all(str(points) in text for points in page.scores.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES_SHOWN)
def test_dice_cards_and_the_round_are_on_a_small_screen_with_as_many_players_as_can_be(
    language: str, game: str
) -> None:
    engine, board = ENGINES[game], GAMES[game].board()
    state = new_state(GAMES[game], new_position(engine, board.colours, seed=3), sees=False, lingers=True)
    with speaking(language):
        page = page_for(view(state), board, lamps=lamps(state))
        facts = (*page.extras.facts, "0123456789 " * 5, "a card in force " * 5)
        crowded = replace(page, extras=replace(page.extras, facts=facts), notes=("A note.",))
        words = " ".join(_drawn(PageView(crowded, board), *SMALL)).split()
    assert words.count("0123456789") == words.count("force") == 5


def test_choices_and_buttons_are_kept_whole_and_apart_from_one_another() -> None:
    choices, button = ("go on playing", "keep the game and stop", "count now and end the game"), "show the next choice"
    page = replace(
        _page("royal-tee", 3), choices=choices, shown=0, buttons=(("DONE", "go on playing"), ("MODE", button))
    )
    for width in (60, 80):
        lines = _drawn(PageView(page, GAMES["royal-tee"].board()), width, 30)
        assert "Choose: [go on playing] · keep the game and stop" in "\n".join(lines)
        assert any(choices[2] in line for line in lines)
        assert any(f"MODE {button}" in line for line in lines)


def test_keys_are_brighter_than_their_meanings_and_stay_beside_them() -> None:
    text = _keys("d done  0-9 count  ctrl-c ends", 18)
    assert text.plain == "d done   0-9 count\nctrl-c ends"
    assert [text.plain[span.start : span.end] for span in text.spans if span.style == "bold"] == ["d", "0-9", "ctrl-c"]


# ---- nothing English in another language


def _texts(page: Page, game: str) -> Iterator[str]:
    """Return all sentences and words of a page; the signs on the board are the same in every language."""
    extras = page.extras
    yield from _signs(page, GAMES[game].board(), 60).plain.split(" · ")
    yield from (page.banner, page.turn, page.activity, clock_words(page.remaining_s), page.message)
    yield from (*page.notes, *page.choices, *page.lamps.values())
    yield from (meaning for _name, meaning in page.buttons)
    yield from (*extras.facts, *extras.of_player.values(), *extras.legend.values())
    yield from (drawing.title for drawing in extras.drawings)


@pytest.mark.parametrize("game", GAMES_SHOWN)
def test_every_word_of_a_page_can_be_translated(game: str) -> None:
    for actions in (0, 1, 2, 3, 10, 25, ACTIONS):
        with speaking(Brackets()):
            for text in _texts(_page(game, actions), game):
                assert_all_is_translated(text.replace("Anna", "").replace("Ben", ""))


COLOURS = ("red", "blue", "green", "yellow", "purple", "black", "white")
JSON_KEYS = ("player", "cells", "taken", "walk", "slider-moved", "from")


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", GAMES_SHOWN)
def test_no_code_key_or_english_colour_is_on_a_page(language: str, game: str) -> None:
    codes = {code for kind in ("Event", "Refusal") for code in named_in_source(game, kind) if "-" in code}
    unwanted = re.compile(rf"\b({'|'.join([*COLOURS, *JSON_KEYS, *sorted(codes)])})\b")
    for actions in (0, 3, 10, 25, ACTIONS):
        with speaking(language):
            for text in _texts(_page(game, actions), game):
                assert not unwanted.search(text), text


# ---- written again


def _write(languages: list[str], pictures: Path | None) -> None:
    for language, game, size in KEPT:
        if language in languages:
            path = path_of(language, game, size)
            path.parent.mkdir(parents=True, exist_ok=True)
            drawn, before = screen(language, game, size), path.read_text("utf-8") if path.exists() else ""
            path.write_text(drawn, "utf-8")
            if (language, size) == (ENGLISH, SMALL) and before != drawn:
                README.write_text(_readme().replace(indented(before), indented(drawn)), "utf-8")
            if pictures is not None:
                _draw(pictures / f"{language}-{path.stem}.svg", language, game, size)


def _draw(path: Path, language: str, game: str, size: tuple[int, int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    console = Console(file=StringIO(), width=size[0], height=size[1], color_system="truecolor", record=True)
    with speaking(language):
        console.print(_kept_view(game), height=size[1])
    console.save_svg(str(path), title=f"{game}, {language}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", default=list(SIZES), help="de fr ...; all of them by default")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw them as SVG too")
    chosen = parser.parse_args()
    _write(chosen.languages, chosen.pictures)
