"""`companion panel`: prints and draws the panel's wiring, and tries every part of it."""

from __future__ import annotations

import argparse
import os

from companion.app.output import write_json, write_plain, write_text
from companion.cli.exits import DONE, REFUSED
from companion.locale import _, english
from companion.shell.config_files import HARDWARE_FILE, find_wiring
from companion.shell.config_places import shipped_example
from companion.shell.settings import find_settings
from companion.ui.wiring import header_text, notes, wiring_json, wiring_table
from vision.file_access import write_atomically


def run(args: argparse.Namespace) -> int:
    """Carry out the order; return 3 if a part that is tested does not work."""
    if args.order == "example":
        write_plain(shipped_example(HARDWARE_FILE))
        return DONE
    pins = find_wiring(args.hardware or find_settings(os.environ).settings.hardware, os.environ)
    if args.order == "test":
        from companion.app.panel_test import Trial, TrialState, opened, result_lines

        with opened(pins, simulated=args.simulated) as (panel, heard, finger):
            trial = Trial(panel, pins, heard, finger, quiet=args.yes, limit_s=args.seconds)
            results = [result for part in args.parts for result in trial.of(part)]
        write_text("", *result_lines(results))
        return REFUSED if any(result.state is TrialState.FAILED for result in results) else DONE
    if args.json:
        with english():
            write_json({"status": "ok", **wiring_json(pins)})
    else:
        write_text(wiring_table(pins), "", header_text(pins), "", *notes(pins))
    if args.svg or args.schematic or args.breadboard:
        from companion.printing.board_svg import SvgItems  # it imports OpenCV
        from companion.printing.themes import THEMES
        from companion.printing.wiring import breadboard_drawing, header_drawing, schematic_drawing

        draws = ((args.svg, header_drawing), (args.schematic, schematic_drawing), (args.breadboard, breadboard_drawing))
        for path, draw in ((path, draw) for path, draw in draws if path is not None):
            write_atomically(path, SvgItems(THEMES["paper"]).drawn(draw(pins), _("Panel"), to_scale=True) + "\n")
            if not args.json:
                write_text(_("drawn: {path}").format(path=path))
    return DONE
