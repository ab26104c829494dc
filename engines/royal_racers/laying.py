"""Before the race: choosing start spaces, laying flags, laying out the cards (RULES.md, section 1)."""

from __future__ import annotations

from dataclasses import replace

from engines.grid import Bitboard, CellIndex, bit, set_of
from engines.kernel import Cell, Event, Json, Outcome, Refusal
from engines.royal_racers.board import (
    DECK,
    NAMES,
    QUADRANTS,
    START_SPACES,
    Card,
    cell_index,
    names_in,
    on_board,
    quadrant_of,
)
from engines.royal_racers.moves import begin_race
from engines.royal_racers.position import Phase, Position, owner_of, placer_of


def open_starts(position: Position) -> Bitboard:
    """Return the start spaces that nobody has taken."""
    return set_of(START_SPACES) & ~position.standing


def choose_start(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Stand the pawn of `turn` on a start space, the highest flag under it."""
    starts = set_of(START_SPACES)
    if not on_board(name) or not starts & bit(cell_index(name)):
        return Refusal("no-start-space", "1.2", names_in(open_starts(position)))
    cell = cell_index(name)
    if not position.is_free(cell):
        return Refusal("start-taken", "1.2", (name,))
    chosen = Event("start-chosen", {"player": position.turn, "cell": name})
    place = position.place
    flags = tuple((cell,) if seat == place else row for seat, row in enumerate(position.flags))
    after = replace(position, pawns=(*position.pawns, cell), flags=flags)
    if place + 1 < len(position.players):
        turn = position.players[place + 1]
        return Outcome(replace(after, turn=turn), (chosen, Event("turn", {"player": turn})))
    return _next_flag(replace(after, phase=Phase.FLAG), [chosen])


def flags_laid(position: Position) -> int:
    """Count the flags on the table, those under the pawns at the start left out."""
    return sum(len(row) for row in position.flags) - len(position.pawns)


def flag_owner(position: Position) -> int:
    """Return the index of the player whose flag is laid next."""
    return owner_of(position.place, len(position.players))


def flag_spaces(position: Position) -> Bitboard:
    """Return the spaces where the next flag may be: of its quadrant, those without one (1.4, 1.6)."""
    return _quadrant(position) & ~position.flagged


def _quadrant(position: Position) -> Bitboard:
    """Return the quadrant of the next flag: that of its owner's start, and one further clockwise with each flag."""
    owner = flag_owner(position)
    *before, start = position.flags[owner]
    return QUADRANTS[(quadrant_of(start) + len(before)) % len(QUADRANTS)]


def place_flag(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Lay the next flag of the right neighbour."""
    if refusal := _refuse_flag(position, name):
        return refusal
    owner = flag_owner(position)
    *before, start = position.flags[owner]
    laid = (*before, cell_index(name), start)
    facts: dict[str, Json] = {
        "player": position.turn,
        "owner": position.players[owner],
        "flag": len(before) + 1,
        "cell": name,
    }
    flags = tuple(laid if seat == owner else row for seat, row in enumerate(position.flags))
    return _next_flag(replace(position, flags=flags), [Event("flag-placed", facts)])


def _refuse_flag(position: Position, name: Cell) -> Refusal | None:
    if not on_board(name):
        return Refusal("off-board", "1.4", (name,))
    if not _quadrant(position) & bit(cell_index(name)):
        return Refusal("wrong-quadrant", "1.4", (name,))
    if position.flagged & bit(cell_index(name)):
        return Refusal("flag-there", "1.6", (name,))
    return None


def _next_flag(position: Position, events: list[Event]) -> Outcome[Position]:
    """Let the next player lay a flag, or the race begin when all lie."""
    seats, laid = len(position.players), flags_laid(position)
    if laid == seats * (position.terms.flags - 1):
        return begin_race(position, events)
    turn = position.players[placer_of(laid, seats)]
    return Outcome(replace(position, turn=turn), (*events, Event("turn", {"player": turn})))


def deal(position: Position, cards: tuple[Card, ...]) -> Outcome[Position] | Refusal:
    """Lay out the cards as they were shuffled: of this race before the first pawn stands, or of the next (1.1, 6.2)."""
    if sorted(cards) != list(DECK):
        # the spaces whose card was already dealt to an earlier space
        spaces = (CellIndex(i) for i, card in enumerate(cards[: len(DECK)]) if card in cards[:i])
        return Refusal("incomplete-deck", "1.1", tuple(NAMES[space] for space in spaces))
    if position.phase is Phase.START:
        return Outcome(replace(position, cards=cards), (Event("dealt", {"race": position.race}),))
    seats = len(position.players)
    turn = position.players[0]
    fresh = replace(
        position,
        coins=(*position.coins, position.touched),
        coming=position.coming[1:],
        cards=cards,
        down=0,
        seen=(),
        flags=((),) * seats,
        touched=(0,) * seats,
        pawns=(),
        phase=Phase.START,
        round=1,
        turn=turn,
    )
    return Outcome(fresh, (Event("dealt", {"race": fresh.race}), Event("turn", {"player": turn})))
