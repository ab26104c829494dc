"""Remembers how each cell looked when its label was known, and revises readings by whether it still looks so.

One camera sees one table in one light for a whole evening. A cell that looks exactly as it did when its label was
known still has that label, whatever a model reads. A cell that looks different was touched, and its reading is compared
with the reading of the known label: a model misjudges the height of a stack, but hardly whether it grew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.labels import EMPTY, bare_label, parse_label
from vision.looks.pieces import (
    beyond_light,
    cards_moved,
    changes_in_part,
    light_changed,
    lighter_and_darker,
    middle_change,
    middle_colours,
    on_card,
    one_by_one,
    relative,
    steps_up,
    still_on_card,
)
from vision.looks.tones import KnownTones, Labels
from vision.observation import Observation

SAME_UNTO = 2.5
"""A cell whose look has changed by that many times as much as most cells' is as likely the same as not; if most have
changed by that many times the noise between two pictures, the light has changed."""

LEAST_NOISE = 0.003
"""Noise of a picture without any, such as of a simulated one: a share of white."""

STEEPNESS = 8.0
"""How fast that probability falls with the logarithm of the difference: 0.999 at the noise, 0.001 at six times it."""

STACK_SAME_UNTO, STACK_STEEPNESS = 2.2, 16.0
"""The same of stacks, whose change is free of what light does: of 2,027 that nobody had touched it was 1.8 times the
noise at most, in a neighbour's light 2.06; where the number had changed 1 in 100 changed by less than 2.7 times."""

MOST_OVERRULED, LEAST_READ = 3.0, 1e-6
"""A tone makes no label that many times as probable as the one that was read: a glare looks like another colour."""

LOOKS_ALIKE = 1e-3
"""Probability that a cell looks the same although its label has changed."""

TOUCHED = 7.5
"""From that many times the noise on a cell was certainly touched.

Of 300 stacks under 30 simulated cameras 99 in 100 changed by no more than 1.1 times the noise beyond light when a
neighbour came; half by 2.5, 4.7 and 8.7 when they were pushed by 0.25, 0.5 and 1 mm; and of those on which a counter
was added 1 in 100 by less than 2.7, 1 in 20 by less than 4, half by 12 or more."""

PUSHED_ONLY, PUT_RIGHT = 0.0007, 20.0
"""Odds that a stack that was touched is as high as before: somebody only pushed it, or put a move back.

An estimate, made on six recorded evenings: one hand in two hundred only pushes a stack, and the games' priors count an
unchanged table as seven times as probable as any single move."""

SAME_PIECE = 0.2
"""The same of a piece or card that is not a stack: hands that come to a cell mostly change what is on it."""

STILL_EMPTY = 0.02
"""The same of a cell that looks different from when it was empty and a corner does not, which no light does; an
estimate."""

OVERLOOKED = 0.5
"""Share of the log odds of "empty" in a reading that does not count where a cell looks different from the empty one,
and not by a shadow: a piece of its ground's colour is read as empty in every picture. An estimate: of 31 black discs on
a black board and white ones on a white board that were read so, half were with more than 0.998."""

UNREACHED = 0.999
"""Probability that nobody came to the table when nothing was seen to move over it; an estimate: a hand may be quicker
than a slow camera."""

MISREAD_ANEW = 0.02
"""Probability that a cell that was read right is read as something else only because the light has changed; an
estimate."""

CHANGED = 0.03
"""Probability that what is on a cell has changed, against which that of being covered is weighed where a cell looks
different: a hand at rest does, too. An estimate: a move changes one to ten cells of a table. On 261 rendered pictures
3 in 1,000 visible pieces count as hidden with more, and all of 13 hidden ones that were not told as such."""

TONE, MOST_TONE = 0.08, -6.0
"""Standard deviation of the colour in the middle of a piece that was only pushed, as a share of white, and the most
that its change says."""

SAME_TONE = 0.05
"""Probability that another piece has the colour that was in the middle of a cell before."""


@dataclass(frozen=True, slots=True, eq=False)
class TableMemory:
    """How the cells of a table looked when their labels were known.

    Attributes:
        labels: the known label of each cell that is remembered.
        seen: the mean reading of that time; visible are the cells that are remembered.
        noise: how much one cell differs between two frames in which nothing moves.
        tones: the colours of labels in this session.
        bare: how each cell looked when nothing stood on it; visible are the cells for which that is known.
        bare_labels: the label of each cell then: empty, or a card.
        doubted: the probabilities of all labels, (n_labels,), by cell and label, where the label is not certain:
            nothing was accepted since the light changed, or a move was taken back.
        other_light: the memory of the table in the light before this one, None without any.
        lit_anew: whether the camera has seen the light change since.
        reached: whether something has moved over the table since.
        coloured: whether the table's pieces differ in colour, so that another one has another colour.
    """

    labels: Mapping[str, str]
    seen: Observation
    noise: float
    tones: KnownTones = field(default_factory=KnownTones)
    bare: Observation | None = None
    bare_labels: Mapping[str, str] = field(default_factory=dict)
    doubted: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)
    other_light: TableMemory | None = None
    lit_anew: bool = False
    reached: bool = False
    coloured: bool = True


