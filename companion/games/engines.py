"""Every game's engine: rules, notation, turns, advice, and the recognition of its positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from companion.core.verdicts import Action, Position
from companion.games.bundle import Engine
from companion.games.discovery import Parts
from engines.kernel import BadRequestError, JsonObject

FORMAT = 2
"""The format of written journals and records; those of format 1 are converted when they are read."""


AnyEngine: TypeAlias = Engine[Position, Action]


ENGINES: Mapping[str, AnyEngine] = Parts(lambda bundle: bundle.engine)
"""Every game's engine, by the game's name."""


def game_of(position: JsonObject) -> str | None:
    """Return the game of a position that does not name one, None if no game recognises it.

    Raises:
        BadRequestError: several games recognise it.
    """
    claims = [name for name, engine in ENGINES.items() if engine.recognises(position)]
    if len(claims) > 1:
        raise BadRequestError(f'the position lacks "game", and could be one of {", ".join(claims)}')
    return claims[0] if claims else None
