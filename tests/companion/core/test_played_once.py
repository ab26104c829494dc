"""An accepted action is played once and decoded only when it is read back, in every game and however it came."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.messages import ActionEntered, Effect, Event, FrameRead, Recalled, Throw, Thrown
from companion.core.verdicts import Action, Position
from companion.games import GAMES
from companion.games.engines import ENGINES
from hardware.panel import Button, ButtonPressed
from tests.companion.core.tables import FRAME_NS, Stepped, of_type
from tests.companion.games.speeches import tables_of
from tests.companion.shell.seen import observation
from tests.contracts.tables import played


class Counted:
    """Something whose calls are counted by their name."""

    def __init__(self, inner: Any, **parts: Any) -> None:
        self._inner, self._parts = inner, parts
        self.calls: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        if name in self._parts:
            return self._parts[name]
        self.calls[name] = self.calls.get(name, 0) + 1
        return getattr(self._inner, name)


class CountedGame(Stepped):
    """A game at a table without pictures, in a position; what the core asks of its engine is counted."""

    def __init__(self, game: str, position: Position) -> None:
        self.game, self.engine = GAMES[game], Counted(GAMES[game].engine)
        super().__init__(Counted(self.game, engine=self.engine), position)
        self.state = replace(self.state, setting_up=False)

    def take(self, event: Event) -> list[Effect]:
        self.engine.calls.clear()
        return super().take(event)

    @property
    def calls(self) -> tuple[int, int]:
        """How often an action was played, and decoded, since the last event."""
        return self.engine.calls.get("play", 0), self.engine.calls.get("action_from_json", 0)

    def look(self, position: Position) -> None:
        seen = observation(self.game.board(), self.game.placement(position))
        self.at_ns += FRAME_NS
        self.take(FrameRead(seen, True, self.at_ns))


def turns(game: str, *, thrown: bool, seen: bool) -> Any:
    """Return the first action of a played game that is, or is no, throw, and shows on the table or anyhow."""
    rules = GAMES[game]
    for turn in played(tables_of(game)[0]).turns:
        shows = rules.placement(turn.before) != rules.placement(turn.outcome.position)
        if isinstance(turn.action, rules.turns.dice.kind) is thrown and (shows or not seen):
            return turn
    raise AssertionError(game)


@pytest.mark.parametrize("game", ENGINES)
def test_a_typed_action_is_played_once_and_again_when_the_journal_is_read(game: str) -> None:
    turn = turns(game, thrown=False, seen=False)
    table = CountedGame(game, turn.before)
    table.take(ActionEntered(Action(turn.action), 0))
    assert table.calls == (1, 0)
    (entry,) = table.entries
    again = CountedGame(game, turn.before)
    again.take(Recalled(entry))
    assert again.calls == (1, 1)
    assert again.state.progress == table.state.progress


@pytest.mark.parametrize("game", [game for game in ENGINES if ENGINES[game].game.has_dice])
def test_a_throw_by_button_is_played_once(game: str) -> None:
    turn = turns(game, thrown=True, seen=False)
    table = CountedGame(game, turn.before)
    assert of_type(table.take(ButtonPressed(Button.ROLL, 10**9)), Throw)
    assert table.calls == (0, 0)
    table.take(Thrown(turn.action, 10**9))
    assert table.calls == (1, 0)
    assert len(table.entries) == 1


@pytest.mark.parametrize("game", ENGINES)
def test_an_action_that_the_camera_sees_is_played_once(game: str) -> None:
    turn = turns(game, thrown=False, seen=True)
    table, most = CountedGame(game, turn.before), (0, 0)
    for position in [turn.before] * 10 + [turn.outcome.position] * 20:
        table.look(position)
        most = max(most, table.calls)
    assert most == (1, 0)
    assert table.state.position == turn.outcome.position
