"""Detects ordinary dice that lie anywhere in a picture, and reads their top faces.

A small network searches the picture at several scales, since the size of a die in it is unknown. A second one then
classifies each candidate for a top face, scaled to the size that it was trained on: first to find exactly where the
face is, then turned a little and mirrored. If the camera looks steeply down, faces are turned all round, as a top
remains a top: the more varied the views, the more certain their mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.markerless.dice_network import (
    ALL_ROUND,
    FEW,
    STRIDE,
    TURNED,
    UPRIGHT,
    VALUES,
    DieDetector,
    DieView,
    FaceViews,
    PipClassifier,
    Places,
    halved,
    join,
    logit,
    scaled,
)
from vision.markerless.pips import unread_pips
from vision.observation import SURE, Blind, BlindReason
from vision.recognition.refusal import BLURRED_EDGE_PX, blur_px, is_dark
from vision.shipped_network import softmax

_WIDTHS_PX = (1000, 1600, 2560)
"""The longer side of the picture in the first look, and in closer ones where that shows no dice or very small ones:
dice of 13, 8 and 5 mm are large enough on a table 60 cm wide. A look costs as much as it has pixels."""

_MOST_ENLARGED = 2.0
_STEP = 1.6
_LEAST_SIDE_PX = 96

_TOLD_PX = (16.0, 54.0)
"""Sizes of faces that one look can find; the looks' scales overlap."""

_SMALL_PX = 20.0
"""Faces below this deserve a closer look: the first network learned from faces of 18 px on."""

_KNOWN_FACES_PX = (36.0, 28.0, 22.0)
"""Sizes at which faces of known size are looked at: the first network sees some dice at one of these only."""

_WORTH_A_LOOK = 0.1
"""Probability of a die above which a place is looked at again."""

_MOST_LOG_ODDS = 5.0
"""Limit of the log odds of either network: a wrong one is often sure, and the other then doubts."""

_PRESENT = 0.5
"""Probability of a die below which a candidate is not reported; where no die is read, of one with a certain value."""

LEAST_READ_PX = 16.0
"""Faces smaller than this have too few pixels for their value to be read."""

_LESS_SURE = 0.3
"""By how much less sure of top faces (mean, in logits) the second network may be when they are turned all round. Seen
steeply from above it is as sure, at a slant less: what is lower is then taken for a side. Of 177 drawn pictures seen
from less than 42 degrees off on all sides, 167 are below this, of 164 others 43; their dice are read no worse for it.
"""

_CLEAR = 0.99
"""Probability from which on a few views that agree need no others: of most faces and most of what is not one."""

_MOST_COMPARED = 6
"""Number of the surest faces that decide whether the camera looks steeply down."""

_FARTHEST = 0.6
"""Faces lie no farther off than this, in faces."""

_SIDE_WEAKER = 1.0
"""A side of a die looks like a top face too, but less than the top next to it, by that much (in logits)."""

_SUREST = 6.0
"""Beyond these log odds all are as sure: what is nearly certain is not a side of a die only because another next to it
is still surer. Dice lie half behind others."""

_MOST_DICE = 150
"""More are not a throw but a pattern."""

_ROOM, _FILLS = 0.75, 0.3
"""The room about a picture that dice fill when it is looked at, over its longer side; and the size of a face, over the
shorter side, from which on it fills a picture."""

_BLUR_WIDTH_PX = 820


