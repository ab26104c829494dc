"""Sentences of Territory: events, prompts, refusals, hints, score, screen, what is typed, the review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.bundle import Feat, Review, ScorePart, Speech, Turn
from companion.games.guide import Guide, Option, credit_to, with_bounds
from companion.games.line import Command, Entered, Mistake, Reading, TypedLine
from companion.games.review import CHANCE, Scale, each, named, remarks_of, summaries
from companion.games.speech import summed
from companion.games.territory.table import WHITE, placement
from companion.locale import _, ngettext
from companion.ui.board_text import letter
from companion.ui.names import Names, either, player_name, player_names
from companion.ui.page import Extras
from companion.ui.phrases import cells_list, number_of_cells, percent, points, spaces, strings, tenths
from companion.ui.words import EventSentences, EventWords
from engines.grid import cells_in
from engines.kernel import Advice, Cell, JsonObject, Refusal
from engines.territory.cards import SHIPPED, Captures, Card
from engines.territory.position import Action, Again, Await, Capture, Place, Position, Roll, Stop
from engines.territory.rules import actions, is_last_turn, targets
from engines.territory.scoring import POINTS, best_group, groups
from engines.territory.search import best_decision, bust_chance, chance_given_away, points_given_away
from engines.territory.set_up import MapOptions
from vision.board import Board, shipped_board
from vision.labels import EMPTY

# ---- the texts of the cards


def card_title(card: Card) -> str:
    """Return a card's title; that of a card which does not ship is its id."""
    names = {
        "long-day": _("Long day"),
        "short-day": _("Short day"),
        "truce": _("Truce"),
        "raid": _("Raid"),
        "plunder": _("Plunder"),
        "mercy": _("Mercy"),
        "soft-landing": _("Soft landing"),
        "harvest": _("Harvest"),
        "twin-peaks": _("Twin peaks"),
        "far-shores": _("Far shores"),
        "flood": _("Flood"),
        "mirror": _("Mirror"),
        "about-turn": _("About turn"),
        "open-gate": _("Open gate"),
        "curfew": _("Curfew"),
        "calm": _("Calm"),
    }
    return names.get(card.id, card.id.replace("-", " ").capitalize())


def card_text(card: Card) -> str:
    """Return what a card changes while it is active."""
    return " ".join(_effects(card)) or _("Nothing changes in this round.")


def _effects(card: Card) -> Iterator[str]:
    # 1. the rolls of a turn
    if card.free_rolls:
        text = ngettext("Each turn has {number} free roll.", "Each turn has {number} free rolls.", card.free)
        yield text.format(number=card.free)
    if card.stop_from is not None:
        yield _("You may stop from roll {number} on.").format(number=card.stop_from)
    if card.most_rolls is not None:
        yield _("A turn ends after roll {number}.").format(number=card.most_rolls)
    # 2. the bust
    if card.pardons == 1:
        yield _("The first repeated number of a turn does not end it.")
    elif card.pardons:
        text = ngettext(
            "{number} repeated number of a turn does not end it.",
            "The first {number} repeated numbers of a turn do not end it.",
            card.pardons,
        )
        yield text.format(number=card.pardons)
    if card.bust_keeps:
        yield _("A repeated number ends the turn, but the white pieces stay.")
    # 3. the numbers
    if card.doubled:
        yield _("A roll of {numbers} places two pieces.").format(numbers=either(map(str, card.doubled)))
    if card.closed:
        yield _("A roll of {numbers} places no piece.").format(numbers=either(map(str, card.closed)))
    if card.mirrored:
        yield _("Numbers are mirrored: a roll of n counts as 14 minus n.")
    # 4. captures and the order of turns
    captures = {
        Captures.FORBIDDEN: _("Nobody may capture another player's space."),
        Captures.GO_ON: _("A capture does not end the turn."),
        Captures.THEN_ROLL: _("After a capture you roll once more, then the turn ends."),
    }
    if card.captures in captures:
        yield captures[card.captures]
    if card.reversed:
        yield _("Turns go the other way round.")


def card_named(card: str) -> Card:
    """Return the shipped card with this id, or else a card without effects."""
    return SHIPPED.get(card) or Card(card)


def card_lines(position: Position) -> list[str]:
    """Return a line with the active card and what it changes; empty if there is none."""
    if position.card is None:
        return []
    card = position.in_force
    return [_("{term}: {meaning}").format(term=card_title(card), meaning=card_text(card))]


# ---- events


def _event_values(event: JsonObject, names: Names) -> JsonObject:
    dice = strings(event.get("dice")) or [""]
    tied = {"players": player_names(strings(event.get("players")), names)}
    loser = {"from": player_name(str(event["from"]), names)} if "from" in event else {}
    return {"die": dice[0], "first": dice[0], "second": dice[-1], **tied, **loser}


