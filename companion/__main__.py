"""Lets `python -m companion` do what `companion` does."""

from __future__ import annotations

import sys

from companion.cli import main

if __name__ == "__main__":
    sys.exit(main())