def from_tones(tones: KnownTones, frame: Observation, labels: Labels) -> TableMemory | None:
    """Return a memory of only the colours of an earlier session.

    None if the table, whose cells must have `labels`, has other tones now: it is another one, or in another light.
    """
    if not tones.agrees(frame, labels):
        return None
    return TableMemory({}, _nothing_seen(frame), LEAST_NOISE, tones)


def in_its_light(frame: Observation, memory: TableMemory) -> TableMemory:
    """Return the memory for the light of a frame: that of the light before if most cells look as then, else `memory`.

    An arm over the table shades most of it for a while. Cells whose label has changed since are unknown in that light.
    """
    earlier = memory.other_light
    if earlier is None or memory.seen.cells != frame.cells or not _is_relit(_difference(frame, memory), memory):
        return memory
    same = [earlier.labels.get(cell) == memory.labels.get(cell) for cell in frame.cells]
    seen = replace(earlier.seen, visible=earlier.seen.visible & memory.seen.visible & np.array(same))
    known = replace(earlier, labels=memory.labels, seen=seen, tones=memory.tones)
    if not seen.visible.any() or _is_relit(_difference(frame, known), known):
        return memory
    return replace(known, other_light=replace(memory, other_light=None))


def follow(memory: TableMemory, frame: Observation, *, reached: bool) -> TableMemory:
    """Return a memory that knows whether a frame showed another light, and whether something moved over the table."""
    lit_anew, reached = memory.lit_anew or frame.relit, memory.reached or reached
    is_new = (lit_anew, reached) != (memory.lit_anew, memory.reached)
    return replace(memory, lit_anew=lit_anew, reached=reached) if is_new else memory


def stacks_in_new_light(frame: Observation, memory: TableMemory | None) -> NDArray[np.bool_]:
    """Return which cells have known stacks, if the light has changed since they were known, (n_cells,).

    A lamp that is switched hardly changes flat cells, since the light is divided out, but the sides of a stack, their
    shadows and reflections: that these look different does not say that anybody touched them.
    """
    if memory is None or not memory.lit_anew or memory.seen.cells != frame.cells:
        return np.zeros(len(frame.cells), dtype=np.bool_)
    known = (memory.labels.get(cell, EMPTY) for cell in frame.cells)
    return np.array([label != EMPTY and _stacks(steps_up(frame.labels, label)) for label in known], dtype=np.bool_)


