"""Sentences of Royal Racers: events, prompts, refusals, hints, score, screen, what is typed, the review."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.games.bundle import Feat, Review, ScorePart, Speech, Turn
from companion.games.guide import Guide, Option, credit_to, with_bounds
from companion.games.line import Command, Entered, Mistake, Reading, TypedLine
from companion.games.review import each
from companion.games.royal_racers.table import card_label, face_of
from companion.games.speech import summed
from companion.locale import _, ngettext
from companion.ui.board_text import SUIT_SIGNS, letter
from companion.ui.names import Names, player_name
from companion.ui.names import card_name as name_of_card
from companion.ui.page import Extras
from companion.ui.phrases import cells_list, cells_words, number_in, percent, tenths
from companion.ui.words import EventSentences, EventWords, facts_in_words
from engines.grid import CellIndex, bit
from engines.kernel import Advice, Cell, JsonObject, Refusal, Seat
from engines.royal_racers import rules
from engines.royal_racers.board import (
    DECK,
    LAST_TURNING_RANK,
    NAMES,
    SIZE,
    SUITS,
    card_name,
    cell_index,
    names_in,
    on_board,
    short_name,
)
from engines.royal_racers.position import (
    NULL_ROLL,
    SETTING_UP,
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Roll,
    Step,
    Terms,
    owner_of,
)
from engines.royal_racers.rules import actions, steps
from engines.royal_racers.search import luck_of_throw
from vision.board import Board, shipped_board
from vision.labels import COVERED, Label

# ---- names of cards


def rank_named(rank: int | str | None) -> str:
    """Return the name of a rank: ace, 2 to 9."""
    return _("ace") if rank in (1, "1", "A") else str(rank)


def die_named(face: int | str | None) -> str:
    """Return the name of a die's face: the empty face, ace, 2 to 5."""
    return _("the empty face") if face in (NULL_ROLL, "null") else rank_named(face)


def card_named(card: str) -> str:
    """Return a card with its article: "the 7 of hearts"."""
    rank, _dash, suit = card.partition("-")
    suits = {
        "clubs": _("the {rank} of clubs"),
        "diamonds": _("the {rank} of diamonds"),
        "hearts": _("the {rank} of hearts"),
        "spades": _("the {rank} of spades"),
    }
    return suits[suit].format(rank=rank_named(rank))


def flag_sign(board: Board, seat: str) -> str:
    """Return the sign of a player's flag on the screen."""
    return letter(board, str(Label(card=COVERED, on_card=(("flag", seat),))))


# ---- events


def _untold(events: Sequence[JsonObject]) -> tuple[str, ...]:
    """Return that whose turn it is goes without saying, and that a game of one race ends with it."""
    only_race = any(event.get("event") == "race-over" and event.get("race") == 1 for event in events)
    return ("turn", "game-over") if only_race else ("turn",)


def _event_values(event: JsonObject, names: Names) -> JsonObject:
    named = {"roll": die_named, "rank": rank_named, "card": card_named}
    values = {key: name(str(event[key])) for key, name in named.items() if key in event}
    coins, parts = event.get("coins"), []  # how many flags each player has touched in a race
    for seat, flags in coins.items() if isinstance(coins, dict) else ():
        part = ngettext("{player} {number} flag", "{player} {number} flags", int(flags))
        parts.append(part.format(player=player_name(seat, names), number=flags))
    return {**values, "coins": _("Touched: {flags}.").format(flags=", ".join(parts)) if parts else ""}


_EVENTS: EventSentences = {
    "start-chosen": lambda _event: _("{player} started on {cell}."),
    "flag-placed": lambda _event: _("{player} put flag {flag} of {owner} on {cell}."),
    "race-started": lambda _event: _("All flags are out: race {race} begins."),
    "turn": lambda _event: _("Next: {player}."),
    "rolled": lambda _event: _("{player} rolled {roll}."),
    "nothing-to-flip": lambda _event: _("No card can be turned over for the {rank}."),
    "turned-down": lambda _event: _("{player} turned down {card} on {cell}."),
    "turned-up": lambda _event: _("{player} turned up {card} on {cell}: that is the right one."),
    "wrong-card": lambda _event: _("{player} turned up {card} on {cell}: the wrong one. It goes back face down."),
    "returned": lambda _event: _("The pawn of {player} went back from {from} to {to}."),
    "return-blocked": lambda _event: _("Another pawn stands on {to}, so the pawn of {player} stayed on {from}."),
    "stepped": lambda _event: _("{player} stepped from {from} to {to}."),
    "passed": lambda event: _("{player} could not step anywhere.") if event.get("forced") else _("{player} stayed."),
    "touched": lambda _event: _("{player} touched flag {flag} on {cell}."),
    "last-round-over": lambda _event: _("Round {round} was the last one."),
    "dealt": lambda _event: _("The cards for race {race} are laid out."),
    "race-over": lambda _event: _("Race {race} is over.") + " {won} {coins}",
    "game-over": lambda _event: _("The game is over.") + " {won}",
}


