from __future__ import annotations

import pytest

from companion.core.lobby import (
    LOUDNESS,
    NAME,
    SOUND,
    Agreement,
    Lobby,
    LobbyEvent,
    NamesGiven,
    Offer,
    OfferShown,
    OptionGiven,
    PlayersNamed,
    TableRecognised,
    lobby_buttons,
    lobby_lit,
    lobby_step,
    next_value,
)
from companion.core.messages import DeviceFailed, DeviceReturned, FrameBlind
from companion.core.stability import ASK_S
from companion.core.verdicts import Waiting
from engines.kernel import Level, Seat
from hardware.panel import Button, ButtonPressed, Rhythm, Signal
from tests.narrow import there
from vision.observation import BlindReason

RED, BLUE, GREEN = SEATS = (Seat("red"), Seat("blue"), Seat("green"))
NEW, GOING_ON = Offer("game", (RED, GREEN)), Offer("game", (RED, BLUE), {RED: "Anna"}, 3)
RECOGNISED = TableRecognised(SEATS, (NEW, GOING_ON))


def press(button: Button, *, held: bool = False) -> ButtonPressed:
    return ButtonPressed(button, 0, held)


def after(*events: LobbyEvent) -> Lobby:
    lobby = Lobby(lambda offer: len(offer.players) > 1)
    for event in events:
        lobby = lobby_step(lobby, event)
    return lobby


def test_nothing_begins_before_a_table_is_recognised() -> None:
    lobby = after(FrameBlind(BlindReason.NO_BOARD, 0), press(Button.DONE))
    assert lobby.taken is None
    assert lobby.signal is Signal.REFUSED
    assert lobby.waiting == Waiting("blind-no-board")


def test_missing_colours_are_reported_before_a_table_is_recognised_only_when_they_last() -> None:
    pale = [FrameBlind(BlindReason.NO_COLOUR, round(at_s * 1e9)) for at_s in (0.1, ASK_S, ASK_S + 0.1)]
    assert after(FrameBlind(BlindReason.NO_BOARD, 0), *pale[:2]).waiting == Waiting("blind-no-board")
    assert after(FrameBlind(BlindReason.NO_BOARD, 0), *pale).waiting == Waiting("blind-no-colour")


def test_mode_and_back_step_through_the_offers() -> None:
    assert after(RECOGNISED, press(Button.MODE)).offer == GOING_ON
    assert after(RECOGNISED, press(Button.MODE), press(Button.MODE)).offer == NEW
    assert after(RECOGNISED, press(Button.MODE), press(Button.BACK), press(Button.DONE)).taken == NEW
    assert after(RECOGNISED, OfferShown(1, takes=True)).taken == GOING_ON
    assert after(RECOGNISED, OfferShown(2, takes=True)).taken is None


def test_players_are_taken_in_and_out_on_the_panel_and_keep_the_order_of_the_table() -> None:
    lobby = after(RECOGNISED, press(Button.ROLL), press(Button.ROLL), press(Button.BACK))
    assert lobby.offer == Offer("game", SEATS)
    assert lobby_lit(lobby).lamps == {RED: Rhythm.TURN, BLUE: Rhythm.UNSURE, GREEN: Rhythm.TURN}
    assert lobby_lit(lobby).number == 3
    for _level in Level:
        lobby = lobby_step(lobby, press(Button.BACK))
        assert there(lobby.offer).players == SEATS
    lobby = lobby_step(lobby, press(Button.BACK))
    assert lobby_lit(lobby).lamps[BLUE] is Rhythm.TODO
    assert lobby_step(lobby, press(Button.DONE)).taken == NEW


def test_the_computer_is_seated_on_the_panel_with_a_level_and_its_lamp_and_the_bar_differ() -> None:
    lobby = after(RECOGNISED, press(Button.ROLL))
    bars = [lobby_lit(lobby).slider]
    for level in Level:
        assert lobby_buttons(lobby)[Button.BACK] == "agree"
        assert next_value(lobby) == level
        lobby = lobby_step(lobby, press(Button.BACK))
        assert there(lobby.offer).computer == {RED: level}
        bars.append(lobby_lit(lobby).slider)
    assert bars == sorted(set(bars))
    elsewhere = lobby_step(lobby, press(Button.ROLL))
    assert lobby_lit(elsewhere).lamps[RED] not in (Rhythm.OFF, lobby_lit(elsewhere).lamps[GREEN])
    begun = lobby_step(lobby, press(Button.DONE)).taken
    assert begun == Offer("game", (RED, GREEN), computer={RED: Level.STRONG})


