"""Learns the colours of pieces on this table in this light from confirmed positions.

A model knows many sets of pieces and none by heart: glossy black counters under a lamp are read as white ones. Each
confirmed position shows which is which. A colour is learned as brightness and two opponent colours that change evenly
over the board, since pieces at one end mirror more of a lamp than those at the other: a Bayesian linear regression with
unknown variance (Murphy, Machine Learning, 2012, section 7.6.3). A label that was not seen yet may have any colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.board import cell_column_row
from vision.labels import EMPTY, parse_label
from vision.looks.pieces import middle_colours
from vision.observation import Observation

Floats = NDArray[np.float64]
Labels: TypeAlias = Mapping[Any, str]
"""Labels by the names of cells, which have a type of their own in other packages."""

MIDDLE = np.array((0.5, 0.0, 0.0))
ANY = np.array((0.3, 0.06, 0.06))
"""Mean and standard deviation of the tone of a piece of unknown colour: brightness, red to green, yellow to blue."""

SLOPE = np.array((0.25, 0.06, 0.06))
"""Standard deviation of how much a colour changes from the board's middle to its edge."""

SPREAD = np.array((0.05, 0.03, 0.03))
"""Standard deviation of one piece's tone about its colour's, before any was seen: it is put askew, its neighbours throw
shadows."""

BARE_SPREAD = np.array((0.2, 0.03, 0.03))
"""The same of a cell that is still empty: shadows are all that changes there."""

DOUBT = 4.0
"""How many pieces' worth `SPREAD` counts; the degrees of freedom of Student's distribution, before any was seen."""

CARD = "card"
"""The look of all cards: they have no colour of their own."""

MOST, MOST_UNSEEN = 8.0, 4.0
"""No label is made less likely than another by its tone by more than e to these powers: a seen one, one never seen."""

DECIMALS = 3
"""Of a tone in the journal: finer than the noise of any camera."""

MOST_FREEDOM = 8.0
"""Degrees of freedom beyond which Student's distribution would have no tails: a piece may be in a glare."""


@dataclass(frozen=True, slots=True)
class KnownTones:
    """The tones of labels as seen, by cell and label; stacks of any height count as one label."""

    seen: Mapping[tuple[str, str], tuple[float, ...]] = field(default_factory=dict)

    def gains(self, frame: Observation) -> Floats:
        """Return the log likelihood of each cell's tone for each label, relative to the best, (n_cells, n_labels)."""
        tones, looks = tones_of(frame), [_look(label) for label in frame.labels]
        if tones is None or not self.seen or CARD in looks:
            return np.zeros(frame.p.shape)
        # 1. The samples of each label that was seen, on this table's cells; empty cells have each their own print.
        places, rows = _places(frame.cells), {cell: row for row, cell in enumerate(frame.cells)}
        samples: dict[str, list[tuple[Floats, Floats]]] = {}
        for (cell, look), tone in self.seen.items():
            if look in looks and look != EMPTY and cell in rows:
                samples.setdefault(look, []).append((places[rows[cell]], np.array(tone)))
        # 2. How likely each tone is for each label, and for one never seen, which may have any colour.
        likely = {look: _fit(own).log_likelihood(tones, places) for look, own in samples.items()}
        if likely:
            most = np.max(list(likely.values()), axis=0) + MOST_UNSEEN
            unseen = np.minimum(_UNSEEN.log_likelihood(tones, places), most)
        else:
            unseen = np.zeros(len(tones))
        likely = {look: likely.get(look, unseen) for look in set(looks) - {EMPTY}}
        best = np.max(list(likely.values()), axis=0)
        # 3. How likely it is if the cell is empty, (n_cells,); nan if it was never seen empty. A piece may have the
        #   colour of the ground: that is no evidence for either.
        ground = np.array([self.seen.get((cell, EMPTY), (np.nan,) * len(SPREAD)) for cell in frame.cells])
        bare = _log_student((tones - ground) / BARE_SPREAD, BARE_SPREAD, DOUBT)
        likely[EMPTY] = np.where(np.isnan(bare), unseen, np.minimum(best, bare))
        gains = np.stack([likely[look] for look in looks], axis=1)
        return np.asarray(np.maximum(gains - gains.max(axis=1, keepdims=True), -MOST))

    def learned(self, frame: Observation, labels: Labels) -> KnownTones:
        """Return these tones with those of cells whose labels are known to be true."""
        tones = tones_of(frame)
        if tones is None:
            return self
        rows = ((row, cell) for row, cell in enumerate(frame.cells) if frame.visible[row])
        known = ((cell, _look(labels[cell]), tones[row]) for row, cell in rows if cell in labels)
        new = {(cell, look): tuple(tone.tolist()) for cell, look, tone in known if look != CARD}
        return KnownTones({**self.seen, **new})

    def agrees(self, frame: Observation, labels: Labels) -> bool:
        """Return whether most cells have the tones that their labels had: the same table in the same light."""
        tones = tones_of(frame)
        if tones is None:
            return False
        rows = [row for row, cell in enumerate(frame.cells) if frame.visible[row] and cell in labels]
        keys = [(row, (frame.cells[row], _look(labels[frame.cells[row]]))) for row in rows]
        changes = [np.abs(tones[row] - self.seen[key]) for row, key in keys if key in self.seen]
        return bool(changes) and bool((np.median(changes, axis=0) <= SPREAD).all())

    def beyond(self, kept: KnownTones) -> KnownTones:
        """Return, rounded, the tones that `kept` does not have, or that differ by more than one piece's spread."""
        tones = {key: tuple(round(value, DECIMALS) for value in tone) for key, tone in self.seen.items()}
        known = {key: tones[key] for key in tones.keys() & kept.seen}
        same = {key for key, tone in known.items() if (np.abs(np.subtract(tone, kept.seen[key])) <= SPREAD).all()}
        return KnownTones({key: tone for key, tone in tones.items() if key not in same})

    def joined(self, tones: Mapping[tuple[Any, str], tuple[float, ...]], *, replaces: bool) -> KnownTones:
        """Return these tones with others added; the others alone if they replace these."""
        return KnownTones({**({} if replaces else self.seen), **tones})