def refine(
    frame: Observation, memory: TableMemory | None, *, put_right: bool | NDArray[np.bool_] = False
) -> Observation:
    """Return a frame with the probabilities of remembered cells revised by how their looks have changed.

    `put_right` is True, or a mask (n_cells,), for cells that players are correcting: a stack that was touched is then
    often as high as before.
    """
    if memory is None or memory.seen.cells != frame.cells:
        return frame
    memory = in_its_light(frame, memory)
    if frame.appearance is None or memory.seen.appearance is None:
        return frame
    mended = np.broadcast_to(put_right, len(frame.cells))
    change, dimmed = _change(frame, memory)
    relit, gains = _is_relit(change, memory), memory.tones.gains(frame)
    if not memory.coloured:  # the tone of a cell says whether a piece is there, not which
        pieces = np.array(frame.labels) != EMPTY
        gains[:, pieces] = gains[:, pieces].max(axis=1, keepdims=True)
    differs = _relative_change(frame, memory, change)
    since = _since_bare(frame, memory, change, dimmed=dimmed)
    recoloured = middle_colours(frame.appearance - memory.seen.appearance)
    tones = np.sqrt(np.square(recoloured).mean(axis=1))  # by how much the colour of each middle has changed
    empty, certain = steps_up(frame.labels, EMPTY), dict[int, NDArray[np.float64]]()
    same, covered = np.zeros(len(frame.cells)), _covered(frame)
    # 1. Weigh all readings by the tones of their labels.
    p = np.where(frame.visible[:, None], _weigh_by_tones(frame.p, gains), frame.p)
    for row in np.flatnonzero(np.isfinite(differs) & frame.visible).tolist():
        # 2. The probabilities if the cell was touched: its reading relative to that of the known label, ...
        known = memory.labels[frame.cells[row]]
        steps = steps_up(frame.labels, known)
        pushed = 1.0 if relit else _as_high(float(differs[row]), PUT_RIGHT if mended[row] else PUSHED_ONLY, steps)
        touched = relative(frame.p[row], memory.seen.p[row], steps, pushed)
        if known == EMPTY:  # ... one piece at a time, ...
            touched = _shares(touched * one_by_one(frame.labels))
        if relit and bare_label(known) not in (None, known):
            touched = still_on_card(touched, frame.labels, known)
        if not relit:
            # ... with the change of its tone, unless the light has changed, ...
            kept = 1.0 if mended[row] else _as_high(float(differs[row]), SAME_PIECE, steps)
            # a lamp, a shadow or the card below colours it
            coloured_alike = dimmed or known == EMPTY or bool(parse_label(known).card) or not memory.coloured
            touched = _with_change(touched, steps, kept, None if coloured_alike else float(tones[row]))
            # ... with "empty" less likely if it looks different from when it was empty, ...
            if since.unlike[row] > SAME_UNTO:
                nothing, certainly = empty == 0, _certainly(float(since.unlike[row]), SAME_UNTO)
                odds = float(touched[~nothing].sum() / touched[nothing].sum())
                still_empty = odds ** (OVERLOOKED * certainly * since.overlooked[row]) * STILL_EMPTY**certainly
                touched = _shares(touched * np.where(nothing, still_empty, 1.0))
        touched = _weigh_by_tones(touched[None], gains[[row]])[0]
        # ... and what its look says beside that of the bare cell.
        if not (relit or dimmed) and np.isfinite(since.differs[row]) and memory.bare is not None:
            bare = memory.bare_labels[frame.cells[row]]
            if since.in_part[row] and bare != EMPTY:
                read = frame.p[row], memory.bare.p[row]
                touched = on_card(*read, frame.labels, bare, known, moved=bool(since.moved[row]))
            touched = _mix(_same(float(since.differs[row])), _surely(steps_up(frame.labels, bare)), touched)
        known_by = (STACK_SAME_UNTO, STACK_STEEPNESS) if _stacks(steps) else (SAME_UNTO, STEEPNESS)
        same[row] = 0.0 if relit else _same(float(differs[row]), *known_by)
        # A cell that is covered may have any label.
        certain[row] = memory.doubted.get((frame.cells[row], known), _surely(steps))
        p[row] = _mix(float(covered[row]), np.full(len(steps), 1.0 / len(steps)), touched)
    # 3. Mix these with the known label, by the probability that the cell looks the same, or that nobody came to the
    #   table: where most cells look as they did, the light has not changed the others. One cell may be misread in a new
    #   light; several that are read as something else at once say that somebody came.
    apart = [float(p[row, one.argmax()] / p[row].max()) for row, one in certain.items()]
    unread = UNREACHED * float(np.clip(apart, MISREAD_ANEW, 1.0).prod())
    nobody_came = unread / (unread + 1.0 - UNREACHED) if relit and memory.lit_anew and not memory.reached else 0.0
    for row, one in certain.items():
        p[row] = _mix(max(float(same[row]), nobody_came), one, p[row])
    hidden = np.isfinite(differs) & ((1.0 - same) * covered > 0.5)
    return replace(frame, p=p, visible=frame.visible & ~hidden)


def _covered(frame: Observation) -> NDArray[np.float64]:
    """Return the probability that cells that look different are covered, not changed, (n_cells,).

    It is 0 if the reader does not say how probably something hides a cell that counts as visible.
    """
    if frame.p_hidden is None:
        return np.zeros(len(frame.cells))
    # Bayes' rule: a covered cell always looks different, one in sight with the probability CHANGED.
    return np.asarray(frame.p_hidden / (frame.p_hidden + (1.0 - frame.p_hidden) * CHANGED))


