"""The project's own source, as trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "vision", "hardware", "engines")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def modules(packages: tuple[str, ...] = PACKAGES) -> Iterator[tuple[Path, ast.Module]]:
    """Yield every module of the packages: its path below the project's folder, and its tree."""
    for package in packages:
        yield from _parsed(package)


@cache
def _parsed(package: str) -> tuple[tuple[Path, ast.Module], ...]:
    paths = sorted((ROOT / package).rglob("*.py"))
    return tuple((path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield every statement below a node: a small part of what `ast.walk` visits."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, ()):
            if isinstance(child, ast.stmt):
                yield child
            yield from statements(child)


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the name of every module that is imported anywhere in a tree."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