# ---- what a table shows


def _things(number: int) -> dict[str, str]:
    return {
        **{card: card_named(card) for card in map(card_name, DECK)},
        "pawn-suns": _("the pawn with the sun"),
        "pawn-moons": _("the pawn with the moon"),
        "pawn-crowns": _("the pawn with the crown"),
        "pawn-arms": _("the pawn with the coat of arms"),
        "flag-suns": ngettext("the flag with the sun", "flags with the sun", number),
        "flag-moons": ngettext("the flag with the moon", "flags with the moon", number),
        "flag-crowns": ngettext("the flag with the crown", "flags with the crown", number),
        "flag-arms": ngettext("the flag with the coat of arms", "flags with the coat of arms", number),
    }


def _values(cells: Sequence[Cell], facts: JsonObject, names: Names) -> Mapping[str, object]:
    return {**facts_in_words(cells, facts, names), "rolled": die_named(number_in(facts, "rolled"))}


def _of_a_table() -> dict[str, str]:
    """Return the sentences for refused tables; those for refused actions are in `_sentences`."""
    return {
        "roll-first": _("Something was moved ({cells}) before {player} rolled the die."),
        "card-first": _("The pawn of {player} was moved ({cells}) before a card was turned over."),
        "flags-first": _("Something was moved ({cells}) before all flags were put down."),
        "out-of-turn": _("The pawn of {owner} was moved ({cells}), but it is the turn of {player}."),
        "wrong-rank": _("The card on {cells} was turned down, but {rolled} was rolled."),
        "stays-up": _("The card on {cells} was turned down; ranks above 5 always stay up."),
        "several-cards": _("More than one card was turned over ({cells})."),
        "no-card-now": _("The card on {cells} was turned over, but there is no card for {player} to turn over now."),
        "pawn-gone": _("The pawn of {player} is gone from {cells}."),
        "flag-moved": _("A flag was put down or taken away ({cells}); flags stay where they are."),
        "other-flag": _("A flag of {owner} was put on {cells}; now {player} puts down a flag of {turn}."),
        "unexplained": _("No card turned over and no step explains {cells}."),
    }


