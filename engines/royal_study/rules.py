"""The effect of each action, or why it is forbidden. Paragraph numbers are those of RULES.md next to this file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.kernel import Event, Json, Outcome, Refusal, Seat
from engines.royal_study import scoring
from engines.royal_study.board import MIDDLE, NAMES, REACH, SQUARES, Piece, cell_index, colouring_of, names, on_board
from engines.royal_study.placement import Placement, Way, missing_pieces, write_placement
from engines.royal_study.position import (
    MOST_STEPS,
    Action,
    Await,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Puzzle,
    Say,
    Side,
    Step,
    Target,
    Turning,
)

# ---- steps: moves of pieces, cards that are turned


def moves(pieces: Placement) -> list[Move]:
    """Return every legal move, in the order of the start squares."""
    standing = [(start, Piece(pieces[start])) for start in SQUARES if pieces[start] != "."]
    return [
        Move(piece, NAMES[start], NAMES[end])
        for start, piece in standing
        for end, over in REACH[piece][start]
        if pieces[end] == "." and all(pieces[square] == "." for square in over)
    ]


def moved(pieces: Placement, move: Move) -> Placement:
    """Return the placement after a move, whether it is legal or not."""
    start, end = cell_index(move.start), cell_index(move.end)
    after = list(pieces)
    after[start], after[end] = ".", move.piece.value
    return Placement("".join(after))


def refuse_move(pieces: Placement, move: Move) -> Refusal | None:  # noqa: PLR0911 - one line a reason
    """Return why a move is not legal; None if it is."""
    for name in (move.start, move.end):
        if not on_board(name):
            return Refusal("off-board", "1.1", (name,))
    start, end = cell_index(move.start), cell_index(move.end)
    if pieces[start] != move.piece:
        return Refusal("not-there", "2.1", (move.start,))
    if move.piece is Piece.KNIGHT and end == MIDDLE:
        return Refusal("knight-in-the-middle", "2.5", names(end))
    if move.piece is Piece.BISHOP and colouring_of(start) != colouring_of(end):
        return Refusal("bishop-off-dark", "2.4", names(end))
    over = dict(REACH[move.piece][start]).get(end)
    if over is None:
        return Refusal("not-its-move", "2.2", names(start, end))
    if pieces[end] != ".":
        return Refusal("occupied", "2.1", names(end))
    blockers = [square for square in over if pieces[square] != "."]
    return Refusal("in-the-way", "2.3", names(*blockers)) if blockers else None


LEVEL_TO_TURN, LEVEL_TO_MIRROR = 2, 3


def steps(puzzle: Puzzle) -> list[Step]:
    """Return every legal step: the moves first, then the turnings of the cards that were not met."""
    ways = [way for way in Way if puzzle.level >= _level_for(way)]
    return [*moves(puzzle.pieces), *[Turning(way, place) for place in puzzle.open_targets for way in ways]]


def take(puzzle: Puzzle, step: Step) -> Outcome[Puzzle] | Refusal:
    """Apply a step, or return why the rules forbid it."""
    if isinstance(step, Move):
        if refusal := refuse_move(puzzle.pieces, step):
            return refusal
        facts = {"piece": step.piece.value, "from": step.start, "to": step.end}
        return _mark_met(replace(puzzle, pieces=moved(puzzle.pieces, step)), Event("moved", facts))
    if step.target >= len(puzzle.targets):
        return Refusal("no-such-target", "3.2")
    if puzzle.level < _level_for(step.way):
        return Refusal("level-too-low", "3.4" if step.way.mirrors else "3.2")
    if puzzle.targets[step.target].done:
        return Refusal("already-met", "3.3")
    targets = [t.turned(step.way) if place == step.target else t for place, t in enumerate(puzzle.targets)]
    after = replace(puzzle, targets=tuple(targets))
    picture = write_placement(targets[step.target].picture)
    name = "mirrored" if step.way.mirrors else "turned"
    return _mark_met(after, Event(name, {"way": step.way.value, "target": step.target, "picture": picture}))


def _level_for(way: Way) -> int:
    return LEVEL_TO_MIRROR if way.mirrors else LEVEL_TO_TURN


def _mark_met(puzzle: Puzzle, event: Event) -> Outcome[Puzzle]:
    marked = puzzle.marked()
    return Outcome(marked, (event, *tell_met(puzzle, marked)))


def tell_met(before: Puzzle, after: Puzzle) -> tuple[Event, ...]:
    """Return an event for each card that was met between two states of a puzzle."""
    return tuple(Event("met", {"target": place}) for place in before.open_targets if after.targets[place].done)


# ---- the match


Result = Outcome[Position] | Refusal

_PARAGRAPHS = {
    Await.START: "1.5",
    Await.CARD: "4.1",
    Await.CALL: "4.2",
    Await.CHALLENGE: "4.3",
    Await.EXECUTE: "4.6",
    Await.NEXT: "6.3",
}


def play(position: Position, action: Action) -> Result:  # noqa: PLR0911 - one line an action
    """Apply an action, or return why the rules forbid it."""
    if isinstance(position, Puzzle):
        return _play_alone(position, action) if isinstance(action, Move | Turning) else Refusal("not-now", "6.1")
    if position.over:
        return Refusal("game-over", "5.4")
    match position.awaits, action:
        case Await.START | Await.CARD, Draw(card):
            draw = _draw_first if position.awaits is Await.START else _draw
            return _refuse_card(position, card) or draw(position, card)
        case Await.CALL, Call() as call:
            return _call(position, call)
        case Await.CHALLENGE, Say.CHALLENGE:
            return _begin_execution(position, position.turn, [Event("challenged", {"player": position.turn})])
        case Await.CHALLENGE, Say.DECLINE | Say.TIME_UP as answer:
            answered = Event("declined" if answer is Say.DECLINE else "hourglass-out", {"player": position.turn})
            return _begin_execution(position, position.opponent(position.turn), [answered])
        case Await.EXECUTE, (Move() | Turning()) as step:
            return _execute(position, step)
        case Await.EXECUTE, Say.GIVE_UP:
            return _fail(position, (), "gave-up")
        case Await.EXECUTE, Say.TIME_UP:
            timed = position.terms.execution_s is not None
            return _fail(position, (), "time-up") if timed else Refusal("no-time-limit", "4.7")
        case Await.NEXT, Say.NEXT:
            return _next_round(position) if _cards_left(position) else Refusal("no-cards-left", "6.4")
        case Await.NEXT, Say.AGAIN if position.begun:
            again = Event("again", {"pieces": write_placement(position.begun.pieces)})
            return _begin_execution(replace(position, puzzle=position.begun), position.turn, [again])
        case Await.NEXT, Say.STOP:
            return _end(position, [])
    return Refusal("not-now", _PARAGRAPHS[position.awaits])


def _play_alone(puzzle: Puzzle, step: Step) -> Result:
    """Make a step of a puzzle outside a match; its moves stay legal after it is solved."""
    taken = take(puzzle, step)
    if isinstance(taken, Refusal):
        return taken
    solved = (Event("solved"),) if taken.position.solved and not puzzle.solved else ()
    return Outcome(taken.position, (*taken.events, *solved))


def actions(position: Position) -> list[Action]:
    """Return every legal action; empty if a card is expected or the match is over."""
    if isinstance(position, Puzzle):
        return [*steps(position)]
    match position.awaits:
        case Await.CALL:
            return [Call(number, by) for by in position.players for number in range(MOST_STEPS + 1)]
        case Await.EXECUTE:
            timed = [Say.TIME_UP] if position.terms.execution_s is not None else []
            return [*steps(position.puzzle), Say.GIVE_UP, *timed]
        case Await.NEXT:
            return [*([Say.NEXT] if _cards_left(position) else []), Say.AGAIN, Say.STOP]
        case Await.CHALLENGE:
            return [Say.CHALLENGE, Say.DECLINE, Say.TIME_UP]
        case _:
            return []


def begin_round(match: Match, events: Sequence[Event] = ()) -> Outcome[Position]:
    """Begin a round without the last round's cards; the deck must have enough cards."""
    cleared = replace(match.puzzle, targets=())
    turn = match.players[(match.round - 1) % len(match.players)]
    match = replace(match, puzzle=cleared, awaits=Await.CARD, turn=turn, caller=None, called=None, used=0, begun=None)
    happened = [*events, Event("round", {"round": match.round, "player": turn})]
    if not match.terms.dealt:
        return Outcome(match, tuple(happened))
    for card in [Card(number, Side.FACE, 0) for number in match.deck[: match.terms.cards]]:
        match, happened = _lay_card(match, card), [*happened, _tell_card(match, card)]
    return _expect_call(match, happened)


