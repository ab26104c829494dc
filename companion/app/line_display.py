"""A game as lines: news, the table, and the expected action."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import RenderableType

from companion.app.formatting import drawn, fact, shipped_table
from companion.app.output import flush, terminal_room, write, write_text
from companion.core.choices import COMPANION
from companion.core.verdicts import Confirmed
from companion.core.view import View
from companion.games import GAMES
from companion.games.asking import answer_lines
from companion.games.captions import advice_words, choice_words, count_words, extras_of, page_for, prompt_words
from companion.games.commands import done_words
from companion.games.engines import ENGINES
from companion.games.speech import SPEECHES, card_lines, option_words, possible_lines, score_lines, title_of
from companion.locale import _
from companion.shell.effects import ShownView
from companion.shell.session import RESUME
from companion.ui.board_text import board_text, letter
from companion.ui.layout import in_columns, sign_words, wrapped
from companion.ui.names import computer_note, player_name
from companion.ui.page import Page, clock_notice, clock_words
from companion.ui.words import score_words, something_moves, won_words
from engines.kernel import JsonObject
from hardware.panel import Button, LineTyped

_NOT_SHOWN = ("game", "players", "over", "await")
"""Facts that other lines already show."""

_BETWEEN = " · "


class LineDisplay:
    """A display that writes what has happened since the last view, and the expected action.

    Doubts, tasks and waits may come and go with every look of a camera: such a line is written once, and again only if
    it was gone after somebody acted.

    Args:
        room: the terminal's size; None to query it each time.
        plain: the clock, too, has whole lines only.
        draws: the board is drawn, and what is possible is listed.
        notices: sentences before a game that is typed.
        remarks: returns further notes on a view.
        say: writes lines, and returns how many.
    """

    name, language = "screen", ""

    def __init__(
        self,
        room: os.terminal_size | None = None,
        *,
        plain: bool = False,
        draws: bool = True,
        notices: Sequence[str] = (),
        remarks: Callable[[View], Sequence[str]] = lambda _view: (),
        say: Callable[..., int] = write_text,
    ) -> None:
        self._given, self._draws, self._notices, self._remarks, self._write = room, draws, notices, remarks, say
        rewrites = os.environ.get("TERM", "").lower() not in _DUMB and sys.stdin.isatty() and sys.stdout.isatty()
        self._clock = ClockPrompt(live=not plain and rewrites)
        self._shown: View | None = None
        self._moment: tuple[object, ...] = ()
        self._drawn: tuple[list[str], ...] = [], [], []
        self._explained: set[str] = set()
        self._said: set[str] = set()
        self._message = self._choice = ""
        self._since = 0
        self._touched = self._silent = False

    def typed(self, line: LineTyped, _view: View) -> None:
        """Count a typed line: it has scrolled the board up."""
        if line.is_whole:
            self._clock.typed()
            self._since += 1
            self._touched = True

    def answer(self, *parts: RenderableType) -> None:
        """Write the answer to a typed line, with the time that is left."""
        remaining_s = None if self._shown is None else self._shown.remaining_s
        self._say(*parts, *([] if self._clock.live else filter(None, [clock_words(remaining_s)])))
        self._clock.show(remaining_s)

    def leave(self) -> None:
        """Stop writing: the players leave the game."""
        self._silent = True

    def show(self, shown: ShownView) -> None:
        """Write what is new in a view; draw the board again if it has scrolled off the screen."""
        view = shown.view
        if self._silent or view is self._shown:
            return
        last, self._shown = self._shown, view
        page = page_for(view, GAMES[view.game].board(), lamps=shown.lit.lamps, remarks=self._remarks(view))
        room, judged = self._given or terminal_room(), (id(view.verdict), view.position)
        moment = (prompt_words(view) if view.sees else judged, view.paused, view.over, view.arrangement.language)
        changed, self._moment = moment != self._moment, moment
        if changed or (last is not None and view.score != last.score):
            self._said &= {*page.notes}
        awaited = [*self._awaited(view, page, room.columns)] if changed else []
        self._say(*self._news(view, page, last))
        self._table(view, page, room, after=len(awaited) if changed else None)
        plays = view.sees and page.shown is not None and page.choices
        earlier, self._choice = self._choice, page.choices[page.shown or 0] if plays else ""
        is_new = self._choice not in ("", earlier)
        self._say(*awaited, *([_("DONE: {choice}").format(choice=self._choice)] if is_new else []))
        if view.advice is not None and (last is None or view.advice is not last.advice):
            self.answer(advice_words(view), *([prompt_words(view)] if view.advice.action is None else []))
        if view.asked is not None and (last is None or view.asked != last.asked):
            self.answer(*answer_lines(view, GAMES[view.game].board()))
        if not (changed or last is None or self._clock.live):
            self._say(*filter(None, [clock_notice(last.remaining_s, view.remaining_s)]))
        self._clock.show(view.remaining_s)

    def _say(self, *parts: RenderableType) -> None:
        if parts:
            self._since += self._clock.leave() + self._write(*parts)

    def _news(self, view: View, page: Page, last: View | None) -> Iterator[str]:
        """Yield the agreement before a game that is typed, what was understood last, and what may come and go."""
        if last is None and not view.sees:
            yield from self._notices
            yield title_of(view.game)
            yield from option_words(view.game, view.arrangement.options)
            yield _("Type ? to read what you can type.")
        self._touched |= page.activity == something_moves()
        message = page.message if view.sees or (last is not None and view.verdict is not None) else ""
        if isinstance(view.verdict, Confirmed) and message:
            message = f"{view.played:>4}  {message}"
        judged = last is None or view.verdict is not last.verdict
        is_new = message != self._message or (self._touched and judged)
        self._message = message
        if message and is_new and (self._touched or message not in self._said):
            self._touched = False
            self._said.add(message)
            yield message
        yield from (note for note in page.notes if note not in self._said)
        self._said.update(page.notes)

    def _table(self, view: View, page: Page, room: os.terminal_size, *, after: int | None) -> None:
        """Draw the board, the active cards and the points, each if it has changed since it was drawn.

        `after` is the number of lines that follow; None if the board need not be drawn again.
        """
        board: list[RenderableType] = []
        if self._draws:  # as the camera sees it, if there is one
            table = GAMES[view.game].board()
            seen = [board_text(table, page.labels, page.marks, page.extras)] if view.sees else []
            board = [*(seen or board_lines(view.game, view.position)), *sign_lines(view, room.columns)]
        card, facts = card_lines(view.game, view.position), beside_lines(view, room.columns)
        card = card if len(card) > 1 else ()  # a card of one line is among the facts
        looks = [*map(str, board)], [*card], [*facts]
        high = sum(text.count("\n") + 1 for text in looks[0])
        gone = after is not None and self._since + len(facts) + after + _TYPED > room.lines > high
        again = gone or (looks[0] != self._drawn[0] and (after is not None or not view.sees))
        if again:
            self._since = 0
            self._say(*board)
        if gone or looks[1] != self._drawn[1]:
            self._say(*card)
        if again or looks[2] != self._drawn[2]:
            self._say(*facts)
        self._drawn = looks if again else (self._drawn[0], *looks[1:])

    def _awaited(self, view: View, page: Page, width: int) -> Iterator[str]:
        """Yield whose turn it is, the expected action, and what is possible."""
        if view.over or view.paused:
            yield from offered_lines(view)
            return
        clock = "" if self._clock.live else clock_words(view.remaining_s)
        yield from wrapped([*filter(None, (prompt_words(view), clock))], _BETWEEN, width)
        if view.sees:
            yield from in_columns(page.possible, width) if self._draws else ()
            return
        if view.buttons.get(Button.DONE) == COMPANION:
            action = choice_words(view, view.choices[0])
            yield _("{number}: {action}").format(number=done_words()[0], action=action)
        if view.prompt.seat in view.arrangement.companion_seats:
            return
        lines = possible_lines(view.game, view.position, view.arrangement.names)
        if lines != [explained(view)]:
            yield from in_columns(lines, width)
        elif view.prompt.code not in self._explained:
            self._explained.add(view.prompt.code)
            yield from lines


_TYPED = 3
"""Lines for the players' input and for news."""


