"""Setting a race or a campaign up: players, options and layouts (RULES.md, section 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from engines.decode import check_names, demand
from engines.grid import cells_in
from engines.kernel import BadRequestError, Cell, JsonObject, Refusal, Seat
from engines.royal_racers.board import (
    DECK,
    LAST_TURNING_RANK,
    NAMES,
    START_SPACES,
    Layout,
    card_name,
    card_named,
    rank_of,
)
from engines.royal_racers.position import (
    FEWEST_FLAGS,
    MOST_FLAGS,
    NULL_ROLL,
    RACE_OVER,
    RACING,
    SETTING_UP,
    Phase,
    Position,
    Terms,
    owner_of,
    placer_of,
)
from engines.royal_racers.rules import choose_start, flags_laid, turning_down, turning_up
from engines.schema import by_seat, read


class RaceOptions(Terms, frozen=True, forbid_unknown_fields=True):
    """Options of a race besides the terms.

    Attributes:
        layout: the 36 cards by name, row by row, instead of those shuffled by the seed.
        starts: each player's start space, instead of letting them choose.
    """

    layout: tuple[str, ...] | None = None
    starts: dict[Seat, str] | None = None

    @property
    def terms(self) -> Terms:
        """The terms without the other options."""
        return Terms(*(getattr(self, name) for name in Terms.__struct_fields__))


def set_up(players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
    """Return the first position; the players are named clockwise, the first begins.

    Raises:
        BadRequestError: these players or `RaceOptions` are not possible.
    """
    asked = read(options, RaceOptions, '"options"')
    check_players(players)
    terms = asked.terms
    random = Random(seed)  # noqa: S311 - cards, not secrets
    shuffled = tuple(tuple(random.sample(DECK, len(DECK))) for _ in range(terms.races))
    seats = len(players)
    position = Position(
        players=tuple(players),
        turn=players[0],
        round=1,
        phase=Phase.START,
        rolled=None,
        cards=shuffled[0] if asked.layout is None else layout_of(asked.layout),
        down=0,
        flags=((),) * seats,
        touched=(0,) * seats,
        pawns=(),
        terms=terms,
        coming=shuffled[1:],
    )
    # the players may have agreed on their start spaces
    agreed = () if asked.starts is None else zip(players, by_seat(asked.starts, players, "starts"), strict=True)
    for seat, cell in agreed:
        result = choose_start(position, Cell(cell))
        if isinstance(result, Refusal):
            raise BadRequestError(f"{seat} cannot start on {cell[:12]!r}; choose another of C3, D3, D4, C4")
        position = result.position
    return position


def layout_of(names: Iterable[str]) -> Layout:
    """Return the cards of a layout, row by row from the top left.

    Raises:
        BadRequestError: they are not the 36 cards, each once.
    """
    cards = tuple(map(card_named, names))
    check_layout(cards)
    return cards


# ---- what makes a position possible; what does not fit is reported in one sentence


def check_players(players: Sequence[Seat]) -> None:
    """Check the players.

    Raises:
        BadRequestError: they cannot race one another; all checks here raise it.
    """
    demand(2 <= len(players) <= 4, f"royal-racers has 2 to 4 players, not {len(players)}")
    check_names(players)


def check_layout(cards: Layout) -> None:
    """Check that these are the 36 cards, each once."""
    missing = [card_name(card) for card in DECK if card not in cards]
    demand(not missing, f"each of the 36 cards must lie there once, but there is no {', '.join(missing[:3])}")
    demand(len(cards) == len(DECK), f"there must be 36 cards, not {len(cards)}")


def check_position(position: Position) -> None:
    """Check that a position is possible, apart from its players; the quadrant of a laid flag is not checked."""
    _check_range("flags", position.terms.flags, FEWEST_FLAGS, MOST_FLAGS)
    check_layout(position.cards)
    _check_down(position)
    _check_pawns(position)
    _check_flags(position)
    _check_touched(position)
    _check_turn(position)
    _check_roll(position)
    _check_campaign(position)


def _check_range(name: str, value: int, low: int, high: int) -> None:
    demand(low <= value <= high, f'"{name}" must be a whole number from {low} to {high}, not {value}')


def _check_down(position: Position) -> None:
    for cell in cells_in(position.down):
        card = position.cards[cell]
        lasting = rank_of(card) > LAST_TURNING_RANK
        demand(not lasting, f"the card on {NAMES[cell]} cannot lie face down: it is {card_name(card)}")
    for cell, count in Counter(position.seen).items():
        demand(count == 1, f'"seen" names {NAMES[cell]} {count} times')
        demand(bool(position.down >> cell & 1), f'"seen" names {NAMES[cell]}, but the card there lies face up')
    demand(position.phase not in SETTING_UP or not position.down, "before the race all cards lie face up")


def _check_pawns(position: Position) -> None:
    pawns = Counter(position.pawns)
    for cell, count in pawns.items():
        demand(count == 1, f"{count} pawns cannot stand on {NAMES[cell]} together")
    standing, seats = len(pawns), len(position.players)
    if position.phase is Phase.START:
        demand(standing < seats, "all pawns stand on their start spaces, so no start is awaited")
    else:
        demand(standing == seats, f"{seats} pawns must stand on the grid, not {standing}")


def _check_flags(position: Position) -> None:
    for cell, count in Counter(cell for row in position.flags for cell in row).items():
        demand(count == 1, f"{count} flags cannot lie on {NAMES[cell]} together")
    # how many flags each player should have on the table
    seats, expected = len(position.players), [position.terms.flags for _ in position.players]
    if position.phase is Phase.START:
        expected = [int(place < len(position.pawns)) for place in range(seats)]
    elif position.phase is Phase.FLAG:
        laid = flags_laid(position)
        demand(laid < seats * (position.terms.flags - 1), "all flags lie, so none is awaited")
        owned = Counter(owner_of(placer_of(number, seats), seats) for number in range(laid))
        expected = [1 + owned[place] for place in range(seats)]
    for seat, row, count in zip(position.players, position.flags, expected, strict=True):
        demand(len(row) == count, f"{seat} must have {count} flags on the table now, not {len(row)}")
        names = " ".join(NAMES[cell] for cell in row)
        demand(not row or row[-1] in START_SPACES, f"{seat}'s last flag must lie on a start space: {names}")
    if position.phase in SETTING_UP:
        starts = tuple(row[-1] for row in position.flags if row)
        demand(starts == position.pawns, "before the race each pawn stands on its start space")


def _check_touched(position: Position) -> None:
    for seat, touched in zip(position.players, position.touched, strict=True):
        _check_range(f"touched of {seat}", touched, 0, position.terms.flags)
    finished = position.touched.count(position.terms.flags)
    demand(finished <= 1, "only one player can have touched all flags")
    demand(not any(position.touched) or position.phase not in SETTING_UP, "before the race no flag is touched")
    if position.phase in RACING:
        demand(not finished, "a player has touched all flags, so the race is over")
    if position.phase in RACE_OVER and not finished:
        demand(position.round == position.terms.rounds, "the race cannot be over: no player has touched all flags")


def _check_turn(position: Position) -> None:
    _check_range("round", position.round, 1, position.terms.rounds)
    if position.phase in SETTING_UP:
        choosing, seats = position.phase is Phase.START, len(position.players)
        due = position.players[len(position.pawns) if choosing else placer_of(flags_laid(position), seats)]
        demand(position.turn == due, f'"turn" must be {due}, who is next in the set-up, not {position.turn}')


def _check_roll(position: Position) -> None:
    if position.phase not in (Phase.FLIP, Phase.MOVE):
        demand(position.rolled is None, '"rolled" must be null unless a flip or a move is awaited')
        return
    demand(position.rolled is not None, f'"rolled" must hold the die when a {position.phase} is awaited')
    if position.phase is Phase.FLIP:
        demand(position.rolled != NULL_ROLL, "null was rolled, so no flip is awaited")
        can_flip = turning_down(position) | turning_up(position)
        demand(bool(can_flip), f"no card can be turned over for {position.rolled}, so no flip is awaited")


def _check_campaign(position: Position) -> None:
    last = position.race == position.terms.races
    demand(position.phase is not Phase.DEAL or not last, "no race is left, so no deal is awaited")
    demand(position.phase is not Phase.OVER or last, "races are left, so the campaign is not over")
    left = position.terms.races - position.race
    demand(left >= 0, f"coins of {len(position.coins)} races are too many for a campaign of {position.terms.races}")
    demand(len(position.coming) == left, f"{left} races are left, but {len(position.coming)} layouts are coming")
    for cards in position.coming:
        check_layout(cards)
    for race in position.coins:
        for seat, coin in zip(position.players, race, strict=True):
            _check_range(f"a coin of {seat}", coin, 0, position.terms.flags)
