"""Sentences of The Royal Study: events, prompts, refusals, hints, score, screen, what is typed, the review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.bundle import Feat, Review, ScorePart, Speech, Turn
from companion.games.guide import Guide, Option, credit_to, with_bounds
from companion.games.line import Entered, Mistake, Reading, TypedLine
from companion.games.royal_study.table import TURNS, look_of
from companion.locale import _, ngettext
from companion.ui.board_text import initials
from companion.ui.names import NO_NAMES, Names, either, player_name, player_names
from companion.ui.page import ExtraDrawing, Extras
from companion.ui.phrases import cells_list, number_in, points
from companion.ui.phrases import moves as counted
from companion.ui.words import EventSentences, EventWords
from engines.grid import CellIndex
from engines.kernel import Advice, Cell, JsonObject, Refusal, Seat
from engines.royal_study.board import NAMES, SIZE, Piece, on_board
from engines.royal_study.placement import Way, write_placement
from engines.royal_study.position import (
    MOST_STEPS,
    QUARTERS,
    Action,
    Await,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Say,
    Side,
    Step,
    Turning,
    puzzle_of,
)
from engines.royal_study.rules import LEVEL_TO_MIRROR, LEVEL_TO_TURN, moves, steps
from engines.royal_study.search import best_line, least
from engines.royal_study.set_up import StudyOptions
from vision.board import Board

# ---- names of pieces and cards


_PIECES = {piece.name.lower(): piece for piece in Piece}
"""The pieces by their labels, which are the meanings of their words, too."""


def the_piece(letter: str) -> str:
    """Return a piece with its article, by its letter: "the king"."""
    names = {
        "K": _("the king"),
        "Q": _("the queen"),
        "R": _("the rook"),
        "B": _("the bishop"),
        "N": _("the knight"),
    }
    return names[letter]


def piece_named(letter: str) -> str:
    """Return a piece without its article, by its letter: "king"."""
    names = {"K": _("king"), "Q": _("queen"), "R": _("rook"), "B": _("bishop"), "N": _("knight")}
    return names[letter]


def piece_signs() -> Mapping[str, str]:
    """Return each piece's sign in the user's language, by its letter: "K" for the king."""
    drawn = initials(_PIECES)
    return {piece.value: drawn[word] for word, piece in _PIECES.items()}


def picture_drawn(rows: str) -> str:
    """Return the rows of a card's picture with each piece's sign, and points for empty squares."""
    signs = {**piece_signs(), ".": "\u00b7"}
    return "".join(signs.get(letter, letter) for letter in rows)


def way_named(way: str) -> str:
    """Return the name of a way to turn or mirror a card."""
    names = {
        Way.CLOCKWISE.value: _("a quarter to the right"),
        Way.COUNTER_CLOCKWISE.value: _("a quarter to the left"),
        Way.LEFT_RIGHT.value: _("over, left to right"),
        Way.TOP_BOTTOM.value: _("over, top to bottom"),
    }
    return names[way]


def card_number(target: int) -> str:
    """Return the name of a card by its place among the cards of the round, 0 or 1."""
    return _("the second card") if target else _("the first card")


def card_laid(card: Card) -> str:
    """Return the name of a printed card: its number, side and rotation."""
    side = _("its face up") if card.side is Side.FACE else _("its back up")
    turned = {
        0: _("not turned"),
        1: _("turned a quarter to the right"),
        2: _("turned upside down"),
        3: _("turned a quarter to the left"),
    }
    return _("card {number}, {side}, {turned}").format(number=card.number, side=side, turned=turned[card.turns])


def card_lines(position: Position) -> list[str]:
    """Return lines that draw the cards of this round: a title, and the three rows of the picture."""
    lines = []
    for target in puzzle_of(position).targets:
        title = _("The card") if target.card is None else card_laid(target.card)
        met = _("{card} (met)").format(card=title) if target.done else title
        rows = [target.picture[first : first + SIZE] for first in range(0, len(target.picture), SIZE)]
        drawn = [f"{number:>2} " + "  ".join(picture_drawn(row)) for number, row in enumerate(rows, 1)]
        lines += [met[:1].upper() + met[1:], "   " + "  ".join("ABC"), *drawn]
    return lines


# ---- events


def _story(_seat: str | None, _action: Action, events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return sentences for the events of an action; the only card of a round has no number."""
    met = [event for event in events if event.get("event") == "met"]
    is_solved = any(event.get("event") == "solved" for event in events)
    only = met[0] if is_solved and [event.get("target") for event in met] == [0] else None
    return [WORDS.event({**event, "only": True} if event is only else event, names) for event in events]


