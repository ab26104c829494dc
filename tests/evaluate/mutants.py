"""`python -m tests.evaluate.mutants --sample 60`: small faults, which tests must notice.

Cosmic Ray's operators make the faults (`pip install 'table-companion[mutants]'`); a hook puts them in place as a module
is imported, so no file is ever changed. A sample of all faults is tried, each with the tests of its module; the share
that tests notice must not fall. What they do not notice is printed: some of it changes nothing that matters.

Faults of `NAMED` were not noticed once; each of them must be.

Exit codes: 0 all held, 1 something did not, 2 Cosmic Ray is not installed.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PACKAGES = ("companion", "engines", "hardware", "vision")
LEAST_NOTICED = 0.8
"""Share of a sample; what remains is mostly annotations, defaults that no caller uses, and limits that fit as well."""

_COMPARED = "core/ReplaceComparisonOperator_"
NEVER_NOTICED = (
    "core/ReplaceBinaryOperator_BitOr",
    "core/Variable",
    *(f"{_COMPARED}{pair}" for pair in ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq")),
)
"""Operators that are left out: annotations have the first ("int | None"), the second ask for names, and the others
change nothing: what is compared here are members of enumerations, None, and short strings and numbers."""

LIMIT_S = 600.0
MUTANT = "COMPANION_MUTANT"
"""The variable with the place of the faulty source, for the process that runs the tests."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: the whole source of a module with it, and what it is."""

    module: str
    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Change:
    """A fault by hand: one place of a module in other words."""

    module: str
    old: str
    new: str

    def mutant(self) -> Mutant:
        """Return it with the source.

        Raises:
            ValueError: the module does not have that place exactly once.
        """
        source = source_of(self.module)
        if source.count(self.old) != 1:
            message = f"{self.module}: expected {self.old!r} once, found it {source.count(self.old)} times"
            raise ValueError(message)
        return Mutant(self.module, f"{self.old} -> {self.new}", source.replace(self.old, self.new))


POSE, INFERENCE = "vision.localization.pose", "companion.core.inference"
PLAYING, STEP = "companion.core.playing", "companion.core.step"
NAMED = (
    Change(POSE, "np.log(first.focal_px), first.k1 if", "np.log(first.focal_px) + 0.2, first.k1 if"),
    Change(POSE, "(FOCAL_PRIOR[1], K1_PRIOR[1])", "(FOCAL_PRIOR[1] * 2, K1_PRIOR[1])"),
    Change(POSE, "(FOCAL_PRIOR[1], K1_PRIOR[1])", "(FOCAL_PRIOR[1], K1_PRIOR[1] * 2)"),
    Change(POSE, "return starts[:1] if clear else starts", "return starts[:1]"),
    Change(POSE, "return starts[:1] if clear else starts", "return starts"),
    Change(INFERENCE, "same[i] = 0.5 * (same[i]", "same[i] = 1.0 * (same[i]"),
    Change(INFERENCE, "same[i] = 0.5 * (same[i]", "same[i] = 0.25 * (same[i]"),
    Change(INFERENCE, "todo.observed)))", "todo.expected)))"),
    Change(INFERENCE, "(label, todo.observed if todo else label)", "(label, label)"),
    Change(PLAYING, "state.now_ns + round(seconds * 1e9)", "state.now_ns + round(seconds - 1e9)"),
    Change(STEP, "if not 0 <= index < len(offered)", "if not 0 < index < len(offered)"),
    Change("companion.printing.table_file", "if x - reach < cx < right", "if x - reach != cx < right"),
    Change("companion.ui.hearing", "turn != self._turn or", "turn > self._turn or"),
)


def source_of(module: str) -> str:
    """Return a module's source."""
    return (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")


def modules(package: str) -> list[str]:
    """Return every module that runs at a table, by its dotted name."""
    paths = sorted((ROOT / package).rglob("*.py"))
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths if path.stem != "__init__")
    return [name for name in names if not name.startswith("vision.training")]


def noticing_tests(module: str) -> list[str]:
    """Return the files of tests that are to notice a fault: those that import the module, then those of its folder.

    For a module of a game the tests that every game passes come last.
    """
    folder = TESTS / module.rpartition(".")[0].replace(".", "/")
    while not folder.is_dir():
        folder = folder.parent
    importing = [path for path, names in _names_in_tests() if module in names]
    of_every_game = {
        "engines": [*sorted((TESTS / "engines").glob("test_*.py")), TESTS / "contracts/test_games.py"],
        "companion.games": [TESTS / "companion/test_transcripts.py", TESTS / "contracts/test_adaptors.py"],
    }.get(module.rpartition(".")[0].rpartition(".")[0], [])
    found = dict.fromkeys([*importing, *sorted(folder.glob("test_*.py")), *of_every_game])
    return [str(path) for path in found if path.name != "test_mutants.py"]  # it would start itself without end


