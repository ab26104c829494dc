"""Positions of The Royal Study in the public protocol's JSON, with a check of every value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engines.decode import as_number, as_one_of, as_seat, demand, quote
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_study.placement import NOTHING, read_picture, read_pieces, write_placement
from engines.royal_study.position import MOST_STEPS, Await, Card, Match, Position, Puzzle, Target, Terms
from engines.royal_study.set_up import Level, agreed, check_colouring, check_players
from engines.schema import by_seat, read, write

NAME = "royal-study"
_MOST_TARGETS = 2

_Steps = Annotated[int, Meta(ge=0, le=MOST_STEPS)]


class WrittenPuzzle(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Pieces and targets in JSON.

    Attributes:
        cards: the printed card behind each target.
        done: the indices of the targets that were met.
    """

    pieces: str
    targets: Annotated[tuple[str, ...], Meta(max_length=_MOST_TARGETS)]
    cards: tuple[Card, ...] | None = None
    done: tuple[int, ...] | None = None


class BarePuzzle(WrittenPuzzle, kw_only=True):
    """A puzzle without a match in JSON."""

    game: Literal["royal-study"] = "royal-study"
    level: Level
    over: bool | None = None


class WrittenCall(msgspec.Struct):
    """A number that a player has called."""

    player: Seat
    number: _Steps


class WrittenMatch(WrittenPuzzle, kw_only=True):
    """A match in JSON.

    Attributes:
        steps: the number of steps of the execution so far.
        began: the pieces and targets when the execution began.
    """

    game: Literal["royal-study"] = "royal-study"
    level: Level
    players: tuple[Seat, ...]
    turn: Seat
    awaits: str | None = msgspec.field(name="await")
    round: int
    points: dict[Seat, int]
    call: WrittenCall | None
    steps: _Steps
    began: WrittenPuzzle | None
    deck: tuple[int, ...]
    options: Terms = msgspec.field(default_factory=Terms)
    over: bool


def position_to_json(position: Position) -> JsonObject:
    """Return a position as JSON: pieces, targets and level, and the state of the match if there is one."""
    if not isinstance(position, Match):
        return {"game": NAME, **_puzzle_to_json(position), "level": position.level, "over": position.solved}
    match, options = position, write(position.terms)
    return {
        "game": NAME,
        **_puzzle_to_json(match.puzzle),
        "level": match.puzzle.level,
        "players": list(match.players),
        "turn": match.turn,
        "await": None if match.over else match.awaits.value,
        "round": match.round,
        "points": dict(zip(match.players, match.points, strict=True)),
        "call": None if match.caller is None else {"player": match.caller, "number": match.called},
        "steps": match.used,
        "began": None if match.begun is None else _puzzle_to_json(match.begun),
        "deck": list(match.deck),
        "options": {key: value for key, value in options.items() if key != "cards" or value is not None},
        "over": match.over,
    }


def public(position: Position, viewer: Seat | None) -> JsonObject:  # noqa: ARG001 - all players may see the same
    """Return the part of a position that players may see as JSON: of the deck only the number of cards."""
    written = dict(position_to_json(position))
    if isinstance(position, Match):
        written["deck"] = len(position.deck)
    return written


def _puzzle_to_json(puzzle: Puzzle) -> dict[str, Json]:
    written = WrittenPuzzle(
        pieces=write_placement(puzzle.pieces),
        targets=tuple(write_placement(target.picture) for target in puzzle.targets),
        cards=tuple(target.card for target in puzzle.targets if target.card) or None,
        done=tuple(place for place, target in enumerate(puzzle.targets) if target.done) or None,
    )
    return write(written)


def position_from_json(data: Json) -> Position:
    """Parse a position; without "players" it is a bare puzzle; raise `BadRequestError` if it is not valid."""
    if not isinstance(data, Mapping) or "players" not in data:
        bare = read(data, BarePuzzle, "the position")
        return _read_puzzle(bare, bare.level, "the position").marked()
    given = read(data, WrittenMatch, "the position")
    players, level, terms = given.players, given.level, agreed(given.options, len(given.players))
    check_players(players, terms)
    # 1. the expected action; after the end there is none
    awaits = Await.NOTHING
    if given.awaits is not None:
        active = [one for one in Await if one is not Await.NOTHING]
        awaits = as_one_of(given.awaits, '"await", where it is not null,', active)
    # 2. points and deck
    by_seat(given.points, players, "points")
    most = 0 if terms.together else terms.points
    deck = tuple(as_number(n, "a card of the deck", 0, len(terms.pictures) - 1) for n in given.deck)
    demand(len(set(deck)) == len(deck), '"deck" must have each card once')
    match = Match(
        puzzle=_read_table(given, terms, awaits),
        players=players,
        terms=terms,
        awaits=awaits,
        turn=as_seat(given.turn, '"turn"', players),
        points=tuple(as_number(given.points[seat], f"the points of {seat}", 0, most) for seat in players),
        round=as_number(given.round, '"round"', 1, 2 * len(terms.pictures)),
        deck=deck,
        caller=None if given.call is None else as_seat(given.call.player, "who has named a number", players),
        called=None if given.call is None else given.call.number,
        used=given.steps,
        begun=None if given.began is None else _read_cards(given.began, level, terms, '"began"'),
    )
    # 3. the parts of a match must not contradict one another
    for contradicts, sentence in _contradictions(match):
        demand(not contradicts, sentence)
    demand(given.over == match.over, f'"over" is {quote(given.over)}, but "await" is {quote(given.awaits)}')
    return match


