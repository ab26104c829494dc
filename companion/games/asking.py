"""Answers to questions asked without looking: a cell, what changed, what is possible. Pure, for any game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.core.asking import NUMBERED, QUESTION_KEY, around
from companion.core.verdicts import Asked, Question
from companion.core.view import View
from companion.games.captions import choice_words, page_for, prompt_words
from companion.games.line import as_typed, in_both_languages, plain
from companion.games.speech import SPEECHES, possible_lines
from companion.locale import _
from companion.ui.hearing import drawing_lines, page_message, seconds_left, spelled, traces
from companion.ui.names import player_name
from companion.ui.page import Extras, Page, button_lines, guidance
from companion.ui.words import doubt_words, score_words, thing_name, todo_words
from engines.kernel import Cell
from vision.board import Board
from vision.labels import EMPTY, parse_label


def question_words() -> Mapping[str, str]:
    """Return the words that can be typed for each question after "ask", separated by commas."""
    return {
        Question.TURN: _("turn, who"),
        Question.CHANGED: _("changed, last, news"),
        Question.POSSIBLE: _("possible, may, can"),
        Question.AROUND: _("around, near"),
        Question.PIECES: _("pieces, mine"),
        Question.SCORE: _("score, points"),
        Question.BOARD: _("board, table"),
        Question.AGAIN: _("again, repeat"),
        Question.KEYS: _("keys, help"),
    }


def question_typed(text: str, cells: Iterable[Cell], at_ns: int) -> Asked | None:
    """Return the question meant by a line after "ask", such as "E3" or "around E3"; None if it means none."""
    by_word = in_both_languages(question_words)
    known = {str(cell).lower(): cell for cell in cells}
    words = [plain(word) for word in (*text.replace("?", " ").split(), *as_typed(text).replace("?", " ").split())]
    cell = next((known[word] for word in words if word in known), None)
    asked = next((Question(by_word[word]) for word in words if word in by_word), None)
    if asked is None and cell is not None:
        asked = Question.CELL
    return None if asked is None else Asked(asked, at_ns, cell)


def question_help() -> str:
    """Return how questions are typed."""
    first = (words.split(",")[0].strip() for words in question_words().values())
    return _("Type ask and a space (ask E3), or: {words}.").format(words=", ".join(first))


def answer_lines(view: View, board: Board) -> Sequence[str]:
    """Return the written answer to the last question, line by line; empty if nothing was asked.

    The last spoken answer is not known here: the voice repeats it.
    """
    asked = view.asked
    if asked is None:
        return ()
    page, cell = page_for(view, board, lamps={}), asked.cell
    names, clock = view.arrangement.names, "" if view.remaining_s is None else seconds_left(view.remaining_s)
    no_cell = [_("Ask for a space first.")]
    answers: Mapping[Question, Callable[[], Iterable[str]]] = {
        Question.COLUMN: lambda: [_("{letter} as in {word}").format(letter=asked.column, word=spelled(asked.column))],
        Question.CELL: lambda: no_cell if cell is None else _of_cell(view, page, board, cell),
        Question.AROUND: lambda: no_cell if cell is None else _around(view, page, board, cell),
        Question.TURN: lambda: [prompt_words(view), clock, *page.extras.facts],
        Question.CHANGED: lambda: [
            page_message(page, view),
            *traces(view.board, view.changed, page.words),
            *page.notes,
        ],
        Question.POSSIBLE: lambda: _possible(view),
        Question.PIECES: lambda: _pieces(view, page.extras),
        Question.SCORE: lambda: [score_words(view.score, names)],
        Question.BOARD: lambda: _rows(view, page, board),
        Question.AGAIN: list,
        Question.KEYS: _keys,
    }
    return [line for line in answers[asked.question]() if line]


def _of_cell(view: View, page: Page, board: Board, cell: Cell) -> Iterator[str]:
    """Yield the expected label of a cell, and whether it is seen to differ or not seen well."""
    words = SPEECHES[view.game].words
    yield _("{cell}: {thing}").format(cell=cell, thing=_on(view, page.extras, board, cell)) + "."
    wrong = tuple(difference for difference in view.out_of_step if difference.cell == cell)
    yield from guidance(replace(view, layout=None, out_of_step=wrong), words)[1:]
    if cell in view.doubt and not wrong:
        yield doubt_words([cell])


def _on(view: View, extras: Extras, board: Board, cell: Cell) -> str:
    """Return the thing on a cell, the drawing on it, and its printed number."""
    signs = (extras.below.get(cell, ""), extras.texts.get(cell, ""))
    drawn = [meaning for sign, meaning in extras.legend.items() if signs[0].startswith(sign)]
    printed = board.printed_number(cell)
    numbers = re.findall(r"\d+", " ".join(signs)) or ([] if printed is None else [str(printed)])
    return ", ".join([thing_name(SPEECHES[view.game].words, view.board[cell]), *drawn, *numbers])


def _around(view: View, page: Page, board: Board, cell: Cell) -> Iterator[str]:
    """Yield the things on the cells round one, pieces first, then the empty cells."""
    near = around(view.board, cell)
    for other in near:
        if view.board[other] != EMPTY:
            yield _("{cell}: {thing}").format(cell=other, thing=_on(view, page.extras, board, other)) + "."
    if bare := [other for other in near if view.board[other] == EMPTY]:
        yield _("{cell}: {thing}").format(cell=", ".join(bare), thing=thing_name(None, EMPTY)) + "."


def _pieces(view: View, extras: Extras) -> Iterator[str]:
    """Yield the pieces of the player to act, on and next to the board; all pieces if nobody is to act."""
    seat = view.prompt.seat
    own = {cell: label for cell, label in view.board.items() if seat in parse_label(label).colours}
    shown = own or {cell: label for cell, label in view.board.items() if label != EMPTY}
    if seat is not None and not shown:
        sentence = _("{player} has nothing on the board.")
        yield sentence.format(player=player_name(seat, view.arrangement.names))
    yield from traces(view.board, shown, SPEECHES[view.game].words)
    if seat is not None and (beside := extras.of_player.get(seat)):
        yield f"{player_name(seat, view.arrangement.names)}, {beside}."


def _possible(view: View) -> Iterator[str]:
    """Yield what to correct on the table, the possible actions, and what each button does."""
    words = SPEECHES[view.game].words
    yield from guidance(view, words)
    if view.todo:
        yield todo_words(view.todo, words)
    if not (view.over or view.paused or view.setting_up or view.resumed):
        yield from possible_lines(view.game, view.position, view.arrangement.names)
    choices = [choice_words(view, choice) for choice in view.choices]
    yield from (f"{name}: {meaning}." for name, meaning in button_lines(view, choices))


def _rows(view: View, page: Page, board: Board) -> Iterator[str]:
    """Yield the contents of the table row by row; an empty row in one word."""
    rows: dict[str, list[Cell]] = {}
    for cell in view.board:
        rows.setdefault(cell[1:], []).append(cell)
    for row, cells in rows.items():
        taken = sorted(cell for cell in cells if view.board[cell] != EMPTY)
        told = (_("{cell}: {thing}").format(cell=cell, thing=_on(view, page.extras, board, cell)) for cell in taken)
        if taken:
            yield ", ".join(told) + "."
        else:
            yield _("Row {row}: {thing}.").format(row=row, thing=thing_name(None, EMPTY))
    for drawing in page.extras.drawings:
        yield from drawing_lines(drawing, page.extras.legend)


def _keys() -> Iterator[str]:
    """Yield the question of each key."""
    yield _("A column and a row: what is there. Minus: again. Enter: whose turn.")
    words = question_words()
    for key, question in NUMBERED.items():
        yield _("{first}, then {key}: {question}.").format(
            first=QUESTION_KEY, key=key, question=words[question].split(",")[0]
        )
