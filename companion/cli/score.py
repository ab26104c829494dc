"""`companion score`: the score of the position in a photograph."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.output import write_json, write_text
from companion.app.photo_reading import (
    PhotoReading,
    doubt_sentence,
    heights_sentence,
    look,
    reader_of,
    tables,
    write_picture,
)
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, UsageError, examples
from companion.cli.photographs import add_table_arguments, pictures_for, report_refusal
from companion.locale import _, english

if TYPE_CHECKING:
    from engines.kernel import JsonObject, Seat


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "score",
        help=_("score the position in a photograph"),
        description=_("Reads a photograph of a table and counts the score of the position in it."),
        epilog=_("Where cells are in doubt the most probable label counts, and the doubtful cells are named.")
        + "\n\n"
        + examples(
            "companion score table.jpg",
            "companion score --picture score.png table.jpg",
            "companion score --game royal-tee --json table.jpg",
        ),
    )
    add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    parser.add_argument(
        "--picture", type=Path, metavar="OUT.png", help=_("write the picture with what was read drawn over it")
    )
    parser.add_argument("image", type=Path, metavar="IMAGE", help=_("a JPEG, PNG, WebP or BMP picture"))


def run(args: argparse.Namespace) -> int:
    """Read the image and score what is there."""
    from companion.games import GAMES
    from engines.kernel import Cell

    (out,) = pictures_for(args.picture, [args.image])
    boards = tables(args.game, args.table)
    seen = look(args.image, boards, reader_of(boards, args.lens))
    if not isinstance(seen, PhotoReading):
        return report_refusal(args.image, seen, as_json=args.json)
    if seen.board.game not in GAMES:
        raise UsageError(_("{game} has no score that a picture could show").format(game=seen.board.title))
    game, heights = GAMES[seen.board.game], seen.heights
    lowest, highest = ({Cell(cell): label for cell, label in _stacked(seen, end).items()} for end in (0, 1))
    with english() if args.json else nullcontext():
        scores, detail = game.score_seen(lowest, seen.board)
        most, detail_most = game.score_seen(highest, seen.board) if heights else (scores, detail)
    notes = [str(one["note"]) for one in (detail, detail_most) if "note" in one]
    sentences = (*_sentences(scores, most, seen), *heights_sentence(heights))
    if out is not None:
        write_picture(out, seen, sentences)
    if args.json:
        write_json(
            {
                "status": "ok",
                "game": seen.board.game,
                "scores": scores,
                "leaders": _leaders(scores),
                "detail": detail,
                "unsure": seen.unsure,
                **_range_json(most, detail_most, heights),
            }
        )
    else:
        write_text(f"{args.image}: {seen.board.title}", *sentences, *dict.fromkeys(notes))
    return DONE


def _leaders(scores: Mapping[Seat, int]) -> list[Seat]:
    """Name everybody who has the most."""
    return [seat for seat, score in scores.items() if score == max(scores.values())]


def _stacked(seen: PhotoReading, end: int) -> dict[str, str]:
    """Return the label of each cell with as few pieces on one another as there may be (end 0), or as many (end 1)."""
    from vision.labels import parse_label

    labels = seen.labels
    for cell, ends in seen.heights.items():
        labels[cell] = str(replace(parse_label(labels[cell]), height=ends[end]))
    return labels


def _range_json(most: Mapping[Seat, int], detail: JsonObject, heights: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """Return what the score is if as many pieces as there may be are on one another; nothing if all is seen."""
    if not heights:
        return {}
    ends = {cell: list(both) for cell, both in heights.items()}
    return {"heights": ends, "scores_most": most, "detail_most": detail}


def _sentences(scores: Mapping[Seat, int], most: Mapping[Seat, int], seen: PhotoReading) -> tuple[str, ...]:
    """Return sentences for the scores, the highest first, who leads, and the cells that the camera could not read.

    Where stacks leave a range, it is named, and who leads only if both ends of it say the same.
    """
    from companion.ui.names import points, seat_name

    ordered = dict(sorted(scores.items(), key=lambda seat_score: -seat_score[1]))
    text = _("{player} {least} to {most}")
    counted = ", ".join(
        points({seat: low}) if low == most[seat] else text.format(player=seat_name(seat), least=low, most=most[seat])
        for seat, low in ordered.items()
    )
    leaders = _leaders(scores)
    lead = _lead(leaders) if leaders == _leaders(most) else _("who leads cannot be seen")
    return counted or _("nobody has scored"), lead, doubt_sentence(seen.unsure)


def _lead(leaders: Sequence[Seat]) -> str:
    if not leaders:
        return _("nobody in the lead")
    from companion.ui.names import seat_name

    text = _("{players} in the lead") if len(leaders) == 1 else _("{players} in the lead together")
    return text.format(players=", ".join(map(seat_name, leaders)))
