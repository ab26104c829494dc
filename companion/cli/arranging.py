"""What users agree on before a game: options, names, who throws, which seats the companion plays."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from companion.app.output import as_typed
from companion.cli.parser import Parser, UsageError, one_of
from companion.locale import _

if TYPE_CHECKING:
    from companion.core.entries import Arranged
    from companion.shell.settings import Settings
    from engines.kernel import Seat

DICE = ("button", "camera", "typed")
LEVELS = ("easy", "medium", "strong")
"""The names of `engines.kernel.Level`, the strongest last; the command line does not wait for engines."""
_SIMULATED, _TYPED = "simulated", "none"


def add_arguments(parser: Parser) -> None:
    """Add what is agreed on to a command."""
    parser.add_argument(
        "--names",
        type=as_typed,
        metavar="NAMES",
        help=_("what people are called, in the order of --players, such as Anna,Ben"),
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help=_("an option of the game, such as level=2; can be given several times"),
    )
    parser.add_argument(
        "--dice",
        type=one_of(_("kind of dice"), lambda: DICE),
        metavar="HOW",
        help=_("who throws: button (the companion), camera (it reads the dice on the table), typed; default: button"),
    )
    parser.add_argument(
        "--level",
        type=one_of(_("level"), lambda: LEVELS),
        metavar="LEVEL",
        help=_("how well the companion plays its seats and advises: easy, medium or strong; default: strong"),
    )
    parser.add_argument(
        "--against",
        type=one_of(_("level"), lambda: LEVELS),
        metavar="LEVEL",
        help=_("play against the computer: it plays all seats but the first, easy, medium or strong"),
    )
    parser.add_argument(
        "--companion-seat",
        action="append",
        default=[],
        metavar="COLOUR",
        help=_("a seat that the companion plays: it says what to move for it, and waits until that is done"),
    )


def lingers(args: argparse.Namespace, settings: Settings) -> bool:
    """Return whether users can look, take back and play again after the end: with a panel that they can press."""
    camera, panel = args.camera or settings.camera or _SIMULATED, args.panel or settings.panel
    if camera == _TYPED:
        return sys.stdin.isatty()
    if camera.startswith("files"):
        return False
    return panel == "gpio" or (_SIMULATED not in (panel, camera) and sys.stdin.isatty())


def refuse_changes(args: argparse.Namespace) -> None:
    """Raise UsageError if something is to change that was agreed on when the game began."""
    agreed = {
        "--players": args.players,
        "--names": args.names,
        "--option": args.option,
        "--dice": args.dice,
        "--companion-seat": args.companion_seat,
        "--against": args.against,
    }
    for argument, given in agreed.items():
        if given:
            raise UsageError(_("{argument} cannot be changed in a game that is resumed").format(argument=argument))


def options(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    """Return the game's options; what is no JSON is a word. The engine says whether they are possible.

    Those of the settings count for the game of the settings; where these name none, for every game that has them.
    """
    from companion.games.speech import options_for

    usual: dict[str, Any] = {}
    if args.game is None or settings.game in (None, args.game):
        usual = _read(settings.game_options, args.game or settings.game, "game_options")
        usual = {**options_for(args.game, usual)} if args.game and settings.game is None else usual
    return {**usual, **_read(args.option, args.game or settings.game, "--option")}


def _read(texts: Sequence[str], game: str | None, place: str) -> dict[str, Any]:
    """Return options that are written as KEY=VALUE in a place, such as "--option"."""
    from companion.games.speech import read_option

    chosen: dict[str, Any] = {}
    for text in texts:
        option = read_option(game, text)
        if option is None:
            raise UsageError(_('{place}: expected KEY=VALUE, found "{text}"').format(place=place, text=text))
        chosen[option[0]] = option[1]
    return chosen


def arrangement(args: argparse.Namespace, settings: Settings, players: Sequence[Seat]) -> Arranged:
    """Return who sits where, what they are called, and how dice are thrown.

    Raises:
        UsageError: there are more names than players, or the companion plays a colour that does not play.
    """
    from companion.core.entries import Arranged
    from engines.kernel import Level, Seat

    names = [name.strip() for name in args.names.split(",")] if args.names else list(settings.names)
    if names and args.names and not players:
        raise UsageError(_("--names needs --players"))
    if players and len(names) > len(players):
        sentence = _("--names: expected at most {players} names, found {names}")
        raise UsageError(sentence.format(players=len(players), names=len(names)))
    known = players or _table_seats(args.game or settings.game)
    for seat in args.companion_seat:
        if known and seat not in known:
            sentence = _('--companion-seat: expected one of {players}, found "{seat}"')
            raise UsageError(sentence.format(players=", ".join(known), seat=seat))
    called = dict(zip(players, names, strict=False))
    if args.dice == "camera" and args.camera == _TYPED:
        raise UsageError(_("--dice camera needs a camera"))
    own = tuple(map(Seat, args.companion_seat)) or tuple(players[1:] if args.against else ())
    levels = dict.fromkeys(own, Level(args.against)) if args.against else {}
    return Arranged(called, own, args.dice or settings.dice or "button", levels=levels)


def _table_seats(game: str | None) -> Sequence[str]:
    """Return the colours of a game's table; empty if the table has no colours, or the game is not known yet."""
    from companion.games import GAMES

    return GAMES[game].board().colours if game else ()
