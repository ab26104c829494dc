"""`companion enrol`: learns from ten pictures or less what the user's own pieces and board look like."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from companion.app.output import write_json, write_text
from companion.app.photo_reading import own_tables
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.locale import _, ngettext
from companion.shell.config_files import enrolment_file, find_calibration
from companion.shell.config_places import own_place, write_own
from vision.board import Board, shipped_board
from vision.enrolment import enrolment_toml, fit_enrolment
from vision.image_file import load_image
from vision.labels import EMPTY
from vision.recognition.labeller import CellLabeller
from vision.recognition.reader import labeller_of, take_lesson

_MOST_PICTURES = 10


def run(args: argparse.Namespace) -> int:
    """Learn how a table looks, or forget it.

    Raises:
        UsageError: there is nothing to learn from, or too much, or a place or label that the table does not have.
    """
    path = own_place(enrolment_file(args.game))
    if args.forget:
        path.unlink(missing_ok=True)
        if args.json:
            write_json({"status": "ok", "file": str(path), "forgotten": True})
        else:
            write_text(_("{file}: forgotten").format(file=path))
        return DONE
    # 1. the pictures, the table, and how its pieces are told apart
    pictures = [*args.empty, *args.images]
    if not 0 < len(pictures) <= _MOST_PICTURES:
        text = _("expected 1 to {most} pictures, found {number}")
        raise UsageError(text.format(most=_MOST_PICTURES, number=len(pictures)))
    board = own_tables().get(args.game) or shipped_board(args.game)
    labeller = labeller_of(board)
    if not isinstance(labeller, CellLabeller):
        text = _("{title}: its pieces are recognized by shape and print; there is no colour to learn")
        raise UsageError(text.format(title=board.title))
    shown = _parse_shown(args.shows, board)
    calibration = find_calibration(None, os.environ)
    # 2. what each picture shows with certainty
    lessons = []
    for image in pictures:
        lesson = take_lesson(load_image(image), board, labeller, calibration)
        if lesson is None:
            text = _("{image}: the board cannot be read there; left out").format(image=image)
        else:
            tones, sure = lesson
            lessons.append((tones, dict.fromkeys(board.places, EMPTY) if image in args.empty else {**sure, **shown}))
            text = ngettext("{image}: sure of {number} place", "{image}: sure of {number} places", len(sure))
            text = text.format(image=image, number=len(sure))
        if not args.json:
            write_text(text)
    if not lessons:
        raise UsageError(_("the board is in none of the pictures"))
    # 3. what they teach is kept
    write_own(path.name, enrolment_toml(fit_enrolment(board.game, board.places, lessons)), path)
    if args.json:
        places = sorted({place for _tones, labels in lessons for place in labels})
        write_json({"status": "ok", "file": str(path), "pictures": len(lessons), "places": places})
    else:
        write_text(_("kept in {file}").format(file=path))
    return DONE


def _parse_shown(text: str, board: Board) -> Mapping[str, str]:
    """Parse "red=A1,B2 white=C3" to the label of each place.

    Raises:
        UsageError: there is no such label or place.
    """
    shown: dict[str, str] = {}
    for group in text.split():
        label, _equals, places = group.partition("=")
        if label not in board.label_words:
            known = ", ".join(board.label_words)
            raise UsageError(_('--shows: no label "{label}"; there are: {known}').format(label=label, known=known))
        for place in places.split(","):
            if place not in board.places:
                raise UsageError(_('--shows: no place "{place}" on {title}').format(place=place, title=board.title))
            shown[place] = label
    return shown
