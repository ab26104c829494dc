"""The paragraphs of a game's RULES.md, which refusals name by number, in the user's language.

A game's package has translations in `rules/de.md` and so on, with the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from companion.games.discovery import packages
from companion.games.engines import ENGINES
from companion.locale import language, translated

_FILE = "RULES.md"
_HEADING = re.compile(r"#+ (?P<number>\d+) (?P<title>.+)")
_BEGINNING = re.compile(r"(?P<number>\d+\.\d+) (?P<text>.+)")
_ASIDES = re.compile(r"\s*\*\(settled[^)]*\)\*|\s*\((?:option|see)[^()]*\)|`")


def rule_lines(game: str, number: str) -> list[str]:
    """Return a paragraph of the rules in the user's language, or a whole section; empty for an unknown number.

    A table that a paragraph announces follows it, a row in each line; translations say in words what is in it.

    Args:
        game: the game's name.
        number: "3.1" for a paragraph, "3" for a section.
    """
    wanted, rules = number.strip().rstrip("."), {**rulebook(game), **translated_rulebook(game, language())}
    found = {key: text for key, text in rules.items() if key == wanted or key.startswith(f"{wanted}.")}
    lines: list[str] = []
    for key, text in found.items() if wanted else ():
        rows = _tables(game).get(key, ()) if text == rulebook(game)[key] else ()
        lines += [f"{key} {translated(text)}", *(f"- {translated(row)}" for row in rows)]
    return lines


def all_rules(game: str) -> list[str]:
    """Return all numbered paragraphs of the rules in the user's language, each section under its title.

    The sections on refusals and notation, which are for programs, have no numbered paragraphs.
    """
    sections = [number for number in rulebook(game) if "." not in number and f"{number}.1" in rulebook(game)]
    return [line for number in sections for line in ("", *rule_lines(game, number))][1:]


@cache
def _tables(game: str) -> Mapping[str, Sequence[str]]:
    """Return the rows of the tables that paragraphs announce with a colon, by the paragraph's number."""
    announced = [number for number, text in rulebook(game).items() if text.endswith(":")]
    paragraphs = re.split(r"^(?=#+ |\d+\.\d+ )", rules_text(game), flags=re.MULTILINE)
    parts = {paragraph.split(maxsplit=1)[0]: paragraph for paragraph in paragraphs if paragraph.strip()}
    tables: dict[str, list[str]] = {number: [] for number in announced if number in parts}
    for number, rows in tables.items():
        first = ""  # an empty first cell repeats the one above
        for line in [line for line in parts[number].splitlines() if line.startswith("|")][2:]:
            name, value, meaning = (cell.strip(" `") for cell in line.strip("|").split("|"))
            first = name or first
            rows.append(f"{first} {value}: {meaning}")
    return tables


@cache
def rulebook(game: str) -> Mapping[str, str]:
    """Return the titles of the sections and the paragraphs, by number, in order, without tables."""
    return _parse(rules_text(game))


def rules_text(game: str) -> str:
    """Return a game's RULES.md."""
    module = type(ENGINES[game].game).__module__
    try:
        package = resources.files(module)
    except TypeError:  # no package, but a module in one
        package = resources.files(module.rpartition(".")[0])
    return package.joinpath(_FILE).read_text("utf-8")


@cache
def translated_rulebook(game: str, code: str) -> Mapping[str, str]:
    """Return the translated rules of a language, by number; empty if the game has no such file."""
    file = resources.files(packages()[game]).joinpath("rules", f"{code}.md")
    return _parse(file.read_text("utf-8")) if file.is_file() else {}


def _parse(text: str) -> dict[str, str]:
    rules: dict[str, str] = {}
    last = ""
    for line in map(str.strip, text.splitlines()):
        begun = _HEADING.fullmatch(line) or _BEGINNING.fullmatch(line)
        if begun is not None:
            last = begun["number"]
            rules[last] = begun.groupdict().get("title") or begun["text"]
        elif not line or line.startswith(("|", "#")):
            last = "" if not line else last
        elif last:
            rules[last] += f" {line}"
    return {number: _ASIDES.sub("", paragraph) for number, paragraph in rules.items()}
