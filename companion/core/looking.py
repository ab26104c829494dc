"""The table as the camera sees it: judged when it is still, reported when it is wrong for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core import choices, stability
from companion.core.asking import around
from companion.core.entries import Calibrated, Put
from companion.core.evidence import CORRELATION, Evidence, fuse_observations
from companion.core.hypothesis import AnyHypothesis, Kind
from companion.core.inference import (
    SURE,
    Finding,
    contradicted,
    doubtful,
    exchanged,
    judge,
    left_to_do,
    rearranged,
    still_open,
)
from companion.core.layout import LAYOUT, read_layout
from companion.core.messages import Buzz, Effect, FrameBlind, FrameRead, SavePicture, StopTimer, WriteEntry
from companion.core.playing import Step, accepted, entered, in_a_row, learned, recorded, took_back
from companion.core.state import State, before_play, named_before_play, placement, play
from companion.core.turns import acting
from companion.core.verdicts import (
    ALTERED,
    Action,
    ActionSource,
    Confirmed,
    Mode,
    PendingPlacement,
    Picture,
    Refused,
    TookBack,
    Unchanged,
    Unclear,
    Verdict,
    Waiting,
)
from engines.kernel import Cell, Refusal
from hardware.panel import Signal
from vision.labels import EMPTY, bare_label, parse_label
from vision.looks import memory as looks
from vision.looks.tones import KnownTones
from vision.observation import Observation

ANSWER = "answer"
"""The timer within which "done" gets an answer, even if it is only that nothing is visible."""

ANSWER_S = 5.0

HEARD_S = 4.0
"""The time without a visible table after which the buzzer sounds."""

CERTAIN = log(99.0)
"""Log odds from which a cell is certainly different from what the players say."""

LEAST_P = 1e-4
"""The lowest probability that a single frame gives a label."""

CARD_PATIENCE_S = 3.0
"""How long a card may be wrong before that is reported: players may be about to turn it."""

CARD = "card"
"""The fact of a refusal that names the refused card."""

STAYED = 0.99
"""The least probability that a cell is empty across whose edge something lies, on a table that agrees: a piece set down
on the line between two cells is read as neither, and nobody should wait in silence."""

MOST_TRIED = 6
"""The number of most promising rows of actions that are followed."""

MOST_IN_A_ROW = 6
"""The largest number of players in turn who may have played before the next look."""

MOST_BACK = 24
"""How many actions back an earlier position is searched, throws included."""

NOTEWORTHY = 3.0
"""The log odds that a first action's cells must gain over the position before; otherwise it is not tried."""


def frame_read(state: State, frame: FrameRead) -> Step:
    """Handle a frame, and judge the table if it is time."""
    hidden_some = not frame.observation.visible.all()
    if state.memory is not None and state.learns and hidden_some:  # cells may look as when their labels were known
        frame = replace(frame, observation=looks.uncover(frame.observation, state.memory))
    state, seen = replace(state, sight=stability.watch(state.sight, frame)), frame.observation
    if state.memory is not None:
        state = replace(state, memory=looks.follow(state.memory, seen, reached=hidden_some or not frame.still))
    # 1. The colours kept in the journal are used once a frame shows the same table in the same light.
    tones = state.progress.tones if state.progress.tones.seen else state.earlier_tones
    if state.memory is None and state.learns and tones.seen:
        state = replace(state, memory=looks.from_tones(tones, seen, placement(state)))
    # 2. Once a frame shows the pieces of a position that was taken back put back, even for a moment, players who
    #   repeat the move mean it. Where no frame had been read since the move, the first that shows it is compared.
    if (rejected := state.rejected_position) is not None:
        before, then, earlier = placement(state), state.rules.placement(rejected), state.rejected_look or seen
        moved = [(cell, label) for cell, label in then.items() if before[cell] != label and cell in seen.cells]
        known = [(cell, label) for cell, label in moved if _odds_against(earlier, cell, label) < -CERTAIN]
        if sum(_odds_against(seen, cell, label) for cell, label in known) > CERTAIN:
            state = replace(state, rejected_position=None, rejected_look=None)
        else:
            state = replace(state, rejected_look=earlier if known else None)
    return look(state)


def _odds_against(seen: Observation, cell: Cell, label: str) -> float:
    """Return the log odds that another label is on a cell of a frame; 0 if the cell is hidden."""
    row, column = seen.cells.index(cell), seen.labels.index(label)
    if not seen.visible[row]:
        return 0.0
    p = np.clip(seen.p[row], LEAST_P, 1.0)
    return float(np.log(np.delete(p, column).max()) - np.log(p[column]))


