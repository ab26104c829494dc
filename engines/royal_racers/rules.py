"""The effect of each action, or why it is forbidden. Paragraph numbers are those of RULES.md next to this file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from engines.grid import Bitboard, CellIndex, bit, set_of
from engines.kernel import Cell, Event, Json, Outcome, Refusal, leaders
from engines.royal_racers import scoring
from engines.royal_racers.board import (
    DECK,
    LAST_TURNING_RANK,
    NAMES,
    NEIGHBOURS,
    QUADRANTS,
    START_SPACES,
    Card,
    Layout,
    Rank,
    card_name,
    cell_index,
    names_in,
    on_board,
    quadrant_of,
    rank_of,
)
from engines.royal_racers.position import (
    NULL_ROLL,
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Roll,
    Step,
    owner_of,
    placer_of,
)

# ---- cards that are turned over after a roll


@lru_cache(maxsize=64)
def cells_of_rank(cards: Layout, rank: Rank | None) -> Bitboard:
    """Return the spaces of the four cards of a rank, face up or down."""
    return set_of(CellIndex(i) for i, card in enumerate(cards) if rank_of(card) == rank)


def turning_down(position: Position) -> Bitboard:
    """Return the cards that may be turned down: those without a flag, or if there are none those with one (3.3)."""
    face_up = cells_of_rank(position.cards, position.rolled) & ~position.down & ~position.standing
    return face_up & ~position.flagged or face_up


def turning_up(position: Position) -> Bitboard:
    """Return the face-down cards that may be turned up: all without a pawn (3.4)."""
    return position.down & ~position.standing


def roll(position: Position, rank: Rank) -> Outcome[Position]:
    """Apply a throw; if there is no card to turn over, the move is expected next (3.1, 3.8)."""
    shown: Json = "null" if rank == NULL_ROLL else rank
    events = [Event("rolled", {"player": position.turn, "roll": shown})]
    rolled = replace(position, rolled=rank, phase=Phase.FLIP)
    if rank != NULL_ROLL and turning_down(rolled) | turning_up(rolled):
        return Outcome(rolled, tuple(events))
    if rank != NULL_ROLL:
        events.append(Event("nothing-to-flip", {"player": position.turn, "rank": rank}))
    return Outcome(replace(rolled, phase=Phase.MOVE), tuple(events))


def flip(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Turn a card over; a wrong card is turned back and sends the pawn back."""
    if refusal := _refuse_flip(position, name):
        return refusal
    cell = cell_index(name)
    moving = replace(position, phase=Phase.MOVE)
    if not position.down & bit(cell):
        lying = replace(moving, down=position.down | bit(cell), seen=(*position.seen, cell))
        return Outcome(lying, (_card_event("turned-down", position, cell),))
    others = tuple(space for space in position.seen if space != cell)
    # a face-down card stays up if it is of the rolled rank, or if all of that rank are under pawns (3.5)
    of_rank = cells_of_rank(position.cards, position.rolled)
    if bool(of_rank & bit(cell)) or not of_rank & ~position.standing:
        lying = replace(moving, down=position.down & ~bit(cell), seen=others)
        return Outcome(lying, (_card_event("turned-up", position, cell),))
    back = sent_back(replace(moving, seen=(*others, cell)))
    return Outcome(back.position, (_card_event("wrong-card", position, cell), *back.events))


def _refuse_flip(position: Position, name: Cell) -> Refusal | None:
    if not on_board(name):
        return Refusal("off-board", "3.2", (name,))
    cell = cell_index(name)
    if not position.is_free(cell):
        return Refusal("under-pawn", "3.6", (name,))
    if position.down & bit(cell):
        return None
    # a card that is turned down
    rank = rank_of(position.cards[cell])
    if rank > LAST_TURNING_RANK:
        return Refusal("stays-up", "3.7", (NAMES[cell],))
    if rank != position.rolled:
        return Refusal("wrong-rank", "3.2", (NAMES[cell],))
    better = turning_down(position)
    return None if better & bit(cell) else Refusal("flag-on-it", "3.3", (NAMES[cell], *names_in(better)))


def sent_back(position: Position) -> Outcome[Position]:
    """Send the pawn of `turn` back to its last flag; it stays where it is if another pawn is there (3.5)."""
    place = position.place
    here, there = position.pawns[place], position.last_touched(place)
    if here == there:
        return Outcome(position)
    facts: dict[str, Json] = {"player": position.turn, "from": NAMES[here], "to": NAMES[there]}
    if not position.is_free(there):
        return Outcome(position, (Event("return-blocked", facts),))
    pawns = tuple(there if seat == place else pawn for seat, pawn in enumerate(position.pawns))
    return Outcome(replace(position, pawns=pawns), (Event("returned", facts),))


