"""`companion replay`: a recorded game shown and judged again, or an evening played again from its pictures."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from rich.console import RenderableType

from companion.app.evening import EveningPlan, PlayDevices, hold_evening
from companion.app.formatting import drawn, story_line
from companion.app.output import write_json, write_text
from companion.cli.exits import DONE, FAULT, ended_by_signals
from companion.cli.journal import complaints_about, load_record
from companion.cli.parser import UsageError
from companion.core.entries import Arranged, Calibrated
from companion.core.state import winners_at
from companion.games.bundle import Turn
from companion.games.record import SET_UP, GameRecord, check, position_after, replay
from companion.games.speech import SPEECHES, score_lines, title_of
from companion.locale import _, ngettext
from companion.shell.clock import wall_time
from companion.shell.feed import FedCamera, FedPanel
from companion.shell.journal import JournalReader
from companion.shell.journal_schema import entry_to_json
from companion.shell.recording import RecordedEvening
from companion.ui.words import score_words, won_words
from engines.kernel import Outcome, Refusal


def run(args: argparse.Namespace) -> int:
    """Judge a record and show it up to `--at`; play a recording's folder again."""
    if args.record.is_dir():
        return _play_again(args)
    if args.fast:
        raise UsageError(_("--fast needs a recording's folder"))
    with complaints_about(args.record):
        record = load_record(args.record)
        count = len(record.actions)
        shown = count if args.at is None else args.at
        if shown > count:
            text = ngettext(
                "the record has {count} action, not {at}", "the record has {count} actions, not {at}", count
            )
            raise UsageError(f"{args.record}: {text.format(count=count, at=shown)}")
        if not args.json:
            said = {
                key: _("Played on {day}").format(day=wall_time(value)) if key == "started" else f"{key}: {value}"
                for key, value in record.headers.items()
            }
            write_text(title_of(record.game), *(line for key, line in said.items() if key not in SET_UP))
        turns: list[Turn] = []
        for turn in replay(record):
            if turn.number <= shown and args.json:
                write_json(_as_json(record, turn, step=args.step))
            elif turn.number <= shown:
                write_text(story_line(record.game, turn, record.names))
                if args.step and isinstance(turn.outcome, Outcome):
                    write_text(*_standing(record, [turn]), "")
            turns.append(turn)
        if args.json:
            write_json(_end_as_json(record, turns, shown))
        else:
            write_text("", *_standing(record, turns[:shown]))
        check(record, turns)
    return DONE


# ---- a recording


def _play_again(args: argparse.Namespace) -> int:
    """Play an evening again from its folder; return 1 if its journal differs from that evening's."""
    from companion.cli.play import own_boards

    if args.json or args.step or args.at is not None:
        raise UsageError(_("--json, --step and --at need a game's record, not a recording's folder"))
    recording = RecordedEvening(args.record, wait=None if args.fast else time.sleep)
    devices = PlayDevices(
        recording.name,
        recording.name,
        lambda: FedCamera(recording, recording.name),
        lambda enqueue: FedPanel(recording, enqueue, 6),
        dice=Random(recording.begun.dice_seed),  # noqa: S311 - the throws of that evening
        lens=recording.lens,
        enrolments=recording.enrolments,
    )
    with tempfile.TemporaryDirectory(prefix="companion-replay-") as folder:
        journal = Path(folder) / "journal.sqlite3"
        setup = replace(recording.setup(journal), tables=own_boards(recording.table) if recording.table else {})
        plan = EveningPlan(setup, devices, recording.clock, ended_by_signals, plain=args.fast)
        hold_evening(replace(plan, timers=recording.timers))
        if not recording.journal_after.exists():
            write_text(_("That evening was cut short: there is no journal to compare with."))
            return DONE
        now, then = _entries(journal), _entries(recording.journal_after)
    # the first entry in which the two journals differ
    shorter = min(len(now), len(then))
    same = next((number for number in range(shorter) if now[number] != then[number]), shorter)
    if same == len(now) == len(then):
        text = ngettext("{count} entry, as that evening.", "{count} entries, as that evening.", same)
        write_text(text.format(count=same))
        return DONE
    write_text(_("What was accepted differs from that evening, from entry {number} on:").format(number=same + 1))
    for title, entries in ((_("that evening"), then), (_("now"), now)):
        write_text(f"  {title}: {entries[same] if same < len(entries) else '-'}")
    return FAULT


def _entries(path: Path) -> list[str]:
    """Return the entries of a journal's last game as JSON, without seats and calibrations."""
    with closing(JournalReader(path)) as reader:
        games = list(reader.games())
    kept = [entry for entry in games[-1].entries if not isinstance(entry, Arranged | Calibrated)] if games else []
    return [json.dumps(entry_to_json(entry)) for entry in kept]


# ---- as text


def _standing(record: GameRecord, turns: Sequence[Turn]) -> Iterator[RenderableType]:
    """Yield the position after these actions, then the expected action, or the result and how the score comes about."""
    game, position = record.engine.game, position_after(record, turns)
    yield drawn(record.game, position) or record.engine.notation.write_position(position)
    points = game.score(position)
    if game.over(position):
        yield won_words(winners_at(game, position), points, record.names)
        yield from score_lines(record.game, position, record.names)
    else:
        prompt = SPEECHES[record.game].prompt(position, record.names)
        yield _("{prompt} ({score})").format(prompt=prompt, score=score_words(points, record.names))


# ---- as JSON


def _as_json(record: GameRecord, turn: Turn, *, step: bool) -> Mapping[str, Any]:
    """Return an action with its events; with `step` also the position after it."""
    game, outcome = record.engine.game, turn.outcome
    played = {
        "number": turn.number,
        "by": turn.by,
        "action": game.action_to_json(turn.action),
        "text": record.engine.notation.write_action(turn.action),
    }
    if isinstance(outcome, Refusal):
        return {**played, "events": []}
    position = {"position": game.position_to_json(outcome.position)} if step else {}
    return {**played, "events": [event.to_json() for event in outcome.events], **position}


def _end_as_json(record: GameRecord, turns: Sequence[Turn], shown: int) -> Mapping[str, Any]:
    """Return the verdict on the whole record, and the position after the actions that were shown."""
    game, position = record.engine.game, position_after(record, turns[:shown])
    wrong = record.result not in (None, game.score(position_after(record, turns)))
    verdict: dict[str, Any] = {"status": "wrong-result" if wrong else "ok"}
    if turns and isinstance(refusal := turns[-1].outcome, Refusal):
        illegal = {"reason": refusal.code, "rule": refusal.rule, "cells": list(refusal.cells)}
        verdict = {"status": "illegal", "illegal": {"number": turns[-1].number, **illegal}}
    return {
        **verdict,
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