def _cards_left(match: Match) -> bool:
    return len(match.deck) >= match.terms.cards


def _lay_card(match: Match, card: Card) -> Match:
    target = Target(card.lay(match.terms.pictures[card.number]), card)
    puzzle = replace(match.puzzle, targets=(*match.puzzle.targets, target))
    return replace(match, puzzle=puzzle, deck=_without(match.deck, card))


def _without(deck: tuple[int, ...], card: Card) -> tuple[int, ...]:
    return tuple(number for number in deck if number != card.number)


def _tell_card(match: Match, card: Card) -> Event:
    picture = write_placement(card.lay(match.terms.pictures[card.number]))
    return Event("card-drawn", {"player": match.turn, "number": card.number, "picture": picture})


def _expect_call(match: Match, events: Sequence[Event]) -> Outcome[Position]:
    """Expect a call after all cards of the round were drawn, or begin the execution if all solve together."""
    if match.terms.together:
        return _begin_execution(match, match.turn, events)
    return Outcome(replace(match, awaits=Await.CALL), tuple(events))


def _draw_first(match: Match, card: Card) -> Result:
    """Put the pieces down as the first card shows, and begin the first round."""
    pieces = card.lay(match.terms.pictures[card.number])
    if missing_pieces(pieces):
        return Refusal("incomplete-card", "1.5")
    placed = Event("pieces-placed", {"number": card.number, "pieces": write_placement(pieces)})
    puzzle = replace(match.puzzle, pieces=pieces)
    return begin_round(replace(match, puzzle=puzzle, deck=_without(match.deck, card)), [placed])


