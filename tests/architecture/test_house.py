"""The house: its folders, who may know whom, and what is imported where."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, imported, modules

_JOURNAL = {f"companion/shell/{name}.py" for name in ("journal", "journal_recovery", "journal_schema")}
_FOLDERS = {"companion", "vision", "hardware", "engines", "tests", "deploy"}


def test_the_top_level_folders_are_those_of_the_house() -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if files.returncode != 0:
        pytest.skip("not a git checkout")
    folders = {name.split("/")[0] for name in files.stdout.splitlines() if "/" in name}
    assert {folder for folder in folders if not folder.startswith(".")} == _FOLDERS


def test_the_distribution_ships_every_package_and_nothing_else() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert tuple(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == PACKAGES


def test_every_module_says_what_it_is_for() -> None:
    assert [str(path) for path, tree in modules() if not ast.get_docstring(tree)] == []


@pytest.mark.parametrize(
    ("library", "files"),
    [
        ("gpiozero", {"hardware/parts.py"}),
        ("luma", {"hardware/oled.py"}),
        ("picamera2", {"vision/camera/picamera.py"}),
        ("sqlite3", {*_JOURNAL, "companion/app/diagnostics.py"}),  # doctor prints its version
    ],
)
def test_a_device_library_is_imported_in_its_own_file_only(library: str, files: set[str]) -> None:
    importing = {path.as_posix() for path, tree in modules() if library in {m.split(".")[0] for m in imported(tree)}}
    assert importing <= files


def test_version_is_reported_without_importing_anything_heavy() -> None:
    heavy = {"cv2", "numpy", "gpiozero", "picamera2", "rich", "msgspec", "sqlite3"}
    program = (
        "import sys\nfrom companion.cli import main\n"
        "try:\n    main(['--version'])\nexcept SystemExit:\n    pass\n"
        f"print(*({heavy!r} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    version, imported_too = done.stdout.splitlines()
    assert version.startswith("companion ")
    assert imported_too == ""


def test_files_have_one_subject_and_stay_under_800_lines() -> None:
    lengths = {path: len(Path(ROOT / path).read_text().splitlines()) for path, _tree in modules()}
    assert {str(path): length for path, length in lengths.items() if length > 800} == {}
