"""Verdicts and states as sentences for players, and a game's own sentences (`EventWords`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from companion.core import verdicts
from companion.core.choices import TAKE_TABLE
from companion.core.hypothesis import Kind
from companion.core.inference import Finding
from companion.core.verdicts import ALTERED, Action, PendingPlacement, Waiting
from companion.core.view import View
from companion.locale import _, ngettext, translated
from companion.ui.names import NO_NAMES, Names, clauses, enumerated, label_name, player_name, player_names, won_by
from companion.ui.phrases import cells_list, cells_words, filled, number_of_cells, strings
from engines.kernel import ActionT, Cell, Event, JsonObject, Seat
from vision.labels import EMPTY, lacking, parse_label
from vision.observation import Blind, BlindReason

_ROLES = ("player", "turn", "owner", "winner")
"""The facts of a refusal or an event that are seats."""


def facts_in_words(cells: Sequence[Cell], facts: JsonObject, names: Names) -> Mapping[str, object]:
    """Return the facts of a refusal as text: seats by name, cells as the first, the last, and those after the first."""
    players = {role: player_name(str(facts[role]), names) for role in _ROLES if role in facts}
    some = {"cell": cells_list(cells[:1]), "last": cells_list(cells[-1:]), "others": cells_list(cells[1:])}
    return {**some, **facts, **players}


EventSentences: TypeAlias = Mapping[str, Callable[[JsonObject], str]]
"""The sentence of an event, from its facts, by its name; only the one that is told is looked up in the catalogue."""


@dataclass(frozen=True, slots=True)
class EventWords(Generic[ActionT]):
    """One game's own sentences, from its tables of sentences for events, refusals and pieces.

    Attributes:
        events: the sentence of each of the engine's events, with placeholders for its facts, the `number` of its
            cells, and who has `won`.
        refusals: returns the sentence of each refusal's code, with placeholders for `values` and the cells.
        things: returns the names of that many pieces, by label.
        values: returns the values of a refusal's placeholders, in addition to `cells`.
        event_values: returns facts of an event in words of the game.
        untold: returns the names of those events of an action that go without saying.
        story: returns the sentences about an action of a seat and its events; None if that is a sentence an event.
    """

    events: EventSentences
    refusals: Callable[[Sequence[Cell], JsonObject], Mapping[str, str]]
    things: Callable[[int], Mapping[str, str]]
    values: Callable[[Sequence[Cell], JsonObject, Names], Mapping[str, object]] = facts_in_words
    event_values: Callable[[JsonObject, Names], JsonObject] = lambda _event, _names: {}
    untold: Callable[[Sequence[JsonObject]], Collection[str]] = lambda _events: ("turn",)
    story: Callable[[str | None, ActionT, Sequence[JsonObject], Names], Sequence[str]] | None = None

    def event(self, event: JsonObject, names: Names) -> str:
        """Return an event as a sentence, "" if there is nothing to say."""
        sentence = self.events[str(event.get("event"))](event)
        winners = strings(event.get("winners"))
        known = {"number": number_of_cells(event), "won": won_by(winners, names) if "winners" in event else "", **event}
        return filled(sentence, {**known, **self.event_values(event, names)}, names, _ROLES).strip()

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject, names: Names = NO_NAMES) -> str:
        """Return why a table is refused, as a whole sentence."""
        sentence = self.refusals(cells, facts).get(code)
        if sentence is None:
            return unexplained(cells)
        return sentence.format(cells=cells_list(cells), **self.values(cells, facts, names))

    def played(self, seat: str | None, action: ActionT, events: Sequence[Event], names: Names = NO_NAMES) -> str:
        """Return an action and its consequences, in whole sentences."""
        told = [event.to_json() for event in events]
        if self.story is not None:
            return " ".join(filter(None, self.story(seat, action, told, names)))
        untold = self.untold(told)
        sentences = (self.event(event, names) for event in told if event.get("event") not in untold)
        return " ".join(filter(None, sentences))

    def thing(self, label: str, number: int = 1) -> str:
        """Return the name of a piece by its label, or of the pieces on a card: "the red tee", for several "red tees".

        It is the table's word if the game has none.
        """
        stack = parse_label(label)
        if stack.on_card:
            return enumerated(self.thing(part) for part in stack.parts()[stack.covering :])
        pieces = self.things(stack.height).get(str(stack.single)) if stack.height > 1 else None
        if pieces is not None:
            stacked = ngettext("the stack of {number} {pieces}", "stacks of {number} {pieces}", number)
            return stacked.format(number=stack.height, pieces=pieces)
        return self.things(number).get(label) or label_name(label)


def thing_name(words: EventWords[Action] | None, label: str) -> str:
    """Return the name of a piece; the table's word if the game has none."""
    return label_name(label) if words is None else words.thing(label)


