"""Pictures over the page: those that a phone sends as the camera, and the camera's view with its reading."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.app.aiming import CameraLook, look_lines, measured
from companion.app.photo_reading import PhotoReading, read_picture, reader_of, tables
from companion.core.view import View
from companion.games.speech import SPEECHES
from companion.locale import _
from companion.shell.frame_reader import FrameReader
from companion.shell.pictures import drawn_over
from companion.shell.session import SessionTable
from companion.web.server import Endpoint, Site, body_of, shows
from vision.camera.phone import MOST_PHOTOGRAPH_BYTES, MOST_STREAMED_BYTES, PhonePictures, PhoneState
from vision.frame import ImageBgr, made_smaller
from vision.geometry import box
from vision.recognition.reader import AnyTableReader, Reading

WIDEST_PX = 1280
"""The width of pictures on the page."""

IDLE_S = 1.0
"""The interval of a phone's pictures while nobody needs more."""

_QUALITY = 80


@dataclass
class Lookout:
    """The camera's view for the page.

    Attributes:
        phone: receives a phone's pictures; None if another camera is used.
        eye: reads the camera's frames; None without a camera.
        showing: the table and the view of the game; None before there is one.
    """

    phone: PhonePictures | None = None
    eye: FrameReader | None = None
    showing: tuple[SessionTable, View] | None = None
    _sender: str | None = None
    _reader: AnyTableReader | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def claims(self, session: str) -> bool:
        """Return whether a session's phone may be the camera: the one that claimed it last, or the only one."""
        return self._sender in (None, session)

    def claim(self, session: str) -> None:
        """Make a session's phone the camera."""
        self._sender = session

    def seen(self) -> bytes | None:
        """Return the latest frame with its reading drawn over it, as JPEG; None if there is none."""
        sight = None if self.eye is None else self.eye.sight
        showing = self.showing  # the end of the game, in another thread, sets it to None
        if sight is None or showing is None:
            return self.raw()
        table, view = showing
        board = table.game.adaptor.board()
        return _jpeg(drawn_over(sight, board, view, SPEECHES[view.game].words))

    def raw(self) -> bytes | None:
        """Return the latest frame as JPEG, None if there is none."""
        latest = None if self.eye is None else self.eye.latest
        return None if latest is None else _jpeg(latest.image_bgr)

    def aimed(self) -> Mapping[str, Any]:
        """Measure the latest frame: the board's outline in fractions of the picture, and advice as sentences."""
        latest = None if self.eye is None else self.eye.latest
        if latest is None:
            return {"lines": [_("There is no picture of the camera yet.")], "outline": []}
        with self._lock:  # one at a time, because a reading takes processor time
            look = self._look(latest.image_bgr)
        width, height = look.measures.size_wh
        outline: list[list[float]] = []
        if isinstance(look.look, PhotoReading):
            corners_px = look.look.reading.pose.project_at(box(0.0, 0.0, *look.look.board.size), 0.0)
            outline = (corners_px / (width, height)).round(4).tolist()
        lines = [line.removeprefix(": ") for line in look_lines(look)]
        return {"lines": lines, "outline": outline, "playable": look.measures.playable}

    def _look(self, latest_bgr: ImageBgr) -> CameraLook:
        """Return the running game's last reading; before a game, or if it sees no board, read a picture."""
        sight = None if self.eye is None else self.eye.sight
        showing = self.showing
        if sight is not None and showing is not None and isinstance(sight.reading, Reading):
            board = showing[0].game.adaptor.board()
            look = PhotoReading(sight.frame.image_bgr, board, sight.reading, 0.0)
            return measured(look.image_bgr, {board.game: board}, look)
        boards = tables(None, None)
        if self._reader is None:
            self._reader = reader_of(boards, None)
        return measured(latest_bgr, boards, read_picture(latest_bgr, boards, self._reader))


def _jpeg(image_bgr: ImageBgr) -> bytes:
    height, width = image_bgr.shape[:2]
    if width > WIDEST_PX:
        image_bgr = made_smaller(image_bgr, (WIDEST_PX, round(height * WIDEST_PX / width)))
    return cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1].tobytes()


def routes(site: Site, lookout: Lookout) -> list[Route]:
    """Return the routes of pictures."""

    async def frame(request: Request) -> Response:
        """Accept a picture of the stream, or a photograph (`?photograph`)."""
        phone, photograph = lookout.phone, "photograph" in request.query_params
        if phone is None:
            return PlainTextResponse("the camera is another one", 409)
        begun = phone.begin()
        body = await body_of(request, MOST_PHOTOGRAPH_BYTES if photograph else MOST_STREAMED_BYTES)
        if not body:
            return PlainTextResponse("too large", 413)
        if photograph:
            lookout.claim(site.access.session_of(request.cookies))
        elif not lookout.claims(site.access.session_of(request.cookies)):
            return JSONResponse({"taken": False}, 409)
        phone.put(body, begun, photograph=photograph)
        return JSONResponse({"taken": True, "wait_s": 0.0 if phone.wanted(IDLE_S) else IDLE_S})

    async def state(request: Request) -> Response:
        """Store the phone's state; a phone that begins to send becomes the camera."""
        body, phone = await body_of(request, 100), lookout.phone
        try:
            said = PhoneState((body or b"").decode())
        except ValueError:
            return PlainTextResponse("not expected", 400)
        session = site.access.session_of(request.cookies)
        if said is PhoneState.SENDING:
            lookout.claim(session)
        if phone is not None and lookout.claims(session):
            phone.note(said)
        return JSONResponse({"taken": phone is not None and lookout.claims(session)})

    def picture(make: Callable[[], bytes | None]) -> Endpoint:
        def answer(_request: Request) -> Response:
            data = make()
            return Response(status_code=204) if data is None else Response(data, media_type="image/jpeg")

        return shows(site, answer)

    return [
        Route("/frame", frame, methods=["POST"]),
        Route("/phone", state, methods=["POST"]),
        Route("/seen.jpg", picture(lookout.seen)),
        Route("/raw.jpg", picture(lookout.raw)),
        Route("/aim", shows(site, lambda _request: lookout.aimed())),
    ]