def _card_event(name: str, position: Position, cell: CellIndex) -> Event:
    return Event(name, {"player": position.turn, "cell": NAMES[cell], "card": card_name(position.cards[cell])})


# ---- every action


_PARAGRAPHS = {
    Phase.START: "1.2",
    Phase.FLAG: "1.4",
    Phase.ROLL: "3.1",
    Phase.FLIP: "3.2",
    Phase.MOVE: "4.1",
    Phase.DEAL: "6.2",
}


def play(position: Position, action: Action) -> Outcome[Position] | Refusal:  # noqa: PLR0911 - one line an action
    """Apply an action, or return why the rules forbid it."""
    if position.phase is Phase.OVER:
        return Refusal("game-over", "5.3")
    match position.phase, action:
        case Phase.START, ChooseStart(cell):
            return choose_start(position, cell)
        case Phase.FLAG, PlaceFlag(cell):
            return place_flag(position, cell)
        case Phase.ROLL, Roll(rank):
            return roll(position, rank)
        case Phase.FLIP, Flip(cell):
            return flip(position, cell)
        case Phase.FLIP, Pass() if position.terms.optional_flip:
            return Outcome(replace(position, phase=Phase.MOVE))
        case Phase.MOVE, Step(cell):
            return step(position, cell)
        case Phase.MOVE, Pass():
            return stay(position)
        case Phase.DEAL | Phase.START, Deal(cards) if not (position.phase is Phase.START and position.pawns):
            return deal(position, cards)
    return Refusal("not-awaited", _PARAGRAPHS[position.phase])


def actions(position: Position) -> list[Action]:
    """Return the legal actions; empty if a throw is expected or the game is over.

    For a campaign's next race the only one lays out what was drawn when the game was set up, but any other layout is
    legal, too.
    """
    match position.phase:
        case Phase.START:
            return _each(ChooseStart, open_starts(position))
        case Phase.FLAG:
            return _each(PlaceFlag, flag_spaces(position))
        case Phase.FLIP:
            flips = _each(Flip, turning_down(position) | turning_up(position))
            return [*flips, Pass()] if position.terms.optional_flip else flips
        case Phase.MOVE:
            return [*_each(Step, steps(position)), Pass()]
        case Phase.DEAL:
            return [Deal(position.coming[0])]
        case Phase.ROLL | Phase.OVER:
            return []


def _each(kind: Callable[[Cell], Action], spaces: Bitboard) -> list[Action]:
    names: Iterable[Cell] = names_in(spaces)
    return [kind(name) for name in names]


# ---- the second half of a turn, one step or none and touching flags, and what ends a turn (RULES.md, 2, 4 to 6)


def ways_on(here: CellIndex, blocked: Bitboard, avoided: Bitboard) -> Bitboard:
    """Return the spaces to which a step is possible: avoided ones only if there is no other (4.2, 4.5)."""
    free = NEIGHBOURS[here] & ~blocked
    return free & ~avoided or free


def avoided_by(position: Position, place: int) -> Bitboard:
    """Return the spaces that a player avoids: opponents' flags in the flag variant."""
    if not position.terms.flag_variant:
        return 0
    return set_of(cell for other, row in enumerate(position.flags) if other != place for cell in row)


def steps(position: Position) -> Bitboard:
    """Return the spaces that the pawn of `turn` may step to."""
    return ways_on(position.pawn, position.down | position.standing, avoided_by(position, position.place))


