"""The colours of the user's own pieces and empty cells, learned from a few pictures.

No set of pieces is known in advance, so that tints between two colours are doubtful. Enrolment keeps for each label the
mean and spread of the colours over its cells at all sampled heights, and the same for every empty cell. A reading
combines them with the model's probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from engines.sentence import Sentence
from vision.geometry import Floats
from vision.labels import EMPTY

Planes = NDArray[np.float32]

_MIDDLE = 0.17
"""Half the side of the sampled square in a cell's middle, in cells: a tee's head, without its surroundings."""

_LEAST_SPREAD = 0.15
"""Least standard deviation of a colour, since light differs from place to place and day to day."""

_MOST = 3.0
"""Largest difference of two labels' log likelihoods by colour."""

_WEIGHT = 0.25
"""Weight of the log likelihood by colour, because heights and channels of one cell are not independent.

On rendered tables with odd tints, three pictures enrolled, four others read: of 3456 cells of Royal Tee 41 wrong ones
become 21 to 28 (and 188 unsure ones 137 to 163); of 1536 of Territory 25 stay 25, but 5 silent ones become 1 or 2; with
usual tints 6 of 1280 become 5 to 9. More weight, or no limit, does harm.
"""


_Numbers = tuple[Annotated[float, msgspec.Meta(ge=-1e6, le=1e6, extra={"expected": Sentence("a number")})], ...]


class Tone(msgspec.Struct, frozen=True):
    """Mean and standard deviation of a label's colours, each (heights x bgr,); white paper is 1."""

    mean: _Numbers
    spread: _Numbers

    def __post_init__(self) -> None:
        if not self.mean or len(self.mean) % 3 or len(self.mean) != len(self.spread):
            message = Sentence("expected a mean and a spread of three numbers a height, found {mean} and {spread}")
            raise ValueError(message.format(mean=len(self.mean), spread=len(self.spread)))


class Enrolment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The learned colours of a table.

    Attributes:
        game: the table's game.
        pictures: the number of pictures.
        labels: tones by label; labels that were not shown are missing.
        empty: tones of the empty cells.
    """

    game: str
    pictures: int
    labels: Mapping[str, Tone] = {}
    empty: Mapping[str, Tone] = {}

    def __post_init__(self) -> None:
        lengths = sorted({len(tone.mean) for tone in (*self.labels.values(), *self.empty.values())})
        if len(lengths) > 1:
            message = Sentence("expected tones of one length, found lengths {lengths}")
            raise ValueError(message.format(lengths=", ".join(map(str, lengths))))


def tones_seen(planes: Planes, places: Sequence[tuple[int, int]], cell_px: int) -> Floats:
    """Return the mean colours over the middles of cells, float64 (n_cells, heights x bgr).

    Args:
        planes: float32 (heights x bgr, rows px, columns px), as made by `vision.localization.planes`, with a margin of
            half a cell.
        places: row and column of each cell.
        cell_px: pixels along a cell.
    """
    half = max(1, round(_MIDDLE * cell_px))
    middles = [(round((row + 1.0) * cell_px), round((column + 1.0) * cell_px)) for row, column in places]
    patches = [planes[:, y - half : y + half, x - half : x + half] for y, x in middles]
    return np.array([patch.mean(axis=(1, 2)) for patch in patches], dtype=np.float64)


def fit_enrolment(game: str, cells: Sequence[str], shown: Sequence[tuple[Floats, Mapping[str, str]]]) -> Enrolment:
    """Return the colours learned from some pictures.

    Args:
        game: the table's game.
        cells: the cells' names, in the order of the tones.
        shown: for each picture the tones, float64 (n_cells, heights x bgr), and the labels of some cells.
    """
    by_label: dict[str, list[Floats]] = {}
    by_cell: dict[str, list[Floats]] = {}
    for tones, labels in shown:
        for cell, label in labels.items():
            tone = tones[cells.index(cell)]
            (by_cell.setdefault(cell, []) if label == EMPTY else by_label.setdefault(label, [])).append(tone)
    return Enrolment(game, len(shown), _mean_tones(by_label), _mean_tones(by_cell))


def _mean_tones(samples: Mapping[str, Sequence[Floats]]) -> dict[str, Tone]:
    return {
        name: Tone(tuple(np.mean(tones, axis=0).tolist()), tuple(np.std(tones, axis=0).tolist()))
        for name, tones in sorted(samples.items())
    }


def weighed(p: Floats, tones: Floats, enrolment: Enrolment, cells: Sequence[str], labels: Sequence[str]) -> Floats:
    """Return probabilities, float64 (n_cells, n_labels), combined with the learned colours; rows sum to 1.

    A label that was not shown counts as if its colours fitted as well as those of the best-fitting label.
    """
    found = np.full(p.shape, np.nan)
    for column, label in enumerate(labels):
        if label in enrolment.labels:
            found[:, column] = _log_likelihood(tones, enrolment.labels[label])
    for row, cell in enumerate(cells):
        if cell in enrolment.empty and EMPTY in labels:
            found[row, labels.index(EMPTY)] = _log_likelihood(tones[row], enrolment.empty[cell])
    known = ~np.isnan(found).all(axis=1)
    best = np.nanmax(np.where(known[:, None], found, 0.0), axis=1, keepdims=True)
    bonus = np.nan_to_num(np.maximum(_WEIGHT * (found - best), -_MOST), nan=0.0)
    scaled = p * np.exp(np.where(known[:, None], bonus, 0.0))
    return np.asarray(scaled / scaled.sum(axis=1, keepdims=True))


def _log_likelihood(tones: Floats, tone: Tone) -> NDArray[np.float64]:
    """Return the log likelihood of colours (..., heights x bgr) under a tone, heavy-tailed for patches in glare."""
    spread = np.hypot(np.asarray(tone.spread), _LEAST_SPREAD)
    off = (tones - np.asarray(tone.mean)) / spread
    return np.asarray(-np.log1p(off * off / 3.0).sum(axis=-1) * 2.0 - np.log(spread).sum(), dtype=np.float64)


def enrolment_toml(enrolment: Enrolment) -> str:
    """Return the learned colours as the text of a TOML file."""
    head = (
        "# What a table's pieces and empty cells look like, learned by `companion enrol`; delete it to forget.",
        f'game = "{enrolment.game}"',
        f"pictures = {enrolment.pictures}",
    )
    lines = [*head, *_sections("labels", enrolment.labels), *_sections("empty", enrolment.empty)]
    return "\n".join(lines) + "\n"


def _sections(name: str, tones: Mapping[str, Tone]) -> Iterator[str]:
    for key, tone in tones.items():
        yield f'[{name}."{key}"]'
        yield f"mean = [{', '.join(f'{value:.4f}' for value in tone.mean)}]"
        yield f"spread = [{', '.join(f'{value:.4f}' for value in tone.spread)}]"
