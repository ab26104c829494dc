"""A class name has one meaning in the repository; the games' own modules, parallel to one another, are left out."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.architecture.source import ROOT, modules


def classes() -> Iterator[tuple[str, str]]:
    """Yield the name of every public class with the module that defines it."""
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, ".".join(path.with_suffix("").parts)


GAMES = tuple(folder.name for folder in (ROOT / "engines").iterdir() if (folder / "RULES.md").exists())


def test_a_class_name_has_one_meaning() -> None:
    defined = defaultdict(list)
    for name, module in classes():
        if not set(GAMES) & set(module.split(".")):
            defined[name].append(module)
    assert len(defined) > 200
    assert {name: modules for name, modules in defined.items() if len(modules) > 1} == {}
