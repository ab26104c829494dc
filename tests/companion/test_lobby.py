"""Playing without naming a game: the table is recognised in real pictures, and begins when the players agree."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.evening import setup_of
from companion.app.lines import language_typed, languages_offered
from companion.app.lobby import LobbyDevices, hold_lobby, lobby_eye, lobby_lines, typed_in_lobby
from companion.app.offers import OfferBook, seats_of
from companion.cli.exits import UNUSABLE
from companion.core.entries import Arranged, Played
from companion.core.lobby import NAME, Lobby, Offer, OptionGiven, lobby_step
from companion.core.messages import FrameBlind
from companion.core.stability import MOST_FRAMES
from companion.games import GAMES
from companion.games.speech import SPEECHES
from companion.locale import english, speaking
from companion.shell.clock import Clock
from companion.shell.frame_reader import FrameReader
from companion.shell.journal import Journal
from companion.shell.session import Setup
from companion.simulator.camera import SimulatedCamera
from companion.simulator.hands import Hands, Pace, Tabletop
from engines.kernel import Cell, Seat
from hardware.panel import Button, ButtonPressed, Enqueue, KeyPressed, Rhythm, Tally
from tests.companion.conftest import Refused, Told
from tests.companion.core.tables import act
from tests.companion.shell.cameras import PlayedCamera
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import games_in, played_before
from tests.companion.shell.tables import KeptPanel
from tests.narrow import there
from vision.board import shipped_board, shipped_games
from vision.errors import CameraError
from vision.frame import Frame, ImageBgr
from vision.observation import BlindReason
from vision.recognition.reader import AnyTableReader
from vision.simulation.random_scene import random_scene

RED, GREEN = Seat("red"), Seat("green")
TEE, UR = GAMES["royal-tee"], GAMES["royal-ur"]


def picture(game: str, players: tuple[Seat, ...]) -> ImageBgr:
    """Return a picture of a table that is set up for a game."""
    adaptor = GAMES[game]
    board, rng = adaptor.board(), np.random.default_rng(3)
    pieces = Hands(board, random.Random(3), Pace()).set_up(adaptor.placement(adaptor.engine.new(players, {}, 0)))
    scene = random_scene(board, rng, tier="easy", labels={}, size_wh=(1296, 972))
    return SimulatedCamera(scene, lambda _s: Tabletop(pieces), lambda: 0, rng).read().image_bgr


@pytest.fixture(scope="module")
def tee() -> ImageBgr:
    return picture("royal-tee", (RED, GREEN))


@pytest.fixture
def recording(tee: ImageBgr, tmp_path: Path) -> Path:
    folder = tmp_path / "recording"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), tee)
    return folder


pytestmark = pytest.mark.usefixtures("state")


def hold(
    devices: LobbyDevices, lobby: Lobby, book: OfferBook, say: Callable[[Sequence[str]], None] = lambda _lines: None
) -> Lobby:
    """Hold a lobby that no signal ends; return it as it was left."""
    return hold_lobby(
        devices,
        lobby,
        lambda game, labels: book.offers(shipped_board(game), labels),
        clock=Clock(),
        say=say,
        ended_by=lambda _inbox: nullcontext(),
    )


def held(
    image: ImageBgr,
    panel: KeptPanel,
    presses: Iterator[Button],
    book: OfferBook,
    failures: Sequence[str] = (),
    digits: Callable[[], int | None] = lambda: None,
) -> tuple[Offer | None, list[str]]:
    """Hold a lobby at which the players press a button each time that an offer is shown; give what it said."""
    said: list[str] = []
    pictures = chain[Frame | Exception](map(CameraError, failures), repeat(Frame(image, 0)))

    def say(lines: Sequence[str]) -> None:
        said.extend(lines)
        if any(line.startswith(">") for line in lines) and (button := next(presses, None)):
            panel.enqueue(ButtonPressed(button, 0))

    reader = AnyTableReader([shipped_board(game) for game in shipped_games()])
    devices = LobbyDevices(panel.opened, lobby_eye(lambda: PlayedCamera(pictures), reader), digits=digits)
    return hold(devices, Lobby(book.can_begin), book, say).taken, said


def test_the_game_and_who_plays_it_are_recognised_and_begin_with_done(tee: ImageBgr) -> None:
    panel = KeptPanel()
    taken, said = held(tee, panel, iter([Button.DONE]), OfferBook([], {}))
    assert taken == Offer("royal-tee", (RED, GREEN))
    assert "On the table: Royal Tee." in said
    assert "> 1  new game: Red and Green" in said
    assert panel.shown.number == 2
    assert panel.closed


def test_digits_show_the_number_of_a_phone_that_asks_to_join(tee: ImageBgr) -> None:
    panel = KeptPanel()
    held(tee, panel, iter([Button.DONE]), OfferBook([], {}), digits=lambda: 47)
    assert panel.shown.number == 47


def blind_eye(image: ImageBgr) -> FrameReader:
    """Look for tables of another game than the one in a picture."""
    reader = AnyTableReader([shipped_board("royal-ur")])
    return lobby_eye(lambda: PlayedCamera(repeat(Frame(image, 0))), reader)


def test_what_lamps_count_out_is_not_begun_again_while_nothing_is_pressed(tee: ImageBgr) -> None:
    counted: list[Rhythm | Tally] = []

    class Lamps(KeptPanel):
        """A panel of lamps alone that keeps what they were to count out."""

        def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
            super().lamp(seat_index, rhythm)
            counted.extend([rhythm] if isinstance(rhythm, Tally) else [])

    panel, book = Lamps(), OfferBook([], {})
    panel.parts = ("lamps",)
    seen = book.offers(shipped_board("royal-tee"), {})

    def presented() -> None:
        blind: Any = FrameBlind(BlindReason.BLURRED, 0)  # the panel and the camera have one inbox
        for message in (ButtonPressed(Button.ROLL, 0), *[blind] * 5, ButtonPressed(Button.BACK, 0), blind):
            panel.enqueue(message)
        panel.enqueue(ButtonPressed(Button.DONE, 0))

    devices = LobbyDevices(panel.opened, blind_eye(tee), present=presented)
    hold(devices, Lobby(book.can_begin, seats=seen.seats, offers=seen.offers), book)
    assert len(counted) == 2


class Pad:
    """Keys by which people ask, pressed by the test."""

    def __init__(self, enqueue: Enqueue) -> None:
        self.press = enqueue

    def close(self) -> None:
        """There is nothing to let go of."""


def test_in_the_lobby_a_key_shows_an_offer_and_another_says_it_again_and_none_begins(tee: ImageBgr) -> None:
    panel, book, pads = KeptPanel(), OfferBook([], {}), list[Pad]()
    seen = book.offers(shipped_board("royal-tee"), {})
    lobby = Lobby(book.can_begin, seats=seen.seats, offers=(Offer("royal-tee", (RED, GREEN)), *seen.offers))
    said, again = list[Sequence[str]](), list[str]()

    def plugged_in(enqueue: Enqueue) -> Any:
        pads.append(Pad(enqueue))
        return pads[-1]

    def presented() -> None:
        for key in ("2", "2", "-", "9"):
            pads[-1].press(KeyPressed(key, 0))
        panel.enqueue(ButtonPressed(Button.ROLL, 0, held=True))
        panel.enqueue(ButtonPressed(Button.DONE, 0))

    devices = LobbyDevices(
        *(panel.opened, blind_eye(tee)), present=presented, open_keypad=plugged_in, again=lambda: again.append("again")
    )
    left = hold(devices, lobby, book, said.append)
    assert left.taken == lobby.offers[1]
    assert len(said) == 2
    assert len(again) == 4


def test_a_camera_that_is_missing_at_the_start_is_on_the_panel_and_is_tried_again(tee: ImageBgr) -> None:
    rhythms: list[set[Rhythm | Tally]] = []

    class Watched(KeptPanel):
        def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
            super().lamp(seat_index, rhythm)
            rhythms.append(set(self.shown.rhythms))

    taken, said = held(tee, Watched(), iter([Button.DONE]), OfferBook([], {}), ["no camera is there"])
    assert {Rhythm.FAULT} in rhythms
    assert "no camera is there" in said
    assert taken is not None


def test_lamps_without_a_seat_are_dark_once_a_table_is_recognised() -> None:
    table = picture("royal-ur", (Seat("white"), Seat("black")))
    panel = KeptPanel()
    taken, _said = held(table, panel, iter([Button.DONE]), OfferBook([], {}))
    assert taken is not None
    assert panel.shown.rhythms == (Rhythm.TURN, Rhythm.TURN, Rhythm.OFF, Rhythm.OFF)


def test_an_offer_without_anybody_is_shown_and_not_begun() -> None:
    book = OfferBook([], {})
    lobby = Lobby(book.can_begin, seats=(RED, GREEN), offers=(Offer("royal-tee", (RED,)),))
    for button in (Button.ROLL, *[Button.BACK] * 9):
        if lobby.offer is not None and lobby.offer.players:
            lobby = lobby_step(lobby, ButtonPressed(button, 0))
    assert not there(lobby.offer).players
    assert any(line.startswith("> 1") for line in lobby_lines(lobby))
    assert lobby_step(lobby, ButtonPressed(Button.DONE, 0)).taken is None


def test_a_table_that_lies_there_is_not_read_over_and_over(tee: ImageBgr, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, readings, panel = [0], [0], KeptPanel()
    look, read = PlayedCamera.read, AnyTableReader.read

    def looked(camera: PlayedCamera, timeout_s: float = 1.0) -> Frame:
        looks[0] += 1
        if looks[0] == 60:
            panel.enqueue(ButtonPressed(Button.DONE, 0))
        return look(camera, timeout_s)

    def was_read(reader: AnyTableReader, image_bgr: ImageBgr) -> Any:
        readings[0] += 1
        return read(reader, image_bgr)

    monkeypatch.setattr(PlayedCamera, "read", looked)
    monkeypatch.setattr(AnyTableReader, "read", was_read)
    taken, _said = held(tee, panel, iter([]), OfferBook([], {}))
    assert taken is not None
    assert looks[0] >= 60
    assert readings[0] == MOST_FRAMES


def offers_on(placement: Mapping[Cell, str], path: Path) -> tuple[Offer, ...]:
    labels = {str(cell): label for cell, label in placement.items()}
    return OfferBook(games_in(path), {}).offers(TEE.board(), labels).offers


def test_last_times_people_are_offered_and_the_game_that_is_on_the_table_goes_on_first(tmp_path: Path) -> None:
    path, walk = tmp_path / "journal.sqlite3", act(TEE, walk=["F11"])
    finished = played_before(path, "royal-tee", (RED, GREEN), Arranged({RED: "Anna", GREEN: "Ben"}))
    with closing(Journal(path, ManualClock())) as journal:
        journal.finish_game(finished, {RED: 5, GREEN: 3})
    unfinished = played_before(path, "royal-tee", (RED, GREEN), Played({"walk": ["F11"]}))
    start = TEE.engine.new([RED, GREEN], {}, 0)
    set_up, as_left = (TEE.placement(position) for position in (start, TEE.engine.after(start, walk).position))
    first, *others = offers_on(set_up, path)
    assert first == Offer("royal-tee", (RED, GREEN), {})
    assert others[-1].number == unfinished
    assert offers_on(as_left, path)[0].number == unfinished


def test_the_names_of_last_time_go_with_the_seats(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    played_before(path, "royal-ur", ("white", "black"), Arranged({Seat("white"): "Anna"}))
    offers = OfferBook(games_in(path), {}).offers(UR.board(), {}).offers
    assert offers[0] == Offer("royal-ur", (Seat("white"), Seat("black")), {Seat("white"): "Anna"})


def test_players_that_are_named_are_the_only_ones_offered() -> None:
    book = OfferBook([], {}, [Seat("blue"), Seat("yellow")], ["Cem"])
    (offer,) = book.offers(TEE.board(), {"F12": "red-royal"}).offers
    assert offer == Offer("royal-tee", (Seat("blue"), Seat("yellow")), {Seat("blue"): "Cem"})


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_players_of_the_settings_are_offered_only_where_the_table_has_them(game: str) -> None:
    board = shipped_board(game)
    for offer in OfferBook([], {}, [Seat("red"), Seat("green")]).offers(board, {}).offers:
        assert set(offer.players) <= set(board.colours or ("white", "black"))
    if not board.colours:
        (offer,) = OfferBook([], {}, [Seat("Anna"), Seat("Ben")]).offers(board, {}).offers
        assert offer.players == ("Anna", "Ben")


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_what_was_agreed_for_one_game_does_not_hinder_another_that_is_laid_out_next(game: str) -> None:
    book = OfferBook([], {"level": 2}, [Seat("red"), Seat("green"), Seat("yellow")], ["Anna", "Ben", "Cem"])
    offers = book.offers(shipped_board(game), {}).offers
    assert offers
    assert all(book.can_begin(offer) for offer in offers if len(offer.players) != 3)
    base = Setup(None, [], Path("journal"), options={"level": 2})
    assert setup_of(base, Offer(game, offers[0].players)).options == ({"level": 2} if game == "royal-study" else {})


def test_yes_begins_a_game_that_is_recognised_in_a_recording(recording: Path, told: Told) -> None:
    said = told("play", "--camera", f"files:{recording}", typed="names Anna, Ben\nyes\n", code=UNUSABLE)
    assert "> 1  new game: Anna (Red) and Ben (Green)" in said
    assert "read key by key" in said, "keys cannot be read from a stand-in of a keyboard"


def test_a_game_that_is_recognised_is_watched(recording: Path, told: Told, state: Path) -> None:
    said = told("play", "--camera", f"files:{recording}", "--panel", "simulated")
    assert "> 1  new game: Red and Green" in said
    assert "Red 1, Green 1" in said
    with closing(sqlite3.connect(state / "journal.sqlite3")) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (0,)


def test_pictures_without_a_table_end_in_one_sentence(tmp_path: Path, refused: Refused) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.full((240, 320, 3), 128, np.uint8))
    sentence = refused("play", "--camera", f"files:{tmp_path}", "--panel", "simulated")
    assert "no known table is in these pictures" in sentence


@pytest.mark.parametrize(
    ("letter", "button"), [("d", Button.DONE), ("r", Button.ROLL), ("b", Button.BACK), ("m", Button.MODE)]
)
def test_the_keys_of_the_desk_are_typed_letters_in_the_lobby(letter: str, button: Button) -> None:
    lobby = Lobby(lambda _offer: True, offers=(Offer("royal-ur", (Seat("white"), Seat("black"))),))
    assert typed_in_lobby(lobby, letter, 7) == ([ButtonPressed(button, 7)], ())


def test_options_and_the_language_are_typed_before_the_game() -> None:
    lobby = Lobby(lambda _offer: True, offers=(Offer("royal-study", (Seat("white"), Seat("black"))),))
    assert typed_in_lobby(lobby, "options level=2", 0) == ([OptionGiven("level", 2)], ())
    assert typed_in_lobby(lobby, "options deck = table", 0) == ([OptionGiven("deck", "table")], ())
    events, answer = typed_in_lobby(lobby, "options", 0)
    assert not events
    assert any(line.startswith("Level=2") for line in answer), "what can be agreed on is listed"
    asked = ("language de", "Language FR", "language xx", "language", "yes")
    assert [*map(language_typed, asked)] == ["de", "fr", "", "", None]
    assert typed_in_lobby(lobby, "language xx", 0) == ((), [languages_offered()])
    assert language_typed("language Français") == "fr"
    assert languages_offered() == "These languages are spoken: de, en, es, fr, it, nl."
    with speaking("de"):
        assert lobby_lines(lobby) != (english_lines := _in_english(lobby))
        assert english_lines[0] == "On the table: The Royal Study."


def test_people_of_earlier_games_are_stepped_through_by_name_at_each_seat() -> None:
    board = shipped_board("royal-tee")
    book = OfferBook([], {}, seats_of(board)[:2], ["Anna", "Ben"])
    lobby = lobby_step(Lobby(book.can_begin), book.offers(board, {}))
    named = [agreement for agreement in lobby.agreements if agreement.key.startswith(NAME)]
    assert [agreement.values for agreement in named] == [("Anna", "Ben")] * len(seats_of(board))
    while lobby.at_agreement is not named[1]:
        lobby = lobby_step(lobby, ButtonPressed(Button.ROLL, 0))
    lobby = lobby_step(lobby, ButtonPressed(Button.BACK, 0))
    assert there(lobby.offer).names == {seats_of(board)[0]: "Anna"}, "Ben's seat is nobody's again"
    assert "Anna" in _in_english(lobby)[-2]


def _in_english(lobby: Lobby) -> list[str]:
    with english():
        return lobby_lines(lobby)


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_every_option_of_a_game_can_be_agreed_on_with_the_buttons_and_is_named(game: str) -> None:
    book = OfferBook([], {})
    lobby = lobby_step(Lobby(book.can_begin), book.offers(shipped_board(game), {}))
    keys = {option.key for option in SPEECHES[game].guide().options}
    assert {agreement.key for agreement in lobby.agreements} == {*keys, "language", "sound"}
    for _ in range(len(lobby.seats) + len(lobby.agreements)):
        lobby = lobby_step(lobby, ButtonPressed(Button.ROLL, 0))
        if lobby.at_seat is not None:
            continue
        assert all(not line.endswith(": ") for line in lobby_lines(lobby, typed=False))
        lobby = lobby_step(lobby, ButtonPressed(Button.BACK, 0))
        assert lobby.offer is not None
        assert book.can_begin(lobby.offer)
    assert lobby_step(lobby, ButtonPressed(Button.DONE, 0)).taken is not None


@pytest.mark.parametrize("spoken", ["en", "de"])
@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_each_line_that_the_lobby_offers_to_type_does_something_in_its_game(game: str, spoken: str) -> None:
    book = OfferBook([], {})
    lobby = lobby_step(Lobby(book.can_begin), book.offers(shipped_board(game), {}))
    with speaking(spoken):
        offered = lobby_lines(lobby)[-1]
        typed = offered.rpartition(": ")[2].rstrip(".").split(" · ")[:-1]  # the last one, quit, is the reader's
        assert len(typed) >= 3
        for line in typed:
            events, answer = typed_in_lobby(lobby, line, 0)
            assert events or answer != [offered], line
            after = lobby
            for event in events:
                after = lobby_step(after, event)
            assert after.signal is None, line
            assert after.offer is None or book.can_begin(after.offer), line


def test_the_computer_typed_alone_takes_the_last_seat_that_a_person_has() -> None:
    book = OfferBook([], {})
    lobby = lobby_step(Lobby(book.can_begin, begins=True), book.offers(shipped_board("royal-tee"), {}))
    for line, computers in (("Anna, Ben", {}), ("computer easy", {GREEN: "easy"}), ("computer", {GREEN: "strong"})):
        for event in typed_in_lobby(lobby, line, 0)[0]:
            lobby = lobby_step(lobby, event)
        assert there(lobby.offer).computer == computers
        assert there(lobby.offer).names == {RED: "Anna", GREEN: "Ben"}
        assert lobby.taken is None
    alone = Lobby(book.can_begin, seats=(RED, GREEN), offers=(Offer("royal-tee", (RED,)),))
    [event] = typed_in_lobby(alone, "computer medium", 0)[0]
    assert there(lobby_step(alone, event).offer).computer == {GREEN: "medium"}
