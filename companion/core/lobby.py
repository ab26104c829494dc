"""The lobby before a game: it offers what can be begun, players choose seats and options, and DONE begins.

There is one lobby, whether a camera recognises the table or the game is named; camera, panel and typed lines are its
events. Like the turn it has a state, events and a step function, but it orders only lamps, bar and digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations, islice, permutations
from typing import TypeAlias

from companion.core.messages import DeviceFailed, DeviceReturned, FrameBlind
from companion.core.stability import BlindSpell, blinded
from companion.core.verdicts import Figures, Lit, Waiting
from engines.kernel import Json, JsonObject, Level, Seat
from hardware.panel import SLIDER_STEPS, Button, ButtonPressed, Rhythm, Signal
from vision.observation import BlindReason

_TRIED = 200
"""The number of groups of players that are searched for one that can play."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that can be begun or resumed.

    Attributes:
        game: its name in commands.
        players: who plays it, in turn order.
        names: the players' names, by seat.
        number: the number of the journal's game to resume, None for a new one.
        options: options that the players agreed on and that differ from the usual rules, in the protocol's form.
        computer: how well the computer plays its seats, by seat.
    """

    game: str
    players: tuple[Seat, ...]
    names: Mapping[Seat, str] = field(default_factory=dict)
    number: int | None = None
    options: JsonObject = field(default_factory=dict)
    computer: Mapping[Seat, Level] = field(default_factory=dict)


LOUDNESS: tuple[Json, ...] = (0.4, 0.15, 0)
"""The choices for the loudness of buzzer and voice below 1; 0 is silent."""

LANGUAGE, SOUND, NAME, SEAT = "language", "sound", "name ", "seat "
"""The keys of agreements that are not options of a game: language, sound, a player's name, and who plays a seat."""

