"""Cheats at the tables of every game are refused, honest play is followed, and nothing else is legal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.core.evidence import fuse_observations
from companion.core.hypothesis import Kind
from companion.core.inference import GameFinding, judge
from companion.core.verdicts import ALTERED
from companion.games import GAMES, SIMULATED
from companion.games.royal_racers.table import parts_of
from companion.games.simulated import Labels
from companion.games.speech import SPEECHES
from engines.grid import cells_in
from engines.kernel import Cell
from engines.royal_racers.board import NAMES, NEIGHBOURS
from engines.royal_racers.position import Phase
from engines.royal_ur.position import Await
from engines.royal_ur.rules import count_of
from tests.companion.games.readings import EASY, HARD, Judging, cheated
from tests.contracts.tables import OURS, played
from vision.labels import BACK, EMPTY
from vision.observation import Observation

CHEATS = [(game, cheat) for game in SIMULATED for cheat in SIMULATED[game].cheats]
MOST = 12
"""This many tables are looked at for each way of cheating."""

REASONS = (
    ("royal-racers", "wrong-card", {"wrong-rank", "stays-up", "under-pawn", "flag-on-it"}),
    ("royal-racers", "flag-moved", {"flag-moved"}),
    ("royal-study", "several-pieces", {"several-pieces"}),
    ("royal-study", "taken-off", {"piece-gone"}),
    ("royal-study", "put-on", {"piece-added"}),
    ("royal-tee", "step-too-many", {"wrong-length", "unreachable", "not-enclosed"}),
    ("royal-tee", "step-too-few", {"wrong-length", "unreachable"}),
    ("royal-tee", "out-of-turn", {"out-of-turn"}),
    ("royal-tee", "recoloured", {"altered", "extra-tee", "tee-missing"}),
    ("royal-ur", "other-throw", {"wrong-count", "put-on"}),
    ("royal-ur", "out-of-turn", {"out-of-turn"}),
    ("territory", "other-number", {"other-number", "piece-first"}),
    ("territory", "taken-off", {"piece-removed", "white-removed"}),
)

SHARPER = {"royal-racers": 1.0}
"""Racers' table has two hundred labels, of which another one is taken more easily for the true one."""


def judged(game: str, position: Any, labels: Labels, seed: int, sharpness: float, frames: int) -> GameFinding[Any, Any]:
    places = [place for place in GAMES[game].board().places if place in labels]
    sharp = sharpness + SHARPER.get(game, 0.0)
    return Judging(GAMES[game], places).judged(position, labels, seed, sharp, frames=frames)


@cache
def tampered(game: str, cheat: str) -> list[tuple[Any, Labels]]:
    """Cheat in games of random players; a table that legal actions may leave is left out."""
    return list(islice(_tampered(game, cheat, Random(f"{game} {cheat}")), MOST))


def _tampered(game: str, cheat: str, random: Random) -> Iterator[tuple[Any, Labels]]:
    engine = GAMES[game].engine
    for name, table in OURS.items():
        for position in played(name).sample(200) if table.game == game else ():
            if not engine.over(position):
                action = None if engine.to_act(position) == "dice" else table.legal(position, random)
                if labels := cheated(game, cheat, position, action, random):
                    yield position, labels


@cache
def findings(game: str, cheat: str) -> list[GameFinding[Any, Any]]:
    return [judged(game, *table, seed, EASY, 1) for seed, table in enumerate(tampered(game, cheat))]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", SIMULATED)
def test_no_cheat_is_taken_for_legal_and_nearly_all_are_refused(game: str) -> None:
    counted = Counter(finding.decision for cheat in SIMULATED[game].cheats for finding in findings(game, cheat))
    assert counted[Kind.LEGAL] == counted[Kind.UNCHANGED] == 0
    assert counted[Kind.ILLEGAL] >= 0.85 * counted.total() > 40, counted


@pytest.mark.parametrize(("game", "cheat", "reasons"), REASONS, ids=lambda one: one if isinstance(one, str) else "")
def test_a_cheat_is_refused_with_its_reason(game: str, cheat: str, reasons: set[str]) -> None:
    codes = Counter(found.best.code for found in findings(game, cheat) if found.decision is Kind.ILLEGAL)
    assert sum(codes[code] for code in reasons) >= 0.9 * codes.total() > 0, codes


# ---- tables to which random changes seldom come


def _several_cards(position: Any) -> Labels | None:
    uncovered = [cell for cell, label in _racers(position).items() if parts_of(label).is_up]
    return dict.fromkeys(uncovered[:2], BACK) if position.phase is Phase.FLIP else None


