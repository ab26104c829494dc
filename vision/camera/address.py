"""The address of a network camera: what is accepted as one, and how it is shown without its password.

It imports no OpenCV, so that settings and messages can use it without waiting for that.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from vision.errors import CameraError

SCHEMES = ("http", "https", "rtsp", "rtsps")
EXAMPLE = "http://192.168.1.20:8080/video"
HIDDEN = "***"


def checked_url(url: str) -> str:
    """Return the URL if it has a network camera's scheme and a host; FFmpeg would read files by others.

    Raises:
        CameraError: it is not; the message does not repeat it, because it may have a password.
    """
    try:
        parts = urlsplit(url)
        right = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # a port that is no number, a bracket without its counterpart
        right = False
    if not right or any(letter.isspace() or not letter.isprintable() for letter in url):
        message = f'a stream is given by its URL ({", ".join(SCHEMES)}), such as "stream:{EXAMPLE}"'
        raise CameraError(message)
    return url


def masked(camera: str) -> str:
    """Return the name of a camera, such as "stream:http://user:password@host/path?key", fit to be shown and stored.

    User, password, path and query are replaced by asterisks: cameras take passwords in each of them. What is ambiguous,
    such as a password with a slash in it, is hidden as a whole. Other kinds of camera are returned as they are.
    """
    if camera.startswith("files:"):
        return camera
    head, separator, rest = camera.partition("://")
    if separator:
        return f"{HIDDEN if '@' in head else head}{separator}{_masked_host(rest)}"
    return f"{camera.partition(':')[0]}:{HIDDEN}" if "@" in camera else camera


def _masked_host(rest: str) -> str:
    """Mask what follows "://" of a URL, all but host and port."""
    end = next((place for place, letter in enumerate(rest) if letter in "/?#\\"), len(rest))
    authority, path = rest[:end], rest[end:]
    if "@" in path:
        return HIDDEN
    _user, at, host = authority.rpartition("@")
    return f"{HIDDEN if at else ''}{at}{host}{f'/{HIDDEN}' if len(path) > 1 else ''}"
