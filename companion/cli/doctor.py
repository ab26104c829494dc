"""`companion doctor`: what is here, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.exits import DONE
from companion.cli.output import write_json, write_text
from companion.cli.parser import Subparsers
from companion.locale import _

if TYPE_CHECKING:
    from companion.cli.surroundings import Finding


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "doctor",
        help=_("tell what is here, what is missing and how to get it"),
        description=_("Looks for camera, pins, libraries, memory and disk, and tells how to get what is missing."),
        epilog=_("examples:\n  companion doctor\n  companion doctor --json"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """Look around and tell; what is missing is no failure."""
    findings = _look_around()
    if args.json:
        write_json({"status": "ok", "checks": [asdict(finding) for finding in findings]})
    else:
        write_text(*map(_lines, findings), _summary(findings))
    return DONE


def _look_around() -> list[Finding]:
    from companion.cli import surroundings
    from companion.shell.journal import default_path

    root = Path("/")
    return [
        *surroundings.versions(),
        *surroundings.computer(root),
        *surroundings.cameras(root),
        *surroundings.pins(root),
        *surroundings.terminal(os.environ, sys.stdout.encoding),
        *surroundings.memory(root),
        *surroundings.storage(default_path(os.environ).parent),
    ]


def _lines(finding: Finding) -> str:
    """A mark, a word, what was found; on a line of its own, to be copied whole, how to get what is missing."""
    words = {"ok": ("+", _("here")), "warning": ("!", _("look")), "missing": ("-", _("missing"))}
    mark, word = words[finding.state]
    remedy = f"\n    -> {finding.remedy}" if finding.remedy else ""
    return f"{mark} {word:<9}{finding.name:<24}{finding.found}{remedy}"


def _summary(findings: Sequence[Finding]) -> str:
    wanting = [finding.name for finding in findings if finding.state != "ok"]
    if not wanting:
        return _("everything is here")
    return _("worth a look: {names}; without them the simulated table still plays: companion demo").format(
        names=", ".join(wanting)
    )
