"""Every game's rules with what goes with them: notation, turns, advice, and how its positions are recognised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from companion.core.verdicts import Action, Position
from companion.games.bundle import Engine
from companion.games.discovery import Parts
from engines.kernel import BadRequestError, JsonObject

FORMAT = 2
"""The format in which journals and records are written; those of format 1 are converted when they are read."""


AnyEngine: TypeAlias = Engine[Position, Action]


ENGINES: Mapping[str, AnyEngine] = Parts(lambda bundle: bundle.engine)
"""Every game's rules with what goes with them, by the game's name."""


def game_of(position: JsonObject) -> str | None:
    """Return the game of a position that names none, None if no game recognises it.

    Raises:
        BadRequestError: several games recognise it.
    """
    claims = [name for name, engine in ENGINES.items() if engine.recognises(position)]
    if len(claims) > 1:
        raise BadRequestError(f'the position lacks "game", and could be one of {", ".join(claims)}')
    return claims[0] if claims else None
