"""What a game says and understands, in one value for screen, replay, page and report. Pure, for any game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from companion.games.engines import ENGINES
from companion.games.lazy import Lazy
from companion.ui.people import NO_NAMES, Names
from companion.ui.words import GameWords
from engines.kernel import ActionT, Advice, JsonObject, Outcome, PositionT, Refusal, ToAct


@dataclass(frozen=True, slots=True)
class Speech(Generic[PositionT, ActionT]):
    """One game's sentences, in the user's language; every function takes the people's names last.

    Attributes:
        words: sentences about a table that was seen, and about an action that was played.
        event: one of the engine's events as a sentence.
        refusal: why the rules forbid an action in a position, and what to do instead.
        hint: an adviser's proposal with its reason.
    """

    words: GameWords
    event: Callable[[JsonObject, Names], str]
    refusal: Callable[[PositionT, ActionT, Refusal, Names], str]
    hint: Callable[[PositionT, Advice[ActionT], Names], str]


AnySpeech: TypeAlias = Speech[Any, Any]

SPEECHES: Mapping[str, AnySpeech] = Lazy(
    {game: f"companion.games.{game.replace('-', '_')}.speech" for game in ENGINES}, "SPEECH"
)
"""Every game's speech, by the game's name."""


def story(game: str, by: ToAct, action: Any, outcome: Outcome[Any], names: Names = NO_NAMES) -> str:
    """Return what was played and what came of it, in sentences.

    Args:
        game: the game's name.
        by: who acted; the dice and nobody are no player.
        action: an action of the game.
        outcome: what it led to.
        names: the people's names.
    """
    written = ENGINES[game].game.action_to_json(action)
    facts = {"events": [event.to_json() for event in outcome.events]}
    return SPEECHES[game].words.played(None if by in ("dice", None) else by, written, facts, names)
