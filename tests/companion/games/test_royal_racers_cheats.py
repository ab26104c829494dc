"""Cheats at a table of Royal Racers: none is reported legal, and nearly all are reported with their reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from random import Random

import pytest

from companion.core.inference import Decision
from companion.games.royal_racers.speech import SPEECH
from companion.games.royal_racers.table import face_of, parts_of
from engines.kernel import Cell
from engines.royal_racers import GAME
from engines.royal_racers.board import NAMES, cell_index
from engines.royal_racers.position import Flip, Phase, Position
from tests.companion.games.test_royal_racers_hypotheses import HARD, JUDGING, Labels, could_be_legal, look, race
from tests.engines.royal_racers.strategies import after
from vision.labels import BACK


@dataclass(frozen=True)
class Cheat:
    """A way of cheating, and the codes that may be its refusal."""

    name: str
    tamper: Callable[[Position, Random], Labels | None]
    codes: frozenset[str]


def _pawn_to(labels: Labels, start: Cell, end: Cell) -> Labels:
    pawn = parts_of(labels[start]).pawn
    return {
        **labels,
        start: replace(parts_of(labels[start]), pawn=None).label,
        end: replace(parts_of(labels[end]), pawn=pawn).label,
    }


def _shift(
    position: Position, random: Random, allowed: Callable[[int, int], bool], *, down: bool = False
) -> Labels | None:
    """Move the mover's pawn by that many columns and rows, to a card that is face down or to another one."""
    labels, start = look(position), position.pawn
    near = [
        NAMES[i]
        for i in range(36)
        if allowed(abs(i % 6 - start % 6), abs(i // 6 - start // 6))
        and (parts_of(labels[NAMES[i]]).card == BACK) == down
        and not parts_of(labels[NAMES[i]]).pawn
    ]
    return _pawn_to(labels, NAMES[start], random.choice(near)) if near else None


def _turned(position: Position, cells: tuple[Cell, ...]) -> Labels:
    labels = look(position)
    for cell in cells:
        there = parts_of(labels[cell])
        card = face_of(position, cell_index(cell)) if there.card == BACK else BACK
        labels[cell] = replace(there, card=card).label
    return labels


def _uncovered(position: Position) -> list[Cell]:
    return [cell for cell, label in look(position).items() if parts_of(label).is_up is not None]


def _turn_any(position: Position, random: Random) -> Labels:
    return _turned(position, (random.choice(_uncovered(position)),))


def _turn_two(position: Position, random: Random) -> Labels:
    return _turned(position, tuple(random.sample(_uncovered(position), 2)))


def _other_pawn(position: Position, random: Random) -> Labels | None:
    other = next(seat for seat in position.players if seat != position.turn)
    labels = look(position)
    free = [cell for cell, label in labels.items() if not parts_of(label).pawn]
    return _pawn_to(labels, NAMES[position.pawns[position.players.index(other)]], random.choice(free))


def _pawn_gone(position: Position, _random: Random) -> Labels:
    labels, start = look(position), NAMES[position.pawn]
    return {**labels, start: replace(parts_of(labels[start]), pawn=None).label}


def _flag_gone(position: Position, random: Random) -> Labels:
    labels = look(position)
    cell = random.choice([cell for cell, label in labels.items() if parts_of(label).flag])
    there = replace(parts_of(labels[cell]), flag=None, card=face_of(position, cell_index(cell)))
    return {**labels, cell: there.label}


def _turn_and_jump(position: Position, random: Random) -> Labels | None:
    """Turn over a card by the rules, and go too far."""
    flips = [action for action in GAME.actions(position) if isinstance(action, Flip)]
    if not flips:
        return None
    return _shift(after(position, random.choice(flips)), random, lambda right, down: right + down == 3)


_OF_PAWNS = frozenset({"not-adjacent", "roll-first", "card-first", "face-down", "flag-of-another"})
_OF_CARDS = frozenset({"wrong-rank", "flag-on-it", "under-pawn", "stays-up", "no-card-now", "roll-first"})
CHEATS = (
    Cheat(
        "too far", lambda p, r: _shift(p, r, lambda right, down: right + down == 2 and 0 in (right, down)), _OF_PAWNS
    ),
    Cheat("diagonally", lambda p, r: _shift(p, r, lambda right, down: right == down == 1), _OF_PAWNS),
    Cheat(
        "onto a face-down card", lambda p, r: _shift(p, r, lambda right, down: right + down == 1, down=True), _OF_PAWNS
    ),
    Cheat("another's pawn", _other_pawn, frozenset({"out-of-turn"})),
    Cheat("the pawn taken off", _pawn_gone, frozenset({"pawn-gone"})),
    Cheat("the wrong card turned", _turn_any, _OF_CARDS),
    Cheat("two cards turned", _turn_two, frozenset({"several-cards"})),
    Cheat("a flag taken away", _flag_gone, frozenset({"flag-moved"})),
    Cheat("a card turned and too far", _turn_and_jump, _OF_PAWNS),
)


@cache
def tampered(cheat: Cheat) -> list[tuple[Position, Labels]]:
    """Cheat at decisions of a few races; what could be the rules' doing is no cheat."""
    return list(islice(_tampered(cheat, Random(4)), 50))


def _tampered(cheat: Cheat, random: Random) -> Iterator[tuple[Position, Labels]]:
    for seed in (5, 6):
        for position, _, then in race(seed):
            for moment in (position, then):
                if moment.phase in (Phase.ROLL, Phase.FLIP, Phase.MOVE):
                    labels = cheat.tamper(moment, random)
                    if labels and not could_be_legal(moment, labels):
                        yield moment, labels


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
def test_no_cheat_is_reported_legal_and_nearly_all_are_reported_with_their_reason(cheat: Cheat) -> None:
    found = tampered(cheat)
    assert len(found) >= 20
    findings = [JUDGING.judged(position, labels, seed) for seed, (position, labels) in enumerate(found)]
    counted = Counter(finding.decision for finding in findings)
    assert counted[Decision.LEGAL] == counted[Decision.UNCHANGED] == 0
    assert counted[Decision.ILLEGAL] >= 0.95 * len(findings), counted
    codes = Counter(finding.best.code for finding in findings if finding.decision is Decision.ILLEGAL)
    assert sum(codes[code] for code in cheat.codes) >= 0.95 * codes.total(), codes


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
def test_in_hard_pictures_three_frames_let_no_cheat_pass(cheat: Cheat) -> None:
    for seed, (position, labels) in enumerate(tampered(cheat)[:20]):
        finding = JUDGING.judged(position, labels, seed, HARD, frames=3)
        assert finding.decision not in (Decision.LEGAL, Decision.UNCHANGED)


def test_every_reason_has_words_of_its_own() -> None:
    sentences = {}
    for cheat in CHEATS:
        for position, labels in tampered(cheat)[:12]:
            best = JUDGING.judged(position, labels).best
            sentences[best.code] = SPEECH.words.refused(best.code, best.cells, best.facts)
    assert len(sentences) > 8
    assert not [text for code, text in sentences.items() if f"({code})" in text or "{" in text]
