"""Royal Racers in one line of text, for logs and for users: a parser and a printer for positions and actions.

A position is these words: the players, whose turn it is, round/last round, the expected action, terms, rows of cards
from the top, and for each player the pawn's space, the flags touched and the flags in order, the start space last:

    suns,moons suns 3/300 flip=3 flags=5 AC3h.../... C2:1:B2.E2.E5.B5.C3 D4:0:E5...

A card is its rank and the initial of its suit, a capital if it is face up ("7H", "Ah" an ace face down). The expected
action is start, flag, roll, flip=3, move=null, deal or over. The flag variant adds "+variant" to the terms, the
optional flip "+optional". A campaign adds two words: its races with the coins of the earlier ones, and the later
layouts:

    races=3:5.2,3.5 coming=9C3h...;...

The last word, if there are any, is the face-down spaces whose face everybody has seen: "seen=B4.A1".

An action is "start C3", "flag B2", "roll 3", "roll null", "flip B4", "step C2", "pass" or "deal 9C3H...".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engines.decode import matched
from engines.grid import Bitboard, CellIndex
from engines.kernel import BadRequestError, Json, JsonObject
from engines.royal_racers.board import NAMES, SIZE, Layout, short_name
from engines.royal_racers.codec import ACTIONS, position_from_json
from engines.royal_racers.position import NULL_ROLL, Action, Deal, Phase, Position

_FORM = re.compile(
    r"(?P<players>\S+) (?P<turn>\S+) (?P<round>[0-9]{1,6})/(?P<rounds>[0-9]{1,6}) "
    r"(?P<phase>[a-z]+)(=(?P<rolled>[1-5]|null))? flags=(?P<flags>[0-9])"
    r"(?P<variant>\+variant)?(?P<optional>\+optional)? "
    r"(?P<cards>[A-Za-z0-9/]+)(?P<racers>( [A-F1-6-]+:[0-9]:[A-F1-6.]*)+)"
    r"( races=(?P<races>[0-9]{1,2}):(?P<coins>[0-9.,]*) coming=(?P<coming>[A-Z0-9;]*))?"
    r"( seen=(?P<seen>[A-F1-6.]+))?"
)
_SUIT_OF = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_A_CARD = re.compile(r"[A2-9][CDHS]", re.IGNORECASE)
_NOWHERE = "-"


def write_position(position: Position) -> str:
    """Return a position as text."""
    terms = position.terms
    text = _write_cards(position.cards, position.down)
    pawns = [NAMES[cell] for cell in position.pawns] + [_NOWHERE] * (len(position.players) - len(position.pawns))
    rolled = "null" if position.rolled == NULL_ROLL else position.rolled
    words = [
        ",".join(position.players),
        position.turn,
        f"{position.round}/{terms.rounds}",
        position.phase if rolled is None else f"{position.phase}={rolled}",
        f"flags={terms.flags}"
        + ("+variant" if terms.flag_variant else "")
        + ("+optional" if terms.optional_flip else ""),
        "/".join(text[first : first + 2 * SIZE] for first in range(0, len(text), 2 * SIZE)),
        *(
            f"{pawn}:{touched}:{_write_cells(flags)}"
            for pawn, touched, flags in zip(pawns, position.touched, position.flags, strict=True)
        ),
    ]
    if terms.races > 1:
        words.append(f"races={terms.races}:" + ",".join(".".join(map(str, race)) for race in position.coins))
        words.append("coming=" + ";".join(_write_cards(cards) for cards in position.coming))
    if position.seen:
        words.append("seen=" + _write_cells(position.seen))
    return " ".join(words)


def _write_cells(cells: Iterable[CellIndex]) -> str:
    return ".".join(NAMES[cell] for cell in cells)


def _write_cards(cards: Layout, down: Bitboard = 0) -> str:
    names = map(short_name, cards)
    return "".join(name[0] + name[1].lower() if down >> space & 1 else name for space, name in enumerate(names))


def read_position(text: str) -> Position:
    """Parse a position; raise `BadRequestError` for any other text."""
    form = matched(_FORM, text, "a position is written as players, turn, round, phase, terms, cards, racers")
    # 1. a word for each player, and in each earlier race a coin
    players = form["players"].split(",")
    racers = [word.split(":") for word in form["racers"].split()]
    if len(racers) != len(players):
        raise BadRequestError(f"there must be a word for each of the {len(players)} racers, not {len(racers)}")
    races = [race.split(".") for race in (form["coins"] or "").split(",") if race]
    for race in races:
        if len(race) != len(players) or not all(race):
            raise BadRequestError(f"a race gives each of {len(players)} players a coin, not {'.'.join(race)[:20]!r}")
    pawns, touched, flags = (dict(zip(players, part, strict=True)) for part in zip(*racers, strict=True))
    # 2. the cards of the grid
    rows = form["cards"].split("/")
    if len(rows) != SIZE or any(len(row) != 2 * SIZE for row in rows):
        raise BadRequestError(f"the grid has {SIZE} rows of {SIZE} cards, not {form['cards'][:40]!r}")
    return position_from_json({
        "players": players,
        "turn": form["turn"],
        "round": int(form["round"]),
        "await": None if form["phase"] == Phase.OVER else form["phase"],
        "over": form["phase"] == Phase.OVER,
        "rolled": int(form["rolled"]) if (form["rolled"] or "").isdecimal() else form["rolled"],
        "cards": dict(zip(NAMES, _read_cards("".join(rows)), strict=True)),
        "flags": {seat: names.split(".") if names else [] for seat, names in flags.items()},
        "touched": {seat: int(number) for seat, number in touched.items()},
        "pawns": {seat: name for seat, name in pawns.items() if name != _NOWHERE},
        "terms": {
            "flags": int(form["flags"]),
            "flag_variant": form["variant"] is not None,
            "optional_flip": form["optional"] is not None,
            "rounds": int(form["rounds"]),
            "races": int(form["races"] or 1),
        },
        "coins": {seat: [int(race[place]) for race in races] for place, seat in enumerate(players)},
        "coming": [_names_of(cards) for cards in (form["coming"] or "").split(";") if cards],
        "seen": form["seen"].split(".") if form["seen"] else [],
    })  # fmt: skip


def _read_cards(text: str) -> list[JsonObject]:
    """Parse cards without separators, in the form of those on the grid."""
    words = [text[first : first + 2] for first in range(0, len(text), 2)]
    for word in words:
        matched(_A_CARD, word, 'a card is written like "7H" or "Ah"')
    return [{"card": f"{word[0].upper()}-{_SUIT_OF[word[1].upper()]}", "up": word[1].isupper()} for word in words]


def _names_of(text: str) -> list[Json]:
    return [card["card"] for card in _read_cards(text)]


def write_action(action: Action) -> str:
    """Return an action as text."""
    return f"deal {_write_cards(action.cards)}" if isinstance(action, Deal) else ACTIONS.write(action)


def read_action(text: str) -> Action:
    """Parse an action; raise `BadRequestError` for any other text."""
    verb, _, what = text.partition(" ")
    return ACTIONS.from_json({"deal": _names_of(what)}) if verb == "deal" else ACTIONS.read(text)