# ---- prompts


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; "" after the end."""
    sentences = {
        Phase.START: _("{player}: choose one of the four spaces in the middle to start on."),
        Phase.FLAG: _("{player}: put flag {flag} of {owner} on a card."),
        Phase.ROLL: _("{player}: roll the die."),
        Phase.FLIP: _("{player}: turn over a card for the {rank}."),
        Phase.MOVE: _("{player}: step to a space beside your pawn, or stay."),
        Phase.DEAL: _("{player}: lay out the cards for the next race."),
        Phase.OVER: "",
    }
    owner = owner_of(position.place, len(position.players))
    return sentences[position.phase].format(
        player=player_name(position.turn, names),
        owner=player_name(position.players[owner], names),
        flag=len(position.flags[owner]),
        rank=rank_named(position.rolled),
    )


def explain(position: Position, names: Names) -> str:  # noqa: ARG001, PLR0911 - one form for all games, one line a phase
    """Return how to type the expected action."""
    match position.phase:
        case Phase.ROLL:
            return _(
                "Type what the die shows: ace or 1, 2 to 5, or null for the empty face;"
                " or roll to let the companion throw it."
            )
        case Phase.DEAL:
            return _(
                "Type deal to lay the cards out as the companion has shuffled them, or deal with all 36 cards that"
                " lie there, row by row from A1: deal 5h 9s ac ..."
            )
        case Phase.START:
            return _("Free: {cells}.").format(cells=cells_list(names_in(rules.open_starts(position))))
        case Phase.FLAG:
            return _("Free: {cells}.").format(cells=cells_list(names_in(rules.flag_spaces(position))))
        case Phase.FLIP:
            down, up = names_in(rules.turning_down(position)), names_in(rules.turning_up(position))
            sentences = [_("Turn one down: {cells}.").format(cells=cells_list(down))] if down else []
            if up:
                sentences.append(_("Or turn one up from memory: {cells}.").format(cells=cells_list(up)))
            return " ".join(sentences)
        case Phase.MOVE if open_to_it := names_in(steps(position)):
            return _("You can step to {cells}, or pass to stay.").format(cells=cells_list(open_to_it))
        case Phase.MOVE:
            return _("No step is possible: pass.")
    return ""


def action_name(position: Position, action: Action, names: Names) -> str:  # noqa: ARG001, PLR0911 - one form for all games, one line an action
    """Return the name of an action in a list."""
    match action:
        case ChooseStart(cell):
            return _("start on {cell}").format(cell=cell)
        case PlaceFlag(cell):
            return _("flag on {cell}").format(cell=cell)
        case Flip(cell) if position.down & bit(cell_index(cell)):
            return _("turn up {cell}").format(cell=cell)
        case Flip(cell):
            card = card_named(card_name(position.cards[cell_index(cell)]))
            return _("turn down {card} on {cell}").format(card=card, cell=cell)
        case Step(cell):
            return _("step to {cell}").format(cell=cell)
        case Pass():
            return _("stay")
        case Deal():
            return _("lay out the cards")
        case Roll():
            return _("roll the die")


# ---- why an action is refused


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return why the rules forbid an action, and what they allow."""
    if refusal.code == "not-awaited":
        return _("That is not possible now. {prompt}").format(prompt=prompt(position, names))
    cells = refusal.cells
    has_card = bool(cells) and on_board(cells[0])
    return _sentences()[refusal.code].format(
        player=player_name(position.turn, names),
        cell=cells[0] if cells else "",
        last=cells[-1] if cells else "",
        cells=cells_list(cells),
        others=cells_list(cells[1:]),
        card=card_named(card_name(position.cards[cell_index(cells[0])])) if has_card else "",
        rank=rank_named(position.rolled),
    )


def _sentences() -> dict[str, str]:
    return {
        "game-over": _("The game is over."),
        "no-start-space": _("That is not a free start space; these are: {cells}."),
        "start-taken": _("A pawn stands on {cell} already. Choose another of the four spaces in the middle."),
        "off-board": _("{cell} is not on the grid; its spaces are A1 to F6."),
        "wrong-quadrant": _("{cell} is in the wrong quarter of the grid for this flag."),
        "flag-there": _("There is a flag on {cell} already."),
        "incomplete-deck": _("Lay out each of the 36 cards once; a card is named twice at {cells}."),
        "wrong-rank": _("{cell} shows {card}, but the die shows {rank}."),
        "flag-on-it": _("{cell} has a flag on it. Turn down another card of that rank first: {others}."),
        "under-pawn": _("A pawn stands on {cell}; a card under a pawn is never turned over."),
        "stays-up": _("{cell} shows {card}; cards from 6 to 9 always stay face up."),
        "not-adjacent": _("{last} is not beside {cell}. A step goes one space up, down, left or right."),
        "face-down": _("The card on {cell} is face down; nobody can step there."),
        "pawn-there": _("Another pawn stands on {cell}."),
        "flag-of-another": _("{cell} has a flag of somebody else. Step to {others} instead."),
    }


# ---- hints


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return the adviser's proposal and its reason."""
    numbers, cell = advice.numbers, getattr(advice.action, "cell", "")
    own = round(numbers.get("own", 0))
    turns = ngettext("{number} turn", "{number} turns", own).format(number=own)
    sentence = {
        "clear-way": _("Turn over the card on {cell}: that clears your way, about {turns} to go."),
        "hold-up": _("Turn over the card on {cell}: that holds up your quickest rival."),
        "least-harm": _("Turn over the card on {cell}: every card for the {rank} costs you something, this one least."),
        "touch": _("Step to {cell} and touch your next flag."),
        "nearer": _("Step to {cell}: from there it is about {turns} to the end."),
        "wait": _("Stay where you are: no step brings you nearer."),
        "far-flag": _("Put the flag on {cell}: {far} steps from the one before it."),
        "any-start": _("Start on {cell}: all start spaces are equally good."),
        "drawn-layout": _("Lay the cards out as the companion has shuffled them."),
    }[advice.code].format(
        cell=cell,
        turns=turns,
        rank=rank_named(position.rolled),
        far=round(numbers.get("from_last", 0)),
    )
    if isinstance(advice.action, Flip) and numbers["chance"] < 1:
        sentence += " " + _("The card is the right one in {chance} percent of all cases.").format(
            chance=percent(numbers["chance"])
        )
    return sentence