_EVENTS: EventSentences = {
    "round": lambda event: _round(event) if "round" in event else "",
    "rolled-for-first": lambda _event: _("{player} rolled {die} to see who begins."),
    "roll-off-tied": lambda _event: _("{players} rolled the same and roll again."),
    "begins": lambda _event: _("{player} begins."),
    "turn": lambda _event: _("Next: {player}."),
    "card-drawn-face-down": lambda _event: _("A card is drawn face down; in the first round none is in force."),
    "rolled": lambda event: (
        _("{player} rolled {first} and {second}: {number}.")
        if sum(map(int, strings(event.get("dice")))) == event.get("number")
        else _("{player} rolled {first} and {second}, which counts as {number} in this round.")
    ),
    "placed": lambda _event: _("{player} placed a white piece on {cell} ({number})."),
    "captured": lambda _event: _("{player} captured {cell} ({number}) from {from}."),
    "extra-roll": lambda _event: _("{player} has one more roll, which cannot bust."),
    "nothing-to-place": lambda _event: _("No space of the {number} is open: nothing is placed."),
    "pardoned": lambda _event: _("The {number} has come again, but the card forgives it."),
    "busted": lambda event: (
        ngettext(
            "The {number} had come before: {player} went bust, and the white piece comes off ({cells}).",
            "The {number} had come before: {player} went bust, and the white pieces come off ({cells}).",
            number_of_cells(event),
        )
        if event.get("cells")
        else _("The {number} had come before: {player} went bust, but lost no piece.")
    ),
    "rolls-again": lambda _event: _("{player} chose to roll again."),
    "stopped": lambda _event: _("{player} stopped."),
    "kept": lambda event: ngettext(
        "{player} kept {number} space: {cells}.", "{player} kept {number} spaces: {cells}.", number_of_cells(event)
    ),
    "game-over": lambda _event: _("The last round is over.") + " {won}",
}


def _round(event: JsonObject) -> str:
    card = event.get("card")
    if not isinstance(card, str):
        return _("Round {round} begins, without a card.").format(round=event["round"])
    title = card_title(card_named(card))
    begun = _("Round {round} begins with the card {card}.").format(round=event["round"], card=title)
    return f"{begun} {card_text(SHIPPED[card])}" if card in SHIPPED else begun


# ---- what a table shows


def _things(number: int) -> dict[str, str]:
    return {
        "red": ngettext("the red piece", "red pieces", number),
        "yellow": ngettext("the yellow piece", "yellow pieces", number),
        "green": ngettext("the green piece", "green pieces", number),
        "blue": ngettext("the blue piece", "blue pieces", number),
        "purple": ngettext("the purple piece", "purple pieces", number),
        "black": ngettext("the black piece", "black pieces", number),
        "white": ngettext("the white piece", "white pieces", number),
    }


def _of_a_table(cells: int) -> dict[str, str]:
    """Return the sentences for refused tables; those for refused actions are in `_sentences`."""
    return {
        "roll-off-first": _("A piece was moved ({cells}) before the roll to see who begins."),
        "roll-first": _("A piece was moved ({cells}) before {player} rolled."),
        "nothing-to-place": _("{cells} changed, but {player} has nothing to place: roll again or stop."),
        "too-early-to-stop": _("{player}'s white pieces on {cells} were exchanged, but it is too early to stop."),
        "piece-first": _("{player}'s white pieces on {cells} were exchanged before the piece of the roll was placed."),
        "no-captures": _("{cells} was captured, but the card in force forbids captures."),
        "too-many": _("More pieces were placed ({cells}) than the roll gives."),
        "not-white": _("A piece of {player}'s own colour was put on {cells} instead of a white one."),
        "foreign-piece": ngettext(
            "A piece of a colour whose turn it is not has come to {cells}.",
            "Pieces of a colour whose turn it is not have come to {cells}.",
            cells,
        ),
        "white-removed": ngettext(
            "A white piece is gone from {cells}; they come off after a bust only.",
            "White pieces are gone from {cells}; they come off after a bust only.",
            cells,
        ),
        "piece-removed": ngettext(
            "A piece is gone from {cells}; it leaves only when it is captured.",
            "Pieces are gone from {cells}; they leave only when they are captured.",
            cells,
        ),
        "unexplained": _("No placing of a piece explains {cells}."),
    }


