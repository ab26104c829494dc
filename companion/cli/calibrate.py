"""`companion calibrate`: the camera's lens, measured once from pictures of a printed sheet."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app.output import write_json, write_text
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.cli.photographs import refuse_overwriting
from companion.locale import _, ngettext
from companion.shell.config_files import LENS_FILE
from companion.shell.config_places import write_own
from vision.calibration import GOOD_PX, SheetView, calibrate, calibration_toml, find_sheet, sheet_svg
from vision.file_access import write_atomically
from vision.image_file import load_image


def run(args: argparse.Namespace) -> int:
    """Write the sheet, or measure the lens.

    Raises:
        UsageError: neither was asked for, the pictures do not show the sheet, or one would be overwritten.
    """
    refuse_overwriting([args.sheet, args.output], args.images)
    if args.sheet is None and not args.images:
        raise UsageError(_("expected pictures of the sheet, or --sheet to write it"))
    if args.sheet is not None:
        write_atomically(args.sheet, sheet_svg())
        if not args.json:
            write_text(_("{file}: print it at 100 %; its squares are 36 mm wide").format(file=args.sheet))
        elif not args.images:
            write_json({"status": "ok", "sheet": str(args.sheet)})
    if not args.images:
        return DONE
    # the lens, as measured from the pictures
    views, size_wh = _find(args.images, (lambda _text: None) if args.json else write_text)
    found = calibrate(views, size_wh)
    path = write_own(LENS_FILE, calibration_toml(found), args.output)
    width_px = found.size_wh[0]
    across_deg = 2 * math.degrees(math.atan(width_px / 2 / found.focal_px))
    is_good = bool(found.error_px <= GOOD_PX * width_px / 1640)
    if args.json:
        figures = {
            "size": list(found.size_wh),
            "focal_px": round(found.focal_px, 1),
            "across_degrees": round(across_deg, 1),
            "k1": round(found.k1, 4),
            "error_px": round(found.error_px, 3),
            "good": is_good,
        }
        write_json({"status": "ok", "file": str(path), "pictures": len(views), **figures})
        return DONE
    lens = _("focal length {focal:.0f} px ({degrees:.0f} degrees across), k1 {k1:.3f}")
    error = _("{word}: corners of pictures left out are off by {error:.2f} px")
    write_text(
        lens.format(focal=found.focal_px, degrees=across_deg, k1=found.k1),
        error.format(word=_("good") if is_good else _("usable"), error=found.error_px),
        _("kept in {file}").format(file=path),
    )
    return DONE


def _find(images: Sequence[Path], tell: Callable[[str], object]) -> tuple[list[SheetView], tuple[int, int]]:
    """Find the sheet in every picture and report each result; return the views and the pictures' width and height.

    Raises:
        UsageError: the pictures are of several sizes.
        UnreadableImageError: a file is not a picture.
    """
    views = []
    sizes: set[tuple[int, int]] = set()
    for path in images:
        image_bgr = load_image(path)
        view, size_wh = find_sheet(image_bgr), (image_bgr.shape[1], image_bgr.shape[0])
        del image_bgr  # before the next is loaded: a picture of 12 megapixels has 36 MB
        sizes.add(size_wh)
        if view is None:
            tell(_("{image}: too little of the sheet is to be seen; left out").format(image=path))
            continue
        found = ngettext("{image}: {number} corner", "{image}: {number} corners", len(view.corners_px))
        tell(found.format(image=path, number=len(view.corners_px)))
        views.append(view)
    if len(sizes) > 1:
        listed = ", ".join(f"{width} x {height}" for width, height in sorted(sizes))
        raise UsageError(_("expected pictures of one size, found {sizes}").format(sizes=listed))
    return views, sizes.pop()
