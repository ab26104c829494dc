"""`companion score`: the score of the position in a photograph."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace

from companion.app.output import write_json, write_text
from companion.app.photo_reading import PhotoReading, doubt_sentences, look, reader_of, tables, write_picture
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.cli.photographs import pictures_for, report_refusal
from companion.games import GAMES
from companion.games.speech import table_title
from companion.locale import _, english
from companion.ui.names import points, seat_name
from engines.kernel import Cell, Seat, leaders
from vision.board import shipped_board
from vision.labels import parse_label


def run(args: argparse.Namespace) -> int:
    """Read the image and score its position."""
    (out,) = pictures_for(args.picture, [args.image])
    boards = tables(args.game, args.table)
    seen = look(args.image, boards, reader_of(boards, args.lens))
    if not isinstance(seen, PhotoReading):
        return report_refusal(args.image, seen, as_json=args.json)
    if seen.board.game not in GAMES:
        raise UsageError(_("{game} has no score that a picture could show").format(game=table_title(seen.board)))
    if seen.board.places != shipped_board(seen.board.game).places:
        raise UsageError(_("the table of {game} needs the cells of ours to be scored").format(game=seen.board.game))
    game, heights = GAMES[seen.board.game], seen.heights
    labels = {Cell(cell): label for cell, label in seen.labels.items()}
    lowest, highest = (  # with the lowest and with the highest stack that each cell may have
        labels | {Cell(c): str(replace(parse_label(labels[Cell(c)]), height=ends[end])) for c, ends in heights.items()}
        for end in (0, 1)
    )
    with english() if args.json else nullcontext():
        scores, detail = game.score_seen(lowest, seen.board)
        most, detail_most = game.score_seen(highest, seen.board) if heights else (scores, detail)
    notes = [str(one["note"]) for one in (detail, detail_most) if "note" in one]
    if len({*notes}) > 1:  # each holds for one end of the heights only
        bounds = (_("Counted with the lowest stacks: {note}"), _("Counted with the highest stacks: {note}"))
        notes = [bound.format(note=note) for bound, note in zip(bounds, notes, strict=True)]
    sentences = _sentences(scores, most, seen)
    if out is not None:
        write_picture(out, seen, sentences)
    if args.json:
        answer = {
            "status": "ok",
            "game": seen.board.game,
            "scores": scores,
            "leaders": leaders(scores),
            "detail": detail,
            "unsure": seen.unsure,
        }
        if heights:  # the score if each stack is as high as it may be
            ends = {cell: list(both) for cell, both in heights.items()}
            answer |= {"heights": ends, "scores_most": most, "detail_most": detail_most}
        write_json(answer)
    else:
        write_text(f"{args.image}: {table_title(seen.board)}", *sentences, *dict.fromkeys(notes))
    return DONE


def _sentences(scores: Mapping[Seat, int], most: Mapping[Seat, int], seen: PhotoReading) -> tuple[str, ...]:
    """Return sentences for the scores, the highest first, who leads, and the cells that the camera could not read.

    If the heights of stacks leave a range, it is given, and who leads only if both ends agree.
    """
    ordered = dict(sorted(scores.items(), key=lambda seat_score: -seat_score[1]))
    text = _("{player} {least} to {most}")
    counted = ", ".join(
        points({seat: low}) if low == most[seat] else text.format(player=seat_name(seat), least=low, most=most[seat])
        for seat, low in ordered.items()
    )
    ahead = leaders(scores)
    lead = _("{players} in the lead") if len(ahead) == 1 else _("{players} in the lead together")
    if ahead != leaders(most):
        lead = _("who leads cannot be seen")
    elif not ahead:
        lead = _("nobody in the lead")
    lead = lead.format(players=", ".join(map(seat_name, ahead)))
    return counted or _("nobody has scored"), lead, *doubt_sentences(seen)
