"""`companion engine`: the rules for other programs, one JSON object a line in, one a line out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator

from companion.app.lines import whole_line
from companion.app.output import write_line
from companion.cli.exits import DONE
from companion.games.requests import answer, bad_request
from engines.decode import read_json
from engines.kernel import JsonObject

MOST_BYTES = 1_000_000
"""Longest line; a request with the largest position has some thousand bytes."""


def run(args: argparse.Namespace) -> int:  # noqa: ARG001 - every command is called with its arguments
    """Answer until the input ends."""
    lines = iter(lambda: whole_line(sys.stdin.buffer.readline, MOST_BYTES + 1, b"\n"), b"")
    for answered in answers(lines):
        write_line(json.dumps(answered))
    return DONE


def answers(lines: Iterable[bytes]) -> Iterator[JsonObject]:
    """Yield the answer to each line as soon as it is read."""
    for line in lines:
        if len(line) > MOST_BYTES:
            yield bad_request(f"this line is longer than {MOST_BYTES} bytes")
            continue
        try:
            request = read_json(line)
        except (ValueError, RecursionError):
            text = line.decode(errors="replace").strip()
            yield bad_request(f"this line is no JSON: {text if len(text) <= 60 else text[:57] + '...'}")
        else:
            yield answer(request)