def unexplained(cells: Sequence[Cell]) -> str:
    """Return a general refusal for a code without a sentence."""
    if not cells:
        return _("The rules do not explain how the table looks now.")
    return _("The rules do not explain what has changed on {cells}.").format(cells=cells_list(cells))


def verdict_words(view: View, words: EventWords[Action], names: Names = NO_NAMES) -> str:  # noqa: PLR0911 - one line a verdict
    """Return the last verdict, or before the first one the reason for waiting."""
    match view.verdict:
        case verdicts.Confirmed(todo=todo, then=then, earlier=earlier):
            told = (*((earlier, *earlier.then) if earlier else ()), view.verdict, *then)
            played = " ".join(words.played(part.seat, part.action, part.events, names) for part in told)
            return f"{played} {todo_words(todo, words)}" if todo else played
        case verdicts.Refused(code, facts=facts) if code == ALTERED:
            takes = view.shown is not None and view.choices[view.shown].code == TAKE_TABLE
            put_right = _("Put it right, or press DONE if that is how it should be.") if takes else _("Put it right.")
            return f"{altered_words(facts, words)} {put_right}"
        case verdicts.Refused("not-as-asked", cells=cells):
            sentence = _("That is another move than the one I asked for. Put it back ({cells}), and move as I asked.")
            return sentence.format(cells=cells_list(cells))
        case verdicts.Refused(code, rule, cells, facts):
            return with_rule(words.refused(code, cells, facts, names), rule)
        case verdicts.Unclear(code, cells, actions):
            return _unclear(code, cells, len(actions))
        case verdicts.Unchanged() if view.doubt:
            return _("As far as I can see, the table is as it should be.")
        case verdicts.Unchanged():
            return _("The table is as it should be.")
        case verdicts.TookBack(_seat, todo, None):
            taken_back = _("Taken back: the game goes on as it was.")
            return f"{taken_back} {todo_words(todo, words)}" if todo else taken_back
        case verdicts.TookBack(seat, todo):
            taken_back = _("The last action of {player} is taken back.").format(player=player_name(seat, names))
            return f"{taken_back} {todo_words(todo, words)}" if todo else taken_back
        case None:
            return waiting_words(view.waiting) if view.waiting else _("Ready.")


def altered_words(facts: JsonObject, words: EventWords[Action]) -> str:
    """Return what was moved, removed, added or replaced on cells that have certainly changed."""
    changed = facts.get("changed")
    known = [one for one in changed if isinstance(one, dict)] if isinstance(changed, list) else []
    changes = [PendingPlacement(Cell(str(c["cell"])), str(c["expected"]), str(c["observed"])) for c in known]
    sentences = {
        "moved": _("{thing} was moved from {start} to {end}."),
        "exchanged": _("{cell}: {other} is there instead of {thing}."),
        "gone": _("{thing} is gone from {cell}."),
        "come": _("{thing} has come to {cell}."),
    }
    return " ".join(difference_lines(changes, words, sentences))


def difference_lines(
    changes: Sequence[PendingPlacement], words: EventWords[Action] | None, sentences: Mapping[str, str]
) -> Iterator[str]:
    """Yield a sentence for each piece on another cell, then for each piece that is missing or too much.

    `sentences` are those for a piece that has "moved", for one "exchanged" for another, for one that is "gone" and one
    that has "come"; with one for "empty" cells, those that have to be empty are named together.
    """
    pairs = list(misplaced(changes))
    paired = {change.cell for pair in pairs for change in pair}
    for wrong, right in pairs:
        where = {"cell": wrong.cell, "end": wrong.cell, "other": right.cell, "start": right.cell}
        yield _begun(sentences["moved"].format(thing=things_named(words, _come(wrong)), **where))
    rest = [change for change in changes if change.cell not in paired]
    if "empty" in sentences and (cells := [change.cell for change in rest if change.expected == EMPTY]):
        yield sentences["empty"].format(cells=cells_list(cells))
        rest = [change for change in rest if change.expected != EMPTY]
    for change in rest:
        gone, come = _gone(change), _come(change)
        if gone and come:
            named = {"thing": things_named(words, gone), "other": things_named(words, come)}
            yield sentences["exchanged"].format(cell=change.cell, **named)
            continue
        sentence = sentences["gone" if gone else "come"]
        yield from (_begun(sentence.format(thing=thing_name(words, part), cell=change.cell)) for part in (*gone, *come))


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def misplaced(changes: Sequence[PendingPlacement]) -> Iterator[tuple[PendingPlacement, PendingPlacement]]:
    """Yield the pieces seen on cells where none belongs, each with the cell where such a piece is missing."""
    missing = [change for change in changes if not _come(change)]
    for wrong in changes:
        right = next((change for change in missing if _gone(change) == _come(wrong)), None)
        if right is not None and not _gone(wrong):
            missing.remove(right)
            yield wrong, right


