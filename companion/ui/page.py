"""The text of a page: a view as sentences and signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap

from companion.core.verdicts import Action, Attention, LayoutRead, Mode, Refused
from companion.core.view import View
from companion.locale import _, translated
from companion.ui.board_text import BoardLook, CellMarks
from companion.ui.names import computer_note, player_name, player_names, seated_name
from companion.ui.phrases import MOST_CELLS, cells_list
from companion.ui.words import (
    EventWords,
    difference_lines,
    doubt_words,
    thing_name,
    todo_words,
    verdict_words,
    waiting_words,
)
from engines.kernel import Seat
from hardware.panel import Button, Rhythm


@dataclass(frozen=True, slots=True)
class ExtraDrawing:
    """A small drawing next to the board, such as a card.

    Attributes:
        title: what it is.
        rows: its lines, all of one width.
        cells: the labels of the cells that it shows, for displays that draw tables; empty if it shows none.
    """

    title: str
    rows: tuple[str, ...]
    cells: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extras(BoardLook):
    """What a game adds to the page of a position, and to the drawing of the board.

    Attributes:
        facts: short sentences, most important first: the round, the dice of this turn, the active card.
        of_player: what a player has next to the board, in a few words.
        legend: signs of this game with their meaning.
        drawings: cards and the like.
    """

    facts: tuple[str, ...] = ()
    of_player: Mapping[Seat, str] = field(default_factory=dict)
    legend: Mapping[str, str] = field(default_factory=dict)
    drawings: tuple[ExtraDrawing, ...] = ()


NOTHING = Extras()


_PASSING = ("moving", "settling")
"""Codes of waits that occur at every move and need no action by the players."""


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a screen: the labels of the cells and their marks, and sentences for everything else.

    Attributes:
        labels: the label of each cell, as seen where that differs from the game.
        marks: the cells to mark.
        extras: what the game adds.
        banner: whose turn it is, for large letters.
        seat: the seat whose colour the banner has, None for no colour.
        turn: whose turn it is and the expected action, in a sentence.
        activity: what the companion is doing.
        slider: steps on the slider bar, None for a game without one.
        remaining_s: the time that is left on the clock, None if no clock runs.
        message: what was understood last.
        notes: further sentences, below the message.
        scores: the points by seat.
        names: the players' names by seat.
        lamps: the meaning of each seat's lamp.
        acting: the seats that may act.
        buttons: each button with what it does now.
        choices: the choices, if there is more than one.
        possible: the possible actions, numbered as players may type them; empty if there are too many.
        shown: the index of the choice that DONE plays.
        title: the game, "" for the table file's title.
        words: the game's names of pieces, None for those of the table file.
        typed: the line that is being typed, None if there is none.
        answer: the answer to the last line.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    marks: CellMarks = field(default_factory=CellMarks)
    extras: Extras = NOTHING
    banner: str = ""
    seat: str | None = None
    turn: str = ""
    activity: str = ""
    slider: int | None = None
    remaining_s: int | None = None
    message: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    lamps: Mapping[str, str] = field(default_factory=dict)
    acting: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    buttons: tuple[tuple[str, str], ...] = ()
    choices: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    shown: int | None = None
    title: str = ""
    words: EventWords[Action] | None = None
    typed: str | None = None
    answer: tuple[str, ...] = ()


def page_of(
    view: View,
    words: EventWords[Action],
    *,
    lamps: Mapping[Seat, Rhythm],
    prompt: str = "",
    choices: tuple[str, ...] = (),
    possible: tuple[str, ...] = (),
    message: str | None = None,
    extras: Extras = NOTHING,
    title: str = "",
    remarks: Sequence[str] = (),
) -> Page:
    """Return a view as text.

    `prompt` is whose turn it is and the expected action, "" if it needs no words; `choices` are the texts of the view's
    choices. `message` is what was understood last, None for the verdict's words. `remarks` come after more urgent
    notes.
    """
    passing = view.waiting is not None and view.waiting.code in _PASSING
    lasting = replace(view, waiting=None) if passing else view
    verdict = verdict_words(lasting, words, view.arrangement.names) if message is None else message
    seen = {str(difference.cell): difference.observed for difference in view.out_of_step}
    meanings, agreed = rhythm_meanings(), view.arrangement
    computers = {seat: computer_note(seat, agreed.levels.get(seat)) for seat in agreed.companion_seats}
    return Page(
        labels={str(cell): label for cell, label in view.board.items()} | seen,
        marks=_marks(view),
        extras=extras,
        banner=_banner(view),
        seat=view.prompt.seat or (view.leaders[0] if view.over and len(view.leaders) == 1 else None),
        turn=_turn(view, prompt),
        activity=waiting_words(view.waiting) if view.waiting and passing else "",
        slider=view.slider or None,
        remaining_s=view.remaining_s,
        message=verdict,
        scores={str(seat): points for seat, points in view.score.items()},
        names={
            str(seat): seated_name(seat, agreed.names.get(seat, ""), computers.get(seat, "")) for seat in view.players
        },
        lamps={str(seat): meanings.get(rhythm, "") for seat, rhythm in lamps.items()},
        acting=acting_seats(view),
        notes=tuple(note for note in (*_notes(lasting, words), *remarks) if note and note not in verdict),
        buttons=button_lines(view, choices),
        choices=choices if len(choices) > 1 else (),
        possible=() if len(choices) > 1 else possible,
        shown=view.shown,
        title=title,
        words=words,
    )


_NOTICES_S = (*range(600, 0, -60), 30, 20, 10, 5)
"""Times at which plain lines repeat the time that is left."""


def clock_words(remaining_s: int | None) -> str:
    """Return the time that is left in minutes and seconds, "" if no clock runs."""
    if remaining_s is None:
        return ""
    return _("Clock {time}").format(time=f"{remaining_s // 60}:{remaining_s % 60:02}")


def clock_notice(
    last_s: int | None,
    remaining_s: int | None,
    notices_s: Sequence[int] = _NOTICES_S,
    words: Callable[[int], str] = clock_words,
) -> str:
    """Return the time that is left if the clock has just passed one of its notices, otherwise ""."""
    if last_s is None or remaining_s is None:
        return ""
    return words(remaining_s) if any(last_s > notice >= remaining_s for notice in notices_s) else ""


def rhythm_meanings() -> Mapping[Rhythm, str]:
    """Return the meanings of a lamp's rhythms; a dark or steady lamp has none."""
    return {
        Rhythm.TURN: _("your turn"),
        Rhythm.CONFIRMED: _("accepted"),
        Rhythm.WRONG: _("put right"),
        Rhythm.UNSURE: _("not sure"),
        Rhythm.TODO: _("pieces to place"),
        Rhythm.WON: _("winner"),
        Rhythm.FAULT: _("fault"),
        Rhythm.PAUSED: _("paused"),
        Rhythm.BLIND: _("not seen"),
        Rhythm.SET_UP: _("set up"),
        Rhythm.CHOICE: _("DONE takes it"),
        Rhythm.ON_DONE: _("your turn, then DONE"),
    }


