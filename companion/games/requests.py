"""The engines for programs: one request in, one answer out, as the public protocol has it. Pure, for any game.

Its sentences are read by programs, hence English in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.games.engines import ENGINES, AnyEngine, game_of
from engines.decode import Given, as_object, as_one_of, member, only_keys, quote
from engines.kernel import BadRequestError, Event, Json, JsonObject, Level, Refusal, Seat
from engines.schema import read

_MOST_ACTIONS = 1_000_000
_Count = Annotated[int, Meta(ge=0, le=_MOST_ACTIONS)]


class Request(msgspec.Struct, kw_only=True):
    """The keys of all requests; `ANSWERS` has those of each."""

    do: str
    strict: bool = False
    game: Any = msgspec.UNSET
    players: list[str] = []
    options: dict[str, Any] = {}
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | msgspec.UnsetType = msgspec.UNSET
    position: dict[str, Any] = {}
    action: dict[str, Any] = {}
    offset: _Count | msgspec.UnsetType = msgspec.UNSET
    limit: _Count | msgspec.UnsetType = msgspec.UNSET
    level: Level = Level.STRONG
    lines: Annotated[int, Meta(ge=0, le=1000)] = 0
    viewer: str | None = None

    def given(self, part: JsonObject) -> Given:
        """Return a part, as its game is to read it."""
        return Given(part, strict=self.strict)


def answer(request: Json) -> JsonObject:
    """Answer a request; one that cannot be answered gets {"error", "code"} and never an exception.

    Keys that mean nothing in a request, its position, options or action are ignored, or refused if it has
    "strict": true.
    """
    try:
        given = as_object(request, "a request")
        do = as_one_of(member(given, "do", "a request"), '"do"', ANSWERS)
        what, (answered, required, optional) = f'a request with "do": "{do}"', ANSWERS[do]
        for key in required:
            member(given, key, what)
        known = ("do", "strict", *required, *optional)
        asked = read({key: given[key] for key in known if key in given}, Request, what)
        if asked.strict:
            only_keys(given, known, what)
        return answered(asked)
    except BadRequestError as error:
        return bad_request(str(error))


def bad_request(sentence: str) -> JsonObject:
    """Answer something that is not a request."""
    return {"error": sentence, "code": "bad-request"}


def _new(asked: Request) -> JsonObject:
    engine = _engine(asked.game)
    return _state(engine, engine.game.new(asked.players, asked.given(asked.options), asked.seed or 0), ())


def _actions(asked: Request) -> JsonObject:
    """List the legal actions; with "limit", that many of them from "offset" on, and how many there are in all."""
    engine, position = _position(asked)
    listed = engine.game.actions_to_json(position)
    if asked.limit is msgspec.UNSET and asked.offset is msgspec.UNSET:
        return {"actions": listed, **_standing(engine, position)}
    first, size = asked.offset or 0, _MOST_ACTIONS if asked.limit is msgspec.UNSET else asked.limit
    return {"actions": list(listed[first : first + size]), "count": len(listed), **_standing(engine, position)}


def _play(asked: Request) -> JsonObject:
    engine, position = _position(asked)
    outcome = engine.game.play(position, engine.game.action_from_json(asked.given(asked.action)))
    if not isinstance(outcome, Refusal):
        return _state(engine, outcome.position, outcome.events)
    sentence = f"the rules forbid this: {outcome.code} (paragraph {outcome.rule}) {' '.join(outcome.cells)}"
    return {
        "error": sentence.rstrip(),
        "code": "illegal",
        "reason": outcome.code,
        "rule": outcome.rule,
        "cells": list(outcome.cells),
    }


def _legal(asked: Request) -> JsonObject:
    """Return whether the rules allow an action; one of chance is an action too."""
    engine, position = _position(asked)
    return {"legal": engine.game.is_legal(position, engine.game.action_from_json(asked.action))}


def _chance(asked: Request) -> JsonObject:
    """Return what chance may do, each with its probability; nothing if it is not next."""
    engine, position = _position(asked)
    outcomes = engine.game.chance_outcomes(position)
    return {"outcomes": [{"action": engine.game.action_to_json(each), "probability": p} for each, p in outcomes]}


def _throw(asked: Request) -> JsonObject:
    """Return what chance does, the same for the same "seed"."""
    engine, position = _position(asked)
    if engine.game.to_act(position) != "dice":
        raise BadRequestError("no throw is expected in this position")
    return {"action": engine.game.action_to_json(engine.game.throw(position, _random(asked)))}


def _playout(asked: Request) -> JsonObject:
    """Play on with random decisions, the same for the same "seed", and return the end."""
    engine, position = _position(asked)
    return _state(engine, engine.game.playout(position, _random(asked)), ())


def _random(asked: Request) -> Random:
    return Random(asked.seed or 0)  # noqa: S311 - no secret


def _score(asked: Request) -> JsonObject:
    engine, position = _position(asked)
    return _standing(engine, position)


def _advise(asked: Request) -> JsonObject:
    """Propose an action, "strong" unless "level" says otherwise; null if no action is expected from anybody.

    With "seed" what a computer of that level plays, an easy one without weighing every decision.
    """
    engine, position = _position(asked)
    if asked.seed is msgspec.UNSET:
        advice = engine.advise(position, level=asked.level)
    else:
        advice = engine.decide(position, asked.level, _random(asked))
    if advice is None:
        return {"action": None, "code": "nothing-to-decide", "numbers": {}, "value": None}
    action = engine.game.action_to_json(advice.action)
    return {"action": action, "code": advice.code, "numbers": dict(advice.numbers), "value": advice.value}


def _solve(asked: Request) -> JsonObject:
    """Return the fewest steps and one best line; with "lines" as many of the best lines."""
    engine, position = _position(asked)
    if engine.solve is None:
        raise BadRequestError(f"{engine.game.name} is not a puzzle to solve")
    return engine.solve(position, asked.lines)


def _public(asked: Request) -> JsonObject:
    """Return what may be shown to a player, or to anybody if "viewer" names none."""
    engine, position = _position(asked)
    players = engine.game.score(position)
    viewer = None if asked.viewer is None else Seat(asked.viewer)
    if viewer is not None and viewer not in players:
        raise BadRequestError(f'"viewer" must be null or one of {", ".join(players)}, not {quote(viewer)}')
    if engine.public is None:
        return {"public": engine.game.position_to_json(position)}
    return {"public": engine.public(position, viewer)}


ANSWERS: Mapping[str, tuple[Callable[[Request], JsonObject], Sequence[str], Sequence[str]]] = {
    "new": (_new, ("game", "players"), ("options", "seed")),
    "actions": (_actions, ("position",), ("game", "offset", "limit")),
    "play": (_play, ("position", "action"), ("game",)),
    "legal": (_legal, ("position", "action"), ("game",)),
    "chance": (_chance, ("position",), ("game",)),
    "throw": (_throw, ("position",), ("game", "seed")),
    "playout": (_playout, ("position",), ("game", "seed")),
    "score": (_score, ("position",), ("game",)),
    "advise": (_advise, ("position",), ("game", "level", "seed")),
    "solve": (_solve, ("position",), ("game", "lines")),
    "public": (_public, ("position",), ("game", "viewer")),
}
"""What may be asked, by the word after "do": the answer, the keys that it needs, and those that it may have."""


def _engine(name: Json) -> AnyEngine:
    game = read(name, str, '"game"')
    if game not in ENGINES:
        raise BadRequestError(f"unknown game {quote(game)}; there are: {', '.join(ENGINES)}")
    return ENGINES[game]


def _position(asked: Request) -> tuple[AnyEngine, Any]:
    """Read the position with the engine of its game: named by it, else by the request, else guessed from its keys."""
    named = asked.position.get("game", game_of(asked.position) if asked.game is msgspec.UNSET else asked.game)
    if named is None:
        raise BadRequestError('the position lacks "game", and its keys are no known game\'s')
    engine = _engine(named)
    return engine, engine.game.position_from_json(asked.given(asked.position))


def _state(engine: AnyEngine, position: Any, events: Sequence[Event]) -> JsonObject:
    written = engine.game.position_to_json(position)
    return {"position": written, "events": [event.to_json() for event in events], **_standing(engine, position)}


def _standing(engine: AnyEngine, position: Any) -> JsonObject:
    score: JsonObject = dict(engine.game.score(position).items())
    over, won = engine.game.over(position), engine.game.winners(position)
    return {"score": score, "over": over, "winners": list(won), "to_act": engine.game.to_act(position)}