# ---- how the score comes about


def score_parts(position: Position, names: Names) -> Iterator[ScorePart]:
    """Yield each player's touched flags: one by one, or race by race in a campaign."""
    races = [*position.coins, position.touched]
    for place, seat in enumerate(position.players):
        if position.terms.races > 1:
            coins = [(_("race {number}").format(number=number), race[place]) for number, race in enumerate(races, 1)]
            sentence = _("The flags that {player} touched, a coin of as many points for each race: {sum}.")
            yield ScorePart(seat, sentence.format(player=player_name(seat, names), sum=summed(coins)))
            continue
        touched = [NAMES[cell] for cell in position.flags[place][: position.touched[place]]]
        sentence = ngettext(
            "{player} touched {number} of {flags} flags: {cells}.",
            "{player} touched {number} of {flags} flags: {cells}.",
            len(touched),
        )
        if not touched:
            sentence = _("{player}: no flag touched yet.")
        facts = {"number": len(touched), "flags": position.terms.flags, "cells": cells_words(touched)}
        yield ScorePart(seat, sentence.format(player=player_name(seat, names), **facts))


# ---- next to the board on the screen


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what the screen shows besides the labels."""
    # the signs of spaces with a flag: the flag with its number, and the pawn on it; while flags are laid, the start
    # space already has the number of the last flag
    pawns = dict(zip(position.pawns, position.players, strict=False))
    signs = {}
    for seat, row in zip(position.players, position.flags, strict=True):
        for place, cell in enumerate(row, 1):
            number = position.terms.flags if place == len(row) else place
            pawn = pawns.get(cell)
            on_it = letter(board, str(Label(card=COVERED, on_card=(("pawn", pawn),)))) if pawn else ""
            signs[str(NAMES[cell])] = f"{flag_sign(board, seat)}{number}{on_it}"
    second = f"{flag_sign(board, board.colours[0])}2"
    # the card under each flag, since its rank decides what can be turned over
    covered = (cell for row in position.flags for cell in row)
    return Extras(
        facts=tuple(_facts(position)),
        of_player={seat: words for seat in position.players if (words := _flags(position, seat))},
        texts=signs,
        below={str(NAMES[cell]): letter(board, card_label(position, cell)) for cell in covered},
        legend={second: _("second flag of the suns")}
        if any(sign.startswith(second) for sign in signs.values())
        else {},
    )


def _facts(position: Position) -> Iterator[str]:
    if position.terms.races > 1:
        yield _("Race {race} of {races}").format(race=position.race, races=position.terms.races)
    if position.phase not in SETTING_UP:
        yield _("Round {round}").format(round=position.round)
        if position.rolled is not None:
            yield _("Die: {face}").format(face=rank_named(position.rolled) if position.rolled else _("empty"))
        if position.place < len(position.pawns) and position.pawn not in position.flags[position.place]:
            card = name_of_card(face_of(position, position.pawn))
            yield _("The pawn stands on {cell}: {card}.").format(cell=NAMES[position.pawn], card=card)


def _flags(position: Position, seat: Seat) -> str:
    """Return how many flags a player has touched, and the next one; "" before the race."""
    place = position.players.index(seat)
    row = position.flags[place]
    if not row or position.phase in SETTING_UP:
        return ""
    touched = position.touched[place]
    if touched == len(row):
        return _("all flags touched")
    ahead = NAMES[row[touched]]
    return _("flags {touched} of {flags}, next {cells}").format(touched=touched, flags=len(row), cells=ahead)


# ---- typed lines


_WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _phrases() -> Mapping[str, str]:
    return {
        "roll": _("roll, throw, r"),
        "ace": _("ace"),
        "null": _("null, empty, blank, nothing, none, zero"),
        "clubs": _("clubs, club"),
        "diamonds": _("diamonds, diamond"),
        "hearts": _("hearts, heart"),
        "spades": _("spades, spade"),
        "up": _("up, u, north"),
        "down": _("down, south"),
        "left": _("left, l, west"),
        "right": _("right, east"),
        "step": _("step, go, move"),
        "flip": _("flip, turn"),
        "flag": _("flag, put"),
        "start": _("start"),
        "pass": _("pass, stay, wait"),
        "deal": _("deal, lay, shuffle"),
        "yes": _("yes, y"),
    }


_CARDS = {short_name(card).casefold(): card for card in DECK}
"""The cards by rank and the suit's English initial: "ah", "9s"."""

