"""What every registered game's adaptor promises the core; a game of another package is under it once it is installed.

Simulated players play, which every game that is here describes for itself; what lies on the table is observed without
doubt, so whatever is refused or accepted wrongly is the adaptor's doing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from companion.core.evidence import Evidence, fuse_observations
from companion.core.hypothesis import Kind, Rules
from companion.core.inference import judge
from companion.games import GAMES, SIMULATED
from companion.games.bundle import Bundle
from companion.games.discovery import bundle_of, packages
from companion.games.engines import ENGINES
from companion.games.royal_ur import BUNDLE
from companion.games.simulated import Opportunity
from companion.games.speech import SPEECHES
from companion.ui.names import Names
from engines.kernel import Cell, Seat
from engines.royal_ur.position import Action, Position
from tests.contracts.tables import Turn
from tests.engines.steps import seatings
from tests.narrow import there
from vision.labels import parse_label
from vision.observation import Observation

MOST_ACTIONS = 60
SEEDS = range(2)
_SURE = 0.9999

every_game = pytest.mark.parametrize("name", list(SIMULATED))


@cache
def turns(name: str, seed: int) -> tuple[Turn, ...]:
    return tuple(_played(name, Random(seed)))


def _played(name: str, random: Random) -> Iterator[Turn]:
    """Yield what simulated people do and chance gives in a game of the fewest players that it takes."""
    engine, simulated = ENGINES[name], SIMULATED[name]
    options = simulated.options[random.randrange(len(simulated.options))]
    position = engine.game.new(next(seatings(GAMES[name], options, 2)), options, random.randrange(1000))
    for _ in range(MOST_ACTIONS):
        if engine.game.over(position):
            return
        thrown = engine.turns.dice.awaited(position)
        action = engine.turns.dice.throw(position, random) if thrown else simulated.decide(position, random)
        outcome = engine.game.after(position, action)
        if GAMES[name].placement(position):  # else the pieces may still be anywhere
            yield Turn(position, action, outcome)
        position = outcome.position


def evidence(adaptor: Rules, labels: Mapping[Cell, str]) -> Evidence:
    """What a camera without doubt would see of a table."""
    board = adaptor.board()
    places = [place for place in board.places if place in labels]  # beside the cells, too, if the game looks there
    p = np.full((len(places), len(board.label_words)), (1 - _SURE) / (len(board.label_words) - 1))
    for row, cell in enumerate(places):
        p[row, board.label_words.index(labels[Cell(cell)])] = _SURE
    frame = Observation(tuple(places), board.label_words, p, np.ones(len(places), dtype=bool))
    return adaptor.with_confusions(fuse_observations([frame]))


def on_table(adaptor: Rules, labels: Mapping[Cell, str]) -> dict[Cell, str]:
    return {cell: label for cell, label in labels.items() if cell in set(adaptor.board().cells)}


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_the_placement_has_a_label_of_the_table_file_on_every_cell(name: str, seed: int) -> None:
    adaptor = GAMES[name]
    words = set(adaptor.board().label_words)
    for turn in turns(name, seed):
        placement = adaptor.placement(turn.outcome.position)
        assert set(adaptor.board().cells) <= set(placement)
        assert set(on_table(adaptor, placement).values()) <= words


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_awaited_offered_and_thrown_is_legal(name: str, seed: int) -> None:
    adaptor, engine = GAMES[name], ENGINES[name]
    for turn in turns(name, seed):
        prompt = adaptor.turns.prompt(turn.before)
        assert prompt.code
        for choice in adaptor.turns.choices(turn.before):
            assert engine.game.is_legal(turn.before, there(choice.action)), choice
        if isinstance(turn.action, adaptor.turns.dice.kind):
            assert adaptor.turns.dice.awaited(turn.before)
        assert 0 <= adaptor.bar(turn.before) <= 9


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_an_action_that_shows_on_the_table_is_what_is_found(name: str, seed: int) -> None:
    adaptor, found = GAMES[name], 0
    for turn in turns(name, seed):
        before, after = (on_table(adaptor, adaptor.placement(p)) for p in (turn.before, turn.outcome.position))
        if before == after or isinstance(turn.action, adaptor.turns.dice.kind):
            continue
        finding = judge(adaptor, turn.before, (), evidence(adaptor, after))
        assert finding.decision is Kind.LEGAL, (turn.action, finding)
        assert finding.best.position is not None
        assert on_table(adaptor, adaptor.placement(finding.best.position)) == after
        found += 1
    assert found > 0


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_that_looks_as_before_has_no_visible_move_on_it(name: str, seed: int) -> None:
    adaptor = GAMES[name]
    for turn in turns(name, seed):
        finding = judge(
            adaptor,
            turn.before,
            (),
            evidence(adaptor, adaptor.placement(turn.before)),
            unseen=[choice.action for choice in adaptor.turns.choices(turn.before) if choice.action is not None],
        )
        assert finding.decision in (Kind.UNCHANGED, Kind.LEGAL), finding
        if finding.decision is Kind.LEGAL:
            assert finding.best.position is not None
            after = adaptor.placement(finding.best.position)
            assert on_table(adaptor, after) == on_table(adaptor, adaptor.placement(turn.before))


@pytest.mark.sampled(3)
@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_no_cheat_is_taken_for_a_legal_action(name: str, seed: int) -> None:
    adaptor, random = GAMES[name], Random(seed)
    tried = set()
    for turn in turns(name, seed)[::3]:
        for kind, left in _cheats(name, turn, random):
            finding = judge(adaptor, turn.before, (), evidence(adaptor, left))
            assert finding.decision is not Kind.LEGAL, (kind, turn.action, finding)
            tried.add(kind)
    assert len(tried) >= 3, tried


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_no_random_change_of_a_table_is_taken_for_a_legal_action(name: str, seed: int) -> None:
    """A cell gets the label of another one, or two change places; what legal actions may leave is left out."""
    adaptor, simulated, random = GAMES[name], SIMULATED[name], Random(seed)
    tried = 0
    for turn in turns(name, seed)[::3]:
        before = on_table(adaptor, adaptor.placement(turn.before))
        for copies in (True, False, True, False):
            cell, other = random.sample(list(before), 2)
            changed = {cell: before[other]} if copies else {cell: before[other], other: before[cell]}
            left = {**adaptor.placement(turn.before), **changed}
            if before[cell] == before[other] or simulated.allows(turn.before, left):
                continue
            finding = judge(adaptor, turn.before, (), evidence(adaptor, left))
            assert finding.decision is not Kind.LEGAL, (turn.action, changed, finding)
            tried += 1
    assert tried > 0


def _cheats(name: str, turn: Turn, random: Random) -> Iterator[tuple[str, Mapping[Cell, str]]]:
    """Yield what every way of cheating leaves on the table, where the rules could not leave it so."""
    adaptor, engine, simulated = GAMES[name], ENGINES[name], SIMULATED[name]
    seat = engine.game.to_act(turn.before)
    if seat in (None, "dice") or adaptor.turns.dice.awaited(turn.before):
        return
    before, after = (adaptor.placement(position) for position in (turn.before, turn.outcome.position))
    chance = Opportunity(turn.before, Seat(str(seat)), turn.action, before, after, random)
    for kind, cheat in simulated.cheats.items():
        left = cheat(chance)
        if not isinstance(left, Mapping):  # no opportunity, or a card beside the board
            continue
        shown = on_table(adaptor, left) != on_table(adaptor, before)
        if shown and not simulated.allows(turn.before, left):
            yield kind, left


@pytest.mark.sampled(3)
@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_taken_as_the_truth_lies_as_it_was_seen(name: str, seed: int) -> None:
    adaptor, random = GAMES[name], Random(seed)
    for turn in turns(name, seed)[::8]:
        after = turn.outcome.position
        for labels in (adaptor.placement(after), *(left for _kind, left in _cheats(name, turn, random))):
            adopted = adaptor.adopt(after, labels)
            if adopted is not None:
                assert on_table(adaptor, adaptor.placement(adopted)) == on_table(adaptor, labels)


@every_game
def test_every_sentence_about_a_table_can_be_said(name: str) -> None:
    adaptor = GAMES[name]
    words = SPEECHES[name].words
    for label in map(str, map(parse_label, adaptor.board().label_words)):
        assert words.thing(label)
    for turn in turns(name, 0):
        game = ENGINES[name].game
        assert words.played(str(game.to_act(turn.before)), turn.action, turn.outcome.events)


# ---- what every game offers is one value: its parts belong together, and a part of another form is an error for mypy


every_package = pytest.mark.parametrize("game", list(packages()))


@every_package
def test_the_parts_of_a_bundle_are_of_one_game(game: str) -> None:
    bundle = bundle_of(game)
    assert bundle.engine.game.name == game
    assert bundle.table.engine is bundle.engine.game
    assert bundle.table.turns is bundle.engine.turns
    assert (ENGINES[game], GAMES[game], SPEECHES[game]) == (bundle.engine, bundle.table, bundle.speech)
    assert (game in SIMULATED) == (bundle.simulated is not None)


def test_a_game_that_nobody_knows_has_no_parts() -> None:
    assert "backgammon" not in ENGINES
    with pytest.raises(KeyError):
        bundle_of("backgammon")


def _names_first(names: Names, position: Position) -> str:
    return f"{names}{position}"


def test_a_part_that_is_missing_is_named_and_one_of_another_form_is_an_error_for_mypy() -> None:
    """Mypy reports an ignored error that is none, so that each of these comments holds."""
    replace(BUNDLE.speech, prompt=_names_first)  # type: ignore[arg-type]
    replace(BUNDLE, table=BUNDLE.speech)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="speech"):
        Bundle[Position, Action](engine=BUNDLE.engine, table=BUNDLE.table)  # type: ignore[call-arg]
