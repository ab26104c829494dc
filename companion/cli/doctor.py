"""`companion doctor`: what is here, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from companion.app import diagnostics as check
from companion.app.diagnostics import CheckResult
from companion.app.output import hanging, write_json, write_text
from companion.cli.exits import DONE, REFUSED
from companion.locale import _, english
from companion.shell.journal import default_path


def run(args: argparse.Namespace) -> int:
    """Print the result of every check; return 3 if there is a problem, not if only something optional is missing."""
    root, ask = Path("/"), check.ask_program
    with english() if args.json else nullcontext():
        settings, found = check.settings(os.environ)
        if found.state == "ok":
            from companion.cli.play import refusal  # what a game needs may be missing where none is set

            if refused := refusal(settings):
                found = check.CheckResult(_("settings"), check.CheckState.PROBLEM, refused, "companion settings")
        results = [
            *check.versions(),
            *check.games(),
            *check.computer(root, ask),
            found,
            *check.cameras(root),
            *check.pins(root),
            *check.panel_wiring(settings.hardware, os.environ, root),
            *check.voice(settings.voice),
            *check.printer(os.environ),
            *check.groups(root, check.own_groups()),
            *check.terminal(os.environ, sys.stdout.encoding),
            *check.memory(root),
            *check.storage(default_path(os.environ, settings.data).parent),
            *check.service(root, ask),
            *check.clock(ask),
        ]
        findings = [*check.with_needed(results, settings, root)]
    if args.json:
        # The names, which are English here, say what a code says.
        checks = [{key: value for key, value in asdict(finding).items() if key != "code"} for finding in findings]
        write_json({"status": "ok", "checks": checks})
    else:
        wanting = ", ".join(finding.name for finding in findings if finding.state != "ok")
        hint = _("worth a look: {names}; without them the simulated table still plays: companion demo")
        write_text(*map(_lines, findings), hint.format(names=wanting) if wanting else _("everything is here"))
    return REFUSED if any(finding.state == "problem" for finding in findings) else DONE


def _lines(finding: CheckResult) -> str:
    """Return a mark, a word and what was found; on a line of its own, to be copied, how to get what is missing."""
    words = {
        "ok": ("+", _("here")),
        "warning": ("!", _("look")),
        "missing": ("-", _("missing")),
        "problem": ("x", _("problem")),
    }
    mark, word = words[finding.state]
    remedy = f"\n    -> {finding.remedy}" if finding.remedy else ""
    return f"{hanging(f'{mark} {word:<10}{finding.name:<24}', finding.found)}{remedy}"
