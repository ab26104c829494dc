"""The command line's frame: exit codes, one line a failure, the nearest spelling."""

from __future__ import annotations

import argparse
import errno
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion import __version__, cli
from companion.app.diagnostics import EXTRAS
from companion.cli.exits import DONE, FAULT, INTERRUPTED, PIPE_CLOSED, UNUSABLE, EndedBySignal
from companion.cli.parser import UsageError
from companion.shell.errors import JournalError
from engines.kernel import BadRequestError
from hardware.errors import PanelError
from tests.companion.conftest import Refused
from vision.errors import BoardFileError


def _raising(error: BaseException) -> Callable[[argparse.Namespace], int]:
    """Return a command that fails."""

    def run(_args: argparse.Namespace) -> int:
        raise error

    return run


@pytest.mark.parametrize("code", [0, 2, 3])
def test_a_commands_answer_is_the_exit_code(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "import_module", lambda _name: SimpleNamespace(run=lambda _args: code))
    assert cli.main(["doctor"]) == code


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("no such corner"), UNUSABLE, "companion: no such corner\n"),
        (BadRequestError("a tee off the board"), UNUSABLE, "companion: a tee off the board\n"),
        (BoardFileError("board.toml: key missing"), UNUSABLE, "companion: board.toml: key missing\n"),
        (PanelError("pin 4 is taken"), UNUSABLE, "companion: pin 4 is taken\n"),
        (JournalError("the disk is full"), UNUSABLE, "companion: the disk is full\n"),
        (
            PermissionError(errno.EACCES, "Permission denied", "p.json"),
            UNUSABLE,
            "companion: p.json: Permission denied\n",
        ),
        (BoardFileError("two\nlines \x1b[31m"), UNUSABLE, "companion: two lines ?[31m\n"),
        (
            ZeroDivisionError("division by zero"),
            FAULT,
            "companion: this is a fault of ours (ZeroDivisionError: division by zero); --debug shows where\n",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            FAULT,
            "companion: this is a fault of ours (OSError: [Errno 28] No space left on device); --debug shows where\n",
        ),
        (KeyboardInterrupt(), INTERRUPTED, ""),
    ],
)
def test_every_failure_is_one_line_with_its_exit_code(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "import_module", lambda _name: SimpleNamespace(run=_raising(error)))
    assert cli.main(["doctor"]) == code
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("argv", [["--debug", "doctor"], ["doctor", "--debug"]])
def test_debug_shows_where_a_fault_is(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        cli, "import_module", lambda _name: SimpleNamespace(run=_raising(ZeroDivisionError("division by zero")))
    )
    assert cli.main(argv) == FAULT
    assert "Traceback" in capsys.readouterr().err


def test_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"companion {__version__}\n"


def test_a_reader_that_goes_away_ends_the_program_quietly() -> None:
    program = "import sys; from companion.cli import main; sys.exit(main(['doctor']))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == PIPE_CLOSED


@pytest.mark.sampled(5)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [("settings",), ("settings", "--json"), ("settings", "example"), ("doctor",), ("read", "--help"), ("--version",)],
)
def test_output_that_cannot_be_written_is_reported_in_one_sentence(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "companion", *arguments]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (
        UNUSABLE,
        "companion: standard output cannot be written: No space left on device\n",
    )


@pytest.mark.parametrize("command", ["engine 0<&-", "settings 1>&-", "settings 2>&-", "settings 1>&- 2>&-"])
def test_closed_standard_streams_are_no_fault(command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m companion {command}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (DONE, "")


def test_a_current_folder_that_was_deleted_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (gone := tmp_path / "gone").mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert cli.main(["print", "royal-tee"]) == UNUSABLE
    assert capsys.readouterr().err == "companion: the current folder was deleted; change to another one\n"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_that_ends_the_program_leaves_the_terminal_as_it_was_found(name: str) -> None:
    program = (
        "import signal, sys, time, types; from companion import cli\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup\n"
        "def run(_args):\n"
        "    try:\n        print('alternate screen', flush=True)\n        time.sleep(60)\n"
        "    finally:\n        print('restored', flush=True)\n"
        "cli.import_module = lambda _name: types.SimpleNamespace(run=run)\n"
        "sys.exit(cli.main(['doctor']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "alternate screen\n"
        process.send_signal(signal.Signals[name])
        assert process.stdout.read() == "restored\n"
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 128 + signal.Signals[name]


@pytest.mark.parametrize(
    ("ended", "code"), [(KeyboardInterrupt(), INTERRUPTED), (EndedBySignal(signal.SIGHUP), 128 + signal.SIGHUP)]
)
def test_a_signal_while_a_class_is_made_is_no_fault(
    ended: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def __set_name__(self, _owner: type, _name: str) -> None:
            raise ended

    monkeypatch.setattr(cli, "import_module", lambda _name: type("Made", (), {"part": Interrupted()}))
    assert cli.main(["doctor"]) == code
    assert capsys.readouterr() == ("", "")


def test_a_signal_that_is_ignored_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def hang_up(_args: argparse.Namespace) -> int:
        signal.raise_signal(signal.SIGHUP)
        return DONE

    monkeypatch.setattr(cli, "import_module", lambda _name: SimpleNamespace(run=hang_up))
    try:
        assert cli.main(["doctor"]) == DONE
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_command_runs_in_another_thread_which_handles_no_signals(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(cli.main(["settings", "example"])))
    thread.start()
    thread.join(60)
    assert codes == [DONE]
    assert capsys.readouterr().out


def test_ctrl_c_while_modules_are_imported_shows_no_traceback() -> None:
    program = (
        "import runpy, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'companion.cli': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "runpy.run_module('companion', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


# ---- A command that reads no picture does not wait for OpenCV


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


_REPORT = ("companion.app.reporting", "companion.cli.report", "companion.printing.report")
_PRINTED = "challenge", "contents", "cover", "cut_sheets", "document", "measure", "pen", "sheets", "tiling"
_NEEDS: dict[tuple[str, ...], set[str]] = {
    ("jinja2",): {*_REPORT},
    ("reportlab", "pypdfium2"): {*_REPORT, "companion.cli.print", *(f"companion.printing.{name}" for name in _PRINTED)},
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
    extra: str, command: list[str], monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    installed = metadata.version

    def version(package: str) -> str:
        if package in EXTRAS[extra]:
            raise metadata.PackageNotFoundError(package)
        return installed(package)

    monkeypatch.setattr(metadata, "version", version)
    (line,) = refused(*command).splitlines()
    assert all(package in line for package in ("pip install", *EXTRAS[extra]))
