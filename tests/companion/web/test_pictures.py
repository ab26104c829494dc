"""A phone that sends pictures, what the camera sees on the page, and the certificate that a browser asks for."""

from __future__ import annotations

import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self, cast

import cv2
import httpx
import numpy as np
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from companion.shell.errors import SetUpError
from companion.shell.frame_reader import Sight
from companion.web.certificate import AUTHORITY, certificate, check_certificate
from companion.web.pictures import Lookout, routes
from companion.web.server import Site
from companion.web.theatre import Stage
from tests.companion.web.phones import Phone, a_site, admitted, served
from tests.narrow import narrowed, there
from tests.vision.camera.stand_ins import coloured, start_reading
from vision.board import shipped_board
from vision.camera.phone import MOST_STREAMED_BYTES, PhoneCamera, PhonePictures
from vision.frame import Frame
from vision.image_file import load_image
from vision.recognition.reader import Reading, TableReader

RECORDED = Path(__file__).parents[2] / "recorded"
JPEG = cv2.imencode(".jpg", coloured(320, 240))[1].tobytes()


@pytest.fixture
def lookout() -> Lookout:
    return Lookout(PhonePictures())


@pytest.fixture
def site(lookout: Lookout) -> Site:
    site = a_site(asks=True)
    site.more = routes(site, lookout)
    return site


def test_a_phone_sends_a_photograph_and_it_is_what_the_camera_sees(site: Site, lookout: Lookout) -> None:
    phone = admitted(site)
    assert phone.post("/frame?photograph", content=JPEG).json()["taken"]
    assert lookout.phone is not None
    assert PhoneCamera(lookout.phone).read(0.0).size_wh == (320, 240)


def test_the_phone_is_told_to_slow_down_while_nobody_looks(site: Site, lookout: Lookout) -> None:
    phone, pictures = admitted(site), lookout.phone
    assert pictures is not None
    assert phone.post("/frame", content=JPEG).json()["wait_s"] > 0
    looking = threading.Thread(target=PhoneCamera(pictures).read, args=(5.0,))
    start_reading(looking, pictures)
    assert phone.post("/frame", content=JPEG).json()["wait_s"] == 0
    looking.join(5.0)
    assert not looking.is_alive()


def test_one_phone_is_the_camera_and_another_takes_over_only_when_it_is_asked_to(site: Site, lookout: Lookout) -> None:
    first, second = admitted(site), admitted(site)
    assert lookout.phone is not None
    first.post("/phone", content="sending")
    assert first.post("/frame", content=JPEG).status_code == 200
    assert second.post("/frame", content=JPEG).status_code == 409
    second.post("/phone", content="hidden")
    assert lookout.phone.state.value == "sending", "another phone says nothing of the camera"
    second.post("/phone", content="sending")
    assert first.post("/frame", content=JPEG).status_code == 409
    assert second.post("/frame", content=JPEG).status_code == 200
    second.post("/phone", content="hidden")
    assert lookout.phone.state.value == "hidden"


def test_a_picture_has_a_limit_and_a_phone_that_is_not_admitted_sends_none(site: Site, lookout: Lookout) -> None:
    assert Phone(site).post("/frame", content=JPEG).status_code == 401
    phone = admitted(site)
    assert phone.post("/frame", content=b"\xff" * (MOST_STREAMED_BYTES + 1)).status_code == 413
    assert phone.post("/frame", content=b"").status_code == 413
    assert phone.post("/phone", content="dancing").status_code == 400
    lookout.phone = None
    assert phone.post("/frame", content=JPEG).status_code == 409, "another camera looks at the table"


def test_before_there_is_a_picture_aiming_says_so_in_the_language_of_the_phone(site: Site) -> None:
    phone = admitted(site)
    assert phone.get("/raw.jpg").status_code == phone.get("/seen.jpg").status_code == 204
    [said], [german] = (phone.get(f"/aim?lang={code}").json()["lines"] for code in ("en", "de"))
    assert "no picture" in said and german != said


def test_the_page_shows_what_the_camera_sees_and_what_to_change(site: Site, lookout: Lookout) -> None:
    phone = admitted(site)
    assert phone.get("/seen.jpg").status_code == phone.get("/raw.jpg").status_code == 204
    lookout.eye = cast("Any", SimpleNamespace(latest=Frame(coloured(1600, 1200), 0), sight=None))
    for path in ("/seen.jpg", "/raw.jpg"):
        answer = phone.get(path)
        picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None and picture.shape == (960, 1280, 3)
    aimed = phone.get("/aim?lang=de").json()
    assert aimed["outline"] == [] and any("->" in line for line in aimed["lines"])