def _event_values(event: JsonObject, _names: Names) -> JsonObject:
    number = number_in(event, "target")
    is_numbered = number or (event.get("event") == "met" and not event.get("only"))
    return {
        "steps": counted(number_in(event, "number")),
        "limit": counted(number_in(event, "limit")),
        "made": counted(number_in(event, "steps")),
        "had": points(number_in(event, "points")),
        "piece": _capital(the_piece(str(event["piece"]))) if "piece" in event else "",
        "way": way_named(str(event["way"])) if "way" in event else "",
        "card": _capital(card_number(number) if is_numbered else _("the card")),
    } | ({} if event.get("winners") else {"won": ""})


_EVENTS: EventSentences = {
    "pieces-placed": lambda _event: _("Card {number} shows where the pieces begin."),
    "round": lambda _event: _("Round {round}: {player} draws."),
    "card-drawn": lambda _event: _("Card {number} is drawn."),
    "called": lambda event: ngettext(
        "{player} called {steps}. The other has {seconds} second to challenge.",
        "{player} called {steps}. The other has {seconds} seconds to challenge.",
        number_in(event, "seconds"),
    ),
    "challenged": lambda _event: _("{player} challenged: it can be done in fewer moves!"),
    "declined": lambda _event: _("{player} did not challenge."),
    "hourglass-out": lambda _event: _("The hourglass ran out; {player} did not challenge."),
    # the piece comes first, so that it needs no declension
    "moved": lambda _event: _("{piece} went from {from} to {to}."),
    "turned": lambda _event: _("{card} is turned {way}."),
    "mirrored": lambda _event: _("{card} is turned {way}."),
    "met": lambda _event: _("{card} is met."),
    "execution": lambda event: (
        ""  # no number of steps is less than the call
        if number_in(event, "limit") < 0
        else _("{player} makes the moves, {limit} at most.")
        if event.get("seconds") is None
        else _("{player} makes the moves, {limit} at most, within {seconds} seconds.")
    ),
    "solved": lambda event: _("Solved! {player} needed {made}.") if "player" in event else _("Solved!"),
    "failed": lambda event: _failure(str(event.get("why"))),
    "point": lambda _event: _("The point goes to {player}, {had} now."),
    "again": lambda _event: _("The pieces go back to where they stood, for another try."),
    "game-over": lambda _event: _("The match is over.") + " {won}",
}


def _failure(why: str) -> str:
    sentences = {
        "gave-up": _("{player} gave up after {made}."),
        "time-up": _("The time was up: {player} did not make it."),
        "no-steps-left": _("No move was left: {player} did not make it."),
    }
    return sentences.get(why, "")


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


# ---- what a table shows


def _values(cells: Sequence[Cell], facts: JsonObject, _names: Names) -> dict[str, object]:
    named, piece = facts.get("named"), _PIECES.get(str(facts.get("piece")))
    return {
        "card": facts.get("card", ""),
        "piece": piece_named(piece.value) if piece else "",
        "named": cells_list(map(str, named)) if isinstance(named, list | tuple) else "",
        "start": cells_list(cells[:1]),
        "end": cells_list(cells[1:2]),
    }


def _things(_number: int) -> dict[str, str]:
    return {label: the_piece(piece.value) for label, piece in _PIECES.items()}


