"""Lets `python -m companion` do what `companion` does; the command's entry point, quick to be ended by Ctrl-C."""

from __future__ import annotations

import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback while modules are imported; `cli.main` takes over


def main() -> int:
    """Run the command line; return the exit code."""
    from companion.cli import main as run  # noqa: PLC0415 - after the signal is taken care of

    return run()


if __name__ == "__main__":
    sys.exit(main())
