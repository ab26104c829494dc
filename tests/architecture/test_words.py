"""The gate's word list: docstrings, README and guides use the terms of the field (GLOSSARY.md)."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.architecture.source import ROOT, modules, statements

LISTED = tomllib.loads((Path(__file__).parent / "words.toml").read_text())
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "GLOSSARY.md",
    *(f"deploy/{p.name}" for p in (ROOT / "deploy").glob("*.md")),
)


@cache
def docstrings() -> tuple[tuple[str, str], ...]:
    """Return every docstring with its place, also those below constants and fields."""
    return tuple(
        (f"{path}:{node.lineno}", inspect.cleandoc(node.value.value))
        for path, tree in modules()
        for node in statements(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


@pytest.mark.parametrize(("pattern", "better"), LISTED["docstrings"].items())
def test_docstrings_use_the_words_of_the_field(pattern: str, better: str) -> None:
    found = [place for place, text in docstrings() if re.search(pattern, text, re.IGNORECASE)]
    assert found == [], f"write: {better}"


@cache
def messages() -> tuple[str, ...]:
    """Every sentence for users."""
    catalogue = ROOT / "companion/locale/de/LC_MESSAGES/companion.po"
    with catalogue.open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    return tuple(form for sentence in ids for form in ([sentence] if isinstance(sentence, str) else sentence))


@pytest.mark.parametrize(("pattern", "better"), LISTED["messages"].items())
def test_messages_use_the_words_of_the_field(pattern: str, better: str) -> None:
    assert len(messages()) > 1500
    assert [text for text in messages() if re.search(pattern, text, re.IGNORECASE)] == [], f"write: {better}"


@pytest.mark.parametrize(("pattern", "better"), LISTED["pages"].items())
def test_pages_use_the_words_of_the_field(pattern: str, better: str) -> None:
    assert len(PAGES) >= 6
    found = [page for page in PAGES if re.search(pattern, (ROOT / page).read_text(), re.IGNORECASE)]
    assert found == [], f"write: {better}"


def test_the_glossary_names_modules_that_exist() -> None:
    owners = re.findall(
        r"`((?:companion|vision|engines|hardware|tests)[\w.]*)(?:\.<game>[\w.]*)?`", (ROOT / "GLOSSARY.md").read_text()
    )
    assert len(owners) > 40
    missing = [
        o
        for o in owners
        if not (ROOT / o.replace(".", "/")).is_dir() and not (ROOT / (o.replace(".", "/") + ".py")).is_file()
    ]
    assert missing == []
