"""The adviser's proposal in Territory in words, with its reason."""

from __future__ import annotations

from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.phrases import percent, points, tenths
from engines.grid import Bitboard
from engines.kernel import Advice
from engines.territory.position import Action, Capture, Place, Position
from engines.territory.scoring import best_group

__all__ = ["hint_sentence"]


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:
    """Return what the adviser proposes and why."""
    if isinstance(advice.action, Place | Capture):
        return _piece(position, advice.action, advice.code, names)
    return _choice(advice)


def _choice(advice: Advice[Action]) -> str:
    numbers = advice.numbers
    sentences = {
        "worth-the-risk": _(
            "Roll again: in {bust} percent of all rolls you bust, but on average it pays ({gain} points more)."
        ),
        "not-worth-the-risk": _(
            "Stop: in {bust} percent of all rolls you bust, and rolling again costs more than it brings."
        ),
    }
    gain = tenths(numbers["roll"] - numbers["stop"])
    return sentences[advice.code].format(bust=percent(numbers["bust"]), gain=gain)


def _piece(position: Position, action: Place | Capture, code: str, names: Names) -> str:
    """Return where to put a piece, and how the best group grows by it."""
    space = 1 << position.board.cell_index(action.cell)
    own = position.owners[position.place(position.turn)] | position.white
    before, after = best_group(position.board, own), best_group(position.board, own | space)
    holder = next((seat for seat, held in zip(position.players, position.owners, strict=True) if held & space), None)
    reason = _reason(before.spaces, after.spaces, own, space) if after.points > before.points else "apart"
    sentence = _sentences()[code, reason]
    return sentence.format(
        cell=action.cell,
        after=points(after.points),
        before=before.points,
        holder="" if holder is None else player_name(holder, names),
    )


def _reason(before: Bitboard, after: Bitboard, own: Bitboard, space: Bitboard) -> str:
    """Return what a space does for the best group: join it with others, make it grow, or nothing."""
    if not after & space:
        return "apart"
    joined = after & own & ~before
    return "joins" if before and before & after and joined else "grows"


def _sentences() -> dict[tuple[str, str], str]:
    place_joins = _("Place on {cell}: that joins your groups, {after} instead of {before}.")
    place_grows = _("Place on {cell}: your best group grows to {after} instead of {before}.")
    take_joins = _("Capture {cell} from {holder}: that joins your groups, {after} instead of {before}.")
    take_grows = _("Capture {cell} from {holder}: your best group grows to {after} instead of {before}.")
    return {
        ("only-space", "joins"): _(
            "{cell} is the only space there is; it joins your groups: {after} instead of {before}."
        ),
        ("only-space", "grows"): _("{cell} is the only space there is; your best group grows to {after}."),
        ("only-space", "apart"): _("{cell} is the only space there is."),
        ("best-space", "joins"): place_joins,
        ("best-space", "grows"): place_grows,
        ("best-space", "apart"): _("Place on {cell}: no space of this number makes your best group bigger now."),
        ("best-capture", "joins"): take_joins,
        ("best-capture", "grows"): take_grows,
        ("best-capture", "apart"): _(
            "Capture {cell} from {holder}: that costs your rival more than a piece would bring you."
        ),
    }
