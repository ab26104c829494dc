"""The places of configuration files: systemd's folder, the user's, the machine's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import resources
from pathlib import Path

import platformdirs

from companion.locale import _
from companion.shell.errors import SetUpError
from vision.file_access import write_atomically


def config_places(name: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the paths where a file of this name may be, in order of precedence."""
    if given := environment.get("CONFIGURATION_DIRECTORY", "").split(":")[0]:
        yield Path(given) / name
    if user := user_place(name):
        yield user
    yield Path("/etc/companion") / name


def first_place(name: str, environment: Mapping[str, str]) -> Path | None:
    """Return the first path at which there is a file of this name; None if there is none."""
    for place in config_places(name, environment):
        with suppress(OSError, ValueError):  # a folder that cannot be searched
            if place.exists():
                return place
    return None


def own_place(name: str) -> Path:
    """Return the path of the user's own file of this name.

    Raises:
        SetUpError: the user has no home folder.
    """
    place = user_place(name)
    if place is None:
        raise SetUpError(_("{name}: there is no home folder to keep it in; set HOME").format(name=name))
    return place


def write_own(name: str, text: str, path: Path | None = None) -> Path:
    """Write a file, by default the user's own of this name, and create its folder; return the path.

    Raises:
        SetUpError: no path is given and the user has no home folder.
        OSError: it cannot be written there.
    """
    place = path or own_place(name)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, text)
    return place


def shipped_example(name: str) -> str:
    """Return the commented example of a file that ships, with the defaults."""
    return resources.files("companion.shell").joinpath(name).read_text(encoding="utf-8")


def user_place(name: str) -> Path | None:
    """Return the path of the user's own file, None for a user without a home folder."""
    folder = user_folder(lambda: platformdirs.user_config_path("companion"))
    return None if folder is None else folder / name


def user_folder(find: Callable[[], Path]) -> Path | None:
    """Return the folder that a function of platformdirs finds, None for a user without a home folder."""
    try:
        folder = find()
    except RuntimeError:  # newer versions of platformdirs; older ones leave the "~" where it is
        return None
    return None if folder.parts[:1] == ("~",) else folder


# ---- what a folder is on

MOUNTS = Path("/proc/self/mountinfo")

_FORGETTING = {"overlay", "ramfs", "tmpfs"}
"""File systems in memory, or like raspi-config's overlay above a disk that is never written to."""


def forgetting_words(folder: Path) -> str:
    """Return a warning if the folder is on a volatile file system, "" otherwise, or if that is unknown."""
    lines: list[str] = []
    with suppress(OSError):  # not Linux
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    # 1. the type of each mounted file system, as Linux names it, by its place
    mounted = (line.split(" - ") for line in lines if " - " in line)
    kinds = {Path(before.split()[4]): after.split()[0] for before, after in mounted}
    # 2. that of the folder is mounted at the nearest of its parents
    holding = (place for place in (folder.resolve(), *folder.resolve().parents) if place in kinds)
    kind = kinds.get(next(holding, Path("/")), "")
    if kind not in _FORGETTING:
        return ""
    sentence = _("{folder} is in memory ({kind}): games there go with the power. Keep them on a disk: {variable}")
    return sentence.format(folder=folder, kind=kind, variable="COMPANION_DATA")
