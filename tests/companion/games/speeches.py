"""What every game can say: the events, refusals and proposals that random games and the engines' source give."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import engines
from companion.games.engines import ENGINES
from companion.games.record import read_record, replay
from engines.kernel import Advice, Event, Outcome, Refusal
from tests.contracts.tables import TABLES, played

GOLDEN = Path(__file__).parents[2] / "golden"
_A_CODE = re.compile(r"[a-z]+(-[a-z]+)*")


def tables_of(game: str) -> list[str]:
    return [name for name, table in TABLES.items() if table.game == game]


@cache
def events_of(game: str) -> dict[str, Event]:
    """Give one event of each name that games of random players and the recorded ones come to."""
    found: dict[str, Event] = {}
    for name in tables_of(game):
        for event in played(name).events:
            found.setdefault(event.name, event)
    for path in sorted((GOLDEN / game / "games").glob("*.txt")):
        for ply in replay(read_record(path.read_text("utf-8"))):
            if isinstance(ply.outcome, Outcome):
                for event in ply.outcome.events:
                    found.setdefault(event.name, event)
    return found


def _trees(game: str) -> Iterator[ast.Module]:
    folder = Path(engines.__file__).parent / game.replace("-", "_")
    for path in folder.glob("*.py"):
        yield ast.parse(path.read_text("utf-8"))


def named_in_source(game: str, kind: str) -> set[str]:
    """Give the codes that the engine's source passes to `Event` or `Refusal` as they stand."""
    calls = [node for tree in _trees(game) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {code for call in calls if _name(call.func) == kind for code in _codes(call.args[0])}


def advised_in_source(game: str) -> set[str]:
    """Give the codes that the engine's search has as they stand: passed, returned, assigned, or listed."""
    return {
        code for tree in _trees(game) for node in ast.walk(tree) for part in _code_parts(node) for code in _codes(part)
    }


def _code_parts(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(func=ast.Name("Advice" | "_advice"), args=[_, code, *_]):
            yield code
        case ast.FunctionDef(name="_code" | "_reason"):
            yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value)
        case ast.Assign(targets=[ast.Name("code")]):
            yield node.value
        case ast.Assign(targets=[ast.Name("_REASONS")], value=ast.Dict(values=values)):
            yield from values


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _codes(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and _A_CODE.fullmatch(part.value):
            yield part.value


Tried = tuple[Any, Any, Refusal]


@cache
def refusals_of(game: str) -> dict[str, Tried]:
    """Give for each code an action that was refused with it: actions of other moments, tried in all positions."""
    found: dict[str, Tried] = {}
    rules = ENGINES[game].game
    strange = [*map(ENGINES[game].notation.read_action, _STRANGE[game])]
    for name in tables_of(game):
        random, turns = Random(name), played(name).turns
        actions = list(dict.fromkeys(turn.action for turn in turns))
        positions = [turn.before for turn in turns] + [turns[-1].outcome.position]
        for position in [*random.sample(positions, min(200, len(positions))), positions[-1]]:
            for action in [*random.sample(actions, min(40, len(actions))), *strange]:
                outcome = rules.play(position, action)
                if isinstance(outcome, Refusal):
                    found.setdefault(outcome.code, (position, action, outcome))
    return found


_MOVES = [f"{piece} {start}-{end}" for piece in "KQRBN" for start in ("A1", "B1", "C2") for end in ("B2", "C3", "A1")]

_STRANGE: Mapping[str, Sequence[str]] = {
    "royal-tee": ("pass", "Z1", "Z1 Z2", "F11 F11", "F11 F10", "A6", "G1"),
    "territory": ("place Z9", "capture C4", "capture D4", "place A1", "stop", "roll 1", "roll 1 1"),
    "royal-study": (
        "K Z1-Z2",
        "N A1-B2",
        "B A1-A2",
        "R A1-A3",
        "draw 400 f0",
        "draw 3 f0",
        "call 3 nobody",
        "time-up",
        *_MOVES,
    ),
    "royal-racers": ("start A1", "flag Z9", "step Z9", "flip Z9", "step A1", "deal " + "AC" * 36),
    "royal-ur": ("enter", "decline", "move 14", "move 3", "roll 2"),
}
"""Actions that are seldom allowed."""


_ADVICE_SAMPLES = {**dict.fromkeys(ENGINES, 40), "royal-tee": 1}
"""This many positions of a game are asked for advice; where every walk is looked at, a few must do."""


@cache
def advice_of(game: str) -> dict[str, tuple[Any, Advice[Any]]]:
    """Give for each code a position in which the adviser has it, from games at random."""
    found: dict[str, tuple[Any, Advice[Any]]] = {}
    for name in tables_of(game):
        game_played = played(name)
        first = [turn.before for turn in game_played.turns[:8]]
        for position in [*first, *game_played.sample(_ADVICE_SAMPLES[game])]:
            advice = ENGINES[game].advise(position) if not ENGINES[game].game.over(position) else None
            if advice is not None:
                found.setdefault(advice.code, (position, advice))
    return found
