"""How the declared colours of discs look in a picture: as declared in some light, or like discs that were found in it.

A set of wood may be declared white, a black one may be dyed: the colours of a table file only say which set is which.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Floats32

Colour: TypeAlias = tuple[Floats, float]
"""A mean, (bgr), white being 1 and the markers' black 0, and its standard deviation."""

TINT_SIGMA, KNOWN_SIGMA = 0.11, 0.05
"""Standard deviations of a disc from its declared colour, and from others of its kind in the same picture."""

SHADE_SIGMA, VEIL = 0.12, 0.08
"""Standard deviation of the log shade of one disc relative to all others, and its mean extra reflection of white light
(white is 1)."""

PAPER_BLACK = 0.25
"""Most white light that the markers' black reflects (white is 1). It exceeds the size of the lowest gloss, so that all
light is positive before it is multiplied by the shade."""

_GLOSSES, _SHADES = (-0.24, -0.16, -0.08, 0.0, 0.08, 0.16, 0.28, 0.42, 0.58), (0.6, 0.8, 1.0)
"""Candidates for the white light that all discs reflect, and for the shade that darkens all of them.

Levels are relative to the markers' black. Print reflects more light than black discs, so they may be negative."""

_GLOSS_MEAN, _ALL_SHADE_SIGMA, _TINT_LOG = 0.25, 0.2, 0.07
"""Mean size of that gloss, standard deviation of the log of that shade, and the scale of a set's distance from its
declared colour in logs of light: Student's t with two degrees of freedom, since wood or a dye may be far off."""

_LOG_FROM = 0.5
"""Level that counts as no light in these logs, so that the noise of black discs is small in them (white is 1)."""

_FOREIGN, _MOST_FOREIGN = 3.0, 12.0
"""Surprise of one disc of a colour that no set has, or found on bare ground, and the most of several alike, since they
have one cause; estimates."""

_ALIKE = 0.15
"""Largest distance between colours of one group of discs (white is 1)."""

_MORE_GROUPS, _MOST_CHOICES = 2, 300
"""Number of groups in addition to one for each colour, and of choices of groups for the colours."""

_MOST_WAYS, _LEAST_WEIGHT = 2, 1e-3
"""Number of the most probable ways to keep, since each takes tens of milliseconds, and the least weight of one, the
best having 1."""

_DECLARED_WEIGHT = 2.0
"""Weight of the declared colour, in observed discs."""


