"""A game's sentences and grammar, in one value for screen, replay, page and report. Pure, for any game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from companion.core.verdicts import Action, Position
from companion.games import GAMES
from companion.games.bundle import Speech
from companion.games.discovery import Parts
from companion.games.engines import ENGINES
from companion.games.guide import option_typed, options_brief, options_in_words
from companion.games.line import Command, Entered, Reading
from companion.games.typed import parse
from companion.locale import _, english, language, ngettext
from companion.ui.names import NO_NAMES, Names
from companion.ui.phrases import points
from engines.kernel import BadRequestError, Event, Json, JsonObject, Outcome, Seat, ToAct
from vision.board import Board

AnySpeech: TypeAlias = Speech[Position, Action]

SPEECHES: Mapping[str, AnySpeech] = Parts(lambda bundle: bundle.speech)
"""Every game's speech, by the game's name."""


def story(game: str, by: ToAct, action: Action, events: Sequence[Event], names: Names = NO_NAMES) -> str:
    """Return an action and its consequences in sentences.

    Args:
        game: the game's name.
        by: who acted; the dice and nobody are not players.
        action: an action of the game.
        events: its consequences.
        names: the players' names.
    """
    return SPEECHES[game].words.played(None if by in ("dice", None) else by, action, events, names)


def taken_back(game: str, position: Position, action: Action, names: Names = NO_NAMES) -> str:
    """Return the sentence that an action is taken back, without its consequences.

    Args:
        game: the game's name.
        position: the position before the action, which is the current one.
        action: the action.
        names: the players' names.
    """
    rules = ENGINES[game].game
    outcome = rules.play(position, action)
    events = outcome.events if isinstance(outcome, Outcome) else ()
    by = rules.to_act(position)
    said = (story(game, by, action, events[:number], names) for number in range(1, len(events) + 1))
    return _("Taken back: {action}").format(action=next(filter(None, said), ""))


def parse_line(game: str, position: Position, text: str, names: Names = NO_NAMES) -> Reading[Action]:
    """Return the meaning of a typed line in a position of a game: an action, a command, or a mistake.

    If a line means nothing allowed in the current language, it is read with English words, such as the letter of a
    piece on the board, and then in the game's notation, as in records.
    """
    speech = SPEECHES[game]
    reading = parse(speech, position, text, names)
    if isinstance(reading, Command):
        return reading
    others: list[Reading[Action] | None] = []
    with suppress(BadRequestError):
        others.append(Entered(ENGINES[game].notation.read_action(" ".join(text.split()))))
    if language() != "en":
        with english():
            others.insert(0, parse(speech, position, text, names))
    different = [one for one in others if isinstance(one, Entered) and not one.confirm and one != reading]
    if not different or _is_allowed(game, position, reading):
        return reading
    return next((one for one in different if _is_allowed(game, position, one)), reading)


def _is_allowed(game: str, position: Position, reading: Reading[Action]) -> bool:
    """Return whether a reading is an action that the rules allow."""
    if not isinstance(reading, Entered):
        return False
    return isinstance(ENGINES[game].game.play(position, reading.action), Outcome)


MOST_LISTED = 12
"""The largest number of actions that are listed by number."""


def possible_lines(game: str, position: Position, names: Names = NO_NAMES) -> list[str]:
    """Return the possible actions: a numbered list, or how to type them if that would be too long."""
    return numbered_lines(game, position, names) or [SPEECHES[game].explain(position, names)]


def numbered_lines(game: str, position: Position, names: Names = NO_NAMES) -> list[str]:
    """Return the actions that the players may choose by number, a line each; empty if there are too many."""
    speech = SPEECHES[game]
    offered = speech.offered(position)
    if len(offered) > MOST_LISTED:
        return []
    return [
        _("{number}: {action}").format(number=number, action=speech.action_name(position, action, names))
        for number, action in enumerate(offered, 1)
    ]


def card_lines(game: str, position: Position) -> Sequence[str]:
    """Return the active cards as lines; empty if there are none."""
    card = SPEECHES[game].card
    return () if card is None else card(position)


def score_sentences(game: str, position: Position, names: Names = NO_NAMES) -> tuple[dict[Seat, str], Sequence[str]]:
    """Return how each player's score comes about, and the remarks that hold for all of them."""
    parts = [*SPEECHES[game].score_parts(position, names)]
    remarks = {part.remark for part in parts}
    if len(remarks) == 1:
        return {part.seat: part.sentence for part in parts}, [*filter(None, remarks)]
    return {part.seat: f"{part.sentence} {part.remark}".rstrip() for part in parts}, ()


