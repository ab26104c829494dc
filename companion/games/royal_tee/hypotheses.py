"""All that may have happened in a turn of Royal Tee, as hypotheses for the core to weigh.

The log priors below are relative to a walk by the rules, which has 0. They are estimates, not measurements: at a
table of players about one turn in ten shows a mistake at some moment, mostly a miscounted walk or a forgotten tee.
They matter little where the picture is clear (a cell seen well speaks with 9 and more) and keep a doubtful picture
from being called certain. How many walks there are is left out: it is the same for legal walks and miscounted ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import drop_explainable_mistakes
from companion.games.royal_tee.labels import royal_label
from companion.games.royal_tee.mistakes import Explanation, with_faults
from companion.games.royal_tee.search import SeenWalk, best_walks, resting_place, within
from companion.games.royal_tee.seen import Seen, look
from companion.games.royal_tee.stories import Story, of_jump, of_nothing, of_walk
from engines.grid import CellIndex
from engines.kernel import JsonObject, Outcome
from engines.royal_tee import GAME
from engines.royal_tee.board import NAMES
from engines.royal_tee.position import Pass, Position, Walk
from engines.royal_tee.rules import can_walk, walk_along

NOTHING = 3.0  # of a table that looks as before twenty times as often nobody has moved, as somebody to and fro
MISCOUNTED = -3.5  # the commonest mistake
OUT_OF_TURN = -4.6
THROUGH_ROYAL = -4.6
PUT_ELSEWHERE = -4.6
TAKEN_OFF = -5.3

LONGEST = 12
"""Walks are followed that far: a miscount by more than three looks like a Royal Tee put elsewhere."""

GLANCE = 700
"""Mistakes are searched less hard than legal walks: where the most probable one is missed, the picture explains
itself badly and is reported as such."""

DISTINCT = 6
"""This many of the most probable walks of another length are weighed."""


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """List what may have happened since a position, led by what is seen."""
    seen = look(position, left_open, evidence)
    walks = best_walks(seen, steps=position.slider, exactly=True) if can_walk(position) else []
    legal = [of_walk(seen, walk) for walk in walks]
    stories = [*_wrong_stories(seen, walks), of_nothing(seen)]
    faulty = (with_faults(seen, story) for story in (*legal, *stories))
    allowed = [*(_legal(seen, walk, story) for walk, story in zip(walks, legal, strict=True)), _nothing(seen)]
    forbidden = [*(_illegal(story) for story in stories if story.code), *(h for h in faulty if h is not None)]
    before = dict(zip(NAMES, seen.labels, strict=True))
    return [*allowed, *drop_explainable_mistakes(forbidden, allowed, before)]


def _nothing(seen: Seen) -> Explanation:
    """Nothing moved; for a player who cannot move, that is the pass."""
    open_todos = tuple(seen.left_open.values())
    if can_walk(seen.position):
        return Hypothesis(Kind.UNCHANGED, NOTHING, optional=open_todos)
    return _played(seen, Pass(), Hypothesis(Kind.LEGAL, 0.0, optional=open_todos))


def _legal(seen: Seen, walk: SeenWalk, story: Story) -> Explanation:
    path = walk.as_long_as(seen.start, seen.position.slider, resting_place(seen))
    return _played(seen, walk_along(path), Hypothesis(Kind.LEGAL, 0.0, story.expects, story.optional))


def _played(seen: Seen, action: Walk | Pass, hypothesis: Explanation) -> Explanation:
    """Let the engine say what an action leads to."""
    outcome = GAME.play(seen.position, action)
    if not isinstance(outcome, Outcome):
        message = f"the search offered {action}, which the rules refuse: {outcome}"
        raise AssertionError(message)
    return replace(hypothesis, action=action, position=outcome.position)


def _illegal(story: Story) -> Explanation:
    return Hypothesis(
        Kind.ILLEGAL,
        story.log_prior,
        story.expects,
        story.optional,
        code=story.code,
        rule=story.rule,
        cells=story.cells,
        facts=story.facts,
    )


def _wrong_stories(seen: Seen, legal: Sequence[SeenWalk]) -> list[Story]:
    return [
        *_miscounted(seen, legal),
        *_through_royals(seen),
        *_put_elsewhere(seen),
        *_taken_off(seen),
        *_out_of_turn(seen),
    ]


def _refused(seen: Seen, walk: SeenWalk, log_prior: float) -> Story:
    """Return the explanation by a walk that the rules forbid, with the engine's reason."""
    refusal = GAME.play(seen.position, walk_along(walk.path))
    if isinstance(refusal, Outcome):
        message = f"the rules allow a walk that was taken for a mistake: {walk}"
        raise AssertionError(message)
    facts: JsonObject = {
        "player": seen.seat,
        "steps": len(walk.path),
        "slider": seen.position.slider,
        "to": NAMES[walk.end],
    }
    return replace(
        of_walk(seen, walk),
        log_prior=log_prior,
        code=refusal.code,
        rule=refusal.rule,
        cells=refusal.cells or (NAMES[walk.end],),
        facts=facts,
    )