def learn(
    frames: Sequence[Observation],
    labels: Labels,
    undone: Labels,
    memory: TableMemory | None,
    *,
    put_right: bool | NDArray[np.bool_] = False,
    unchanged: bool = False,
    coloured: bool = True,
    beside: Collection[str] = (),
) -> TableMemory | None:
    """Return a memory with the looks of the cells in still frames, as seen with their true `labels`.

    A cell that looks different from its remembered look, with the same label, keeps its earlier look, until most cells
    look different, or all was `put_right`: then the light has changed, or the camera has moved. Cells on which
    something is `undone` keep the look of the label that was observed there. Where the table was only found `unchanged`
    in a new light, or after a move was taken back, each label is as probable as it was read until something is
    accepted: a piece may have come with the light, or not be back yet. The empty cells `beside` what was moved keep no
    look from before, in no light: it leans over them, or shades them.
    """
    seen = _mean(as_in_last(frames))
    if seen is None:
        return memory
    memory = memory and in_its_light(seen, memory)
    shaded = np.array([cell in beside and labels.get(cell) == EMPTY for cell in seen.cells], dtype=np.bool_)
    keeps = _kept(seen, labels, undone, memory, put_right=put_right) & ~(shaded & seen.visible)
    known_labels, p, visible = dict[str, str](), seen.p.copy(), seen.visible.copy()
    appearance = None if seen.appearance is None else seen.appearance.copy()
    for row, cell in enumerate(seen.cells):
        if memory is not None and keeps[row]:
            p[row], visible[row], known_labels[cell] = memory.seen.p[row], True, memory.labels[cell]
            if appearance is not None and memory.seen.appearance is not None:
                appearance[row] = memory.seen.appearance[row]
        elif cell in labels and cell not in undone:
            known_labels[cell] = labels[cell]
        else:
            visible[row] = False
    kept = {seen.cells[row] for row in np.flatnonzero(keeps)}  # something on them may have been overlooked
    known = {cell: label for cell, label in labels.items() if cell not in undone and cell not in kept}
    tones = (memory.tones if memory else KnownTones()).learned(seen, known)
    bare, bare_labels = _bare_looks(seen, known, memory)
    other, doubted = (memory.other_light, memory.doubted) if memory else (None, {})
    relit = (
        memory is not None and memory.seen.cells == seen.cells and _is_relit(_difference(frames[-1], memory), memory)
    )
    other = replace(memory, other_light=None) if memory is not None and relit else other
    if other is not None and other.seen.cells == seen.cells:
        other = replace(other, seen=replace(other.seen, visible=other.seen.visible & ~shaded))
    if not unchanged:
        other, doubted = other and replace(other, doubted={}), {}
    elif memory is not None:
        lit = {cell for cell, stack in zip(seen.cells, stacks_in_new_light(seen, memory), strict=True) if stack}
        new = {*known_labels} if relit else lit
        doubted = {**doubted, **_only_read(seen, known_labels, memory, new, put_right=put_right)}
    seen = replace(seen, p=p, appearance=appearance, visible=visible)
    least = noise(frames, memory.noise if memory else None)
    return TableMemory(known_labels, seen, least, tones, bare, bare_labels, doubted, other, coloured=coloured)


