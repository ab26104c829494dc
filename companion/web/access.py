"""Access to the page: loopback only, unless an address is given; then each phone is admitted once.

A phone is admitted by the token of the QR code, by the six digits next to it, or by DONE at the table within a minute
of its request. A cookie then names its session; only hashes of sessions are stored.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from vision.file_access import write_atomically

COOKIE, SECURE_COOKIE = "companion-{port}", "__Host-companion-{port}"
"""Browsers send a cookie to every port of a host, so each companion of a computer has its own.

The https cookie has its own name, whose prefix makes browsers send it over https only.
"""

MOST_SESSIONS = 32
BURST, A_SECOND = 40.0, 12.0
"""Requests of cost 1 that a client may make at once, and in each second after that."""

ASKS_S, LOCKED_S = 60.0, 60.0
WRONG_CODES = 5
"""After that many wrong codes in a row codes are rejected for a minute. The code stays: terminals have it printed."""

_WATCHES = "watches:"
"""Prefix of the hash of a spectator's session."""

SESSION_LIVES_S = 90 * 24 * 3600.0

HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types drawing",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), screen-wake-lock=(self), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
"""The headers of every response."""


class Access:
    """Sessions and their admission; any thread may call it.

    Args:
        asks: whether phones have to be admitted; not on loopback.
        hosts: the names and addresses of the page, without port.
        file: stores the hashes of sessions for a restart; None to store none.
        port: of the page over http, part of the cookies' names.
        now_s: the calendar's time, by which sessions end; it may jump.
        elapsed_s: seconds that never go back, for limits, locks and requests.

    Attributes:
        cookie, secure_cookie: the names of the cookies.
        token, code: admit the next phone, once each; then they are replaced.
        watching: the token that admits any number of spectators, who see the table and do nothing.
        tell: called with the number of a phone that asks to be admitted, and with "" once none is waiting.
    """

    def __init__(
        self,
        *,
        asks: bool,
        hosts: frozenset[str],
        file: Path | None,
        now_s: Callable[[], float],
        elapsed_s: Callable[[], float],
        port: int = 0,
    ) -> None:
        self.asks, self.hosts = asks, frozenset(host.lower() for host in hosts)
        self.cookie, self.secure_cookie = COOKIE.format(port=port), SECURE_COOKIE.format(port=port)
        self._file, self._now_s, self._elapsed_s = file, now_s, elapsed_s
        self.tell: Callable[[str], object] = lambda _number: None
        self._lock = threading.RLock()
        self._sessions: OrderedDict[str, float] = OrderedDict()
        with suppress(OSError, ValueError, AttributeError):  # the file is missing or damaged: the phones ask again
            kept = json.loads(file.read_text(encoding="utf-8")) if file is not None else {}
            for key, ends_s in kept.items():
                if isinstance(ends_s, int | float) and ends_s > now_s():
                    self._sessions[str(key)] = float(ends_s)
        self._asking: OrderedDict[str, tuple[str, float]] = OrderedDict()  # number, and until when it is valid
        self._admitted: dict[str, str] = {}
        self._wrong, self._locked_until_s = 0, -math.inf
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left in it, and since when
        self.token, self.code, self.watching = "", "", _token()
        self.renew()

    # ---- requests

    def trusts(self, host: str, origin: str | None, scheme: str, *, changes: bool, at: str = "") -> bool:
        """Return whether a request was made to this host, and one that `changes` something by a page of ours.

        Its Host header is one of our names, or the address `at` which it arrived; `origin` is its Origin header.
        """
        with suppress(ValueError):
            name = urlsplit(f"//{host}").hostname or ""
            if name in self.hosts or (name == at and ip_address(at).version):  # not a name
                return origin == f"{scheme}://{host}" if origin is not None or changes else True
        return False

    def passes(self, who: str, *, cost: float = 1.0) -> bool:
        """Return whether a client may make another request: a token bucket of `BURST`, filled with `A_SECOND`."""
        with self._lock:
            now_s = self._elapsed_s()
            left, at_s = self._buckets.pop(who, (BURST, now_s))
            left = min(BURST, left + (now_s - at_s) * A_SECOND)
            self._buckets[who] = left - cost if cost <= left else left, now_s
            while len(self._buckets) > 4 * MOST_SESSIONS:
                self._buckets.popitem(last=False)
            return cost <= left

    def session_of(self, cookies: Mapping[str, str]) -> str:
        """Return the cookie of a phone's session among those of a request, "" if it has none."""
        return cookies.get(self.secure_cookie) or cookies.get(self.cookie, "")

    def knows(self, cookie: str | None) -> bool:
        """Return whether a cookie belongs to an admitted phone."""
        if not self.asks:
            return True
        with self._lock:
            keys = (_hash(cookie or ""), _WATCHES + _hash(cookie or ""))
            return any(self._sessions.get(key, 0.0) > self._now_s() for key in keys)

    def only_watches(self, cookie: str | None) -> bool:
        """Return whether a cookie belongs to a spectator's phone."""
        return self.asks and _WATCHES + _hash(cookie or "") in self._sessions

    # ---- admission

    def renew(self) -> None:
        """Replace token and digits; the old ones become invalid."""
        with self._lock:
            self.token = _token()
            self.code = f"{secrets.randbelow(1_000_000):06d}"
            self._wrong = 0

    def by_token(self, token: str) -> str | None:
        """Return the cookie of a new session if the token is valid; a spectators' token may be used repeatedly."""
        with self._lock:
            if hmac.compare_digest(token.encode(), self.watching.encode()):
                return self._begin(_WATCHES)
            if not hmac.compare_digest(token.encode(), self.token.encode()):
                return None
            self.renew()
            return self._begin()

    def by_code(self, code: str) -> str | None:
        """Return the cookie of a new session if the six digits are right, None otherwise."""
        with self._lock:
            if self._elapsed_s() < self._locked_until_s:
                return None
            if hmac.compare_digest(code.encode(), self.code.encode()):
                self.renew()
                return self._begin()
            self._wrong += 1
            if self._wrong >= WRONG_CODES:
                self._wrong, self._locked_until_s = 0, self._elapsed_s() + LOCKED_S
            return None

    def ask(self) -> tuple[str, str]:
        """Register a phone's request; return the secret by which it asks again, and the number that it shows."""
        with self._lock:
            secret = secrets.token_urlsafe(24)
            self._forget_late()
            while len(self._asking) >= 4:
                self._asking.popitem(last=False)
            number = f"{secrets.randbelow(90) + 10}"
            self._asking[_hash(secret)] = number, self._elapsed_s() + ASKS_S
        self.tell(number)
        return secret, number

    def answered(self, secret: str) -> str | None:
        """Return the cookie of a phone that was admitted at the table, once; None if it was not."""
        with self._lock:
            return self._admitted.pop(_hash(secret), None)

    def forget_late(self) -> None:
        """Drop requests older than a minute, and tell the displays if none is left."""
        if not self.waiting:
            self.tell("")

    @property
    def is_alone(self) -> bool:
        """Whether no phone was admitted yet, spectators aside."""
        with self._lock:
            return all(key.startswith(_WATCHES) for key in self._sessions)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The numbers of the phones that ask to be admitted."""
        with self._lock:
            self._forget_late()
            return tuple(number for number, _until_s in self._asking.values())

    def admit(self) -> bool:
        """Admit the phone that asked last, for DONE at the table; return whether there was one."""
        with self._lock:
            self._forget_late()
            if not (self.asks and self._asking):
                return False
            secret, _asked = self._asking.popitem()
            self._admitted[secret] = self._begin()
        self.tell("")
        return True

    def _begin(self, kind: str = "") -> str:
        cookie = secrets.token_urlsafe(32)
        self._sessions[kind + _hash(cookie)] = self._now_s() + SESSION_LIVES_S
        alike = [key for key in self._sessions if key.startswith(_WATCHES) == bool(kind)]  # spectators push nobody out
        for key in alike[:-MOST_SESSIONS]:
            del self._sessions[key]
        with suppress(OSError):  # then a restart asks the phones again
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                write_atomically(self._file, json.dumps(dict(self._sessions)), private=True)
        return cookie

    def _forget_late(self) -> None:
        now_s = self._elapsed_s()
        for secret in [secret for secret, (_number, until_s) in self._asking.items() if until_s < now_s]:
            del self._asking[secret]


def _token() -> str:
    """Return a new token of 80 bits, in the letters and digits of which a QR code holds most."""
    return base64.b32encode(secrets.token_bytes(10)).decode()


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