def score_lines(game: str, position: Position, names: Names = NO_NAMES) -> list[str]:
    """Return how the score comes about: a sentence for each player, and remarks."""
    sentences, remarks = score_sentences(game, position, names)
    return [*sentences.values(), *remarks]


def title_of(game: str) -> str:
    """Return a game's title; its name in commands if it has none, or is not installed."""
    return (SPEECHES[game].title() if game in SPEECHES else "") or game


def table_title(board: Board) -> str:
    """Return a table's title: in the current language if it is the game's; users' table files have their own."""
    own = board.game not in SPEECHES or board.title != GAMES[board.game].board().title
    return board.title if own else SPEECHES[board.game].title() or board.title


def option_words(game: str, options: JsonObject) -> list[str]:
    """Return options in words, a sentence each, without those that the game's rules for players do not name."""
    return options_in_words(SPEECHES[game].guide(), options)


def read_option(game: str | None, text: str) -> tuple[str, Json] | None:
    """Return the key and the value of a typed option; see `companion.games.guide.option_typed`.

    Args:
        game: its game; None if that is not known yet.
        text: the typed text.
    """
    speeches = [SPEECHES[name] for name in ENGINES if game in (None, name)]
    return option_typed(text, lambda: [speech.guide() for speech in speeches])


def options_for(game: str, options: JsonObject) -> JsonObject:
    """Return options chosen before the game was known, without those of other games.

    Options that no game names are kept: the engine refuses them in a sentence.
    """
    named = {name: {option.key for option in speech.guide().options} for name, speech in SPEECHES.items()}
    of_others = {key for name, keys in named.items() if name != game for key in keys}
    return {key: value for key, value in options.items() if key in named.get(game, ()) or key not in of_others}


def brief_options(game: str, options: JsonObject) -> list[str]:
    """Return options in their shortest words, for a list."""
    return options_brief(SPEECHES[game].guide(), options)


def agreed_options(game: str, position: Position) -> list[str]:
    """Return the options agreed for a game, a sentence each; empty if the usual rules apply."""
    data = ENGINES[game].game.position_to_json(position)
    nested = [part for key in ("options", "terms") if isinstance(part := data.get(key), dict)]
    return options_in_words(
        SPEECHES[game].guide(), {key: value for part in (data, *nested) for key, value in part.items()}
    )


MOST_ITEMS = 12
"""The largest number of items that a sentence names."""


def summed(items: Sequence[tuple[str, int]]) -> str:
    """Return items with their points as a sum: "7 (C4) + 11 (C5) + 3 (D5) = 21 points", one alone "7 points (C4)"."""
    if len(items) == 1:
        [(name, number)] = items
        return _("{points} ({item})").format(item=name, points=points(number))
    terms = [_("{points} ({item})").format(item=name, points=number) for name, number in items[:MOST_ITEMS]]
    if more := [number for _name, number in items[MOST_ITEMS:]]:
        others = ngettext("{points} ({number} other)", "{points} ({number} others)", len(more))
        terms.append(others.format(number=len(more), points=sum(more)))
    total = sum(number for _name, number in items)
    return _("{terms} = {total}").format(terms=" + ".join(terms), total=points(total))
