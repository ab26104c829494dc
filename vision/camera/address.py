"""The address of a network camera: its validation, and its form without the password.

It does not import OpenCV, so that settings and messages can use it fast.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from engines.sentence import Sentence
from vision.errors import CameraError

SCHEMES = ("http", "https", "rtsp", "rtsps")
EXAMPLE = "http://192.168.1.20:8080/video"
HIDDEN = "***"


def checked_url(url: str) -> str:
    """Return the URL if it has a host and a network camera's scheme; with others FFmpeg would read files.

    Raises:
        CameraError: it has not; the message does not contain the URL, because it may have a password.
    """
    try:
        parts = urlsplit(url)
        right = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # a port that is not a number, a bracket without its counterpart
        right = False
    if not right or any(letter.isspace() or not letter.isprintable() for letter in url):
        message = Sentence('a stream is given by its URL ({schemes}), such as "stream:{example}"')
        raise CameraError(message.format(schemes=", ".join(SCHEMES), example=EXAMPLE))
    return url


def masked(camera: str) -> str:
    """Return the word of a camera, such as "stream:http://user:password@host/path?key", without secrets.

    User, password, path and query are replaced by asterisks, since each of them may be a password. An ambiguous
    address, such as one with a slash in its password, is hidden as a whole. Other kinds of cameras are unchanged.
    """
    if camera.startswith("files:"):
        return camera
    head, separator, rest = camera.partition("://")
    if not separator:
        return f"{camera.partition(':')[0]}:{HIDDEN}" if "@" in camera else camera
    # of what follows "://" all but host and port
    end = next((place for place, letter in enumerate(rest) if letter in "/?#\\"), len(rest))
    (_user, at, host), path = rest[:end].rpartition("@"), rest[end:]
    shown = HIDDEN if "@" in path else f"{HIDDEN if at else ''}{at}{host}{f'/{HIDDEN}' if len(path) > 1 else ''}"
    return f"{HIDDEN if '@' in head else head}{separator}{shown}"
