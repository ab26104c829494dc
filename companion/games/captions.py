"""The expected action and the choices in the game's words. Pure, over a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core import choices
from companion.core.verdicts import SET_ANY, Action, Choice, Position, Refused, TookBack, Unchanged
from companion.core.view import View
from companion.games.speech import SPEECHES, numbered_lines, taken_back, title_of
from companion.locale import _
from companion.ui.names import Names, player_name, won_by
from companion.ui.page import NOTHING, Extras, Page, page_of
from companion.ui.words import thing_name, todo_words, with_rule
from engines.kernel import Advice, Refusal, Seat
from hardware.panel import Button, Rhythm
from vision.board import Board


def prompt_words(view: View) -> str:
    """Return whose turn it is and the expected action, or who has won."""
    names = view.arrangement.names
    if view.over:
        return _("The game is over.") + " " + won_by(view.leaders, names)
    if view.paused:
        return _("The game is paused.")
    return request_words(view) or SPEECHES[view.game].prompt(view.position, names)


def request_words(view: View) -> str:
    """Return the move that the companion asks for its own seat; "" if it asks for none."""
    if view.request is None or view.over or view.paused:
        return ""
    names = view.arrangement.names
    played = SPEECHES[view.game].action_name(view.position, view.request, names)
    return _("Please move for {player}: {action}.").format(player=player_name(view.prompt.seat, names), action=played)


def advice_words(view: View) -> str:
    """Return the adviser's proposal and its reason; "" if the adviser was not asked."""
    advised = view.advice
    if advised is None:
        return ""
    if advised.action is None:
        return _("There is nothing to decide now.")
    advice = Advice(advised.action, advised.code, advised.numbers, 0.0)
    return SPEECHES[view.game].hint(view.position, advice, view.arrangement.names)


def choice_words(view: View, choice: Choice[Action]) -> str:
    """Return a choice in words: an action of the game by its name, others by their effect."""
    if choice.code == SET_ANY and choice.cell is not None:
        thing = thing_name(SPEECHES[view.game].words, choice.label) if choice.label else "?"
        return _("{cell}: {thing}").format(cell=choice.cell, thing=thing)
    if choice.cell is not None:
        thing = thing_name(SPEECHES[view.game].words, choice.label)
        return _("{cell} is as it was ({thing}), whatever the camera sees").format(cell=choice.cell, thing=thing)
    if choice.action is None:
        player = player_name(choice.by, view.arrangement.names)
        return _choices()[choice.code].format(player=player)
    if choice.counts is not None and view.number is None:
        return _("{player}: choose a number").format(player=player_name(choice.by, view.arrangement.names))
    action = choice.action if choice.counts is None or view.number is None else choice.counts(view.number)
    name = SPEECHES[view.game].action_name(view.position, action, view.arrangement.names)
    return _("it was this: {action}").format(action=name) if choice.code == choices.EXPLANATION else name


def _choices() -> Mapping[str, str]:
    return {
        choices.COMPANION: _("let the companion play on"),
        choices.THROW_DICE: _("let the companion throw the dice"),
        choices.GO_BACK: _("take the moves back until the game is as the table"),
        SET_ANY: _("set what is on a space by hand"),
        choices.TAKE_TABLE: _("go on with the table as it is"),
        choices.CONTINUE: _("go on playing"),
        choices.SAVE: _("save the game and stop"),
        choices.LEAVE: _("go on without {player}, the companion plays"),
        choices.RETURN: _("go on with {player} again"),
        choices.HINT: _("go on with a hint from the companion"),
        choices.COUNT_NOW: _("count now and end the game"),
        choices.JUDGE_ON_DONE: _("judge moves only when DONE is pressed"),
        choices.JUDGE_BY_ITSELF: _("judge moves as soon as the table is still"),
        choices.SWITCH_OFF: _("switch the box off (press DONE twice)"),
        choices.REMATCH: _("play again"),
        choices.NEW_GAME: _("play another game"),
        choices.END: _("end the evening"),
    }


def dice_words(view: View) -> str:
    """Return the throw that the camera has read, or the numbers counted for a throw; "" if there is neither."""
    if view.dice_read is not None:
        throw = SPEECHES[view.game].action_name(view.position, view.dice_read, view.arrangement.names)
        return _("On the dice: {throw}. DONE takes it; if it is wrong, press BACK and count with ROLL.").format(
            throw=throw
        )
    if not view.dice_awaited or (view.number is None and not view.dice_counted):
        return ""
    counted = " ".join([*map(str, view.dice_counted), "?" if view.number is None else str(view.number)])
    return _("Dice counted: {numbers}").format(numbers=counted)


def count_words(view: View) -> str:
    """Return the number that is shown player by player, or after the end the wins of the evening; "" for neither."""
    names = view.arrangement.names
    if view.count is not None:
        sentence = (
            _("{player}: games won this evening: {number}") if view.count.wins else _("{player}: points: {number}")
        )
        return sentence.format(player=player_name(view.count.seat, names), number=view.count.number)
    if not (view.over and view.tally):
        return ""
    wins = ", ".join(f"{player_name(seat, names)} {number}" for seat, number in view.tally.items())
    return _("Games won this evening: {wins}").format(wins=wins)


# ---- a view of any game as a page: the game's sentences, its choices in words, and what its own screen adds


def extras_of(game: str, position: Position, board: Board, names: Names) -> Extras:
    """Return what a game's screen adds to a position."""
    extras = SPEECHES[game].extras
    return NOTHING if extras is None else extras(position, board, names)


def page_for(view: View, board: Board, *, lamps: Mapping[Seat, Rhythm], remarks: Sequence[str] = ()) -> Page:
    """Return a view of any game as a page in words."""
    speech, names = SPEECHES[view.game], view.arrangement.names
    # why an entered action is refused, or which action was taken back; any other verdict has the page's own words
    message = None
    match view.verdict:
        case Refused(code, rule, cells, _facts, action) if action is not None:
            refusal = speech.refusal(view.position, action, Refusal(code, rule, cells), names)
            message = with_rule(refusal, rule)
        case TookBack(_seat, todo, played) if played is not None:
            back = taken_back(view.game, view.position, played, names)
            message = f"{back} {todo_words(todo, speech.words)}" if todo else back
        case Unchanged() if view.to_act == "dice" and Button.ROLL not in view.buttons:
            # a card drawn beside the board changes none of its cells; where it is not read it can be typed
            remarks = (*remarks, speech.explain(view.position, names))
    return page_of(
        view,
        speech.words,
        lamps=lamps,
        prompt="" if view.over else request_words(view) or speech.prompt(view.position, names),
        choices=tuple(choice_words(view, choice) for choice in view.choices),
        possible=() if view.over or view.paused else tuple(numbered_lines(view.game, view.position, names)),
        message=message,
        extras=extras_of(view.game, view.position, board, names),
        title=title_of(view.game),
        remarks=remarks,
    )