def _onto_a_back(position: Any) -> Labels | None:
    moves = position.phase is Phase.MOVE
    near = cells_in(NEIGHBOURS[position.pawn] & position.down & ~position.standing) if moves else ()
    if not near:
        return None
    here, there = NAMES[position.pawn], NAMES[near[0]]
    lifted, below = parts_of(_racers(position)[here]), parts_of(_racers(position)[there])
    return {here: replace(lifted, pawn=None).label, there: replace(below, pawn=lifted.pawn).label}


def _racers(position: Any) -> Labels:
    return GAMES["royal-racers"].placement(position)


def _backwards(position: Any) -> Labels | None:
    way, table = position.board.ways[position.place(position.decides)], GAMES["royal-ur"].placement(position)
    on_way = [way[index] for index in range(2, 14)]
    single = [at for at, cell in enumerate(on_way) if table[cell] == position.decides]
    free = [at for at, cell in enumerate(on_way) if table[cell] == EMPTY and single and at < single[-1]]
    moved = position.awaits is Await.MOVE and free
    return {on_way[single[-1]]: EMPTY, on_way[free[0]]: str(position.decides)} if moved else None


def _onto_a_stack(position: Any) -> Labels | None:
    """Hit two counters at once."""
    way, table = position.board.ways[position.place(position.decides)], GAMES["royal-ur"].placement(position)
    other, count = position.other(position.decides), count_of(position) if position.awaits is Await.MOVE else 0
    ends = [at for at, cell in enumerate(way) if table.get(cell) in (f"{other}*2", f"{other}*3") and at > count > 0]
    starts = [way[at - count] for at in ends if table.get(way[at - count]) == position.decides]
    return {starts[0]: EMPTY, way[ends[0]]: str(position.decides)} if starts else None


def _exchanged(position: Any) -> Labels | None:
    white = [cell for cell, label in GAMES["territory"].placement(position).items() if label == "white"]
    early = position.awaiting.value == "roll" and len(position.rolled) < 3
    return dict.fromkeys(white, str(position.turn)) if early and white else None


def _two_placed(position: Any) -> Labels | None:
    """Put two pieces on free spaces of the number that was rolled."""
    table, awaits = GAMES["territory"].placement(position), position.awaiting.value
    cells = position.board.names_in(position.board.spaces_of[position.rolled[-1]]) if awaits == "place" else ()
    free = [cell for cell in cells if table[cell] == EMPTY]
    return dict.fromkeys(free[:2], "white") if len(free) > 1 else None


