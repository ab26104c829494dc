"""A game's short rules for players: the turn in a few sentences, signs, terms and options."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.commands import command_words
from companion.games.line import in_both_languages, nearest, plain
from companion.locale import _, english
from engines.kernel import Json, JsonObject
from engines.schema import bounds, usual


@dataclass(frozen=True, slots=True)
class Option:
    """An option that players can agree on before a game.

    Attributes:
        key: its name in files and in the protocol.
        title: its name for the players, which they type.
        meaning: what a number changes; `{value}` stands for it.
        values: the meaning of each value, by the value as JSON ("true", "2"); empty for numbers.
        span: the least and the greatest number; None if the option is not a number.
        usual: the default value; None if that depends on something else.
    """

    key: str
    title: str
    meaning: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    span: tuple[int, int] | None = None
    usual: Json = None


@dataclass(frozen=True, slots=True)
class Guide:
    """A game's rules in the current language.

    Attributes:
        goal: the goal, in a sentence or two.
        turn: the turn, in at most seven sentences; printed on the players' aids as well.
        signs: the signs on the board and in its drawing, with their meaning.
        terms: the game's own words, with their meaning.
        options: the options that can be agreed.
        credit: the author of the game, and the licence of its rules.
    """

    goal: str
    turn: tuple[str, ...]
    signs: Mapping[str, str]
    terms: Mapping[str, str]
    options: tuple[Option, ...] = ()
    credit: str = ""


NO_GUIDE = Guide("", (), {}, {})
"""The guide of a game without rules for players."""


def with_bounds(agreement: type, options: Iterable[Option]) -> tuple[Option, ...]:
    """Return options with the usual values and the bounds of numbers that the fields of `agreement` have."""
    return tuple(
        replace(
            option,
            usual=usual(agreement, option.key) if option.usual is None else option.usual,
            span=None if option.values else bounds(agreement, option.key),
        )
        for option in options
    )


def credit_to(author: str) -> str:
    """Return a sentence that names the author, or says that the rulebook names nobody."""
    if not author:
        return _("The author of the game is not named in its rulebook.")
    return _("A game by {author}.").format(author=author)


def short_rules(guide: Guide) -> list[str]:
    """Return the short rules: goal, turn and credit."""
    return [guide.goal, *guide.turn, *filter(None, [guide.credit])]


def pairs(entries: Mapping[str, str]) -> list[str]:
    """Return signs or terms with their meaning, a line each."""
    return [_("{term}: {meaning}").format(term=term, meaning=meaning) for term, meaning in entries.items()]


def options_in_words(guide: Guide, chosen: JsonObject) -> list[str]:
    """Return a sentence for each agreed option that the guide knows; other options do not concern the players."""
    sentences = []
    for option in (option for option in guide.options if option.key in chosen):
        value = chosen[option.key]
        meaning = option.values.get(_write(value), "" if option.values or value is None else option.meaning)
        is_level = bool(option.values) and isinstance(value, int) and not isinstance(value, bool)
        if meaning:
            facts = {"option": f"{option.title} {value}" if is_level else option.title}
            sentences.append(_("{option}: {meaning}.").format(meaning=meaning.format(value=value), **facts))
    return sentences


def _write(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def option_lines(guide: Guide, like: str = "") -> Sequence[str]:
    """Return the options that can be agreed, with the values that can be typed and their meaning.

    Args:
        guide: the game's rules.
        like: a title or key, perhaps misspelt, to return only that option; all if none is similar.
    """
    meant = _find_named(like, lambda: [guide]) or _find_named(
        nearest(like, [option.title for option in guide.options]) or "", lambda: [guide]
    )
    lines = []
    for option in guide.options if meant is None else (meant,):
        typed = {_choice(option, value): meaning for value, meaning in option.values.items()}
        if not typed:
            typed = {"N": option.meaning.format(value="N")}
            if option.span is not None:
                least, greatest = option.span
                number = _("{meaning} (N from {least} to {greatest})")
                typed["N"] = number.format(meaning=typed["N"], least=least, greatest=greatest)
        for value, meaning in typed.items():
            lines.append(_("{term}: {meaning}").format(term=f"{option.title}={value}", meaning=meaning))
    return lines


def _choice(option: Option, value: str) -> str:
    """Return the text to type for a value: a number itself, any other its place among the option's values."""
    return value if value.isdecimal() else str([*option.values].index(value) + 1)


def options_brief(guide: Guide, chosen: JsonObject) -> list[str]:
    """Return chosen options as short as possible: "Level=2"; an unknown one by its key."""
    known = {option.key: option for option in guide.options}
    brief = []
    for key, value in chosen.items():
        title, meaning, written = key, "", _write(value)
        if (option := known.get(key)) is not None:
            title, meaning = option.title, option.values.get(written, "")
        if meaning and not written.isdecimal():
            brief.append(_("{term}: {meaning}").format(term=title, meaning=meaning))
        else:
            brief.append(f"{title}={written}")
    return brief


def option_typed(text: str, guides: Callable[[], Iterable[Guide]]) -> tuple[str, Json] | None:
    """Return the key and value of an option typed as "Level=2" or "level 2", None if it is not an option.

    Args:
        text: the option's title in the user's language or in English, or its key; "=" or a blank; the value. Yes and no
            are understood, and values with words by their place in the list. Any other value that is not JSON is a
            word.
        guides: returns the guides of the games whose options may be meant, in the current language.
    """
    key, equals, value = map(str.strip, text.partition("="))
    if not equals:
        key, _blank, value = map(str.strip, text.strip().rpartition(" "))
    option = _find_named(key, guides)
    if not (key and value) or not (equals or option):
        return None
    if option is None:
        return key.replace("-", "_"), json_or_word(value)
    places = {_choice(option, one): one for one in option.values}
    word = in_both_languages(command_words).get(plain(value), "")
    return option.key, json_or_word(places.get(value, {"yes": "true", "no": "false"}.get(word, value)))


def _find_named(name: str, guides: Callable[[], Iterable[Guide]]) -> Option | None:
    """Return the option with this title or key; titles in the user's language precede English ones."""
    spoken = [option for guide in guides() for option in guide.options]
    with english():
        titles = [option.title for guide in guides() for option in guide.options]
    named = {
        _squeeze(word): option for option, title in zip(spoken, titles, strict=True) for word in (option.key, title)
    }
    return {**named, **{_squeeze(option.title): option for option in spoken}}.get(_squeeze(name))


def _squeeze(name: str) -> str:
    return "".join(letter for letter in plain(name) if letter.isalnum())


def json_or_word(typed: str) -> Json:
    """Return the value that a text has as JSON; a text that is not JSON is a word."""
    try:
        value: Json = json.loads(typed)
    except ValueError:
        return typed
    return value
