"""`companion replay`: a recorded game shown and judged again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.formatting import drawn, story_line
from companion.app.output import write_json, write_text
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, UsageError, at_least, examples
from companion.locale import _, ngettext

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.games.record import GameRecord, Ply
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.record import GameRecord


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "replay",
        help=_("show a recorded game and judge it anew"),
        description=_(
            "Plays a record action by action: what was played, what came of it, how the game stands at the "
            "end. The first action that the rules forbid is reported, and so is a result that the game does "
            "not come to. A record reveals everything, cards that are face down too."
        ),
        epilog=examples(
            "companion journal export 3 > evening.txt",
            "companion replay evening.txt",
            "companion replay evening.txt --at 20",
            "companion replay evening.txt --json",
        ),
    )
    parser.add_argument("record", type=Path, metavar="FILE", help=_("the game's record"))
    parser.add_argument("--at", type=at_least(0), metavar="N", help=_("show the game as far as its action N"))
    parser.add_argument("--step", action="store_true", help=_("show the position after every action"))
    parser.add_argument("--json", action="store_true", help=_("a line of JSON for each action, and one for the end"))


def run(args: argparse.Namespace) -> int:
    """Show the game as far as it is asked for, and judge all of it."""
    from companion.games.record import check, position_after, replay

    with complaints_about(args.record):
        record = load_record(args.record)
        shown = _shown(args, record)
        if not args.json:
            write_text(*_title(record))
        plies: list[Ply] = []
        for ply in replay(record):
            if ply.number <= shown:
                _show(record, ply, position_after(record, plies), args)
            plies.append(ply)
        if args.json:
            write_json(_end_as_json(record, plies, shown))
        else:
            write_text("", *_standing(record, plies[:shown]))
        check(record, plies)
    return DONE


def _shown(args: argparse.Namespace, record: GameRecord) -> int:
    """Return how many actions are shown."""
    count = len(record.actions)
    if args.at is None:
        return count
    if args.at > count:
        text = ngettext("the record has {count} action, not {at}", "the record has {count} actions, not {at}", count)
        raise UsageError(f"{args.record}: {text.format(count=count, at=args.at)}")
    return int(args.at)


def _show(record: GameRecord, ply: Ply, before: Any, args: argparse.Namespace) -> None:
    from engines.kernel import Outcome

    if args.json:
        write_json(_as_json(record, ply, step=args.step))
        return
    write_text(story_line(record.game, ply, before, record.names))
    if args.step and isinstance(ply.outcome, Outcome):
        write_text(*_standing(record, [ply]), "")


# ---- for people


def _title(record: GameRecord) -> Iterator[str]:
    """Name the game, and what the record has for people."""
    from companion.games.record import SET_UP
    from companion.games.speech import title_of
    from companion.shell.clock import wall_time

    yield title_of(record.game)
    for key, value in record.headers.items():
        if key == "started":
            yield _("Played on {day}").format(day=wall_time(value))
        elif key not in SET_UP:
            yield f"{key}: {value}"


def _standing(record: GameRecord, plies: Sequence[Ply]) -> Iterator[RenderableType]:
    """Show the position after the last of these actions, the expected action, or how the score comes about."""
    from companion.games.record import position_after
    from companion.games.speech import SPEECHES, score_lines
    from companion.ui.words import score_words, won_words

    game, position = record.engine.game, position_after(record, plies)
    yield drawn(record.game, position) or record.engine.notation.write_position(position)
    points = game.score(position)
    score = score_words(points, record.names)
    if game.over(position):
        won = game.winners(position)
        yield won_words(won, points, record.names) if won else _("The game is over ({score})").format(score=score)
        yield from score_lines(record.game, position, record.names)
    else:
        prompt = SPEECHES[record.game].prompt(position, record.names)
        yield _("{prompt} ({score})").format(prompt=prompt, score=score)


# ---- for programs


def _as_json(record: GameRecord, ply: Ply, *, step: bool) -> Mapping[str, Any]:
    """Return an action with what came of it; on request also the position that it led to."""
    from engines.kernel import Refusal

    game, outcome = record.engine.game, ply.outcome
    played = {
        "number": ply.number,
        "by": ply.by,
        "action": game.action_to_json(ply.action),
        "text": record.engine.notation.write_action(ply.action),
    }
    if isinstance(outcome, Refusal):
        return {**played, "events": []}
    position = {"position": game.position_to_json(outcome.position)} if step else {}
    return {**played, "events": [event.to_json() for event in outcome.events], **position}


def _end_as_json(record: GameRecord, plies: Sequence[Ply], shown: int) -> Mapping[str, Any]:
    """Return the verdict on the whole record, and the position after what was shown of it."""
    from companion.games.record import position_after

    game, position = record.engine.game, position_after(record, plies[:shown])
    return {
        **_verdict(record, plies),
        "game": record.game,
        "headers": dict(record.headers),
        "names": dict(record.names),
        "actions": len(record.actions),
        "position": game.position_to_json(position),
        "score": dict(game.score(position)),
        "over": game.over(position),
        "winners": list(game.winners(position)),
        "to_act": game.to_act(position),
        "result": None if record.result is None else dict(record.result),
    }


def _verdict(record: GameRecord, plies: Sequence[Ply]) -> Mapping[str, Any]:
    from companion.games.record import position_after
    from engines.kernel import Refusal

    if plies and isinstance(refusal := plies[-1].outcome, Refusal):
        cells = list(refusal.cells)
        illegal = {"number": plies[-1].number, "reason": refusal.code, "rule": refusal.rule, "cells": cells}
        return {"status": "illegal", "illegal": illegal}
    wrong = record.result not in (None, record.engine.game.score(position_after(record, plies)))
    return {"status": "wrong-result" if wrong else "ok"}


_LARGEST_FILE = 1_000_000
"""Bytes; a game of a thousand actions has some twenty thousand."""


@contextmanager
def complaints_about(path: Path) -> Iterator[None]:
    """Put the file's name before what is wrong with its record."""
    from companion.games.record import RecordError

    try:
        yield
    except RecordError as error:
        raise UsageError(_("{file}, {complaint}").format(file=path, complaint=error)) from error


def load_record(path: Path) -> GameRecord:
    """Read a record from a file.

    Raises:
        RecordError: there is none in it.
        UsageError: it is too large, or no text.
        OSError: it cannot be read.
    """
    from companion.games.record import read_record
    from vision.file_access import FileTooLargeError, read_regular

    try:
        text = read_regular(path, _LARGEST_FILE).decode("utf-8-sig")
    except FileTooLargeError as error:
        raise UsageError(_("{file}: too large for a game's record").format(file=path)) from error
    except UnicodeDecodeError as error:
        raise UsageError(_("{file}: expected a game's record as UTF-8 text").format(file=path)) from error
    return read_record(text)
