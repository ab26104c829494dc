"""Answers to what the players ask while they play: rules, help, cards, terms, score. Pure, over a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.view import View
from companion.games import GAMES
from companion.games.captions import prompt_words
from companion.games.commands import command_help
from companion.games.guide import Guide, full_rules, option_lines, pairs, short_rules
from companion.games.rulebook import rule_lines
from companion.games.showing import extras_of
from companion.games.speech import SPEECHES, agreed_options, card_lines, has_cards, possible_lines, score_lines
from companion.games.typed import Command
from companion.locale import _
from companion.ui.words import score_words


def answer(view: View, command: Command) -> list[str] | None:
    """Return the answer to a question, line by line; None if a command is no question.

    Args:
        view: the table as it stands.
        command: what was typed.
    """
    answers: Mapping[str, Callable[[View, str], list[str]]] = {
        "help": _help,
        "possible": _possible,
        "rules": _rules,
        "rule": _rule,
        "card": _card,
        "legend": _legend,
        "terms": _terms,
        "options": _options,
        "score": _score,
    }
    return answers[command.name](view, command.argument) if command.name in answers else None


def ended(view: View) -> list[str]:
    """Return that a game is over or paused; nothing where that is said with what can be chosen then."""
    return [] if view.choices else [prompt_words(view)]


def _guide(view: View) -> Guide | None:
    described = SPEECHES[view.game].guide
    return None if described is None else described()


def _help(view: View, argument: str) -> list[str]:
    """Return what can be typed now, with the commands in one sentence so that the board stays on the screen.

    With a word behind it, what each command does.
    """
    if view.over or view.paused:
        return ended(view)
    meanings = {
        **command_help(cards=has_cards(view.game), sees=view.sees),
        _("language").lower() + " de": _("speak another language"),
    }
    if argument:
        width = max(map(len, meanings))
        return [_("At any time:"), *(f"  {word:<{width}}  {text}" for word, text in meanings.items())]
    explained = SPEECHES[view.game].grammar.explain(view.position, view.arrangement.names)
    commands = _("At any time:") + f" {', '.join(meanings)}."
    return [prompt_words(view), explained, commands, _("What each of them does: help all.")]


def _possible(view: View, _argument: str) -> list[str]:
    return ended(view) if view.over or view.paused else possible_lines(view.game, view.position, view.arrangement.names)


def _rules(view: View, argument: str) -> list[str]:
    guide = _guide(view)
    if guide is None:
        return _rule(view, argument)
    if argument:
        return full_rules(guide)
    return [*short_rules(guide), _("All of them: rules all. A paragraph: rule 3.1.")]


def _rule(view: View, argument: str) -> list[str]:
    found = rule_lines(view.game, argument)
    return found or [_("There is no rule with that number. Type one like this: rule 3.1.")]


def _card(view: View, _argument: str) -> list[str]:
    lines = card_lines(view.game, view.position)
    return [*lines] or [_("No card is in force now.")]


def _legend(view: View, _argument: str) -> list[str]:
    guide = _guide(view)
    own = {**({} if guide is None else guide.signs), **_extra_signs(view)}
    shared = {"!": _("put this right"), "+": _("put a piece here"), "?": _("the camera is not sure")}
    return pairs({**own, **shared})


def _extra_signs(view: View) -> Mapping[str, str]:
    """Return the signs that only the drawing of the board has."""
    board = GAMES[view.game].board() if view.game in GAMES else None
    return {} if board is None else extras_of(view.game, view.position, board, view.arrangement.names).legend


def _terms(view: View, _argument: str) -> list[str]:
    guide = _guide(view)
    return [] if guide is None else pairs(guide.terms)


def _options(view: View, argument: str) -> list[str]:
    """Return what was agreed for this game; with a word behind it all that can be agreed."""
    guide = _guide(view)
    if guide is None or not guide.options:
        return [_("There is nothing to agree on before this game.")]
    if argument:
        return [*option_lines(guide)]
    return agreed_options(view.game, view.position) or [_("The usual rules; nothing else was agreed.")]


def _score(view: View, _argument: str) -> list[str]:
    if view.over and view.choices:
        return ended(view)
    names = view.arrangement.names
    return [score_words(view.score, names), *score_lines(view.game, view.position, names)]