PEOPLE = "people"
SEAT_USES: tuple[Json, ...] = (PEOPLE, *Level)
"""Who may play a seat: a player, or the computer by its level. Usually nobody does."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Something to agree on with the buttons: a game option by its key, language, sound, a name, or who plays a seat.

    BACK steps through its values, and then to the usual one.
    """

    key: str
    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class TableRecognised:
    """The camera recognised a table with these seats; `offers` are in the order in which MODE steps.

    `agreements` are what ROLL steps through after the seats.
    """

    seats: tuple[Seat, ...]
    offers: tuple[Offer, ...]
    agreements: tuple[Agreement, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferShown:
    """The players looked at an offer, by its index from 0, or took it at once."""

    index: int
    takes: bool = False


@dataclass(frozen=True, slots=True)
class PlayersNamed:
    """The players said who plays, in turn order, perhaps with names and the computer's seats."""

    players: tuple[Seat, ...]
    names: Mapping[Seat, str] = field(default_factory=dict)
    computer: Mapping[Seat, Level] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NamesGiven:
    """The players gave their names in turn order; `levels` are the computer's, in the same order.

    If another number of players than the offer's can play, they are all who play.
    """

    names: tuple[str, ...]
    levels: tuple[Level | None, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionGiven:
    """The players agreed on the value of an `Agreement`, by its key; None is the usual value."""

    key: str
    value: Json


FromPlayers: TypeAlias = OfferShown | PlayersNamed | NamesGiven | OptionGiven | ButtonPressed
LobbyEvent: TypeAlias = FromPlayers | TableRecognised | FrameBlind | DeviceFailed | DeviceReturned


@dataclass(frozen=True, slots=True)
class Lobby:
    """The lobby between two events.

    Attributes:
        playable: returns whether an offer can be played unchanged.
        can_leave: whether holding MODE leaves; a service stays.
        switches_off: whether the players may switch the box off: they hold MODE, and then press DONE.
        confirms: DONE switches it off, any other button does not.
        off: the players switch the box off.
        begins: naming the seats of players who can play begins the game, because no camera looks for them.
        seats: all seats of the table.
        offers: what can be begun.
        shown: the index of the offer that DONE takes.
        cursor: the index of the seat, or after the seats of the agreement, that BACK changes; None until ROLL is
            pressed.
        agreements: what can be agreed with the buttons, besides who plays.
        waiting: why no table is recognised, None if one is, or nothing was seen yet.
        spell: the refused frames since a table was recognised, None if there are none.
        failed: devices that do not work, with their sentence.
        taken: what the players agreed on.
        left: the players end the evening.
        language: the code of the language that the players have chosen, "" if they have not chosen one.
        loudness: of buzzer and voice, from 1 to 0, which is silent.
        signal: the buzzer's signal for the last event.
        computer: how well it plays the seats that were given to it before; it keeps them.
    """

    playable: Callable[[Offer], bool]
    can_leave: bool = True
    switches_off: bool = False
    confirms: bool = False
    off: bool = False
    begins: bool = False
    seats: tuple[Seat, ...] = ()
    offers: tuple[Offer, ...] = ()
    shown: int = 0
    cursor: int | None = None
    agreements: tuple[Agreement, ...] = ()
    waiting: Waiting | None = None
    spell: BlindSpell | None = None
    failed: Mapping[str, str] = field(default_factory=dict)
    taken: Offer | None = None
    left: bool = False
    language: str = ""
    loudness: float = 1.0
    signal: Signal | None = None
    computer: Mapping[Seat, Level] = field(default_factory=dict)

    @property
    def at_seat(self) -> Seat | None:
        """The seat of the cursor, None if it is not at a seat."""
        return self.seats[self.cursor] if self.cursor is not None and self.cursor < len(self.seats) else None

    @property
    def at_agreement(self) -> Agreement | None:
        """The agreement of the cursor, at a seat the one on who plays it; None if it is nowhere."""
        if self.cursor is None or self.at_seat is not None:
            return None if self.at_seat is None else Agreement(f"{SEAT}{self.at_seat}", SEAT_USES)
        return self.agreements[self.cursor - len(self.seats)]

    @property
    def offer(self) -> Offer | None:
        """The offer that DONE takes, None if no table is recognised."""
        return self.offers[self.shown] if self.offers else None


def lobby_step(lobby: Lobby, event: LobbyEvent) -> Lobby:  # noqa: PLR0911, PLR0912 - one line an event
    """Return the lobby after an event."""
    quiet = replace(lobby, signal=None)
    match event:
        case TableRecognised(seats, offers, agreements):
            quiet = replace(quiet, agreements=agreements)
            return replace(quiet, seats=seats, offers=offers, shown=0, cursor=None, waiting=None, spell=None)
        case FrameBlind():
            if lobby.offers:
                return quiet
            spell, waiting = blinded(lobby.spell, event), Waiting(f"blind-{event.reason.value}", facts=event.facts)
            if event.reason is BlindReason.NO_COLOUR and not spell.lasts:  # perhaps a hand, which has one colour too
                return replace(quiet, spell=spell)
            return replace(quiet, spell=spell, waiting=waiting)
        case DeviceFailed(device, message):
            return replace(quiet, failed={**lobby.failed, device: message})
        case DeviceReturned(device):
            return replace(quiet, failed={d: m for d, m in lobby.failed.items() if d != device})
        case OfferShown(index, takes):
            if not 0 <= index < len(lobby.offers):
                return _refuse(quiet)
            return _take(replace(quiet, shown=index)) if takes else replace(quiet, shown=index, cursor=None)
        case PlayersNamed(players, names, computer):
            called = {**(lobby.offer.names if lobby.offer else {}), **names}
            seated = {**lobby.computer, **computer}
            named = _change_offer(quiet, players=players, number=None, names=called, computer=seated)
            return _take(named) if lobby.begins else named
        case NamesGiven(names, levels):
            return _name_players(quiet, names, levels)
        case OptionGiven(key, value):
            return _agree(quiet, key, value)
        case ButtonPressed(button, _, held):
            leaves = held and button is Button.MODE
            if lobby.confirms:
                return replace(quiet, confirms=False, off=button is Button.DONE, left=button is Button.DONE)
            if leaves and lobby.switches_off:
                return replace(quiet, confirms=True, signal=Signal.UNSURE)
            return replace(quiet, left=True) if leaves and lobby.can_leave else _press(quiet, button)


def _name_players(lobby: Lobby, names: Sequence[str], levels: Sequence[Level | None]) -> Lobby:
    """Return the lobby with names for the players; if there are several, they are all who play.

    The computer, if it is one of them, also plays further seats that the game needs.
    """
    if lobby.offer is None:
        return _refuse(lobby)
    count, players, playing = len(names), lobby.offer.players, partial(can_play, lobby)
    level = next(filter(None, reversed(levels)), None)
    if count > 1 or level is not None:
        count = next((number for number in numbers_of_players(lobby.seats, playing) if number >= count), count)
    if level is not None:
        levels = (*levels, *[level] * (count - len(levels)))
    if count > 1 and (count != len(players) or not playing(players)):
        players = group_like(lobby.seats[:count], lobby.seats, playing) or players
    called = {seat: name for seat, name in zip(players, names, strict=False) if name}
    if players == lobby.offer.players and level is None:
        return _change_offer(lobby, names=called)
    seated = {seat: level for seat, level in zip(players, levels, strict=False) if level is not None}
    return _change_offer(lobby, players=players, names=called, computer=seated, number=None)


def _press(lobby: Lobby, button: Button) -> Lobby:
    if not lobby.offers:
        return _refuse(lobby)
    match button:
        case Button.DONE:
            return _take(lobby)
        case Button.MODE:
            return replace(lobby, shown=(lobby.shown + 1) % len(lobby.offers), cursor=None)
        case Button.ROLL:
            return replace(lobby, cursor=_next_seat(lobby))
        case Button.BACK if lobby.at_agreement is not None:
            return _agree(lobby, lobby.at_agreement.key, next_value(lobby))
    return replace(lobby, shown=(lobby.shown - 1) % len(lobby.offers))


def _take(lobby: Lobby) -> Lobby:
    if lobby.offer is None or not lobby.playable(lobby.offer):
        return _refuse(lobby)
    return replace(lobby, taken=lobby.offer, signal=Signal.ACCEPTED)


def _refuse(lobby: Lobby) -> Lobby:
    return replace(lobby, signal=Signal.REFUSED)


def _next_seat(lobby: Lobby) -> int | None:
    """Return the next position of the cursor; a resumed game has no seats to choose."""
    if not lobby.seats or lobby.offer is None or lobby.offer.number is not None:
        return None
    return 0 if lobby.cursor is None else (lobby.cursor + 1) % (len(lobby.seats) + len(lobby.agreements))


def next_value(lobby: Lobby) -> Json:
    """Return the value that BACK agrees on next, None for the usual one; values that cannot be played are skipped."""
    agreement, offer = lobby.at_agreement, lobby.offer
    if agreement is None or offer is None:
        return None
    now = _current_agreement(lobby, offer, agreement.key)
    values: list[Json] = [*([] if agreement.key == LANGUAGE else [None]), *agreement.values]
    place = values.index(now) if now in values else -1
    following = [*values[place + 1 :], *values[: max(place, 0)]]
    if agreement.key in (LANGUAGE, SOUND) or agreement.key.startswith((NAME, SEAT)):
        return next(iter(following), None)
    may = (value for value in following if lobby.playable(_agree(lobby, agreement.key, value).offer or offer))
    return next(may, None)


def _current_agreement(lobby: Lobby, offer: Offer, key: str) -> Json:
    """Return the agreed value of a key, None for the usual one."""
    if key == LANGUAGE:
        return lobby.language
    if key == SOUND:
        return None if lobby.loudness == 1.0 else lobby.loudness
    if key.startswith(SEAT):
        seat = Seat(key.removeprefix(SEAT))
        return offer.computer.get(seat, PEOPLE) if seat in offer.players else None
    return offer.names.get(Seat(key.removeprefix(NAME))) if key.startswith(NAME) else offer.options.get(key)


def _agree(lobby: Lobby, key: str, value: Json) -> Lobby:
    """Agree on an option, the language, the sound, a name or who plays a seat; None restores the usual value."""
    if key == LANGUAGE:
        return replace(lobby, language=str(value or ""))
    if key == SOUND:
        return replace(lobby, loudness=float(value) if isinstance(value, int | float) else 1.0)
    if key.startswith(NAME) and lobby.offer is not None:
        seat = Seat(key.removeprefix(NAME))
        called = {other: name for other, name in lobby.offer.names.items() if other != seat and name != value}
        return _change_offer(lobby, names={**called, **({seat: str(value)} if value else {})})
    if key.startswith(SEAT) and lobby.offer is not None:  # the seat keeps its place in the turn order
        seat = Seat(key.removeprefix(SEAT))
        playing = {*lobby.offer.players} - {seat} | (set() if value is None else {seat})
        computer = {other: level for other, level in lobby.offer.computer.items() if other != seat}
        if value in tuple(Level):
            computer[seat] = Level(str(value))
        players = tuple(one for one in lobby.seats if one in playing)
        return _change_offer(lobby, players=players, computer=computer, number=None)
    options = {other: agreed for other, agreed in (lobby.offer.options if lobby.offer else {}).items() if other != key}
    return _change_offer(lobby, options={**options, **({} if value is None else {key: value})}, number=None)


def _change_offer(lobby: Lobby, **changes: object) -> Lobby:
    """Change the shown offer; the computer keeps only seats that play."""
    if lobby.offer is None:
        return _refuse(lobby)
    offers = list(lobby.offers)
    offer = replace(lobby.offer, **changes)  # type: ignore[arg-type]
    seated = {seat: level for seat, level in offer.computer.items() if seat in offer.players}
    offers[lobby.shown] = replace(offer, computer=seated)
    return replace(lobby, offers=tuple(offers))


# ---- who can play together

CanPlay: TypeAlias = Callable[[Sequence[Seat]], bool]
"""Returns whether these players can play a game in this order."""


def group_like(wished: Sequence[Seat], seats: Sequence[Seat], can_play: CanPlay) -> tuple[Seat, ...]:
    """Return players who can play together, as similar to the wished ones as possible; empty if there are none.

    Other orders of the wished players come first, then the same number of others in the order of the table.
    """
    groups = chain(permutations(wished), combinations(seats, len(wished)))
    return next((group for group in islice(groups, _TRIED) if can_play(group)), ())


def numbers_of_players(seats: Sequence[Seat], can_play: CanPlay) -> list[int]:
    """Return the possible numbers of players, the fewest first."""
    return [
        count
        for count in range(1, len(seats) + 1)
        if any(can_play(group) for group in islice(combinations(seats, count), _TRIED))
    ]


def can_play(lobby: Lobby, seats: Sequence[Seat]) -> bool:
    """Return whether these players can play the shown offer's game."""
    return lobby.offer is not None and lobby.playable(replace(lobby.offer, players=tuple(seats), number=None))


# ---- what is shown


def lobby_lit(lobby: Lobby) -> Lit:
    """Return the state of a panel: who plays on its lamps, how many on its digits, and the place of the offer.

    `figures` are what a panel of lamps counts out.
    """
    offer, at, agreement = lobby.offer, lobby.at_seat, lobby.at_agreement
    # 1. A player's lamp is lit as on that player's turn, a computer's as when its move is expected; that of the cursor
    #   is `UNSURE`, or `TODO` if nobody plays the seat.
    seats = lobby.seats or (offer.players if offer else ())
    lamps = dict.fromkeys(seats, Rhythm.OFF)
    if offer is not None:
        computer, playing = offer.computer, lamps.keys() & {*offer.players}
        lamps |= {seat: Rhythm.ON_DONE if seat in computer else Rhythm.TURN for seat in playing}
    # 2. The bar and the figures show the place of the offer, counted from 1; there are no figures for the first.
    bar = min(lobby.shown + 1, SLIDER_STEPS) if lobby.offers else 0
    figures = Figures((lobby.shown + 1,), choice=True) if lobby.shown else None
    # 3. At an agreement the figures are its place from 1 and its value, 0 for the usual one. At a seat they show who
    #   plays it: on the bar 0 for nobody, 2 for a player, and 4, 6 and 8 for the computer by rising level.
    if agreement is not None and offer is not None:
        now = _current_agreement(lobby, offer, agreement.key)
        value = agreement.values.index(now) + 1 if now in agreement.values else 0
        if at is None:
            figures = Figures((lobby.agreements.index(agreement) + 1, value), choice=True)
        else:
            lamps[at] = Rhythm.UNSURE if value else Rhythm.TODO
            bar, figures = 2 * value, Figures((value,), at, choice=True)
    # 4. A fault, or the question whether to switch the box off, comes first.
    if lobby.failed or lobby.confirms:
        lamps = dict.fromkeys(seats, Rhythm.CHOICE if lobby.confirms else Rhythm.FAULT)
    shows = offer is not None and not (lobby.failed or lobby.confirms)
    return Lit(lamps, bar, len(offer.players) if offer else None, lobby.signal, figures if shows else None)


def lobby_buttons(lobby: Lobby) -> Mapping[Button, str]:
    """Return the code of what each button does now; a button that does nothing is left out."""
    if lobby.confirms:
        return {Button.DONE: "switch-off", Button.BACK: "stay-on"}
    if lobby.offer is None:
        return {}
    several = len(lobby.offers) > 1
    meanings = {
        Button.DONE: "begin" if lobby.offer.number is None else "resume",
        Button.ROLL: "next-seat" if _next_seat(lobby) is not None else "",
        Button.BACK: "agree" if lobby.at_agreement is not None else "last-offer" if several else "",
        Button.MODE: "next-offer" if several else "",
    }
    return {button: meaning for button, meaning in meanings.items() if meaning}