def frame_blind(state: State, frame: FrameBlind) -> Step:
    """Note a refused frame. Its reason is reported once it lasts; until then the earlier report stays."""
    spell = stability.blinded(state.sight.blind, frame)
    earlier = state.waiting if state.sight.blind is not None else None
    was_seen = state.memory is not None or bool(state.sight.frames) or state.sight.before is not None
    lasts = spell.lasts and not (was_seen and spell.may_be_a_hand)
    waiting = Waiting(f"blind-{frame.reason.value}", facts=frame.facts) if lasts else earlier or Waiting("moving")
    earlier_spell, now = state.sight.blind, spell.at_ns - spell.began_ns
    before = 0 if earlier_spell is None else earlier_spell.at_ns - earlier_spell.began_ns
    heard = before < HEARD_S * 1e9 <= now and not (state.over or state.paused)
    after = replace(state, sight=stability.interrupted(state.sight, spell), waiting=waiting)
    return after, (Buzz(Signal.UNSURE),) if heard else ()


def look(state: State) -> Step:
    """Judge the card next to the board, or else the table if it is time."""
    if state.over or state.paused:
        return replace(state, waiting=None, pressed=False), ()
    if judged := judge_card(state):
        return judged
    waiting = Waiting("on-done") if state.progress.mode is Mode.ON_DONE and not state.pressed else None
    if waiting := waiting or stability.why_wait(
        state.sight, pressed=state.pressed, doubt=state.doubt, now_ns=state.now_ns
    ):
        reported = waiting.code == "settling" and state.sight.looks > 0
        return replace(state, waiting=state.waiting if reported else waiting), ()
    fused = state.rules.with_confusions(_fuse(state))
    state, evidence = _overrule(replace(state, sight=replace(state.sight, looks=state.sight.looks + 1)), fused)
    if laid := _judge_layout(state, evidence):
        return laid[0], (*laid[1], *_answer(state, laid[0]))
    state = replace(state, layout=None)
    finding = _judge(state, evidence)
    if finding.decision is Kind.LEGAL and not state.pressed and state.sight.looks < finding.best.least_looks:
        return replace(state, waiting=Waiting("settling")), ()
    undecided, high = finding.decision in (Kind.ILLEGAL, Kind.AMBIGUOUS), False
    if undecided and (unread := _unread_heights(state, evidence)):
        evidence = evidence.of_any_height(unread)
        finding, refused = _judge(state, evidence), finding
        if high := finding.decision in (Kind.LEGAL, Kind.UNCHANGED):  # then the refusal rested on them alone
            rivals = (finding.best,) if finding.decision is Kind.LEGAL else ()
            finding = replace(refused, decision=Kind.AMBIGUOUS, cells=unread, rivals=rivals)
    if doubted := _doubtful_cells(state, finding, evidence):
        finding = replace(finding, decision=Kind.AMBIGUOUS, cells=doubted)
    elif overlooked := _overlooked(state, finding, evidence):
        elsewhere = (cell for one in overlooked for cell in one.expects if cell not in finding.cells)
        finding = replace(finding, decision=Kind.AMBIGUOUS, cells=(*dict.fromkeys(elsewhere),), rivals=overlooked)
    seen, ticked = _ticked_off(replace(state, waiting=None, goes_back=0), finding, evidence)
    after, effects = _conclude(_with_doubts(seen, finding, evidence), finding, evidence)
    if high and state.pressed and finding.rivals and _reason(state.verdict) == _reason(after.verdict):
        # asked about nothing but heights that no picture shows, the players say by DONE that the table is right
        after = choices.explanation_proposed(after)
    effects = (*ticked, *effects)
    after = _remembering(after, state.sight.frames, finding, put_right=_puts_right(state))
    after, kept = _calibration(after, effects)
    return after, (*kept, *effects, *_answer(state, after))


def _unread_heights(state: State, evidence: Evidence) -> tuple[Cell, ...]:
    """Return the cells whose stack counts as higher or lower than in the game although it is not surely read so.

    Of a stack that was touched the memory of looks says that its number has changed, mostly rightly. But a piece that
    was pushed aside and put back was touched, too: players are not accused of what no picture shows. A number that was
    misread before is compared with that reading.
    """
    now, memory = state.sight.frames[-1].p, _known_looks(state)

    def is_read(cell: Cell, label: str, best: str) -> bool:
        row, columns = evidence.row[cell], [evidence.column[label], evidence.column[best]]
        same, other = now[row, columns]
        if memory is None or memory.labels.get(cell) != label:
            return bool(other > same)
        as_known, as_other = memory.seen.p[row, columns]
        changed = other * as_known / (other * as_known + same * as_other)  # against the reading when it was known
        return bool(other > same and changed >= SURE)

    pairs = ((cell, label, evidence.best(cell)) for cell, label in evidence.in_sight(placement(state)).items())
    other = ((cell, label, best) for cell, label, best in pairs if best != label and EMPTY not in (best, label))
    stacks = ((c, label, best) for c, label, best in other if parse_label(best).single == parse_label(label).single)
    return tuple(cell for cell, label, best in stacks if not is_read(cell, label, best))


