"""The page beside `companion play`: where it is served, and who is told of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.app.output import say
from companion.cli.parser import UsageError, require_extra
from companion.locale import _

if TYPE_CHECKING:
    from companion.app.evening import EveningPlan


@contextmanager
def paged(args: argparse.Namespace, plan: EveningPlan) -> Iterator[EveningPlan]:
    """Serve the page while an evening is held; return the plan of the evening with it.

    Raises:
        UsageError: the address is not valid, or the packages of the page are not installed.
        SetUpError: the address cannot be listened at.
    """
    require_extra("web")
    from companion.web.host import PagePlan, serve_page

    host, port = _address(args.listen)
    devices, folder = plan.devices, plan.setup.journal.parent / "page"
    page = PagePlan(host, port, plan.clock, folder, devices.sees, devices.camera, plan.setup.journal)
    with serve_page(page, lambda lines: say(*lines)) as served:
        yield replace(plan, pages=served.pages())


def _address(text: str | None) -> tuple[str, int]:
    """Return host and port of "HOST", "HOST:PORT" or "[ADDRESS]:PORT"; loopback without any.

    Raises:
        UsageError: it is not one of these.
    """
    usual = 8080
    if text is None:
        return "127.0.0.1", usual
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon or (":" in host and not host.startswith("[")):
        host, port = text, str(usual)
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise UsageError(_("--listen: expected an address such as 0.0.0.0:8080, found {text}").format(text=text))
    return host.strip("[]"), int(port)
