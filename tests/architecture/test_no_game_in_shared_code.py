"""No shared code knows a game by name: games are discovered by their folders."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import modules
from vision.board import shipped_games

_GAMES = frozenset(shipped_games())
_NAMES = _GAMES | {game.replace("-", "_") for game in _GAMES}


def _is_shared(path: Path) -> bool:
    return not _NAMES & set(path.parts)


def _named(tree: ast.AST) -> Iterator[str]:
    """Give every game's name that code could decide by: strings, names and imports; examples in prose are none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in _NAMES:
            yield str(node.value)
        elif isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            yield from (game for game in _NAMES if game in name.lower())
        elif isinstance(node, ast.Import | ast.ImportFrom):
            words = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            yield from (game for word in words for game in _NAMES if game in word.split("."))


def test_shared_code_names_no_game() -> None:
    shared = [(path, tree) for path, tree in modules() if _is_shared(path)]
    assert len(shared) > 40
    assert {str(path): names for path, tree in shared if (names := sorted(set(_named(tree))))} == {}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('if game == "royal-tee": pass', ["royal-tee"]),
        ("from engines.royal_tee import rules", ["royal_tee"]),
        ("import engines.territory.rules", ["territory"]),
        ("royal_ur_board = 3", ["royal_ur"]),
        ('"""An example such as "royal-tee"."""', []),
        ("own_territory_cells = 3", ["territory"]),
    ],
)
def test_the_search_for_names_finds_them(code: str, found: list[str]) -> None:
    assert sorted(_named(ast.parse(code))) == found
