"""A game's report: result, course, key moments, costs of decisions, the whole game as text."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from companion.app.formatting import shipped_table, turn_story
from companion.core.entries import Adopted, Played, standing
from companion.core.state import winners_at
from companion.core.verdicts import Picture
from companion.games import GAMES
from companion.games.bundle import Turn
from companion.games.engines import ENGINES
from companion.games.kit import Drawing, Rgb
from companion.games.record import GameRecord, position_after, replay
from companion.games.review import moments, review_of, score_curve
from companion.games.speech import SPEECHES, agreed_options, score_sentences, title_of
from companion.locale import _, language, ngettext, unbroken
from companion.printing.board_svg import OnCell, TableSvg, shown_cells
from companion.printing.plot import Plot, Track
from companion.printing.report import Photograph, Report, ReportScene
from companion.printing.themes import hex_colour
from companion.shell.archive import game_name
from companion.shell.journal import RecordedGame
from companion.shell.picture_policy import FOLDER, OF_MOVE, in_order
from companion.ui.board_text import legend, piece_of
from companion.ui.console import printable
from companion.ui.names import Names, player_name
from companion.ui.words import score_words, thing_name, won_words
from engines.kernel import Outcome, Seat
from vision.errors import UnreadableImageError
from vision.image_file import load_image

_COLOURS: Sequence[Rgb] = (
    *((42, 111, 151), (193, 18, 31), (106, 153, 78)),
    *((188, 108, 37), (123, 44, 191), (61, 64, 91)),
)
"""Of players without a colour."""

_NAMED: Mapping[str, Rgb] = {"white": (236, 232, 220), "black": (30, 30, 32)}
"""Of players named after a colour at a table without colours."""


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """The data of a report.

    `day` is "" if unknown; `moves` are pictures of the table after actions, by the action's number.
    """

    record: GameRecord
    names: Names = field(default_factory=dict)
    day: str = ""
    photographs: Sequence[Photograph] = ()
    moves: Mapping[int, Photograph] = field(default_factory=dict)


def report_of(played: ReportedGame) -> tuple[Report, Plot]:
    """Return a game's report and the plot of its course."""
    # 1. the turns, their review, and the course of the game
    record, names = played.record, played.names
    played_turns = list(replay(record))
    turns = [turn for turn in played_turns if isinstance(turn.outcome, Outcome)]
    review = review_of(record.game, turns, names)
    curve = review.curve or score_curve(record.game, record.start, turns)
    marked = moments(curve)
    end = position_after(record, turns)
    ways, notes = score_sentences(record.game, end, names)
    tracks = tuple(
        Track(player_name(seat, names), colour_of(record.game, seat, place), tuple(points))
        for place, (seat, points) in enumerate(curve.values.items())
    )
    plot = Plot(tracks, curve.title, _("action"), marked)
    # 2. the facts, and the meanings of the drawings' signs: pieces, and the game's own signs
    facts = [_("Played on {day}").format(day=played.day)] if played.day else []
    facts.append(ngettext("{count} action", "{count} actions", len(turns)).format(count=len(turns)))
    signs, shown = SPEECHES[record.game].guide().signs, shipped_table(record.game, end)
    if shown is not None:
        pieces = legend(shown.board, sorted(set(shown.labels.values())))
        signs = {sign: thing_name(SPEECHES[record.game].words, label) for sign, label in pieces.items()} | dict(signs)
    # 3. the players, and who has won
    rules = ENGINES[record.game].game
    score, winners, players = rules.score(end), winners_at(rules, end), []
    for place, (seat, has) in enumerate(score.items()):
        colour = hex_colour(colour_of(record.game, seat, place))
        players.append((player_name(seat, names), has, colour, seat in winners, ways.get(seat, "")))
    result = _("The game is not over ({score}).").format(score=score_words(score, names))
    svg, steps = _replay(played, turns)
    report = Report(
        language=language(),
        title=title_of(record.game),
        facts=(*facts, *agreed_options(record.game, record.start)),
        result=won_words(winners, score, names) if rules.over(end) else result,
        players=players,
        notes=tuple(notes),
        scenes=tuple(_scenes(played, turns, marked, end)),
        replay_svg=svg,
        replay=steps,
        legend=signs if shown else {},
        review=review.sentences,
        entries=[
            (turn.number, turn_story(record.game, turn, names), review.remarks.get(turn.number, ""))
            for turn in played_turns
        ],
        photographs=played.photographs,
    )
    return report, plot


