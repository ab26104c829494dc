"""`companion judge`: finds what was played between a position and a photograph, and whether the rules allow it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.app.output import write_json, write_text
from companion.app.photo_reading import PhotoReading, look, reader_of, tables
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.cli.photographs import report_refusal
from companion.core.evidence import Evidence, discount_known_misreads, fuse_observations
from companion.core.hypothesis import Kind, Rules
from companion.core.inference import Finding, contradicted, judge, left_to_do
from companion.core.verdicts import ALTERED, Action, PendingPlacement, Position
from companion.games import GAMES
from companion.games.speech import SPEECHES, story
from companion.locale import _, english
from companion.shell.errors import unknown
from companion.ui.phrases import cells_list
from companion.ui.words import finding_words, reported_word, todo_words
from engines.decode import read_json
from engines.kernel import BadRequestError, Outcome
from vision.board import table_file
from vision.file_access import FileTooLargeError, read_regular

_LARGEST_FILE = 1_000_000
"""Largest position file in bytes; a position has a few thousand."""


def run(args: argparse.Namespace) -> int:
    """Judge the picture that was taken after the move."""
    data = load_position(args.position)
    # the game that was asked for, else the position's own
    name = args.game or (data.get("game") if isinstance(data, dict) else None)
    if name is None:
        raise UsageError(_('{file}: the position has no "game", and there is no --game').format(file=args.position))
    if not isinstance(name, str) or name not in GAMES:
        raise UsageError(unknown(_("game"), name if isinstance(name, str) else json.dumps(name)[:40], GAMES))
    adaptor, boards = GAMES[name], tables(name, args.table)
    # the position before the move, which the table has to be able to show
    try:
        position = adaptor.engine.position_from_json(data)
    except BadRequestError as error:
        raise UsageError(f"{args.position}: {error}") from error
    if adaptor.engine.over(position):
        raise UsageError(_("{file}: this game is over, nobody can move").format(file=args.position))
    board, placement = boards[name], adaptor.placement(position)
    # the rules accept the position, so that a label of it that the table lacks is a fault of the table file
    lacking = sorted({*placement.values()} - {*board.label_words})
    if strange := [*lacking, *sorted({*placement} - {*board.places})]:
        file = args.table or table_file(board.game) if lacking else args.position
        text = _('{file}: the table "{title}" has no {label}')
        raise UsageError(text.format(file=file, title=board.title, label=strange[0]))
    # the pictures
    seen: list[PhotoReading] = []
    reader = reader_of(boards, args.lens)
    for path in filter(None, (args.before, args.after)):
        picture = look(path, boards, reader)
        if not isinstance(picture, PhotoReading):
            return report_refusal(path, picture, as_json=args.json)
        seen.append(picture)
    reported = _judge(adaptor, position, seen)
    if args.json:
        with english():
            answer = _as_json(adaptor, position, reported)
        write_json(answer)
    else:
        write_text(*_sentences(adaptor, position, reported))
    return DONE


@dataclass(frozen=True, slots=True, eq=False)
class _Reported:
    """A finding, its evidence, and the cells where the picture before the move contradicts the position."""

    finding: Finding
    evidence: Evidence
    contradicted: Sequence[PendingPlacement]

    @property
    def todo(self) -> Sequence[PendingPlacement]:
        """What the players still have to do on the table."""
        names_it = self.finding.decision is Kind.LEGAL or self.finding.best.code == ALTERED
        return left_to_do(self.finding.best, self.evidence) if names_it else ()

    @property
    def actions(self) -> Sequence[Action]:
        """What was played, in order; if the table is ambiguous, the first action of each rival."""
        if self.finding.decision is Kind.AMBIGUOUS:
            return [rival.actions[0] for rival in self.finding.rivals]
        return self.finding.best.actions


def _judge(adaptor: Rules, position: Position, seen: Sequence[PhotoReading]) -> _Reported:
    """Judge the last picture: first by the card next to the board, if there is one, then by the cells."""
    # 1. the actions that the card shows
    card = seen[-1].reading.card
    beside = () if card is None else adaptor.beside(position, card).actions
    for action in beside:
        result = adaptor.engine.play(position, action)
        position = result.position if isinstance(result, Outcome) else position
    # 2. labels of the picture before the move that differ from the position are no evidence of the move
    *earlier, after = (picture.reading.observation for picture in seen)
    placement = adaptor.placement(position)
    unused = adaptor.unused(adaptor.engine.score(position), placement)
    odd: Sequence[PendingPlacement] = ()
    for before in earlier:
        odd = contradicted(placement, adaptor.with_confusions(fuse_observations([before], unused=unused)))
        after = discount_known_misreads(after, before, {**placement, **{todo.cell: todo.observed for todo in odd}})
    # 3. the action that explains the cells best
    evidence = adaptor.with_confusions(fuse_observations([after], unused=unused))
    finding = judge(adaptor, position, odd, evidence, first_look=not earlier)
    if beside and finding.decision in (Kind.LEGAL, Kind.UNCHANGED):
        first, *then = (*beside, *finding.best.actions)
        best = replace(finding.best, kind=Kind.LEGAL, action=first, then=tuple(then))
        best = best if finding.decision is Kind.LEGAL else replace(best, position=position)
        finding = replace(finding, decision=Kind.LEGAL, best=best)
    return _Reported(finding, evidence, odd)


def _as_json(adaptor: Rules, position: Position, reported: _Reported) -> dict[str, Any]:
    """Return the result as the public protocol writes it."""
    finding = reported.finding
    reached = finding.best.position if finding.decision is Kind.LEGAL else None
    return {
        "status": "ok",
        "verdict": finding.decision.value,
        "actions": [*map(adaptor.engine.action_to_json, reported.actions)],
        "position": adaptor.engine.position_to_json(position if reached is None else reached),
        "probability": round(finding.probability, 4),
        "why": _why(adaptor, position, finding),
        "todo": [{"cell": todo.cell, "put": todo.expected} for todo in reported.todo],
        "cells": list(finding.cells),
        "code": finding.best.code if finding.decision is Kind.ILLEGAL else None,
        "rule": finding.best.rule if finding.decision is Kind.ILLEGAL else None,
        "unsure": list(reported.evidence.unsure()),
        "contradicted": [todo.cell for todo in reported.contradicted],
    }


def _sentences(adaptor: Rules, position: Position, reported: _Reported) -> list[str]:
    """Return the verdict, its reason, what is left to do, and where the earlier picture contradicts the position."""
    finding = reported.finding
    verdict = _("{verdict} ({percent:.1f} %): {why}").format(
        verdict=reported_word(finding.decision),
        percent=100 * finding.probability,
        why=_why(adaptor, position, finding),
    )
    lines = [verdict]
    lines += [json.dumps(adaptor.engine.action_to_json(action)) for action in reported.actions]
    if reported.todo:
        lines.append(todo_words(reported.todo))
    if reported.contradicted:
        cells = cells_list(todo.cell for todo in reported.contradicted)
        lines.append(_("The picture before does not show the position: {cells}.").format(cells=cells))
    return lines


def _why(adaptor: Rules, position: Position, finding: Finding) -> str:
    """Return what was found and why; of legal actions also what they scored."""
    played = []
    for action in finding.best.actions:
        outcome = adaptor.engine.play(position, action)
        if isinstance(outcome, Outcome):
            played.append(story(adaptor.name, adaptor.engine.to_act(position), action, outcome.events))
            position = outcome.position
    return finding_words(finding, SPEECHES[adaptor.name].words, " ".join(played))


def load_position(path: Path) -> Any:
    """Load a JSON file.

    Raises:
        UsageError: the file is not JSON, or too large for a position.
        OSError: the file cannot be read.
    """
    try:
        return read_json(read_regular(path, _LARGEST_FILE))
    except FileTooLargeError as error:
        raise UsageError(_("{file}: too large for a position").format(file=path)) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(_("{file}: expected a position as JSON: {error}").format(file=path, error=error)) from error
