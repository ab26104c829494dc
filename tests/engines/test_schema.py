"""Values read by their declared types: what does not fit is one sentence of ours, never one of msgspec's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from companion.games.engines import ENGINES
from engines import royal_ur
from engines.decode import Given
from engines.kernel import BadRequestError, Json, seats
from engines.schema import by_seat, named_like, read
from engines.sentence import unexpected
from tests.evaluate.advisers import SEATS

GAMES = [(ENGINES[name].game, seats(players)) for name, players in SEATS.items()]
POSITIONS = [(game, game.position_to_json(game.new(players, {}, 7))) for game, players in GAMES]


class Thing(msgspec.Struct, forbid_unknown_fields=True):
    """Something with every kind of bound."""

    number: Annotated[int, Meta(ge=1, le=3)] | None
    cells: Annotated[tuple[Annotated[str, named_like("C3")], ...], Meta(max_length=2)] = ()
    way: Literal["up", "down"] = "up"
    kind: Literal["thing"] = "thing"
    inner: dict[str, Thing] = {}
    name: str | None = ""
    is_new: bool = False


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (3, "it must be an object, not 3"),
        ({}, 'it lacks "number"'),
        ({"number": 1, "size": 2}, 'it has no "size"; there are: number, cells, way, kind, inner, name, is_new'),
        ({"number": 4}, '"number" must be a whole number from 1 to 3 or null, not 4'),
        ({"number": True}, '"number" must be a whole number from 1 to 3 or null, not true'),
        ({"number": 1, "cells": ["A1", "c3"]}, 'entry 2 of "cells" must be a space named like "C3", not "c3"'),
        ({"number": 1, "cells": ["A1\n"]}, 'entry 1 of "cells" must be a space named like "C3", not "A1\\n"'),
        ({"number": 1, "cells": ["A1"] * 3}, '"cells" must be a list of 0 to 2, not ["A1", "A1", "A1"]'),
        ({"number": 1, "way": "left"}, '"way" must be one of down, up, not "left"'),
        ({"number": 1, "name": 3}, '"name" must be a text or null, not 3'),
        ({"number": 1, "is_new": 1}, '"is_new" must be true or false, not 1'),
        ({"number": 1, "cells": "A1"}, '"cells" must be a list'),
        ({"number": 1, "inner": []}, '"inner" must be an object, not []'),
        ({"number": 1.0}, '"number" must be a whole number from 1 to 3 or null, not 1.0'),
        ({"number": 1, "kind": "way"}, '"kind" must be "thing", not "way"'),
        ({"number": 1, "inner": {"a": {"number": 9}}}, '"number" of "inner" of a must be a whole number from 1 to 3'),
        ({"number": 1, "inner": {"a": {}}}, '"inner" of a lacks "number"'),
        ({"number": 1, "inner": {"\x1b\n": {}}}, '"inner" of "\\u001b\\n" lacks "number"'),
    ],
)
def test_what_does_not_fit_is_named_with_its_place_and_what_was_expected(data: Json, sentence: str) -> None:
    with pytest.raises(BadRequestError) as caught:
        read(data, Thing, "it")
    assert str(caught.value).startswith(sentence)


def test_unknown_keys_of_parts_are_left_out_and_refused_only_on_request() -> None:
    part: Mapping[str, Json] = {"number": 1, "inner": {"a": {"number": 2, "size": 3}}}
    assert read(Given({**part, "size": 2}), Thing, "it") == Thing(number=1, inner={"a": Thing(number=2)})
    with pytest.raises(BadRequestError, match='"inner" of a has no "size"; there are: number'):
        read(Given(part, strict=True), Thing, "it")
    with pytest.raises(BadRequestError, match='it has no "size"; there are: number'):
        read(Given({"number": 1, "size": 2}, strict=True), Thing, "it")


def test_every_player_has_something_and_nobody_else() -> None:
    players = tuple(royal_ur.GAME.new(["white", "black"], {}, 0).players)
    assert by_seat({players[1]: 2, players[0]: 1}, players, "points") == (1, 2)
    with pytest.raises(BadRequestError, match='"points" lacks "black"'):
        by_seat({players[0]: 1}, players, "points")


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_no_sentence_about_a_position_is_msgspecs_own(data: st.DataObject) -> None:
    game, start = data.draw(st.sampled_from(POSITIONS), "position")
    position: Mapping[str, Json] = {**start, data.draw(st.sampled_from(sorted(start)), "key"): data.draw(ANY_JSON)}
    try:
        game.position_from_json(position)
    except BadRequestError as error:
        assert "`" not in str(error).split(", not ")[0]
        assert "\n" not in str(error)


def test_a_long_value_is_shortened_in_the_sentence_about_it() -> None:
    shown = str(unexpected("name", "a text", ["x" * 500])).removeprefix("name: expected a text, found ")
    assert shown == json.dumps(["x" * 500])[: len(shown) - 3] + "..."
    assert 70 <= len(shown) <= 90