def _draw(match: Match, card: Card) -> Result:
    events = [_tell_card(match, card)]
    match = _lay_card(match, card)
    if len(match.puzzle.targets) < match.terms.cards:
        return Outcome(match, tuple(events))
    return _expect_call(match, events)


def _refuse_card(match: Match, card: Card) -> Refusal | None:
    if card.number >= len(match.terms.pictures):
        return Refusal("no-such-card", "1.4")
    if card.number not in match.deck:
        return Refusal("already-drawn", "1.6")
    return None


def _call(match: Match, call: Call) -> Result:
    if call.by not in match.players:
        return Refusal("not-a-player", "4.2")
    facts: dict[str, Json] = {"player": call.by, "number": call.number, "seconds": match.terms.hourglass_s}
    called = replace(match, awaits=Await.CHALLENGE, turn=match.opponent(call.by), caller=call.by, called=call.number)
    return Outcome(called, (Event("called", facts),))


def _begin_execution(match: Match, seat: Seat, events: Sequence[Event]) -> Outcome[Position]:
    begun = match.puzzle
    match = replace(match, awaits=Await.EXECUTE, turn=seat, used=0, begun=begun, puzzle=begun.marked())
    facts: dict[str, Json] = {"player": seat, "limit": match.limit, "seconds": match.terms.execution_s}
    return _judge(match, [*events, Event("execution", facts), *tell_met(begun, match.puzzle)])


def _execute(match: Match, step: Step) -> Result:
    taken = take(match.puzzle, step)
    if isinstance(taken, Refusal):
        return taken
    return _judge(replace(match, puzzle=taken.position, used=match.used + 1), taken.events)


def _judge(match: Match, events: Sequence[Event]) -> Outcome[Position]:
    """End the execution if all cards are met or no step is left."""
    if match.puzzle.solved and match.used <= match.limit:
        solved = Event("solved", {"player": match.turn, "steps": match.used})
        return _award(match, match.turn, [*events, solved])
    if match.used >= match.limit:
        return _fail(match, events, "no-steps-left")
    return Outcome(match, tuple(events))


def _fail(match: Match, events: Sequence[Event], why: str) -> Outcome[Position]:
    failed = Event("failed", {"player": match.turn, "steps": match.used, "why": why})
    other = match.turn if match.terms.together else match.opponent(match.turn)
    return _award(match, other, [*events, failed])


def _award(match: Match, winner: Seat, events: Sequence[Event]) -> Outcome[Position]:
    if match.terms.together:
        return Outcome(replace(match, awaits=Await.NEXT), tuple(events))
    points = tuple(had + (seat == winner) for seat, had in zip(match.players, match.points, strict=True))
    match = replace(match, points=points)
    has = scoring.score(match)[winner]
    events = [*events, Event("point", {"player": winner, "points": has})]
    if has == match.terms.points or not _cards_left(match):
        return _end(match, events)
    return _next_round(match, events)


def _next_round(match: Match, events: Sequence[Event] = ()) -> Outcome[Position]:
    return begin_round(replace(match, round=match.round + 1), events)


def _end(match: Match, events: Sequence[Event]) -> Outcome[Position]:
    ended = replace(match, awaits=Await.NOTHING, caller=None, called=None, used=0, begun=None)
    over = Event("game-over", {"winners": list(scoring.winners(ended))})
    return Outcome(ended, (*events, over))
