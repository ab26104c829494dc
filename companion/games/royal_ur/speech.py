"""Sentences of the Royal Game of Ur: events, prompts, refusals, hints, score, screen, what is typed, the review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from companion.games.bundle import Curve, Feat, Review, ScorePart, Speech, Turn
from companion.games.guide import Guide, Option, credit_to
from companion.games.line import Command, Entered, Mistake, Reading, TypedLine
from companion.games.review import CHANCE, each, named, remarks_of, summaries
from companion.games.speech import summed
from companion.locale import _, ngettext
from companion.ui.board_text import initials
from companion.ui.names import Names, player_name
from companion.ui.page import Extras
from companion.ui.phrases import cells_list, number_in, percent
from companion.ui.words import EventSentences, EventWords
from engines.kernel import Advice, Cell, JsonObject, Refusal
from engines.royal_ur.board import HOME, OFF, START, Sign
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position, Roll
from engines.royal_ur.rules import COUNT_OF_DOTS, ENDING_DOTS, ENTERING_DOTS, actions, can_enter, count_of, legal_starts
from engines.royal_ur.scoring import OFF_VALUE, START_VALUE, winners
from engines.royal_ur.search import chance_given_away, prospect, prospects
from vision.board import Board

# ---- events


def _untold(events: Sequence[JsonObject]) -> tuple[str, ...]:
    """Return that whose turn it is goes without saying, and which counter has ended the game."""
    return ("turn", "home") if any(event.get("event") == "game-over" for event in events) else ("turn",)


_EVENTS: EventSentences = {
    "turn": lambda _event: _("Next: {player}."),
    "threw": lambda event: _threw(number_in(event, "dots")),
    "threw-off": lambda event: ngettext(
        "{player} threw {dots} dot to see who begins.",
        "{player} threw {dots} dots to see who begins.",
        number_in(event, "dots"),
    ),
    "throw-off-tied": lambda _event: _("Both threw the same: throw again."),
    "no-move": lambda _event: _("No counter of {player} can move: {player} throws again."),
    "moved": lambda _event: _("{player} moved a counter from {from} to {to}."),
    "moved-on": lambda _event: _("The four-fives carried it on from {from} to {to}."),
    "hit": lambda _event: _("The counter of {player} on {cell} was hit and goes off the board."),
    "sent-off": lambda _event: _(
        "On {cell} two or more counters stand together: the counter of {player} goes off the board."
    ),
    "entered": lambda _event: _("{player} entered a counter on {cell}."),
    "offered": lambda _event: _("The rosette on {cell} lets {player} enter a counter."),
    "declined": lambda _event: _("{player} entered no counter."),
    "forfeit": lambda _event: _("The eyes on {cell} make {player} move a counter 4 squares."),
    "forfeit-void": lambda _event: _("The eyes on {cell} look at nothing: {player} has no counter that could move."),
    "home": lambda event: ngettext(
        "A counter is home: {player} has {counters} there now.",
        "A counter is home: {player} has {counters} there now.",
        number_in(event, "counters"),
    ),
    "game-over": lambda event: ngettext(
        "All seven counters of {winner} are home. Winner: {winner}, with {points} point.",
        "All seven counters of {winner} are home. Winner: {winner}, with {points} points.",
        number_in(event, "points"),
    ),
}


def _threw(dots: int) -> str:
    sentences = {
        0: _("{player} threw no dot: move {count}."),
        ENDING_DOTS: _("{player} threw one dot: the turn is over."),
        ENTERING_DOTS: _("{player} threw three dots: move {count}, or enter a counter."),
    }
    return sentences.get(dots) or _("{player} threw {dots} dots: move {count}.")


# ---- what a table shows


def _things(number: int) -> dict[str, str]:
    return {
        "white": ngettext("the white counter", "white counters", number),
        "black": ngettext("the black counter", "black counters", number),
    }


def _refusals(_cells: Sequence[Cell], facts: JsonObject) -> dict[str, str]:
    return {
        "wrong-count": ngettext(
            "{player}'s counter went {squares} square from {start} to {end}, the throw says {count}.",
            "{player}'s counter went {squares} squares from {start} to {end}, the throw says {count}.",
            number_in(facts, "squares"),
        ),
        "backwards": _("{player}'s counter went back from {start} to {end}."),
        "stack-hit": _("Two or more counters on {end} cannot be hit: {player}'s counter goes off the board instead."),
        "entered-elsewhere": _(
            "{player}'s counter came onto the board at {end}; it cannot come there from where it was."
        ),
        "put-on": _("{player} has entered a counter, which the throw does not allow."),
        "off-the-way": _("{player}'s counter is on {end}, where {player}'s way does not lead."),
        "taken-off": _("{player}'s counter is gone from {start}, which the throw does not bring home."),
        "out-of-turn": _("A counter of {player}'s was moved ({cells}), but {turn} has to move."),
        "several-counters": _("More than one counter was moved ({cells})."),
        "throw-awaited": _("A counter was moved ({cells}) before the dice were thrown."),
        "offer-open": _("A counter was moved ({cells}) while {turn} may only enter one."),
        "unexplained": _("No move of a counter explains {cells}."),
    }


# ---- prompts


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; "" after the end."""
    if position.awaits is None:
        return ""
    sentences = {
        Await.THROW_OFF: _("{player}: throw the three dice to see who begins."),
        Await.ROLL: _("{player}: throw the three dice."),
        Await.MOVE: _("{player}: move a counter {count} on."),
        Await.ENTER: _("{player}: the rosette lets you enter a counter. Do you?"),
        Await.FORFEIT: _("{player}: the eyes make you move a counter {count} on."),
    }
    sentence = sentences[position.awaits]
    if position.awaits is Await.MOVE and position.dots == ENTERING_DOTS and can_enter(position):
        sentence = _("{player}: move a counter {count} on, or enter one.")
    acting = position.turn if position.awaits in (Await.THROW_OFF, Await.ROLL) else position.decides
    return sentence.format(player=player_name(acting, names), count=count_of(position))


