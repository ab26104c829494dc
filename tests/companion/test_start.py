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