# ---- prompts


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action of a game that is not over."""
    return _prompt_of(position).format(
        player=player_name(position.turn, names),
        left=position.left,
        number=position.rolled[-1] if position.rolled else "",
        free=position.in_force.free - len(position.rolled),
        bust=percent(bust_chance(position)),
    )


def _prompt_of(position: Position) -> str:  # noqa: PLR0911 - one line a moment
    match position.awaiting:
        case Await.ROLL_OFF:
            return _("{player}: roll one die to see who begins.")
        case Await.PLACE if position.left > 1:
            return _("{player}: place {left} pieces for the {number}, one after the other.")
        case Await.PLACE:
            return _("{player}: place a piece for the {number}.")
        case Await.CHOOSE if bust_chance(position) == 0:
            return _("{player}: roll again or stop? Another roll cannot bust.")
        case Await.CHOOSE:
            return _("{player}: roll again or stop? Another roll busts in {bust} percent of all cases.")
    if position.extra:
        return _("{player}: one more roll, which cannot bust.")
    free = position.in_force.free - len(position.rolled)
    if free > 0:
        return ngettext(
            "{player}: roll both dice ({free} free roll left).",
            "{player}: roll both dice ({free} free rolls left).",
            free,
        )
    return _("{player}: roll both dice.")


def explain(position: Position, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return how to type the expected action; "" after the end."""
    match position.awaiting:
        case Await.ROLL_OFF:
            return _("Type what the die shows, 1 to 6, or roll to let the companion throw it.")
        case Await.ROLL:
            return _("Type what the two dice show, each 1 to 6 (3 4), or roll to let the companion throw them.")
        case Await.CHOOSE:
            return _("Type roll or stop.")
        case Await.PLACE:
            where = targets(position, position.rolled[-1])
            sentences = []
            if where.empty:
                sentences.append(_("Free: {cells}.").format(cells=cells_list(position.board.names_in(where.empty))))
            if where.capturable:
                cells = cells_list(position.board.names_in(where.capturable))
                sentences.append(_("To capture: {cells}.").format(cells=cells))
            return " ".join(sentences)
    return ""


def action_name(position: Position, action: Action, names: Names) -> str:
    """Return the name of an action in a list."""
    match action:
        case Place(cell):
            return _("place on {cell}").format(cell=cell)
        case Capture(cell):
            holder = position.owner_of(1 << position.board.cell_index(cell))
            return _("capture {cell} from {player}").format(cell=cell, player=player_name(holder, names))
        case Again():
            return _("roll again")
        case Stop():
            return _("stop and keep the pieces")
        case Roll(dice):
            return _("roll {dice}").format(dice=" ".join(map(str, dice)))


# ---- why an action is refused


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return why the rules forbid an action, and what they allow."""
    cell = refusal.cells[0] if refusal.cells else Cell("")
    board = position.board
    return _sentences()[refusal.code].format(
        cell=cell,
        cells=cells_list(refusal.cells),
        last=position.board.names[-1],
        number=(board.numbers[board.cell_index(cell)] if board.has(cell) else None),
        rolled=position.rolled[-1] if position.rolled else "",
        rolls=len(position.rolled),
        stop_from=position.in_force.may_stop_from,
        card=card_title(card_named(position.card or "")),
        player=player_name(position.turn, names),
    )


def _sentences() -> dict[str, str]:
    return {
        "game-over": _("The game is over: the last round has been played."),
        "off-board": _("{cell} is not on the map; its spaces are A1 to {last}."),
        "one-die": _("To find out who begins, each player rolls one die: type its number, 1 to 6."),
        "two-dice": _("A roll is two dice: type both numbers, each 1 to 6."),
        "roll-off-first": _("First find out who begins: {player} rolls one die."),
        "too-early-to-stop": _(
            "You have rolled {rolls} of the {stop_from} rolls that a turn has at least; you may stop after that."
        ),
        "roll-first": _("Roll the dice first."),
        "nothing-to-place": _("Nothing is left to place: roll again or stop."),
        "piece-first": _("First put a piece on a space of the {rolled}: {cells}."),
        "other-number": _("{cells} has the number {number}, but {rolled} was rolled."),
        "not-empty": _("{cell} is not empty; a white piece needs an empty space of the {rolled}."),
        "nobody-there": _("Nobody holds {cell}, so there is nothing to capture: place a piece on it."),
        "own-space": _("{cell} is yours already; only the spaces of others can be captured."),
        "no-captures": _("Nobody may capture in this round: the card {card} is in force."),
    }


# ---- hints


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:
    """Return the adviser's proposal and its reason."""
    if isinstance(advice.action, Place | Capture):
        # a sentence on where to put a piece, and how the best group grows by it
        space = 1 << position.board.cell_index(advice.action.cell)
        own = position.owners[position.place(position.turn)] | position.white
        before, after = best_group(position.board, own), best_group(position.board, own | space)
        holder = position.owner_of(space)
        # the piece joins the best group with others, makes it grow, or stands apart from it
        reason = "apart"
        if after.points > before.points and after.spaces & space:
            joined = before.spaces & after.spaces and after.spaces & own & ~before.spaces
            reason = "joins" if joined else "grows"
        sentence = _proposals()[advice.code, reason]
        return sentence.format(
            cell=advice.action.cell,
            after=points(after.points),
            before=before.points,
            holder="" if holder is None else player_name(holder, names),
        )
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