def _doubtful_cells(state: State, finding: Finding, evidence: Evidence) -> tuple[Cell, ...]:
    """Return the cells for which a finding is doubted; none if it holds.

    That pieces are missing is doubted if something lies across the edges of cells or an arm has come to hide cells:
    they may be there.
    """
    if finding.decision is Kind.UNCHANGED:
        return _doubtful_though_unchanged(state, finding, evidence)
    lies = placement(state)
    missing = [lies.get(cell, EMPTY) != EMPTY and evidence.best(cell) == EMPTY for cell in finding.cells]
    if finding.decision is not Kind.ILLEGAL or not missing or not all(missing):
        return ()
    memory, edges = _known_looks(state), _crossed(state, evidence)
    crossed = tuple(cell for cell in evidence.cells if cell in edges and evidence.best(cell) == EMPTY)
    covered = (cell for cell in stability.hidden(state.sight.frames) if memory is not None and cell in memory.labels)
    return crossed or tuple(covered)


def _doubtful_though_unchanged(state: State, finding: Finding, evidence: Evidence) -> tuple[Cell, ...]:
    """Return the cells that may differ on a table that is found unchanged; none if it holds."""
    lies, left_open = placement(state), state.progress.left_open
    first = before_play(state)
    if first and not (state.pressed and named_before_play(state)):
        found = exchanged(lies, left_open, evidence)
    else:
        known = {todo.cell for todo in left_open}
        found = rearranged(lies, (_came_to(state, evidence) & lies.keys()) - known, evidence)
    if found or not state.pressed:
        return found
    if choices.has_standing(state):
        return doubtful(lies, left_open, evidence)
    # Who presses DONE may have moved where nothing is seen for certain.
    unsure = _lying_across(state, evidence, lies) if first else _unsure_though_it_agrees(state, finding, evidence)
    return tuple(cell for cell in evidence.cells if cell in unsure)


def _came_to(state: State, evidence: Evidence) -> set[Cell]:
    """Return the cells that were touched since it was known how they look."""
    touched = looks.touched_since_known(state.sight.frames[-1], _known_looks(state))
    return {cell for cell, differs in zip(evidence.cells, touched, strict=True) if differs}


def _crossed(state: State, evidence: Evidence) -> set[Cell]:
    """Return the cells that were empty across whose edges something lies."""
    edges = looks.covered_in_part(state.sight.frames[-1], _known_looks(state))
    return {cell for cell, across in zip(evidence.cells, edges, strict=True) if across}


def _overlooked(state: State, finding: Finding, evidence: Evidence) -> tuple[AnyHypothesis, ...]:
    """Return the legal actions that explain why pieces are gone, if somebody came to where they would be now.

    A piece that stands on a card in its own colour may be read as the card alone. The cell looks different from before
    nevertheless, so that nobody can say that the piece is gone.
    """
    lies, gone = placement(state), set(finding.cells)

    def lacks(cell: Cell) -> bool:
        """Return whether a piece is missing, or what stands on a card."""
        should, seen = parse_label(lies.get(cell, EMPTY)), parse_label(evidence.best(cell))
        fewer = seen.card == should.card and seen.on_card == should.on_card[: len(seen.on_card)] != should.on_card
        return (seen.is_empty and not should.is_empty) or fewer

    if finding.decision is not Kind.ILLEGAL or not gone or not all(map(lacks, gone)):
        return ()
    cards = {cell for cell, label in lies.items() if parse_label(label).card}
    as_before = {cell for cell in (_came_to(state, evidence) & cards) - gone if evidence.best(cell) == lies[cell]}
    listed = state.rules.explanations(state.position, state.progress.left_open, evidence)
    legal = (one for one in listed if one.kind is Kind.LEGAL and not one.then)
    return tuple(one for one in legal if gone < one.expects.keys() <= gone | as_before)


def _answer(before: State, after: State) -> tuple[Effect, ...]:
    """Cancel the answer timer once "done" has its answer."""
    return (StopTimer(ANSWER),) if before.pressed and not after.pressed else ()


def _calibration(state: State, effects: Sequence[Effect]) -> Step:
    """Keep newly learned colours in the journal, but only along with another entry."""
    written = any(isinstance(effect, WriteEntry) for effect in effects)
    if state.memory is None or not (state.calibrates and state.learns and written):
        return state, ()
    now, kept = state.memory.tones, state.progress.tones
    replaces = not kept.seen.keys() <= now.seen.keys()
    new = now.beyond(KnownTones() if replaces else kept)
    tones = {(Cell(cell), look): tone for (cell, look), tone in new.seen.items()}
    return recorded(state, Calibrated(tones, replaces=replaces)) if tones else (state, ())