def _only_read(
    seen: Observation,
    labels: Mapping[str, str],
    memory: TableMemory,
    new: Collection[str],
    *,
    put_right: bool | NDArray[np.bool_],
) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Return the probabilities of all labels, (n_labels,), on the cells whose own label only this reading supports.

    Those are the cells in a `new` light, and the ones that had another label before: a move was taken back.
    """
    others = {cell for cell, label in labels.items() if memory.labels.get(cell, label) != label}
    if not (cells := {*new} & labels.keys() | others):
        return {}
    read = refine(seen, forgotten(memory, labels), put_right=put_right)
    return {
        (cell, labels[cell]): p
        for cell, p, shown in zip(read.cells, read.p, read.visible, strict=True)
        if shown and cell in cells
    }


def _bare_looks(
    seen: Observation, labels: Mapping[str, str], memory: TableMemory | None
) -> tuple[Observation | None, Mapping[str, str]]:
    """Return the looks and the labels of cells when nothing stood on them: seen now if bare, else remembered.

    A card that was turned over, exchanged or covered meanwhile was not seen bare, and no cell was in a new light.
    """
    if seen.appearance is None:
        return None, {}
    bare, earlier = _nothing_seen(seen), {}
    known = memory is not None and memory.bare is not None and memory.bare.cells == seen.cells
    if known and memory is not None and memory.bare is not None and not _is_relit(_difference(seen, memory), memory):
        bare, earlier = memory.bare, dict(memory.bare_labels)
    p, looks, visible, words = bare.p.copy(), np.array(bare.appearance), bare.visible.copy(), dict(earlier)
    for row, cell in enumerate(seen.cells):
        label = labels.get(cell)
        nothing = None if label is None else bare_label(label) or EMPTY
        if label is not None and label == nothing and seen.visible[row]:
            p[row], looks[row], visible[row], words[cell] = seen.p[row], seen.appearance[row], True, label
        elif nothing not in (None, words.get(cell)):
            visible[row] = False
    return replace(bare, p=p, appearance=looks, visible=visible), words


def _nothing_seen(seen: Observation) -> Observation:
    return replace(seen, visible=np.zeros_like(seen.visible))


def counted(frame: Observation, memory: TableMemory | None, placement: Labels) -> frozenset[Any]:
    """Return the cells with pieces whose number is known: a known number is misread less often than a new one.

    With looks, a stack that nobody touched is as high as before, and the reading of another was compared with that of
    its known label. Without them a number is known if it was read correctly; else it may be misread differently now.
    """
    if memory is None or memory.seen.cells != frame.cells:
        return frozenset()
    seen, cells = memory.seen, memory.seen.cells
    labels = [memory.labels.get(cell, EMPTY) for cell in cells]
    known = np.array([placement.get(cell) == label != EMPTY for cell, label in zip(cells, labels, strict=True)])
    alike = np.array(seen.labels)[seen.p.argmax(axis=1)] == np.array(labels)
    if seen.appearance is not None and frame.appearance is not None:
        alike = np.ones_like(alike)
    found = {cells[row] for row in np.flatnonzero(known & alike & seen.visible)}
    return frozenset(cell for cell in placement if cell in found)


def forgotten(memory: TableMemory | None, placement: Labels) -> TableMemory | None:
    """Return a memory without the cells whose label differs in a placement: they may have been misjudged."""
    if memory is None:
        return None
    right = [placement.get(cell) == memory.labels.get(cell) for cell in memory.seen.cells]
    seen = replace(memory.seen, visible=memory.seen.visible & np.array(right))
    return replace(memory, seen=seen)


def higher_or_lower(frame: Observation, memory: TableMemory | None) -> NDArray[np.bool_]:
    """Return a mask of the cells that are read as stacks of the known pieces, of any height, (n_cells,).

    Once an action is accepted that does not concern them, they are as high as before: evidence against that has been
    outweighed, and must not count again in the next turn.
    """
    stacked = np.zeros(len(frame.cells), dtype=np.bool_)
    if memory is None or memory.seen.cells != frame.cells:
        return stacked
    for row in np.flatnonzero(memory.seen.visible & frame.visible):
        steps = steps_up(frame.labels, memory.labels[frame.cells[row]])
        stacked[row] = _stacks(steps) and np.isfinite(steps[frame.p[row].argmax()])
    return stacked


def _difference(frame: Observation, memory: TableMemory) -> NDArray[np.float64]:
    """Return how much each cell's look has changed, as a share of white, (n_cells,); nan where that is not known."""
    return np.where(memory.seen.visible & frame.visible, changed_from(frame, memory.seen.appearance), np.nan)


def _change(frame: Observation, memory: TableMemory) -> tuple[NDArray[np.float64], bool]:
    """Return how much each cell's look has changed, as a share of white, (n_cells,), and whether the light has.

    Where most cells look different, but as before once all are made lighter or darker alike, what is left counts;
    otherwise the camera or the board has moved, or the light is too different to compare.
    """
    change = _difference(frame, memory)
    if not _is_relit(change, memory) or frame.appearance is None or memory.seen.appearance is None:
        return change, False
    # 1. By what factor each cell has become lighter in each colour (least squares), (n_cells, 3), ...
    shape = (len(frame.cells), -1, 3, frame.appearance[0, 0].size)
    now, then = (looks.reshape(shape).astype(np.float64) for looks in (frame.appearance, memory.seen.appearance))
    lighter = (now * then).sum(axis=(1, 3)) / np.maximum(np.square(then).sum(axis=(1, 3)), 1e-9)
    # 2. ... of which the median is the light's; what came onto a cell hardly moves it.
    light = np.median(lighter[np.isfinite(change)], axis=0)
    beyond = np.where(np.isfinite(change), np.abs(now - light[:, None] * then).mean(axis=(1, 2, 3)), np.nan)
    return (change, False) if _is_relit(beyond, memory) else (beyond, True)


@dataclass(frozen=True, slots=True, eq=False)
class _SinceBare:
    """How cells look different from when nothing stood on them, each (n_cells,).

    Attributes:
        differs: by how many times the noise; nan where that is not known.
        in_part: whether only in a small part.
        moved: whether the card was moved.
        overlooked: from 0 to 1, how much speaks for a piece that is read as empty: of the cell that was empty some is
            lighter now and some darker, which a shadow hardly does.
        unlike: by how many times the noise a cell has changed since it was empty; 0 if it never was, or light may have
            done that.
    """

    differs: NDArray[np.float64]
    in_part: NDArray[np.bool_]
    moved: NDArray[np.bool_]
    overlooked: NDArray[np.float64]
    unlike: NDArray[np.float64]


