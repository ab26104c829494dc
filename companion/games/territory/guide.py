"""The rules of Territory for the players, and the texts of its cards."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.guide import Guide, Option, credit_to, with_usual
from companion.games.territory.table import WHITE
from companion.locale import _, ngettext
from companion.ui.board_text import letter
from companion.ui.names import either
from engines.schema import bounds
from engines.territory.cards import SHIPPED, Captures, Card
from engines.territory.position import Position
from engines.territory.set_up import MapOptions
from vision.board import shipped_board

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


# ---- the rules


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        title=_("Territory"),
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
        terms=_terms(),
        options=with_usual(MapOptions, _options()),
    )


def _terms() -> dict[str, str]:
    return {
        _("free roll"): _("a roll that cannot bust"),
        _("bust"): _("a repeated number that ends your turn and takes your white pieces off"),
        _("white piece"): _("marks a space for this turn; it becomes yours when you stop"),
        _("capture"): _("taking a space from another player"),
        _("group"): _("your spaces that touch along edges; corners do not count"),
    }


def _options() -> tuple[Option, ...]:
    return (
        Option(
            "map",
            _("Map"),
            "",
            {
                "eight-by-eight": _("the printed map of 8 by 8 spaces"),
                "nine-by-eight": _("a map of 9 by 8 spaces whose halves mirror each other"),
            },
            usual="eight-by-eight",
        ),
        Option("rounds", _("Rounds"), _("{value}, then the game is over"), span=bounds(MapOptions, "rounds")),
        Option(
            "roll_off",
            _("Who begins"),
            "",
            {"true": _("everybody rolls one die for it"), "false": _("the player named first")},
        ),
    )