def _refusals(cells: Sequence[Cell], _facts: JsonObject) -> dict[str, str]:
    return {
        "not-its-move": _("The {piece} does not move like that: {start} to {end}."),
        "in-the-way": _("The {piece} cannot get from {start} to {end}: something stands on {named}."),
        "bishop-off-dark": _("The bishop was moved from {start} to {end}, off the dark squares."),
        "knight-in-the-middle": _("The knight was moved from {start} to {end}, where it may never stand."),
        "not-now": _("The {piece} was moved from {start} to {end}, but no piece may be moved now."),
        "game-over": _("The {piece} was moved from {start} to {end}, but the match is over."),
        "piece-gone": ngettext(
            "The piece on {cells} is gone; all five stay on the board.",
            "Pieces are gone ({cells}); all five stay on the board.",
            len(cells),
        ),
        "piece-added": _("There are more pieces on the board than five ({cells})."),
        "several-pieces": _("More than one piece stands elsewhere, and no few moves explain it ({cells})."),
        "unexplained": _("No move of a piece explains {cells}."),
        "card-turned": _("Card {card} was turned at the wrong time. Lay it as it is shown here."),
        "level-too-low": _("Card {card} was turned, which this level does not allow. Lay it as it is shown here."),
        "already-met": _("Card {card} was turned, but it is met already. Lay it as it is shown here."),
        "incomplete-card": _("Card {card} does not show all five pieces. Draw another one to begin with."),
    }


WORDS: EventWords[Action] = EventWords(_EVENTS, _refusals, _things, _values, event_values=_event_values, story=_story)


# ---- prompts


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; "" after the end."""
    if not isinstance(position, Match):
        return _("Move the pieces until the card is met.")
    sentences = {
        Await.START: _("Draw the card that shows where the pieces begin."),
        Await.CARD: _("{player}: draw a card."),
        Await.CALL: _("Who knows first? Call in how many moves it can be done."),
        Await.CHALLENGE: _("{player}: {caller} called {called}. Can you do it in fewer? Challenge or not?"),
        Await.EXECUTE: _("{player}: make your moves ({used} of {limit} made), or give up."),
        Await.NEXT: _("{player}: next card, once more, or stop?"),
        Await.NOTHING: "",
    }
    return sentences[position.awaits].format(
        player=player_name(position.turn, names),
        caller=player_name(position.caller, names),
        called=counted(position.called or 0),
        used=position.used,
        limit=position.limit,
    )


def explain(position: Position, names: Names) -> str:
    """Return how to type the expected action."""
    if not isinstance(position, Match):
        return _moving(position)
    somebody = player_name(position.players[-1], names)
    sentences = {
        Await.START: _("Type the card's number and its position: 17, 17 back, 17 right."),
        Await.CARD: _("Type the card's number and its position: 17, 17 back, 17 right."),
        Await.CALL: _("Type the number and who calls it: 7 {player}.").format(player=somebody),
        Await.CHALLENGE: _("Type challenge or decline."),
        Await.EXECUTE: _moving(position),
        Await.NEXT: _("Type next, again or stop."),
        Await.NOTHING: "",
    }
    return sentences[position.awaits]


def _moving(position: Position) -> str:
    level = puzzle_of(position).level
    sentences = [_("Type a piece and where it goes (king B2), or two squares (A1 B2).")]
    if level >= LEVEL_TO_TURN:
        sentences.append(_("A card: turn right, turn left."))
    if level >= LEVEL_TO_MIRROR:
        sentences.append(_("Or turn it over: mirror left-right, mirror top-bottom."))
    return " ".join(sentences)


def offered(position: Position) -> Sequence[Action]:
    """Return the actions that can be chosen by number in a list: steps and answers, not calls."""
    if not isinstance(position, Match) or position.awaits is Await.EXECUTE:
        return steps(puzzle_of(position))
    if position.awaits not in (Await.CHALLENGE, Await.NEXT):
        return []
    return [choice.action for choice in TURNS.choices(position) if choice.action is not None]


def action_name(position: Position, action: Action, names: Names) -> str:
    """Return the name of an action in a list."""
    match action:
        case Move(piece, start, end):
            return _("{piece} {start} to {end}").format(piece=the_piece(piece.value), start=start, end=end)
        case Turning(way, target):
            card = card_number(target) if len(puzzle_of(position).targets) > 1 else _("the card")
            return _("turn {card} {way}").format(card=card, way=way_named(way.value))
        case Draw(drawn):
            return card_laid(drawn)
        case Call(number, by):
            return _("{player} calls {steps}").format(player=player_name(by, names), steps=counted(number))
        case Say():
            return {
                Say.CHALLENGE: _("challenge the call"),
                Say.DECLINE: _("do not challenge"),
                Say.TIME_UP: _("the time is up"),
                Say.GIVE_UP: _("give up"),
                Say.NEXT: _("next card"),
                Say.AGAIN: _("once more"),
                Say.STOP: _("stop"),
            }[action]


# ---- why an action is refused


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:
    """Return why the rules forbid an action, and what they allow."""
    if refusal.code == "not-now":
        return _("That is not possible now. {prompt}").format(prompt=prompt(position, names))
    cells = refusal.cells
    return _sentences()[refusal.code].format(
        piece=the_piece(action.piece.value) if isinstance(action, Move) else "",
        start=action.start if isinstance(action, Move) else "",
        end=action.end if isinstance(action, Move) else "",
        cell=cells[0] if cells else "",
        cells=cells_list(cells),
        level=puzzle_of(position).level,
        players=player_names(position.players, names) if isinstance(position, Match) else "",
    )


def _sentences() -> dict[str, str]:
    return {
        "off-board": _("{cell} is not on the board; its squares are A1 to C3."),
        "not-there": _("On {cell} there is something else; look where {piece} stands."),
        "occupied": _("A piece stands on {cell}; nothing is captured here."),
        "not-its-move": _("There is no way for {piece} from {start} to {end}."),
        "in-the-way": _("From {start} to {end} the way is blocked on {cells}; only the knight jumps."),
        "bishop-off-dark": _("The bishop stays on the dark squares, and {cell} is a light one."),
        "knight-in-the-middle": _("The knight never stands on {cell}, the square in the middle."),
        "no-such-card": _("There is no card with that number; they go from 0 to 59."),
        "incomplete-card": _("The first card must show all five pieces. Draw another one."),
        "already-drawn": _("That card has been drawn already; read its number again."),
        "level-too-low": _(
            "On level {level} this is not allowed: cards are turned from level 2 on, turned over on level 3."
        ),
        "no-such-target": _("There is only one card in this round."),
        "already-met": _("That card is met already and stays as it is."),
        "no-cards-left": _("No cards are left. Try once more, or stop."),
        "not-a-player": _("These play: {players}. Say who calls."),
        "no-time-limit": _("No time was agreed for making the moves."),
        "game-over": _("The match is over."),
    }


# ---- hints


_COMPETING = (Await.CALL, Await.CHALLENGE)


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return the adviser's proposal and its reason; no hint while players still compete for the number."""
    if isinstance(position, Match) and position.awaits in _COMPETING and not position.terms.together:
        return _("You are still competing for the fewest moves: hints come once it is clear who makes the moves.")
    return {
        "best-line": _("The next move: {step}. From here it takes {least}."),
        "out-of-reach": _("Give up: from here it takes {least}, and you have {left}."),
        "fewer-are-enough": _("Try again: {least} are enough, and it took {made}."),
        "none-fewer": _("Go on: nobody can do it in fewer than {least}."),
        "least-total": _("It takes {least}."),
        "named-too-few": _("Do not challenge: it takes {least}, and {called} were called."),
    }[advice.code].format(
        step=action_name(position, advice.action, NO_NAMES) if isinstance(advice.action, Move | Turning) else "",
        least=counted(int(advice.numbers["least"])),
        left=counted(int(advice.numbers.get("left", 0))),
        made=counted(int(advice.numbers.get("steps", 0))),
        called=int(advice.numbers.get("called", 0)),
    )