def _read_puzzle(given: WrittenPuzzle, level: int, where: str) -> Puzzle:
    pieces = read_pieces(given.pieces, '"pieces"')
    pictures = [read_picture(text, f"target {number}") for number, text in enumerate(given.targets)]
    check_colouring([pieces, *pictures], where)
    done = {as_number(place, 'a place of "done"', 0, len(pictures) - 1) for place in given.done or ()}
    return Puzzle(pieces, tuple(Target(p, None, place in done) for place, p in enumerate(pictures)), level)


def _read_table(given: WrittenMatch, terms: Terms, awaits: Await) -> Puzzle:
    if awaits is not Await.START:
        return _read_cards(given, given.level, terms, "the position")
    if given.pieces != write_placement(NOTHING) or given.targets:
        raise BadRequestError('"pieces" must be ".../.../..." and "targets" [] while the first card is awaited')
    return Puzzle(NOTHING, (), given.level)


def _read_cards(given: WrittenPuzzle, level: int, terms: Terms, where: str) -> Puzzle:
    """Parse a puzzle with the printed cards of its targets, which must show the targets' pictures."""
    puzzle = _read_puzzle(given, level, where)
    cards = given.cards or ()
    if len(cards) != len(puzzle.targets):
        raise BadRequestError(f'"cards" must hold one card for each of {len(puzzle.targets)} targets, not {len(cards)}')
    pairs = list(zip(puzzle.targets, cards, strict=True))
    for place, (target, card) in enumerate(pairs):
        as_number(card.number, "a card's number", 0, len(terms.pictures) - 1)
        if card.lay(terms.pictures[card.number]) != target.picture:
            raise BadRequestError(f"target {place} is not what card {card.number} shows as it lies")
    return Puzzle(puzzle.pieces, tuple(Target(t.picture, card, t.done) for t, card in pairs), puzzle.level)


def _contradictions(match: Match) -> list[tuple[bool | None, str]]:
    awaits, terms, puzzle = match.awaits, match.terms, match.puzzle
    numbers = [target.card.number for target in puzzle.targets if target.card]
    drawn = len(numbers)
    executing = awaits is Await.EXECUTE
    early = awaits in (Await.CARD, Await.CALL, Await.CHALLENGE)
    named = awaits is Await.CHALLENGE or (executing and not terms.together)
    return [
        (len({*numbers, *match.deck}) < drawn + len(match.deck), "a card cannot be drawn twice or lie in the deck too"),
        (awaits in _LAID and drawn != terms.cards, f'"targets" must be {terms.cards} while this is awaited'),
        (awaits is Await.CARD and drawn >= terms.cards, "no card is awaited: all targets are there"),
        (awaits is Await.CARD and drawn + len(match.deck) < terms.cards, "too few cards are left to wait for one"),
        (awaits is Await.START and len(match.deck) <= terms.cards, "too few cards are left to begin"),
        (awaits in (Await.START, Await.CARD) and terms.dealt, "no card is awaited where the program deals"),
        (awaits in (Await.CALL, Await.CHALLENGE) and terms.together, "nobody names a number when playing together"),
        (awaits is Await.NEXT and not terms.together, '"next" is awaited only when playing together'),
        (named and match.called is None, '"call" must hold who has named which number'),
        (not named and match.called is not None, '"call" must be null: no number has been named'),
        (awaits is Await.CHALLENGE and match.turn == match.caller, '"turn" must be who has not named the number'),
        (executing and (puzzle.solved or match.used >= match.limit), "this execution has ended already"),
        (early and _any_done(puzzle), '"done" must be empty before the execution'),
        (match.begun is not None and _any_done(match.begun), '"done" must be empty in "began"'),
        (executing and puzzle != puzzle.marked(), '"done" must list every target that the pieces meet'),
        ((match.begun is None) == (executing or awaits is Await.NEXT), '"began" must hold how the execution began'),
        (not match.over and not terms.together and terms.points in match.points, "somebody has won: it must be over"),
    ]


def _any_done(puzzle: Puzzle) -> bool:
    return any(target.done for target in puzzle.targets)


_LAID = (Await.CALL, Await.CHALLENGE, Await.EXECUTE, Await.NEXT)