def _since_bare(frame: Observation, memory: TableMemory, change: NDArray[np.float64], *, dimmed: bool) -> _SinceBare:
    """Compare a frame with the looks of the bare cells; `change` is as `_change` returns it, (n_cells,)."""
    bare, nowhere = memory.bare, np.zeros(len(frame.cells), dtype=np.bool_)
    if bare is None or bare.cells != frame.cells or bare.appearance is None or frame.appearance is None:
        unknown = np.full(len(nowhere), np.nan)
        return _SinceBare(unknown, nowhere, nowhere, np.zeros(len(nowhere)), np.zeros(len(nowhere)))
    looks, least = (frame.appearance, bare.appearance), least_change(change)
    differs = np.where(bare.visible, changed_from(frame, bare.appearance), np.nan) / least
    were_empty = np.array([memory.bare_labels.get(cell) == EMPTY for cell in frame.cells]) & bare.visible
    unlit = were_empty & ~light_changed(*looks, SAME_UNTO * least) & (not dimmed)
    # Where a piece stood, or the middle looks different, a crumb or what lies across an edge is not all that is there.
    #   Hard shadows that move, where one lay before, make an empty cell a little lighter and a little darker.
    stood_on = np.array([memory.labels.get(cell, EMPTY) != EMPTY for cell in frame.cells])
    both, middle = lighter_and_darker(*looks) / least, middle_change(*looks) / least
    overlooked = np.array([_certainly(float(change), SAME_UNTO) for change in np.nan_to_num(both)])
    overlooked[stood_on] = both[stood_on] > SAME_UNTO
    whole = (overlooked > 0) & (stood_on | (middle > SAME_UNTO))
    unlike = np.where(unlit, np.where(whole, differs, middle), 0.0)
    return _SinceBare(differs, changes_in_part(*looks), cards_moved(*looks), overlooked, unlike)