def test_names_and_sound_are_agreed_with_back_and_counted_out_for_a_panel_of_lamps() -> None:
    agreements = (Agreement(SOUND, LOUDNESS), Agreement(f"{NAME}{GREEN}", ("Anna", "Ben")))
    lobby = lobby_step(Lobby(lambda _offer: True), TableRecognised(SEATS, (NEW,), agreements))
    assert lobby_lit(lobby).figures is None
    counted = []
    for presses in ("r", "bb", "rrr", "bb", "r", "b", "b", "b", "b"):
        for letter in presses:
            lobby = lobby_step(lobby, press(Button.ROLL if letter == "r" else Button.BACK))
        figures = there(lobby_lit(lobby).figures)
        counted.append((figures.numbers, figures.seat))
    at_name = [((2, place), None) for place in (0, 1, 2, 0, 1)]
    assert counted == [((1,), RED), ((3,), RED), ((1, 0), None), ((1, 2), None), *at_name]
    begun = lobby_step(lobby, press(Button.DONE))
    assert (begun.loudness, there(begun.taken).names) == (LOUDNESS[1], {GREEN: "Anna"})


def test_the_computer_leaves_with_its_seat_and_a_game_that_goes_on_becomes_a_new_one() -> None:
    names = NamesGiven(("", ""), (None, Level.EASY))
    assert lobby_step(after(RECOGNISED, names), PlayersNamed((RED, BLUE))).offer == Offer("game", (RED, BLUE))
    going_on = after(RECOGNISED, press(Button.MODE), names).offer
    assert going_on == Offer("game", (RED, BLUE), {}, computer={BLUE: Level.EASY})
    named = after(RECOGNISED, NamesGiven(("Anna", ""), (None, Level.MEDIUM))).offer
    assert named == Offer("game", (RED, GREEN), {RED: "Anna"}, computer={GREEN: Level.MEDIUM})


def test_where_no_camera_looks_the_computer_fills_the_table_when_too_few_are_named() -> None:
    lobby = lobby_step(Lobby(lambda offer: len(offer.players) > 2, begins=True), RECOGNISED)
    lobby = lobby_step(lobby, NamesGiven(("Anna", ""), (None, Level.EASY)))
    assert lobby.offer == Offer("game", SEATS, {RED: "Anna"}, computer={BLUE: Level.EASY, GREEN: Level.EASY})
    assert lobby_step(lobby, press(Button.DONE)).taken == lobby.offer
    begun = there(lobby_step(lobby, PlayersNamed(SEATS, {}, {BLUE: Level.STRONG})).taken)
    assert begun.computer[BLUE] is Level.STRONG


def test_names_of_too_few_people_leave_as_few_further_seats_as_the_game_needs() -> None:
    seats = tuple(Seat(colour) for colour in ("red", "blue", "green", "yellow"))
    lobby = lobby_step(Lobby(lambda offer: len(offer.players) > 2), TableRecognised(seats, (Offer("game", seats),)))
    named = there(lobby_step(lobby, NamesGiven(("Anna", "Ben"), (None, None))).offer)
    assert (len(named.players), sorted(named.names.values())) == (3, ["Anna", "Ben"])


def test_players_who_cannot_play_together_do_not_begin() -> None:
    lobby = after(RECOGNISED, PlayersNamed((GREEN,)), press(Button.DONE))
    assert lobby.offer == Offer("game", (GREEN,))
    assert (lobby.taken, lobby.signal) == (None, Signal.REFUSED)


def test_people_are_named_and_their_names_go_with_the_game() -> None:
    named = after(RECOGNISED, PlayersNamed((GREEN, BLUE)), NamesGiven(("Cem", "Dora")), press(Button.DONE))
    assert named.taken == Offer("game", (GREEN, BLUE), {GREEN: "Cem", BLUE: "Dora"})