@cache
def _names_in_tests() -> list[tuple[Path, set[str]]]:
    """Return the files of tests, each with the dotted names in it, their beginnings, and what it imports by name."""
    found = list[tuple[Path, set[str]]]()
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        dotted = (name.split(".") for name in re.findall(r"\w+(?:\.\w+)+", text))
        names = {".".join(parts[:length]) for parts in dotted for length in range(2, len(parts) + 1)}
        for package, imported in re.findall(r"from ([\w.]+) import (\([^)]*\)|[^\n]*)", text):
            names |= {f"{package}.{name}" for name in re.findall(r"\w+", imported)}
        found.append((path, names))
    return found


def sampled(number: int, seed: int, packages: Sequence[str] = PACKAGES) -> list[Mutant]:
    """Return that many faults that Cosmic Ray can make: a module is drawn by its length, then a place in it."""
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415 - an extra
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415
    from cosmic_ray.plugins import get_operator, operator_names  # noqa: PLC0415

    names = sorted(name for name in operator_names() if not name.startswith(NEVER_NOTICED))
    operators = {name: get_operator(name)() for name in names}
    rng, found = random.Random(seed), dict[str, Mutant]()
    everything = [module for package in packages for module in modules(package)]
    lengths = [len(source_of(module)) for module in everything]
    while len(found) < number:
        [module] = rng.choices(everything, lengths)
        nodes = list(ast_nodes(get_ast(source_of(module))))
        places = [
            (name, place)
            for name, operator in operators.items()
            for place in range(sum(1 for node in nodes for _place in operator.mutation_positions(node)))
        ]
        operator, place = rng.choice(places) if places else ("", 0)
        source = mutate_code(source_of(module), operators[operator], place) if places else None
        if source and _is_python(source):  # a "**" or "*" of a dictionary or of parameters is no operator
            found[source] = Mutant(module, f"{operator}, its place {place}: {changed_line(module, source)}", source)
    return [*found.values()]


def _is_python(source: str) -> bool:
    try:
        compile(source, "", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def changed_line(module: str, source: str) -> str:
    """Return the first line of a faulty source that differs from the module's."""
    pairs = zip(source_of(module).splitlines(), source.splitlines(), strict=False)
    return next((faulty.strip() for line, faulty in pairs if line != faulty), "")


def is_noticed(mutant: Mutant, folder: Path) -> bool:
    """Return whether the tests of a module notice a fault in it: they fail, or do not end."""
    source = folder / "mutant.py"
    source.write_text(mutant.source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "tests.evaluate.mutants"]
    environment = {**os.environ, MUTANT: f"{mutant.module}={source}", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, *noticing_tests(mutant.module)],
            cwd=ROOT, env=environment, capture_output=True, check=False, timeout=LIMIT_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        sys.stdout.write(f"not ended after {LIMIT_S:g} s, counted as noticed: {mutant.module}: {mutant.name}\n")
        return True
    return done.returncode != 0


# ---- in the process that runs the tests


class _FaultyLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from its own place with another source."""

    def __init__(self, module: str, path: str, source: str) -> None:
        super().__init__(module, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.get_filename(fullname), "exec", dont_inherit=True)


class _FaultyFinder(importlib.abc.MetaPathFinder):
    """Finds one module only."""

    def __init__(self, module: str, source: str) -> None:
        self._module, self._source = module, source

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._module:
            return None
        place = str((ROOT / fullname.replace(".", "/")).with_suffix(".py"))
        loader = _FaultyLoader(fullname, place, self._source)
        return importlib.util.spec_from_file_location(fullname, place, loader=loader)


def put_in_place(mutant: str) -> None:
    """Let a module be imported with a fault, "MODULE=FILE" with the faulty source."""
    module, _equals, path = mutant.partition("=")
    sys.meta_path.insert(0, _FaultyFinder(module, Path(path).read_text(encoding="utf-8")))


if MUTANT in os.environ:
    put_in_place(os.environ[MUTANT])


# ---- the whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the named faults and a sample, and print what the tests do not notice."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="how many faults are drawn")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another number draws others")
    parser.add_argument("--packages", nargs="+", choices=PACKAGES, default=PACKAGES, help="whose modules get faults")
    args = parser.parse_args(arguments)
    if args.sample and importlib.util.find_spec("cosmic_ray") is None:
        sys.stderr.write("tests.evaluate.mutants: Cosmic Ray is missing: pip install cosmic-ray\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="companion-mutants-") as folder:
        missed = _missed("named", [change.mutant() for change in NAMED], Path(folder))
        sample = sampled(args.sample, args.seed, args.packages) if args.sample else []
        unnoticed = _missed("drawn", sample, Path(folder))
    share = 1.0 - unnoticed / len(sample) if sample else 1.0
    sys.stdout.write(f"{missed} of {len(NAMED)} named faults and {unnoticed} of {len(sample)} drawn ones not noticed\n")
    return int(missed > 0 or share < LEAST_NOTICED)


def _missed(kind: str, mutants: Sequence[Mutant], folder: Path) -> int:
    missed = 0
    for mutant in mutants:
        if not is_noticed(mutant, folder):
            missed += 1
            sys.stdout.write(f"{kind}, not noticed: {mutant.module}: {mutant.name}\n")
            sys.stdout.flush()
    return missed


if __name__ == "__main__":
    sys.exit(main())
