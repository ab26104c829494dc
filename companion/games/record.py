"""Game records: a whole game as text, and its replay against the rules. Pure, for any game.

    game: royal-ur
    format: 2
    about: a quiet evening
    players: white black
    names: {"white": "Anna", "black": "Ben"}
    options: {"throw_off": true}
    seed: 7

    # a line for the players
    roll 2
    move 0
    result: white 0, black 60

Headers come first: the game; the format (a record without it is of format 1, and converted); and either players (with
options, a JSON object, and a seed where they are not the usual ones) or a position to begin from. The players' names
are a JSON object, by player. Other headers are kept as they are. Then the actions in the game's notation, one a
line, and the points at the end; a game that goes on has no result. Read, but neither judged nor kept: lines that begin
with "#", blank ones, and what follows a ";" in the result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, TypeAlias

from companion.core.verdicts import Position
from companion.games.bundle import Turn
from companion.games.engines import ENGINES, FORMAT, AnyEngine
from companion.games.speech import SPEECHES
from companion.locale import _
from companion.ui.names import NO_NAMES, Names, points
from companion.ui.words import with_rule
from engines.decode import as_number, as_object, read_json
from engines.kernel import BadRequestError, Json, Refusal, Seat

SET_UP = ("players", "options", "seed", "position")
"""The headers that describe how the game begins."""

LARGEST_SEED = 2**63 - 1

_NAMES = "names"

_KEPT_BY_FIELD = ("game", "format")
"""The headers that a record stores as fields, not among its `headers`."""

_HEADER = re.compile(r"(?P<key>[a-z_-]+):(?: +(?P<value>.*))?")
_RESULT = "result"
_PLAYER = r"([\w-]+)[ =]([0-9]{1,9})"
_POINTS = re.compile(rf"{_PLAYER}(?:,? +{_PLAYER})*")
_LONGEST_QUOTE = 40

_Line: TypeAlias = tuple[int, str]
"""A line with content, and its number in the file."""


class RecordError(BadRequestError):
    """An error in the text of a record; the message is one sentence that begins with the line number."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(_("line {line}: {sentence}").format(line=line, sentence=sentence))
        self.line = line


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game, finished or not.

    Attributes:
        game: its name in commands.
        headers: the headers above the actions, in order, without game and format; `SET_UP` leads to `start`.
        start: the position before the first action.
        actions: the actions played; `replay` decides whether they were legal.
        result: each player's points at the end; None if the game is unfinished.
        names: the players' names, by seat.
        lines: the line number of each action in the text, then of the result; empty if the record was never a text.
    """

    game: str
    headers: Mapping[str, str]
    start: Any
    actions: tuple[Any, ...]
    result: Mapping[Seat, int] | None
    names: Names = field(default_factory=dict)
    lines: tuple[int, ...] = field(default=(), compare=False)

    @property
    def engine(self) -> AnyEngine:
        """The game's rules and notation."""
        return ENGINES[self.game]

    def line(self, place: int) -> int:
        """Return the line number of an action, counted from 0, or of the result, which follows the last action."""
        return self.lines[place] if place < len(self.lines) else place + 1


# ---- text


def read_record(text: str) -> GameRecord:
    """Parse a record.

    Raises:
        RecordError: it is not valid; the sentence names the line, what was expected and what was found.
    """
    # 1. the lines with content: headers, each once, and below them the actions, perhaps with a result
    written = enumerate(map(str.strip, text.splitlines()), 1)
    lines = [(number, line) for number, line in written if line and not line.startswith("#")]
    above = list(takewhile(_is_header, lines))
    below = lines[len(above) :]
    headers: dict[str, _Line] = {}
    for number, line in above:
        key, _colon, value = line.partition(":")
        if key in headers:
            raise RecordError(number, _('"{key}" appears twice').format(key=key))
        headers[key] = number, value.strip()
    # 2. the game, and the format: a record without this header is of format 1
    number, game = headers.get("game", (1, ""))
    if game not in ENGINES:
        sentence = _('expected "game:" and one of {games}, found "{found}"')
        raise RecordError(number, sentence.format(games=", ".join(ENGINES), found=_short(game)))
    number, written_in = headers.get("format", (1, "1"))
    if written_in not in [str(known) for known in range(1, FORMAT + 1)]:
        sentence = _('expected "format:" and a number from 1 to {newest}, found "{found}"')
        raise RecordError(number, sentence.format(newest=FORMAT, found=_short(written_in)))
    # 3. the beginning, the names, the actions and the points at the end
    start = _start(ENGINES[game], headers)
    players = ENGINES[game].game.score(start)
    names = _names(headers.pop(_NAMES), players) if headers.get(_NAMES, (0, ""))[1].startswith("{") else NO_NAMES
    last = below[-1] if below and _is_result(below[-1]) else None
    played = tuple(_action(ENGINES[game], line, int(written_in)) for line in (below[:-1] if last else below))
    result = None
    if last is not None:
        number, line = last
        recorded = line.partition(":")[2].partition(";")[0].strip()
        if not _POINTS.fullmatch(recorded):
            sentence = _('expected a result like "red 61, green 83", found "{found}"')
            raise RecordError(number, sentence.format(found=_short(recorded)))
        result = {Seat(player): int(has) for player, has in re.findall(_PLAYER, recorded)}
    return GameRecord(
        game=game,
        headers={key: value for key, (_line, value) in headers.items() if key not in _KEPT_BY_FIELD},
        start=start,
        actions=played,
        result=result,
        names=names,
        lines=tuple(number for number, _text in below),
    )


