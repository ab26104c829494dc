"""The sentences for listeners: what is new on a page, worded to be heard. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec

from companion.core.verdicts import Action, Attention, Confirmed, Refused, TookBack, Unclear, Wanted
from companion.core.view import View
from companion.locale import _, language, ngettext
from companion.ui.names import player_name
from companion.ui.page import ExtraDrawing, Page, button_name, clock_notice
from companion.ui.phrases import joined
from companion.ui.words import EventWords, score_words, thing_name
from engines.kernel import Cell
from hardware.panel import Button


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence to speak.

    Attributes:
        text: the sentence.
        interrupts: it replaces what is being spoken and what is queued, except sentences that stay true.
        stays: the sentence stays true whatever follows: a move was made, dice were thrown.
    """

    text: str
    interrupts: bool = False
    stays: bool = False


CLOCK_NOTICES_S = (30, 10)
"""The times at which the time that is left is spoken."""

_PRESSING = (Attention.FAULT, Attention.BLIND)
"""What even a player who sees the table has to be told."""


_UNFIT = (Attention.BLIND, Attention.SET_UP, Attention.RESUMED)
"""While the table is not seen, or not set up, no turn is announced."""


class Announcer:
    """A finder of what is new in each view and has to be spoken, without repetition.

    A verdict is spoken when it is given, a refusal again only after another message. What comes and goes with every
    look at the table (`Page.notes`) is spoken once until somebody has acted.
    """

    def __init__(self, wanted: Wanted = Wanted.ALL) -> None:
        self._wanted = wanted
        self._view: View | None = None
        self._page = Page()
        self._remarks: tuple[str, ...] = ()
        self._said: set[str] = set()
        self._complaint = self._turn = self._choice = ""

    def news(self, view: View, page: Page, remarks: Sequence[str] = ()) -> list[Utterance]:
        """Return the new sentences of a view and its page.

        `remarks` are spoken when they change: advice, dice, a count, an answer.
        """
        last = self._view
        acted = last is None or (isinstance(view.verdict, Confirmed | TookBack) and view.verdict is not last.verdict)
        if acted:
            self._said.clear()
            self._complaint = ""
        verdict, rest = self._verdict(view, page, acted=acted), list[str]()
        if verdict and isinstance(view.verdict, Confirmed) and (last is None or view.changed != last.changed):
            # what a move has put on cells that its sentence does not name: players who see it need no words
            rest += traces(view.board, view.changed.keys() - {*_CELL.findall(page.message)}, page.words)
        rest += self._notes(view, page)
        rest += [remark for remark in remarks if remark not in self._remarks]
        rest += self._standing(view, page, acted=acted)
        last_s = None if last is None else last.remaining_s
        rest.append(clock_notice(last_s, view.remaining_s, CLOCK_NOTICES_S, seconds_left))
        self._view, self._page, self._remarks = view, page, tuple(remarks)
        return [*verdict, *(Utterance(text) for text in rest if text)]

    def _verdict(self, view: View, page: Page, *, acted: bool) -> Sequence[Utterance]:
        """Return the verdict if it is new; a complaint begins with its kind."""
        last = None if self._view is None else self._view.verdict
        message = page_message(page, view)
        if view.verdict is None or view.verdict is last or (not acted and message == self._complaint):
            return ()
        self._complaint = message
        thrown = isinstance(view.verdict, Confirmed) and view.verdict.seat is None
        wanted = self._wanted is Wanted.ALL or thrown or isinstance(view.verdict, Refused | Unclear)
        return [Utterance(message, interrupts=True, stays=isinstance(view.verdict, Confirmed))] if wanted else ()

    def _notes(self, view: View, page: Page) -> Iterator[str]:
        """Yield further sentences: failures, tasks, tasks done, cards."""
        if self._wanted is Wanted.MATTERS and view.attention not in _PRESSING:
            return
        last = self._view
        if last is not None and last.todo and not view.todo and view.verdict is last.verdict:
            yield _("The table is as it should be.")
        for line in page.notes:
            if line not in self._said:
                self._said.add(line)
                yield line
        for drawing in page.extras.drawings:
            if drawing not in self._page.extras.drawings:
                yield from drawing_lines(drawing, page.extras.legend)

    def _standing(self, view: View, page: Page, *, acted: bool) -> Iterator[str]:
        """Yield the score if it has changed, the turn, the choice that DONE plays, and the result."""
        last, names = self._view, view.arrangement.names
        if view.over:
            if last is None or not last.over:
                names_winners = all(player_name(seat, names) in page.message for seat in view.leaders)
                yield "" if view.leaders and names_winners else page.turn
                yield _("Score: {score}.").format(score=score_words(view.score, names))
        elif self._wanted is Wanted.ALL:
            if last is not None and view.score != last.score:
                yield _("Score: {score}.").format(score=score_words(view.score, names))
            turn = "" if view.attention in _UNFIT else page.turn
            if turn != self._turn or (acted and turn):
                yield turn
            self._turn = turn
        done = button_name(Button.DONE)
        meaning = "" if view.shown is None else dict(page.buttons).get(done, "")
        choice = f"{done}: {meaning}." if meaning else ""
        if self._wanted is Wanted.ALL and choice not in ("", self._choice):
            yield choice
        self._choice = choice
        if view.number is not None and (last is None or view.number != last.number):
            yield f"{view.number}."


