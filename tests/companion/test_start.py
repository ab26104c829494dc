"""A command that reads no picture does not wait for OpenCV."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest

from companion.app.diagnostics import EXTRAS
from companion.cli import main
from companion.cli.exits import UNUSABLE

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


_NEEDS: dict[tuple[str, ...], set[str]] = {
    ("jinja2",): {
        *("companion.app.reporting", "companion.cli.report"),
        *("companion.printing.report_page", "companion.printing.report_picture"),
    },
    ("reportlab", "pypdfium2"): {
        *("companion.cli.print", "companion.cli.report"),
        *(
            f"companion.printing.{name}"
            for name in (
                *("challenge", "contents", "cover", "cut_sheets", "document", "measure", "pen", "pictures"),
                *("report_picture", "sheets", "tiling"),
            )
        ),
    },
}
"""Modules that need the packages of an extra; a command imports them when it runs and says what is missing."""


@pytest.mark.parametrize("packages", _NEEDS)
def test_without_an_extra_all_other_modules_can_be_imported(packages: tuple[str, ...]) -> None:
    code = (
        "import sys, pkgutil, importlib, companion\n"
        f"sys.modules.update(dict.fromkeys({packages}))\n"
        "for module in pkgutil.walk_packages(companion.__path__, 'companion.'):\n"
        "    if module.name not in sys.argv[1:] and not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, *_NEEDS[packages]], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize(("extra", "command"), [("print", ["print", "royal-tee"]), ("report", ["report"])])
def test_a_command_whose_extra_is_missing_says_what_to_install(
    extra: str, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = metadata.version

    def version(package: str) -> str:
        if package in EXTRAS[extra]:
            raise metadata.PackageNotFoundError(package)
        return installed(package)

    monkeypatch.setattr(metadata, "version", version)
    assert main(command) == UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert all(package in line for package in ("pip install", *EXTRAS[extra]))
