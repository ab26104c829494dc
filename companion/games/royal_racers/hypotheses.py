"""Hypotheses on what happened in a turn of Royal Racers, for the core to weigh."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import log
from typing import TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis
from companion.core.layout import read_layout
from companion.games.hypotheses import Explainer, PlyLine, Shift, TableLikelihood, change_is_likely, most_probable
from companion.games.royal_racers.table import card_label, face_of, parts_of, placement
from engines.grid import bit
from engines.kernel import Cell, Event, JsonObject, Outcome, Refusal, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import DECK, NAMES, card_name, card_named, cell_index
from engines.royal_racers.position import (
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Step,
    owner_of,
)
from vision.labels import BACK, COVERED

# ---- mistakes with pawns, cards and flags


Explanation: TypeAlias = Hypothesis[Position, Action]

ONE, SEVERAL = -4.0, -5.0
"""Log priors of one thing changed against the rules, and of several."""

EACH = -1.0
"""Log prior for each cell that differs, if several things have changed."""


_Blame: TypeAlias = tuple[Refusal, JsonObject]
"""Why a placement is refused, and further facts for the sentence."""


def mistakes(position: Position, seen: TableLikelihood, _allowed: Sequence[Explanation]) -> Iterator[Explanation]:
    """Yield the best explanations: one thing changed in any way, and everything that looks different as it looks."""
    looks = _single_changes(position, seen)
    for look in most_probable((sum(seen.gain(cell, label) for cell, label in look.items()), look) for look in looks):
        yield _refuse(position, seen, look, ONE)
    odd = seen.odd()
    if len(odd) > 1:
        yield _refuse(position, seen, odd, SEVERAL + EACH * len(odd))


def _single_changes(position: Position, seen: TableLikelihood) -> Iterator[Mapping[Cell, str]]:
    """Yield the placements in which one pawn, card or flag differs, as the labels that differ."""
    lying = {cell: parts_of(label) for cell, label in seen.before.items()}
    for start, stood in lying.items():
        if stood.pawn is not None:
            left = {start: replace(stood, pawn=None).label}
            yield left
            ends = ((cell, there) for cell, there in lying.items() if there.pawn is None)
            yield from ({**left, cell: replace(there, pawn=stood.pawn).label} for cell, there in ends)
    for cell, there in lying.items():
        if there.is_up is not None:
            card = BACK if there.is_up else face_of(position, cell_index(cell))
            yield {cell: replace(there, card=card).label}
            yield from ({cell: replace(there, card=COVERED, flag=seat).label} for seat in position.players)
        else:
            yield {cell: replace(there, card=card_label(position, cell_index(cell)), flag=None).label}


def _refuse(position: Position, seen: TableLikelihood, expects: Mapping[Cell, str], log_prior: float) -> Explanation:
    pairs = {cell: (parts_of(seen.before[cell]), parts_of(label)) for cell, label in expects.items()}
    # the pawns that moved, with the cells that they left and came to; that of the player to move last
    gone = {before.pawn: cell for cell, (before, now) in pairs.items() if before.pawn not in (None, now.pawn)}
    come = {now.pawn: cell for cell, (before, now) in pairs.items() if now.pawn not in (None, before.pawn)}
    seats = sorted({seat for seat in (*gone, *come) if seat}, key=lambda seat: (seat == position.turn, seat))
    pawns = [Shift(seat, gone.get(seat), come.get(seat)) for seat in seats]
    # the cards turned over, and the new owners of flags
    is_turned = {c: None not in (was.is_up, now.is_up) and was.is_up != now.is_up for c, (was, now) in pairs.items()}
    turned = tuple(cell for cell, turned in is_turned.items() if turned)
    flags = {cell: now.flag for cell, (before, now) in pairs.items() if before.flag != now.flag}
    # the first rule that the engine or the order of a turn refuses
    others: list[_Blame] = [
        (Refusal("out-of-turn", "4.1", pawn.cells), {"owner": pawn.seat})
        for pawn in pawns
        if pawn.seat != position.turn
    ]
    found = chain(_of_flags(position, flags), others, _of_cards(position, turned), _of_pawn(position, pawns, turned))
    refusal, further = next(found, (Refusal("unexplained", ""), {}))
    facts = {"player": position.turn, "owner": position.turn, "rolled": position.rolled, **further}
    return seen.refused(expects, refusal, log_prior, facts)


# ---- which rule is broken


def _of_flags(position: Position, flags: Mapping[Cell, Seat | None]) -> Iterator[_Blame]:
    cells = tuple(flags)
    if position.phase is Phase.FLAG and len(cells) == 1:
        laid, expected = flags[cells[0]], position.players[owner_of(position.place, len(position.players))]
        if laid not in (None, expected):
            yield Refusal("other-flag", "1.5", cells), {"owner": laid, "turn": expected}
        yield from _of_engine(position, PlaceFlag(cells[0]))
    elif cells and position.phase is not Phase.START:
        yield Refusal("flag-moved", "5.1", cells), {}


def _of_cards(position: Position, turned: tuple[Cell, ...]) -> Iterator[_Blame]:
    if len(turned) > 1:
        yield Refusal("several-cards", "3.2", turned), {}
    for cell in turned:
        if position.phase is Phase.FLIP:
            yield from _of_engine(position, Flip(cell))
        else:
            yield _too_early(position) or Refusal("no-card-now", "3.2", (cell,)), {}


def _of_pawn(position: Position, pawns: Sequence[Shift], turned: tuple[Cell, ...]) -> Iterator[_Blame]:
    """Yield what is wrong with the pawns, after a card was turned over."""
    for pawn in pawns:
        if pawn.end is None:
            yield Refusal("pawn-gone", "4.1", pawn.cells), {}
        elif refusal := _too_early(position, turned=bool(turned)):
            yield replace(refusal, cells=pawn.cells), {}
        else:
            after = position
            for cell in turned:
                flipped = GAME.play(after, Flip(cell))
                after = flipped.position if isinstance(flipped, Outcome) else after
            yield from _of_engine(after, ChooseStart(pawn.end) if after.phase is Phase.START else Step(pawn.end))


def _too_early(position: Position, *, turned: bool = False) -> Refusal | None:
    """Return the refusal if something must happen before a pawn is moved or a card turned; None otherwise."""
    if position.phase is Phase.ROLL:
        return Refusal("roll-first", "3.1")
    if position.phase is Phase.FLIP and not turned:
        return Refusal("card-first", "2.1")
    return Refusal("flags-first", "1.5") if position.phase is Phase.FLAG else None


def _of_engine(position: Position, action: Action) -> Iterator[_Blame]:
    result = GAME.play(position, action)
    if isinstance(result, Refusal):
        yield result, {}


# ---- what may have happened


UNDER_FLAG = -3.0  # one card in twenty is turned over under a flag, out of sight
MOST_ACTIONS = 4  # a card and a step in the race; while flags are laid, one of each player

RacersLine: TypeAlias = PlyLine[Position, Action]


def _deals(position: Position, evidence: Evidence) -> Iterator[RacersLine]:
    """Yield the deal of the most probable layout, if it has all 36 cards face up.

    If some cards are in doubt, yield also the layout that was drawn when the game was set up.
    """
    layout = read_layout(tuple(map(card_name, DECK)), NAMES, evidence)
    deals = [Deal(tuple(card_named(layout.labels[name]) for name in NAMES if name in layout.labels))]
    if not layout.certain:
        deals.append(Deal(position.coming[0]))
    for deal in deals:
        result = GAME.play(position, deal)
        if isinstance(result, Outcome):
            yield PlyLine((deal,), position, result.events, result.position)


def _is_hinted(seen: TableLikelihood, before: Position, after: Position) -> bool:
    """Return whether the evidence allows that an action was made.

    Turning a card up in vain, or under a flag, changes nothing in sight, but the step after it may.
    """
    likely = change_is_likely(seen, placement(before), placement(after))
    return before.phase is Phase.FLIP if likely is None else likely


def _log_prior(line: RacersLine) -> float:
    flips = (action for action in line.actions if isinstance(action, Flip))
    return UNDER_FLAG * any(line.position.flagged & bit(cell_index(flip.cell)) for flip in flips)


def _weigh(legal: Sequence[Explanation]) -> Sequence[Explanation]:
    """Return the most probable hypothesis of each outcome: whichever wrong card is turned up, it is the same.

    If a flip may be passed, the pass is preferred to a card that was turned up in vain. Those that change nothing in
    sight share the weight of one.
    """
    first: dict[Position | None, Explanation] = {}
    for hypothesis in sorted(legal, key=lambda h: (-h.log_prior, h.action != Pass())):
        first.setdefault(hypothesis.position, hypothesis)
    unseen = sum(not hypothesis.expects for hypothesis in first.values())
    return [h if h.expects else replace(h, log_prior=h.log_prior - log(unseen)) for h in first.values()]


# ---- moves half done


def _flag_alone(seen: TableLikelihood, line: RacersLine) -> Iterator[Mapping[Cell, str]]:
    """Yield a start flag without the pawn on it, which is easily overlooked and is not asked for."""
    after = {**seen.before, **seen.changed(placement(line.position))}
    for cell in _starts(line.events):
        yield {cell: replace(parts_of(after[cell]), pawn=None).label}


def _halfway(seen: TableLikelihood, line: RacersLine) -> Iterator[Mapping[Cell, str]]:
    """Yield the labels that some cells may have until a move is complete."""
    then = placement(line.position)
    flipped = (action.cell for action in line.actions if isinstance(action, Flip))
    # cards turned up in vain, in sight: the wrong card is still face up, and the pawn may not have gone back
    for cell in (cell for cell in flipped if seen.before.get(cell) == BACK == parts_of(then[cell]).card):
        ends = [Cell(str(e.facts[end])) for e in line.events if e.name == "returned" for end in ("from", "to")]
        face_up = {cell: replace(parts_of(then[cell]), card=face_of(line.position, cell_index(cell))).label}
        yield face_up
        yield {**{c: seen.before[c] for c in ends if c in seen.before}, **face_up}
    for cell in _starts(line.events):  # the pawn stands there without its flag
        yield {cell: replace(parts_of(then[cell]), card=parts_of(seen.before[cell]).card, flag=None).label}


def _starts(events: Sequence[Event]) -> Iterator[Cell]:
    return (Cell(str(event.facts["cell"])) for event in events if event.name == "start-chosen")


EXPLAINER: Explainer[Position, Action] = Explainer(
    game=GAME,
    labels=placement,
    most_actions=MOST_ACTIONS,
    mistakes=mistakes,
    hinted=_is_hinted,
    lines=lambda position, seen: list(_deals(position, seen.evidence)) if position.phase is Phase.DEAL else None,
    log_prior=_log_prior,
    weigh=_weigh,
    halfway=_halfway,
    unasked=_flag_alone,
)
