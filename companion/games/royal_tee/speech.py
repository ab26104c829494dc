"""Sentences of Royal Tee: events, prompts, refusals, hints, score, screen, what is typed, the review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.bundle import Feat, Review, ScorePart, Speech, Turn
from companion.games.guide import Guide, credit_to
from companion.games.line import Entered, Mistake, Reading, Token, TypedLine
from companion.games.review import named
from companion.locale import _, ngettext
from companion.ui.names import Names, clauses, enumerated, player_name
from companion.ui.page import Extras
from companion.ui.phrases import cells_list, number_in, number_of_cells, spaces, steps, strings
from companion.ui.words import EventSentences, EventWords
from engines.grid import CellIndex
from engines.kernel import Advice, Cell, JsonObject, Refusal
from engines.royal_tee.board import NAMES, NEIGHBOURS, SIZE, Side, cell_index, distance, on_board
from engines.royal_tee.position import FIRST_SLIDER, Action, Pass, Position, Walk
from engines.royal_tee.rules import DistinctWalk, actions, after_walk, can_walk, distinct_walks, walk_along
from vision.board import Board

# ---- events


_TAKING = ("claimed", "enclosed")


def _story(seat: str | None, action: Action, events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return sentences for the events of an action; the walk and its spaces are in one sentence."""
    lines = [WORDS.event(event, names) for event in events if event.get("event") not in ("walked", *_TAKING, "turn")]
    if not isinstance(action, Walk):
        return lines
    # how many spaces the walk has taken from whom
    lost: dict[str, int] = {}
    for event in events:
        taken = event.get("taken")
        for owner, cells in taken.items() if isinstance(taken, dict) else ():
            lost[owner] = lost.get(owner, 0) + len(strings(cells))
    if lost:
        sentence = _("{player} {spaces}")
        parts = [sentence.format(player=player_name(one, names), spaces=spaces(lost[one])) for one in lost]
        lines.insert(0, _("Taken from others: {losses}.").format(losses=enumerated(parts)))
    return [_walk(seat, action, events, names), *lines]


_EVENTS: EventSentences = {
    "walked": lambda _event: _("{player} walked from {from} to {to}."),
    "claimed": lambda event: ngettext(
        "{player} claimed {number} space: {cells}.",
        "{player} claimed {number} spaces: {cells}.",
        number_of_cells(event),
    ),
    "enclosed": lambda event: ngettext(
        "{player} enclosed {number} space: {cells}.",
        "{player} enclosed {number} spaces: {cells}.",
        number_of_cells(event),
    ),
    "passed": lambda _event: _("{player} had no free space beside the Royal Tee and passed."),
    "slider-moved": lambda _event: _("The slider moves on: walks now have {slider} steps."),
    "turn": lambda _event: _("Next: {player}."),
    "game-over": lambda _event: _("Every space is claimed, the game is over.") + " {won}",
}


def _walk(seat: str | None, action: Walk, events: Sequence[JsonObject], names: Names) -> str:
    walk = action.cells
    claimed, enclosed = (
        [cell for event in events if event.get("event") == name for cell in strings(event.get("cells"))]
        for name in _TAKING
    )
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


# ---- what a table shows


def _things(number: int) -> dict[str, str]:
    return {
        "red": ngettext("the red tee", "red tees", number),
        "blue": ngettext("the blue tee", "blue tees", number),
        "green": ngettext("the green tee", "green tees", number),
        "yellow": ngettext("the yellow tee", "yellow tees", number),
        "red-royal": _("the red Royal Tee"),
        "blue-royal": _("the blue Royal Tee"),
        "green-royal": _("the green Royal Tee"),
        "yellow-royal": _("the yellow Royal Tee"),
    }


def _refusals(cells: Sequence[Cell], facts: JsonObject) -> dict[str, str]:
    return {
        "wrong-length": ngettext(
            "The walk to {to} has {steps} step, the slider says {slider}.",
            "The walk to {to} has {steps} steps, the slider says {slider}.",
            number_in(facts, "steps"),
        ),
        "unreachable": ngettext(
            "{slider} step does not lead {player}'s Royal Tee to {to}.",
            "{slider} steps do not lead {player}'s Royal Tee to {to}.",
            number_in(facts, "slider"),
        ),
        "onto-royal": _("The walk goes over another Royal Tee at {cells}."),
        "tees-missing": _("{player}'s Royal Tee has moved to {to}, but no walk there is marked with tees."),
        "out-of-turn": _("{player} has walked, but it is {turn}'s turn ({cells})."),
        "not-enclosed": _("{player} does not enclose {cells}."),
        "unexplained": _("No walk explains {cells}."),
        "royal-missing": _("{player}'s Royal Tee is not on the board; it stood on {cells}."),
        "royal-unplaced": _(
            "{player}'s Royal Tee is not clearly on one space ({cells}). Put it in the middle of its space."
        ),
        "two-royals": _("{player} has more than one Royal Tee on the board ({cells})."),
        "tee-missing": ngettext(
            "{player}'s tee is missing on {cells}, where the walk went.",
            "{player}'s tees are missing on {cells}, where the walk went.",
            len(cells),
        ),
        "extra-tee": ngettext(
            "{player}'s tee is on {cells}, where the walk did not go.",
            "{player}'s tees are on {cells}, where the walk did not go.",
            len(cells),
        ),
    }


