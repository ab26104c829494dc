"""`companion demo`: whole games on a simulated table, played, seen, judged and scored, with cheats and hands."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from companion.app.offers import fewest_seats, seats_of
from companion.app.output import write_text
from companion.cli.exits import DONE, FAULT
from companion.cli.parser import UsageError
from companion.games import GAMES, SIMULATED
from companion.games.speech import title_of
from companion.locale import _, ngettext
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Pace
from companion.simulator.outside import EndedEarlyError, EveningOutside, OutsideTable, Program
from companion.simulator.planner import RESTING_HAND
from companion.simulator.table import Plan
from companion.ui.console import SafeConsole
from companion.ui.names import player_names
from companion.ui.words import score_words

_FAST_SIZE_WH = (1024, 768)
_FAST_FRAME_S = 0.6
_LIVE_FRAME_S = 0.2
_FILM_TURNS, _FILM_TRICK, _FILM_THINK_S = 6, 2, 0.5
"""Of a film: turns of each game, the turn with a cheat in it, and how long the players think."""

_FAST_MINUTES, _LIVE_MINUTES = 4, 15
"""Roughly how long a game takes: an estimate."""


def run(args: argparse.Namespace) -> int:
    """Play each game; return 1 if a final score is not the true one, or a game could not be played to its end."""
    if args.folder and args.folder.exists() and not args.folder.is_dir():
        raise UsageError(_("{folder}: there is no such folder").format(folder=args.folder))
    folder = args.folder or Path(tempfile.mkdtemp(prefix="companion-demo-"))
    games, agreed = args.game or list(SIMULATED), True
    try:
        if args.film:
            return _film(games, args, folder)
        text = ngettext(
            "{count} game is played; that takes about {minutes} minutes. Ctrl-C ends it.",
            "{count} games are played; that takes about {minutes} minutes. Ctrl-C ends them.",
            len(games),
        )
        minutes = len(games) * (_FAST_MINUTES if args.fast else _LIVE_MINUTES)
        write_text(text.format(count=len(games), minutes=minutes))
        for game in games:
            played = _play(game, args, folder, _console(plain=args.fast))
            write_text(*_report(game, played))
            agreed = agreed and played.went_well
    except EndedEarlyError as error:  # the program has reported why
        return error.code or FAULT
    return DONE if agreed else FAULT


def _film(games: Sequence[str], args: argparse.Namespace, folder: Path) -> int:
    """Show some turns of one game on the screen, play as many of the others behind a bar, and print a summary."""
    # first the one that is best to watch: without cards to read, with dice, on a small board
    tables = {game: (GAMES[game].board(), GAMES[game].engine.has_dice) for game in games}
    keys = {game: (bool(board.card_words), not dice, len(board.cells)) for game, (board, dice) in tables.items()}
    first, *others = sorted(keys, key=keys.__getitem__)
    sentence = _("Simulated people play {game} before a simulated camera; one of them cheats.")
    write_text(sentence.format(game=title_of(first)))
    args.turns = args.turns or _FILM_TURNS
    played = {first: _play(first, args, folder, _console(plain=False))}
    write_text(*_report(first, played[first]))
    args.fast = True
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=_console(plain=False)) as progress:
        bar = progress.add_task("", total=len(others))
        for game in others:
            progress.update(bar, description=title_of(game))
            played[game] = _play(game, args, folder, None)
            progress.advance(bar)
    table = Table(_("game"), _("moves seen right"), _("cheats caught"), _("wrong verdicts"))
    for game, one in played.items():
        counts = one.counts
        seen = _("{right} of {all}").format(right=counts.confirmed, all=counts.legal)
        caught = _("{right} of {all}").format(right=counts.caught.total(), all=counts.cheats.total())
        table.add_row(title_of(game), seen, caught, str(counts.wrong))
    _console(plain=False).print(table)
    right = all(one.went_well and not one.counts.wrong for one in played.values())
    hint = _("It works. Next: {print} prints this game; {menu} asks what you would like to do.")
    wrong = _("Something was not seen right; {doctor} looks at this computer.")
    commands = {"print": f"companion print kit {first}", "menu": "companion", "doctor": "companion doctor"}
    write_text((hint if right else wrong).format_map(commands))
    return DONE if right else FAULT


def _play(game: str, args: argparse.Namespace, folder: Path, console: SafeConsole | None) -> EveningOutside:
    """Play a game with `companion play` in a process of its own, on this console; None shows nothing.

    Only the players know the seed: the program gets their frames and presses, and throws dice of its own.
    """
    screen = console is not None and console.is_terminal and not console.is_dumb_terminal
    options, seats = SIMULATED[game].options[-1], seats_of(GAMES[game].board())
    program = Program(
        game,
        fewest_seats(game, seats, options) or seats,
        folder / f"{game}.sqlite3",
        options,
        ("--dice=button", *(() if screen else ("--plain",))),
        None if console is None else sys.stdout,
        {"LINES": str(console.height - 1)} if console is not None and screen else {},
    )
    frame_s, wait = (_FAST_FRAME_S, None) if args.fast else (_LIVE_FRAME_S, time.sleep)
    sys.stdout.flush()

    def tell(sentence: str) -> None:
        if console is not None and screen:  # in the terminal's last line, which the screen leaves free
            line = sentence[: console.width - 1]
            sys.stdout.write(f"\x1b7\x1b[{console.height};1H\x1b[2K{line}\x1b8")
            sys.stdout.flush()
        elif console is not None:
            write_text(sentence)

    return OutsideTable(_plan(args, game), frame_s=frame_s, wait=wait, tell=tell).play(program)


def _plan(args: argparse.Namespace, game: str) -> Plan:
    """Plan a table and its players; a fast camera takes small pictures, unless there are cards to read in them."""
    plays = SIMULATED[game]
    tricks = (*list(plays.cheats)[:2], RESTING_HAND, *list(plays.slips)[:1], *list(plays.cheats)[2:4])
    planned = {2 * number: trick for number, trick in enumerate(tricks, 1)}
    if args.film:
        planned[_FILM_TURNS - 1] = "carried"  # possible also while a table is being laid, in a race six turns long
    if args.fast:
        behaviour = PlayerBehaviour(think_s=0.0, tricks=planned, turns=args.turns)
        plan = Plan(args.seed, behaviour, Pace(reach_s=0.3, piece_s=0.02))
        return plan if GAMES[game].board().card_words else replace(plan, size_wh=_FAST_SIZE_WH)
    if args.film:
        trick = {_FILM_TRICK: next(iter(plays.cheats))}
        behaviour = PlayerBehaviour(think_s=_FILM_THINK_S, tricks=trick, turns=args.turns)
        return replace(Plan(args.seed, behaviour, Pace()), size_wh=_FAST_SIZE_WH)
    return Plan(args.seed, PlayerBehaviour(tricks=planned, turns=args.turns), Pace())


def _console(*, plain: bool) -> SafeConsole:
    """Return a console for the terminal; if `plain`, it writes lines instead of redrawing a screen."""
    return SafeConsole(file=sys.stdout, terminal=False if plain else None)


def _report(game: str, played: EveningOutside) -> list[str]:
    """Return sentences: the score, a mistake in it, and how many verdicts were right."""
    counts = played.counts
    lines = [_("{game}: {score}").format(game=title_of(game), score=score_words(played.truth))]
    if winners := GAMES[game].engine.winners(played.table.players.position):
        lines.append(_("winner: {players}").format(players=player_names(winners)))
    if played.gave_up:
        lines.append(_("The people gave up: they got no right verdicts any more."))
    if not played.scored:
        lines.append(_("WRONG: the companion has {score}").format(score=score_words(played.view.score)))
    counted = _(
        "legal moves seen right: {right} of {honest}; others caught: {caught} of {forbidden}; wrong verdicts: {wrong}"
    )
    lines.append(
        counted.format(
            right=counts.confirmed,
            honest=counts.legal,
            caught=counts.caught.total(),
            forbidden=counts.cheats.total(),
            wrong=counts.wrong,
        )
    )
    return lines
