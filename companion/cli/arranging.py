"""What people agree on before a game: options, names, who throws, which seats the companion plays."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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
        "--names", metavar="NAMES", help=_("what people are called, in the order of --players, such as Anna,Ben")
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
        "--companion-seat",
        action="append",
        default=[],
        metavar="COLOUR",
        help=_("a seat that the companion plays: it says what to move for it, and waits until that is done"),
    )


def lingers(args: argparse.Namespace, settings: Settings) -> bool:
    """Return whether people can look, take back and play again after the end: with a panel that they can press."""
    camera, panel = args.camera or settings.camera or _SIMULATED, args.panel or settings.panel
    if camera == _TYPED:
        return sys.stdin.isatty()
    if camera.startswith("files"):
        return False
    return panel == "gpio" or (_SIMULATED not in (panel, camera) and sys.stdin.isatty())


def options(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    """Return the game's options; what is no JSON is a word. The engine says whether they are possible."""
    from companion.games.speech import read_option

    chosen: dict[str, Any] = {}
    for text in (*settings.game_options, *args.option):
        option = read_option(args.game or settings.game, text)
        if option is None:
            raise UsageError(_('--option: expected KEY=VALUE, found "{text}"').format(text=text))
        chosen[option[0]] = option[1]
    return chosen


def arrangement(args: argparse.Namespace, settings: Settings, players: Sequence[Seat]) -> Arranged:
    """Return who sits where, what they are called, and how dice are thrown.

    Raises:
        UsageError: there are more names than players, or the companion plays a colour that does not play.
    """
    from companion.core.entries import Arranged
    from engines.kernel import Seat

    names = [name.strip() for name in args.names.split(",")] if args.names else list(settings.names)
    if names and args.names and not players:
        raise UsageError(_("--names needs --players"))
    if players and len(names) > len(players):
        sentence = _("--names: expected at most {players} names, found {names}")
        raise UsageError(sentence.format(players=len(players), names=len(names)))
    for seat in args.companion_seat:
        if players and seat not in players:
            sentence = _('--companion-seat: expected one of {players}, found "{seat}"')
            raise UsageError(sentence.format(players=", ".join(players), seat=seat))
    called = dict(zip(players, names, strict=False))
    return Arranged(called, tuple(map(Seat, args.companion_seat)), args.dice or settings.dice or "button")