WORDS: EventWords[Action] = EventWords(_EVENTS, _refusals, _things, story=_story)


# ---- prompts


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action of a game that is not over."""
    player = player_name(position.turn, names)
    if not can_walk(position):
        return _("{player}: there is no free space beside your Royal Tee; you pass.").format(player=player)
    sentence = ngettext(
        "{player}: walk exactly {slider} step.", "{player}: walk exactly {slider} steps.", position.slider
    )
    return sentence.format(player=player, slider=position.slider)


def explain(position: Position, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return how to type the expected action."""
    if not can_walk(position):
        return _("Type pass.")
    here = NAMES[position.royal(position.turn)]
    near = " ".join(NAMES[cell] for cell in NEIGHBOURS[position.royal(position.turn)][:1])
    sentence = _(
        "Your Royal Tee stands on {here}. Type the spaces you walk on ({near} ...), directions (3 up 2 left),"
        " the corners, or only the space where you end."
    )
    return sentence.format(here=here, near=near)


def offered(position: Position) -> Sequence[Action]:
    """Return the actions that can be chosen by number; empty if they are too many."""
    if not can_walk(position):
        return [Pass()]
    return actions(position) if position.slider == FIRST_SLIDER else []


def action_name(position: Position, action: Action, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return the name of an action in a list."""
    if isinstance(action, Walk):
        return _("walk to {walk}").format(walk=", ".join(action.cells))
    return _("pass")


# ---- why an action is refused


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:
    """Return why the rules forbid an action, and what they allow."""
    cells = refusal.cells
    royals = zip(position.players, position.royals, strict=True)
    sentences = {
        "game-over": _("The game is over: every space is claimed."),
        "wrong-length": ngettext(
            "This walk to {end} has {steps}; you have to walk exactly {slider}.",
            "This walk to {end} has {steps}; you have to walk exactly {slider}.",
            position.slider,
        )
        if cells
        else _("Name the spaces of the walk; you have to walk exactly {slider}."),
        "not-adjacent": _("{to} is not beside {from}. A step goes to the next space up, down, left or right."),
        "off-board": _("{cell} is not on the board; its spaces are A1 to L12."),
        "onto-royal": _("The Royal Tee of {player} stands on {cell}. Walk round it."),
        "must-walk": ngettext(
            "You can step to {cells}, so you have to walk.", "You can step to {cells}, so you have to walk.", len(cells)
        ),
    }
    facts = {
        **dict.fromkeys(("cell", "end", "from"), cells[0] if cells else ""),
        "to": cells[-1] if cells else "",
        "cells": cells_list(cells),
        "player": player_name(next((seat for seat, royal in royals if NAMES[royal] in cells[:1]), None), names),
        "steps": steps(len(action.cells) if isinstance(action, Walk) else 0),
        "slider": position.slider,
    }
    return sentences[refusal.code].format_map(facts)


# ---- hints


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return the adviser's proposal and its reason."""
    walk = advice.action.cells if isinstance(advice.action, Walk) else ()
    numbers = {key: int(value) for key, value in advice.numbers.items()}
    return {
        "encloses": _("Walk {walk}: that encloses {enclosed} and brings {gained} in all."),
        "takes": _("Walk {walk}: that brings {gained}, {taken} of them from others."),
        "claims": _("Walk {walk}: that brings {gained}; no other walk leaves you better off."),
        "boxed-in": _("There is no free space beside your Royal Tee: you have to pass."),
        "nothing-new": _("No walk brings a new space. Walk {walk}: then others can reach only {exposed} of yours."),
    }[advice.code].format(
        walk=" ".join(walk),
        gained=spaces(numbers["gained"]),
        enclosed=spaces(numbers["enclosed"]),
        taken=numbers["taken"],
        exposed=spaces(numbers["exposed"]),
    )


# ---- how the score comes about


def score_parts(position: Position, names: Names) -> Iterator[ScorePart]:
    """Yield each player's spaces, a point each, in turn order."""
    free = position.unclaimed.bit_count()
    remark = ngettext("{free} space is still free.", "{free} spaces are still free.", free) if free else ""
    for seat, claimed in zip(position.players, position.claimed, strict=True):
        number = claimed.bit_count()
        sentence = ngettext(
            "{player} holds {number} of 144 spaces: {number} point.",
            "{player} holds {number} of 144 spaces: {number} points.",
            number,
        )
        text = sentence.format(player=player_name(seat, names), number=number)
        yield ScorePart(seat, text, remark.format(free=free))


# ---- next to the board on the screen


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what the screen shows besides the labels."""
    free = position.unclaimed.bit_count()
    left = ngettext("{number} space is unclaimed.", "{number} spaces are unclaimed.", free).format(number=free)
    if not free:
        left = _("No space is unclaimed.")
    lying = dict(zip(position.players, position.zones, strict=True))
    words = {
        Side.TOP: _("{player} above"),
        Side.RIGHT: _("{player} right"),
        Side.BOTTOM: _("{player} below"),
        Side.LEFT: _("{player} left"),
    }
    zones = clauses(words[side].format(player=player_name(seat, names)) for seat, side in lying.items())
    edges = {side.value: seat for seat, side in lying.items()}
    return Extras(facts=(left, _("Zones: {zones}.").format(zones=zones)), edges=edges)


# ---- typed lines


_WAYS = {"up": -SIZE, "down": SIZE, "left": -1, "right": 1}


def _phrases() -> Mapping[str, str]:
    return {
        "up": _("up, u, north"),
        "down": _("down, d, south"),
        "left": _("left, l, west"),
        "right": _("right, r, east"),
        "walk": _("walk, go"),
        "pass": _("pass"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.words == ("pass",):
        return Entered(Pass())
    if not line.cells and not line.has(*_WAYS):
        return Mistake(explain(position, names)) if line.numbers else None
    tokens = [token for token in line.tokens if token.word != "walk"]
    traced = _trace(position.royal(position.turn), tokens)
    if isinstance(traced, Mistake):
        return traced
    path, gap = traced
    if len(tokens) == 1 and tokens[0].cell is not None and len(path) != position.slider:
        return _to_the_end(position, Cell(tokens[-1].cell or ""))
    if gap is None:
        return Entered(walk_along(path))
    sentence = _("From {start} to {end} there is no straight line: name the corner too.")
    return Mistake(sentence.format(start=gap[0], end=gap[1]))


# ---- the spaces of a walk


def _trace(start: CellIndex, tokens: Sequence[Token]) -> tuple[list[CellIndex], tuple[Cell, Cell] | None] | Mistake:
    """Return the spaces of a walk, and two cells without a straight line between them if there are such.

    From cell to cell in a straight line it goes over all spaces between.
    """
    path, gap, here, count = list[CellIndex](), None, start, 1
    for place, token in enumerate(tokens):
        if token.digits:
            count = min(int(token.digits), SIZE) if token.digits.isdecimal() else 1
            continue
        line = _line(here, token, count)
        if isinstance(line, Mistake):
            return line
        if line is None:
            gap = gap or (NAMES[here], Cell(token.cell or ""))
        elif line or place:
            path += line
        here, count = (line or [here])[-1] if line is not None else cell_index(str(token.cell)), 1
    return path, gap


def _line(here: CellIndex, token: Token, count: int) -> list[CellIndex] | Mistake | None:
    """Return the spaces of one part of a walk; None if its cell is not in a straight line."""
    row, column = divmod(here, SIZE)
    if token.word in _WAYS:
        room = {"up": row, "down": SIZE - 1 - row, "left": column, "right": SIZE - 1 - column}[token.word]
        if count <= room:
            return [CellIndex(here + _WAYS[token.word] * step) for step in range(1, count + 1)]
        sentence = _("From {cell} there is no room for {steps} in that direction.")
        return Mistake(sentence.format(cell=NAMES[here], steps=steps(count)))
    if token.cell is None:
        return Mistake(_('"{word}" is not part of a walk.').format(word=token.text))
    if not on_board(token.cell):
        return Mistake(_("{cell} is not on the board; its spaces are A1 to L12.").format(cell=token.cell))
    there = cell_index(token.cell)
    other_row, other_column = divmod(there, SIZE)
    if row != other_row and column != other_column:
        return None
    stride = (SIZE if row != other_row else 1) * (1 if there > here else -1)
    return [CellIndex(cell) for cell in range(here + stride, there + stride, stride)] if here != there else []


# ---- only the end is known


def _to_the_end(position: Position, end: Cell) -> Reading[Action]:
    """Return the walk that ends there and claims most spaces, to be confirmed if there are others."""
    goal = cell_index(end)
    steps_more = position.slider - distance(position.royal(position.turn), goal)
    reached = steps_more >= 0 and steps_more % 2 == 0
    walks = [walk for walk in distinct_walks(position) if walk.end == goal] if reached else []
    if not walks:
        return _unreachable(position, goal)
    best = max(walks, key=lambda walk: _gain(position, walk))
    walk = walk_along(best.example)
    if len(walks) == 1:
        return Entered(walk)
    sentence = _("Walk {walk}? Of all walks to {end} it brings the most: {spaces}.")
    gained = spaces(_gain(position, best))
    return Entered(walk, confirm=sentence.format(walk=" ".join(walk.cells), end=end, spaces=gained))


def _gain(position: Position, walk: DistinctWalk) -> int:
    after = after_walk(position, walk.end, walk.visited).position
    place = position.place(position.turn)
    return (after.claimed[place] & ~position.claimed[place]).bit_count()


def _unreachable(position: Position, goal: CellIndex) -> Mistake:
    """Return why no walk ends on a space: it is occupied, too far away, or the number of steps does not fit."""
    away, slider = distance(position.royal(position.turn), goal), position.slider
    facts = {"cell": NAMES[goal], "slider": slider, "steps": steps(away)}
    if position.royals_but(position.turn) >> goal & 1:
        return Mistake(_("Another Royal Tee stands on {cell}.").format_map(facts))
    if away > slider:
        sentence = ngettext(
            "{cell} is {steps} away; you have to walk exactly {slider}.",
            "{cell} is {steps} away; you have to walk exactly {slider}.",
            slider,
        )
        return Mistake(sentence.format_map(facts))
    if (slider - away) % 2:
        sentence = _("{cell} is {steps} away; with a detour it is two more each time, never exactly {slider}.")
        return Mistake(sentence.format_map(facts))
    return Mistake(_("No walk of exactly {slider} ends on {cell}: other Royal Tees are in the way.").format_map(facts))


# ---- the rules in short


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        credit=credit_to(""),
        goal=_(
            "Walk with your Royal Tee, mark every space you step on, and fence in more of the board than the others."
        ),
        turn=(
            _("Walk with your Royal Tee exactly as many steps as the slider shows."),
            _("A step goes to the next space up, down, left or right; you may walk back over any space."),
            _("Only another Royal Tee is in your way."),
            _("The space you came from and all you stepped on become yours, also those of others."),
            _("Then everything that your spaces and your zone cut off from the outside becomes yours as well."),
            _("When everybody has walked, the slider moves up by one, as far as 9."),
        ),
        signs={
            _("small letter"): _("a space of that colour"),
            _("capital letter"): _("the Royal Tee of that colour"),
            "·": _("a free space"),
        },
        terms={
            _("tee"): _("a small peg; it marks a space as yours"),
            _("Royal Tee"): _("the large peg that walks; the space under it is yours too"),
            _("slider"): _("says how many steps every walk has"),
            _("zone"): _("the strip along your own side of the board, outside it; for you it is wall"),
            _("enclosed"): _("cut off from the outside by your spaces and your zone; also called bonus spaces"),
        },
    )


# ---- the review of a played game


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return each player's walk that gained most spaces, and the one that took most from others."""
    walks = [turn for turn in turns if any(event.name == "walked" for event in turn.events)]
    seats = dict.fromkeys(str(turn.by) for turn in walks)
    gained = _("{player} gained most with action {number}: {spaces}.")
    taken = _("{player} took most from others with action {number}: {spaces}.")
    sentences = [
        sentence.format(player=player_name(seat, names), number=best.number, spaces=spaces(measure(best)))
        for seat in seats
        for sentence, measure in ((gained, spaces_gained), (taken, spaces_taken))
        if measure(best := max([turn for turn in walks if turn.by == seat], key=measure))
    ]
    return Review(tuple(sentences))


def spaces_gained(turn: Turn) -> int:
    """Return how many spaces a walk gained, including those taken from others."""
    return sum(len(strings(event.facts["cells"])) for event in turn.events if event.name in ("claimed", "enclosed"))


def spaces_taken(turn: Turn) -> int:
    """Return how many spaces a walk took from others."""
    taken = [event.facts.get("taken") for event in turn.events]
    return sum(len(strings(cells)) for lost in taken if isinstance(lost, dict) for cells in lost.values())


FEATS = (
    Feat(
        lambda turns: ((seat, len(turn.action.cells)) for turn, seat, _facts in named(turns, "walked")),
        max,
        lambda number: _("longest walk: {steps}").format(steps=steps(number)),
    ),
    Feat(
        lambda turns: ((seat, spaces_gained(turn)) for turn, seat, _facts in named(turns, "walked")),
        max,
        lambda number: _("most with one walk: {spaces}").format(spaces=spaces(number)),
    ),
)


SPEECH: Speech[Position, Action] = Speech(
    title=lambda: _("Royal Tee"),
    words=WORDS,
    refusal=refusal_sentence,
    hint=hint_sentence,
    prompt=prompt,
    action_name=action_name,
    phrases=_phrases,
    read=_read,
    offered=offered,
    explain=explain,
    columns="abcdefghijkl",
    score_parts=score_parts,
    guide=guide,
    extras=extras,
)