def _gone(change: PendingPlacement) -> tuple[str, ...]:
    """Return what is missing from a cell: the words of labels, or of pieces on cards."""
    return lacking(change.expected, change.observed)


def _come(change: PendingPlacement) -> tuple[str, ...]:
    """Return what is on a cell but does not belong there."""
    return lacking(change.observed, change.expected)


def things_named(words: EventWords[Action] | None, labels: Sequence[str]) -> str:
    """Return the names of pieces as a list; "empty" for none."""
    return enumerated(thing_name(words, label) for label in labels or (EMPTY,))


def with_rule(sentence: str, rule: str) -> str:
    """Append the number of the rule in RULES.md, if there is one."""
    return f"{sentence} " + _("(rule {rule})").format(rule=rule) if rule else sentence


def waiting_words(waiting: Waiting) -> str:
    """Return why there is no verdict yet."""
    sentences = {
        "hand": _("I can't see {cells}. Is a hand there?"),
        "moving": something_moves(),
        "settling": _("Looking ..."),
        "on-done": _("Press DONE after the move."),
        "put-back": _("Put the pieces back, or press DONE to play it all the same."),
        "blind-no-board": _("I can't see the markers of the table. Is something on them?"),
        "blind-markers": _("Some markers are not where they belong. companion camera test names them."),
        "blind-mirrored": _("The camera shows the table mirrored. Switch its mirror image off."),
        "blind-wrong-game": _("This is the table of another game."),
        "blind-cut-off": _("Part of the table is out of the picture. Move the camera or the table."),
        "blind-dark": _("It is too dark to see. Switch on a light."),
        "blind-blurred": _("The picture is blurred. Is the camera steady, and the lens clean?"),
        "blind-no-picture": _("I wait for the first photograph: the whole board, from above."),
        "blind-no-colour": _("The picture's colours are missing or exchanged. Is the camera set to colour?"),
        "set-up": _("The table is not yet as the game stands."),
        "layout": _("The table is not yet as the game stands."),
    }
    found = print_lost_words() if "printed" in waiting.facts else _blind_details(waiting.facts)
    if found and (waiting.code == "blind-markers" or "printed" in waiting.facts):
        return f"{found[:1].upper()}{found[1:]}."
    sentence = sentences.get(waiting.code, _("I can't see the table."))
    return sentence.format(cells=cells_words(waiting.cells))


def something_moves() -> str:
    """Return the sentence shown while hands are over the table."""
    return _("Something is moving on the table.")


def todo_words(todo: Sequence[PendingPlacement], words: EventWords[Action] | None = None) -> str:
    """Return the remaining tasks on the table, one sentence for each kind of piece."""
    put: dict[str, list[Cell]] = {}
    for task in todo:
        for part in _gone(task) or (() if task.expected != EMPTY else (EMPTY,)):
            put.setdefault(part, []).append(task.cell)
    sentences = []
    for label, cells in put.items():
        sentence = ngettext("Put {piece} on {cells}.", "Put {piece} on {cells}.", len(cells))
        piece = label_name(label) if words is None else words.thing(label, len(cells))
        sentence = _("Clear {cells}.") if label == EMPTY else sentence
        sentences.append(sentence.format(piece=piece, cells=cells_words(cells)))
    for task in todo:
        off = () if task.expected == EMPTY or _gone(task) else _come(task)
        sentence = _("{cell}: take {thing} away.")
        sentences += [sentence.format(cell=task.cell, thing=thing_name(words, part)) for part in off]
    return " ".join(sentences)


def blind_words(blind: Blind) -> str:
    """Return why a picture was refused, with the known details."""
    sentences = {
        BlindReason.NO_BOARD: print_lost_words()
        if "printed" in blind.facts
        else clauses((_("no marker of a known table in sight"), print_hint(blind.facts.get("game")))),
        BlindReason.MARKERS: _("the markers do not fit one another"),
        BlindReason.MIRRORED: _("the picture is mirrored: switch the camera's mirror image off"),
        BlindReason.WRONG_GAME: _("this is another game's table"),
        BlindReason.CUT_OFF: _("too little of the board is in the picture"),
        BlindReason.DARK: _("too dark to read: is the lens covered?"),
        BlindReason.BLURRED: _("too blurred to read"),
        BlindReason.NO_COLOUR: _("red and blue are exchanged in the picture: the camera or its driver mixes them up")
        if "exchanged" in blind.facts
        else _("the picture has no colours: switch the camera to colour"),
        BlindReason.UNREADABLE_FILE: _("the file is not a picture that can be read"),
        BlindReason.NO_PICTURE: _("there is no picture yet"),
    }
    return _blind_details(blind.facts) or sentences[blind.reason]


