"""A game's rules for people: the turn in a few sentences, all of it in short sections, signs, terms and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.locale import _
from engines.kernel import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Section:
    """Some rules under a title.

    Attributes:
        title: what they are about.
        sentences: the rules.
    """

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be agreed before a game.

    Attributes:
        key: its name in commands and files.
        title: what people call it.
        meaning: what it changes; `{value}` stands for a number that is agreed.
        values: what single values mean, by the value as JSON has it ("true", "2"); empty for numbers.
    """

    key: str
    title: str
    meaning: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guide:
    """A game's rules in the language in force.

    Attributes:
        title: what the game is called.
        goal: what it is about, in a sentence or two.
        turn: the turn, in at most six sentences.
        sections: all of the rules, in short sections.
        signs: what is on the board and in its drawing, with its meaning.
        terms: the game's own words, with their meaning.
        options: what can be agreed.
    """

    title: str
    goal: str
    turn: tuple[str, ...]
    sections: tuple[Section, ...]
    signs: Mapping[str, str]
    terms: Mapping[str, str]
    options: tuple[Option, ...] = ()


def short_rules(guide: Guide) -> list[str]:
    """Return the rules in short: the goal and the turn."""
    return [guide.title, guide.goal, *guide.turn]


def full_rules(guide: Guide) -> list[str]:
    """Return all rules, each section under its title."""
    lines = [guide.title, guide.goal]
    for section in guide.sections:
        lines += ["", section.title, *section.sentences]
    return lines


def pairs(entries: Mapping[str, str]) -> list[str]:
    """Return signs or terms with their meaning, a line each."""
    return [_("{term}: {meaning}").format(term=term, meaning=meaning) for term, meaning in entries.items()]


def options_in_words(guide: Guide, chosen: JsonObject) -> list[str]:
    """Return what was agreed, a sentence for each option that is known; others are no matter for people."""
    return [sentence for option in guide.options if option.key in chosen and (sentence := _agreed(option, chosen))]


def _agreed(option: Option, chosen: JsonObject) -> str:
    value = chosen[option.key]
    meaning = option.values.get(_written(value), "" if option.values or value is None else option.meaning)
    is_level = bool(option.values) and isinstance(value, int) and not isinstance(value, bool)
    title = f"{option.title} {value}" if is_level else option.title
    facts = {"option": title, "meaning": meaning.format(value=value)}
    return _("{option}: {meaning}.").format_map(facts) if meaning else ""


def _written(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def option_lines(guide: Guide) -> Sequence[str]:
    """Return what can be agreed, each option with its values and what they mean."""
    lines = []
    for option in guide.options:
        values = [_("{term}: {meaning}").format(term=value, meaning=text) for value, text in option.values.items()]
        lines += [
            f"{option.title} ({option.key})",
            *([] if option.values else [option.meaning.format(value="N")]),
            *values,
        ]
    return lines