def _relative_change(frame: Observation, memory: TableMemory, change: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each cell's change over that of most cells, (n_cells,); of stacks, and of cards that something lies or
    stands on, only the part that is not light: what a reader misses there is known by nothing but its look.

    In three evenings of Royal Racers shadows changed such cards by up to 51 times the noise, beyond light by up to 2.7;
    pawns that came or left changed them beyond light by 5.1 times and more.
    """
    least, moved, known = least_change(change), change.copy(), memory.seen
    if frame.appearance is not None and known.appearance is not None:
        for row in np.flatnonzero(np.nan_to_num(change, nan=0.0) > least):
            label = memory.labels.get(frame.cells[row])
            if label is not None and (parse_label(label).on_card or _stacks(steps_up(frame.labels, label))):
                moved[row] = min(moved[row], beyond_light(frame.appearance[row], known.appearance[row]))
    return moved / least


def _is_relit(change: NDArray[np.float64], memory: TableMemory) -> bool:
    """Return whether most cells look different: the light has changed, or the camera has moved."""
    return typical(change) > SAME_UNTO * memory.noise


def _with_change(
    p: NDArray[np.float64], steps: NDArray[np.float64], kept: float, change: float | None
) -> NDArray[np.float64]:
    """Return probabilities with the known piece less likely if its cell was touched or its middle's colour changed.

    Any other piece is less likely if the colour has hardly changed. `change` is None if colour says nothing, as of
    cards.
    """
    if not _stacks(steps):
        p = p * np.where(steps == 0, kept, 1.0)
    if change is not None:
        same = exp(max(-0.5 * (change / TONE) ** 2, MOST_TONE))
        p = p * np.where(np.isfinite(steps), same, max(1.0 - same, SAME_TONE))
    return _shares(p)


def _same(differs: float, same_unto: float = SAME_UNTO, steepness: float = STEEPNESS) -> float:
    """Return the probability that a cell was not touched, from how much it looks different."""
    odds = steepness * log(max(differs, 1e-6) / same_unto)
    return 1.0 / (1.0 + exp(min(odds, 30.0)))


def _surely(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of a cell that looks as when its label was certain; `steps` as `steps_up` returns."""
    return np.where(steps == 0, 1.0 - LOOKS_ALIKE, LOOKS_ALIKE / (len(steps) - 1))


def _mix(same: float, known: NDArray[np.float64], touched: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the known probabilities, with weight `same`, mixed with those of a cell that was touched."""
    return same * known + (1.0 - same) * touched


def _weigh_by_tones(p: NDArray[np.float64], gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return readings (n_cells, n_labels) weighted by the tones' log gains; if the two disagree neither is certain."""
    weighed = _shares(p * np.exp(gains))
    rows = np.arange(len(p))
    read = weighed[rows, p.argmax(axis=1)]
    return _shares(np.minimum(weighed, np.maximum(read, LEAST_READ)[:, None] * MOST_OVERRULED))


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights scaled so that each row sums to 1."""
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _as_high(differs: float, touched: float, steps: NDArray[np.float64]) -> float:
    """Return the odds that a piece which looks this different is as before, 1 to `touched`.

    The shadow of a neighbour makes it look a little different; from `TOUCHED` times the noise on it was certainly
    touched. Of a stack shadows do not count, and what exceeds the noise may be a small push.
    """
    return float(touched ** _certainly(differs, 1.0 if _stacks(steps) else SAME_UNTO))


def _certainly(differs: float, least: float) -> float:
    """Return how certainly a cell was touched, from 0 at `least` times the noise to 1 at `TOUCHED` times it."""
    return min(log(max(differs, least) / least) / log(TOUCHED / least), 1.0)


def _stacks(steps: NDArray[np.float64]) -> bool:
    """Return whether the table has labels of several heights of the known piece."""
    return bool(np.isfinite(steps).sum() > 1)


def _kept(
    seen: Observation,
    labels: Labels,
    undone: Labels,
    memory: TableMemory | None,
    *,
    put_right: bool | NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which cells keep their earlier look of the same label.

    Those are the hidden ones, those that look different, and those on which something is left to do.
    """
    if memory is None or memory.seen.cells != seen.cells:
        return np.zeros(len(seen.cells), dtype=np.bool_)
    change = _difference(seen, memory)
    observed = {**labels, **undone}
    known = np.array([memory.labels.get(c) == observed.get(c) for c in seen.cells]) & memory.seen.visible
    changed = np.nan_to_num(in_noise(change), nan=0.0) > SAME_UNTO
    mended = np.broadcast_to(put_right, len(seen.cells))
    is_open = np.array([cell in undone for cell in seen.cells])
    return np.asarray(known & (is_open | ~seen.visible | (changed & ~mended & (not _is_relit(change, memory)))))


# ---- how much looks different


def touched_since(frame: Observation, earlier: Observation) -> NDArray[np.bool_]:
    """Return which cells look different from in an earlier frame, or were hidden in it, (n_cells,)."""
    change = changed_from(frame, earlier.appearance)
    return np.asarray(~earlier.visible | (np.nan_to_num(in_noise(change), nan=0.0) > SAME_UNTO))


def touched_since_known(frame: Observation, memory: TableMemory | None) -> NDArray[np.bool_]:
    """Return which visible cells look different from when their label was known, (n_cells,).

    If the camera has moved, or the light is too different to compare, no cell is known to; no stack in a new light.
    """
    compared = _compare(frame, memory)
    differs = np.full(len(frame.cells), np.nan) if compared is None else _relative_change(frame, *compared)
    return np.asarray((np.nan_to_num(differs, nan=0.0) > SAME_UNTO) & ~stacks_in_new_light(frame, memory))


def same_since_known(frame: Observation, memory: TableMemory | None) -> dict[str, str]:
    """Return the known labels of the visible cells that look as they did then, by cell.

    If the camera has moved, or the light is too different to compare, no cell is known to.
    """
    if memory is None or (compared := _compare(frame, memory)) is None:
        return {}
    differs = np.nan_to_num(_relative_change(frame, *compared), nan=np.inf)
    return {frame.cells[row]: memory.labels[frame.cells[row]] for row in np.flatnonzero(differs <= SAME_UNTO)}


def covered_in_part(frame: Observation, memory: TableMemory | None) -> NDArray[np.bool_]:
    """Return which visible cells that were empty look quite different in a small part, (n_cells,).

    Something lies on their edge, or its shadow: a piece that is missing elsewhere may be there.
    """
    compared = _compare(frame, memory)
    then = None if compared is None else compared[0].seen.appearance
    if compared is None or then is None or frame.appearance is None:
        return np.zeros(len(frame.cells), dtype=np.bool_)
    (memory, change), looks = compared, (frame.appearance, then)
    were_empty = np.array([memory.labels.get(cell) == EMPTY for cell in frame.cells])
    much = np.nan_to_num(in_noise(change), nan=0.0) > TOUCHED
    lit = light_changed(*looks, SAME_UNTO * least_change(change))
    return np.asarray(were_empty & much & changes_in_part(*looks) & ~lit)


def _compare(frame: Observation, memory: TableMemory | None) -> tuple[TableMemory, NDArray[np.float64]] | None:
    """Return the memory for a frame's light and each cell's change since, (n_cells,); None if they do not compare."""
    if memory is None or memory.seen.cells != frame.cells:
        return None
    memory = in_its_light(frame, memory)
    change, _dimmed = _change(frame, memory)
    return None if _is_relit(change, memory) else (memory, change)


def as_in_last(frames: Sequence[Observation], least: int = 1) -> list[Observation]:
    """Return frames with the cells hidden that looked different from in the last one: they were touched meanwhile.

    A quick hand is in no frame, and a stack that is read with doubt hardly shows that it was there. A cell stays in
    all frames where it looked the same in fewer than `least`.
    """
    *earlier, last = frames or (None,)
    if last is None:
        return []
    same = [frame.visible & ~touched_since(last, frame) for frame in earlier]
    enough = np.sum([*same, last.visible], axis=0) >= least
    shown = [np.where(enough, alike, frame.visible) for frame, alike in zip(earlier, same, strict=True)]
    return [*(replace(frame, visible=cells) for frame, cells in zip(earlier, shown, strict=True)), last]


def uncover(frame: Observation, memory: TableMemory) -> Observation:
    """Return a frame with hidden cells that look as remembered made visible, with their remembered probabilities.

    Nothing covers a cell that looks as before but for the noise between two frames.
    """
    memory = in_its_light(frame, memory)
    known = memory.seen
    if frame.cells != known.cells:
        return frame
    same = np.nan_to_num(changed_from(frame, known.appearance), nan=np.inf) <= SAME_UNTO * memory.noise
    again = same & known.visible & ~frame.visible
    return replace(frame, p=np.where(again[:, None], known.p, frame.p), visible=frame.visible | again)


def changed_from(frame: Observation, earlier: NDArray[np.float32] | None) -> NDArray[np.float64]:
    """Return how much each cell's look differs from an earlier one, as a share of white; nan where that is unknown."""
    if frame.appearance is None or earlier is None:
        return np.full(len(frame.cells), np.nan)
    return np.asarray(np.abs(frame.appearance - earlier).mean(axis=(1, 2, 3)), dtype=np.float64)


def in_noise(change: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each cell's change over that of most cells, which only noise has changed, (n_cells,)."""
    return change / least_change(change)


def least_change(change: NDArray[np.float64]) -> float:
    """Return the change of a cell by noise alone, estimated as the median of all, as a share of white."""
    return max(typical(change), LEAST_NOISE / 2)


def typical(change: NDArray[np.float64]) -> float:
    """Return the median change of the cells, nan ignored; 0 without any."""
    known = change[np.isfinite(change)]
    return float(np.median(known)) if len(known) else 0.0


def noise(frames: Sequence[Observation], known: float | None) -> float:
    """Return how much one cell differs between frames of a still table, as a share of white; the median of the cells.

    Of a single frame, or of frames without looks, that is what is `known` from earlier ones, LEAST_NOISE without any.
    """
    looks = [frame.appearance for frame in frames if frame.appearance is not None]
    if len(looks) < 2:
        return LEAST_NOISE if known is None else known
    # While the light changes, frames differ by more than noise, and the same picture twice differs by less: the least
    #   change from one frame to the next is nearest to it.
    changes = [float(np.median(np.abs(now - before).mean(axis=(1, 2, 3)))) for before, now in pairwise(looks)]
    return max(LEAST_NOISE, min((change for change in changes if change > 0.0), default=0.0))


def _mean(frames: Sequence[Observation]) -> Observation | None:
    """Return the mean of some frames, of each cell in those that show it; None for no frames.

    Visible are the cells that the last one shows: a hand that has left is not waited for.
    """
    if not frames:
        return None
    # 1. Weights (n_frames, n_cells) that sum to 1 over the frames in which a cell is visible.
    shown = np.array([frame.visible for frame in frames])
    shares = shown / np.maximum(shown.sum(axis=0), 1)
    # 2. The weighted mean of the probabilities; a cell that no frame shows keeps its last reading.
    read = np.einsum("fc,fcl->cl", shares, [frame.p for frame in frames])
    p = np.where(np.any(shown, axis=0, keepdims=True).T, read, frames[-1].p)
    # 3. The same mean of the appearances, if every frame has them.
    looks = [frame.appearance for frame in frames if frame.appearance is not None]
    mean = np.einsum("fc,fchrk->chrk", shares.astype(np.float32), looks) if len(looks) == len(frames) else None
    return replace(frames[-1], p=p, visible=frames[-1].visible.copy(), appearance=mean)