def page_message(page: Page, view: View) -> str:
    """Return the last message as it is spoken: a complaint begins with its kind; rule numbers are left out."""
    match view.verdict:
        case Refused(_code, rule):
            said = page.message.removesuffix(_("(rule {rule})").format(rule=rule)).rstrip() if rule else page.message
            return _("No: {reason}").format(reason=said)
        case Unclear():
            return _("Not sure: {reason}").format(reason=page.message)
    return page.message


def seconds_left(seconds: int) -> str:
    """Return the time that is left as a sentence."""
    return ngettext("{number} second left.", "{number} seconds left.", seconds).format(number=seconds)


def traces(board: Mapping[Cell, str], cells: Collection[Cell], words: EventWords[Action] | None) -> Iterator[str]:
    """Yield the labels of cells, grouped by piece: "F9 to F12, G9: the red tee."."""
    by_label: dict[str, list[str]] = {}
    for cell in sorted(cells, key=lambda cell: (cell[:1], int(cell[1:]))):
        by_label.setdefault(board[cell], []).append(str(cell))
    for label, there in by_label.items():
        yield _("{cell}: {thing}").format(cell=", ".join(runs(there)), thing=thing_name(words, label)) + "."


def runs(cells: Sequence[str]) -> Iterator[str]:
    """Yield cells in few words: three or more in a row or column as "F9 to F12"."""
    left = [(ord(cell[:1]), int(cell[1:])) for cell in cells]
    while left:
        first = left[0]
        lines = [_line(first, step, left) for step in ((0, 1), (1, 0))]
        line = max(lines, key=len)
        line = line if len(line) >= _LEAST_RUN else [first]
        left = [place for place in left if place not in line]
        ends = [f"{chr(column)}{row}" for column, row in (line[0], line[-1])]
        yield _("{first} to {last}").format(first=ends[0], last=ends[1]) if len(line) > 1 else ends[0]


_LEAST_RUN = 3


