"""The Royal Study in one line of text, for logs and for users: a parser and a printer for positions and actions.

A bare puzzle is three words: level, pieces, and the cards to meet, "-" for none, "+" between two, "!" after one that
was met:

    2 KQB/N../R.. RNK/..Q/..B

A match has more words, each with its name before it. A printed card follows its picture: number, "f" or "b" for its
side, quarter turns clockwise. "began" is the pieces and the cards when the execution began:

    1 KQB/N../R.. QRK/..N/B..=17f0 white=0,black=2 await=call turn=white round=3 call=- steps=0 began=- deck=5,3,40
    options={"bonus":false,...}

An action is a line such as "N A2-C3", "turn cw 0", "mirror left-right 1", "draw 17 f0", "call 4 white", "give-up".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from engines.decode import matched, parse_json
from engines.kernel import BadRequestError, Json
from engines.royal_study.action_codec import action_from_json
from engines.royal_study.codec import position_from_json, position_to_json
from engines.royal_study.placement import write_placement
from engines.royal_study.position import (
    Action,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Puzzle,
    Say,
    Turning,
    puzzle_of,
)

_NONE = "-"
_SIDES = {"f": "face", "b": "back"}
_PUZZLE = re.compile(r"(?P<level>[0-9]) (?P<pieces>\S+) (?P<targets>\S+)")
_MATCH = re.compile(
    _PUZZLE.pattern + r" (?P<points>\S+) await=(?P<awaits>\S+) turn=(?P<turn>\S+) round=(?P<round>[0-9]{1,5})"
    r" call=(?P<call>\S+) steps=(?P<steps>[0-9]{1,3}) began=(?P<began>\S+) deck=(?P<deck>\S+) options=(?P<options>.+)"
)
_TARGET = re.compile(r"(?P<picture>[^=!]+)(=(?P<number>[0-9]{1,5})(?P<side>[fb])(?P<turns>[0-3]))?(?P<done>!?)")
_POINTS = re.compile(r"(?P<player>[^=]+)=(?P<points>[0-9]{1,3})")
_CALL = re.compile(r"(?P<player>[^:]+):(?P<number>[0-9]{1,3})")
_NUMBER = re.compile(r"(?P<number>[0-9]{1,5})")
_ACTIONS = (
    (re.compile(r"(?P<move>\S) (?P<from>\S+)-(?P<to>\S+)"), ()),
    (re.compile(r"turn (?P<turn>\S+) (?P<target>[0-9])"), ("target",)),
    (re.compile(r"mirror (?P<mirror>\S+) (?P<target>[0-9])"), ("target",)),
    (re.compile(r"draw (?P<draw>[0-9]{1,5}) (?P<side>[fb])(?P<turns>[0-3])"), ("draw", "turns")),
    (re.compile(r"call (?P<call>[0-9]{1,3}) (?P<by>\S+)"), ("call",)),
)


def write_position(position: Position) -> str:
    """Return a position as text."""
    puzzle = puzzle_of(position)
    line = f"{puzzle.level} {write_placement(puzzle.pieces)} {_write_targets(puzzle)}"
    if not isinstance(position, Match):
        return line
    match, begun = position, position.begun
    points = ",".join(f"{seat}={has}" for seat, has in zip(match.players, match.points, strict=True))
    call = _NONE if match.caller is None else f"{match.caller}:{match.called}"
    began = f"{write_placement(begun.pieces)},{_write_targets(begun)}" if begun else _NONE
    deck = ",".join(map(str, match.deck)) or _NONE
    options = json.dumps(position_to_json(match)["options"], separators=(",", ":"))
    return (
        f"{line} {points} await={match.awaits.value} turn={match.turn} round={match.round} call={call}"
        f" steps={match.used} began={began} deck={deck} options={options}"
    )


def _write_targets(puzzle: Puzzle) -> str:
    words = []
    for target in puzzle.targets:
        card = f"={_write_card(target.card)}" if target.card else ""
        words.append(f"{write_placement(target.picture)}{card}{'!' if target.done else ''}")
    return "+".join(words) or _NONE


def _write_card(card: Card) -> str:
    return f"{card.number}{card.side[0]}{card.turns}"


def read_position(text: str) -> Position:
    """Parse a position; raise `BadRequestError` for any other text."""
    if form := _PUZZLE.fullmatch(text):
        return position_from_json(_read_puzzle(form["pieces"], form["targets"], int(form["level"])))
    form = matched(_MATCH, text, 'a position is written like "2 KQB/N../R.. RNK/..Q/..B"')
    points = [_match(_POINTS, word, "a player's points") for word in form["points"].split(",")]
    call = {} if form["call"] == _NONE else _match(_CALL, form["call"], "a call")
    deck = [] if form["deck"] == _NONE else form["deck"].split(",")
    begun, over = form["began"].partition(","), form["awaits"] == "nothing"
    return position_from_json({
        **_read_puzzle(form["pieces"], form["targets"], int(form["level"])),
        "players": [word["player"] for word in points],
        "points": {word["player"]: int(word["points"]) for word in points},
        "await": None if over else form["awaits"],
        "turn": form["turn"],
        "round": int(form["round"]),
        "call": {"player": call["player"], "number": int(call["number"])} if call else None,
        "steps": int(form["steps"]),
        "began": None if form["began"] == _NONE else _read_puzzle(begun[0], begun[2], 0),
        "deck": [int(_match(_NUMBER, word, "a number")["number"]) for word in deck],
        "options": parse_json(form["options"], "what follows options="),
        "over": over,
    })  # fmt: skip


def _read_puzzle(pieces: str, targets: str, level: int) -> dict[str, Json]:
    words = [] if targets == _NONE else [_match(_TARGET, word, "a card") for word in targets.split("+")]
    return {
        "pieces": pieces,
        "targets": [word["picture"] for word in words],
        "cards": [
            {"number": int(word["number"]), "side": _SIDES[word["side"]], "turns": int(word["turns"])}
            for word in words
            if word["number"]
        ],
        "done": [place for place, word in enumerate(words) if word["done"]],
        "level": level,
    }


def _match(form: re.Pattern[str], text: str, what: str) -> Mapping[str, str]:
    found = form.fullmatch(text)
    if found is None:
        raise BadRequestError(f"{what} cannot be written {text[:40]!r}")
    return found.groupdict()


def write_action(action: Action) -> str:
    """Return an action as text."""
    match action:
        case Move(piece, start, end):
            return f"{piece.value} {start}-{end}"
        case Turning(way, target):
            return f"{'mirror' if way.mirrors else 'turn'} {way.value} {target}"
        case Draw(card):
            return f"draw {card.number} {_write_card(card)[-2:]}"
        case Call(number, by):
            return f"call {number} {by}"
        case Say():
            return action.value


def read_action(text: str) -> Action:
    """Parse an action; raise `BadRequestError` for any other text."""
    for form, numbers in _ACTIONS:
        if found := form.fullmatch(text):
            words = found.groupdict()
            sides = {"side": _SIDES[words["side"]]} if "side" in words else {}
            return action_from_json({**words, **sides, **{key: int(words[key]) for key in numbers}})
    if text in tuple(Say):
        return Say(text)
    raise BadRequestError(f'an action is written like "N A2-C3", "turn cw 0" or "give-up", not {text[:40]!r}')
