"""The engines for programs: one request in, one answer out, as the public protocol has it. Pure, for any game.

Its sentences are read by programs, hence English in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from companion.games.engines import ENGINES, AnyEngine, game_of
from engines.decode import ReadKeys, as_flag, as_list, as_number, as_object, as_text, member, quote
from engines.kernel import BadRequestError, Event, Json, JsonObject, Level, Refusal, Seat

_LARGEST_SEED = 2**63 - 1
_MOST_ACTIONS = 1_000_000
_MOST_LINES = 1000


def answer(request: Json) -> JsonObject:
    """Answer a request; one that cannot be answered gets {"error", "code"} and never an exception.

    Keys that mean nothing in a request, its position, options or action are ignored, or refused if it has
    "strict": true.
    """
    try:
        asked = ReadKeys(as_object(request, "a request"))
        do = as_text(member(asked, "do", "a request"), '"do"')
        if do not in ANSWERS:
            raise BadRequestError(f'"do" must be one of {", ".join(ANSWERS)}, not {quote(do)}')
        answered = ANSWERS[do](asked)
        if _is_strict(asked):
            asked.refuse_unread(f'a request with "do": "{do}"')
    except BadRequestError as error:
        return bad_request(str(error))
    return answered


def _is_strict(asked: JsonObject) -> bool:
    return as_flag(asked.get("strict", False), '"strict"')


def bad_request(sentence: str) -> JsonObject:
    """Answer something that is not a request."""
    return {"error": sentence, "code": "bad-request"}


def _new(asked: JsonObject) -> JsonObject:
    engine = _engine(member(asked, "game", "a request for a new game"))
    named = as_list(member(asked, "players", "a request for a new game"), '"players"')
    players = [Seat(as_text(name, "a player")) for name in named]
    options = ReadKeys(as_object(asked.get("options", {}), '"options"'))
    position = engine.game.new(players, options, as_number(asked.get("seed", 0), '"seed"', 0, _LARGEST_SEED))
    if _is_strict(asked):
        options.refuse_unread('"options"')
    return _state(engine, position, ())


def _actions(asked: JsonObject) -> JsonObject:
    """List the legal actions; with "limit", that many of them from "offset" on, and how many there are in all."""
    engine, position = _position(asked)
    listed = engine.game.actions_to_json(position)
    if "limit" not in asked and "offset" not in asked:
        return {"actions": listed, **_standing(engine, position)}
    first = as_number(asked.get("offset", 0), '"offset"', 0, _MOST_ACTIONS)
    size = as_number(asked.get("limit", _MOST_ACTIONS), '"limit"', 0, _MOST_ACTIONS)
    return {"actions": list(listed[first : first + size]), "count": len(listed), **_standing(engine, position)}


def _play(asked: JsonObject) -> JsonObject:
    engine, position = _position(asked)
    given = ReadKeys(as_object(member(asked, "action", "a request to play"), f"an action of {engine.game.name}"))
    action = engine.game.action_from_json(given)
    if _is_strict(asked):
        given.refuse_unread("the action")
    outcome = engine.game.play(position, action)
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


def _legal(asked: JsonObject) -> JsonObject:
    """Return whether the rules allow an action; one of chance is an action too."""
    engine, position = _position(asked)
    given = as_object(member(asked, "action", "a request to judge"), f"an action of {engine.game.name}")
    return {"legal": engine.game.is_legal(position, engine.game.action_from_json(given))}


def _chance(asked: JsonObject) -> JsonObject:
    """Return what chance may do, each with its probability; nothing if it is not next."""
    engine, position = _position(asked)
    outcomes = engine.game.chance_outcomes(position)
    return {"outcomes": [{"action": engine.game.action_to_json(each), "probability": p} for each, p in outcomes]}


def _throw(asked: JsonObject) -> JsonObject:
    """Return what chance does, the same for the same "seed"."""
    engine, position = _position(asked)
    if engine.game.to_act(position) != "dice":
        raise BadRequestError("no throw is expected in this position")
    return {"action": engine.game.action_to_json(engine.game.throw(position, _random(asked)))}


def _playout(asked: JsonObject) -> JsonObject:
    """Play on with random decisions, the same for the same "seed", and return the end."""
    engine, position = _position(asked)
    return _state(engine, engine.game.playout(position, _random(asked)), ())


def _random(asked: JsonObject) -> Random:
    return Random(as_number(asked.get("seed", 0), '"seed"', 0, _LARGEST_SEED))  # noqa: S311 - no secret


def _score(asked: JsonObject) -> JsonObject:
    engine, position = _position(asked)
    return _standing(engine, position)


def _advise(asked: JsonObject) -> JsonObject:
    """Propose an action, "strong" unless "level" says otherwise; null if no action is expected from anybody.

    With "seed" what a computer of that level plays, an easy one without weighing every decision.
    """
    engine, position = _position(asked)
    value = asked.get("level", Level.STRONG.value)
    if value not in tuple(Level):
        raise BadRequestError(f'"level" must be one of {", ".join(Level)}, not {quote(value)}')
    level = Level(str(value))
    advice = engine.decide(position, level, _random(asked)) if "seed" in asked else engine.advise(position, level=level)
    if advice is None:
        return {"action": None, "code": "nothing-to-decide", "numbers": {}, "value": None}
    action = engine.game.action_to_json(advice.action)
    return {"action": action, "code": advice.code, "numbers": dict(advice.numbers), "value": advice.value}


def _solve(asked: JsonObject) -> JsonObject:
    """Return the fewest steps and one best line; with "lines" as many of the best lines."""
    engine, position = _position(asked)
    if engine.solve is None:
        raise BadRequestError(f"{engine.game.name} is not a puzzle to solve")
    return engine.solve(position, as_number(asked.get("lines", 0), '"lines"', 0, _MOST_LINES))


def _public(asked: JsonObject) -> JsonObject:
    """Return what may be shown to a player, or to anybody if "viewer" names none."""
    engine, position = _position(asked)
    players = engine.game.score(position)
    viewer = None if asked.get("viewer") is None else Seat(as_text(asked["viewer"], '"viewer"'))
    if viewer is not None and viewer not in players:
        raise BadRequestError(f'"viewer" must be null or one of {", ".join(players)}, not {quote(asked["viewer"])}')
    if engine.public is None:
        return {"public": engine.game.position_to_json(position)}
    return {"public": engine.public(position, viewer)}


ANSWERS: Mapping[str, Callable[[JsonObject], JsonObject]] = {
    "new": _new,
    "actions": _actions,
    "play": _play,
    "legal": _legal,
    "chance": _chance,
    "throw": _throw,
    "playout": _playout,
    "score": _score,
    "advise": _advise,
    "solve": _solve,
    "public": _public,
}
"""What may be asked, by the word after "do"."""


def _engine(name: Json) -> AnyEngine:
    game = as_text(name, '"game"')
    if game not in ENGINES:
        raise BadRequestError(f"unknown game {quote(game)}; there are: {', '.join(ENGINES)}")
    return ENGINES[game]


def _position(asked: JsonObject) -> tuple[AnyEngine, Any]:
    """Read the position with the engine of its game: named by it, else by the request, else guessed from its keys."""
    given = as_object(member(asked, "position", "this request"), '"position"')
    named = given.get("game", asked.get("game", game_of(given)))
    if named is None:
        raise BadRequestError('the position lacks "game", and its keys are no known game\'s')
    engine, read = _engine(named), ReadKeys(given)
    position = engine.game.position_from_json(read)
    if _is_strict(asked):
        read.refuse_unread("the position", engine.game.position_to_json(position).keys())
    return engine, position


def _state(engine: AnyEngine, position: Any, events: Sequence[Event]) -> JsonObject:
    written = engine.game.position_to_json(position)
    return {"position": written, "events": [event.to_json() for event in events], **_standing(engine, position)}


def _standing(engine: AnyEngine, position: Any) -> JsonObject:
    score: JsonObject = dict(engine.game.score(position).items())
    over, won = engine.game.over(position), engine.game.winners(position)
    return {"score": score, "over": over, "winners": list(won), "to_act": engine.game.to_act(position)}
