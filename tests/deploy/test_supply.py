"""What is installed is locked by hashes, and the licence of everything that ships is listed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from itertools import chain
from pathlib import Path, PurePath

import pytest
from hatchling import build
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "deploy/requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LISTED = (ROOT / "LICENCES.md").read_text(encoding="utf-8")

WORDS_OF = {
    "MIT": r"\bMIT\b",
    "MIT-0": r"\bMIT-0\b",
    "MIT-CMU": r"\bMIT-CMU\b|HPND",
    "BSD-2-Clause": r"BSD-2-Clause",
    "BSD-3-Clause": r"BSD",
    "Apache-2.0": r"Apache",
    "MPL-2.0": r"MPL",
    "PSF-2.0": r"PSF-2\.0|Python Software Foundation",
    "OFL-1.1": r"Open Font License",
}
"""What the metadata of a package under a licence says."""


def locked() -> dict[str, Version]:
    """Every locked package and its version."""
    found = re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", LOCK, re.MULTILINE)
    return {canonicalize_name(name): Version(version) for name, version in found}


def rows(columns: int) -> list[list[str]]:
    """The rows of the tables with that many columns, without their heads."""
    cells = ([cell.strip(" `") for cell in line.split("|")[1:-1]] for line in LISTED.splitlines() if line[:1] == "|")
    return [row for row in cells if len(row) == columns and row[1] not in {"licence", "---"}]


def shipped() -> Iterator[PurePath]:
    """Every file of the package that is no program code."""
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    for package in wheel["packages"]:
        for path in sorted((ROOT / package).rglob("*")):
            place = path.relative_to(ROOT)
            left_out = any(place.is_relative_to(out) or place.match(out) for out in wheel["exclude"])
            if path.is_file() and path.suffix not in {".py", ".pyc"} and not left_out:
                yield place


@pytest.mark.parametrize(
    "wanted",
    [
        *PROJECT["project"]["dependencies"],
        *chain(*(PROJECT["project"]["optional-dependencies"][extra] for extra in ("print", "report", "web", "mqtt"))),
        *PROJECT["build-system"]["requires"],
    ],
    ids=lambda text: text[:20],
)
def test_the_lock_has_a_version_of_every_dependency_that_fits(wanted: str) -> None:
    requirement = Requirement(wanted)
    assert requirement.specifier.contains(locked()[canonicalize_name(requirement.name)])


def test_the_lock_has_what_links_the_companion_into_an_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The try-out installs this folder itself: its build backend then asks for more than the build does."""
    monkeypatch.chdir(ROOT)
    for text in build.get_requires_for_build_editable():
        requirement = Requirement(text)
        assert requirement.specifier.contains(locked()[canonicalize_name(requirement.name)])


def test_the_lock_has_every_dependency_of_what_it_has() -> None:
    for name in locked():
        for text in metadata.requires(name) or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert canonicalize_name(needed.name) in locked(), f"{name} needs {needed.name}"


def test_every_locked_package_has_hashes() -> None:
    entries = re.split(r"^(?=[a-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert {entry.partition("==")[0] for entry in entries} == set(locked())
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry) for entry in entries)


def test_the_licence_of_every_file_that_ships_is_listed_once() -> None:
    patterns = [row[0] for row in rows(3)]
    for place in shipped():
        assert sum(place.match(pattern) for pattern in patterns) == 1, f"LICENCES.md must have one row for {place}"
    unused = [pattern for pattern in patterns if not any(place.match(pattern) for place in shipped())]
    assert not unused


def test_a_model_and_a_font_say_themselves_under_which_licence_they_are() -> None:
    for place in shipped():
        if place.name == "model.toml":
            assert tomllib.loads((ROOT / place).read_text(encoding="utf-8"))["licence"] == "MIT"
        elif place.suffix == ".ttf":
            assert "Open Font License".encode("utf-16-be") in (ROOT / place).read_bytes()
            assert "SIL OPEN FONT LICENSE" in (ROOT / place).with_name("OFL.txt").read_text(encoding="utf-8").upper()


def test_the_licence_of_every_locked_package_is_listed_as_the_package_states_it() -> None:
    listed = dict(rows(2))
    assert set(listed) == set(locked())
    for name, licence in listed.items():
        about = metadata.metadata(name)
        stated = [line[:60] for key in ("License-Expression", "License") for line in about.get_all(key) or []]
        stated += [line for line in about.get_all("Classifier") or [] if line.startswith("License")]
        assert re.search(WORDS_OF[licence], " ".join(stated)), f"{name}: {stated}"
