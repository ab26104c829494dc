"""`companion panel`: prints and draws the panel's wiring, and tries every part of it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import write_json, write_plain, write_text
from companion.cli.exits import DONE, REFUSED
from companion.cli.parser import Parser, Subparsers, at_least, examples, unknown
from companion.locale import _, english

if TYPE_CHECKING:
    from hardware.pins import PinMap

PARTS = ("lamps", "rhythms", "bar", "digits", "buzzer", "buttons", "slider", "display")
"""What can be tried, in the order in which it is."""


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "panel",
        help=_("show how the panel is wired, and try every part of it"),
        description=_("Buttons, lamps, slider bar, digits and buzzer on a Raspberry Pi's pins."),
        epilog=examples(
            "companion panel wiring --svg wiring.svg",
            "companion panel test",
            "companion panel test --parts lamps,buttons",
            "companion panel test --simulated --yes",
            "companion panel example > ~/.config/companion/hardware.toml",
        ),
    )
    orders = parser.add_subparsers(dest="order", metavar="ORDER", required=True)
    orders.add_parser("example", help=_("write the commented example of a hardware.toml to standard output"))
    drawing = _with_hardware(orders.add_parser("wiring", help=_("list and draw which part goes to which pin")))
    drawing.add_argument("--svg", type=Path, metavar="FILE", help=_("draw the header as a picture, too"))
    drawing.add_argument(
        "--schematic", type=Path, metavar="FILE", help=_("draw where each wire goes, with its resistors, as a picture")
    )
    drawing.add_argument(
        "--breadboard", type=Path, metavar="FILE", help=_("draw the parts on a breadboard, as a picture")
    )
    drawing.add_argument("--json", action="store_true", help=_("one line of JSON"))
    testing = _with_hardware(orders.add_parser("test", help=_("walk through every part, and ask whether it works")))
    testing.add_argument(
        "--parts",
        type=_parts,
        default=PARTS,
        metavar="PARTS",
        help=_("only some, such as lamps,bar; there are: {parts}").format(parts=", ".join(PARTS)),
    )
    testing.add_argument("--yes", action="store_true", help=_("ask nothing: show everything and wait for presses only"))
    testing.add_argument(
        "--simulated", action="store_true", help=_("on simulated pins, whose buttons press themselves")
    )
    testing.add_argument(
        "--seconds", type=at_least(1), default=10, metavar="N", help=_("how long to wait for a press; default: 10")
    )


def _with_hardware(parser: Parser) -> Parser:
    parser.add_argument("--hardware", type=Path, metavar="FILE", help=_("the wiring; default: your hardware.toml"))
    return parser


def _parts(text: str) -> Sequence[str]:
    """Understand a list of parts."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in PARTS:
            raise argparse.ArgumentTypeError(unknown(_("part"), word, PARTS))
    return [part for part in PARTS if part in words]


def run(args: argparse.Namespace) -> int:
    """Do what was ordered."""
    from companion.shell.device_files import find_wiring, wiring_example
    from companion.shell.settings import find_settings

    if args.order == "example":
        write_plain(wiring_example())
        return DONE
    pins = find_wiring(args.hardware or find_settings(os.environ).settings.hardware, os.environ)
    return _wiring(args, pins) if args.order == "wiring" else _test(args, pins)


def _wiring(args: argparse.Namespace, pins: PinMap) -> int:
    from companion.ui.wiring import (
        breadboard_svg,
        header_svg,
        header_text,
        notes,
        schematic_svg,
        wiring_json,
        wiring_table,
    )
    from vision.file_access import write_atomically

    if args.json:
        with english():
            write_json({"status": "ok", **wiring_json(pins)})
    else:
        write_text(wiring_table(pins), "", header_text(pins), "", *notes(pins))
    drawings = ((args.svg, header_svg), (args.schematic, schematic_svg), (args.breadboard, breadboard_svg))
    for path, draw in drawings:
        if path is not None:
            write_atomically(path, draw(pins))
            if not args.json:
                write_text(_("drawn: {path}").format(path=path))
    return DONE


def _test(args: argparse.Namespace, pins: PinMap) -> int:
    """Try the parts; the exit code is 1 if one does not work."""
    from companion.app.panel_test import Asking, Trial, TrialState, opened, result_lines

    with opened(pins, simulated=args.simulated) as (panel, heard, finger):
        trial = Trial(panel, pins, heard, finger, Asking(quiet=args.yes), limit_s=args.seconds)
        results = [result for part in args.parts for result in trial.of(part)]
    write_text("", *result_lines(results))
    return REFUSED if any(result.state is TrialState.FAILED for result in results) else DONE
