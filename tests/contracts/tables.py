"""Tables to put every game on: who plays, with which options, what chance gives, and what bounds a random game.

A line in `OURS` puts another game, or a known one with another set-up, under the tests of `test_games` and
`test_games_pressed`. A game of another package is under them once it is installed, on the table of `_of_package`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import vision.boards
from companion.games import GAMES
from companion.games.engines import ENGINES, AnyEngine
from companion.games.rulebook import rules_text
from engines.kernel import Event, JsonObject, Outcome, Seat
from tests.engines.steps import any_step, seatings

Rearrange: TypeAlias = Callable[[dict[str, Any], Random], JsonObject]
"""Changes what no player may know about a position, as JSON."""


def _same(position: dict[str, Any], _random: Random) -> JsonObject:
    return position


@dataclass(frozen=True)
class Table:
    """One game, set up in one way.

    Attributes:
        game: its name in commands.
        players: who plays.
        most_actions: what bounds a game of players who act at random; `bounded_by` says why.
        bounded_by: the paragraph of the game's RULES.md that describes it, "" if none is known.
        options: what differs from the usual game.
        renamed: the options under which the players may have the names of `NEW_NAMES`, if not the same.
        rearrange: changes what is hidden; left out where a table hides nothing.
        luck: draws the random game, with the table's name; in Ur's a stack stands in the way of a counter now and then.
    """

    game: str
    players: Sequence[str]
    most_actions: int
    bounded_by: str
    options: JsonObject = field(default_factory=dict)
    renamed: JsonObject | None = None
    rearrange: Rearrange = _same
    luck: str = ""

    @property
    def engine(self) -> AnyEngine:
        return ENGINES[self.game]

    @property
    def hides(self) -> bool:
        """Whether there is something that no player may know."""
        return self.rearrange is not _same

    @property
    def seats(self) -> list[Seat]:
        return [Seat(name) for name in self.players]

    def start(self, seed: int = 1) -> Any:
        return self.engine.game.new(self.seats, self.options, seed)

    def legal(self, position: Any, random: Random) -> Any:
        """Give a legal action, or what chance gives; the game is not over."""
        return any_step(self.engine.game, position, random)

    def cells(self) -> set[str]:
        """Give the names of all places on the grid, those beside the spaces among them."""
        grid = GAMES[self.game].board().grid
        return {f"{chr(ord('A') + column)}{row + 1}" for column in range(grid.columns) for row in range(grid.rows)}

    def rules(self) -> str:
        """Give the game's rules in our own words."""
        return rules_text(self.game)


def _table_file(game: str) -> Mapping[str, Any]:
    """Give the content of the table file that ships for a game."""
    path = Path(vision.boards.__file__).parent / game.replace("-", "_") / "board.toml"
    return tomllib.loads(path.read_text("utf-8"))


NEW_NAMES = ("oak", "elm", "ash", "fir")


def _seats(**starts: str) -> JsonObject:
    """Give Royal Tee's seats the new names, in turn order: side and start space of each."""
    sides = zip(NEW_NAMES, starts.items(), strict=False)
    return {"seats": [{"colour": name, "side": side, "start": start} for name, (side, start) in sides]}


