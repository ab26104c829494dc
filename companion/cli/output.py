"""What a command says: lines of JSON for programs on standard output, one-sentence complaints on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType


def write_json(answer: Mapping[str, Any]) -> None:
    """Write one object as one line, at once: whoever reads may be waiting for it."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def write_text(*parts: RenderableType) -> None:
    """Write for a person: plain sentences are not marked up, long lines are left to the terminal."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    with console.capture() as written:  # rich would leave the program itself when the reader of a pipe has gone
        for part in parts:
            console.print(part)
    sys.stdout.write(written.get())


def complain(sentence: str) -> None:
    """Tell a failure in one line on standard error."""
    sys.stderr.write(f"companion: {_one_line(sentence)}\n")
    sys.stderr.flush()


def _one_line(text: str) -> str:
    """Join lines and replace control characters, which a file's name may bring along."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
