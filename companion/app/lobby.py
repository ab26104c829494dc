"""The lobby with its devices: camera, panel and typed lines, and its sentences."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from companion.app.lines import LANGUAGES, LineReader, UnknownSeat, language_typed, languages_offered, people_typed
from companion.app.offers import fewest_seats, offer_words, options_like, possible_words, refused_option
from companion.app.typed_commands import rules_answer
from companion.core.lobby import (
    LANGUAGE,
    LOUDNESS,
    NAME,
    PEOPLE,
    SEAT,
    SOUND,
    Lobby,
    LobbyEvent,
    NamesGiven,
    Offer,
    OfferShown,
    OptionGiven,
    PlayersNamed,
    TableRecognised,
    can_play,
    lobby_buttons,
    lobby_lit,
    lobby_step,
    next_value,
)
from companion.core.messages import FrameRead
from companion.games import GAMES
from companion.games.commands import command_words, computer_named, computer_words
from companion.games.line import in_both_languages, plain
from companion.games.speech import SPEECHES, brief_options, read_option, title_of
from companion.games.typed import unknown_words
from companion.locale import _, speak, translated
from companion.shell.clock import Clock
from companion.shell.devices import OpenCamera, OpenKeypad, OpenPanel
from companion.shell.effects import PanelDisplay
from companion.shell.errors import SetUpError
from companion.shell.frame_reader import CAMERA_ENDED, CaptureThread, FrameReader, Stillness
from companion.shell.loop import DeviceHealth, Inbox, Message, StopLoop
from companion.shell.oled_display import OpenLeaves, lobby_leaves
from companion.shell.session import plug_in_keypad
from companion.ui.names import clauses, computer_note, level_names, player_name, seat_name, seated_name
from companion.ui.page import button_name
from companion.ui.words import waiting_words
from engines.kernel import Level, Seat
from hardware.desk import KEYS
from hardware.panel import Button, ButtonPressed, KeyPressed, LineTyped, Panel, Rhythm
from vision.recognition.reader import AnyTableReader, Reading

_EQUAL_READINGS = 2
"""Readings in a row that must lead to the same offers before they are shown: a hand may cover a piece in one."""

Offers: TypeAlias = Callable[[str, Mapping[str, str]], TableRecognised]
"""Returns the offers for a game's table, given the labels that are certain, by cell."""


def lobby_eye(open_camera: OpenCamera, reader: AnyTableReader) -> FrameReader:
    """Return a frame reader for any known table; it treats every frame as still."""
    still = Stillness(still=True, hidden=np.zeros(1, dtype=bool), settled=True)
    return FrameReader(open_camera, reader.read, lambda _frame, _pose: still)


@dataclass(frozen=True, slots=True)
class GamePicked:
    """The players chose the game on the table, by its name in commands."""

    game: str


LobbyAct: TypeAlias = "LobbyEvent | GamePicked"
"""What players do in the lobby on a page."""

WatchLobby: TypeAlias = Callable[
    [Callable[[LobbyAct], None], "FrameReader | None"], AbstractContextManager[Callable[[Lobby], None]]
]
"""Opens another display of the lobby, whose input goes to the given function.

The eye is the one that looks for a table, None without a camera.
"""


def on_leaves(open_leaves: OpenLeaves, caption: Callable[[], str] = str) -> WatchLobby:
    """Return what shows the lobby on the panel's small display.

    `caption` returns a line to add, such as the page's address; "" for none.
    """

    @contextmanager
    def opened(_act: object, _eye: object) -> Iterator[Callable[[Lobby], None]]:
        with open_leaves(lambda _event: None) as leaves:

            def show(lobby: Lobby) -> None:
                lines = lobby_lines(lobby, typed=False)
                if not (lobby.offer or lobby.confirms):  # then no button does anything yet
                    lines.append("")
                leaves.show(lobby_leaves([*lines[:-1], *filter(None, [caption()]), lines[-1]]))

            yield show

    return opened


@dataclass(frozen=True)
class LobbyDevices:
    """The devices of the lobby.

    Attributes:
        open_panel: opens the panel.
        eye: looks for a table; None without a camera.
        lines: what users type; None if nobody can type.
        present: called once after the first offer is shown: simulated players press DONE.
        heard: called with each message before it is handled, for a recording.
        watches: open the other displays of the lobby.
        open_keypad: opens the keypad for questions; None if there is none.
        reads_elsewhere: a display shows the numbers, so lamps need not count them out.
        again: repeats the last sentence.
        digits: returns a number for the digits, such as that of a phone that asks to join, None for the number of
            players.
    """

    open_panel: OpenPanel
    eye: FrameReader | None = None
    lines: LineReader | None = None
    present: Callable[[], object] = lambda: None
    heard: Callable[[Message], object] = lambda _message: None
    watches: Sequence[WatchLobby] = ()
    open_keypad: OpenKeypad | None = None
    reads_elsewhere: bool = False
    again: Callable[[], object] = lambda: None
    digits: Callable[[], int | None] = lambda: None


