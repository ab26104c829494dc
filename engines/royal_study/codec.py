"""Positions of The Royal Study in the public protocol's JSON, read with every check that a value needs."""

from __future__ import annotations

from collections.abc import Sequence

from engines.decode import (
    as_flag,
    as_list,
    as_number,
    as_object,
    as_one_of,
    as_position,
    as_seat,
    as_text,
    member,
    only_keys,
    quote,
)
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_study.action_codec import action_from_json, action_to_json, actions_to_json
from engines.royal_study.placement import NOTHING, Placement, read_picture, read_pieces, write_placement
from engines.royal_study.position import (
    FIRST_LEVEL,
    LAST_LEVEL,
    MOST_STEPS,
    QUARTERS,
    Await,
    Card,
    Match,
    Position,
    Puzzle,
    Side,
    Target,
    Terms,
)
from engines.royal_study.set_up import check_colouring, check_players, read_terms, write_terms

__all__ = [
    "NAME",
    "action_from_json",
    "action_to_json",
    "actions_to_json",
    "position_from_json",
    "position_to_json",
    "public",
]

NAME = "royal-study"
_MOST_TARGETS = 2


def position_to_json(position: Position) -> JsonObject:
    """Write a position: pieces, targets and level, and for a match all that belongs to the game around them."""
    if isinstance(position, Puzzle):
        return {"game": NAME, **_puzzle_to_json(position), "level": position.level, "over": position.solved}
    return _match_to_json(position)


def public(position: Position, viewer: Seat | None) -> JsonObject:  # noqa: ARG001 - all players may see the same
    """Write what may be shown to anybody: of the cards not drawn yet only how many, never which is next."""
    written = dict(position_to_json(position))
    if isinstance(position, Match):
        written["deck"] = len(position.deck)
    return written


def _puzzle_to_json(puzzle: Puzzle) -> dict[str, Json]:
    written: dict[str, Json] = {
        "pieces": write_placement(puzzle.pieces),
        "targets": [write_placement(target.picture) for target in puzzle.targets],
    }
    cards = [_card_to_json(target.card) for target in puzzle.targets if target.card]
    if cards:
        written["cards"] = cards
    if done := [place for place, target in enumerate(puzzle.targets) if target.done]:
        written["done"] = done
    return written


def _card_to_json(card: Card) -> JsonObject:
    return {"number": card.number, "side": card.side.value, "turns": card.turns}


def _match_to_json(match: Match) -> JsonObject:
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
        "options": write_terms(match.terms),
        "over": match.over,
    }


def position_from_json(data: Json) -> Position:
    """Read a position; without "players" it is a bare puzzle.

    Raises:
        BadRequestError: it is none; the sentence says what, where and what was expected.
    """
    given = as_position(data, NAME)
    level = as_number(member(given, "level", "the position"), '"level"', FIRST_LEVEL, LAST_LEVEL)
    if "players" not in given:
        return _read_puzzle(given, level, "the position").marked()
    return _read_match(given, level)


def _read_puzzle(given: JsonObject, level: int, where: str) -> Puzzle:
    pieces = read_pieces(as_text(member(given, "pieces", where), '"pieces"'), '"pieces"')
    targets = _read_targets(given, where)
    check_colouring([pieces, *[target.picture for target in targets]], where)
    return Puzzle(pieces, targets, level)


def _read_targets(given: JsonObject, where: str) -> tuple[Target, ...]:
    named = as_list(member(given, "targets", where), '"targets"')
    if len(named) > _MOST_TARGETS:
        raise BadRequestError(f'"targets" must be {_MOST_TARGETS} cards at most, not {len(named)}')
    done = {as_number(place, 'a place of "done"', 0, len(named) - 1) for place in _list(given, "done", [])}
    pictures = [read_picture(as_text(text, "a target"), f"target {n}") for n, text in enumerate(named)]
    return tuple(Target(picture, None, place in done) for place, picture in enumerate(pictures))


def _list(given: JsonObject, key: str, default: Sequence[Json]) -> Sequence[Json]:
    return as_list(given.get(key, default), f'"{key}"')


