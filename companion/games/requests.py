"""The engines for programs: one request in, one answer out, as the public protocol has it. Pure, for any game.

Its sentences are read by programs, hence English in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from companion.games import GAMES
from engines.decode import as_list, as_number, as_object, as_text, member, quote
from engines.kernel import BadRequestError, Event, Game, Json, JsonObject, Refusal, Seat

_Engine: TypeAlias = Game[Any, Any]

_LARGEST_SEED = 2**63 - 1


def answer(request: Json) -> JsonObject:
    """Answer a request; one that cannot be answered gets {"error", "code"} and never an exception."""
    try:
        asked = as_object(request, "a request")
        do = as_text(member(asked, "do", "a request"), '"do"')
        if do not in _ANSWERS:
            raise BadRequestError(f'"do" must be one of {", ".join(_ANSWERS)}, not {quote(do)}')
        return _ANSWERS[do](asked)
    except BadRequestError as error:
        return bad_request(str(error))


def bad_request(sentence: str) -> JsonObject:
    """Answer something that is no request."""
    return {"error": sentence, "code": "bad-request"}


def _new(asked: JsonObject) -> JsonObject:
    engine = _engine(member(asked, "game", "a request for a new game"))
    named = as_list(member(asked, "players", "a request for a new game"), '"players"')
    players = [Seat(as_text(name, "a player")) for name in named]
    options = as_object(asked.get("options", {}), '"options"')
    seed = as_number(asked.get("seed", 0), '"seed"', 0, _LARGEST_SEED)
    return _state(engine, engine.new(players, options, seed), ())


def _actions(asked: JsonObject) -> JsonObject:
    engine, position = _position(asked)
    return {"actions": list(engine.actions_to_json(position)), **_standing(engine, position)}


def _play(asked: JsonObject) -> JsonObject:
    engine, position = _position(asked)
    action = engine.action_from_json(member(asked, "action", "a request to play"))
    outcome = engine.play(position, action)
    if isinstance(outcome, Refusal):
        return _illegal(outcome)
    return _state(engine, outcome.position, outcome.events)


def _score(asked: JsonObject) -> JsonObject:
    engine, position = _position(asked)
    return _standing(engine, position)


_ANSWERS: Mapping[str, Callable[[JsonObject], JsonObject]] = {
    "new": _new,
    "actions": _actions,
    "play": _play,
    "score": _score,
}


def _engine(name: Json) -> _Engine:
    game = as_text(name, '"game"')
    if game not in GAMES:
        raise BadRequestError(f"unknown game {quote(game)}; there are: {', '.join(GAMES)}")
    return GAMES[game].engine


def _position(asked: JsonObject) -> tuple[_Engine, Any]:
    """Read the position with the engine of the game that it, or else the request, names."""
    given = as_object(member(asked, "position", "this request"), '"position"')
    engine = _engine(given["game"] if "game" in given else member(asked, "game", "the position"))
    return engine, engine.position_from_json(given)


def _state(engine: _Engine, position: Any, events: Sequence[Event]) -> JsonObject:
    written = engine.position_to_json(position)
    return {"position": written, "events": [event.to_json() for event in events], **_standing(engine, position)}


def _standing(engine: _Engine, position: Any) -> JsonObject:
    score: JsonObject = dict(engine.score(position).items())
    return {"score": score, "over": engine.over(position), "to_act": engine.to_act(position)}


def _illegal(refusal: Refusal) -> JsonObject:
    sentence = f"the rules forbid this: {refusal.code} (paragraph {refusal.rule}) {' '.join(refusal.cells)}"
    return {
        "error": sentence.rstrip(),
        "code": "illegal",
        "reason": refusal.code,
        "rule": refusal.rule,
        "cells": list(refusal.cells),
    }