@dataclass(frozen=True, slots=True)
class LooseDie:
    """One die.

    Attributes:
        value: what its top face shows, 1 to 6; None if that cannot be read, as on faces under LEAST_READ_PX.
        confidence: probability that the most probable value is right, calibrated.
        centre_px: middle of the top face in the picture, (x, y).
        size_px: root of the top face's area in the picture.
    """

    value: int | None
    confidence: float
    centre_px: tuple[float, float]
    size_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What may be top faces of dice.

    Attributes:
        places: where, and how likely by the first network.
        p: float64 (n, 8), probabilities by the second: no face, the values 1 to 6, a face that cannot be read.
    """

    places: Places
    p: Floats

    def log_odds(self) -> Floats:
        """Return the logarithms of the odds of a top face by each network, float64 (n, 2)."""
        both = np.column_stack([logit(self.places.p), logit(1 - self.p[:, 0])])
        return np.asarray(np.clip(both, -_MOST_LOG_ODDS, _MOST_LOG_ODDS))

    def p_die(self, presence: tuple[float, float, float]) -> Floats:
        """Return the probability of a top face by both networks, float64 (n,): a logistic regression.

        Args:
            presence: weights of the log odds of the first and the second network, and a constant.
        """
        odds = self.log_odds() @ presence[:2] + presence[2]
        return np.asarray(1 / (1 + np.exp(-odds)))


class DiceReader:
    """The reader of dice. It holds networks, so only one thread may use it at a time."""

    def __init__(self) -> None:
        self._places = DieDetector()
        self._values = PipClassifier()
        self._file = self._values.file

    def read(self, image_bgr: ImageBgr) -> tuple[LooseDie, ...] | Blind:
        """Return the dice in a picture, from its top down, or why it shows nothing. Raises on no picture."""
        seen = list(self._dice(self.look(image_bgr))) or self._filling(image_bgr)
        dice = tuple(sorted([*seen, *_unread(image_bgr, seen)], key=lambda die: die.centre_px[::-1]))
        if any(die.value for die in dice):
            return dice
        return _why_nothing(image_bgr) or dice

    def _filling(self, image_bgr: ImageBgr) -> list[LooseDie]:
        """Return the dice that fill a picture, searched with a margin around it, as in the training pictures."""
        # 1. Reduce the picture until the smallest face that fills it can be found, and add the margin.
        scale = min(1.0, _TOLD_PX[1] / (_FILLS * min(image_bgr.shape[:2])))
        near = scaled(image_bgr, scale)
        room = round(_ROOM * max(near.shape[:2]))
        middle = [float(level) for level in np.median(near.reshape(-1, 3), axis=0)]
        wide = cv2.copyMakeBorder(near, room, room, room, room, cv2.BORDER_CONSTANT, value=middle)
        # 2. Search it at smaller scales, too, for larger faces.
        view = np.asarray(wide, np.uint8)
        candidates = self._judge(view, join([self._look(view, 1.0), *self._smaller(view, 1.0)]))
        least = _FILLS * min(near.shape[:2])
        dice = [die for die in self._dice(candidates) if die.value and die.size_px > least]
        return [
            replace(die, centre_px=((x - room) / scale, (y - room) / scale), size_px=die.size_px / scale)
            for die in dice
            for x, y in [die.centre_px]
        ]

    def read_sized(self, image_bgr: ImageBgr, face_px: float) -> tuple[LooseDie, ...]:
        """Return the dice in a picture in which the faces of dice are known to be `face_px` large."""
        looks = [self._look(scaled(image_bgr, size_px / face_px), size_px / face_px) for size_px in _KNOWN_FACES_PX]
        seen = list(self._dice(self._judge(image_bgr, join(looks))))
        return (*seen, *_unread(image_bgr, seen))

    def look(self, image_bgr: ImageBgr, *, hopeless: bool = False) -> Candidates:
        """Return the candidates for top faces, each classified in a few views, and in more if these are unsure.

        Args:
            image_bgr: uint8 (height, width, 3).
            hopeless: whether to return also those that are not reported whatever the second network sees in them.
        """
        # 1. The first look, and smaller ones.
        scale = min(_WIDTHS_PX[0] / max(image_bgr.shape[:2]), _MOST_ENLARGED)
        view = scaled(image_bgr, scale)
        first, smaller = self._look(view, scale), list(self._smaller(view, scale))
        # 2. Closer ones, but not if only these smaller ones show dice: what is thrown with them is no smaller.
        if any(map(_is_seen, smaller)) and not _is_seen(first):
            near = self._judge(image_bgr, join([first, *smaller]), hopeless=hopeless)
            if any(die.value for die in self._dice(near)):
                return near
        found = join([first, *self._closer(image_bgr, first, scale), *smaller])
        return self._judge(image_bgr, found, hopeless=hopeless)

    def _judge(self, image_bgr: ImageBgr, found: Places, *, hopeless: bool = False) -> Candidates:
        smaller = halved(image_bgr)
        places = cluster_detections(found)
        if not hopeless:
            at_best = Candidates(places, np.zeros((len(places.p), VALUES + 2)))  # certain that it is a face
            places = places.at(np.flatnonzero(at_best.p_die(self._file.presence) >= _PRESENT))
        # 1. Correct the places by the median offset of two views of each.
        away = np.median(FaceViews(self._values, smaller, places).ask(FEW).offset, axis=1).clip(-_FARTHEST, _FARTHEST)
        centres_px = places.centres_px + away[:, :2] * places.sizes_px[:, None]
        places = Places(places.p, centres_px, places.sizes_px * 2 ** away[:, 2])
        # 2. Classify the faces in two views; in two more, turned by half, if the camera looks steeply down.
        faces = FaceViews(self._values, smaller, places)
        seen: tuple[DieView, ...] = FEW
        ways = UPRIGHT
        if self._from_above(faces, Candidates(places, softmax(faces.ask(FEW).logits.mean(axis=1)))):
            seen, ways = FEW + TURNED, ALL_ROUND
        logits = faces.ask(seen).logits
        # 3. Classify in all views those of which the same class is not nearly certain in each of these.
        p, p_each = softmax(logits.mean(axis=1)), softmax(logits.reshape(-1, logits.shape[-1])).reshape(logits.shape)
        best = p_each.mean(axis=1).argmax(axis=1)
        doubted = np.flatnonzero(~(p_each[np.arange(len(p)), :, best].min(axis=1) > _CLEAR))
        p[doubted] = softmax(faces.ask(ways, doubted).logits.mean(axis=1))
        return Candidates(places, p)

    def _from_above(self, faces: FaceViews, candidates: Candidates) -> bool:
        """Return whether the camera looks steeply down: top faces are then recognised however they are turned."""
        surest = list(non_max_suppression(candidates.places, candidates.p_die(self._file.presence)))[:_MOST_COMPARED]
        if not surest:
            return False
        rows = np.array(surest)
        upright, all_round = (
            Candidates(candidates.places.at(rows), softmax(faces.ask(ways, rows).logits.mean(axis=1)))
            for ways in (UPRIGHT, ALL_ROUND)
        )
        return float((upright.log_odds() - all_round.log_odds())[:, 1].mean()) < _LESS_SURE

    def _dice(self, candidates: Candidates) -> Iterator[LooseDie]:
        p_die = candidates.p_die(self._file.presence)
        p_values = candidates.p[:, 1 : VALUES + 1] / np.maximum(1 - candidates.p[:, :1], 1e-9)
        p_reported = np.clip((1 - self._file.residual) * p_die[:, None] * p_values, 0, 1)
        kept = np.fromiter(non_max_suppression(candidates.places, p_die), np.intp)
        best = p_reported[kept].max(axis=1)
        # If no value is sure, keep only what certainly is a die or has a probable value.
        if not (best >= SURE).any():
            kept = kept[(best >= _PRESENT) | (p_die[kept] >= SURE)]
        for k in kept.tolist():
            confidence, size_px = float(p_reported[k].max()), float(candidates.places.sizes_px[k])
            is_read = confidence >= SURE and size_px >= LEAST_READ_PX
            x, y = candidates.places.centres_px[k].tolist()
            yield LooseDie(1 + int(p_reported[k].argmax()) if is_read else None, confidence, (x, y), size_px)

    def _closer(self, image_bgr: ImageBgr, seen: Places, scale: float) -> Iterator[Places]:
        """Yield the places in closer looks than the one in which `seen` was found, at that scale, while worth it."""
        is_first = True
        for closer in (min(width_px / max(image_bgr.shape[:2]), _MOST_ENLARGED) for width_px in _WIDTHS_PX[1:]):
            # worth a closer look if the last one showed small dice, or was the first and showed none
            dice = seen.sizes_px[seen.p >= _PRESENT]
            is_worth_it = bool((dice * scale < _SMALL_PX).any()) if len(dice) else is_first
            if closer <= 1.2 * scale or not is_worth_it:
                break
            seen, scale, is_first = self._look(scaled(image_bgr, closer), closer), closer, False
            yield seen

    def _smaller(self, view: ImageBgr, scale: float) -> Iterator[Places]:
        """Yield the places of dice in ever smaller views of a picture, given one at a scale, down to a few faces."""
        while max(view.shape) > _STEP * _LEAST_SIDE_PX:
            scale /= _STEP
            view = scaled(view, 1 / _STEP)
            yield self._look(view, scale)

    def _look(self, view_bgr: ImageBgr, scale: float) -> Places:
        """Return the places of dice in a view of a picture at a scale, in the picture's own pixels."""
        # grey is added below and to the right, so that the sides are large enough and multiples of the stride
        down, right = (max(-side % STRIDE, _LEAST_SIDE_PX - side) for side in view_bgr.shape[:2])
        if down > 0 or right > 0:
            wider = cv2.copyMakeBorder(view_bgr, 0, down, 0, right, cv2.BORDER_CONSTANT, value=(128, 128, 128))
            view_bgr = np.asarray(wider, np.uint8)
        places = self._places.look(view_bgr)
        there = (places.p > _WORTH_A_LOOK) & (places.sizes_px > _TOLD_PX[0]) & (places.sizes_px < _TOLD_PX[1])
        return Places(places.p[there], places.centres_px[there] / scale, places.sizes_px[there] / scale)