def _judge_layout(state: State, evidence: Evidence) -> Step | None:
    """Play the layout if it is certain, or name its doubtful cells; None if it is known, or nothing is being laid out.

    Doubtful cells never count. The players are asked about them one by one once they have begun to name labels, or were
    told of a doubt that remains.
    """
    shuffled = state.rules.turns.laid_out(state.position)
    if shuffled is None:
        return None
    laid = evidence.in_sight(placement(state))
    layout = read_layout(shuffled.things, tuple(laid), evidence, state.layout.known if state.layout else None)
    named = Unclear(LAYOUT, (*layout.bare, *layout.doubt))
    if layout.certain:
        known = all(bare_label(label) == layout.labels[cell] for cell, label in laid.items())
        stays = known and not shuffled.awaited
        legal = None if stays else play(state.rules, state.position, shuffled.action(layout.labels))
        if legal is None or isinstance(legal, Refusal):
            return None
        source = ActionSource.OVERRULED if state.overrides else ActionSource.CAMERA
        after = state.rules.placement(legal.outcome.position)
        return accepted(learned(state, state.sight.frames, after, (), put_right=True), (legal,), (), source)
    if not (state.setting_up or shuffled.awaited):
        return None
    shown = replace(state, layout=layout, out_of_step=(), doubt=layout.doubt)
    if not state.pressed:
        return replace(shown, waiting=Waiting("set-up", named.cells)), ()
    answered = replace(shown, verdict=named, pressed=False, waiting=None)
    asks = state.overrides or choices.layout_doubted(state)
    return choices.doubt_asked(answered) if asks else answered, (Buzz(Signal.UNSURE),)


def insisted(state: State) -> State:
    """Accept the players' word, before play begins, that the table is correct, and learn how its cells look.

    Cells that certainly look different are named first, and learned when the players insist on them.
    """
    frames = state.sight.frames
    if not before_play(state) or (state.setting_up and frames and state.rules.turns.laid_out(state.position)):
        return state
    if not frames:
        return replace(state, setting_up=False)
    evidence = state.rules.with_confusions(_fuse(state))
    expected = evidence.in_sight(placement(state))
    denied = {cell for cell, label in expected.items() if evidence.recolours(cell, {label}) >= CERTAIN}
    unheard = denied if not named_before_play(state) else set[Cell]()
    believed = {cell: label for cell, label in expected.items() if cell not in unheard}
    after = learned(state, frames, believed, state.progress.left_open)
    return replace(after, setting_up=state.setting_up and bool(unheard))


def _fuse(state: State) -> Evidence:
    """Fuse the still frames, using how the cells looked when their labels were known."""
    memory = _known_looks(state)
    mended = _puts_right(state)
    still = looks.as_in_last(state.sight.frames, stability.LEAST_FRAMES_PRESSED)
    frames = [looks.refine(frame, memory, put_right=mended) for frame in still]
    alike = 1.0 if _is_bare(state) else CORRELATION
    known = placement(state)
    unused = state.rules.unused(state.players, known)
    return fuse_observations(frames, looks.counted(frames[-1], memory, known), alike, unused)


def _known_looks(state: State) -> looks.TableMemory | None:
    """Return the memory that this look may be compared with: what was taken back may have been misjudged."""
    memory = state.memory if state.learns else None
    return looks.forgotten(memory, placement(state)) if isinstance(state.verdict, TookBack) else memory


def _is_bare(state: State) -> bool:
    """Return whether nothing is laid out yet: print is misread alike in every frame, so the frames share all errors."""
    return state.setting_up and {*placement(state).values()} == {EMPTY}


def _puts_right(state: State) -> bool | NDArray[np.bool_]:
    """Return a mask of the cells on which a move is put back or completed, (n_cells,), or True for all of them.

    On a table that was reported these are the cells touched since. A stack in a new light counts as put back, too.
    """
    if not state.sight.frames:
        return isinstance(state.verdict, Refused)
    last = state.sight.frames[-1]
    completed = np.array([Cell(cell) in state.unsettled for cell in last.cells], dtype=np.bool_)
    completed |= looks.stacks_in_new_light(last, state.memory)
    if isinstance(state.verdict, Refused | Unclear) and state.complained_look is not None:
        return np.asarray(completed | looks.touched_since(last, state.complained_look))
    return np.asarray(completed | isinstance(state.verdict, Refused))


