"""`companion settings`: what is set, and where each setting comes from."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.output import write_json, write_plain, write_text
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, examples, one_of
from companion.locale import _
from vision.camera.address import masked

if TYPE_CHECKING:
    from rich.table import Table

    from companion.shell.settings import Found

ORDERS = ("show", "example", "completion")


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "settings",
        help=_("show what is set, and where each setting comes from"),
        description=_(
            "What the command line leaves open is taken from environment variables, then from "
            "companion.toml, then from the defaults. The command show lists it all; example writes a "
            "commented file to begin with."
        ),
        epilog=examples(
            "companion settings",
            "COMPANION_CAMERA=webcam:0 companion settings",
            "companion settings --json",
            "companion settings example > ~/.config/companion/companion.toml",
            "companion settings completion > ~/.local/share/bash-completion/completions/companion",
        ),
    )
    parser.add_argument(
        "order",
        nargs="?",
        type=one_of(_("order"), lambda: ORDERS),
        default="show",
        metavar="ORDER",
        help=_("show, example, or completion for your shell; default: show"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """Do what was ordered."""
    from companion.shell.settings import KEYS, example, find_settings, settings_file

    if args.order == "example":
        write_plain(example())
        return DONE
    if args.order == "completion":
        write_plain(_completion(os.environ.get("SHELL", "")))
        return DONE
    found = find_settings(os.environ)
    file = settings_file(os.environ)
    if args.json:
        values = {key: {"value": _plain(_value(found, key)), "from": found.origins.get(key)} for key in KEYS}
        write_json({"status": "ok", "file": _plain(file), "settings": values})
    else:
        write_text(_("settings file: {file}").format(file=file or _("none")), _table(found))
    return DONE


def _completion(shell: str) -> str:
    """Return what completes commands and options in a shell, by its path: zsh's own script, or bash's for any other."""
    import shtab

    from companion.cli import whole_parser

    return f"{shtab.complete(whole_parser(), shell='zsh' if shell.endswith('zsh') else 'bash')}\n"


def _table(found: Found) -> Table:
    from rich.table import Table

    from companion.shell.settings import KEYS

    table = Table(_("setting"), _("value"), _("from"), box=None)
    for key in KEYS:
        table.add_row(key, _words(_value(found, key)), found.origins.get(key, _("default")))
    return table


def _value(found: Found, key: str) -> Any:
    """Return a setting fit to be shown: a camera's address without its password."""
    value = getattr(found.settings, key)
    return masked(value) if key in ("camera", "publish") and value else value


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return str(value) if isinstance(value, Path) else value


def _words(value: Any) -> str:
    """Return a value as the file would have it."""
    if value is None or value == ():
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