def colours_in_picture(declared: Floats, found: Floats, beside: Floats) -> list[tuple[float, list[Colour]]]:
    """Return how the declared colours may look in a picture, and how probable each of these answers is.

    Groups of like discs are assigned to all colours at once: two groups are two colours, even if both are nearest to
    one declared colour. A group left over shows one of the colours in shade or under a veil of light, bare ground, or
    something foreign.

    Args:
        declared: the colours of the table file, float64 (n_colours, bgr), white being 1.
        found: the colours of discs that were found by their shape, float64 (n_found, bgr), the markers' black being 0.
        beside: the colours of the ground around them, float64 (n_found, bgr).
    """
    # 1. Each light, and each choice of the groups that the colours look like.
    groups = _groups(found, len(declared) + _MORE_GROUPS)
    means = np.array([np.median(found[of], axis=0) for of in groups]).reshape(-1, 3)
    choices, every = _choices(_distances(declared, means)), np.arange(len(declared))
    lights = [
        (gloss, shade, (shade * declared + gloss) / (1.0 + min(gloss, 0.0)))  # the markers' black stays 0
        for gloss, shade in product(_GLOSSES, _SHADES)
    ]
    # 2. The surprise of each group if it is bare ground or foreign, and if it has the colour of another group.
    no_disc = [float(np.median(surprise(found[of], beside[of], KNOWN_SIGMA))) for of in groups]
    foreign = [min(_FOREIGN * of.sum(), _FOREIGN + no, _MOST_FOREIGN) for of, no in zip(groups, no_disc, strict=True)]
    as_groups = np.repeat(surprise(means[:, None], means, KNOWN_SIGMA)[:, None], len(declared), axis=1)
    # 3. Each group is what surprises least. The log probability of each light and choice: that, Student's t for the
    #   distances from the declared colours, Laplace for the gloss, log-normal for the shade.
    logs, owners = np.empty((len(lights), len(choices))), np.empty((len(lights), len(choices), len(groups)), int)
    for i, (gloss, shade, colours) in enumerate(lights):
        looks = np.concatenate([surprise(means[:, None], colours, TINT_SIGMA)[..., None], as_groups], axis=-1)
        chosen = looks[:, every, choices]  # (n_groups, n_choices, n_colours)
        none = np.broadcast_to(np.reshape(foreign, (-1, 1, 1)), (len(groups), len(choices), 1))
        surprises = np.concatenate([chosen, none], axis=-1)
        away = 1.5 * np.log1p((_distances(colours, means)[every, choices] / _TINT_LOG) ** 2 / 2).sum(axis=1)
        owners[i] = surprises.argmin(axis=-1).T
        logs[i] = -surprises.min(axis=-1).sum(axis=0) - away
        logs[i] -= abs(gloss) / _GLOSS_MEAN + 0.5 * (np.log(shade) / _ALL_SHADE_SIGMA) ** 2
    # 4. Add up the choices by which each group is the same, and drop those that are improbable beside the best.
    order = np.argsort(-logs, axis=None)
    flat = owners.reshape(logs.size, -1)[order]
    ways, first, way = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    p = np.bincount(way.ravel(), np.exp(logs - logs.max()).ravel()[order])
    kept = [i for i in np.argsort(-p)[:_MOST_WAYS] if p[i] >= _LEAST_WEIGHT * p.max()]
    total = float(p[kept].sum())
    return [
        (float(p[i]) / total, _known(found, groups, ways[i], lights[order[first[i]] // len(choices)][2])) for i in kept
    ]


def density(view: Floats32, colour: Floats | Floats32, sigma: float, shade_sigma: float, veil_mean: float) -> Floats32:
    """Return the density of pixels (..., bgr) given a colour (..., bgr), as `surprise` does."""
    return np.asarray(np.exp(-surprise(view, colour, sigma, shade_sigma, veil_mean)) * (0.1 / sigma) ** 2, np.float32)


def surprise(
    view: Floats32 | Floats,
    colour: Floats | Floats32,
    sigma: float,
    shade_sigma: float = SHADE_SIGMA,
    veil_mean: float = VEIL,
) -> Floats32:
    """Return the negative log probability of pixels (..., bgr), possibly in shade or under a veil, given a colour.

    It is 0 for the colour itself, which is (..., bgr) too.
    """
    # 1. Shade multiplies all light, so count both from no light instead of the markers' black, and project.
    seen, lit_fully = view + PAPER_BLACK, np.asarray(np.maximum(colour + PAPER_BLACK, 0.02), np.float32)
    shade = np.clip(dot(seen, lit_fully) / dot(lit_fully, lit_fully), 0.2, 1.0)
    # 2. The rest is a veil of white light (exponential), and noise (normal).
    lit = seen - shade[..., None] * lit_fully
    veil = np.maximum(dot(lit, np.ones_like(lit_fully)) / 3, 0.0)
    lit -= veil[..., None]
    off = dot(lit, lit) / sigma**2 + np.square(np.log(shade) / shade_sigma)
    return np.asarray(0.5 * off + veil / veil_mean, np.float32)


def dot(one: Floats32 | Floats, other: Floats32 | Floats) -> Floats32:
    """Return the dot products of colours (..., bgr); `sum` over an axis of three is far slower."""
    return np.asarray(np.einsum("...c,...c->...", one, other))


def _groups(found: Floats, most: int) -> NDArray[np.bool_]:
    """Return masks of groups of like colours, bool (n_groups, n_found), the largest first.

    Each disc is like another of its group, not like all: glossy discs look brighter from place to place.
    """
    alike = np.linalg.norm(found[:, None] - found, axis=-1) <= _ALIKE
    for _ in range(len(found).bit_length()):
        alike = alike @ alike
    groups = np.unique(alike, axis=0)
    return np.asarray(groups[np.argsort(-groups.sum(axis=1), kind="stable")[:most]])


def _choices(distances: Floats) -> NDArray[np.int_]:
    """Return which group each colour may look like, int (n_choices, n_colours): 0 for none, or 1 + its index.

    The nearest groups by `distances`, (n_colours, 1 + n_groups), are tried, the fewer the more colours there are. No
    two colours look like one group.
    """
    near = np.argsort(distances, axis=1)[:, : max(2, int(_MOST_CHOICES ** (1 / len(distances))))]
    every = np.array(list(product(*near.tolist())))
    twice = [len(set(choice[choice > 0])) < np.count_nonzero(choice) for choice in every]
    return np.asarray(every[~np.array(twice)])


def _distances(colours: Floats, groups: Floats) -> Floats:
    """Return how far each colour is from itself, 0, and from each group's, float64 (n_colours, 1 + n_groups).

    In logs, since a dye, a wood or a lamp takes a share of the light.
    """
    logs = [np.log(np.maximum(levels + _LOG_FROM, 0.1)) for levels in (colours, groups)]
    away = np.linalg.norm(logs[0][:, None] - logs[1], axis=-1)
    return np.column_stack([np.zeros(len(colours)), away])


def _known(found: Floats, groups: NDArray[np.bool_], owners: NDArray[np.int_], declared: Floats) -> list[Colour]:
    """Return how each colour looks: the median of its discs, shrunk towards the declared one.

    Args:
        found: the colours of the discs found, float64 (n_found, bgr).
        groups: masks of them, bool (n_groups, n_found).
        owners: the index of each group's colour, int (n_groups,).
        declared: the declared colours in this light, float64 (n_colours, bgr).
    """
    known = []
    for index, colour in enumerate(declared):
        mine = found[groups[owners == index].any(axis=0)]
        weight = len(mine) / (len(mine) + _DECLARED_WEIGHT)
        mean = weight * np.median(mine, axis=0) + (1 - weight) * colour if len(mine) else colour
        known.append((mean, weight * KNOWN_SIGMA + (1 - weight) * TINT_SIGMA))
    return known