def _miscounted(seen: Seen, legal: Iterable[SeenWalk]) -> list[Story]:
    """Walks of another number of steps than the slider shows."""
    allowed = {(walk.end, walk.new) for walk in legal}
    walks = best_walks(seen, steps=LONGEST, exactly=False, most_nodes=GLANCE)
    wrong = [w for w in walks if (w.end, w.new) not in allowed and not _fits(w, seen.position.slider)]
    return [_refused(seen, walk, MISCOUNTED) for walk in wrong[:DISTINCT]]


def _fits(walk: SeenWalk, slider: int) -> bool:
    """Return whether a walk can be lengthened, back and forth, to exactly that many steps."""
    return len(walk.path) <= slider and (slider - len(walk.path)) % 2 == 0


def _through_royals(seen: Seen) -> list[Story]:
    """Walks over spaces where other Royal Tees stand; only tried where one stands near enough."""
    others = seen.position.royals_but(seen.seat)
    if not within(seen.start, seen.position.slider - 1) & others:
        return []
    walks = best_walks(seen, steps=seen.position.slider, exactly=True, through_royals=True, most_nodes=GLANCE)
    through = [walk for walk in walks if any(others >> cell & 1 for cell in walk.path)]
    return [replace(_refused_at_full_length(seen, walk), log_prior=THROUGH_ROYAL) for walk in through[:2]]


def _refused_at_full_length(seen: Seen, walk: SeenWalk) -> Story:
    full = replace(walk, path=walk.as_long_as(seen.start, seen.position.slider, None))
    return _refused(seen, full, THROUGH_ROYAL)


def _put_elsewhere(seen: Seen) -> list[Story]:
    """The Royal Tee stands where it looks most like it, and was not walked there."""
    others = seen.position.royals_but(seen.seat)
    free = [CellIndex(i) for i in range(len(NAMES)) if i != seen.start and not others >> i & 1]
    end = max(free, key=lambda i: seen.royal[i] - seen.before[i])
    reachable = within(seen.start, seen.position.slider) >> end & 1
    code, rule = ("tees-missing", "3.1") if reachable else ("unreachable", "2.1")
    facts: JsonObject = {"player": seen.seat, "to": NAMES[end], "slider": seen.position.slider}
    story = of_jump(seen, end)
    return [replace(story, log_prior=PUT_ELSEWHERE, code=code, rule=rule, cells=(NAMES[end],), facts=facts)]


def _taken_off(seen: Seen) -> list[Story]:
    """The Royal Tee is nowhere; its space is bare or has got its tee."""
    start = NAMES[seen.start]
    with_tee = of_jump(seen, None)
    bare = replace(with_tee, expects={start: "empty"})
    facts = {"player": seen.seat}
    return [
        replace(s, log_prior=TAKEN_OFF, code="royal-missing", rule="3.2", cells=(start,), facts=facts)
        for s in (with_tee, bare)
    ]


def _out_of_turn(seen: Seen) -> list[Story]:
    """Another player's Royal Tee has walked."""
    moved = [
        seat
        for seat, royal in zip(seen.position.players, seen.position.royals, strict=True)
        if seat != seen.seat and seen.most_probable[royal] != royal_label(seat)
    ]
    stories = []
    for seat in moved:
        other = look(replace(seen.position, turn=seat), tuple(seen.left_open.values()), seen.evidence)
        for walk in best_walks(other, steps=LONGEST, exactly=False, most_nodes=GLANCE)[:2]:
            facts = {"player": seat, "turn": seen.seat, "to": NAMES[walk.end]}
            cells = (NAMES[other.start], NAMES[walk.end])
            story = replace(of_walk(other, walk), code="out-of-turn", rule="1.3", cells=cells, facts=facts)
            stories.append(replace(story, log_prior=OUT_OF_TURN))
    return stories
