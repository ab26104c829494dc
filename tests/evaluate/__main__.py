"""`python -m tests.evaluate FOLDER`: measure, print, and compare with a baseline.

Exit codes: 0 done; 1 worse than the baseline; 2 a folder or file that cannot be used.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.evaluate import cards, dice, photographs, studies, tables
from tests.evaluate.figures import Report, worse
from tests.evaluate.truth import UnusableTruthError
from vision.errors import VisionError

KINDS = (photographs.evaluate, dice.evaluate, cards.evaluate)
"""One for each kind of pictures beside those of tables; each finds its own in the folder."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; give the exit code."""
    args = _parser().parse_args(argv)
    try:
        return _evaluate(args)
    except (UnusableTruthError, VisionError, OSError, json.JSONDecodeError) as error:
        sys.stderr.write(f"tests.evaluate: {error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.evaluate",
        description="Measures readings on pictures whose truth is known.",
        epilog="example: python -m tests.evaluate tests/recorded --baseline tests/recorded/baseline.json",
    )
    parser.add_argument("folder", type=Path, help="pictures NAME.jpg, each with its truth NAME.json beside it")
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="fail where a figure is worse than in this file")
    parser.add_argument("--write-baseline", type=Path, metavar="FILE", help="write the figures as a baseline")
    parser.add_argument("--untimed", action="store_true", help="measure no times, which depend on the machine")
    return parser


def _evaluate(args: argparse.Namespace) -> int:
    reports = _measured(args.folder, timed=not args.untimed)
    for report in reports:
        report.show()
    if args.write_baseline:
        found = {report.kind: report.figures for report in reports}
        args.write_baseline.write_text(json.dumps(found, indent=2) + "\n")
    return _compare(reports, json.loads(args.baseline.read_text())) if args.baseline else 0


def _measured(folder: Path, *, timed: bool) -> list[Report]:
    """Measure every kind of pictures that the folder holds; at least one must be there."""
    outcomes = tables.measure_all(folder, timed=timed)
    of_kinds = (kind(folder, timed=timed) for kind in KINDS)
    found = [tables.report(outcomes), studies.report(outcomes), *of_kinds]
    reports = [report for report in found if report.figures]
    if not reports:
        message = f"{folder}: expected pictures NAME.jpg with truth NAME.json or truth.json, found none"
        raise UnusableTruthError(message)
    return reports


def _compare(reports: Sequence[Report], baseline: dict[str, dict[str, dict[str, float]]]) -> int:
    complaints = [line for report in reports for line in worse(report, baseline.get(report.kind, {}))]
    for line in complaints:
        sys.stdout.write(f"WORSE  {line}\n")
    sys.stdout.write("worse than the baseline\n" if complaints else "nothing is worse than the baseline\n")
    return int(bool(complaints))


if __name__ == "__main__":
    sys.exit(main())
