"""The layout of a page on a terminal of any size: the board, the players next to it, message and buttons below.

What does not fit is left out by weight, the legend first; text wraps at words.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from pyfiglet import Figlet
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from companion.core.verdicts import Action
from companion.locale import _
from companion.ui.board_text import (
    DOUBT,
    TO_PLACE,
    WRONG,
    BoardLook,
    board_size,
    board_text,
    legend,
    letter,
    seat_style,
)
from companion.ui.page import Extras, Page, clock_words
from companion.ui.phrases import joined
from companion.ui.words import EventWords, thing_name
from engines.kernel import Seat
from hardware.panel import SLIDER_STEPS
from vision.board import Board

_NARROWEST_SIDE = 30
_IMPORTANT = 4
"""Blocks of up to this weight are more important than the players' notes."""
_SHORT_ANSWER = 3
"""A longer answer (in lines) replaces the board until the next line is typed."""
_WIDEST_LIST = 80
_MOST_ALONE = 4
"""Up to that many choices have a line each; more are set in columns."""
_ROOM_TO_SPACE = 12
"""Lines that must be free below a board before its rows are spaced."""

Line = list[Segment]


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of a page; if the page is too high, the block of greatest `weight` is left out first; 0 is only cut."""

    shown: RenderableType
    weight: int = 0


class PageView:
    """A page that rich can print; it fills the width and at most the height."""

    def __init__(self, page: Page, board: Board, devices: str = "", keys: str = "") -> None:
        self._page, self._board, self._devices, self._keys = page, board, devices, keys

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or console.height
        lines = self._lines(_Printer(console, options), width, height)
        for number, line in enumerate(lines):
            yield from Segment.adjust_line_length(line, width)
            if number + 1 < len(lines):
                yield Segment.line()

    def _lines(self, printer: _Printer, width: int, height: int) -> Sequence[Line]:
        page, board = self._page, self._board
        look: BoardLook = replace(page.extras, spaced=True)
        if height - board_size(board, look)[1] < _ROOM_TO_SPACE:
            look = page.extras
        beside = width - board_size(board, look)[0] - 3 >= _NARROWEST_SIDE
        if not (beside or look.spaced):
            look = replace(look, edges={})  # the players below need the lines
        board_wide, board_high = board_size(board, look)
        above = board_high + 2 + (0 if beside else len(page.scores) + 1)
        foot = printer.fitted(self._foot(width), width, max(5, height - above))
        room = height - 1 - len(foot)
        if len(page.answer) > _SHORT_ANSWER:
            body = printer.fitted([_Block(Text("\n".join(page.answer)))], width, room)
            return [*printer.lines(self._title(width), width)[:1], *body, *([[]] * (room - len(body))), *foot]
        drawn = printer.lines(board_text(board, page.labels, page.marks, look), width)
        if beside:
            columns = zip_longest(drawn, self._fit_size(printer, width - board_wide - 3, room), fillvalue=Line())
            body = [[*Segment.adjust_line_length(left, board_wide + 3), *right] for left, right in columns]
        else:
            body = [*drawn, *self._fit_size(printer, width, room - len(drawn))]
        body = [*body[:room], *([[]] * (room - len(body)))]
        return [*printer.lines(self._title(width), width)[:1], *body, *foot]

    def _fit_size(self, printer: _Printer, width: int, height: int) -> Sequence[Line]:
        """Return what is next to the board; without the players' notes if more important lines need the room."""
        blocks = list(self._side(width))
        brief = printer.height((block for block in blocks if block.weight <= _IMPORTANT), width) > height
        return printer.fitted(self._side(width, brief=True) if brief else blocks, width, height)

    def _title(self, width: int) -> Text:
        title, devices = Text(self._page.title or self._board.title, style="bold"), Text(self._devices, style="dim")
        devices.truncate(max(0, width - title.cell_len - 2), overflow="ellipsis")
        return Text.assemble(title, " " * (width - title.cell_len - devices.cell_len), devices)

    def _side(self, width: int, *, brief: bool = False) -> Iterator[_Block]:
        """Yield whose turn it is, the clock, the players, and what the game adds."""
        page, board = self._page, self._board
        style = seat_style(board, page.seat) if page.seat else Style(bold=True)
        # draw the banner on its colour
        lines = banner(page.banner, width - 2) if page.banner else ()
        yield _Block(
            Text("\n").join(Text(f" {line} ", style=style, no_wrap=True, overflow="crop") for line in lines), 6
        )
        yield _Block(Text(page.turn, style="bold"), 0)
        if page.activity:
            yield _Block(Text(page.activity, style="dim"), 4)
        if clock := clock_words(page.remaining_s):
            yield _Block(Text(clock, style="bold"), 0)
        if page.slider is not None:
            left = "□" * (SLIDER_STEPS - page.slider)
            steps = (("■" * page.slider, "bold"), (left, "dim"))
            yield _Block(Text.assemble(_("Slider"), " ", *steps, f" {page.slider}"), 1)
        yield _Block(Text(""), 8)
        yield _Block(_seats(page, board, brief=brief), 0)
        yield from (_Block(Text(fact), 1) for fact in page.extras.facts)
        if drawings := page.extras.drawings:
            table = Table.grid(*("" for _drawing in drawings), padding=(0, 3, 0, 0))
            table.add_row(*(Text("\n".join((one.title, *one.rows)), no_wrap=True) for one in drawings))
            yield _Block(table, 1)
        yield _Block(Text(""), 8)
        yield _Block(_signs(page, board, width), 5)
        if page.possible:
            yield _Block(Text("\n".join(["", *in_columns(page.possible, width)])), 9)

    def _foot(self, width: int) -> Iterator[_Block]:
        """Yield the message, the notes, the choices and the buttons."""
        page = self._page
        yield _Block(Text("─" * width, style="dim"), 6)
        if page.message:
            yield _Block(Text(page.message, style="bold"), 0)
        yield from (_Block(Text(note), min(5, place // 2)) for place, note in enumerate(page.notes, 1))
        if page.typed is not None:
            yield _Block(Text(f"> {page.typed}_", style="bold"), 0)
        if 0 < len(page.answer) <= _SHORT_ANSWER:
            yield _Block(Text("\n".join(page.answer)), 0)
        if page.choices:  # the one that DONE plays is highlighted
            choices = [Text(choice) for choice in page.choices]
            if page.shown is not None:
                choices[page.shown] = Text(f"[{page.choices[page.shown]}]", style="reverse")
            yield _Block(_flowing([Text.assemble(_("Choose:"), " ", choices[0]), *choices[1:]], " · ", width), 0)
        if page.buttons:
            named = [Text.assemble((name, "reverse bold"), f" {meaning}") for name, meaning in page.buttons]
            yield _Block(_flowing(named, "   ", width), 0)
        if self._keys:
            yield _Block(_keys(self._keys, width), 6)


class _Printer:
    """A converter of renderables to lines, which selects those that fit."""

    def __init__(self, console: Console, options: ConsoleOptions) -> None:
        self._console, self._options = console, options

    def lines(self, shown: RenderableType, width: int) -> list[Line]:
        """Return a renderable as lines of at most a width."""
        return self._console.render_lines(shown, self._options.update(width=width, height=None), pad=False)

    def height(self, blocks: Iterable[_Block], width: int) -> int:
        """Return the number of lines of some blocks."""
        return sum(len(self.lines(block.shown, width)) for block in blocks)

    def fitted(self, blocks: Iterable[_Block], width: int, height: int) -> list[Line]:
        """Return blocks as lines; leave out the heaviest until the rest fits.

        If none can be left out, lines are cut off the longest block; a cut block ends in dots.
        """
        drawn = [(block.weight, self.lines(block.shown, width)) for block in blocks]
        while sum(len(lines) for _weight, lines in drawn) > height and (heaviest := max(w for w, _lines in drawn)):
            last = max(place for place, (weight, _lines) in enumerate(drawn) if weight == heaviest)
            del drawn[last]
        kept = [lines for _weight, lines in drawn]
        while sum(map(len, kept)) > max(0, height) and any(kept):
            longest = max(kept, key=len)
            del longest[-1]
            if longest:
                used = sum(cell_len(segment.text) for segment in longest[-1])
                longest[-1] = [*Segment.adjust_line_length(longest[-1], max(0, used - 2)), Segment(" …")]
        return [line for lines in kept for line in lines]


def _seats(page: Page, board: Board, *, brief: bool) -> Table:
    """Draw a row for each player: turn mark, letter on the board, name, score, lamp, notes."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="dim")
    for seat in dict.fromkeys((*page.scores, *page.lamps)):
        score, beside = str(page.scores.get(seat, "")), page.extras.of_player.get(Seat(seat), "")
        sign = Text(letter(board, seat) if seat in board.colours else " ", style=seat_style(board, seat))
        notes = " · ".join(part for part in (page.lamps.get(seat, ""), "" if brief else beside) if part)
        table.add_row("▶" if seat in page.acting else " ", sign, page.names.get(seat, seat), score, notes)
    return table


def _signs(page: Page, board: Board, width: int) -> Text:
    """Return the meanings of the signs on the board, those that need action first."""
    marks = page.marks
    used = ((WRONG, marks.wrong, _("put right")), (TO_PLACE, marks.to_place, _("still to place")))
    signs = [f"{sign} {word}" for sign, cells, word in (*used, (DOUBT, marks.doubt, _("not sure"))) if cells]
    signs += sign_words(board, page.labels.values(), page.extras, page.scores, page.words)
    return Text("\n".join(wrapped(signs, " · ", width)), style="dim")


def sign_words(
    board: Board, labels: Iterable[str], extras: Extras, players: Container[str], words: EventWords[Action] | None
) -> list[str]:
    """Return the meanings of the signs on the board, each after its sign; without those of players."""
    own = {sign[0] for sign in extras.legend}
    found = {sign: word for sign, word in legend(board, labels).items() if word not in players and sign[0] not in own}
    pieces = {sign: thing_name(words, word) for sign, word in found.items()}
    return [f"{sign} {word}" for sign, word in {**pieces, **extras.legend}.items()]


def wrapped(parts: Sequence[str], between: str, width: int) -> Iterator[str]:
    """Yield parts joined to lines of at most a width; a part is broken only if it is wider than that."""
    return joined(parts, between, lambda line: cell_len(line) <= width)


def in_columns(lines: Sequence[str], width: int) -> Sequence[str]:
    """Return a long list in columns of equal width, row by row; a short one unchanged.

    A very long list that is too wide for two columns is joined to lines.
    """
    width = min(width, _WIDEST_LIST)
    column = max(map(cell_len, lines), default=0) + 3
    across = width // column
    if len(lines) <= _MOST_ALONE:
        return lines
    if across < 2:
        return lines if len(lines) <= 2 * _MOST_ALONE else list(wrapped(lines, "   ", width))
    rows = [lines[place : place + across] for place in range(0, len(lines), across)]
    return ["".join(set_cell_size(line, column) for line in row).rstrip() for row in rows]


def device_words(camera: str, panel: str | None) -> str:
    """Return the names of the devices; None for a keyboard."""
    return _("camera: {camera} · panel: {panel}").format(camera=camera, panel=panel or _("desk"))


def key_words(*, typed: bool, asks: bool) -> str:
    """Return what the keys do; `asks`: players ask questions with the digits of the keyboard on which they type."""
    if not typed:
        return _("MODE held down: pause  ctrl-c ends")
    if asks:
        return _("d done  b back  m mode  r roll  p pause  a again  0-9 ask  / type  ctrl-c ends")
    return _("d done  b back  m mode  r roll  p pause  a again  0-9 count  / type  ctrl-c ends")


def _keys(keys: str, width: int) -> Text:
    """Return the keys' help, with narrower gaps or on several lines if it is too wide.

    Each key stays next to its meaning and is brighter.
    """
    parts = re.split(r" {2,}", keys)
    between = next((blanks for blanks in ("   ", "  ", " ") if cell_len(blanks.join(parts)) <= width), "   ")
    divided = (part.partition(" ") for part in parts)
    named = [Text.assemble((key, "bold"), (f"{blank}{meaning}", "dim")) for key, blank, meaning in divided]
    text = _flowing(named, between, width)
    text.justify = "center"
    return text


def _flowing(parts: Sequence[Text], between: str, width: int) -> Text:
    """Join parts, with a line break before each part that does not fit."""
    text, used = Text(), 0
    for part in parts:
        if used and used + len(between) + part.cell_len > width:
            text.append("\n")
            used = 0
        if used:
            text.append(between)
        text.append_text(part)
        used += part.cell_len + (len(between) if used else 0)
    return text


_FONTS = ("future", "smblock")
"""Three lines high, and four lines high with more languages' letters; the first that has all letters is used."""

_WIDEST = 1000


@lru_cache(maxsize=64)
def banner(words: str, width: int) -> tuple[str, ...]:
    """Return words in large letters, as lines of equal width, at most `width` columns; one line if they do not fit."""
    for font in _FONTS:
        has_all = all(_figlet(font).renderText(letter).strip() for letter in words if letter != " ")
        lines = [line.rstrip() for line in _figlet(font).renderText(words).split("\n") if line.strip()]
        widest = max(map(len, lines), default=0)
        if has_all and 0 < widest <= width:
            return tuple(line.ljust(widest) for line in lines)
    spaced = " ".join(words.upper())
    return (spaced if len(spaced) <= width else words[:width],)


@lru_cache
def _figlet(font: str) -> Figlet:
    return Figlet(font=font, width=_WIDEST)