def offered_lines(view: View) -> Iterator[str]:
    """Yield the numbered choices of a pause or after the end, after a line about the pause or the result."""
    if view.over and view.choices:
        yield from ending_words(view, resumable=False)
    elif view.paused and view.choices:
        yield prompt_words(view)
    for place, choice in enumerate(view.choices, 1):
        yield _("{number}: {action}").format(number=place, action=choice_words(view, choice))


def explained(view: View) -> str:
    """Return how to type the expected action."""
    if view.over:
        return prompt_words(view)
    return SPEECHES[view.game].explain(view.position, view.arrangement.names)


def final_lines(view: View) -> Iterator[RenderableType]:
    """Yield the last board with the meanings of its signs, for after the full screen has closed."""
    yield from board_lines(view.game, view.position)
    yield from sign_lines(view, terminal_room().columns)


def ending_words(view: View, *, resumable: bool, journal_option: str = "") -> Iterator[str]:
    """Yield the winners, the scores' explanation and the evening's wins, or how to resume the game."""
    names = view.arrangement.names
    if view.over:
        yield won_words(view.leaders, view.score, names)
        yield from score_lines(view.game, view.position, names)
        if tally := count_words(view):
            yield tally
    elif resumable:
        yield _("The game is not over ({score}).").format(score=score_words(view.score, names))
        resumed = _("companion play --camera none --resume goes on with it.")
        yield resumed.replace(RESUME, RESUME + journal_option)