_WAYS: JsonObject = {
    "oak": ["E3", "D3", "C3", "B3", "A3", "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "H3", "G3", "F3"],
    "elm": ["E1", "D1", "C1", "B1", "A1", "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "H1", "G1", "F1"],
}
_RENAMED_TABLE: JsonObject = {**_table_file("territory"), "seat": [{"colour": name} for name in NEW_NAMES]}


def _shuffle_deck(position: dict[str, Any], random: Random) -> JsonObject:
    """Put the cards that are still to come, the face-down one with them, in another order."""
    hidden = [*position["deck"], *([position["face_down"]] if "face_down" in position else [])]
    random.shuffle(hidden)
    if "face_down" in position:
        position["face_down"] = hidden.pop()
    return {**position, "deck": hidden}


def _swap_face_down(position: dict[str, Any], random: Random) -> JsonObject:
    """Let other cards, which nobody has seen, lie under the backs, and draw other layouts for the races to come."""
    cards = position["cards"]
    down = [cell for cell, lying in cards.items() if not lying["up"]]
    under = random.sample([cards[cell]["card"] for cell in down], len(down))
    swapped = {cell: {"card": card, "up": False} for cell, card in zip(down, under, strict=True)}
    coming = [random.sample(layout, len(layout)) for layout in position.get("coming", [])]
    unseen = {key: value for key, value in position.items() if key != "seen"}
    return {**unseen, "cards": {**cards, **swapped}, **({"coming": coming} if coming else {})}


def _of_package(game: str) -> Table:
    """Return the table of a game that is not one of ours: the fewest players that it takes, without options."""
    return Table(game, next(seatings(GAMES[game], {}, 2)), _MOST_ACTIONS, "")


_MOST_ACTIONS = 100_000
"""What bounds a random game of another package."""

OURS: Mapping[str, Table] = {
    "tee of two": Table(
        *("royal-tee", ("red", "green"), 5000, "6.4"),
        renamed=_seats(bottom="F12", top="G1"),
    ),
    "tee of four": Table(
        *("royal-tee", ("red", "blue", "green", "yellow"), 5000, "6.4"),
        renamed=_seats(bottom="F12", right="L7", top="G1", left="A6"),
    ),
    "territory of three": Table(
        *("territory", ("red", "green", "blue"), 8 * 3 * 22 * 4, "8.3"),
        renamed={"table": _RENAMED_TABLE},
        rearrange=_shuffle_deck,
    ),
    "territory of four with a roll-off and the table file": Table(
        *("territory", ("red", "green", "blue", "black"), 6 * 4 * 22 * 4 + 400, "8.3"),
        options={"roll_off": True, "table": _table_file("territory")},
        renamed={"roll_off": True, "table": _RENAMED_TABLE},
        rearrange=_shuffle_deck,
    ),
    "study": Table(
        *("royal-study", ("white", "black"), 5 * (2 + 99), "5.5"),
        options={"points": 3, "level": 3, "execution": 60},
        rearrange=_shuffle_deck,
    ),
    "study with two cards drawn at the table": Table(
        *("royal-study", ("white", "black"), 5 * (2 + 99) + 11, "5.5"),
        options={"points": 3, "bonus": True, "deck": "table"},
    ),
    "study of three together": Table(
        *("royal-study", ("ann", "bob", "cem"), 60_000, "6.5"),
        options={"together": True, "level": 2},
        rearrange=_shuffle_deck,
    ),
    "racers": Table(
        *("royal-racers", ("suns", "moons"), 2 * 5 + 1 + 3 * 2 * 300, "5.4"),
        rearrange=_swap_face_down,
    ),
    "racers' campaign of three": Table(
        *("royal-racers", ("suns", "moons", "crowns"), 2 * (3 * 3 + 1 + 3 * 3 * 40), "5.4"),
        options={"flags": 3, "flag_variant": True, "races": 2, "rounds": 40},
        rearrange=_swap_face_down,
    ),
    "ur": Table("royal-ur", ("white", "black"), 5000, "6.3", renamed={"paths": _WAYS}, luck="8"),
    "ur with a throw-off": Table(
        *("royal-ur", ("black", "white"), 5000, "6.3"),
        options={"throw_off": True},
        renamed={"throw_off": True, "paths": {"oak": _WAYS["elm"], "elm": _WAYS["oak"]}},
        luck="8",
    ),
}
TABLES: Mapping[str, Table] = {
    **OURS,
    **{game: _of_package(game) for game in sorted(set(ENGINES) - {table.game for table in OURS.values()})},
}


@dataclass(frozen=True)
class Turn:
    """One action of a game: the position before it and what it led to."""

    before: Any
    action: Any
    outcome: Outcome[Any]


@dataclass(frozen=True)
class Played:
    """A whole game of players who act at random."""

    table: Table
    turns: Sequence[Turn]

    @property
    def positions(self) -> list[Any]:
        return [self.turns[0].before, *(turn.outcome.position for turn in self.turns)]

    @property
    def events(self) -> list[Event]:
        return [event for turn in self.turns for event in turn.outcome.events]

    def sample(self, size: int, seed: int = 1) -> list[Any]:
        """Give some of the positions, the first and the last among them."""
        first, *between, last = self.positions
        return [first, *Random(seed).sample(between, min(size, len(between))), last]


@cache
def played(name: str) -> Played:
    """Play a game at random to its end, or to the bound."""
    table, random = TABLES[name], Random(f"{name}{TABLES[name].luck}")
    game, position, turns = table.engine.game, table.start(), list[Turn]()
    while not game.over(position) and len(turns) <= table.most_actions:
        action = table.legal(position, random)
        outcome = game.play(position, action)
        assert isinstance(outcome, Outcome), (game.position_to_json(position), action, outcome)
        turns.append(Turn(position, action, outcome))
        position = outcome.position
    return Played(table, turns)
