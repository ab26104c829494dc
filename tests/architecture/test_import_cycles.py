"""No module imports itself by way of others, not even for its annotations: each can be read before those above it."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp
import pytest


@pytest.mark.parametrize("package", ["companion", "vision", "hardware", "engines"])
def test_no_modules_import_one_another_in_a_circle(package: str) -> None:
    graph = grimp.build_graph(package, cache_dir=None)
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()
