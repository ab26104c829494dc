"""A command that reads no picture does not wait for OpenCV."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("cv2", "numpy", "gpiozero")


@pytest.mark.parametrize("command", [["--version"], ["--help"], ["play", "--help"], ["settings"], ["panel", "wiring"]])
def test_what_needs_no_picture_imports_no_opencv(command: list[str]) -> None:
    code = (
        "import sys\nfrom companion.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"sys.exit(' '.join({{*{HEAVY}}} & {{*sys.modules}}) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


_OF_THE_REPORT = {"companion.app.reporting", "companion.ui.report_page"}
"""Modules that need the extra "report"; `companion report` imports them when it runs and says what is missing."""


def test_without_the_report_s_extra_all_other_modules_can_be_imported() -> None:
    code = (
        "import sys, pkgutil, importlib, companion\n"
        "sys.modules.update(jinja2=None, matplotlib=None)\n"
        "for module in pkgutil.walk_packages(companion.__path__, 'companion.'):\n"
        "    if module.name not in sys.argv[1:] and not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, *_OF_THE_REPORT], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