def _read_match(given: JsonObject, level: int) -> Match:
    players = tuple(Seat(as_text(name, "a player")) for name in as_list(given["players"], '"players"'))
    terms = read_terms(as_object(given.get("options", {}), '"options"'), len(players))
    check_players(players, terms)
    awaits = _read_await(given)
    caller, called = _read_call(given, players)
    match = Match(
        puzzle=_read_table(given, level, terms, awaits),
        players=players,
        terms=terms,
        awaits=awaits,
        turn=as_seat(member(given, "turn", "the position"), '"turn"', players),
        points=_read_points(given, players, terms),
        round=as_number(member(given, "round", "the position"), '"round"', 1, 2 * len(terms.pictures)),
        deck=_read_deck(given, terms),
        caller=caller,
        called=called,
        used=as_number(member(given, "steps", "the position"), '"steps"', 0, MOST_STEPS),
        begun=_read_begun(given, level, terms),
    )
    _check(match)
    if as_flag(member(given, "over", "the position"), '"over"') != match.over:
        raise BadRequestError(f'"over" is {quote(given["over"])}, but "await" is {quote(given["await"])}')
    return match


def _read_table(given: JsonObject, level: int, terms: Terms, awaits: Await) -> Puzzle:
    if awaits is Await.START:
        if given.get("pieces") != write_placement(NOTHING) or given.get("targets") != []:
            raise BadRequestError('"pieces" must be ".../.../..." and "targets" [] while the first card is awaited')
        return Puzzle(NOTHING, (), level)
    return _read_cards(given, _read_puzzle(given, level, "the position"), terms)


def _read_begun(given: JsonObject, level: int, terms: Terms) -> Puzzle | None:
    began = member(given, "began", "the position")
    if began is None:
        return None
    lay = as_object(began, '"began"')
    return _read_cards(lay, _read_puzzle(lay, level, '"began"'), terms)


def _read_cards(given: JsonObject, puzzle: Puzzle, terms: Terms) -> Puzzle:
    """Put the printed cards behind the targets: one for each, lying so that the target's picture is seen."""
    cards = [_read_card(card, terms.pictures) for card in _list(given, "cards", [])]
    if len(cards) != len(puzzle.targets):
        raise BadRequestError(f'"cards" must hold one card for each of {len(puzzle.targets)} targets, not {len(cards)}')
    pairs = list(zip(puzzle.targets, cards, strict=True))
    for place, (target, card) in enumerate(pairs):
        if card.lay(terms.pictures[card.number]) != target.picture:
            raise BadRequestError(f"target {place} is not what card {card.number} shows as it lies")
    return Puzzle(puzzle.pieces, tuple(Target(t.picture, card, t.done) for t, card in pairs), puzzle.level)


def _read_card(value: Json, pictures: Sequence[Placement]) -> Card:
    given = as_object(value, "a card")
    number = as_number(member(given, "number", "a card"), "a card's number", 0, len(pictures) - 1)
    side = as_one_of(member(given, "side", "a card"), "a card's side", Side)
    return Card(number, side, as_number(member(given, "turns", "a card"), "a card's turns", 0, QUARTERS - 1))


def _read_await(given: JsonObject) -> Await:
    value = member(given, "await", "the position")
    if value is None:
        return Await.NOTHING
    return as_one_of(
        value, '"await", where it is not null,', [awaits for awaits in Await if awaits is not Await.NOTHING]
    )


def _read_call(given: JsonObject, players: Sequence[Seat]) -> tuple[Seat | None, int | None]:
    value = member(given, "call", "the position")
    if value is None:
        return None, None
    call = as_object(value, '"call"')
    number = as_number(member(call, "number", '"call"'), "the number named", 0, MOST_STEPS)
    return as_seat(member(call, "player", '"call"'), "who has named a number", players), number


def _read_points(given: JsonObject, players: Sequence[Seat], terms: Terms) -> tuple[int, ...]:
    held = as_object(member(given, "points", "the position"), '"points"')
    only_keys(held, players, '"points"')
    most = 0 if terms.together else terms.points
    return tuple(as_number(member(held, seat, '"points"'), f"the points of {seat}", 0, most) for seat in players)


def _read_deck(given: JsonObject, terms: Terms) -> tuple[int, ...]:
    numbers = as_list(member(given, "deck", "the position"), '"deck"')
    deck = tuple(as_number(n, "a card of the deck", 0, len(terms.pictures) - 1) for n in numbers)
    if len(set(deck)) < len(deck):
        raise BadRequestError('"deck" must have each card once')
    return deck


def _check(match: Match) -> None:
    """Refuse a match whose parts contradict one another."""
    for holds, sentence in _contradictions(match):
        if holds:
            raise BadRequestError(sentence)


def _contradictions(match: Match) -> list[tuple[bool, str]]:
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