def _unread(image_bgr: ImageBgr, seen: Sequence[LooseDie]) -> Iterator[LooseDie]:
    """Yield groups of dots that look like pips, as dice without a value."""
    known = [(np.asarray(die.centre_px), die.size_px) for die in seen]
    for centre_px, size_px in unread_pips(image_bgr, known):
        yield LooseDie(None, 0.0, (float(centre_px[0]), float(centre_px[1])), size_px)


def _is_seen(places: Places) -> bool:
    return bool((places.p >= _PRESENT).any())


def cluster_detections(places: Places) -> Places:
    """Return one place for each face, the mean of the places on it, the surest first; at most _MOST_DICE."""
    left = places.p.copy()
    found: list[Places] = []
    while len(found) < _MOST_DICE and left.any():
        best = int(left.argmax())
        away = np.hypot(*(places.centres_px - places.centres_px[best]).T)
        alike = np.abs(np.log(places.sizes_px / places.sizes_px[best])) < 0.35
        same = alike & (left > 0) & (away < 0.3 * places.sizes_px[best])
        weights = places.p[same]
        centre = weights @ places.centres_px[same] / weights.sum()
        size = np.exp(weights @ np.log(places.sizes_px[same]) / weights.sum())
        found.append(Places(weights.max(keepdims=True), centre[None], np.array([size])))
        left[away < 0.4 * np.maximum(places.sizes_px[best], 0.7 * places.sizes_px)] = 0
    return join(found) if found else places