def step(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Move the pawn of `turn`, which may touch its next flag."""
    if refusal := _refuse_step(position, name):
        return refusal
    place, there = position.place, cell_index(name)
    facts: dict[str, Json] = {"player": position.turn, "from": NAMES[position.pawn], "to": name}
    pawns = tuple(there if seat == place else pawn for seat, pawn in enumerate(position.pawns))
    happened, after = [Event("stepped", facts)], replace(position, pawns=pawns)
    # the flag under the pawn is touched if it is the next one; the last one ends the race (5.1, 5.2)
    number = position.touched[place]
    if there != position.flags[place][number]:
        return end_turn(after, happened)
    happened.append(Event("touched", {"player": position.turn, "flag": number + 1, "cell": name}))
    after = replace(after, touched=tuple(flags + (seat == place) for seat, flags in enumerate(position.touched)))
    return end_race(after, happened) if number + 1 == position.terms.flags else end_turn(after, happened)


def _refuse_step(position: Position, name: Cell) -> Refusal | None:
    if not on_board(name):
        return Refusal("off-board", "4.1", (name,))
    there = bit(cell_index(name))
    if not NEIGHBOURS[position.pawn] & there:
        return Refusal("not-adjacent", "4.1", (NAMES[position.pawn], name))
    if position.standing & there:
        return Refusal("pawn-there", "4.2", (name,))
    if position.down & there:
        return Refusal("face-down", "4.2", (name,))
    open_to_it = steps(position)
    if not open_to_it & there:
        return Refusal("flag-of-another", "4.5", (name, *names_in(open_to_it)))
    return None


def stay(position: Position) -> Outcome[Position]:
    """Leave the pawn where it is; the event says whether a step was possible (4.3, 4.4)."""
    return end_turn(position, [Event("passed", {"player": position.turn, "forced": not steps(position)})])


def begin_race(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """Begin the race with the first player's roll."""
    first = position.players[0]
    started = replace(position, phase=Phase.ROLL, round=1, turn=first)
    happened = (Event("race-started", {"race": position.race}), Event("turn", {"player": first, "round": 1}))
    return Outcome(started, (*events, *happened))


def end_turn(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """Pass the die on, clockwise; each round is begun by the next player (2.2)."""
    seats = len(position.players)
    place, number = (position.place + 1) % seats, position.round
    if place == (number - 1) % seats:
        if number == position.terms.rounds:
            return end_race(position, [*events, Event("last-round-over", {"round": number})])
        number += 1
        place = (number - 1) % seats
    turn = position.players[place]
    after = replace(position, phase=Phase.ROLL, rolled=None, turn=turn, round=number)
    return Outcome(after, (*events, Event("turn", {"player": turn, "round": number})))


def end_race(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """End a race with its coins, and expect the next race's layout if there is one (6.1, 6.2)."""
    last = position.race == position.terms.races
    ended = replace(position, phase=Phase.OVER if last else Phase.DEAL, rolled=None)
    # who touched the most flags, several only if the last round ended the race (5.4)
    coins: dict[str, Json] = dict(zip(position.players, position.touched, strict=True))
    winners = [seat for seat, flags in coins.items() if flags == max(position.touched)]
    facts: dict[str, Json] = {"race": position.race, "winners": winners, "coins": coins}
    happened = [*events, Event("race-over", facts)]
    if last:
        happened.append(Event("game-over", {"winners": list(leaders(scoring.score(ended)))}))
    return Outcome(ended, tuple(happened))


# ---- before the race: choosing start spaces, laying flags, laying out the cards (RULES.md, section 1)


def open_starts(position: Position) -> Bitboard:
    """Return the start spaces that nobody has taken."""
    return set_of(START_SPACES) & ~position.standing


def choose_start(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Put the pawn of `turn` on a start space, with its last flag under it."""
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
    """Return the number of flags on the table, without those under the pawns at the start."""
    return sum(len(row) for row in position.flags) - len(position.pawns)


def flag_owner(position: Position) -> int:
    """Return the index of the player whose flag is laid next."""
    return owner_of(position.place, len(position.players))


def flag_spaces(position: Position) -> Bitboard:
    """Return the spaces for the next flag: those of its quadrant without a flag (1.4, 1.6)."""
    return _quadrant(position) & ~position.flagged


def _quadrant(position: Position) -> Bitboard:
    """Return the quadrant of the next flag: the owner's start quadrant for the first, then clockwise."""
    owner = flag_owner(position)
    *before, start = position.flags[owner]
    return QUADRANTS[(quadrant_of(start) + len(before)) % len(QUADRANTS)]


def place_flag(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Lay the next flag of the right neighbour."""
    if not on_board(name):
        return Refusal("off-board", "1.4", (name,))
    if not _quadrant(position) & bit(cell_index(name)):
        return Refusal("wrong-quadrant", "1.4", (name,))
    if position.flagged & bit(cell_index(name)):
        return Refusal("flag-there", "1.6", (name,))
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


def _next_flag(position: Position, events: list[Event]) -> Outcome[Position]:
    """Expect the next player's flag, or begin the race if all are laid."""
    seats, laid = len(position.players), flags_laid(position)
    if laid == seats * (position.terms.flags - 1):
        return begin_race(position, events)
    turn = position.players[placer_of(laid, seats)]
    return Outcome(replace(position, turn=turn), (*events, Event("turn", {"player": turn})))


def deal(position: Position, cards: tuple[Card, ...]) -> Outcome[Position] | Refusal:
    """Lay out shuffled cards: of this race before the first start is chosen, or of the next race (1.1, 6.2)."""
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
