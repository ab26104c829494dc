"""A private function with one caller says more than its body: what is as clear without a name stands where it is used.

A private function of a module counts if its body has at most three lines and its only use in the module is one call.
One that is worth its name all the same has a comment that says why, directly above it or before its first statement.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import FUNCTIONS, PACKAGES, ROOT, modules

CEILINGS: dict[str, int] = tomllib.loads((Path(__file__).parent / "one_caller.toml").read_text())
"""How many there may be in a folder; a number may only fall. When one does, write the smaller number."""

MOST_LINES = 3


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function) else function.body


def _is_commented(function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> bool:
    above = lines[function.lineno - 2] if function.lineno > 1 else ""
    head = lines[function.lineno - 1 : _body(function)[0].lineno - 1]
    return above.startswith("#") or any(line.lstrip().startswith("#") for line in head)


def once_called(tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """Yield the names of the small private functions of a module that are called once."""
    uses = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    calls = Counter(n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))
    for node in tree.body:
        if not isinstance(node, FUNCTIONS) or not node.name.startswith("_") or node.decorator_list:
            continue
        body = _body(node)
        small = body and (body[-1].end_lineno or 0) - body[0].lineno < MOST_LINES
        if small and uses[node.name] == calls[node.name] == 1 and not _is_commented(node, lines):
            yield node.name


def _folder(path: Path) -> str:
    return "/".join(path.parent.parts[:2])


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    by_folder: dict[str, list[str]] = {}
    for path, tree in modules():
        names = once_called(tree, (ROOT / path).read_text(encoding="utf-8").splitlines())
        by_folder.setdefault(_folder(path), []).extend(f"{path}: {name}" for name in names)
    return by_folder


@pytest.mark.parametrize("package", PACKAGES)
def test_small_private_functions_with_one_caller_do_not_become_more(package: str, found: dict[str, list[str]]) -> None:
    more = {
        folder: (f"{len(names)}, at most {CEILINGS.get(folder, 0)}", names)
        for folder, names in found.items()
        if folder.split("/")[0] == package and len(names) > CEILINGS.get(folder, 0)
    }
    assert more == {}, "put the body where it is used, or say in a comment why it has a name"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f():\n    return _g()\n\n\ndef _g():\n    return 1\n", ["_g"]),
        ("def f():\n    return _g() + _g()\n\n\ndef _g():\n    return 1\n", []),
        ("def f(xs):\n    return map(_g, xs)\n\n\ndef _g(x):\n    return x\n", []),
        ("def f():\n    return _g()\n\n\n# the field's name for it\ndef _g():\n    return 1\n", []),
        ('def f():\n    _g()\n\n\ndef _g():\n    """Do it."""\n    # in this order\n    a()\n    b()\n', []),
        ("def f():\n    _g()\n\n\ndef _g():\n    a()\n    b()\n    c()\n    d()\n", []),
    ],
    ids=["called once", "called twice", "handed on", "comment above", "comment at the head", "four lines"],
)
def test_what_counts(source: str, expected: list[str]) -> None:
    assert list(once_called(ast.parse(source), source.splitlines())) == expected
