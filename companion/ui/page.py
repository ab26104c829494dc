"""From what is to be shown to the sentences and signs that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from companion.core.verdicts import Mode, Refused, Rhythm
from companion.core.view import View
from companion.locale import _
from companion.ui.board_text import Marks
from companion.ui.corrections import corrections
from companion.ui.people import player_name
from companion.ui.phrases import cells_words
from companion.ui.screen import Page
from companion.ui.words import GameWords, todo_words, verdict_words, waiting_words
from engines.kernel import Seat

_PASSING = ("moving", "settling")
"""What is waited for at every move: nothing that anybody has to do something about."""


def page_of(
    view: View,
    words: GameWords,
    *,
    lamps: Mapping[Seat, Rhythm],
    pictures: Sequence[Path] = (),
    remarks: Sequence[str] = (),
) -> Page:
    """Put a view into words; `remarks` are told after what is more pressing."""
    passing = view.waiting is not None and view.waiting.code in _PASSING
    lasting = replace(view, waiting=None) if passing else view
    return Page(
        labels={str(cell): label for cell, label in view.board.items()},
        marks=_marks(view),
        turn=_turn(view),
        activity=waiting_words(view.waiting) if view.waiting and passing else "",
        slider=view.slider or None,
        message=verdict_words(lasting, words, view.arrangement.names),
        scores={str(seat): points for seat, points in view.score.items()},
        lamps={str(seat): rhythm_words(rhythm) for seat, rhythm in lamps.items()},
        notes=tuple(note for note in (*_notes(lasting, words), *remarks, *_kept(pictures)) if note),
    )


def rhythm_words(rhythm: Rhythm) -> str:
    """Say what a lamp means."""
    sentences = {
        Rhythm.OFF: "",
        Rhythm.TURN: _("your turn"),
        Rhythm.TODO: _("pieces to place"),
        Rhythm.WRONG: _("put right"),
        Rhythm.UNSURE: _("not sure"),
        Rhythm.WON: _("winner"),
        Rhythm.FAULT: _("fault"),
    }
    return sentences[rhythm]


def _turn(view: View) -> str:
    if view.over:
        return _("The game is over.")
    return (
        _("Roll the dice.")
        if view.to_act == "dice"
        else _("Turn: {player}").format(player=player_name(str(view.to_act), view.arrangement.names))
    )


def _marks(view: View) -> Marks:
    """Mark the cells that differ and those that the refusal names, what is still to be placed, and what is doubtful."""
    named = view.verdict.cells if isinstance(view.verdict, Refused) else ()
    return Marks(
        wrong={*view.differs, *named},
        to_place={todo.cell for todo in view.todo},
        doubt=set(view.doubt),
    )


def _notes(view: View, words: GameWords) -> Sequence[str]:
    """Say what fails, what differs, what is left to do, what cannot be told, and what is waited for."""
    doubt = _("I am not sure about {cells}.").format(cells=cells_words(view.doubt)) if view.doubt else ""
    waiting = waiting_words(view.waiting) if view.waiting and view.verdict else ""
    on_done = _("Moves are judged when done is pressed.") if view.mode is Mode.ON_DONE else ""
    todo = (todo_words(view.todo, words), _slider_to_set(view))
    return (*map(_failure, view.failed.items()), *_differences(view, words), *todo, doubt, waiting, on_done)


def _differences(view: View, words: GameWords) -> Sequence[str]:
    """Return what to change on the table, or where to look as long as it is not known what is there."""
    if view.out_of_step:
        return corrections(view.out_of_step, words.thing)
    if not view.differs:
        return ()
    return [_("Look at {cells}: the game has something else there.").format(cells=cells_words(view.differs))]


def _slider_to_set(view: View) -> str:
    """Say where a slider that people set by hand has to go."""
    if not view.slider or view.slider_by_hand in (None, view.slider):
        return ""
    sentence = _("Your slider stands at {found}: set it to {slider}.")
    return sentence.format(found=view.slider_by_hand, slider=view.slider)


def _failure(failed: tuple[str, str]) -> str:
    device, sentence = failed
    sentences = {
        "camera": _("The camera does not work: {sentence}"),
        "journal": _("The journal does not work: {sentence}"),
        "screen": _("The screen does not work: {sentence}"),
        "panel": _("The panel does not work: {sentence}"),
        "pictures": _("Pictures cannot be kept: {sentence}"),
    }
    return sentences[device].format(sentence=sentence)


def _kept(pictures: Sequence[Path]) -> Sequence[str]:
    return [_("A picture of it is kept.")] if pictures else []