def print_hint(game: str | float | None = None) -> str:
    """Return where boards with markers come from; names a game if one is known."""
    return _("companion print GAME makes a board with markers").replace("GAME", str(game or "GAME"))


def print_lost_words() -> str:
    """Return why a board without markers is not found."""
    return _("what is printed on the board is not seen where it was, nor beside it; clear it, or measure it again")


def _blind_details(facts: Mapping[str, str | float]) -> str:
    """Return a refusal's details as a sentence, "" if none are known."""
    match facts:
        case {"markers": markers}:
            text = _("only {markers} of the table's markers in sight: too few to locate the board")
            return text.format(markers=markers)
        case {"misfit": str(kind), "ids": str(ids)}:
            sentences = {
                "moved": _("not where the table file has it: marker {ids}; put it back, or measure the table again"),
                "copied": _("twice in the picture: marker {ids}; cover or take away the one beside the board"),
                "swapped": _("markers {ids} have changed places"),
                "twice": _("more than once in the picture: markers {ids}; are there two boards of one kind?"),
                "unfit": _("markers {ids} do not fit one another: is the picture whole, and is it this table file?"),
            }
            return sentences[kind].format(ids=ids)
        case {"instead": title} | {"title": title}:
            text = _("this is another game's table: {title}")
            if "instead" in facts:
                text = _("no marker of this table file is in sight, but markers of the {title} board that ships are")
            return text.format(title=title and translated(str(title)))  # the games' titles are in the catalogues
        case {"outside": float(outside)}:
            text = _("too little of the board is in the picture (cells outside: {percent} %)")
            return text.format(percent=round(100 * outside))
        case {"error": str(error)}:
            return translated(error)
    return ""


def standing_words(view: View) -> str:
    """Return whose turn it is or who has won, with the score."""
    names = view.arrangement.names
    if view.over:
        return won_words(view.leaders, view.score, names)
    turn = _("the dice") if view.to_act == "dice" else player_name(str(view.to_act), names)
    return _("Turn: {player} ({score})").format(player=turn, score=score_words(view.score, names))


def won_words(winners: Sequence[Seat], score: Mapping[Seat, int], names: Names = NO_NAMES) -> str:
    """Return that the game is over or who has won, with the score."""
    if not winners:  # a puzzle that was solved together
        return _("The game is over ({score})").format(score=score_words(score, names))
    won = _("Winner: {players} ({score})") if len(winners) == 1 else _("Winners: {players} ({score})")
    return won.format(players=player_names(winners, names), score=score_words(score, names))


def score_words(score: Mapping[Seat, int], names: Names = NO_NAMES) -> str:
    """Return the players with their points, in turn order: "Anna 34, Red 21"."""
    return ", ".join(f"{player_name(seat, names)} {number}" for seat, number in score.items())


def reported_word(decision: Kind) -> str:
    """Return the name of a verdict."""
    names = {
        Kind.LEGAL: _("legal"),
        Kind.ILLEGAL: _("illegal"),
        Kind.AMBIGUOUS: _("ambiguous"),
        Kind.UNCHANGED: _("unchanged"),
        Kind.PUT_BACK: _("put back"),
    }
    return names[decision]


def finding_words(finding: Finding, words: EventWords[Action], played: str) -> str:
    """Return a finding and its reason as a sentence; `played` is the sentence for a legal action."""
    best = finding.best
    match finding.decision:
        case Kind.ILLEGAL if best.code == ALTERED:
            return altered_words(best.facts, words)
        case Kind.ILLEGAL:
            return with_rule(words.refused(best.code, best.cells, best.facts), best.rule)
        case Kind.UNCHANGED | Kind.PUT_BACK:
            return _("Nothing has been moved.")
        case Kind.LEGAL:
            return played
        case Kind.AMBIGUOUS:
            return _unclear("ambiguous", finding.cells, len(finding.rivals))


def _unclear(code: str, cells: Sequence[Cell], rivals: int) -> str:
    if code != "ambiguous":
        return waiting_words(Waiting(code, tuple(cells)))
    if not cells:
        return _("Several moves leave the table like this. Choose the one that was played.")
    if rivals > 1:
        sentence = _("Several moves look like this. Straighten what stands on {cells}, or choose the move.")
        return sentence.format(cells=cells_words(cells))
    return doubt_words(cells)


def doubt_words(cells: Sequence[Cell]) -> str:
    """Return what to do about cells that the camera cannot see well."""
    sentence = _("I can't see {cells} well. Straighten what stands there, and take your hands away.")
    return sentence.format(cells=cells_words(cells))
