"""The advisers' choice of a walk: the best of the moment, or the one that keeps most after the strongest reply.

An easy adviser takes most spaces for itself. A medium one does too, and of equal walks prefers the one with the fewest
exposed spaces: own ones that another Royal Tee can reach on its next walk. A strong one considers the next player's
strongest reply and its own next walk (`lookahead`).

Strength, between two: a strong one won 86 % of 400 games against a medium one (82 to 89; 20 of them, broken off after
2,000 actions, count as half a win).
"""

from __future__ import annotations

import numpy as np

from engines.grid import Bitboard, cells_in, union
from engines.kernel import Advice, Level
from engines.royal_tee.board import within
from engines.royal_tee.lookahead import WalkSurvey, best_walk
from engines.royal_tee.position import LAST_SLIDER, Action, Pass, Position
from engines.royal_tee.rules import can_walk, enclosed_by, walk_along
from engines.royal_tee.shapes import count, rows_of, set_of_rows


def advise(position: Position, *, level: Level = Level.STRONG) -> Advice[Action] | None:
    """Propose a walk; None if the game is over.

    Codes: "encloses", "takes" and "claims" by what gains the walk most, "nothing-new", and "boxed-in" for the pass. The
    numbers are those of the turn: "lead" (the mover's spaces less the best other player's), "exposed", "gained" (spaces
    new to the mover), and how many of those are "enclosed" and "taken". The value is the lead.
    """
    if position.over:
        return None
    # the spaces that the others' Royal Tees can reach with one step more than now
    steps = min(position.slider + 1, LAST_SLIDER)
    reachable = union(within(royal, steps) for royal in cells_in(position.royals_but(position.turn)))
    own = position.claimed[position.place(position.turn)]
    if not can_walk(position):
        worth = _worth(position, own, own, reachable)
        return Advice(Pass(), "boxed-in", worth, worth["lead"])
    survey = WalkSurvey.of(position)
    # the index of the best set of spaces, and the end of its walk
    if level is Level.STRONG:
        place, end = best_walk(survey)
    elif level is Level.EASY:
        place, end = survey.any_end(int(survey.own.argmax()))
    else:
        exposed = count(survey.after & rows_of(reachable)[:, None])
        place, end = survey.any_end(int(np.lexsort((exposed, -survey.own))[0]))
    visited = set_of_rows(survey.fitting.rows[:, place])
    stepped = own | visited & ~position.royals_but(position.turn)
    worth = _worth(position, stepped, stepped | enclosed_by(position, position.turn, stepped), reachable)
    gained, enclosed, taken = worth["gained"], worth["enclosed"], worth["taken"]
    if gained == 0:
        code = "nothing-new"
    elif enclosed > gained - enclosed:
        code = "encloses"
    else:
        code = "takes" if 2 * taken > gained else "claims"
    return Advice(walk_along(survey.example(place, end)), code, worth, worth["lead"])


def _worth(position: Position, stepped: Bitboard, after: Bitboard, reachable: Bitboard) -> dict[str, int]:
    """Return the numbers of a turn, from the mover's spaces after walking and after enclosing."""
    place = position.place(position.turn)
    others = [held for seat, held in enumerate(position.claimed) if seat != place]
    left = [(held & ~after).bit_count() for held in others]
    return {
        "lead": after.bit_count() - max(left),
        "exposed": (after & reachable).bit_count(),
        "gained": (after & ~position.claimed[place]).bit_count(),
        "enclosed": (after & ~stepped).bit_count(),
        "taken": sum(held.bit_count() for held in others) - sum(left),
    }
