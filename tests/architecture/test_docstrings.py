"""Docstrings are true of what they stand over: effect, parameters and fields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import FUNCTIONS, PACKAGES, modules, statements

_SECTION = re.compile(r"(Args|Attributes|\w+):$")
_ENTRY = re.compile(r" {4}(\*{0,2}\w+(?:, \*{0,2}\w+)*):(?: |$)")


def _documented() -> Iterator[tuple[str, ast.AST, str]]:
    """Every function and class that has a docstring, with its place."""
    for path, tree in modules((*PACKAGES, "tests")):
        for node in statements(tree):
            if isinstance(node, ast.ClassDef | FUNCTIONS) and (text := ast.get_docstring(node)):
                yield f"{path}:{node.lineno} {node.name}", node, text


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """The names that the sections Args and Attributes describe, each with its section."""
    section = ""
    for line in text.splitlines():
        if found := _SECTION.fullmatch(line):
            section = found[1]
        elif line and not line.startswith(" "):
            section = ""
        elif section in ("Args", "Attributes") and (entry := _ENTRY.match(line)):
            yield from ((section, name.lstrip("*")) for name in entry[1].split(", "))


def _parameters(node: ast.AST) -> set[str]:
    """The parameters of a function, or of what makes a class's values."""
    if isinstance(node, FUNCTIONS):
        return {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
    made = [n for n in ast.iter_child_nodes(node) if isinstance(n, FUNCTIONS) and n.name in ("__init__", "__new__")]
    return _fields(node).union(*map(_parameters, made))


def _fields(node: ast.AST) -> set[str]:
    """What a class declares in its body or assigns to its values, and its methods and properties."""
    names = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Store):
            names.add(part.id if isinstance(part, ast.Name) else part.attr)
        elif isinstance(part, FUNCTIONS):
            names.add(part.name)
    return names


def test_a_function_that_returns_nothing_does_not_say_that_it_returns() -> None:
    found = [
        place
        for place, node, text in _documented()
        if isinstance(node, FUNCTIONS)
        and isinstance(node.returns, ast.Constant)
        and node.returns.value is None
        and re.match(r"Returns?\b", text)
    ]
    assert found == []


def test_what_docstrings_describe_are_parameters_and_fields() -> None:
    found = [
        f"{place}: {section}: {name}"
        for place, node, text in _documented()
        for section, name in _entries(text)
        if name not in (_parameters(node) if section == "Args" else _fields(node))
    ]
    assert found == []
