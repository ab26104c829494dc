"""Computes what came onto a card or an empty cell, and how high a stack is, from changes of looks and of readings.

A pawn covers a seventh of its card, and readers that look at cards coarsely miss it where its colour is that of the
symbols; a white counter on a light square is hardly seen either. How the bare card or cell looked shows it all the
same. A card that was turned over, exchanged or covered looks different everywhere; where only a small part changes
something stands on it. Of a stack a picture from above shows hardly more than whether it grew or shrank.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from vision.labels import bare_label, parse_label

CHANGED = 0.1
"""From that share of white on a square of a cell's look has changed: a shadow's edge changes it less."""

LEAST_PART, MOST_PART = 0.04, 0.4
"""Share of a card's squares that something small changes.

Of 28 pawns that came or left in a simulated race it was 0.08 to 0.25, of 19 cards that were turned or covered 0.75 and
more; 0.4 is in the middle of the two, as logarithms."""

UNMOVED = 0.02
"""From that share of white on a square of a card or tile that was moved has changed: of 26 pawns that came onto tiles
0.11 to 0.25 of the squares did, of five tiles that were laid down again 0.73 and more (royal-racers, seed 401)."""

LIGHT_IN_CORNERS = 0.5
"""From that part of the middle's change on the least of a corner counts as light on the whole cell. In one evening of
Royal Tee (seed 42) 274 cells whose corners had all changed were below and 36 above, none between 0.5 and 0.6."""

CAME, CAME_SPREAD, SAME_SPREAD, MOST_SAID = 8.0, 4.5, 0.8, log(1e3)
"""By how much likelier than on the bare card a thing is read, as a logarithm: mean and standard deviation where it
came, mean deviation where a part looks different and it did not, as by a tile that was laid askew; and the most that
this says. Under 44 drawn cameras half of 713 pawns that came were read by 7 likelier, 1 in 20 by less than 2.6; of 508
cards and tiles that were pushed by 2 to 5 mm 1 in 20 by more than 1.8, 1 in 100 by more than 3.1, at most by 4.1."""

FINGER = 0.1
"""How often a small part of a card that nothing covers changes and nothing came, against that something did: a finger's
tip or the edge of a shadow. A card that was laid again changes in part as often as something comes onto it."""

MORE = 0.01
"""Probability that more has changed than shows."""

LEAST = 1e-4
"""Probability below which nothing was read."""


def middle_colours(looks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean colours of the four squares in the middle of looks (n, channels, rows, columns), by channel."""
    rows, columns = ((size - 1) // 2 for size in looks.shape[2:])
    return np.asarray(looks[:, :, rows : rows + 2, columns : columns + 2].mean(axis=(2, 3)))


def changes_in_part(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask of the cells of which only a small part looks different, (n_cells,); all False if a look is NaN.

    Args:
        now, then: as `Observation.appearance`, (n_cells, heights x bgr, n, n).
    """
    share = _share_changed(now, then, CHANGED)
    return np.asarray((share >= LEAST_PART) & (share <= MOST_PART))


def cards_moved(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask of the cells of which more looks different than something small hides, (n_cells,): they were moved.

    Args:
        now, then: as `Observation.appearance`, (n_cells, heights x bgr, n, n).
    """
    return np.asarray(_share_changed(now, then, UNMOVED) > MOST_PART)


def _share_changed(now: NDArray[np.float32], then: NDArray[np.float32], least: float) -> NDArray[np.float64]:
    """Return the share of each cell's squares whose colour has changed by more than `least` at some height."""
    # The mean over a colour's channels, the largest over the heights: what changed at any height has changed.
    cells, channels, rows, columns = now.shape
    change = np.abs(now - then).reshape(cells, channels // 3, 3, rows, columns).mean(axis=2).max(axis=1)
    return np.asarray((change > least).mean(axis=(1, 2)))


def light_changed(now: NDArray[np.float32], then: NDArray[np.float32], same: float) -> NDArray[np.bool_]:
    """Return a mask of the cells whose corners look nearly as different as the rest, (n_cells,): a glare or a shadow.

    Whatever is put on a cell leaves corners of it free, where at most what stands beside it shows, or its shadow: one
    corner under each of 26 counters that came looked as before, but hardly any under tees that came in a row.

    Args:
        now, then: as `Observation.appearance`, (n_cells, heights x bgr, n, n), the lowest height first.
        same: change of a patch, as a share of white, up to which it looks as before.
    """
    change = np.abs(now[:, :3] - then[:, :3]).mean(axis=1)
    corners = change[:, :: change.shape[1] - 1, :: change.shape[2] - 1].min(axis=(1, 2))
    # What lies across an edge hardly changes the middle: then the corners are compared with the whole cell.
    elsewhere = np.maximum(change[:, 1:-1, 1:-1].mean(axis=(1, 2)), change.mean(axis=(1, 2)))
    return np.asarray(corners > np.maximum(same, LIGHT_IN_CORNERS * elsewhere))


def lighter_and_darker(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return by how much some squares of each cell look lighter and others darker, the smaller of the two, (n_cells,).

    A shadow makes nothing lighter, and nothing darker once it has left, unless another comes; a piece of its ground's
    colour has a lit rim and a dark one. In simulated evenings no square of 14 empty cells in the hard shadow of a tall
    neighbour was lighter by more than 1.3 times the noise. Of 32 black or white discs on their own colour 30 had a
    square that was lighter by 2.5 times the noise or more.

    Args:
        now, then: as `Observation.appearance`, (n_cells, heights x bgr, n, n), as shares of white.
    """
    change = (now - then).mean(axis=1)
    return np.asarray(np.minimum(change.max(axis=(1, 2)), -change.min(axis=(1, 2))), dtype=np.float64)


def middle_change(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return by how much three quarters of each cell's middle look different at least, as a share of white, (n_cells,).

    A piece covers the middle of its cell; crumbs, and what lies across an edge, leave most of it as it was.

    Args:
        now, then: as `Observation.appearance`, (n_cells, heights x bgr, n, n), the lowest height first.
    """
    change = np.abs(now[:, :3] - then[:, :3]).mean(axis=1)[:, 1:-1, 1:-1]
    return np.asarray(np.quantile(change.reshape(len(change), -1), 0.25, axis=1))


def on_card(
    now: NDArray[np.float64],
    bare: NDArray[np.float64],
    labels: tuple[str, ...],
    card: str,
    known: str,
    *,
    moved: bool = True,
) -> NDArray[np.float64]:
    """Return the probabilities of what is on a card that looks different from a bare one in a small part.

    The card and what covers it are as before, unless `moved`. Whether something stands on it follows from how much
    likelier it is read than on the bare card, as a reader that misses a pawn may see a hint of it; which thing it is,
    from the reading.

    Args:
        now, bare: probabilities as read now, and on the bare card, (n_labels,).
        labels: the table file's words.
        card: the bare card's label.
        known: the label that was known last.
        moved: whether the card, or what covers it, was laid down again, or turned over to a similar side, such as an
            ace and a pale back.
    """
    # 1. How much likelier something stands on the card than before, by the best of all things.
    standing, same = _standing(labels), _same_card(labels, card)
    things = sorted(set(standing) - {""})
    came = _came(max(_odds(now, standing, word) - _odds(bare, standing, word) for word in things))
    # 2. The probability of each thing is as it is read; the known label weighs as much as all of them.
    read = {word: float(now[[other == word for other in standing]].sum()) + LEAST for word in things}
    p = np.zeros(len(labels))
    for column in np.flatnonzero(same):
        usual = len(things) if labels[column] == known else 1
        p[column] = usual * read[standing[column]] if standing[column] else 0.0
    # 3. All things together against the bare card: e to the power of `came` to 1.
    p *= exp(came) / p.sum()
    p[labels.index(card)] = 1.0 if moved else FINGER
    # 4. Mix in the plain reading, for what this model does not know, such as another card.
    more = max(MORE, float(now[~same].sum())) if moved else MORE
    return np.asarray((1.0 - more) * p / p.sum() + more * now)


def still_on_card(p: NDArray[np.float64], labels: tuple[str, ...], known: str) -> NDArray[np.float64]:
    """Return the probabilities of what is on a card whose look says nothing, as in another light, (n_labels,).

    The reading of the same thing changes a little from picture to picture; that a reader which overlooks it reads it a
    little less is no sign that it has left.

    Args:
        p: reading relative to that of the known label, as `relative` returns, (n_labels,).
        labels: the table file's words.
        known: the known label, of a card with something on it.
    """
    # By how much likelier each other thing on this card, or none, is read than before, as a logarithm: the log ratio of
    #   its densities if it was exchanged for the known one, and if nothing was (`_came`).
    p, own = p.copy(), labels.index(known)
    for column in np.flatnonzero(_same_card(labels, bare_label(known))):
        if column != own:
            p[column] = p[own] * exp(_came(log(max(p[column], 1e-9) / max(p[own], 1e-9))))
    return np.asarray(p / p.sum())


def _came(gain: float) -> float:
    """Return the log ratio of a gain's densities if a thing came and if none did, at most MOST_SAID."""
    # The log ratio of a Gaussian about CAME if a thing came and, if nothing did, of a Laplace distribution about 0, for
    #   a few gain far more than most; beyond either mean they are flat.
    came = -0.5 * (min(gain - CAME, 0.0) / CAME_SPREAD) ** 2 - log(CAME_SPREAD * sqrt(2.0 * pi))
    same = -max(gain, 0.0) / SAME_SPREAD - log(2.0 * SAME_SPREAD)
    return min(came - same, MOST_SAID)


def _odds(p: NDArray[np.float64], standing: tuple[str, ...], word: str) -> float:
    """Return the log odds of `word` against nothing, from p and what each label has standing, both (n_labels,)."""
    is_word, is_bare = (np.array([other == wanted for other in standing]) for wanted in (word, ""))
    return log(max(float(p[is_word].sum()), LEAST)) - log(max(float(p[is_bare].sum()), LEAST))


@lru_cache(maxsize=1024)
def _same_card(labels: tuple[str, ...], card: str) -> NDArray[np.bool_]:
    """Return which labels have that bare card."""
    return np.array([bare_label(label) == card for label in labels])


@lru_cache(maxsize=4)
def _standing(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return what stands on the card of each label, in a word; "" where nothing does."""
    parsed = map(parse_label, labels)
    return tuple("+".join("-".join(part) for part in label.on_card[label.covering :]) for label in parsed)


# ---- stacks

GROWN, GROWN_SPREAD, PUSHED_SPREAD, MOST_TREND = 0.47, 0.31, 0.2, 0.6
"""The trend of a stack's heights as a normal distribution: its mean where a counter was added, its standard deviations
where one was and where it was only pushed, and beyond which it says no more.

In twelve simulated rooms 27 of 30 stacks had a trend on the right side when a counter was added and 17 of 18 when one
was taken; where the number had stayed, the standard deviation of readings that moved at all was 0.11. The numbers
belong to the network: the one before had 0.27, 0.32 and 0.23."""

MOST_LIGHT = 0.5
"""By what share of itself light on one cell changes at most, where most cells look as before; beyond it is no light."""

SEVERAL = 0.02
"""Probability that a stack which grew or shrank, or what came onto an empty cell, did so by more than one piece."""


@lru_cache(maxsize=1024)
def steps_up(labels: tuple[str, ...], known: str) -> NDArray[np.float64]:
    """Return by how many pieces each label's stack is higher than the known label's; nan of other pieces."""
    stack = parse_label(known)
    others = map(parse_label, labels)
    return np.array([other.height - stack.height if other.single == stack.single else np.nan for other in others])


@lru_cache(maxsize=16)
def one_by_one(labels: tuple[str, ...]) -> NDArray[np.float64]:
    """Return how much rarer each label is of what came onto an empty cell, (n_labels,): seldom several at once."""
    return np.array([SEVERAL if parse_label(label).height > 1 else 1.0 for label in labels])


def beyond_light(now: NDArray[np.float32], then: NDArray[np.float32]) -> float:
    """Return by how much a cell looks different from light alone can make it, as a share of white.

    A neighbour that came or left shades a cell and reflects light onto it: smoothly, as a polynomial of second degree
    times what was there. A stack that was touched has other edges, which no such factor makes of the earlier ones. On
    royal-ur, seed 401, a neighbour changed a counter by 7 times the noise, 2 times of it beyond light; of stacks on
    which the number had changed by 5 to 35 times nothing was light.

    Args:
        now, then: the looks of one cell, as `Observation.appearance`, (heights x bgr, n, n).
    """
    change = 0.0
    for colour in range(3):
        before, after = then[colour::3].reshape(-1, then[0].size), now[colour::3].ravel()
        terms = (before[:, None] * _smooth(then.shape[1])).transpose(1, 0, 2).reshape(6, -1)
        gains = np.linalg.lstsq(terms.T, after, rcond=None)[0]
        if np.abs(gains @ _smooth(then.shape[1]) - 1.0).max() > MOST_LIGHT:
            return float(np.abs(now - then).mean())
        change += float(np.abs(after - gains @ terms).mean()) / 3
    return change


@lru_cache(maxsize=4)
def _smooth(side: int) -> NDArray[np.float64]:
    """Return the terms of a polynomial of second degree over the squares of a cell, (6, n x n)."""
    y, x = np.mgrid[-1.0 : 1.0 : side * 1j, -1.0 : 1.0 : side * 1j].reshape(2, -1)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def relative(
    now: NDArray[np.float64], then: NDArray[np.float64], steps: NDArray[np.float64], pushed: float
) -> NDArray[np.float64]:
    """Return a touched cell's probabilities: its reading relative to that while its label was known.

    Labels that were then read as likelier than the known one are discounted. Of a stack the picture says only whether
    it grew or shrank; its height follows from the height before.

    Args:
        now, then: probabilities as read now and then, (n_labels,).
        steps: as `steps_up` returns, (n_labels,).
        pushed: odds that a stack is as high as before.
    """
    now, then = np.clip(now, 1e-6, 1.0), np.clip(then, 1e-6, 1.0)
    p = now / np.maximum(then / then[steps == 0], 1.0)
    stacked = np.isfinite(steps)
    if stacked.sum() > 1:
        # 1. How far the read height moved upwards, in standard deviations of both readings together.
        up, shares = steps[stacked], [read[stacked] / read[stacked].sum() for read in (then, now)]
        then_up, now_up = (float(share @ up) for share in shares)
        spread = float(np.mean(shares, axis=0) @ np.square(up - (then_up + now_up) / 2))
        trend = (now_up - then_up) / sqrt(spread)
        # 2. The heights of a touched stack: mostly as before, one more or one less.
        heights = np.where(np.abs(up) > 1, SEVERAL / len(up), 0.0)
        heights[up == 0] += pushed
        heights[up == 1] += _grown(trend)
        heights[up == -1] += _grown(-trend)
        p[stacked] = p[stacked].sum() * (heights / heights.sum())
    return np.asarray(p / p.sum())


def _grown(trend: float) -> float:
    """Return the ratio of a trend's densities if a counter was added and if the stack was only pushed."""
    trend = min(max(trend, -MOST_TREND), MOST_TREND)
    added = -0.5 * ((trend - GROWN) / GROWN_SPREAD) ** 2 - log(GROWN_SPREAD)
    pushed = -0.5 * (trend / PUSHED_SPREAD) ** 2 - log(PUSHED_SPREAD)
    return exp(added - pushed)
