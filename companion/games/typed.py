"""The meaning of a typed line: an action, a command, or a mistake with its own answer. Pure, for any game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from companion.games.bundle import Speech
from companion.games.commands import command_words, noise_words
from companion.games.line import (
    NOISE,
    Command,
    Entered,
    Mistake,
    Reading,
    TypedLine,
    Vocabulary,
    as_typed,
    in_both_languages,
    nearest,
    plain,
    read_line,
    spellings,
)
from companion.locale import _, english
from companion.ui.names import Names, player_name, seat_name
from engines.kernel import ActionT, PositionT, Seat

_THROW = "roll"
"""The meaning of the word for a throw, in every grammar and among the commands."""

_LONGEST = 200
"""The number of characters of a line that are read."""
_LONGEST_WORD = 20
"""The number of letters of an unknown word that are repeated."""
_SMALL = 2
"""The length of unknown words that are ignored: articles and prepositions of any language."""


def parse(speech: Speech[PositionT, ActionT], position: PositionT, text: str, names: Names) -> Reading[ActionT]:
    """Return the meaning of a typed line in a position.

    Args:
        speech: the game's.
        position: the current position.
        text: the line; case, accents, commas and blanks do not matter. Cells and numbers may be typed as they sound.
        names: the players' names.
    """
    reading = _parse(speech, position, text, names)
    if isinstance(reading, Mistake):
        called = {plain(word) for name in names.values() for word in name.split()}
        if (heard := as_typed(text[:_LONGEST], called)) != plain(text[:_LONGEST]):
            return _parse(speech, position, heard, names)
    return reading


def _parse(speech: Speech[PositionT, ActionT], position: PositionT, text: str, names: Names) -> Reading[ActionT]:
    """Return the meaning of a line without spoken cells and numbers."""
    own, commands = in_both_languages(speech.phrases), in_both_languages(command_words)
    first, _blank, rest = text.strip().partition(" ")
    if plain(first) in commands and plain(first) not in own:
        return Command(commands[plain(first)], rest.strip())
    known = [*spellings(speech.phrases), *spellings(command_words)]
    vocabulary = {**in_both_languages(noise_words), **commands, **own}
    seats = speech.seats(position)
    of_name: dict[str, list[Seat]] = {}  # the players by each word of their names
    for seat in seats:
        known += [player_name(seat, names), player_name(seat, names).split()[0]]
        for word in re.findall(r"\w+", player_name(seat, names)):
            of_name.setdefault(plain(word), []).append(seat)
    by_name = {word: who for word, who in of_name.items() if word not in vocabulary}
    shared = {word: NOISE for word, who in by_name.items() if len(who) > 1}
    alone = {word: who[0] for word, who in by_name.items() if len(who) == 1}
    by_word = {**alone, **seats_by_word(seats, names)}
    letters = commands.keys() - own.keys()
    line = read_line(text[:_LONGEST], {**shared, **vocabulary}, by_word, speech.columns, letters)
    kept = tuple(token for token in line.tokens if token.understood or len(token.text) > _SMALL)
    line = replace(line, tokens=kept) if any(token.understood for token in kept) else line
    return _meaning(speech, position, line, names, known=known, commands=commands)


def _meaning(  # noqa: PLR0911 - one return a meaning
    speech: Speech[PositionT, ActionT],
    position: PositionT,
    line: TypedLine,
    names: Names,
    *,
    known: Sequence[str],
    commands: Vocabulary,
) -> Reading[ActionT]:
    """Return the meaning of a line; `known` are the words that may be meant by an unknown one."""
    explained = speech.explain(position, names)
    if not line.tokens:
        return Mistake(explained)
    # 1. an unknown word: the nearest known one, or what can be typed
    if unknown := [token.text for token in line.tokens if not token.understood]:
        like = nearest(unknown[0], known) or ""
        sentence = unknown_words(unknown[0], like)
        return Mistake(sentence if like else f"{sentence} {explained}")
    # 2. an action by its number in the list
    offered, number = speech.offered(position), line.numbers[0] if len(line.tokens) == 1 and line.numbers else None
    if number is not None and 1 <= number <= len(offered):
        return Entered(offered[number - 1])
    # 3. what the game reads; the word for a throw alone is a command if it is not an action
    reading = speech.read(position, line, names)
    if isinstance(reading, Mistake) and line.words == (_THROW,) and len(line.tokens) == 1:
        return Command(_THROW)
    if reading is not None:
        return reading
    # 4. a number that the list does not have, or a command
    if number is not None and len(offered) > 1:
        return Mistake(_("Choose a number from 1 to {last}.").format(last=len(offered)))
    typed = (plain(token.text) for token in line.tokens)
    return next((Command(commands[word]) for word in typed if word in commands), Mistake(explained))


def seats_by_word(seats: Sequence[Seat], names: Names) -> dict[str, Seat]:
    """Return the players by every word that names them: colour or sign in both languages, name, first name.

    A shared first name names none of its players.
    """
    by_word: dict[str, Seat] = {}
    firsts = [player_name(seat, names).split()[0] for seat in seats]
    for seat, first in zip(seats, firsts, strict=True):
        with english():
            words = [seat, player_name(seat)]
        words += [seat_name(seat), player_name(seat), player_name(seat, names)]
        for word in [*words, first] if firsts.count(first) == 1 else words:
            by_word.setdefault(plain(word), seat)
    return by_word


def unknown_words(word: str, like: str) -> str:
    """Return the answer to an unknown word, with a similar known one, "" if none is."""
    sentence = _('I do not know "{word}". Did you mean "{like}"?') if like else _('I do not know "{word}".')
    return sentence.format(word=word[:_LONGEST_WORD], like=like)