@dataclass(frozen=True, slots=True, eq=False)
class _Colour:
    """A colour over the board, as a normal-inverse-gamma distribution of each channel.

    Attributes:
        mean: intercept and slopes, (3, channels).
        covariance: of these, over the variance of one piece, (channels, 3, 3).
        variance: of one piece's tone, (channels,).
        freedom: degrees of freedom of Student's distribution.
    """

    mean: Floats
    covariance: Floats
    variance: Floats
    freedom: float

    def log_likelihood(self, tones: Floats, places: Floats) -> Floats:
        """Return the log density of pieces' tones (n, channels) at places (n, 3), as (n,)."""
        unknown = np.einsum("ni,cij,nj->nc", places, self.covariance, places)
        spread = np.sqrt(self.variance * (1.0 + unknown))
        return _log_student((tones - places @ self.mean) / spread, spread, min(self.freedom, MOST_FREEDOM))


def tones_of(frame: Observation) -> Floats | None:
    """Return the tones in the middles of cells, (n_cells, 3): brightness and two opponent colours, white being 1."""
    looks = frame.appearance
    if looks is None:
        return None
    middle = middle_colours(looks)
    blue, green, red = middle.reshape(len(middle), -1, 3).mean(axis=1).T.astype(np.float64)
    return np.stack([(blue + green + red) / 3, (red - green) / 2, (red + green) / 4 - blue / 2], axis=1)


def _fit(samples: Sequence[tuple[Floats, Floats]]) -> _Colour:
    """Return the colour fitted to samples of a place (3,) and a tone (channels,)."""
    places, tones = (np.array(column) for column in zip(*samples, strict=True))
    means, covariances, variances = [], [], []
    freedom = DOUBT + len(samples)
    for channel, spread in enumerate(SPREAD):
        prior = np.diag(_precision(channel))
        first = np.array((MIDDLE[channel], 0.0, 0.0))
        precision = prior + places.T @ places
        covariance = np.linalg.inv(precision)
        mean = covariance @ (prior @ first + places.T @ tones[:, channel])
        squares = tones[:, channel] @ tones[:, channel] + first @ prior @ first - mean @ precision @ mean
        means.append(mean)
        covariances.append(covariance)
        variances.append((DOUBT * spread**2 + max(squares, 0.0)) / freedom)
    return _Colour(np.array(means).T, np.array(covariances), np.array(variances), freedom)


def _precision(channel: int) -> Floats:
    """Return the prior precision of intercept and slopes, times the variance of one piece, float64 (3,)."""
    return np.asarray((SPREAD[channel] / np.array((ANY[channel], SLOPE[channel], SLOPE[channel]))) ** 2)


_UNSEEN = _Colour(
    np.array([MIDDLE, np.zeros(3), np.zeros(3)]),
    np.array([np.diag(1.0 / _precision(channel)) for channel in range(len(SPREAD))]),
    SPREAD**2,
    DOUBT,
)
"""The distribution of a colour that was not seen."""


def _log_student(off: Floats, spread: Floats, freedom: float) -> Floats:
    """Return the log of Student's density, all channels added, without what is the same for all degrees of freedom."""
    return np.asarray((-(freedom + 1) / 2 * np.log1p(off * off / freedom) - np.log(spread)).sum(axis=-1))


@lru_cache(maxsize=4)
def _places(cells: tuple[str, ...]) -> Floats:
    """Return the regressors of each cell, (n_cells, 3): 1, column and row, both from -1 to 1."""
    at = np.array([cell_column_row(cell) if cell[1:] else (0, 0) for cell in cells], dtype=np.float64)
    low, high = at.min(axis=0), at.max(axis=0)
    return np.column_stack([np.ones(len(at)), 2 * (at - low) / np.maximum(high - low, 1.0) - 1])


@lru_cache(maxsize=512)
def _look(label: str) -> str:
    """Return a piece's label, however many are stacked; `CARD` for a card."""
    parsed = parse_label(label)
    return CARD if parsed.card else str(parsed.single)