def _line(first: tuple[int, int], step: tuple[int, int], places: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the places that follow one another from a first one on."""
    line = [first]
    while (after := (line[-1][0] + step[0], line[-1][1] + step[1])) in places:
        line.append(after)
    return line


def drawing_lines(drawing: ExtraDrawing, legend: Mapping[str, str]) -> Iterator[str]:
    """Yield a small framed drawing next to the board as text, row by row; empty rows are left out.

    `legend` has the meanings of its signs; other signs are ignored.
    """
    yield drawing.title + "."
    for number, row in enumerate(drawing.rows[1:-1], 1):
        signs = row.strip("│ ").split()
        things = [f"{place}: {legend[sign]}" for place, sign in enumerate(signs, 1) if sign in legend]
        if things:
            yield _("Row {row}: {thing}.").format(row=number, thing=", ".join(things))


# ---- wording for listeners


def spelled(letter: str) -> str:
    """Return the spelling word of a letter, "B" is "Bravo"; the letter itself if the language has none."""
    # each language's own spelling alphabet, for the columns of a board
    words = _(
        "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec"
        " Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu"
    )
    return next((word for word in words.split() if word[:1] == letter), letter)


_CELL = re.compile(r"(?<!\w)[A-Z]\d{1,2}(?!\w)")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,4}(?![\w]|[.,]\d)")
_RANGE = re.compile(r"(?<=\d)\s?[\u2013-]\s?(?=\d)")


def for_the_ear(text: str, cells: Collection[str]) -> str:
    """Return a sentence as it is spoken: cells spelled, numbers as words, no brackets and signs.

    Words that are similar to a cell's name, but are none of `cells`, are left alone.
    """
    said = text
    for cell in sorted(set(_CELL.findall(text)) & {*cells}):
        said = re.sub(rf"(?<!\w){cell}(?!\w)", f"{spelled(cell[:1])} {number_words(int(cell[1:]))}", said)
    said = re.sub(r"\s*\(([^)]*)\)", r", \1", said).replace(" + ", ", ").replace(" · ", ", ")
    said = said.replace(" ...", "").replace("...", ".").replace("*", _("star"))
    said = _RANGE.sub(", ", said)
    for form, noun in _ONE.get(language(), ()):
        said = re.sub(rf"(?<![\w.,])(\d*1) (?={noun})", partial(_ending_in_one, form), said)
    return " ".join(_NUMBER.sub(lambda number: number_words(int(number[0])), said).split())


def _ending_in_one(form: str, number: re.Match[str]) -> str:
    """Return a number before a noun, its last word in the form that the noun requires: "veintiuna casillas"."""
    words = number_words(int(number[1]))
    last = re.search(r"(?<=\W)uno$|(?<=\W)un$|(?<=veinti)uno$", words)
    if number[1] == "1":
        return f"{form} "
    if last is None:
        return f"{words} "
    return words[: last.start()] + ("ún" if form == "un" and words.startswith("veinti") else form) + " "


_NOUN, _NO_PREPOSITION = r"[A-ZÄÖÜ]", r"(?!(?:de|di|su|sur|y|e|o|a|al|à)\b)[^\W\d_]"
_ONE = {
    "de": (
        ("eine", r"(?:freie|Karte|Sekunde|Runde|Figur|Reihe|Fahne|Flagge)\b"),
        ("ein", r"(?:freie[rs]|Feld|Spiel|Auge|Tee|Mal)\b"),
        ("einen", _NOUN),
    ),
    "es": (
        ("una", r"(?:casilla|carta|ficha|pieza|ronda|partida|bandera|jugada|tirada|fila|ve[zc])(?:e?s)?\b"),
        ("un", _NO_PREPOSITION),
    ),
    "fr": (("une", r"(?:case|carte|seconde|pièce|manche|partie|tuile|fois|rangée)s?\b"), ("un", _NO_PREPOSITION)),
    "it": (
        ("una", r"(?:casella|carta|pedina|mossa|partita|bandiera|volta|riga)\b"),
        ("uno", r"spazio\b"),
        ("un", _NO_PREPOSITION),
    ),
}
"""By language, the forms of "one" with the nouns after them; the default form is last."""


def number_words(number: int) -> str:
    """Return a number as words; as digits, which every voice reads too, if the extra `voice` is not installed."""
    installed = find_spec("num2words")
    return str(import_module("num2words").num2words(number, lang=language())) if installed else str(number)


MOST_WORDS = 11
"""Words spoken in one go: six seconds at 175 words a minute even if the words are long."""


def breaths(text: str) -> Iterator[str]:
    """Yield a text in parts that are short enough to follow and to interrupt: sentences, and parts of long ones."""
    for sentence in re.split(r"(?<=[.!?])\s+(?=\S)", text):
        for breath in joined(re.split(r"(?<=[;:,])\s+", sentence), " ", lambda text: len(text.split()) <= MOST_WORDS):
            words = breath.split()
            yield from (" ".join(words[n : n + MOST_WORDS]) for n in range(0, len(words), MOST_WORDS))