def _remembering(
    state: State, frames: Sequence[Observation], finding: Finding, *, put_right: bool | NDArray[np.bool_]
) -> State:
    """Remember how the table looks if it was found to agree with the game."""
    agrees, beside = finding.decision in (Kind.LEGAL, Kind.UNCHANGED, Kind.PUT_BACK), set[Cell]()
    is_rejected = finding.decision is Kind.LEGAL and finding.best.position != state.position
    if not agrees or is_rejected:
        return state
    if finding.decision is Kind.LEGAL:
        # evidence against the known height of a stack has been outweighed, and would return in the next turn
        put_right = put_right | looks.higher_or_lower(frames[-1], state.memory)
        beside = {near for cell in finding.best.expects for near in around(placement(state), cell)} - {*state.doubt}
        after = replace(state, unsettled=finding.unsettled)
    else:  # what was touched and is found as expected has been put right: the next hand that comes makes a move
        touched = looks.touched_since_known(frames[-1], state.memory)
        cells = frozenset(Cell(frames[-1].cells[row]) for row in np.flatnonzero(touched))
        after = replace(state, unsettled=state.unsettled - cells)
    left_open, unchanged = state.progress.left_open, finding.decision is Kind.UNCHANGED
    known = placement(state)
    return learned(after, frames, known, left_open, put_right=put_right, unchanged=unchanged, beside=beside)


def _overrule(state: State, evidence: Evidence) -> tuple[State, Evidence]:
    """Return evidence in which the players' labels outweigh the camera's.

    Those of cells on which the camera now sees another label than then are dropped: something was moved.
    """
    unsure = set(evidence.unsure())
    seen = {cell: evidence.best(cell) for cell in state.overrides if cell in evidence.row and cell not in unsure}
    overruled = {**seen, **state.overruled}
    kept = {cell: word for cell, word in state.overrides.items() if seen.get(cell) in (None, overruled.get(cell))}
    state = replace(state, overrides=kept, overruled={cell: overruled[cell] for cell in kept if cell in overruled})
    known = [(evidence.row[c], evidence.column[label]) for c, label in kept.items() if c in evidence.row]
    if not known:
        return state, evidence
    log_p, weight, visible = evidence.log_p.copy(), evidence.weight.copy(), evidence.visible.copy()
    for row, column in known:
        log_p[row], weight[row], visible[row] = np.log(1e-9), np.log(1e-9), True
        log_p[row, column] = weight[row, column] = 0.0
    return state, replace(evidence, log_p=log_p, weight=weight, visible=visible)


def _judge(state: State, evidence: Evidence) -> Finding:
    progress = state.progress
    before = progress.past[-1] if progress.past else None
    last = state.sight.frames[-1]
    touched = looks.touched_since_known(last, _known_looks(state))
    if isinstance(state.verdict, Refused):  # the players were told what to put back, and come to these cells for that
        touched &= ~np.broadcast_to(_puts_right(state), touched.shape)
    asks = state.judges_only or isinstance(state.verdict, TookBack) or choices.has_standing(state)
    return judge(
        state.rules,
        progress.position,
        progress.left_open,
        evidence,
        pressed=state.pressed and not asks,
        before=before,
        touched=[Cell(cell) for cell, differs in zip(last.cells, touched, strict=True) if differs],
        bare=_is_bare(state),
        unseen=[choice.action for choice in state.rules.turns.choices(progress.position) if choice.action],
    )


def _unsure_though_it_agrees(state: State, finding: Finding, evidence: Evidence) -> set[Cell]:
    """Return the cells in doubt on a table that agrees with the game: those that players can do something about.

    They can do nothing about a visible cell whose new label was accepted, about an empty one that nobody came to, and
    about a piece that looks as before, if most probably these are as the game has them. But a piece that does not look
    as before may have fallen, and what lies across the edge of an empty cell may belong to it.
    """
    lies, seen, memory = evidence.in_sight(placement(state)), state.sight.frames[-1], _known_looks(state)
    same, new = looks.same_since_known(seen, memory), {cell for cell in finding.best.expects if cell in evidence.row}
    came_to = _came_to(state, evidence)
    quiet = (cell for cell, label in lies.items() if cell in same or (label == EMPTY and cell not in came_to))
    known = {cell for cell in quiet if evidence.recolours(cell, {lies[cell]}) <= 0}
    unsure = {*evidence.unsure()} | _lying_across(state, evidence, {**lies, **finding.best.expects})
    return unsure - {cell for cell in new | known if evidence.visible[evidence.row[cell]]}


def _lying_across(state: State, evidence: Evidence, lies: Mapping[Cell, str]) -> set[Cell]:
    """Return the empty cells across whose edges something lies, unless they are surely empty beside a piece.

    A piece on the line between two cells is read as neither, with certainty. What stands on a neighbouring cell may
    lean into the picture of an empty one, or shade it. `lies` has the labels of all places, after a move that counts.
    """
    lies, unsure = evidence.in_sight(lies), {*evidence.unsure(STAYED)}
    full = {cell for cell, label in lies.items() if EMPTY not in (label, evidence.best(cell))}
    crossed = _crossed(state, evidence) & lies.keys()
    return {cell for cell in crossed if cell in unsure or full.isdisjoint(around(evidence.cells, cell))}


