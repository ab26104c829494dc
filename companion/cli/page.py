"""Where else `companion play` shows a game: on a page of its own, and on a broker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial

from companion.app.evening import EveningPlan
from companion.app.output import say
from companion.cli.parser import UsageError, require_extra
from companion.locale import _
from companion.shell.settings import Settings

_USUAL_PORT = 8080


@contextmanager
def shown_elsewhere(
    plan: EveningPlan,
    listen: str,
    publish: str | None,
    *,
    page: bool,
    settings: Settings,
) -> Iterator[EveningPlan]:
    """Yield the plan of an evening with its page and broker, which run until the block ends.

    Args:
        plan: the evening without them.
        listen: the address of the page, "" for loopback.
        publish: the address of a broker, None for none.
        page: whether there is a page.
        settings: name the certificate that serves it over https.

    Raises:
        UsageError: the address of the page is not valid, or a package is not installed.
        SetUpError: the page's address cannot be listened at, or the broker's address is not valid.
    """
    with ExitStack() as stack:
        if page:
            require_extra("web")
            from companion.web.host import SHORT_PORT, PagePlan, serve_page

            host, port = _address(listen)
            devices, journal = plan.devices, plan.setup.journal
            folder = journal.parent / "page"
            paged = PagePlan(host, port, plan.clock, folder, devices.sees, devices.camera, journal)
            own = (settings.certificate, settings.certificate_key)
            paged = replace(paged, certificate=own, authority=settings.authority, short_port=SHORT_PORT)
            plan = replace(plan, pages=stack.enter_context(serve_page(paged, lambda lines: say(*lines))).pages())
        if publish:
            require_extra("mqtt")
            from companion.shell.broker import BrokerLink, broker_address, broker_display

            link = BrokerLink(broker_address(publish))
            stack.callback(link.close)
            plan = replace(plan, displays=(*plan.displays, partial(broker_display, link)))
        yield plan


def check_addresses(settings: Settings) -> None:
    """Raise UsageError or SetUpError if the settings' page cannot be served or their broker has no such address."""
    if settings.page or settings.listen:
        require_extra("web")
        from companion.web.host import listening_at

        host, _port = _address(settings.listen or "")
        listening_at(host, 0).close()  # the port itself is in use where the service runs
    if settings.publish:
        require_extra("mqtt")
        from companion.shell.broker import broker_address

        broker_address(settings.publish)


def _address(text: str) -> tuple[str, int]:
    """Return host and port of "HOST", "HOST:PORT" or "[ADDRESS]:PORT"; of "" those of loopback.

    Raises:
        UsageError: it is not one of these.
    """
    if not text:
        return "127.0.0.1", _USUAL_PORT
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon or (":" in host and not host.startswith("[")):
        host, port = text, str(_USUAL_PORT)
    if not host or not port.isdecimal() or len(port) > len("65535") or int(port) > 65_535:
        raise UsageError(_("--listen: expected an address such as 0.0.0.0:8080, found {text}").format(text=text))
    return host.strip("[]"), int(port)
