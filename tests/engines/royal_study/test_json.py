"""Input that is no position, action or option: one sentence that says what, where and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given

from engines.royal_study import GAME, notation
from engines.royal_study.position import Match, Puzzle
from tests.engines.royal_study.strategies import puzzles

PUZZLE: Mapping[str, Any] = {"pieces": "KQB/N../R..", "targets": ["RNK/..Q/..B"], "level": 2}
MATCH: Mapping[str, Any] = {
    "game": "royal-study",
    "pieces": "KQB/N../R..",
    "targets": [".../NKQ/.RB"],
    "cards": [{"number": 17, "side": "face", "turns": 0}],
    "level": 1,
    "players": ["white", "black"],
    "turn": "white",
    "await": "call",
    "round": 1,
    "points": {"white": 0, "black": 0},
    "call": None,
    "steps": 0,
    "began": None,
    "deck": [5, 9],
    "options": {"bonus": False, "points": 6, "hourglass": 60, "execution": None, "together": False, "deck": "dealt"},
    "over": False,
}
LAID: Mapping[str, Any] = {key: MATCH[key] for key in ("pieces", "targets", "cards")}
EXECUTION: Mapping[str, Any] = {
    **MATCH,
    "await": "execute",
    "call": {"player": "white", "number": 4},
    "steps": 1,
    "began": LAID,
}


def test_the_protocols_puzzle_is_a_position() -> None:
    puzzle = GAME.position_from_json(PUZZLE)
    assert isinstance(puzzle, Puzzle)
    assert GAME.position_to_json(puzzle) == {"game": "royal-study", **PUZZLE, "over": False}


@given(puzzles())
def test_only_moves_are_listed_while_pieces_are_moved_also_on_a_level_that_turns_cards(puzzle: Puzzle) -> None:
    listed = GAME.actions_to_json(puzzle)
    assert listed == [{"move": a["move"], "from": a["from"], "to": a["to"]} for a in listed]
    assert len(listed) == len([action for action in GAME.actions(puzzle) if "move" in GAME.action_to_json(action)])


REQUIRED = [
    *[(PUZZLE, key) for key in ("pieces", "targets", "level")],
    *[(MATCH, key) for key in ("turn", "await", "round", "points", "call", "steps", "began", "deck", "over")],
]

NO_PUZZLES = [
    (PUZZLE, *case)
    for case in [
        ({"game": "chess"}, '"game" must be "royal-study", not "chess"'),
        ({"pieces": "KQB/N../..."}, '"pieces" must have all five pieces; it lacks R'),
        ({"pieces": "KQB/.N./R.."}, '"pieces" has the knight on B2'),
        ({"level": 0}, '"level" must be a whole number from 1 to 3, not 0'),
        ({"targets": [".../.../..."]}, "target 0 must show at least one piece"),
        ({"targets": ["RNK/..Q/.B."]}, "has the bishop on edge squares and on others"),
        ({"targets": ["K../.../..."] * 3}, '"targets" must be a list of 0 to 2, not ["K../.../...", "K../.../...",'),
        ({"done": [1]}, 'a place of "done" must be a whole number from 0 to 0, not 1'),
        ({"players": ["white"]}, 'the position lacks "turn"'),
    ]
]


NO_POSITIONS = [
    *NO_PUZZLES,
    (MATCH, {"players": ["white", "white"]}, "each player can sit down only once: white, white"),
    (MATCH, {"players": ["white", "dice"]}, "a player must be one word"),
    (MATCH, {"players": ["a", "b", "c"]}, "royal-study has 2 players against each other, not 3"),
    (MATCH, {"turn": "green"}, '"turn" must be one of white, black, not "green"'),
    (MATCH, {"await": "nothing"}, '"await", where it is not null, must be one of start, card, call, challenge'),
    (MATCH, {"await": "challenge"}, '"call" must hold who has named which number'),
    (MATCH, {"await": "next"}, '"next" is awaited only when playing together'),
    (MATCH, {"await": "card"}, "no card is awaited: all targets are there"),
    (MATCH, {"await": "card", "targets": [], "cards": [], "deck": []}, "too few cards are left to wait for one"),
    (MATCH, {"await": "card", "targets": [], "cards": []}, "no card is awaited where the program deals"),
    (MATCH, {"await": "start"}, '"pieces" must be ".../.../..."'),
    (MATCH, {"call": {"player": "white", "number": 4}}, '"call" must be null: no number has been named'),
    (MATCH, {"round": 0}, '"round" must be a whole number from 1 to 120, not 0'),
    (MATCH, {"points": {"white": 0}}, '"points" lacks "black"'),
    (MATCH, {"points": {"white": 0, "black": 7}}, "the points of black must be a whole number from 0 to 6, not 7"),
    (MATCH, {"points": {"white": 0, "black": 6}}, "somebody has won: it must be over"),
    (MATCH, {"deck": [5, 5]}, '"deck" must have each card once'),
    (MATCH, {"deck": [5, 17]}, "a card cannot be drawn twice or lie in the deck too"),
    (MATCH, {"deck": [60]}, "a card of the deck must be a whole number from 0 to 59, not 60"),
    (MATCH, {"began": LAID}, '"began" must hold how the execution began'),
    (MATCH, {"done": [0]}, '"done" must be empty before the execution'),
    (MATCH, {"cards": []}, '"cards" must hold one card for each of 1 targets, not 0'),
    (MATCH, {"cards": [{"number": 18, "side": "face", "turns": 0}]}, "target 0 is not what card 18 shows"),
    (MATCH, {"cards": [{"number": 17, "side": "up", "turns": 0}]}, '"side" of entry 1 of "cards" must be one of face,'),
    (MATCH, {"cards": [{"side": "face", "turns": 0}]}, 'entry 1 of "cards" lacks "number"'),
    (MATCH, {"cards": [{"number": 17, "side": "face", "turn": 0}]}, 'entry 1 of "cards" lacks "turns"'),
    (MATCH, {"targets": [], "cards": []}, '"targets" must be 1 while this is awaited'),
    (MATCH, {"options": {"deck": "shuffled"}}, '"deck" of "options" must be one of dealt, table, not "shuffled"'),
    (MATCH, {"options": {"together": True}}, "nobody names a number when playing together"),
    (MATCH, {"over": True}, '"over" is true, but "await" is "call"'),
    (EXECUTION, {"steps": 4}, "this execution has ended already"),
    (EXECUTION, {"steps": 100}, '"steps" must be a whole number from 0 to 99, not 100'),
    (EXECUTION, {"call": None}, '"call" must hold who has named which number'),
    (EXECUTION, {"call": {"player": "green", "number": 4}}, "who has named a number must be one of white, black"),
    (EXECUTION, {"began": None}, '"began" must hold how the execution began'),
    (EXECUTION, {"began": {**LAID, "done": [0]}}, '"done" must be empty in "began"'),
    (EXECUTION, {"await": "challenge", "began": None}, '"turn" must be who has not named the number'),
    (EXECUTION, {"done": [0]}, "this execution has ended already"),
    (EXECUTION, {"pieces": ".../NKQ/.RB"}, '"done" must list every target that the pieces meet'),
]


NO_ACTIONS = [
    ([], "an action of royal-study must be an object, not []"),
    ({}, "an action of royal-study has one of move, turn, mirror, draw, call, challenge"),
    ({"move": "N", "turn": "cw"}, "an action of royal-study has one of"),
    ({"move": "P", "from": "A1", "to": "A2"}, '"move" must be one of K, Q, R, B, N, not "P"'),
    ({"move": "N", "from": "a1", "to": "A2"}, '"from" must be a space named like "A2", not "a1"'),
    ({"move": "N", "from": "A1"}, 'a move lacks "to"'),
    ({"move": "N", "from": "A1", "to": "A2", "by": "white"}, 'a move has no "by"; there are: move, from, to'),
    ({"turn": "left", "target": 0}, '"turn" must be one of cw, ccw, not "left"'),
    ({"turn": "cw"}, 'a turn lacks "target"'),
    ({"turn": "cw", "target": 2}, '"target" must be a whole number from 0 to 1, not 2'),
    ({"mirror": "cw", "target": 0}, '"mirror" must be one of left-right, top-bottom, not "cw"'),
    ({"draw": -1}, '"draw" must be a whole number from 0 to 9999, not -1'),
    ({"draw": 3, "turns": 4}, '"turns" must be a whole number from 0 to 3, not 4'),
    ({"call": 100, "by": "white"}, '"call" must be a whole number from 0 to 99, not 100'),
    ({"call": 4}, 'a call lacks "by"'),
]


# ---- notation


PUZZLE_LINE = "2 KQB/N../R.. RNK/..Q/..B+K../.../...!"
MATCH_LINE = (
    "1 KQB/N../R.. - white=0,black=2 await=card turn=white round=3 call=- steps=0 began=- deck=5,3"
    ' options={"deck":"table"}'
)


NO_LINES = [
    ("", "a position is written like"),
    ("KQB/N../R.. -", "a position is written like"),
    (PUZZLE_LINE.replace("+", "+!"), "a card cannot be written '!K"),
    (PUZZLE_LINE.replace("RNK", "RNX"), "target 0 must be three rows"),
    (MATCH_LINE.replace("white=0", "white"), "a player's points cannot be written 'white'"),
    (MATCH_LINE.replace("call=-", "call=white"), "a call cannot be written 'white'"),
    (MATCH_LINE.replace("deck=5", "deck=x"), "a number cannot be written 'x'"),
    (MATCH_LINE.replace("began=-", "began=x,-"), '"pieces" must be three rows'),
    (MATCH_LINE.replace('"deck":', ""), "what follows options= must be JSON"),
]


def test_the_lines_above_are_positions_when_nothing_is_changed() -> None:
    assert isinstance(notation.read_position(PUZZLE_LINE), Puzzle)
    assert isinstance(notation.read_position(MATCH_LINE), Match)


NO_ACTION_LINES = [
    (line,) for line in ["", "N A2", "N A2-", "turn cw", "turn up 0", "draw 5 x0", "call x white", "Challenge"]
]
