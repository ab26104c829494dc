"""`companion doctor`: what is here, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.exits import DONE
from companion.cli.output import write_json, write_text
from companion.cli.parser import Subparsers, examples
from companion.locale import _, english

if TYPE_CHECKING:
    from companion.cli.surroundings import Finding


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "doctor",
        help=_("tell what is here, what is missing and how to get it"),
        description=_("Looks for camera, pins, libraries, memory and disk, and tells how to get what is missing."),
        epilog=examples("companion doctor", "companion doctor --json"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """Look around and tell; what is missing is no failure."""
    with english() if args.json else nullcontext():
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
    return f"{mark} {word:<10}{_name(finding):<24}{finding.found}{remedy}"


def _name(finding: Finding) -> str:
    """Name what was looked at; the names of programs are the same in every language."""
    names = {
        "computer": _("computer"),
        "power": _("power"),
        "webcam": _("webcam"),
        "pins": _("pins"),
        "language": _("language"),
        "letters": _("letters"),
        "window": _("window"),
        "memory": _("memory"),
        "journal": _("journal"),
        "disk": _("disk"),
    }
    return names.get(finding.name, finding.name)


def _summary(findings: Sequence[Finding]) -> str:
    wanting = [_name(finding) for finding in findings if finding.state != "ok"]
    if not wanting:
        return _("everything is here")
    return _("worth a look: {names}; without them the simulated table still plays: companion demo").format(
        names=", ".join(wanting)
    )