def _with_doubts(state: State, finding: Finding, evidence: Evidence) -> State:
    """Name the doubtful cells, and those whose certain reading differs from the game's position."""
    open_cells = {todo.cell for todo in state.progress.left_open}
    agrees = finding.decision in (Kind.LEGAL, Kind.UNCHANGED, Kind.PUT_BACK)
    lies = evidence.in_sight(placement(state))
    unsure = lies.keys() & (_unsure_though_it_agrees(state, finding, evidence) if agrees else evidence.unsure())
    if agrees and _is_bare(state):  # how the print looks is learned now: there is nothing to straighten
        unsure = {cell for cell in unsure if not evidence.visible[evidence.row[cell]]}
    # Where nobody knows yet what was played, what a legal action expects may be a move; and while a hand hides cells
    # that decide, what is missing may be beneath it, and what stands beside it is half covered.
    undecided = finding.decision is Kind.AMBIGUOUS and not before_play(state)
    covered = undecided and not {*finding.cells}.isdisjoint(stability.hidden(state.sight.frames))
    moves = {change for rival in finding.rivals for change in rival.expects.items()} if undecided else set()
    expected = {} if agrees or covered else lies
    odds = ((c, label, evidence.best(c)) for c, label in expected.items() if c not in unsure | open_cells)
    named = set(finding.cells) if before_play(state) else set()
    differs = (
        PendingPlacement(cell, label, seen)
        for cell, label, seen in odds
        if (cell, seen) not in moves
        if evidence.of(cell, seen) > evidence.of(cell, label) or (cell in named and seen != label)
    )
    return replace(state, doubt=tuple(c for c in evidence.cells if c in unsure), out_of_step=tuple(differs))


def _ticked_off(state: State, finding: Finding, evidence: Evidence) -> Step:
    """Record what was left to do and is done by now, also beside something wrong; a legal action does that itself."""
    if finding.decision not in (Kind.UNCHANGED, Kind.ILLEGAL, Kind.AMBIGUOUS):
        return state, ()
    left = still_open(state.progress.left_open, evidence)
    gone = [todo for todo in state.progress.left_open if todo not in left]
    agrees = finding.decision is Kind.UNCHANGED
    done = tuple(todo.cell for todo in gone if agrees or evidence.best(todo.cell) == todo.expected)
    return recorded(state, Put(done)) if done else (state, ())


def _conclude(state: State, finding: Finding, evidence: Evidence) -> Step:  # noqa: PLR0911 - one line a decision
    match finding.decision:
        case Kind.LEGAL if state.pressed or finding.best.position != state.rejected_position:
            # what was played, unless the companion asked for a different move for its own seat
            best = finding.best
            if state.request is not None and best.position != state.request.outcome.position:
                return _complain(state, Refused("not-as-asked", "", tuple(best.expects)))
            source = ActionSource.OVERRULED if state.overrides else ActionSource.CAMERA
            actions = in_a_row(state, best.actions)
            return accepted(state, actions, left_to_do(best, evidence), source)
        case Kind.LEGAL:
            return replace(state, waiting=Waiting("put-back", _cells(state.out_of_step))), ()
        case Kind.UNCHANGED:
            return _report_unchanged(state)
        case Kind.PUT_BACK:
            return took_back(state, rejected_position=None)
        case Kind.ILLEGAL:
            best = finding.best
            return _report_unexplained(state, Refused(best.code, best.rule, finding.cells, best.facts), evidence)
        case Kind.AMBIGUOUS:
            possible = tuple(rival.action for rival in finding.rivals if rival.action is not None)
            return _report_unexplained(state, Unclear("ambiguous", finding.cells, possible), evidence)


def _report_unexplained(state: State, verdict: Refused | Unclear, evidence: Evidence) -> Step:
    """Report a table that no legal action explains, unless two in a row do; offer to return to an earlier position.

    DONE confirms at once that the last action was put back, unless a legal action explains the table as well.
    """
    patient = state.pressed or state.sight.patient
    if not (patient or state.sight.looks >= stability.ROW_LOOKS) or before_play(state) or state.request is not None:
        return _complain(state, verdict)
    back = actions_back(state, evidence) if patient else 0
    if state.pressed and back == 1 and isinstance(verdict, Unclear) and not verdict.actions:
        return took_back(state, rejected_position=None)
    row = actions_in_a_row(state, evidence) if isinstance(verdict, Refused) else None
    if row is None or row[1].best.position == state.rejected_position:
        return _complain(replace(state, goes_back=back), verdict)
    earlier, last = row
    actions = in_a_row(state, (*earlier, *last.best.actions))
    return accepted(state, actions, left_to_do(last.best, evidence), ActionSource.CAMERA)


