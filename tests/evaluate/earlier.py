"""The adviser of an earlier commit, asked over the public protocol, which stays as it is from commit to commit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from engines.kernel import Json, JsonObject

HERE = Path(__file__).resolve().parents[2]

PACKAGES = ("companion", "engines", "hardware", "vision")

Adviser: TypeAlias = Callable[[JsonObject], Json]
"""Takes a position and returns the action that is proposed, both as JSON."""


@contextmanager
def earlier_adviser(commit: str) -> Iterator[Adviser]:
    """Unpack a commit into a folder of its own and start its `companion engine`; end it in the end.

    Raises:
        CalledProcessError: there is no such commit, in a shallow clone for instance.
    """
    with TemporaryDirectory(prefix="earlier-") as folder:
        packed = subprocess.run(["git", "archive", commit, *PACKAGES], cwd=HERE, check=True, stdout=subprocess.PIPE)
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as tar:
            tar.extractall(folder, filter="data")
        yield from _started(Path(folder))


def _started(folder: Path) -> Iterator[Adviser]:
    engine = subprocess.Popen(
        [sys.executable, "-m", "companion", "engine"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield lambda position: _asked(engine, position)
    finally:
        engine.kill()
        engine.communicate()


def _asked(engine: subprocess.Popen[str], position: JsonObject) -> Json:
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(json.dumps({"do": "advise", "position": position}) + "\n")
    engine.stdin.flush()
    answer: dict[str, Any] = json.loads(engine.stdout.readline())
    if "action" not in answer:
        raise ValueError(f"the earlier adviser answered {answer}")
    action: Json = answer["action"]
    return action
