"""How the program ends: the exit codes that other programs may rely on, and signals.

SIGINT (Ctrl-C) raises Python's `KeyboardInterrupt`. SIGTERM and SIGHUP (the terminal was closed) would end the process
at once, with the alternate screen left open and lamps lit; here each raises an exception, so that everything is closed.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

if TYPE_CHECKING:
    from companion.shell.loop import Inbox

DONE: Final = 0
FAULT: Final = 1
"""A fault of the program itself; its traceback is shown with `--debug`."""

UNUSABLE: Final = 2
"""Arguments or input that cannot be used, reported in one line on standard error."""

REFUSED: Final = 3
"""`read`, `score`, `judge`: a picture was refused; `panel test`: a part does not work; `doctor`: something hinders."""

INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141
"""What a shell reports for SIGINT and SIGPIPE."""

_Handler: TypeAlias = "Callable[[int, FrameType | None], object]"

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class EndedBySignal(BaseException):
    """Raised when a signal ends the program; `code` is the exit code that a shell reports for it."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


@contextmanager
def _handle(handlers: Mapping[int, _Handler]) -> Iterator[Mapping[int, Any]]:
    """Install signal handlers for the block; yield the ones that they replace."""
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield before
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Raise `KeyboardInterrupt` or `EndedBySignal` in the main thread on a signal that would end the process.

    A signal that is ignored, as under nohup, stays ignored. Outside the main thread nothing is changed.
    """
    handlers: dict[int, _Handler] = {signal.SIGINT: signal.default_int_handler, **dict.fromkeys(_SIGNALS, _end)}
    usual = {number: handler for number, handler in handlers.items() if signal.getsignal(number) is signal.SIG_DFL}
    with _handle(usual if threading.current_thread() is threading.main_thread() else {}):
        yield


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # the program ends already
    raise EndedBySignal(number)


@contextmanager
def ended_by_signals(inbox: Inbox) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the loop between two events; a second one of a kind ends the program at once."""
    from companion.shell.loop import StopLoop

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, before[number])
        inbox.put(StopLoop())

    with _handle({signal.SIGINT: end, signal.SIGTERM: end}) as before:
        yield
