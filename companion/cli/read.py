"""`companion read`: reads the label of each cell in photographs of a table, with its certainty."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.app import photo_reading
from companion.app.output import write_json, write_text
from companion.app.photo_reading import PhotoReading
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from companion.cli.parser import UsageError
from companion.cli.photographs import pictures_for, report_refusal
from companion.games.speech import table_title
from companion.locale import _
from companion.ui.board_text import CellMarks, board_text, unlike_initials
from companion.ui.names import counts, seat_name
from vision.observation import Blind

_LEAST_SHOWN = 0.001
"""Lowest probability of a label that is printed for a stage."""


def run(args: argparse.Namespace) -> int:
    """Read every image; return the exit code of the worst result: unusable, refused, done."""
    outs = pictures_for(args.picture, args.images)
    boards = photo_reading.tables(args.game, args.table)
    reader = photo_reading.reader_of(boards, args.lens)
    looks = ((path, photo_reading.look(path, boards, reader), out) for path, out in zip(args.images, outs, strict=True))
    cell = args.explain and args.explain.upper()
    codes = [_tell_look(path, seen, out, cell, as_json=args.json) for path, seen, out in looks]
    return min(codes, key=(UNUSABLE, REFUSED, DONE).index)


def _tell_look(path: Path, seen: PhotoReading | Blind, out: Path | None, cell: str | None, *, as_json: bool) -> int:
    """Report what was read, and with `cell` what each stage made of that cell; write the picture to `out`."""
    if not isinstance(seen, PhotoReading):
        return report_refusal(path, seen, as_json=as_json)
    if cell is not None and cell not in seen.labels:
        text = _('{file}: the table "{title}" has no {label}')
        raise UsageError(text.format(file=path, title=seen.board.title, label=cell))
    if out is not None and cell is not None:
        photo_reading.write_cell(out, seen, cell)
    elif out is not None:
        photo_reading.write_picture(out, seen, _summary(seen))
    stages = [] if cell is None else photo_reading.stages_of(seen, cell)
    if as_json:
        write_json({**_as_json(path, seen), **({"explained": {"cell": cell, "stages": stages}} if stages else {})})
        return DONE
    letters = unlike_initials(seen.board, seen.labels.values())
    title = _("{image}: {game}, read in {time:.0f} ms")
    write_text(
        title.format(image=path, game=table_title(seen.board), time=seen.milliseconds),
        board_text(seen.board, seen.labels, CellMarks(doubt=seen.unsure)),
        *(_("{term}: {meaning}").format(term=letter, meaning=seat_name(colour)) for letter, colour in letters.items()),
        *_summary(seen),
    )
    if stages:
        write_text(_("What each stage made of {cell}: how likely it is in sight, and what is on it").format(cell=cell))
    for made in stages:
        labels = ", ".join(f"{label} {p:.3f}" for label, p in made["labels"].items() if p >= _LEAST_SHOWN)
        write_text(f"{made['stage']:<18}{made['visible']:.3f}  {labels}")
    return DONE


def _as_json(path: Path, seen: PhotoReading) -> dict[str, Any]:
    """Return a reading as the public protocol writes it."""
    confidence = seen.reading.observation.confidence().tolist()
    reported = {
        place: {"label": label, "confidence": round(p, 4)}
        for (place, label), p in zip(seen.labels.items(), confidence, strict=True)
    }
    unsure, card = set(seen.unsure), seen.reading.card
    pads = [place for place in seen.board.places if place not in seen.board.cells]  # in the same form as the cells
    return {
        "image": str(path),
        "status": "ok",
        "game": seen.board.game,
        "cells": {cell: reported[cell] for cell in seen.board.cells},
        "unsure": [cell for cell in seen.board.cells if cell in unsure],
        **({"heights": {cell: list(ends) for cell, ends in seen.heights.items()}} if seen.heights else {}),
        **({"pads": {pad: {**reported[pad], "unsure": pad in unsure} for pad in pads}} if pads else {}),
        "card": card and {"number": card.number, "side": card.side, "turns": card.quarter_turns},
        "milliseconds": round(seen.milliseconds, 1),
    }


def _summary(seen: PhotoReading) -> tuple[str, ...]:
    """Count the labels of the certain cells, name the other cells, and report a card next to the board."""
    certain = (label for cell, label in seen.labels.items() if cell not in seen.unsure)
    summary = (counts(certain), *photo_reading.doubt_sentences(seen))
    if (card := seen.reading.card) is None:
        return summary
    sentences = {
        "face": _("Objective card {number}, face up; quarter turns clockwise: {turns}."),
        "back": _("Objective card {number}, back up; quarter turns clockwise: {turns}."),
    }
    return *summary, sentences[card.side].format(number=card.number, turns=card.quarter_turns)