_LEAST_LISTED = 4
"""Least number of cards in a line that is read as a layout."""


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:  # noqa: PLR0911 - one line a phase
    if position.phase in (Phase.DEAL, Phase.START) and (layout := _layout(line)) is not None:
        return layout
    match position.phase:
        case Phase.ROLL:
            return _die(line)
        case Phase.FLIP:
            return _card(position, line, names)
        case Phase.MOVE:
            return _move(position, line, names)
        case Phase.START:
            return _space(ChooseStart, position, line, names)
        case Phase.FLAG:
            return _space(PlaceFlag, position, line, names)
        case Phase.DEAL if line.has("deal", "yes"):
            return Entered(Deal(position.coming[0]))
    return None


def _layout(line: TypedLine) -> Reading[Action] | None:
    """Return the deal of cards listed row by row from A1, as "deal ah 9s 2c"; None for another line."""
    parts = re.split(r"[\s,;]+", line.text.strip().casefold())
    named = parts[1:] if line.tokens and line.tokens[0].word == "deal" else parts
    if len(named) < _LEAST_LISTED or not all(part in _CARDS for part in named):
        return None
    if sorted(named) == sorted(_CARDS):
        return Entered(Deal(tuple(_CARDS[name] for name in named)))
    wrong = [name for name in _CARDS if named.count(name) != 1]
    sentence = _("A layout is all 36 cards, row by row from A1, each once. Missing or named twice: {cards}.")
    return Mistake(sentence.format(cards=", ".join(wrong)))


def _die(line: TypedLine) -> Reading[Action] | None:
    named = [word for word in line.words if word in ("null", "ace")]
    others = {*line.words} - {"roll", *named}
    if line.cells or line.seats or line.has(*SUITS) or (line.numbers and (others or named)):
        return Mistake(_die_words())
    if line.has("null"):
        return Entered(Roll(NULL_ROLL))
    if line.has("ace"):
        return Entered(Roll(1))
    if not line.numbers:
        return Command("roll") if line.has("roll") else None
    [rank, *more] = line.numbers
    return Mistake(_die_words()) if more or rank > LAST_TURNING_RANK else Entered(Roll(rank))


def _die_words() -> str:
    return _("One die: type ace or 1, 2, 3, 4, 5, or null for the empty face.")