# ---- how the score comes about


def score_parts(position: Position, names: Names) -> Iterator[ScorePart]:
    """Yield each player's rounds won, in turn order; empty for a puzzle."""
    if not isinstance(position, Match):
        return
    together = ""
    if position.awaits is Await.NEXT and position.begun is not None:
        fewest = counted(least(position.begun))
        sentence = _("It took {made}; the fewest possible are {least}.")
        together = sentence.format(made=counted(position.used), least=fewest)
    for seat, has in zip(position.players, position.points, strict=True):
        sentence = ngettext(
            "{player} won {number} round: {points}. {needed} win the match.",
            "{player} won {number} rounds: {points}. {needed} win the match.",
            has,
        )
        if len(position.players) == 1:
            sentence = _("{player} solves alone; no points are counted.")
        elif position.terms.together:
            sentence = _("{player} solves together with the others; no points are counted.")
        won = {"number": has, "points": points(has), "needed": position.terms.points}
        text = sentence.format(player=player_name(seat, names), **won)
        yield ScorePart(seat, text, together)


# ---- next to the board on the screen


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what the screen shows besides the labels."""
    targets = puzzle_of(position).targets
    # the picture of each card, with points for empty squares
    drawings, frame = [], "─" * 7
    for number, target in enumerate(targets, 1):
        card = _("Card") if len(targets) == 1 else _("Card {number}").format(number=number)
        rows = picture_drawn(write_placement(target.picture)).split("/")
        drawn = (f"┌{frame}┐", *(f"│ {' '.join(row)} │" for row in rows), f"└{frame}┘")
        pieces = {str(cell): label for cell, label in look_of(target.picture).items()}
        drawings.append(ExtraDrawing(_("{card}: met").format(card=card) if target.done else card, drawn, pieces))
    return Extras(
        legend={sign: piece_named(piece) for piece, sign in piece_signs().items()},
        facts=tuple(_facts(position, names)),
        drawings=tuple(drawings),
    )


def _facts(position: Position, names: Names) -> Iterator[str]:
    for target in puzzle_of(position).targets:
        if target.card is not None:
            yield _("Objective: {card}").format(card=card_laid(target.card))
    if not isinstance(position, Match):
        return
    stands = {"round": position.round, "level": position.puzzle.level, "points": position.terms.points}
    together = _("Round {round}, level {level}")
    yield (together if position.terms.together else _("Round {round}, level {level}; {points} points win")).format_map(
        stands
    )
    if position.caller is not None and position.called is not None:
        called = counted(position.called)
        yield _("{player} called {steps}.").format(player=player_name(position.caller, names), steps=called)
    if position.awaits is Await.EXECUTE:
        yield _("Moves made: {used} of {limit}").format(used=position.used, limit=position.limit)


# ---- typed lines


_TURNS = {"right": 1, "upside": 2, "left": 3}


def _phrases() -> Mapping[str, str]:
    return {
        "king": _("king, k"),
        "queen": _("queen, q"),
        "rook": _("rook, r"),
        "bishop": _("bishop, b"),
        "knight": _("knight, n"),
        "draw": _("draw"),
        "face": _("face, front, f"),
        "back": _("back"),
        "left": _("left, l"),
        "right": _("right"),
        "upside": _("upside, half, bottom, top"),
        "call": _("call, calls, moves, steps, step"),
        "challenge": _("challenge, fewer"),
        "decline": _("decline, pass"),
        "time": _("time"),
        "up": _("up, over"),
        "give": _("give"),
        "turn": _("turn, rotate, t"),
        "mirror": _("mirror, flip, m"),
        "first": _("first"),
        "second": _("second"),
        "next": _("next, on"),
        "again": _("again, once, more"),
        "stop": _("stop, enough"),
        "yes": _("yes, y"),
        "no": _("no"),
        "card": _("card"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:  # noqa: PLR0911 - one line a moment
    if not isinstance(position, Match):
        return _step(position, line, names)
    match position.awaits:
        case Await.START | Await.CARD:
            return _draw(line)
        case Await.CALL:
            return _call(position, line, names)
        case Await.CHALLENGE:
            answers = {"challenge": Say.CHALLENGE, "yes": Say.CHALLENGE, "decline": Say.DECLINE, "no": Say.DECLINE}
            return _read_saying(line, {**answers, "time": Say.TIME_UP})
        case Await.EXECUTE if line.has("give"):
            return Entered(Say.GIVE_UP)
        case Await.EXECUTE:
            return Entered(Say.TIME_UP) if line.has("time") else _step(position, line, names)
        case Await.NEXT:
            return _read_saying(line, {"next": Say.NEXT, "again": Say.AGAIN, "stop": Say.STOP, "no": Say.STOP})
    return None


def _read_saying(line: TypedLine, meanings: Mapping[str, Say]) -> Reading[Action] | None:
    said: Iterator[Action] = (meanings[word] for word in line.words if word in meanings)
    return next(map(Entered, said), None)


# ---- cards and numbers


def _draw(line: TypedLine) -> Reading[Action] | None:
    """Return the draw of a card; "17 b2" is its back, turned by two quarters."""
    if not line.numbers:
        return Mistake(_("Type the number on the card.")) if line.has("draw", "face") else None
    [number, *turns] = [*line.numbers, *(int(cell[1:]) for cell in line.cells)]
    side = Side.BACK if line.has("back") or any(cell[0] == "B" for cell in line.cells) else Side.FACE
    quarters = turns[0] if turns else next((_TURNS[word] for word in line.words if word in _TURNS), 0)
    if len(turns) > 1 or quarters not in range(QUARTERS):
        return Mistake(_("After the number, type back if the back is up, and right, left or upside if it is turned."))
    return Entered(Draw(Card(number, side, quarters)))


def _call(match: Match, line: TypedLine, names: Names) -> Reading[Action] | None:
    """Return a call; the player must be named, since either may be first."""
    if len(line.numbers) != 1:
        return Mistake(explain(match, names)) if line.numbers or line.seats or line.has("call") else None
    [number] = line.numbers
    if number > MOST_STEPS:
        return Mistake(_("Nobody needs that many moves: call a number up to {most}.").format(most=MOST_STEPS))
    if len(line.seats) != 1:
        return Mistake(
            _("Who calls {number}? Type {examples}.").format(
                number=number, examples=either(f"{number} {player_name(seat, names)}" for seat in match.players)
            )
        )
    return Entered(Call(number, line.seats[0]))


# ---- steps


def _step(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.has("turn", "mirror"):
        return _turning(line)
    if not line.cells:
        return Mistake(explain(position, names)) if line.has(*_PIECES) else None
    off = next((cell for cell in line.cells if not on_board(cell)), None)
    if off is not None:
        return Mistake(_("{cell} is not on the board; its squares are A1 to C3.").format(cell=off))
    piece = next((_PIECES[word] for word in line.words if word in _PIECES), None)
    if len(line.cells) == 1:
        return _to(position, piece, line.cells[0])
    pieces = puzzle_of(position).pieces
    stands = pieces[NAMES.index(line.cells[0])]
    if stands == ".":
        return Mistake(_("No piece stands on {cell}.").format(cell=line.cells[0]))
    return Entered(Move(piece or Piece(stands), line.cells[0], line.cells[1]))


def _to(position: Position, piece: Piece | None, end: Cell) -> Reading[Action]:
    """Return the move to a square of the piece that is named, or of the only one that can go there."""
    pieces = puzzle_of(position).pieces
    if piece is not None:
        return Entered(Move(piece, NAMES[CellIndex(pieces.index(piece.value))], end))
    can = [move for move in moves(pieces) if move.end == end]
    if len(can) == 1:
        return Entered(can[0])
    if not can:
        return Mistake(_("No piece can go to {cell} now.").format(cell=end))
    named = either(the_piece(move.piece.value) for move in can)
    return Mistake(_("Which piece goes to {cell}? It can be {pieces}.").format(cell=end, pieces=named))


def _turning(line: TypedLine) -> Reading[Action]:
    target = 1 if line.has("second") or line.numbers == (2,) else 0
    if line.has("turn"):
        way = next((word for word in line.words if word in ("left", "right")), None)
        if way is None:
            return Mistake(_("Which way? Type turn right or turn left."))
        return Entered(Turning(Way.CLOCKWISE if way == "right" else Way.COUNTER_CLOCKWISE, target))
    if line.has("left", "right"):
        return Entered(Turning(Way.LEFT_RIGHT, target))
    if line.has("upside"):
        return Entered(Turning(Way.TOP_BOTTOM, target))
    return Mistake(_("Which way? Type mirror left-right or mirror top-bottom."))


# ---- the rules in short


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        credit=credit_to("Stan van Rooijen"),
        goal=_("Bring five chess pieces to where a card shows them, in fewer moves than your rival dares to call."),
        turn=(
            _("Draw a card and put it below the board; everybody looks for the fewest moves that make its picture."),
            _("The first to name a number turns the hourglass."),
            _("Until it runs out, the other player may claim to need fewer moves."),
            _("The caller, or the challenger, moves the pieces: success is a point, failure is the other's."),
            _("King: one square. Queen: any way, rook straight, bishop diagonally, as far as the way is free."),
            _("Knight: two squares straight and one aside; it jumps, and never stops in the middle."),
            _("Level 2: a quarter turn of the card costs a move. Level 3: so does a mirroring. Six points win."),
        ),
        signs={
            **{sign: piece_named(piece) for piece, sign in piece_signs().items()},
            "·": _("an empty square"),
        },
        terms={
            _("call"): _("naming in how many moves it can be done"),
            _("challenge"): _("saying that it can be done in fewer"),
            _("execution"): _("making the moves, no more than were called"),
            _("a move"): _("moving a piece, or turning the card where the level allows it"),
            _("met"): _("every piece that the card shows stands where the card shows it"),
        },
        options=with_bounds(StudyOptions, _options()),
    )


def _options() -> tuple[Option, ...]:
    return (
        Option(
            "level",
            _("Level"),
            values={
                "1": _("only moving a piece is a move"),
                "2": _("turning the card a quarter costs one move"),
                "3": _("turning the card, or turning it over, costs one move"),
            },
        ),
        Option(
            "difficulty",
            _("Difficulty"),
            values={
                "easy": _("the third of the cards that need the fewest moves"),
                "medium": _("the third of the cards in between"),
                "hard": _("the third of the cards that need the most moves"),
            },
        ),
        Option("bonus", _("Bonus"), values={"true": _("two cards, both must be met"), "false": _("one card a round")}),
        Option("points", _("Points"), _("{value} to win the match")),
        Option("hourglass", _("Hourglass"), _("{value} seconds to challenge a call")),
        Option("execution", _("Time for the moves"), _("{value} seconds to make the moves")),
        Option("together", _("Together"), values={"true": _("all solve together, without calls and points")}),
        Option(
            "deck",
            _("Cards"),
            values={"dealt": _("the companion draws them"), "table": _("they are drawn at the table")},
        ),
    )


# ---- the review of a played game


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return for every execution how many steps were made and how many it takes, and remarks with a best line."""
    sentences, remarks = [], {}
    for turn, made, best in _executions(turns):
        if made != len(best):
            line = ", ".join(action_name(turn.before, step, NO_NAMES) for step in best)
            remarks[turn.number] = _("a line of fewest moves: {line}").format(line=line)
        if not made:
            sentence = _("Round {round}: {player} gave up at once; it takes {least}.")
        elif not _is_solved(turn):
            sentence = _("Round {round}: {player} did not make it with {made}; it takes {least}.")
        elif made > len(best):
            sentence = _("Round {round}: {player} made it in {made}; it takes {least}.")
        else:
            sentence = _("Round {round}: {player} made it in {made}; nobody can do it in fewer.")
        player = player_name(str(turn.before.turn), names)
        counts = {"made": counted(made), "least": counted(len(best))}
        sentences.append(sentence.format(round=turn.before.round, player=player, **counts))
    return Review(tuple(sentences), remarks)