def colour_of(game: str, seat: Seat, place: int) -> Rgb:
    """Return a player's colour on the table; one of our own if the table has none for the seat."""
    board = GAMES[game].board() if game in GAMES else None
    found = piece_of(board, seat) if board is not None and seat in board.colours else None
    if found is not None:
        return found.rgb
    return _NAMED.get(seat) or _COLOURS[place % len(_COLOURS)]


# ---- the course of the game


def _scenes(played: ReportedGame, turns: Sequence[Turn], marked: Sequence[int], end: Any) -> Iterator[ReportScene]:
    """Yield the key moments, and the table at the end."""
    game, by_number = played.record.game, {turn.number: turn for turn in turns}
    for number in marked:
        turn = by_number.get(number)
        if turn is not None and turn is not turns[-1]:
            heading = _("After action {number}").format(number=number)
            yield ReportScene(heading, turn_story(game, turn, played.names), picture_of(game, turn.after))
    caption = turn_story(game, turns[-1], played.names) if turns else ""
    yield ReportScene(_("At the end"), caption, picture_of(game, end))


def _replay(played: ReportedGame, turns: Sequence[Turn]) -> tuple[str, Mapping[str, Any]]:
    """Return the last table as SVG, and what the page needs to step through the game; "" if one cannot be drawn."""
    game, start = played.record.game, played.record.start
    tables = [shipped_table(game, position) for position in (start, *(turn.after for turn in turns))]
    drawn = [table for table in tables if table is not None]
    if len(drawn) < len(tables):
        return "", {}
    drawing = TableSvg(drawn[0].board)
    captions = ["", *(turn_story(game, turn, played.names) for turn in turns)]
    steps, before = list[Mapping[str, Any]](), dict[str, OnCell]()
    for table, caption in zip(drawn, captions, strict=True):
        frame = shown_cells(table.labels, table.look)
        changed = {cell: drawing.piece(one) for cell, one in frame.items() if before.get(cell) != one}
        gone = dict.fromkeys(before.keys() - frame.keys())
        steps.append({"cells": {**changed, **gone}, "caption": unbroken(printable(caption))})
        before = frame
    shots = {number: photograph.source for number, photograph in played.moves.items()}
    cell, svg = drawn[0].board.grid.pitch, drawing.svg(before, title=title_of(game))
    return svg, {"middles": drawing.middles(), "cell": cell, "steps": steps, "photographs": shots}


def picture_of(game: str, position: Any) -> Drawing | None:
    """Return a drawing of the table; None if it is not the shipped table."""
    table = shipped_table(game, position)
    return None if table is None else TableSvg(table.board).drawing(shown_cells(table.labels, table.look))


_WIDEST_PX = 1200
_QUALITY = 82


def photographs(folder: Path, recorded: RecordedGame) -> list[Photograph]:
    """Return the pictures kept in the journal's folder during a game, oldest first; without unreadable ones.

    They are found by the game's name in theirs, because times may come from a wrong clock.
    """
    name = game_name(recorded)
    found = in_order(folder / FOLDER, f"*-{name}-*")
    return [photograph for path in found if (photograph := _photograph(path)) is not None]


def photographs_of_moves(folder: Path, recorded: RecordedGame, actions: int) -> Mapping[int, Photograph]:
    """Return the pictures kept of single moves, by the action's number; the latest if an action was repeated.

    The game's record has that many `actions`; it lacks those before an adopted table.
    """
    name = game_name(recorded)
    left_out = sum(isinstance(entry, Played | Adopted) for entry in standing(recorded.entries)) - actions
    found = {int(path.stem.rpartition("-")[2]): path for path in in_order(folder / FOLDER, f"*-{name}-*", OF_MOVE)}
    pictures = {number - left_out: _photograph(path) for number, path in found.items() if number > left_out}
    return {number: picture for number, picture in pictures.items() if picture is not None and number <= actions}


def _photograph(path: Path) -> Photograph | None:
    """Return a picture with its caption, reduced if it is wide."""
    try:
        picture = load_image(path)
    except UnreadableImageError:
        return None
    ratio = min(1.0, _WIDEST_PX / picture.shape[1])
    small = cv2.resize(picture, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    _done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    captions = {Picture.REFUSED.value: _("A move that was refused"), Picture.FINAL.value: _("The table at the end")}
    caption = next((words for kind, words in captions.items() if path.stem.endswith(f"-{kind}")), _("The table"))
    return Photograph(caption, f"data:image/jpeg;base64,{base64.b64encode(jpeg.tobytes()).decode()}")
