"""Why a walk of Royal Tee is forbidden, and what to do instead."""

from __future__ import annotations

from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list, steps
from engines.kernel import Cell, Refusal
from engines.royal_tee.board import cell_name
from engines.royal_tee.position import Action, Position, Walk

__all__ = ["refusal_sentence"]


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:
    """Return why the rules forbid an action in a position, and what would be allowed."""
    cells = refusal.cells
    match refusal.code:
        case "game-over":
            return _("The game is over: every space is claimed.")
        case "wrong-length":
            return _wrong_length(len(action.cells) if isinstance(action, Walk) else 0, position.slider, cells)
        case "not-adjacent":
            sentence = _("{to} is not beside {from}. A step goes to the next space up, down, left or right.")
            return sentence.format_map({"from": cells[0], "to": cells[1]})
        case "off-board":
            return _("{cell} is not on the board; its spaces are A1 to L12.").format(cell=cells[0])
        case "onto-royal":
            cell = cells[0]
            royals = zip(position.players, position.royals, strict=True)
            owner = next((seat for seat, royal in royals if cell_name(royal) == cell), None)
            sentence = _("The Royal Tee of {player} stands on {cell}. Walk round it.")
            return sentence.format(player=player_name(owner, names), cell=cells[0])
        case "must-walk":
            sentence = ngettext(
                "You can step to {cells}, so you have to walk.",
                "You can step to {cells}, so you have to walk.",
                len(cells),
            )
            return sentence.format(cells=cells_list(cells))
    raise LookupError(refusal.code)


def _wrong_length(walked: int, slider: int, ends: tuple[Cell, ...]) -> str:
    sentence = ngettext(
        "This walk to {end} has {steps}; you have to walk exactly {slider}.",
        "This walk to {end} has {steps}; you have to walk exactly {slider}.",
        slider,
    )
    if not ends:
        sentence = _("Name the spaces of the walk; you have to walk exactly {slider}.")
    return sentence.format(end=ends[0] if ends else "", steps=steps(walked), slider=slider)