def _proposals() -> dict[tuple[str, str], str]:
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


# ---- how the score comes about


def score_parts(position: Position, names: Names) -> Iterator[ScorePart]:
    """Yield each player's best group with the points of each space, in turn order."""
    board = position.board
    for seat, owned in zip(position.players, position.owners, strict=True):
        group = best_group(board, owned)
        items = [(board.names[cell], POINTS[board.numbers[cell]]) for cell in cells_in(group.spaces)]
        sentence = _("The best group of {player}: {sum}.") if items else _("{player} has no space yet.")
        text = sentence.format(player=player_name(seat, names), sum=summed(items) if items else "")
        others = len(list(groups(board, owned))) - 1
        remark = ngettext("{number} other group does not count.", "{number} other groups do not count.", others)
        yield ScorePart(seat, text, remark.format(number=others) if others > 0 else "")


# ---- next to the board on the screen


def extras(position: Position, board: Board, names: Names) -> Extras:
    """Return what the screen shows besides the labels."""
    # the piece's letter and the number of its space, for every space that is not empty
    labels = {cell: label for cell, label in placement(position).items() if label != EMPTY}
    numbers = {cell: board.printed_number(cell) for cell in labels}
    texts = {
        str(cell): f"{letter(board, label)}{numbers[cell]}"
        for cell, label in labels.items()
        if numbers[cell] is not None
    }
    # the size of each player's best group in words
    found = {}
    for seat, owned in zip(position.players, position.owners, strict=True):
        group = best_group(position.board, owned)
        if owned:
            number = group.spaces.bit_count()
            found[seat] = _("best group {spaces}").format(spaces=spaces(number))
    return Extras(facts=tuple(_shown_facts(position, names)), of_player=found, texts=texts)


def _shown_facts(position: Position, names: Names) -> Iterator[str]:
    if position.roll_off is not None:
        thrown = zip(position.roll_off.contenders, position.roll_off.rolls, strict=False)
        if rolls := ", ".join(f"{player_name(seat, names)} {roll}" for seat, roll in thrown):
            yield _("Rolled to see who begins: {rolls}").format(rolls=rolls)
        return
    yield _("Round {round} of {rounds}").format(round=position.round, rounds=position.setting.rounds)
    if position.rolled:
        yield _("Rolled in this turn: {numbers}").format(numbers=", ".join(map(str, position.rolled)))
    if position.card is not None:
        card = position.in_force
        yield _("Card in force: {title}. {effect}").format(title=card_title(card), effect=card_text(card))
    count = len(position.deck)
    yield ngettext("{count} card in the deck", "{count} cards in the deck", count).format(count=count)


# ---- typed lines


