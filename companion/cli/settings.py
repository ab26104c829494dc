"""`companion settings`: what is set, and where each setting comes from."""

from __future__ import annotations

import argparse
import os
from typing import Any

import msgspec
from rich.table import Table

from companion.app.output import write_json, write_plain, write_text
from companion.cli import whole_parser
from companion.cli.exits import DONE
from companion.locale import _
from companion.shell.config_places import shipped_example
from companion.shell.settings import KEYS, NAME, Found, find_settings, settings_file
from vision.camera.address import masked


def run(args: argparse.Namespace) -> int:
    """Carry out the order."""
    if args.order == "example":
        write_plain(shipped_example(NAME))
        return DONE
    if args.order == "completion":
        import shtab

        shell = "zsh" if os.environ.get("SHELL", "").endswith("zsh") else "bash"
        write_plain(f"{shtab.complete(whole_parser(), shell=shell)}\n")
        return DONE
    found = find_settings(os.environ)
    file = settings_file(os.environ)
    if args.json:
        values = {key: {"value": _value(found, key), "from": found.origins.get(key)} for key in KEYS}
        write_json(msgspec.to_builtins({"status": "ok", "file": file, "settings": values}, enc_hook=str))
    else:
        table = Table(box=None)
        for heading in (_("setting"), _("value"), _("from")):
            table.add_column(heading, overflow="fold")
        for key in KEYS:
            value = _value(found, key)
            words = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words = "-" if value in (None, ()) else words.lower() if isinstance(value, bool) else words
            table.add_row(key, words, found.origins.get(key, _("default")))
        write_text(_("settings file: {file}").format(file=file or _("none")), table)
    return DONE


def _value(found: Found, key: str) -> Any:
    """Return a setting to be shown: an address without its password."""
    value = getattr(found.settings, key)
    return masked(value) if key in ("camera", "publish") and value else value
