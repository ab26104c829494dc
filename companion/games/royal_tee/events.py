"""What happens in Royal Tee, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _, ngettext
from companion.ui.names import Names, enumerated, player_name, won_by
from companion.ui.phrases import cells_list, filled, spaces, steps, strings
from engines.kernel import JsonObject
from engines.royal_tee.position import Action, Walk

__all__ = ["event_sentence", "story"]

_TAKING = ("claimed", "enclosed")


def story(seat: str | None, action: Action, events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return what a turn has brought, the walk and its spaces in one sentence."""
    others = [event for event in events if event.get("event") not in ("walked", *_TAKING, "turn")]
    lines = [event_sentence(event, names) for event in others]
    if not isinstance(action, Walk):
        return lines or [_passed(player_name(seat, names))]
    return [_walk(seat, action, events, names), *_taken(events, names), *lines]


def event_sentence(event: JsonObject, names: Names) -> str:  # noqa: PLR0911 - one line an event
    """Return one of the engine's events as a sentence."""
    player = player_name(str(event.get("player")), names)
    match event.get("event"):
        case "walked":
            return filled(_("{player} walked from {from} to {to}."), event, names)
        case "claimed":
            return _claimed(player, event)
        case "enclosed":
            return _enclosed(player, event)
        case "passed":
            return _passed(player)
        case "slider-moved":
            return _("The slider moves on: walks now have {slider} steps.").format(slider=event["slider"])
        case "turn":
            return _("Next: {player}.").format(player=player)
        case "game-over":
            won = won_by(strings(event.get("winners")), names)
            return _("Every space is claimed, the game is over.") + " " + won
    raise LookupError(event.get("event"))


def _passed(player: str) -> str:
    return _("{player} had no free space beside the Royal Tee and passed.").format(player=player)


def _claimed(player: str, event: JsonObject) -> str:
    cells = strings(event.get("cells"))
    sentence = ngettext(
        "{player} claimed {number} space: {cells}.", "{player} claimed {number} spaces: {cells}.", len(cells)
    )
    return sentence.format(player=player, number=len(cells), cells=cells_list(cells))


def _enclosed(player: str, event: JsonObject) -> str:
    cells = strings(event.get("cells"))
    sentence = ngettext(
        "{player} enclosed {number} space: {cells}.", "{player} enclosed {number} spaces: {cells}.", len(cells)
    )
    return sentence.format(player=player, number=len(cells), cells=cells_list(cells))


def _walk(seat: str | None, action: Walk, events: Sequence[JsonObject], names: Names) -> str:
    walk = action.cells
    claimed, enclosed = (_cells_of(events, name) for name in _TAKING)
    if enclosed and claimed:
        sentence = _("{player} walked {steps} to {end}, claimed {spaces} and enclosed {more}: {cells}.")
    elif enclosed:
        sentence = _("{player} walked {steps} to {end} and enclosed {more}: {cells}.")
    elif claimed:
        sentence = _("{player} walked {steps} to {end} and claimed {spaces}.")
    elif len(events) > 1:
        sentence = _("{player} walked {steps} to {end} and claimed nothing new.")
    else:
        sentence = _("{player} walked {steps} to {end}.")
    return sentence.format(
        player=player_name(seat, names),
        steps=steps(len(walk)),
        end=walk[-1] if walk else "",
        spaces=spaces(len(claimed)),
        more=spaces(len(enclosed)),
        cells=cells_list(enclosed),
    )


def _cells_of(events: Sequence[JsonObject], name: str) -> list[str]:
    return [cell for event in events if event.get("event") == name for cell in strings(event.get("cells"))]


def _taken(events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return whose spaces a walk has taken, in one sentence, or none."""
    lost: dict[str, int] = {}
    for event in events:
        taken = event.get("taken")
        for owner, cells in taken.items() if isinstance(taken, dict) else ():
            lost[owner] = lost.get(owner, 0) + len(strings(cells))
    if not lost:
        return []
    parts = [
        _("{player} {spaces}").format(player=player_name(owner, names), spaces=spaces(number))
        for owner, number in lost.items()
    ]
    return [_("Taken from others: {losses}.").format(losses=enumerated(parts))]