def hold_lobby(
    devices: LobbyDevices,
    lobby: Lobby,
    offers: Offers,
    *,
    clock: Clock,
    say: Callable[[Sequence[str]], object],
    ended_by: Callable[[Inbox], AbstractContextManager[None]],
) -> Lobby:
    """Handle messages of camera, panel and keyboard until the players agree on a game or leave; return the lobby then.

    `offers` returns the offers for a recognised table. `say` shows lines to the players.

    Raises:
        PanelError: the panel cannot be opened.
        SetUpError: a recording has ended, and no table was recognised in it.
    """
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    eye, lines = devices.eye, devices.lines
    with ExitStack() as stack:
        stack.enter_context(ended_by(inbox))
        panel = stack.enter_context(devices.open_panel(inbox.put))
        plug_in_keypad(devices.open_keypad, inbox, stack)
        watched = [stack.enter_context(watch(inbox.put, eye)) for watch in devices.watches]
        host = _Host(lobby, offers, devices, panel, say=say, watched=watched)
        capture = None if eye is None else CaptureThread(eye, inbox)
        if capture is not None:
            capture.start()
            stack.callback(capture.stop)
        presented = False
        while not host.is_done:
            if host.lobby.offer is not None and not presented:
                presented = True
                devices.present()
                if lines is not None:  # before the first offer there is nothing to answer
                    lines.attach(inbox).start()
                    stack.callback(lines.stop)
            message = clock.get(inbox, None)
            devices.heard(message)
            host.take(message, clock.now_ns())
            if lines is not None and presented and not host.is_done:
                lines.handled(message)
            if capture is not None:
                capture.handled(message)
        return host.lobby


class _Host:
    """The handler of the lobby's messages, which shows the lobby on the panel and as lines."""

    def __init__(
        self,
        lobby: Lobby,
        offers: Offers,
        devices: LobbyDevices,
        panel: Panel,
        *,
        say: Callable[[Sequence[str]], object],
        watched: Sequence[Callable[[Lobby], None]],
    ) -> None:
        self.lobby, self._offers, self._devices, self._panel = lobby, offers, devices, panel
        self._say, self._watched = say, watched
        self._read: list[TableRecognised] = []
        self._offered: TableRecognised | None = None
        self._shown: list[str] = []
        self._counts = not devices.reads_elsewhere and not {"bar", "digits"} & {*panel.parts}
        self._wired: tuple[Sequence[Seat], float] = (), 0.0
        self._display = PanelDisplay(panel, ())
        self._health = DeviceHealth("panel", lambda event: self.take(event, 0))
        self._show()

    @property
    def is_done(self) -> bool:
        """Whether the players have agreed on a game, or left."""
        return self.lobby.left or self.lobby.taken is not None

    def take(self, message: Message | LobbyAct, at_ns: int) -> None:
        """Handle a message."""
        match message:
            case StopLoop():
                self._stop(message)
            case LineTyped(text):
                events, answer = typed_in_lobby(self.lobby, text, at_ns)
                if answer:
                    self._say(answer)
                for event in events:
                    self._step(event)
            case FrameRead():
                self._look()
            case KeyPressed(key):  # an offer's number shows it
                place = int(key) - 1 if key.isdecimal() else -1
                if 0 <= place < len(self.lobby.offers) and place != self.lobby.shown:
                    self._step(OfferShown(place))
                else:
                    self._devices.again()
            case ButtonPressed(Button.ROLL, _, held=True):
                self._devices.again()
            case GamePicked(game):
                self._recognise(self._offers(game, {}))
            case _ if isinstance(message, LobbyEvent):
                self._step(message)

    def _stop(self, stop: StopLoop) -> None:
        """Leave; or, at the end of a recording, begin the game that was recognised in it."""
        if stop.error is not None:
            raise stop.error
        if stop.code != CAMERA_ENDED:
            self.lobby = replace(self.lobby, left=True)
            return
        if self.lobby.offer is None and self._read:
            self._recognise(self._read[-1])
        if self.lobby.offer is None:
            raise SetUpError(_("no known table is in these pictures; name the game: companion play GAME"))

    def _look(self) -> None:
        """Show the offers once enough readings agree; keep the players' changes while the offers stay the same."""
        sight = None if self._devices.eye is None else self._devices.eye.sight
        if sight is None or not isinstance(reading := sight.reading, Reading):
            return
        observed = reading.observation
        cells = zip(observed.cells, observed.best(), observed.unsure(), strict=True)
        seen = self._offers(reading.game, {cell: label for cell, label, doubted in cells if not doubted})
        self._read = [*(read for read in self._read if read == seen), seen][-_EQUAL_READINGS:]
        if len(self._read) == _EQUAL_READINGS and seen != self._offered:
            self._recognise(seen)

    def _recognise(self, seen: TableRecognised) -> None:
        self._offered = seen
        self._step(seen)

    def _step(self, event: LobbyEvent) -> None:
        before, self.lobby = self.lobby.language, lobby_step(self.lobby, event)
        if self.lobby.language not in ("", before):
            speak(self.lobby.language)
        self._show()

    def _show(self) -> None:
        """Show the lobby on all displays; as lines unless they are shown already."""
        for show in self._watched:
            show(self.lobby)
        if self._devices.eye is not None or self.lobby.offer is not None:  # otherwise the game is shown elsewhere
            lines = lobby_lines(self.lobby, typed=self._devices.lines is not None)
            if lines != self._shown:
                self._shown = lines
                self._say(lines)
        self._health.use(self._light)

    def _light(self) -> None:
        """Show the lobby on the panel; raise `OSError` if the panel fails."""
        lobby, panel, ordered = self.lobby, self._panel, lobby_lit(self.lobby)
        seats = ordered.lamps
        others = Rhythm.FAULT if lobby.failed else Rhythm.OFF if seats else Rhythm.UNSURE  # no table is recognised yet
        others = Rhythm.CHOICE if lobby.confirms else others
        lit = dict.fromkeys((Seat(f"lamp {number}") for number in range(len(panel.shown.rhythms))), others) | dict(
            seats
        )
        few = len(panel.shown.rhythms) < len(seats)  # then only those who play have a lamp
        first = lobby.offer.players if few and lobby.offer else list(seats)
        order = [*first, *(seat for seat in lit if seat not in seats)]
        figures = ordered.figures if self._counts else None
        if figures is not None and figures.seat is not None:
            lit[figures.seat] = Rhythm.CHOICE  # its lamp counts the players instead of flashing a rhythm
        number = self._devices.digits()
        digits = ordered.number if number is None else number
        if (order, lobby.loudness) != self._wired:  # otherwise a count in progress continues
            self._wired = order, lobby.loudness
            self._display = PanelDisplay(panel, order, loudness=lobby.loudness)
        self._display.light(replace(ordered, lamps=lit, number=digits, figures=figures))