def test_options_are_agreed_on_and_make_a_new_game_of_one_that_goes_on() -> None:
    agreed = after(RECOGNISED, OptionGiven("level", 2), OptionGiven("bonus", True), press(Button.DONE))
    assert agreed.taken == Offer("game", (RED, GREEN), options={"level": 2, "bonus": True})
    assert after(RECOGNISED, press(Button.MODE), OptionGiven("level", 2)).offer == Offer(
        "game", (RED, BLUE), {RED: "Anna"}, options={"level": 2}
    )


def test_the_players_of_a_game_that_goes_on_cannot_be_chosen() -> None:
    lobby = after(RECOGNISED, press(Button.MODE), press(Button.ROLL))
    assert lobby.cursor is None
    assert Button.ROLL not in lobby_buttons(lobby)
    assert lobby_buttons(lobby)[Button.DONE] == "resume"


def test_a_camera_that_fails_is_on_every_lamp_until_it_returns() -> None:
    lobby = after(RECOGNISED, DeviceFailed("camera", "no camera"))
    assert set(lobby_lit(lobby).lamps.values()) == {Rhythm.FAULT}
    assert Rhythm.FAULT not in lobby_lit(lobby_step(lobby, DeviceReturned("camera"))).lamps.values()


@pytest.mark.parametrize("events", [(), (RECOGNISED,)])
def test_holding_mode_leaves(events: tuple[LobbyEvent, ...]) -> None:
    assert after(*events, press(Button.MODE, held=True)).left


def test_every_button_that_does_something_says_so_and_no_other_does() -> None:
    for events in [(), (RECOGNISED,), (RECOGNISED, press(Button.ROLL)), (RECOGNISED, press(Button.MODE))]:
        lobby = after(*events)
        for button in Button:
            changed = lobby_step(lobby, press(button))
            changes = (changed.offers, changed.shown, changed.cursor, changed.taken) != (
                *(lobby.offers, lobby.shown, lobby.cursor, lobby.taken),
            )
            assert changes == (button in lobby_buttons(lobby)), (events, button)
    assert lobby_lit(after(RECOGNISED, press(Button.MODE))).slider == 2


def test_holding_mode_switches_the_box_off_once_done_confirms_it() -> None:
    lobby = Lobby(lambda _offer: True, can_leave=False, switches_off=True)
    asked = lobby_step(lobby_step(lobby, RECOGNISED), press(Button.MODE, held=True))
    assert not (asked.left or asked.off)
    assert set(lobby_lit(asked).lamps.values()) == {Rhythm.CHOICE}
    assert set(lobby_buttons(asked)) == {Button.DONE, Button.BACK}
    stays, goes = lobby_step(asked, press(Button.BACK)), lobby_step(asked, press(Button.DONE))
    assert (stays.confirms, stays.off, stays.taken) == (False, False, None)
    assert (goes.off, goes.left, goes.taken) == (True, True, None)
    assert not after(RECOGNISED, press(Button.MODE, held=True)).off, "not on a box of one's own"


def test_behind_the_seats_roll_comes_to_options_and_the_language_and_back_agrees_on_them() -> None:
    agreements = (Agreement("level", (2, 3)), Agreement("language", ("de", "fr")))
    lobby = Lobby(lambda offer: offer.options.get("level") != 3)
    lobby = lobby_step(lobby, TableRecognised(SEATS, (NEW,), agreements))
    for _ in range(len(SEATS) + 1):
        lobby = lobby_step(lobby, press(Button.ROLL))
    assert lobby_buttons(lobby)[Button.BACK] == "agree"
    agreed = []
    for _ in range(3):
        lobby = lobby_step(lobby, press(Button.BACK))
        agreed.append(dict(there(lobby.offer).options))
    assert agreed == [{"level": 2}, {}, {"level": 2}], "what cannot be played is left out"
    lobby = lobby_step(lobby, press(Button.ROLL))
    spoken = []
    for _ in range(3):
        lobby = lobby_step(lobby, press(Button.BACK))
        spoken.append(lobby.language)
    assert spoken == ["de", "fr", "de"]
    begun = lobby_step(lobby, press(Button.DONE))
    assert (there(begun.taken).options, begun.language) == ({"level": 2}, "de")
    assert lobby_step(lobby, press(Button.ROLL)).at_seat == SEATS[0]