def acting_seats(view: View) -> tuple[str, ...]:
    """Return the seats that may act; after the end, the winners."""
    if view.over:
        return tuple(map(str, view.leaders))
    return (str(view.prompt.seat),) if view.prompt.seat else tuple(map(str, view.players))


def _banner(view: View) -> str:
    """Return whose turn it is; after the end, who has won."""
    if view.paused:
        return _("Pause")
    if view.over:
        return player_names(view.leaders, view.arrangement.names) if view.leaders else _("The end")
    if view.attention in (Attention.BLIND, Attention.SET_UP, Attention.RESUMED):
        return _("Not seen") if view.attention is Attention.BLIND else _("Set up")
    seat = view.prompt.seat
    return player_name(seat, view.arrangement.names) if seat else _("Everybody")


def _turn(view: View, prompt: str) -> str:
    if view.paused:
        return _("Play is paused; the clocks stand still.")
    if not view.over:
        return prompt
    if not view.leaders:
        return _("The game is over.")
    one = len(view.leaders) == 1
    won = _("The winner is {players}. The game is over.") if one else _("The winners are {players}. The game is over.")
    return won.format(players=_banner(view))


def _marks(view: View) -> CellMarks:
    """Return the marked cells: different or refused, still to be placed, and doubtful."""
    named = view.verdict.cells if isinstance(view.verdict, Refused) else ()
    return CellMarks(
        wrong={*(odd.cell for odd in view.out_of_step), *named},
        to_place={todo.cell for todo in view.todo},
        doubt=set(view.doubt),
    )


def _notes(view: View, words: EventWords[Action]) -> Sequence[str]:
    """Return sentences about failures, differences, tasks, doubts and waits."""
    waiting = waiting_words(view.waiting) if view.waiting and view.verdict else ""
    named = {*(view.waiting.cells if view.waiting else ()), *(todo.cell for todo in view.todo)}
    unsure = [cell for cell in view.doubt if cell not in named]
    doubt = doubt_words(unsure) if view.layout is None and 0 < len(unsure) <= MOST_CELLS else ""
    on_done = _("Moves are judged when DONE is pressed.") if view.mode is Mode.ON_DONE and not view.over else ""
    todo = todo_words(view.todo, words)
    steps = guidance(view, words)
    by_hand = ""  # the position of a slider that the players set by hand
    if view.slider and view.slider_by_hand not in (None, view.slider):
        by_hand = _("Your slider stands at {found}: set it to {slider}.")
        by_hand = by_hand.format(found=view.slider_by_hand, slider=view.slider)
    return (*starmap(failed_words, view.failed.items()), *steps, todo, by_hand, doubt, waiting, on_done)


