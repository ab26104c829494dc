"""Royal Racers on its table: labels, turns, and what a single picture shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.core.turns import Throws, Turns
from companion.core.verdicts import Choice, Prompt, Shuffled
from companion.locale import _
from engines.grid import CellIndex, bit
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import ALL_CELLS, DECK, NAMES, card_name, card_named, cell_index
from engines.royal_racers.position import NULL_ROLL, THROWS, Action, Deal, Flip, Pass, Phase, Position, Roll
from vision.labels import BACK, COVERED, Label, parse_label

# ---- labels


_FLAG, PAWN = "flag", "pawn"
_UP, _ANY = "up", "any"


@dataclass(frozen=True, slots=True)
class LabelParts:
    """The parts of a cell's label: the card ("7-hearts", "back", "covered"), and the owners of flag and pawn on it."""

    card: str
    flag: Seat | None = None
    pawn: Seat | None = None

    @property
    @lru_cache(maxsize=2048)  # noqa: B019 - a value: its label is that of all equal ones
    def label(self) -> str:
        """The label."""
        on_card = tuple((kind, seat) for kind, seat in ((_FLAG, self.flag), (PAWN, self.pawn)) if seat)
        return str(Label(card=self.card, on_card=on_card))

    @property
    def is_up(self) -> bool | None:
        """Whether the card is face up; None if a flag covers it."""
        return None if self.card == COVERED else self.card != BACK


def parts_of(label: str) -> LabelParts:
    """Return the parts of a label."""
    seen = parse_label(label)
    flag, pawn = (Seat(colour) if (colour := seen.colour_on_card(kind)) else None for kind in (_FLAG, PAWN))
    return LabelParts(seen.card, flag, pawn)


def kind_of(label: str) -> str:
    """Return a label without what is known anyway and hard to see.

    That is which card is face up, and the owner of a flag under a pawn: the pawn hides its symbol, and the flag cannot
    be exchanged without lifting the pawn.
    """
    seen = parse_label(label)
    if seen.is_face:
        return str(replace(seen, card=_UP))
    hidden = seen.colour_on_card(_FLAG) and seen.colour_on_card(PAWN)
    return str(replace(seen, on_card=((_FLAG, _ANY), *seen.on_card[1:]))) if hidden else label


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every cell; a flag hides its card."""
    flags = {cell: seat for seat, row in zip(position.players, position.flags, strict=True) for cell in row}
    pawns = dict(zip(position.pawns, position.players, strict=False))
    cards = {cell: COVERED if cell in flags else card_label(position, cell) for cell in ALL_CELLS}
    return {NAMES[cell]: LabelParts(card, flags.get(cell), pawns.get(cell)).label for cell, card in cards.items()}


def face_of(position: Position, cell: CellIndex) -> str:
    """Return the card on a cell, face up or down."""
    return card_name(position.cards[cell])


def card_label(position: Position, cell: CellIndex) -> str:
    """Return the label of a cell's card without flag and pawn."""
    return BACK if position.down & bit(cell) else face_of(position, cell)


# ---- turns


def _choices(position: Position) -> Sequence[Choice[Action]]:
    """Return the actions that cannot be seen: the pass, and turning cards under flags."""
    if position.phase is Phase.MOVE:
        return (Choice("pass", Pass()),)
    if position.phase is not Phase.FLIP:
        return ()
    flips = (action.cell for action in GAME.actions(position) if isinstance(action, Flip))
    under = (cell for cell in flips if position.flagged & bit(cell_index(cell)))
    passing = (Choice("pass", Pass()),) if position.terms.optional_flip else ()
    return (*passing, *(Choice("flip", Flip(cell), standing=False) for cell in under))


def _laid_out(position: Position) -> Shuffled[Action] | None:
    """Return the cards to be laid out: before the first pawn they may be, before the next race they must be."""
    if position.phase is not Phase.DEAL and (position.phase is not Phase.START or position.pawns):
        return None
    return Shuffled(
        tuple(map(card_name, DECK)),
        lambda labels: Deal(tuple(card_named(labels[name]) for name in NAMES)),
        awaited=position.phase is Phase.DEAL,
    )


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject | None:
    """Return the position with pawns moved and cards turned as they are seen; which card is where stays."""
    seen = {cell: parts_of(label) for cell, label in labels.items()}
    pawns = {str(parts.pawn): cell for cell, parts in seen.items() if parts.pawn}
    cards = data["cards"]
    if not isinstance(cards, Mapping):
        return None
    turned = {
        cell: {**card, "up": seen[Cell(cell)].card != "back"} if isinstance(card, Mapping) else card
        for cell, card in cards.items()
    }
    return {**data, "pawns": pawns, "cards": turned}


TURNS: Turns[Position, Action] = Turns(
    lambda position: Prompt(None) if GAME.over(position) else Prompt(position.turn, position.phase.value),
    _choices,
    Throws(
        Roll,
        throw=GAME.throw,
        awaited=lambda position: position.phase is Phase.ROLL,
        number=lambda action: action.rank if isinstance(action, Roll) else None,
        of_faces=lambda _position, faces: Roll(faces[0] or NULL_ROLL) if len(faces) == 1 else None,
        numbers=lambda _position: ((0, max(THROWS)),),  # 0 is the face without a number
        counted=lambda _position, numbers: Roll(numbers[0]),
    ),
    laid_out=_laid_out,
    adopt=_adopt,
)


# ---- what a single picture shows


def score_seen(placement: Mapping[Cell, str], _board: object) -> tuple[Mapping[Seat, int], JsonObject]:
    """Return no score, and details: pawns and flags by player, and the cells of cards that are face down."""
    lying = {cell: parts_of(label) for cell, label in placement.items()}
    seats = sorted({seat for parts in lying.values() for seat in (parts.flag, parts.pawn) if seat})
    return {}, {
        "pawns": {parts.pawn: cell for cell, parts in lying.items() if parts.pawn},
        "flags": {seat: [cell for cell, parts in lying.items() if parts.flag == seat] for seat in seats},
        "down": [cell for cell, parts in lying.items() if parts.is_up is False],
        "note": _("In which order flags must be touched, and who has touched which, cannot be seen in a picture."),
    }