def test_aiming_beside_a_game_shows_what_the_game_has_read_and_reads_nothing_afresh(
    site: Site, lookout: Lookout, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = shipped_board("royal-ur")
    picture = load_image(RECORDED / "royal-ur" / "easy-34.jpg")
    reading = narrowed(TableReader(board).read(picture), Reading)
    frame = Frame(picture, 0)
    lookout.eye = cast("Any", SimpleNamespace(latest=frame, sight=Sight(frame, reading)))
    game = SimpleNamespace(adaptor=SimpleNamespace(board=lambda: board))
    lookout.showing = cast("Any", (SimpleNamespace(game=game), None))
    monkeypatch.setattr("companion.web.pictures.reader_of", None)
    aimed = admitted(site).get("/aim").json()
    assert len(aimed["outline"]) == 4
    assert any("markers" in line for line in aimed["lines"])
    assert not any("read in" in line for line in aimed["lines"])


def test_a_certificate_of_another_key_is_refused_in_a_sentence(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path / "one", ["a.example"])
    other = certificate(tmp_path / "other", ["a.example"])[1]
    check_certificate(cert, key)
    for wrong in (other, tmp_path / "missing.pem"):
        with pytest.raises(SetUpError, match=r"certificate\.pem"):
            check_certificate(cert, wrong)


def test_a_certificate_is_kept_while_its_names_hold_and_its_key_is_private(tmp_path: Path) -> None:
    names = ["192.168.1.5", "companion.local"]
    cert, key = certificate(tmp_path, names)
    first = cert.read_bytes()
    assert key.stat().st_mode & 0o077 == 0
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    assert certificate(tmp_path, reversed(names))[0].read_bytes() == first
    certificate(tmp_path, ["192.168.1.6"])
    assert cert.read_bytes() != first
    cert.write_text("damaged")
    certificate(tmp_path, names)
    context.load_cert_chain(cert, key)


@pytest.mark.parametrize("ahead", [timedelta(days=3650), timedelta(days=-380)])
def test_a_certificate_by_a_wrong_clock_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: timedelta
) -> None:
    class WrongClock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) + ahead

    with monkeypatch.context() as patched:
        patched.setattr("companion.web.certificate.datetime", WrongClock)
        cert, _key = certificate(tmp_path, ["companion.local"])
    wrong = cert.read_bytes()
    certificate(tmp_path, ["companion.local"])
    made = x509.load_pem_x509_certificate(cert.read_bytes())
    assert cert.read_bytes() != wrong and made.not_valid_before_utc < datetime.now(UTC) < made.not_valid_after_utc


def test_an_authority_signs_for_the_names_of_the_box_only_and_its_key_is_nowhere(tmp_path: Path) -> None:
    names = ["127.0.0.2", "companion.local"]
    cert, key = certificate(tmp_path, names, authority=True)
    authority = x509.load_pem_x509_certificate((tmp_path / AUTHORITY).read_bytes())
    permitted = there(authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees)
    assert [str(one.value) for one in permitted] == ["127.0.0.2/32", "companion.local"]
    x509.load_pem_x509_certificate(cert.read_bytes()).verify_directly_issued_by(authority)
    kept = load_pem_private_key(key.read_bytes(), None).public_key()
    assert kept != authority.public_key()
    assert sorted(file.name for file in tmp_path.iterdir()) == [AUTHORITY, "certificate.pem", "key.pem"]
    first = (tmp_path / AUTHORITY).read_bytes()
    certificate(tmp_path, names, authority=True)
    assert (tmp_path / AUTHORITY).read_bytes() == first
    certificate(tmp_path, names)
    assert not (tmp_path / AUTHORITY).exists()


def test_a_phone_that_has_installed_the_authority_is_not_warned(tmp_path: Path) -> None:
    with served(tmp_path, authority=True) as (host, address):
        with httpx.Client(base_url=address, timeout=5.0) as phone:
            assert phone.get("/authority").status_code == 401
            phone.get(f"/J/{host.access.token}")
            known, installed = phone.get("/known").json(), phone.get("/authority")
            assert known["authority"] and installed.headers["content-type"] == "application/x-x509-ca-cert"
        trusted = ssl.create_default_context(cadata=installed.text)
        trusted.verify_flags |= ssl.VERIFY_X509_STRICT
        assert httpx.get(f"{known['secure']}/words", verify=trusted).status_code == 200


def test_a_port_in_use_moves_https_to_another_and_the_page_links_to_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.2", 0)) as other:
        taken = other.getsockname()[1]
        with served(tmp_path, secure_port=taken) as (host, address), httpx.Client(base_url=address) as phone:
            phone.get(f"/J/{host.access.token}")
            secure = phone.get("/known").json()["secure"]
            trusted = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
            assert not secure.endswith(f":{taken}")
            assert httpx.get(f"{secure}/words", verify=trusted).status_code == 200


def test_the_page_is_served_over_http_and_https_and_ends(tmp_path: Path) -> None:
    """The real server on addresses of this machine: a phone joins, and is sent what is shown as it changes."""
    with served(tmp_path) as (host, address):
        host.theatre.show(Stage(lambda: {"kind": "lobby", "title": "first"}))
        with httpx.Client(base_url=address, timeout=5.0) as phone:
            assert phone.get("/known").status_code == 401
            phone.get(f"/J/{host.access.token}")
            known = phone.get("/known").json()
            with phone.stream("GET", "/events") as stream:
                lines = (line for line in stream.iter_lines() if line)
                assert '"title":"first"' in next(lines)
                host.theatre.show(Stage(lambda: {"kind": "lobby", "title": "second"}))
                assert next(lines) == 'data: {"title":"second"}'
            trusted = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
            secure = httpx.get(f"{known['secure']}/known", verify=trusted, cookies=dict(phone.cookies))
            assert secure.status_code == 200, "the phone is known there, too"
