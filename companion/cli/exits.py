"""The exit codes that other programs may rely on."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
FAULT: Final = 1
"""Ours: a traceback only under `--debug`."""

UNUSABLE: Final = 2
"""Arguments or input that cannot be used, reported in one line on standard error."""

REFUSED: Final = 3
"""`read`, `score`, `judge`: a picture was refused; `panel test`: a part does not work; `doctor`: something hinders."""

INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141
"""What a shell reports for SIGINT and SIGPIPE."""