# ---- a game's lines


def beside_lines(view: View, width: int) -> list[str]:
    """Return the lines next to the board: the round, and each player's points and notes."""
    board, names = GAMES[view.game].board(), view.arrangement.names
    extras = extras_of(view.game, view.position, board, names)
    players = []
    for seat, points in view.score.items():
        sign = f"{letter(board, seat)} " if seat in board.colours else ""
        own = seat in view.arrangement.companion_seats
        computer = computer_note(seat, view.arrangement.levels.get(seat)) if own else ""
        notes = ", ".join(filter(None, (computer, extras.of_player.get(seat))))
        players.append(f"{sign}{player_name(seat, names)} {points}" + (f" ({notes})" if notes else ""))
    facts = [fact.rstrip(".") for fact in extras.facts]
    return [*wrapped(facts, _BETWEEN, width), *wrapped(players, _BETWEEN, width)]


def sign_lines(view: View, width: int) -> list[str]:
    """Return the meanings of the signs on the board, except players' signs, which are next to the points."""
    adaptor = GAMES[view.game]
    if shipped_table(view.game, view.position) is None:
        return []
    board, labels = adaptor.board(), adaptor.placement(view.position).values()
    extras = extras_of(view.game, view.position, board, view.arrangement.names)
    return [*wrapped(sign_words(board, labels, extras, view.score, SPEECHES[view.game].words), _BETWEEN, width)]


def board_lines(game: str, position: Any) -> Sequence[RenderableType]:
    """Draw the public part of a position."""
    table, engine = drawn(game, position), ENGINES[game]
    if table is not None:
        return [table]
    if not GAMES[game].placement(position):
        return []
    public: JsonObject = engine.public(position, None) if engine.public else engine.game.position_to_json(position)
    return [f"{key}: {fact(value)}" for key, value in public.items() if key not in _NOT_SHOWN]


# ---- the clock before the typed line: rewritten in place if the terminal can, otherwise a line of its own


_SAVE, _RESTORE = "\0337", "\0338"
"""Save and restore the cursor position, on every terminal since the VT100."""

_CLEAR = "\r\033[K"
_DUMB = ("", "dumb", "unknown")


class ClockPrompt:
    """The time that is left, shown before the line that is being typed, which stays as it is.

    The cursor is restored after each update. Nothing is written unless it is `live`: the terminal can rewrite lines.
    """

    def __init__(self, *, live: bool, write: Callable[[str], None] = write) -> None:
        self.live = live
        self._write = write
        self._width = 0
        self._shown = ""

    def typed(self) -> None:
        """Register the end of a typed line; remove what a late update wrote on the next one."""
        if self._width:
            self._put(_CLEAR)
        self._width, self._shown = 0, ""

    def leave(self) -> int:
        """Begin a new line for other output; return how many lines that took."""
        begun = self._width > 0
        if begun:
            self._put("\n")
        self._width, self._shown = 0, ""
        return int(begun)

    def show(self, remaining_s: int | None) -> None:
        """Write the time that is left if it has changed; nothing if no clock runs."""
        words = clock_words(remaining_s)
        if not self.live or not words or words == self._shown:
            return
        prompt = f"{words} > "
        if self._width:
            self._put(f"{_SAVE}\r{prompt}{' ' * (self._width - cell_len(prompt))}{_RESTORE}")
        else:
            self._put(prompt)
            self._width = cell_len(prompt)
        self._shown = words

    def _put(self, text: str) -> None:
        self._write(text)
        flush()
