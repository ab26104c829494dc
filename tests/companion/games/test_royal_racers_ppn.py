"""A race in Portable Piecepack Notation: read back token by token, it comes to the same table."""

from __future__ import annotations

import re
from collections import defaultdict
from random import Random

import pytest

from companion.games.bundle import Turn
from companion.games.royal_racers.ppn import write_ppn
from engines.kernel import Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import NAMES, card_name
from engines.royal_racers.position import Position

_SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
_PLACE = re.compile(r"[a-f][1-6]")


def played(seed: int, **options: int) -> list[Turn]:
    random, turns = Random(seed), list[Turn]()
    position = GAME.new(["suns", "moons"], {"flags": 3, **options}, seed)
    while not GAME.over(position):
        chance = GAME.to_act(position) == "dice"
        action = GAME.throw(position, random) if chance else GAME.any_action(position, random)
        outcome = GAME.after(position, action)
        turns.append(Turn(len(turns) + 1, position.turn, action, position, outcome))
        position = outcome.position
    return turns


def read(race: str) -> dict[str, list[str]]:
    """Do what the moves of a race say; return the pieces on each place from the bottom."""
    header, movetext = race.split("...\n", 1)
    assert header.startswith("Event: ")
    table: dict[str, list[str]] = defaultdict(list)
    for token in re.sub(r"\{[^{}]*\}", "", movetext).split():
        if re.fullmatch(r"\w+\.+", token):
            continue
        if "@" in token:
            piece, place = token.split("@")
            table[place].append(piece)
        elif token.startswith("*"):
            table[token[1:]].pop()
        elif "=" in token:
            place, piece = token.split("=")
            table[place][-1] = piece
        else:
            here, there = token.split("-")
            table[there].append(table[here].pop())
        assert all(map(_PLACE.fullmatch, table))
    return table


def shown(position: Position) -> dict[str, list[str]]:
    """Return what has to lie on each place."""
    table = {}
    for cell, name in enumerate(NAMES):
        rank, suit = card_name(position.cards[cell]).split("-")
        sign = next(sign for sign, called in _SUITS.items() if called == suit)
        side = "b" if position.down >> cell & 1 else ""
        pieces = [f"t{side}{sign}{rank.lower()}"]
        for owner, flags in enumerate(position.flags):
            pieces += [f"t{'SM'[owner]}{'na2345'[place + 1]}" for place, flag in enumerate(flags) if flag == cell]
        pieces += [f"p{'SM'[place]}" for place, pawn in enumerate(position.pawns) if pawn == cell]
        table[f"{name[0].lower()}{7 - int(name[1:])}"] = pieces
    return table


@pytest.mark.parametrize("seed", range(6))
def test_a_race_that_is_read_back_ends_with_the_same_table(seed: int) -> None:
    turns = played(seed, rounds=30)
    [_nothing, race] = write_ppn(turns, {}).split("---\n")
    assert read(race) == shown(turns[-1].after)


def test_each_race_of_a_campaign_is_a_game_and_names_are_quoted() -> None:
    written = write_ppn(played(1, rounds=5, races=2), {Seat("suns"): 'An{n}a: "x"'})
    assert written.count("---\n") == 2 and "Event: Royal Racers, race 2" in written
    assert 'Player1: "An{n}a: \\"x\\""' in written
    assert "{Anna:" in written