@pytest.mark.parametrize(
    ("game", "code", "change"),
    [
        ("royal-racers", "several-cards", _several_cards),
        ("royal-racers", "face-down", _onto_a_back),
        ("royal-ur", "backwards", _backwards),
        ("royal-ur", "stack-hit", _onto_a_stack),
        ("territory", "too-many", _two_placed),
        ("territory", "too-early-to-stop", _exchanged),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_table_that_breaks_one_rule_is_refused_for_that_rule(
    game: str, code: str, change: Callable[[Any], Labels | None]
) -> None:
    tables = [
        (position, {**GAMES[game].placement(position), **changed})
        for name, table in OURS.items()
        for position in (played(name).sample(200) if table.game == game else ())
        if (changed := change(position))
        and not SIMULATED[game].allows(position, {**GAMES[game].placement(position), **changed})
    ]
    found = [judged(game, *table, seed, EASY, 1) for seed, table in enumerate(tables[:MOST])]
    codes = Counter(one.best.code for one in found if one.decision is Kind.ILLEGAL)
    assert codes[code] >= 0.8 * len(found) > 2, codes
    assert not {Kind.LEGAL, Kind.UNCHANGED} & {one.decision for one in found}
    refused = next(one.best for one in found if one.best.code == code)
    assert not re.search(r"[{}]|None", SPEECHES[game].words.refused(code, refused.cells, refused.facts))


@pytest.mark.parametrize(("game", "cheat"), CHEATS)
def test_in_hard_pictures_three_frames_let_no_cheat_pass(game: str, cheat: str) -> None:
    for seed, table in enumerate(tampered(game, cheat)[:6]):
        assert judged(game, *table, seed, HARD, 3).decision not in (Kind.LEGAL, Kind.UNCHANGED)


def _contradicted(
    cells: tuple[Cell, ...], words: tuple[str, ...], labels: Labels, odd: Cell, other: str
) -> Observation:
    """Return a reading that is sure of every cell, and of one that something else is on it by 49 to 1."""
    truth = np.array([[labels[cell] == word for word in words] for cell in cells])
    p, row = np.where(truth, 0.9999, 1e-4 / len(words)), cells.index(odd)
    p[row] = 0.02 * p[row] + 0.98 * np.array([word == other for word in words])
    return Observation(cells, words, p / p.sum(axis=1, keepdims=True), np.ones(len(cells), dtype=np.bool_))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", SIMULATED)
def test_no_cell_that_is_seen_is_outweighed_by_all_the_others(game: str) -> None:
    """Everything but one cell is as after a legal action: neither that action nor "nothing moved" is accepted."""
    adaptor, random, tried = GAMES[game], Random(game), 0
    words = adaptor.board().label_words
    for name, table in OURS.items():
        for position in played(name).sample(30) if table.game == game else ():
            before = after = adaptor.placement(position)
            if not before or adaptor.engine.over(position):
                continue
            if adaptor.engine.to_act(position) != "dice":
                after = adaptor.placement(adaptor.engine.after(position, table.legal(position, random)).position)
            cells = tuple(Cell(place) for place in adaptor.board().places if place in after)
            for odd, other in ((random.choice(cells), random.choice(words)) for _time in range(8)):
                seen = _contradicted(cells, words, after, odd, other)
                evidence = adaptor.with_confusions(fuse_observations([seen] * 3))
                look = {word: evidence.looks[column] for word, column in evidence.column.items()}
                if look[other] == look[after[odd]]:
                    continue
                found, tried = judge(adaptor, position, (), evidence), tried + 1
                accepted = found.decision in (Kind.LEGAL, Kind.UNCHANGED)
                assert not accepted or look[{**before, **found.best.expects}[odd]] == look[other], (odd, other)
    assert tried > 100


@pytest.mark.parametrize("game", SIMULATED)
def test_every_reason_has_words_of_its_own(game: str) -> None:
    sentences = {}
    for cheat in SIMULATED[game].cheats:
        for best in (found.best for found in findings(game, cheat)):
            if best.kind is Kind.ILLEGAL and best.code != ALTERED:
                sentences[best.code] = SPEECHES[game].words.refused(best.code, best.cells, best.facts)
    assert len(set(sentences.values())) == len(sentences) >= 4
    assert not [text for code, text in sentences.items() if code in text or "{" in text or "None" in text]


# ---- honest hands: what they leave is followed, and what cannot be seen is not made up


def _honest(game: str, most: int) -> Iterator[tuple[Any, Any]]:
    """Yield what players decided in random games of every table: the position before and the one after."""
    for name, table in OURS.items():
        decided = [turn for turn in played(name).turns if table.engine.game.to_act(turn.before) != "dice"]
        for turn in decided[:most] if table.game == game else ():
            if GAMES[game].placement(turn.before):
                yield turn.before, turn.outcome.position


LEAST_FOUND = {"royal-tee": 0.8, "territory": 0.8, "royal-study": 0.95, "royal-racers": 0.85, "royal-ur": 0.9}
"""The least share of what shows on the table that is found in doubtful pictures."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("doubtful", [False, True], ids=["clear", "doubtful"])
@pytest.mark.parametrize(("game", "beside"), [*((game, True) for game in SIMULATED), ("royal-ur", False)])
def test_honest_play_is_followed_and_nothing_else_is_reported_legal(game: str, beside: bool, doubtful: bool) -> None:
    """On the whole table, and where the places beside the board are not looked at."""
    board, counted = GAMES[game].board(), Counter[tuple[bool, Kind]]()
    for seed, (position, then) in enumerate(_honest(game, 60)):
        before, after = GAMES[game].placement(position), GAMES[game].placement(then)
        after = after if beside else {cell: label for cell, label in after.items() if cell in board.cells}
        finding = judged(game, position, after, seed, HARD if doubtful else EASY, 1)
        counted[(any(before[cell] != label for cell, label in after.items()), finding.decision)] += 1
        assert finding.decision is not Kind.LEGAL or finding.best.position == then
    shown = sum(number for (shows, _decision), number in counted.items() if shows)
    assert counted[(True, Kind.LEGAL)] >= (LEAST_FOUND[game] if doubtful else 0.97) * shown > 20, counted
    if not doubtful:
        assert not counted[(True, Kind.ILLEGAL)] + counted[(True, Kind.UNCHANGED)]
        assert not counted[(False, Kind.ILLEGAL)] + counted[(False, Kind.AMBIGUOUS)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", SIMULATED)
def test_where_nothing_moved_the_table_is_unchanged(game: str) -> None:
    judgements = [
        judged(game, position, GAMES[game].placement(position), seed, EASY, 1).decision
        for seed, (position, _then) in enumerate(_honest(game, 20))
        if len(GAMES[game].engine.actions(position)) > 1
    ]
    assert len(judgements) > 10
    assert set(judgements) == {Kind.UNCHANGED}
