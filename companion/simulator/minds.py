"""What the people at a simulated table decide to do: an honest move, or the mischief that is planned for this turn."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.games.adaptor import Adaptor
from companion.simulator.mischief import Chance, Mischief, try_mischief
from companion.simulator.players import Deed, HonestPlayer, hand_path, legal
from companion.simulator.walking import Labels
from engines.kernel import Seat

_MOST_ACTIONS = 2000
"""With more legal actions than that nobody cheats: whether it is one would take too long to find out."""


class Minds:
    """Decides for every seat of one game.

    Args:
        game: what is played.
        random: chooses among actions and opportunities.
        planned: which mischief is tried at which turn, counted from 0; put off until there is an opportunity.
    """

    def __init__(self, game: Adaptor, random: Random, planned: Mapping[int, Mischief]) -> None:
        self._game, self._random = game, random
        self._honest = HonestPlayer(game, random)
        self._planned = sorted(planned.items())

    def decide(self, position: Any, turn: int) -> tuple[Deed, Mischief | None] | None:
        """Tell what is done next, and by which mischief; None when nobody can do anything."""
        seat = self._game.engine.to_act(position)
        honest = None if seat is None else self._honest.deed(position, Seat(seat))
        if honest is None:
            return None
        return self._mischief(position, honest, turn) or (honest, None)

    def _mischief(self, position: Any, honest: Deed, turn: int) -> tuple[Deed, Mischief] | None:
        """Take the first mischief that is due and has an opportunity."""
        for planned in [(due, mischief) for due, mischief in self._planned if due <= turn]:
            deed = try_mischief(planned[1], self._chance(position, honest))
            if deed and (deed.action or not self._could_be_legal(position, deed)):
                self._planned.remove(planned)
                return deed, planned[1]
        return None

    def _chance(self, position: Any, honest: Deed) -> Chance:
        """Collect what mischief is made of; the rival is whoever acts next, as if it were their turn already."""
        engine, rival = self._game.engine, None
        seat = engine.to_act(legal(self._game, position, engine.action_from_json(honest.action)))
        if seat is not None:
            swapped = engine.position_from_json({**engine.position_to_json(position), "turn": seat})
            rival = self._honest.deed(swapped, Seat(seat))
        return Chance(self._game.board(), self._game.placement(position), honest, rival, self._random)

    def _could_be_legal(self, position: Any, deed: Deed) -> bool:
        """Tell whether what is meant as a cheat would be none: some legal action may leave the same table."""
        actions = self._game.engine.actions(position)
        return len(actions) > _MOST_ACTIONS or any(deed.after in self._tables(position, action) for action in actions)

    def _tables(self, position: Any, action: Any) -> list[Labels]:
        """Give the tables that a legal action may leave: with what it earns beside its walk, and without."""
        before = self._game.placement(position)
        after = self._game.placement(legal(self._game, position, action))
        path = hand_path(before, after, self._game.engine.action_to_json(action))
        return [after, {**before, **{cell: after[cell] for cell in path}}]