def _cells(differences: Sequence[PendingPlacement]) -> tuple[Cell, ...]:
    return tuple(difference.cell for difference in differences)


def _complain(state: State, verdict: Refused | Unclear) -> Step:
    """Report what is wrong once it has lasted for a while; an earlier report is not repeated."""
    if not (state.pressed or state.sight.patient):
        return replace(state, waiting=Waiting("settling")), ()
    hidden = stability.hidden(state.sight.frames) if isinstance(verdict, Unclear) else ()
    unseen = [cell for cell in verdict.cells if cell in hidden]
    if unseen and not state.pressed and state.sight.looks < stability.HIDDEN_LOOKS:  # it may come to light
        return replace(state, waiting=Waiting("hand", verdict.cells)), ()
    if before_play(state) and not state.pressed:
        return replace(state, waiting=Waiting("set-up", _cells(state.out_of_step))), ()
    if unseen:
        verdict = replace(verdict, code="hand", cells=tuple(unseen))
    after = replace(state, verdict=verdict, pressed=False, rejected_position=None)
    if _reason(state.verdict) != _reason(verdict) or state.complained_look is None:
        after = replace(after, complained_look=state.sight.frames[-1] if state.sight.frames else None)
    if not state.pressed and _reason(state.verdict) == _reason(verdict):
        # what DONE made likely enough to offer stays on offer while the same table lies there
        keeps = isinstance(verdict, Unclear) and not verdict.actions and lies_as_reported(state)
        return replace(after, verdict=state.verdict) if keeps else after, ()
    # DONE confirms that the game goes back, or takes an unexplained table; if a legal action explains it as well, the
    # players choose with MODE
    codes = [choice.code for choice in choices.alternatives(after)]
    confirmed = [choices.GO_BACK, *([choices.TAKE_TABLE] if verdict.code == ALTERED else [])]
    open_to_all = isinstance(verdict, Unclear) and verdict.actions
    chosen = None if open_to_all else next((codes.index(code) for code in confirmed if code in codes), None)
    signal = Signal.UNSURE if isinstance(verdict, Unclear) else Signal.REFUSED
    kept = () if isinstance(verdict, Unclear) else (SavePicture(Picture.REFUSED),)
    return replace(after, chosen=chosen, stepped=False), (Buzz(signal), *kept)


def lies_as_reported(state: State) -> bool:
    """Return whether the table was not touched since it was reported."""
    if state.complained_look is None:
        return True
    if not state.sight.frames:
        return False
    return stability.lies_untouched(state.complained_look, state.sight.frames[-1])


def _reason(verdict: Verdict | None) -> tuple[str, tuple[Cell, ...]] | None:
    return (verdict.code, verdict.cells) if isinstance(verdict, Refused | Unclear) else None


def _report_unchanged(state: State) -> Step:
    """Handle a table that has not changed or was corrected.

    DONE confirms that moves back and forth are taken back, unless it plays a choice.
    """
    still = replace(state, resumed=False, setting_up=False, rejected_position=None, pressed=False)
    if state.pressed or not isinstance(state.verdict, Confirmed | TookBack):
        still = replace(still, verdict=Unchanged())
    if not state.pressed:
        return still, ()
    choice = None if state.judges_only else choices.shown_choice(state)
    if choice is None:
        back = 0 if state.judges_only or before_play(state) else round_trip(state)
        return took_back(still, None, back) if back else (still, (Buzz(Signal.UNSURE),))
    return choices.choose(still, choice)


# ---- a card next to the board: drawn, turned or mirrored; it counts once several still frames agree on it


def judge_card(state: State) -> Step | None:
    """Play the action that a card next to the board means, or refuse the card; None if it calls for neither."""
    card, watched = state.sight.card, state.pressed or state.progress.mode is Mode.AUTOMATIC
    frames = stability.LEAST_FRAMES_PRESSED if state.pressed else stability.LEAST_FRAMES
    if card is None or state.sight.card_frames < frames or not watched:
        return None
    meaning = state.rules.beside(state.position, card)
    if meaning.agrees:
        if state.card == card:
            return None
        cleared = isinstance(state.verdict, Refused) and CARD in state.verdict.facts  # an earlier refusal of the card
        return replace(state, card=card, verdict=None if cleared else state.verdict), ()
    # a card drawn by chance counts once; a player's change to a card counts if it was seen as expected before
    before, by_chance = state.card, state.rules.engine.to_act(state.position) == "dice"
    same = before is not None and before.number == card.number and state.rules.beside(state.position, before).agrees
    if meaning.actions and (state.pressed or (before != card if by_chance else same)):
        # if the actions determine the starting pieces, setting these up comes next
        laid = bool(placement(state))
        after, effects = replace(state, card=card), list[Effect]()
        for action in meaning.actions:
            after, ordered = entered(after, action, ActionSource.CAMERA)
            effects += ordered
        return (after if laid else replace(after, setting_up=True)), tuple(effects)
    refusal = meaning.refusal
    if refusal is None or (state.sight.card_lies_s < CARD_PATIENCE_S and not state.pressed):
        return None
    verdict = Refused(refusal.code, refusal.rule, (), {CARD: card.number})
    after = replace(state, verdict=verdict, pressed=False)
    return after, () if state.verdict == verdict and not state.pressed else (Buzz(Signal.REFUSED),)