# ---- sentences


def lobby_lines(lobby: Lobby, *, typed: bool = True) -> list[str]:
    """Return the lobby as lines; with what can be typed if users can type."""
    if lobby.confirms:
        return [_("Switch the box off?"), _buttons(lobby, typed=typed)]
    lines = [*map(translated, lobby.failed.values())]
    if lobby.waiting is not None:
        lines.append(waiting_words(lobby.waiting))
    if lobby.offer is None:
        return [*lines, _("Looking for a table ...")]
    lines.append(_("On the table: {game}.").format(game=title_of(lobby.offer.game)))
    for place, offer in enumerate(lobby.offers):
        lines.append(f"{'>' if place == lobby.shown else ' '} {place + 1}  {offer_words(offer)}")
    if not lobby.playable(lobby.offer):
        possible = possible_words(lobby.offer.players, lobby.seats, partial(can_play, lobby))
        lines += [_("These players cannot play it together."), *filter(None, [possible])]
    return [*lines, _buttons(lobby, typed=typed), *([typed_help(lobby)] if typed else [])]


def typed_help(lobby: Lobby) -> str:
    """Return a sentence with what can be typed in the lobby, by examples that the shown game accepts."""
    words, offer = command_words(), lobby.offer
    names, players = words["names"].split(", ")[:2]
    computer, easiest = computer_words()["computer"].lower(), level_names()[Level.EASY]
    typed = [f"{names} Anna, Ben", f"{computer} {easiest}"]
    coloured = offer is not None and bool(GAMES[offer.game].board().colours)
    if offer is not None and coloured and (fewest := fewest_seats(offer.game, lobby.seats, offer.options)):
        typed.insert(0, f"{players} {', '.join(map(seat_name, fewest))}")
    if offer is not None and SPEECHES[offer.game].guide().options:
        typed.append(words["options"].split(",")[0])
    spoken = _("language").lower()
    typed += [f"{spoken} de", words["quit"].split(",")[0]]
    return _("Type yes, a number of the list, or one of these: {typed}.").format(typed=" · ".join(typed))


def _buttons(lobby: Lobby, *, typed: bool) -> str:
    """Return what the buttons do; with the letter of each one if users can type."""
    meanings, letters = lobby_meanings(lobby), {button: f" ({key})" for key, button in KEYS.items() if typed}
    buttons = lobby_buttons(lobby).items()
    return "   ".join(f"{button_name(button)}{letters.get(button, '')}: {meanings[code]}" for button, code in buttons)


