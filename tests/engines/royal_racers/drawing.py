"""Positions drawn as text, for cases that a person can review.

The grid is drawn from the top row: a card by its rank and the initial of its suit, a capital when it lies face up
("7H", "Ah" an ace face down). Below it stands a line for each player, and who is to act:

    suns on C2, touched 1 of B2 E2 E5 B5 C3
    moons on D4, touched 0 of E5 ...
    suns to flip, 3 rolled, round 2 of 300

During the set-up a pawn that stands nowhere is "on -". After the round stand, where they apply, "flag variant",
"of 5 flags" while flags are laid, and "race 2 of 3, coins 5.2".
"""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import wrap

from engines.royal_racers import notation
from engines.royal_racers.board import SIZE
from engines.royal_racers.position import Phase, Position

_RACER = re.compile(r"(?P<seat>[\w-]+) on (?P<pawn>\S+), touched (?P<touched>\d) of(?P<flags>[ A-F1-6]*)")
_TO_ACT = re.compile(
    r"(?P<turn>[\w-]+) to (?P<phase>\w+)(, (?P<rolled>\w+) rolled)?, round (?P<round>[0-9]+) of (?P<rounds>[0-9]+)"
    r"(?P<variant>, flag variant)?(, of (?P<flags>\d) flags)?"
    r"(, race (?P<race>\d) of (?P<races>\d), coins (?P<coins>[0-9.,]*)(, coming (?P<coming>\S+))?)?"
)


def parse(drawing: str) -> Position:
    lines = drawing.split("\n")
    rows, racers = lines[:SIZE], [_RACER.fullmatch(line) for line in lines[SIZE:-1]]
    last = _TO_ACT.fullmatch(lines[-1])
    assert last is not None, lines[-1]
    words = []
    for line, racer in zip(lines[SIZE:-1], racers, strict=True):
        assert racer is not None, line
        words.append(f"{racer['pawn']}:{racer['touched']}:{'.'.join(racer['flags'].split())}")
    seats = ",".join(racer["seat"] for racer in racers if racer)
    rolled = f"={last['rolled']}" if last["rolled"] else ""
    flags = last["flags"] or max(word.count(".") + 1 for word in words)
    line = (
        f"{seats} {last['turn']} {last['round']}/{last['rounds']} {last['phase']}{rolled} "
        f"flags={flags}{'+variant' if last['variant'] else ''} {'/'.join(row.replace(' ', '') for row in rows)} "
        + " ".join(words)
    )
    if last["races"]:
        line += f" races={last['races']}:{last['coins']} coming={last['coming'] or ''}"
    return notation.read_position(line)


def draw(position: Position) -> str:
    words = notation.write_position(replace(position, seen=())).split()
    rows = [" ".join(wrap(row, 2)) for row in words[5].split("/")]
    racers = [
        f"{seat} on {pawn}, touched {touched} of {flags.replace('.', ' ')}".rstrip()
        for seat, word in zip(position.players, words[6:], strict=False)
        for pawn, touched, flags in [word.split(":")]
    ]
    phase, _, rolled = words[3].partition("=")
    last = f"{position.turn} to {phase}{f', {rolled} rolled' if rolled else ''}"
    last += f", round {position.round} of {position.terms.rounds}"
    last += ", flag variant" if position.terms.flag_variant else ""
    last += f", of {position.terms.flags} flags" if position.phase in (Phase.START, Phase.FLAG) else ""
    if position.terms.races > 1:
        coins, coming = words[-2].partition(":")[2], words[-1].removeprefix("coming=")
        last += f", race {position.race} of {position.terms.races}, coins {coins}" + (
            f", coming {coming}" if coming else ""
        )
    return "\n".join([*rows, *racers, last])