# ---- tables that no single action explains: actions of several players in turn, or a return to an earlier position


@dataclass(frozen=True, slots=True)
class _Row:
    """Actions that players may have taken in turn, and the log odds by which they explain the evidence better."""

    actions: tuple[Action, ...]
    position: Any
    left_open: Sequence[PendingPlacement]
    gain: float = 0.0


def actions_in_a_row(state: State, evidence: Evidence) -> tuple[tuple[Action, ...], Finding] | None:
    """Return the actions of players in turn and the finding after the last, if that is certain; None otherwise.

    Each action leaves a trace: one that shows nowhere does not explain that another player's piece was moved. How many
    unseen actions of one player may follow one another is up to the game's own explanations. The fewest actions that
    explain the table count, unless there are several ways to it.
    """
    rows = [_Row((), state.position, state.progress.left_open)]
    for _further in range(MOST_IN_A_ROW - 1):
        longer = [after for row in rows for after in _continue(state, row, evidence)]
        rows = nlargest(MOST_TRIED, {row.position: row for row in longer}.values(), key=lambda row: row.gain)
        found = {}
        for row in rows:
            unseen = [choice.action for choice in state.rules.turns.choices(row.position) if choice.action]
            last = judge(state.rules, row.position, row.left_open, evidence, unseen=unseen)
            if last.decision is Kind.LEGAL and last.best.expects and not last.best.then:
                found[last.best.position] = (row.actions, last)
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _continue(state: State, row: _Row, evidence: Evidence) -> Iterator[_Row]:
    """Yield the row with one more legal action, the best explanations first, if another player is next.

    Where the pieces of others lie they may have been laid since: that hides what the first action left there.
    """
    rules, seat = state.rules, acting(state.rules.engine, row.position)
    if not row.actions:  # for later ones too, the search would take several times as long
        others, pieces = {*state.players} - {seat}, {cell: parse_label(evidence.best(cell)) for cell in evidence.cells}
        evidence = evidence.overlaid([cell for cell, piece in pieces.items() if not others.isdisjoint(piece.colours)])
    before = evidence.in_sight(rules.placement(row.position))
    listed = rules.explanations(row.position, row.left_open, evidence)

    def gain(hypothesis: AnyHypothesis) -> float:
        changed = ((cell, label) for cell, label in hypothesis.expects.items() if cell in before)
        return sum(evidence.of(cell, label) - evidence.of(cell, before[cell]) for cell, label in changed)

    legal = (h for h in listed if h.kind is Kind.LEGAL and not (h.undone or h.then) and gain(h) > NOTEWORTHY)
    for action in nlargest(MOST_TRIED, legal, key=gain):
        if action.position is not None and acting(rules.engine, action.position) not in (None, seat):
            played = (*row.actions, *action.actions)
            yield _Row(played, action.position, left_to_do(action, evidence), row.gain + gain(action))


def actions_back(state: State, evidence: Evidence) -> int:
    """Return how many actions ago the table certainly was as it is now, 0 if it never was."""
    now = evidence.in_sight(placement(state))
    for back, past in enumerate(reversed(state.progress.past[-MOST_BACK:]), 1):
        then = evidence.in_sight(state.rules.placement(past.position))
        changed = [cell for cell, label in then.items() if now.get(cell) != label]
        seen = changed and all(evidence.confirms(cell, {then[cell]}) for cell in changed)
        if seen and not contradicted(then, evidence):
            return back
    return 0


def round_trip(state: State) -> int:
    """Return how many actions led one player's pieces away and back to where they are now, 0 if none did.

    Each of them left a trace: an action that looks the same before and after is not part of a round trip.
    """
    past, lies = state.progress.past, placement(state)
    seat, later = past[-1].seat if past else None, lies
    for number, one in enumerate(reversed(past[-MOST_IN_A_ROW:]), 1):
        then = state.rules.placement(one.position)
        if seat is None or one.seat != seat or one.played is None or then == later:
            return 0
        if then == lies:
            return number
        later = then
    return 0