def _phrases() -> Mapping[str, str]:
    return {
        "roll": _("roll, throw, r, again, on"),
        "stop": _("stop, keep, enough"),
        "place": _("place, put"),
        "capture": _("capture, take"),
        "yes": _("yes, y"),
        "no": _("no, n"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    match position.awaiting:
        case Await.ROLL_OFF | Await.ROLL:
            return _dice(line, 1 if position.awaiting is Await.ROLL_OFF else 2)
        case Await.CHOOSE if len(line.dice()) > 1:  # two dice mean the choice to roll, and the roll
            rolled = _dice(line, 2)
            return Entered(Again(), (rolled.action,)) if isinstance(rolled, Entered) else rolled
        case Await.CHOOSE if line.has("roll", "yes"):
            return Entered(Again())
        case Await.CHOOSE if line.has("stop", "no"):
            return Entered(Stop())
        case Await.PLACE:
            return _read_piece(position, line, names)
    return None


def _dice(line: TypedLine, count: int) -> Reading[Action] | None:
    dice = line.dice()
    if not dice:
        return Command("roll") if line.has("roll") else None
    if len(dice) == count and all(1 <= die <= 6 for die in dice):
        return Entered(Roll(dice))
    if count == 1:
        return Mistake(_("One die decides who begins: type its number, 1 to 6."))
    if len(line.numbers) == 1 and 2 <= line.numbers[0] <= 12:
        return Mistake(_("Type both dice, each 1 to 6, not their sum: 3 4."))
    return Mistake(_("Two dice, each 1 to 6: 3 4."))


def _read_piece(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if not line.cells:
        return Mistake(explain(position, names)) if line.has("place", "capture", "roll", "stop") else None
    if len(line.cells) > 1:
        return Mistake(_("One space at a time, please."))
    [cell] = line.cells
    taken = line.has("capture") or (
        not line.has("place")
        and (position.board.has(cell) and bool(position.held >> position.board.cell_index(cell) & 1))
    )
    return Entered(Capture(cell) if taken else Place(cell))


# ---- the rules in short


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        credit=credit_to(""),
        goal=_("Roll for numbered spaces, dare to roll on, and build the best group of spaces that touch."),
        turn=(
            _("Roll both dice and put a white piece on a free space of their sum."),
            _("Three rolls are free; then you decide after every roll: roll again, or stop."),
            _("From the fourth roll on, a number that you have rolled before busts: all your white pieces come off."),
            _("Instead of a free space you may take a space of the number from another player; that ends your turn."),
            _("When you stop, your white pieces become pieces of your colour."),
            _(
                "Each round has a card, the first one face down, that changes its rules."
                " The cards drawn count the rounds."
            ),
            _("In the end only your best group counts: spaces that share edges."),
        ),
        signs={
            _("number"): _("a free space; the number has to be rolled for it"),
            _("letter"): _("a piece of that colour"),
            letter(shipped_board("territory"), WHITE): _("a white piece: saved in this turn, not yet yours"),
        },
        terms={
            _("free roll"): _("a roll that cannot bust"),
            _("bust"): _("a repeated number that ends your turn and takes your white pieces off"),
            _("white piece"): _("marks a space for this turn; it becomes yours when you stop"),
            _("capture"): _("taking a space from another player"),
            _("group"): _("your spaces that touch along edges; corners do not count"),
        },
        options=with_bounds(MapOptions, _options()),
    )


def _options() -> tuple[Option, ...]:
    return (
        Option(
            "map",
            _("Map"),
            values={
                "eight-by-eight": _("the printed map of 8 by 8 spaces"),
                "nine-by-eight": _("a map of 9 by 8 spaces whose halves mirror each other"),
            },
            usual="eight-by-eight",
        ),
        Option("rounds", _("Rounds"), _("{value}, then the game is over")),
        Option(
            "roll_off",
            _("Who begins"),
            values={"true": _("everybody rolls one die for it"), "false": _("the player named first")},
        ),
    )


# ---- the review of a played game


REMARKABLE = 1.0
"""Points of expected lead from which on a decision that gave them away is mentioned."""


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return the decisions that gave points away, or in the last turn of the game some of the chance to win."""
    decided = [turn for turn in turns if len(actions(turn.before)) > 1]
    last = [turn for turn in decided if is_last_turn(turn.before)]
    in_points = [(turn, points_given_away(turn.before, turn.action)) for turn in decided if turn not in last]
    in_chances = [(turn, chance_given_away(turn.before, turn.action)) for turn in last]
    scale = Scale(REMARKABLE, lambda points: _("{points} points on average").format(points=tenths(points)))

    def better(position: Position) -> str:
        return action_name(position, best_decision(position), names)

    remarks = remarks_of(in_chances, CHANCE, better)
    return Review(tuple(summaries(in_points, scale, names)), {**remarks_of(in_points, scale, better), **remarks})


FEATS = (
    Feat(
        lambda turns: ((seat, len(strings(facts["cells"]))) for _turn, seat, facts in named(turns, "kept")),
        max,
        lambda number: _("most kept in one turn: {spaces}").format(spaces=spaces(number)),
    ),
    Feat(each("busted"), sum, lambda n: ngettext("{number} bust", "{number} busts", n)),
    Feat(each("captured"), sum, lambda n: ngettext("{number} capture", "{number} captures", n)),
)


SPEECH: Speech[Position, Action] = Speech(
    title=lambda: _("Territory"),
    words=EventWords(
        _EVENTS,
        lambda cells, _facts: {**_sentences(), **_of_a_table(len(cells))},
        _things,
        event_values=_event_values,
    ),
    refusal=refusal_sentence,
    hint=hint_sentence,
    prompt=prompt,
    action_name=action_name,
    phrases=_phrases,
    read=_read,
    offered=actions,
    explain=explain,
    columns="abcdefghi",
    score_parts=score_parts,
    guide=guide,
    extras=extras,
    card=card_lines,
)