def non_max_suppression(places: Places, p_die: Floats, least: float = _PRESENT) -> Iterator[int]:
    """Yield the row of each die's place, the surest first; the places have a die with at least probability `least`."""
    left = np.where(p_die >= least, p_die, 0.0)
    log_odds = np.minimum(logit(p_die), _SUREST)
    while left.any():
        best = int(left.argmax())
        yield best
        away = np.hypot(*(places.centres_px - places.centres_px[best]).T)
        size = np.maximum(places.sizes_px[best], 0.7 * places.sizes_px)
        weaker = log_odds < log_odds[best] - _SIDE_WEAKER
        left[(away < 0.6 * size) | (weaker & (away < 0.9 * size))] = 0


def _why_nothing(image_bgr: ImageBgr) -> Blind | None:
    """Return why no die can be read: too dark, too blurred; None if the picture is good."""
    gray = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    if is_dark(gray):
        return Blind(BlindReason.DARK)
    scale = min(1.0, _BLUR_WIDTH_PX / gray.shape[1])
    reduced, finer = (
        np.asarray(cv2.resize(gray, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA), np.uint8)
        for ratio in (scale, min(1.0, 2 * scale))  # blur is soft at both; the grain of wood may not be
    )
    blurred = blur_px(reduced) > BLURRED_EDGE_PX and blur_px(finer) > BLURRED_EDGE_PX
    return Blind(BlindReason.BLURRED) if blurred else None
