"""The commands that players can type at any time, in their language and in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.line import NOISE, in_both_languages, plain
from companion.locale import _
from companion.ui.names import level_names
from engines.kernel import Level


def _commands() -> Mapping[str, tuple[str, str]]:
    """Return the words for each command, separated by commas, and its effect, "" if help does not name it."""
    return {
        "help": (_("help, ?, h, notation"), _("what you can type")),
        "hint": (_("hint, advise, advice, tip"), _("what the adviser would do, and why")),
        "undo": (_("undo, back"), _("take the last action back")),
        "redo": (_("redo, forward"), _("play it again")),
        "ask": (_("ask"), _("ask about a space or the game: ask E3, ask turn")),
        "board": (_("board, table"), _("show the board")),
        "cell": (_("cell, set"), _("say what is on a space: cell E3 empty")),
        "score": (_("score, points"), _("show the score and how it comes about")),
        "possible": (_("possible, list, moves"), _("show what is possible")),
        "rules": (_("rules"), _("the rules in short")),
        "rule": (_("rule"), _("a paragraph of the rules: rule 3.1")),
        "card": (_("card"), _("the cards in force")),
        "legend": (_("legend, signs"), _("what the signs on the board mean")),
        "terms": (_("terms, glossary"), _("the words of this game")),
        "options": (_("options, agreements"), _("what was agreed for this game")),
        "names": (_("names, players"), _("change the names of the players")),
        "roll": (_("roll, throw, dice, r"), ""),
        "pass": (_("pass, skip"), ""),
        "done": (_("done, ok"), ""),
        "yes": (_("yes, y"), ""),
        "no": (_("no, n"), ""),
        "new": (_("new, rematch"), _("begin a new game")),
        "games": (_("games, menu"), _("go to the list of games")),
        "pause": (_("pause"), _("stop the clocks, save, or count now")),
        "quit": (_("quit, exit, bye, q"), _("stop here; the game is kept")),
    }


def command_words() -> Mapping[str, str]:
    """Return the words for each command, separated by commas; help shows the first."""
    return {command: words for command, (words, _effect) in _commands().items()}


_COMPUTER = "computer"


def computer_words() -> Mapping[str, str]:
    """Return the words that give a seat to the computer, and its level, separated by commas."""
    return {_COMPUTER: _("computer"), **{level.value: name for level, name in level_names().items()}}


def computer_named(words: Sequence[str]) -> tuple[list[str], Level | None]:
    """Return the words that name a player, without those for the computer, and its level; None for a human player.

    A computer without a level plays as well as it can.
    """
    meanings = in_both_languages(computer_words)
    meant = [meanings.get(plain(word)) for word in words]
    if _COMPUTER not in meant:
        return [*words], None
    level = next((Level(said) for said in meant if said not in (None, _COMPUTER)), Level.STRONG)
    return [word for word, said in zip(words, meant, strict=True) if said is None], level


def done_words() -> Sequence[str]:
    """Return the words that can be typed for DONE; the first is the one that is shown."""
    return [word.strip() for word in command_words()["done"].split(",")]


def noise_words() -> Mapping[str, str]:
    """Return words that are ignored in a line."""
    return {NOISE: _("the, to, from, of, on, at, and, with, in, my, please, i")}


def command_help(*, cards: bool, sees: bool = False) -> Mapping[str, str]:
    """Return the effect of each command, by the word that is typed for it.

    Args:
        cards: the game has active cards.
        sees: a camera looks at the table.
    """
    left_out = {command for command, kept in (("card", cards), ("cell", sees), ("board", not sees)) if not kept}
    shown = (meant for command, meant in _commands().items() if command not in left_out)
    return {words.split(",")[0].strip(): effect for words, effect in shown if effect}
