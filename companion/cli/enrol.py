"""`companion enrol`: what the user's own pieces and board look like, learned from ten pictures or less."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import write_json, write_text
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, UsageError, examples, one_of, paragraph
from companion.cli.photographs import game_names
from companion.locale import _, ngettext
from companion.ui.names import pieces_steps

if TYPE_CHECKING:
    from vision.board import Board
    from vision.recognition.reader import EnrolmentSample

_MOST_PICTURES = 10


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "enrol",
        help=_("teach the camera your own pieces and board"),
        description=_(
            "Learns the colours of your own pieces and of your empty board from ten pictures or less, and "
            "keeps them beside your settings. Reading works without; with it unusual tints leave less doubt."
        ),
        epilog=paragraph(pieces_steps())
        + "\n\n"
        + examples(
            "companion enrol --game royal-tee --empty empty.jpg pieces-1.jpg pieces-2.jpg",
            'companion enrol --game territory --shows "red=A1,B2 white=C3" pieces.jpg',
            "companion enrol --game royal-tee --forget",
        ),
    )
    parser.add_argument(
        "--game",
        type=one_of(_("game"), game_names),
        metavar="NAME",
        required=True,
        help=_("the game whose table it is"),
    )
    parser.add_argument(
        "--empty", type=Path, action="append", default=[], metavar="IMAGE", help=_("a picture of the empty board")
    )
    parser.add_argument(
        "--shows", default="", metavar="LABEL=CELL,CELL...", help=_("what is on some cells in the pictures")
    )
    parser.add_argument("--forget", action="store_true", help=_("forget what was learned of this table"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    parser.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help=_("a picture of the board with pieces"))


def run(args: argparse.Namespace) -> int:
    """Learn, or forget.

    Raises:
        UsageError: there is nothing to learn from, or too much, or a place or label that the table does not have.
    """
    from companion.shell.camera_files import own_enrolment

    path = own_enrolment(args.game)
    if args.forget:
        path.unlink(missing_ok=True)
        if args.json:
            write_json({"status": "ok", "file": str(path), "forgotten": True})
        else:
            write_text(_("{file}: forgotten").format(file=path))
        return DONE
    _learn(args, path)
    return DONE


def _learn(args: argparse.Namespace, path: Path) -> None:
    from companion.app.photo_reading import own_tables
    from companion.shell.camera_files import find_calibration, write_enrolment
    from vision.board import shipped_board
    from vision.enrolment import EMPTY, fit_enrolment
    from vision.image_file import load_image
    from vision.recognition.labeller import CellLabeller
    from vision.recognition.reader import labeller_of, take_lesson

    pictures = [*args.empty, *args.images]
    if not 0 < len(pictures) <= _MOST_PICTURES:
        text = _("expected 1 to {most} pictures, found {number}")
        raise UsageError(text.format(most=_MOST_PICTURES, number=len(pictures)))
    board = own_tables().get(args.game) or shipped_board(args.game)
    labeller = labeller_of(board)
    if not isinstance(labeller, CellLabeller):
        text = _("{title}: its pieces are recognized by shape and print; there is no colour to learn")
        raise UsageError(text.format(title=board.title))
    shown = _shown(args.shows, board)
    calibration = find_calibration(None, os.environ)
    lessons = []
    for image in pictures:
        lesson = take_lesson(load_image(image), board, labeller, calibration)
        if not args.json:
            write_text(_reported(image, lesson))
        if lesson is not None:
            labels = dict.fromkeys(board.places, EMPTY) if image in args.empty else {**lesson.sure, **shown}
            lessons.append((lesson.tones, labels))
    if not lessons:
        raise UsageError(_("the board is in none of the pictures"))
    write_enrolment(fit_enrolment(board.game, board.places, lessons), path)
    if args.json:
        sure = sorted({place for _tones, labels in lessons for place in labels})
        write_json({"status": "ok", "file": str(path), "pictures": len(lessons), "places": sure})
    else:
        write_text(_("kept in {file}").format(file=path))


def _reported(image: Path, lesson: EnrolmentSample | None) -> str:
    if lesson is None:
        return _("{image}: the board cannot be read there; left out").format(image=image)
    text = ngettext("{image}: sure of {number} place", "{image}: sure of {number} places", len(lesson.sure))
    return text.format(image=image, number=len(lesson.sure))


def _shown(text: str, board: Board) -> Mapping[str, str]:
    """Understand "red=A1,B2 white=C3".

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
