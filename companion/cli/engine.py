"""`companion engine`: the rules for other programs, one JSON object a line in, one a line out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from companion.app.output import write_line
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, examples
from companion.locale import _
from engines.decode import read_json

if TYPE_CHECKING:
    from engines.kernel import JsonObject

REQUESTS = "new, actions, play, legal, chance, throw, playout, score, advise, solve, public"
"""What may be asked, for the help."""

MOST_BYTES = 1_000_000
"""Of a line; a request for the largest position has some thousand."""


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    subparsers.add_parser(
        "engine",
        help=_("answer other programs' questions about the rules, one JSON object a line"),
        description=_(
            "Reads one JSON object a line from standard input and answers each with one line:"
            " {requests}. A bad request gets an error as its answer, and the next line is read."
        ).format(requests=REQUESTS),
        epilog=examples(
            """echo '{"do": "new", "game": "royal-ur", "players": ["white", "black"]}' > asked""",
            "companion engine < asked",
        ),
    )


def run(args: argparse.Namespace) -> int:  # noqa: ARG001 - every command is called with its arguments
    """Answer until the input ends."""
    from companion.games.requests import answer_text

    for answer in answers(_lines(sys.stdin.buffer)):
        write_line(answer_text(answer))
    return DONE


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Return line after line; of one that is too long the beginning, one byte too long.

    Raises:
        SetUpError: a line does not end.
    """
    from companion.app.lines import check_dropped

    while line := stream.readline(MOST_BYTES + 1):
        yield line
        dropped = 0
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES + 1)
            dropped += len(line)
            check_dropped(dropped)


def answers(lines: Iterable[bytes]) -> Iterator[JsonObject]:
    """Answer each line as soon as it has come; long lists are made when they are looked at."""
    from companion.games.requests import bad_request, listing_answer

    for line in lines:
        if len(line) > MOST_BYTES:
            yield bad_request(f"this line is longer than {MOST_BYTES} bytes")
            continue
        try:
            request = read_json(line)
        except (ValueError, RecursionError):
            yield bad_request(f"this line is no JSON: {_shortened(line)}")
        else:
            yield listing_answer(request)


def _shortened(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return text if len(text) <= 60 else text[:57] + "..."