def explain(position: Position, names: Names) -> str:
    """Return how to type the expected action; "" after the end."""
    match position.awaits:
        case Await.THROW_OFF | Await.ROLL:
            return _("Type how many dots the dice show, 0 to 3, or roll to let the companion throw them.")
        case Await.ENTER:
            return _("Type enter or decline.")
    legal = actions(position)
    choices = [action_name(position, action, names) for action in legal]
    if not choices:
        return ""
    if not any(isinstance(action, Move) for action in legal):
        return _("Possible: {players}.").format(players=", ".join(choices))
    return _("Name the square that the counter stands on: {choices}.").format(choices=", ".join(choices))


def action_name(position: Position, action: Action, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return the name of an action in a list."""
    match action:
        case Move(start):
            end = min(start + count_of(position), HOME)
            facts = {"start": position.cell(start), "end": position.cell(end)}
            return (_("{start} home") if end == HOME else _("{start} to {end}")).format_map(facts)
        case Enter():
            return _("enter a counter on {cell}").format(cell=position.cell(START))
        case Decline():
            return _("enter none")
        case Roll(dots):
            return _("throw {dots}").format(dots=dots)


# ---- why an action is refused


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return why the rules forbid an action, and what they allow."""
    at_the_moment: dict[tuple[str, Await | None], str] = {
        ("throw-awaited", Await.THROW_OFF): _("First both players throw to see who begins: it is up to {player}."),
        ("decision-awaited", Await.ENTER): _("First decide: does {player} enter a counter, or not?"),
        ("must-move", Await.FORFEIT): _("The eyes leave no choice: {player} has to move 4 squares, from {cells}."),
    }
    sentence = at_the_moment.get((refusal.code, position.awaits)) or _sentences()[refusal.code]
    return sentence.format(
        player=player_name(position.decides, names),
        cell=refusal.cells[0] if refusal.cells else "",
        cells=cells_list(refusal.cells),
        count=count_of(position),
    )


def _sentences() -> dict[str, str]:
    return {
        "game-over": _("The game is over: one player has all counters home."),
        "throw-awaited": _("Throw the dice first."),
        "decision-awaited": _("Use the last throw first: {player} has to move a counter by {count}."),
        "no-counter": _("{player} has no counter on {cell}."),
        "beyond-home": _("From {cell} a move of {count} goes beyond home; home is reached by the exact count."),
        "needs-three-dots": _("A counter enters with three dots only. Move a counter by {count}."),
        "none-to-enter": _("{player} has no counter left to enter."),
        "must-move": _("You can move, so you have to: from {cells}."),
        "offer-open": _("The rosette lets {player} only enter a counter on {cell}, or leave it."),
    }


# ---- hints


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return the adviser's proposal and its reason."""
    match advice.action:
        case Move(start):
            end = min(start + count_of(position), HOME)
            cells = {"start": position.cell(start), "end": position.cell(end)}
            sentence = _("Move from {start} home") if end == HOME else _("Move from {start} to {end}")
            proposal = sentence.format_map(cells)
        case Enter():
            proposal = _("Enter a counter")
        case Decline():
            proposal = _("Enter no counter")
        case Roll():
            proposal = _("Throw the dice")
    reasons = {
        "wins": _("that brings the last counter home and wins"),
        "only-choice": _("nothing else is possible"),
        "hits": _("that hits a counter"),
        "comes-home": _("that brings a counter home"),
        "reaches-rosette": _("that reaches a rosette, and another counter can enter"),
        "reaches-four-fives": _("that reaches the four-fives, which carry the counter on"),
        "enters": _("the more counters are on the way, the better"),
        "keeps-counter-off": _("a counter off the board cannot be made to move"),
        "best-expectation": _("that promises the most points"),
    }
    reason = _("{proposal}: {reason}.").format(proposal=proposal, reason=reasons[advice.code])
    chance = _("Then you win in {win} percent of all games.").format(win=percent(advice.numbers["win"]))
    return f"{reason} {chance}"


# ---- how the score comes about


def score_parts(position: Position, names: Names) -> Iterator[ScorePart]:
    """Yield each player's score by the other's counters, or what it would be; only the winner scores."""
    won = next(iter(winners(position)), None)
    values = {OFF: OFF_VALUE, START: START_VALUE}
    values |= {index: square.value for index, square in enumerate(position.board.squares, START + 1)}
    for seat in position.players:
        # the values of the other's counters, those on one square together, the furthest first
        other = position.other(seat)
        lane, place = Counter(position.lane(other)), position.place(other)
        items = [
            (_where(position, place, index, number), number * values[index])
            for index, number in sorted(lane.items(), reverse=True)
            if index != HOME
        ]
        home, remark = position.lane(seat).count(HOME), ""
        if seat == won:
            sentence = _("{player} gets the counters of {other}: {sum}.")
        elif won is not None:
            sentence = _("{player} gets nothing: only the winner scores.")
        else:
            remark = _("Nobody has scored yet. If {player} won now, the counters of {other} would bring {sum}.")
            sentence = ngettext(
                "{player} has {home} of the seven counters home.",
                "{player} has {home} of the seven counters home.",
                home,
            )
        players = {"player": player_name(seat, names), "other": player_name(other, names)}
        facts = {**players, "home": home, "sum": summed(items)}
        yield ScorePart(seat, sentence.format_map(facts), remark.format_map(facts))


def _where(position: Position, place: int, index: int, number: int) -> str:
    if index == OFF:
        sentence = ngettext("{number} off the board", "{number} off the board", number)
        return sentence.format(number=number)
    cell = position.board.cell(place, index)
    return str(cell) if number == 1 else _("{cell} with {number}").format(cell=cell, number=number)


# ---- next to the board on the screen


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what the screen shows besides the labels."""
    # each square's sign and its number on its way; S where counters enter, a letter at home
    marks, home = {}, _initial("home").upper()
    signs = {Sign.ROSETTE: "*", Sign.EYES: _initial("eyes"), Sign.FOUR_FIVES: "#"}
    for way in position.board.ways:
        for index, cell in enumerate(way):
            sign = position.board.signs[index]
            number = {START: "S", HOME: home}.get(index, str(index))
            marks[str(cell)] = (signs.get(sign, "") if sign else "") + number
    facts = [] if position.thrown is None else [_("First throw, dots: {dots}").format(dots=position.thrown)]
    if position.dots is not None:
        thrown = ngettext("Thrown: {dots} dot", "Thrown: {dots} dots", position.dots)
        facts.append(thrown.format(dots=position.dots))
    return Extras(
        facts=tuple(facts),
        of_player={
            seat: _("home {home}, waiting {waiting}").format(home=lane.count(HOME), waiting=lane.count(OFF))
            for seat, lane in zip(position.players, position.lanes, strict=True)
        },
        below=marks,
        legend={
            "*": _("rosette"),
            _initial("eyes"): _("eyes"),
            "#": _("four-fives"),
            "S": _("counters enter"),
            _initial("home").upper(): _("home"),
            "1-14": _("the way"),
        },
    )


def _initial(word: str) -> str:
    """Return the first letter of a word in the user's language."""
    return initials([word])[word].lower()


# ---- typed lines


_MOST_DOTS = 3


def _phrases() -> Mapping[str, str]:
    return {
        "roll": _("roll, throw, r"),
        "none": _("none, zero, nothing"),
        "dots": _("dots, dot"),
        "move": _("move"),
        "enter": _("enter, in"),
        "decline": _("decline, leave, pass"),
        "start": _("start, s"),
        "home": _("home"),
        "yes": _("yes, y"),
        "no": _("no, n"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:  # noqa: PLR0911 - one line a meaning
    match position.awaits:
        case Await.THROW_OFF | Await.ROLL:
            numbers = [0] if line.has("none") else line.numbers
            if not numbers:
                return Command("roll") if line.has("roll") else None
            others = {*line.words} - {"roll", "none", "dots"}
            if len(numbers) > 1 or numbers[0] > _MOST_DOTS or others or line.cells:
                return Mistake(_("Type how many of the three dice show a dot: 0, 1, 2 or 3."))
            return Entered(Roll(numbers[0]))
        case Await.ENTER:
            if line.has("enter", "yes", "start") or position.cell(START) in line.cells:
                return Entered(Enter())
            return Entered(Decline()) if line.has("decline", "no") else None
    if line.has("enter"):
        return Entered(Enter())
    if line.has("decline"):
        return Entered(Decline())
    cells = [*line.cells, *([position.cell(START)] if line.has("start") else [])]
    if not cells:
        return Mistake(explain(position, names)) if len(line.numbers) > 1 or line.has("move") else None
    return _of_square(position, cells, names)


def _of_square(position: Position, cells: list[Cell], names: Names) -> Reading[Action]:
    """Return the move of the counter on a square, or of the one that would come to it."""
    way, count = position.board.ways[position.place(position.decides)], count_of(position)
    if not any(cells[0] in lane for lane in position.board.ways):
        return Mistake(_("{cell} is not on the board; its squares are A1 to H3.").format(cell=cells[0]))
    if cells[0] not in way:
        sentence = _("The way of {player} does not lead over {cell}.")
        return Mistake(sentence.format(player=player_name(position.decides, names), cell=cells[0]))
    start = way.index(cells[0])
    lane = position.lane(position.decides)
    if start not in lane:
        return _to_square(position, cells[0], start, names)
    if start == START and len(cells) == 1 and can_enter(position) and start in legal_starts(position):
        sentence = _("Enter a counter on {cell}, or move the one that stands there? Type enter, or {cell} {end}.")
        return Mistake(sentence.format(cell=cells[0], end=way[start + count]))
    if len(cells) > 1 and cells[1] != way[min(start + count, HOME)]:
        sentence = _("From {start} the counter goes {count} on, to {end}.")
        return Mistake(sentence.format(start=cells[0], count=count, end=way[min(start + count, HOME)]))
    return Entered(Move(start))


def _to_square(position: Position, cell: Cell, index: int, names: Names) -> Reading[Action]:
    """Return the move of a counter to this square, on which the player has none."""
    if index == START and can_enter(position):
        return Entered(Enter())
    if index - count_of(position) in legal_starts(position):
        return Entered(Move(index - count_of(position)))
    sentence = _("{player} has no counter on {cell}.")
    return Mistake(
        sentence.format(player=player_name(position.decides, names), cell=cell) + " " + explain(position, names)
    )


# ---- the rules in short


def guide() -> Guide:
    """Return the rules in the current language."""
    return Guide(
        credit=credit_to(""),
        goal=_("Bring your seven counters home over a track that both of you share."),
        turn=(
            _("Throw three dice. 3 dots: enter a counter on S or move one 5. 2 dots: move 1. No dot: move 4."),
            _("1 dot: nothing, and your turn ends; after any other throw you throw again."),
            _("A move must be made if there is one; a counter goes home by the exact count."),
            _("On the middle row a single enemy counter is sent off; two or more send yours off."),
            _("Four fives: move on by the same count. Rosette: you may enter a counter."),
            _(
                "Eyes: your opponent moves a counter 4. The seventh counter home wins,"
                " and scores what the others stand on."
            ),
        ),
        signs={
            _("small letter"): _("a counter of that colour; a number behind it says how many stand there"),
            "·": _("an empty square"),
        },
        terms={
            _("dots"): _("the marks on the dice that count; each die shows one or none"),
            _("enter"): _("to bring a counter onto the board"),
            _("rosette"): _("a flower of eight petals; it lets you enter a counter"),
            _("eyes"): _("a square full of eyes; they make the other move a counter"),
            _("four-fives"): _("four fields of five dots; they carry your counter on"),
            _("hit"): _("to land on a single counter, which goes off the board"),
            _("home"): _("the end of your way"),
            _("forfeit"): _(
                "the move that the eyes make you do: any counter 4 squares on;"
                " it obeys four-fives and rosettes, no eyes"
            ),
        },
        options=(
            Option(
                "throw_off",
                _("Who begins"),
                values={"true": _("both throw for it"), "false": _("the player named first")},
                usual=False,
            ),
        ),
    )


# ---- the review of a played game


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return the chance to win before every throw, and remarks on decisions that gave much of it away."""
    decided = [turn for turn in turns if len(actions(turn.before)) > 1]
    decisions = [(turn, chance_given_away(turn.before, turn.action)) for turn in decided]

    def better(position: Position) -> str:
        held = prospects(position)
        return action_name(position, max(held, key=lambda action: held[action].win), names)

    remarks = remarks_of(decisions, CHANCE, better)
    # each player's chance to win before every throw, in percent
    curve, known = None, [(turn.number - 1, turn.before) for turn in turns if turn.before.awaits is Await.ROLL]
    if known:
        first, second = known[0][1].players
        chances = [(number, 100 * prospect(position, first, 0).win) for number, position in known]
        if won := winners(turns[-1].after):
            chances.append((turns[-1].number, 100.0 * (first in won)))
        values = {first: chances, second: [(number, 100 - chance) for number, chance in chances]}
        curve = Curve(_("chance to win in percent"), values)
    return Review(tuple(summaries(decisions, CHANCE, names)), remarks, curve)


FEATS = (
    Feat(  # the event names the owner of the counter
        lambda turns: ((turn.before.other(hit), 1) for turn, hit, _facts in named(turns, "hit")),
        sum,
        lambda n: ngettext("{number} counter hit", "{number} counters hit", n),
    ),
    Feat(each("offered"), sum, lambda n: ngettext("{number} rosette", "{number} rosettes", n)),
)


SPEECH: Speech[Position, Action] = Speech(
    title=lambda: _("The Royal Game of Ur"),
    words=EventWords(
        _EVENTS,
        _refusals,
        _things,
        event_values=lambda event, _names: {"count": COUNT_OF_DOTS.get(number_in(event, "dots"))},
        untold=_untold,
    ),
    refusal=refusal_sentence,
    hint=hint_sentence,
    prompt=prompt,
    action_name=action_name,
    phrases=_phrases,
    read=_read,
    offered=actions,
    explain=explain,
    columns="abcdefgh",
    score_parts=score_parts,
    guide=guide,
    extras=extras,
)
