"""How the score of Royal Racers comes about: flags touched, race by race."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import ScoreItem, ScorePart
from companion.games.speech import summed
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_words
from engines.kernel import Seat
from engines.royal_racers.board import NAMES
from engines.royal_racers.position import Position
from engines.royal_racers.scoring import score

__all__ = ["score_parts"]


def score_parts(position: Position, names: Names) -> Sequence[ScorePart]:
    """Return each player's flags touched: those of this race one by one, those of a campaign race by race."""
    return [_part(position, seat, names) for seat in position.players]


def _part(position: Position, seat: Seat, names: Names) -> ScorePart:
    if position.terms.races > 1:
        return _of_campaign(position, seat, names)
    place = position.players.index(seat)
    touched = [NAMES[cell] for cell in position.flags[place][: position.touched[place]]]
    items = tuple(ScoreItem(cell, 1, cell) for cell in touched)
    sentence = ngettext(
        "{player} touched {number} of {flags} flags: {cells}.",
        "{player} touched {number} of {flags} flags: {cells}.",
        len(touched),
    )
    if not touched:
        sentence = _("{player}: no flag touched yet.")
    text = sentence.format(
        player=player_name(seat, names), number=len(touched), flags=position.terms.flags, cells=cells_words(touched)
    )
    return ScorePart(seat, len(touched), items, text)


def _of_campaign(position: Position, seat: Seat, names: Names) -> ScorePart:
    place = position.players.index(seat)
    races = [*position.coins, position.touched]
    items = tuple(
        ScoreItem(_("race {number}").format(number=number), race[place]) for number, race in enumerate(races, 1)
    )
    sentence = _("The flags that {player} touched, a coin of as many points for each race: {sum}.")
    text = sentence.format(player=player_name(seat, names), sum=summed(items))
    return ScorePart(seat, score(position)[seat], items, text)