def _executions(turns: Sequence[Turn]) -> Iterator[tuple[Turn, int, Sequence[Step]]]:
    """Yield the last turn of every execution, the number of its steps, and a line of fewest steps."""
    made = 0
    for turn in turns:
        before, names = turn.before, {event.name for event in turn.events}
        if not isinstance(before, Match):
            return
        made = (0 if before.used == 0 else made) + isinstance(turn.action, Move | Turning)
        if names & {"solved", "failed"} and before.begun is not None:
            yield turn, made, best_line(before.begun)


def _is_solved(turn: Turn) -> bool:
    return any(event.name == "solved" for event in turn.events)


def _solutions(turns: Sequence[Turn]) -> Iterator[tuple[Seat, int]]:
    """Yield the player and the number of steps of every execution in the fewest steps."""
    for turn, made, best in _executions(turns):
        if made == len(best) and _is_solved(turn):
            yield Seat(str(turn.before.turn)), made


FEATS = (
    Feat(
        lambda turns: ((seat, 1) for seat, _steps in _solutions(turns)),
        sum,
        lambda n: ngettext("{number} card solved in the fewest moves", "{number} cards solved in the fewest moves", n),
    ),
    Feat(_solutions, max, lambda number: _("best solution: {steps}, none too many").format(steps=counted(number))),
)


SPEECH: Speech[Position, Action] = Speech(
    title=lambda: _("The Royal Study"),
    words=WORDS,
    refusal=refusal_sentence,
    hint=hint_sentence,
    prompt=prompt,
    action_name=action_name,
    phrases=_phrases,
    read=_read,
    offered=offered,
    seats=lambda position: position.players if isinstance(position, Match) else (),
    explain=explain,
    columns="abc",
    score_parts=score_parts,
    guide=guide,
    extras=extras,
    card=card_lines,
)
