"""The lobby in lines: what it shows as sentences, and what the players type there as events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.app.history import title_of
from companion.app.seating import people_typed
from companion.core.lobby import (
    Lobby,
    LobbyEvent,
    NamesGiven,
    Offer,
    OfferTaken,
    OptionGiven,
    PlayersNamed,
    lobby_buttons,
)
from companion.core.messages import ButtonPressed
from companion.core.verdicts import Button, Waiting
from companion.games.commands import command_words
from companion.games.line import in_both_languages, plain
from companion.games.speech import brief_options, read_option
from companion.locale import _
from companion.ui.names import player_name, player_names
from companion.ui.page import button_name
from companion.ui.words import waiting_words

LANGUAGES = ("de", "en", "es", "fr", "it", "nl")


def lobby_lines(lobby: Lobby, *, typed: bool = True) -> list[str]:
    """Return what the lobby shows, line by line; with what can be typed, where the players can type."""
    lines = [*lobby.failed.values()]
    if lobby.blind:
        lines.append(waiting_words(Waiting(f"blind-{lobby.blind}")))
    if lobby.offer is None:
        return [*lines, _("Looking for a table ...")]
    lines.append(_("On the table: {game}.").format(game=title_of(lobby.offer.game)))
    lines += [_offer_line(place, offer, lobby) for place, offer in enumerate(lobby.offers)]
    if not lobby.playable(lobby.offer):
        lines.append(_("These players cannot play it together."))
    return [*lines, *_buttons(lobby), *([typed_help()] if typed else [])]


def typed_help() -> str:
    """Return what can be typed in the lobby."""
    return _("Type yes, a number, players red, green, names Anna, Ben, options level=2, language de, or quit.")


def _offer_line(place: int, offer: Offer, lobby: Lobby) -> str:
    mark = ">" if place == lobby.shown else " "
    players = player_names(offer.players, offer.names)
    if offer.number is None:
        options = "".join(f" · {agreed}" for agreed in brief_options(offer.game, offer.options))
        return f"{mark} {place + 1}  " + _("new game: {players}").format(players=players) + options
    going_on = _("go on with game {number}: {players}").format(number=offer.number, players=players)
    return f"{mark} {place + 1}  {going_on}"


def _buttons(lobby: Lobby) -> Iterator[str]:
    meanings = _meanings(lobby)
    parts = [f"{button_name(button)}: {meanings[code]}" for button, code in lobby_buttons(lobby).items()]
    yield "   ".join(parts)


def _meanings(lobby: Lobby) -> Mapping[str, str]:
    seat = player_name(lobby.seats[lobby.cursor]) if lobby.cursor is not None else ""
    return {
        "begin": _("begin"),
        "resume": _("go on with this game"),
        "next-offer": _("next choice"),
        "last-offer": _("choice before"),
        "next-seat": _("choose a player"),
        "seat-out": _("without {player}").format(player=seat),
        "seat-in": _("with {player}").format(player=seat),
    }


def lobby_events(lobby: Lobby, text: str, at_ns: int) -> Sequence[LobbyEvent] | None:
    """Return the events that a typed line means; None for a line that means nothing here."""
    word, _blank, rest = text.strip().partition(" ")
    if word.isdecimal():
        return [OfferTaken(int(word) - 1)]
    command = in_both_languages(command_words).get(plain(word), "")
    game = None if lobby.offer is None else lobby.offer.game
    events: Mapping[str, Callable[[], Sequence[LobbyEvent]]] = {
        "": lambda: [] if word else [ButtonPressed(Button.DONE, at_ns)],
        "yes": lambda: [ButtonPressed(Button.DONE, at_ns)],
        "done": lambda: [ButtonPressed(Button.DONE, at_ns)],
        "no": lambda: [ButtonPressed(Button.MODE, at_ns)],
        "names": lambda: _people(lobby, rest),
        "options": lambda: [option] if (option := option_given(game, rest)) else [],
    }
    found = events.get(command, list)()
    return found or None


def language_typed(text: str) -> str | None:
    """Return the language that a line asks for, by code or its own name: "language de"; None for any other line."""
    word, _blank, language = text.strip().partition(" ")
    asks = plain(word) in ("language", plain(_("language")))
    codes = {**dict.fromkeys(LANGUAGES), **_OWN_NAMES}
    asked = plain(language.strip())
    return (codes[asked] or asked) if asks and asked in codes else None


_OWN_NAMES = {"deutsch": "de", "english": "en", "espanol": "es", "francais": "fr", "italiano": "it", "nederlands": "nl"}


def languages_offered(text: str) -> str:
    """Return which languages there are, for a line that asks for none of them; "" for any other line."""
    word = text.strip().partition(" ")[0]
    if plain(word) not in ("language", plain(_("language"))) or language_typed(text) is not None:
        return ""
    return _("These languages are spoken: {languages}.").format(languages=", ".join(LANGUAGES))


def option_given(game: str | None, text: str) -> OptionGiven | None:
    """Return the option that is typed, None if it is not an option of the game."""
    option = read_option(game, text)
    return None if option is None else OptionGiven(*option)


def _people(lobby: Lobby, text: str) -> Sequence[LobbyEvent]:
    """Return who plays, and what the players are called."""
    typed = people_typed(text, lobby.seats, coloured=True)
    if typed.seats:
        named = [NamesGiven(tuple(typed.names.get(seat, "") for seat in typed.seats))] if typed.names else []
        return [PlayersNamed(typed.seats), *named]
    return [NamesGiven(typed.only_names)] if typed.only_names else []