def write_record(record: GameRecord) -> str:
    """Write a record that `read_record` can read."""
    called = {_NAMES: json.dumps(dict(record.names), ensure_ascii=False)} if record.names else {}
    headers = {"game": record.game, "format": str(FORMAT), **record.headers, **called}
    actions = map(record.engine.notation.write_action, record.actions)
    lines = [*(f"{key}: {value}".rstrip() for key, value in headers.items()), "", *actions]
    if record.result is not None:
        lines.append(f"{_RESULT}: " + ", ".join(f"{player} {has}" for player, has in record.result.items()))
    return "\n".join([*lines, ""])


def _is_header(line: _Line) -> bool:
    return _HEADER.fullmatch(line[1]) is not None and not _is_result(line)


def _is_result(line: _Line) -> bool:
    return line[1].startswith(f"{_RESULT}:")


def _start(engine: AnyEngine, headers: Mapping[str, _Line]) -> Any:
    """Return the position that the headers describe."""
    given = [key for key in SET_UP if key in headers]
    line = headers[given[0]][0] if given else 1
    if given != ["position"] and ("position" in given or "players" not in given):
        raise RecordError(line, _('a game begins with "players:" (with "options:" and "seed:") or with "position:"'))
    reported = {key: headers[key][1] for key in given}
    try:
        if "position" in reported:
            return engine.notation.read_position(reported["position"])
        options = as_object(_json(reported.get("options", "{}")), '"options"')
        seed = as_number(_json(reported.get("seed", "0")), '"seed"', 0, LARGEST_SEED)
        return engine.game.new([Seat(name) for name in reported["players"].split()], options, seed)
    except BadRequestError as error:
        raise RecordError(line, str(error)) from error


def _names(header: _Line, players: Collection[str]) -> Names:
    """Return the players' names."""
    line, text = header
    try:
        names = as_object(_json(text), '"names"')
    except BadRequestError as error:
        raise RecordError(line, str(error)) from error
    for seat, name in names.items():
        if seat not in players or not isinstance(name, str):
            sentence = _('expected "names:" with a name for each of {players}, found "{found}"')
            raise RecordError(line, sentence.format(players=", ".join(players), found=_short(f"{seat}: {name}")))
    return {Seat(seat): str(name) for seat, name in names.items()}


def _json(text: str) -> Json:
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        raise BadRequestError(_('expected JSON, found "{found}"').format(found=_short(text))) from None
    return value


def _action(engine: AnyEngine, line: _Line, written_in: int) -> Any:
    number, text = line
    if _is_header(line) or _is_result(line):
        sentence = _('expected an action, found "{found}": headers stand above the actions, the result below them')
        raise RecordError(number, sentence.format(found=_short(text)))
    try:
        action = engine.notation.read_action(text)
    except BadRequestError as error:
        raise RecordError(number, str(error)) from error
    if written_in == FORMAT or engine.upgrade is None:
        return action
    return engine.game.action_from_json(engine.upgrade(engine.game.action_to_json(action)))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."


# ---- judging again


def replay(record: GameRecord) -> Iterator[Turn]:
    """Yield the actions played one after another; a forbidden one is the last."""
    game, position = record.engine.game, record.start
    for number, action in enumerate(record.actions, 1):
        turn = Turn(number, game.to_act(position), action, position, game.play(position, action))
        yield turn
        if isinstance(turn.outcome, Refusal):
            return
        position = turn.after


def position_after(record: GameRecord, turns: Sequence[Turn]) -> Position:
    """Return the position after the last legal one of the first turns of a record."""
    reached: Position = turns[-1].after if turns else record.start
    return reached


def check(record: GameRecord, turns: Sequence[Turn]) -> None:
    """Check the turns against the rules and against the recorded result.

    Raises:
        RecordError: the rules forbid the last action, or the points at the end differ.
    """
    end = position_after(record, turns)
    if turns and isinstance(refusal := turns[-1].outcome, Refusal):
        action = turns[-1].action
        reason = with_rule(SPEECHES[record.game].refusal(end, action, refusal, NO_NAMES), refusal.rule)
        written = record.engine.notation.write_action(action)
        sentence = _('the rules forbid "{action}": {reason}').format(action=written, reason=reason)
        raise RecordError(record.line(len(turns) - 1), sentence)
    played = record.engine.game.score(end)
    if record.result is not None and record.result != played:
        sentence = _("the result says {recorded}, but the game comes to {played}")
        message = sentence.format(recorded=points(record.result), played=points(played))
        raise RecordError(record.line(len(record.actions)), message)