def lobby_meanings(lobby: Lobby) -> Mapping[str, str]:
    """Return what each button does in the lobby, by the code of `lobby_buttons`."""
    return {
        "begin": _("begin"),
        "switch-off": _("yes, switch it off"),
        "stay-on": _("no, it stays on"),
        "resume": _("go on with this game"),
        "next-offer": _("next choice"),
        "last-offer": _("choice before"),
        "next-seat": _("choose a player, an option or the language"),
        "agree": _agreeing(lobby),
    }


def _agreeing(lobby: Lobby) -> str:  # noqa: PLR0911 - one line an agreement
    """Return the next value that BACK sets: an option, a language, a volume, a name, or who plays a seat."""
    if lobby.at_agreement is None or lobby.offer is None:
        return ""
    key, value = lobby.at_agreement.key, next_value(lobby)
    if key == LANGUAGE:
        return LANGUAGES[str(value or "en")]
    if key == SOUND:
        words = (_("quieter"), _("very quiet"), _("without sound"))
        return words[LOUDNESS.index(value)] if value in LOUDNESS else _("with sound")
    if key.startswith(SEAT):
        seat = key.removeprefix(SEAT)
        if value in (None, PEOPLE):
            return (_("with {player}") if value else _("without {player}")).format(player=player_name(seat))
        return seated_name(seat, "", computer_note("", Level(str(value))))
    if key.startswith(NAME):
        return seated_name(key.removeprefix(NAME), str(value or ""), "")
    if value is not None:
        return clauses(brief_options(lobby.offer.game, {key: value}))
    now = {key: lobby.offer.options.get(key)}
    return _("not {option}").format(option=clauses(brief_options(lobby.offer.game, now)))


# ---- typed lines


def typed_in_lobby(lobby: Lobby, text: str, at_ns: int) -> tuple[Sequence[LobbyEvent], Sequence[str]]:
    """Return the events of a typed line, and the lines to answer with."""
    line = text.strip()
    word, _blank, rest = line.partition(" ")
    command = in_both_languages(command_words).get(plain(word), "")
    game, language = lobby.offer.game if lobby.offer else "", language_typed(line)
    option = read_option(game or None, rest) if command == "options" else None
    # 1. a question for the languages, the rules, what can be agreed on, or an option that is impossible
    answer: Sequence[str] = [languages_offered()] if language == "" else ()
    if game and command in ("rules", "rule"):
        answer = rules_answer(game, rest, numbered=command == "rule")
    elif game and command == "options":
        answer = options_like(game) if option is None else refused_option(game, *option)
    if answer:
        return (), answer
    # 2. names of players, which need no keyword without a camera
    others, level = computer_named(line.split())
    level = None if others else level  # "computer easy" alone
    named = line not in KEYS and any(map(str.isalpha, line)) and language is None and level is None
    people: PlayersNamed | NamesGiven | UnknownSeat | None = None
    if command == "names":
        people = people_typed(rest, lobby.seats, coloured=True)
    elif named and lobby.begins and game and not command:
        people = people_typed(line, lobby.seats, coloured=bool(GAMES[game].board().colours))
    # 3. what the line means
    events: Sequence[LobbyEvent] = ()
    match people:
        case UnknownSeat(unknown, like) if unknown:
            return (), [unknown_words(unknown, like)]
        case PlayersNamed(players=(_, *_)) | NamesGiven(names=(_, *_)):
            events = [people]
        case None if language is not None:
            events = [OptionGiven(LANGUAGE, language)]
        case None if option is not None:
            events = [OptionGiven(*option)]
        case None if lobby.offer is not None and level is not None:
            events = [_with_computer(lobby.offer, level)]
        case None if word.isdecimal():
            events = [OfferShown(int(word) - 1, takes=True)]
        case None if pressed := KEYS.get(line) or _PRESSED.get(command, None if word else Button.DONE):
            events = [ButtonPressed(pressed, at_ns)]
    return events, () if events else [typed_help(lobby)]


def _with_computer(offer: Offer, level: Level) -> NamesGiven:
    """Return the players of an offer, the last one who is no computer yet as one; it joins a player who is alone."""
    seats = (*offer.players, Seat("")) if len(offer.players) == 1 else offer.players
    levels = [offer.computer.get(seat) for seat in seats]
    levels[max((place for place, one in enumerate(levels) if place and one is None), default=-1)] = level
    return NamesGiven(tuple(offer.names.get(seat, "") for seat in seats), tuple(levels))


_PRESSED = {
    "yes": Button.DONE,
    "done": Button.DONE,
    "no": Button.MODE,
    "roll": Button.ROLL,
    "undo": Button.BACK,
}