def _space(kind: Callable[[Cell], Action], position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    """Return the expected action for a bare space; None for a number, which may be that of a list."""
    off = next((cell for cell in line.cells if cell not in NAMES), None)
    if off is not None:
        return Mistake(_("{cell} is not on the grid; its spaces are A1 to F6.").format(cell=off))
    if len(line.cells) == 1:
        return Entered(kind(line.cells[0]))
    return Mistake(explain(position, names)) if line.cells or not line.numbers else None


def _card(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    suit = next((word for word in line.words if word in SUITS), None)
    if suit is None:
        return _space(Flip, position, line, names) if line.cells or line.numbers or line.has("flip", "pass") else None
    rank = "A" if line.has("ace") or line.numbers == (1,) else "".join(map(str, line.numbers))
    for cell, card in enumerate(position.cards):
        if card_name(card) == f"{rank}-{suit}" and not position.down & bit(CellIndex(cell)):
            return Entered(Flip(NAMES[cell]))
    return Mistake(_("That card is not face up. Name the space of the card."))


def _move(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.has("pass"):
        return Entered(Pass())
    if line.cells:
        return _space(Step, position, line, names)
    way = next((word for word in line.words if word in _WAYS), None)
    if way is None:
        return Mistake(explain(position, names)) if line.has("step") else None
    row, column = (place + by for place, by in zip(divmod(position.pawn, SIZE), _WAYS[way], strict=True))
    if not (0 <= row < SIZE and 0 <= column < SIZE):
        return Mistake(_("The grid ends there."))
    return Entered(Step(NAMES[row * SIZE + column]))


# ---- the rules in short


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        credit=" ".join(
            (
                credit_to("Robert Kouba"),
                _("Its instructions may be distributed and copied for free as long as he is credited."),
            )
        ),
        goal=_("Be the first to touch your flags in order, over cards that turn over on the way."),
        turn=(
            _("Roll the die: it shows the empty face, the ace, or 2 to 5."),
            _("Turn a card of that rank face down, or point at one that is face down and turn it up from memory."),
            _(
                "The wrong one goes back face down, and your pawn goes back to the flag you touched last,"
                " or to its start."
            ),
            _(
                "If all of that rank lie face down, you have to point at one; if pawns stand on all four, you may turn"
                " any card up."
            ),
            _("Then step to a space beside your pawn, if you like."),
            _("You cannot step onto a card that is face down, nor onto a pawn."),
            _("Touch your flags in order; the first to touch the last one wins."),
        ),
        signs=_signs(),
        terms={
            _("suns, moons, crowns, arms"): _("the signs of the four players; arms are a coat of arms"),
            _("null"): _("the empty face of the die: no card is turned over"),
            _("flag"): _("a card that you have to step on, in the order of your flags; the last is your start space"),
            _("quarter"): _(
                "nine cards in one corner of the grid; your neighbour on the left lays your first flag in that of your"
                " start space, each next one in the next quarter clockwise, and never two on a card"
            ),
            _("coin"): _("in a campaign, as many points as flags were touched in a race"),
        },
        options=with_bounds(Terms, _options()),
    )


def _signs() -> dict[str, str]:
    board = shipped_board("royal-racers")
    return {
        f"7{SUIT_SIGNS['hearts']}": _("a card face up: its rank and its suit"),
        "[]": _("a card face down"),
        f"{flag_sign(board, board.colours[0])}1": _("a flag: the letter of its player, and its number"),
        f"+{letter(board, board.colours[0])}": _("a pawn on the card: the letter of its player"),
        " ".join(letter(board, colour) for colour in board.colours): _("suns, moons, crowns, arms"),
    }


def _options() -> tuple[Option, ...]:
    return (
        Option("flags", _("Flags"), _("{value} flags for each player to touch")),
        Option(
            "flag_variant",
            _("Flags of others"),
            values={"true": _("stepped on only when no other step is possible"), "false": _("may be stepped on")},
        ),
        Option(
            "optional_flip",
            _("Turning over"),
            values={"false": _("a card of the rank rolled has to be turned over"), "true": _("it may be left out")},
        ),
        Option("races", _("Races"), _("{value}, with coins for the flags touched")),
        Option("rounds", _("Rounds"), _("{value} in a race at most")),
    )


# ---- the review of a played game


REMARKABLE = 1.0
"""Deviation of a throw from the average, in turns, from which on it is mentioned."""


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return how many turns of lead the die gave each player, and remarks on lucky and unlucky throws."""
    throws = [turn for turn in turns if isinstance(turn.action, Roll) and turn.before.phase is Phase.ROLL]
    luck = {turn.number: luck_of_throw(turn.before, turn.action) for turn in throws}
    total: dict[str, float] = {}
    for turn in throws:
        total[turn.before.turn] = total.get(turn.before.turn, 0.0) + luck[turn.number]
    lucky, unlucky = _("a lucky throw, worth {turns} turns"), _("an unlucky throw, {turns} turns lost")
    remarks = {
        number: (lucky if turns > 0 else unlucky).format(turns=tenths(abs(turns)))
        for number, turns in luck.items()
        if abs(turns) >= REMARKABLE
    }
    # a sentence on each player's luck, the luckiest first
    kind = _("The die was kind to {player}: {turns} turns of lead more than average throws would have brought.")
    against = _("The die was against {player}: {turns} turns of lead less than average throws would have brought.")
    sentences = tuple(
        (kind if turns >= 0 else against).format(player=player_name(seat, names), turns=tenths(abs(turns)))
        for seat, turns in sorted(total.items(), key=lambda item: -item[1])
    )
    return Review(sentences, remarks)


FEATS = (
    Feat(each("turned-up"), sum, lambda n: ngettext("{number} card remembered", "{number} cards remembered", n)),
    Feat(each("wrong-card"), sum, lambda n: ngettext("{number} wrong card", "{number} wrong cards", n)),
)


SPEECH: Speech[Position, Action] = Speech(
    title=lambda: _("Royal Racers"),
    words=EventWords(
        _EVENTS,
        lambda _cells, _facts: {**_sentences(), **_of_a_table()},
        _things,
        _values,
        _event_values,
        _untold,
    ),
    refusal=refusal_sentence,
    hint=hint_sentence,
    prompt=prompt,
    action_name=action_name,
    phrases=_phrases,
    read=_read,
    offered=actions,
    explain=explain,
    columns="abcdef",
    score_parts=score_parts,
    guide=guide,
    extras=extras,
)