def failed_words(device: str, text: str) -> str:
    """Return a sentence about a device that does not work; `text` is the reason."""
    sentences = {
        "camera": _("The camera does not work: {sentence}"),
        "journal": _("The journal does not work: {sentence}. What you do waits until it works again."),
        "screen": _("The screen does not work: {sentence}"),
        "panel": _("The panel does not work: {sentence}"),
        "pictures": _("Pictures cannot be kept: {sentence}"),
    }
    reason = translated(text)
    return sentences[device].format(sentence=reason) if device in sentences else reason[:1].upper() + reason[1:]


def button_name(button: Button) -> str:
    """Return the label of a button."""
    return {Button.ROLL: _("ROLL"), Button.DONE: _("DONE"), Button.BACK: _("BACK"), Button.MODE: _("MODE")}[button]


def button_lines(view: View, choices: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return each active button with its effect; `choices` are the texts of `view.choices`, in the same order."""
    effects = {
        "throw": _("throw the dice"),
        "throw-soon": _("thrown as soon as the move is confirmed"),
        "count-up": _("count up"),
        "count-down": _("count down"),
        "judge": _("judge the table"),
        "insist": _("the table is right as it is"),
        "next": _("show the next choice"),
        "take-back": _("take back"),
        "show-count": _("show the score, player by player"),
        "count-die": _("take this number"),
        "next-one": _("show the next one"),
        "previous-one": _("show the one before"),
        "leave-it": _("leave it as it is"),
        "set-any": _("set what is on a space by hand"),
        "accept-dice": _("the dice are right"),
        "reject-dice": _("the dice are wrong"),
    }
    played = {} if view.shown is None else {(Button.DONE, view.choices[view.shown].code): choices[view.shown]}
    return tuple((button_name(one), played.get((one, code)) or effects[code]) for one, code in view.buttons.items())


# ---- differences between the board and the game, and the set-up, cell by cell


MOST = 5
"""The most differences that are named; the board marks all of them."""


def guidance(view: View, words: EventWords[Action] | None) -> tuple[str, ...]:
    """Return what to correct on the table so that it agrees with the game; empty if it agrees."""
    if view.layout is not None:
        return (_("Lay out what you have shuffled; I read what is where."), *_of_layout(view.layout, words))
    if not view.out_of_step:
        return ()
    heading = _("The table does not agree with the game:")
    if view.setting_up:
        heading = _("Set up the table for the start of the game:")
    elif view.resumed:
        heading = _("The table is not as the game was left:")
    sentences = {
        "moved": _("{cell}: {thing} belongs on {other}."),
        "empty": _("{cells} should be empty."),
        "exchanged": _("{cell}: put {thing} there instead of {other}."),
        "gone": _("{cell}: {thing} is missing."),
        "come": _("{cell}: take {thing} away."),
    }
    lines = list(difference_lines(view.out_of_step, words, sentences))
    shown = lines[:MOST]
    if more := len(lines) - len(shown):
        shown.append(_("And {more} more.").format(more=more))
    return (heading, *shown)


def _of_layout(layout: LayoutRead, words: EventWords[Action] | None) -> Iterator[str]:
    """Yield the cells still to be laid out, the duplicates, and the reading of each doubtful cell."""
    if layout.bare:
        few = len(layout.bare) <= MOST_CELLS
        sentence = _("Nothing is on {cells} yet.") if few else _("Nothing is on {number} spaces yet.")
        yield sentence.format(cells=cells_list(layout.bare), number=len(layout.bare))
    for label, cells in layout.doubled.items():
        named = thing_name(words, label)
        sentence = _("{thing} is there twice: on {cells}.")
        yield sentence.format(thing=named[:1].upper() + named[1:], cells=cells_list(cells))
    if len(layout.doubt) <= MOST:
        for cell in layout.doubt:
            yield _("{cell}: is that {thing}?").format(cell=cell, thing=thing_name(words, layout.labels[cell]))
    elif not layout.bare:
        first = layout.doubt[0]
        sentence = _(
            "It is not certain what is on {cells}. DONE asks one by one; you can also type them in one line:"
            " cell {cell} {thing}, and so on."
        )
        yield sentence.format(cells=cells_list(layout.doubt), cell=first, thing=thing_name(words, layout.labels[first]))
    if layout.bare and len(layout.missing) <= MOST:
        yield _("Not seen yet: {things}.").format(things=", ".join(thing_name(words, one) for one in layout.missing))
