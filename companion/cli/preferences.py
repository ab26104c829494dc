"""How this process speaks and draws: what the settings say of that goes where every library looks for it."""

from __future__ import annotations

from collections.abc import MutableMapping


def lend(environment: MutableMapping[str, str]) -> None:
    """Put language, width and colour into the environment; settings that cannot be used are reported by the command."""
    from companion.shell.errors import ShellError
    from companion.shell.settings import find_settings

    try:
        settings = find_settings(environment).settings
    except ShellError:
        return
    if settings.language:
        environment["LANGUAGE"] = settings.language.value
    if settings.width:
        environment["COLUMNS"] = str(settings.width)
    if not settings.colour:
        environment["NO_COLOR"] = "1"
