"""The content of a page, as JSON values: a game as the screen shows it, or the lobby's offers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, TypeAlias

from companion.app.line_display import explained
from companion.app.lines import LANGUAGES
from companion.app.lobby import lobby_lines, lobby_meanings
from companion.app.offers import offer_words
from companion.core.lobby import Lobby, Offer, lobby_buttons
from companion.core.verdicts import Confirmed, Refused, Unclear
from companion.core.view import View
from companion.games import GAMES
from companion.games.asking import question_words
from companion.games.commands import command_words
from companion.games.engines import ENGINES
from companion.games.speech import SPEECHES, option_words, score_lines, title_of
from companion.locale import _, language, translated
from companion.printing.board_face import cell_box
from companion.printing.board_svg import OnCell, TableSvg, board_svg, shown_cells
from companion.printing.themes import hex_colour
from companion.shell.effects import ShownView
from companion.shell.session import SessionTable, page_of_table
from companion.ui.board_text import BoardLook
from companion.ui.names import computer_note, player_name
from companion.ui.page import ExtraDrawing, Page, button_name, clock_words
from companion.ui.words import thing_name
from engines.kernel import Level
from hardware.panel import Button
from vision.board import Board

Scene: TypeAlias = dict[str, Any]
"""A page's content by key; unchanged keys are not sent again."""


def game_scene(shown: ShownView, table: SessionTable) -> Scene:
    """Return a game's scene, in the current language."""
    view, board = shown.view, table.game.adaptor.board()
    page, drawing = page_of_table(shown, table), board_drawing(view.game, language())
    # the last mark of a cell wins, so the most important comes last
    kinds = (("doubt", page.marks.doubt), ("place", page.marks.to_place), ("wrong", page.marks.wrong))
    dice = ENGINES[view.game].turns.dice
    return {
        "kind": "game",
        "moment": moment_of(view),
        "game": view.game,
        "title": page.title or board.title,
        "banner": page.banner,
        "seat": page.seat or "",
        "turn": page.turn,
        "attention": view.attention.value if view.attention else "",
        "activity": page.activity,
        "message": page.message,
        "verdict": "" if view.verdict is None else type(view.verdict).__name__.lower(),
        "notes": [note for note in page.notes if note],
        "facts": [*page.extras.facts],
        "drawings": [_drawing(view.game, one) for one in page.extras.drawings],
        "clock": page.remaining_s,
        "clock_words": clock_words(page.remaining_s),
        "slider": page.slider,
        "thrown": dice.number(view.verdict.action) if isinstance(view.verdict, Confirmed) else None,
        "players": _players(view, board, page),
        "counting": score_lines(view.game, view.position, view.arrangement.names),
        "board": drawing.ground,
        "cells": drawing.cells(page.labels, page.extras),
        "art": drawing.art,
        "marks": {str(cell): kind for kind, cells in kinds for cell in cells},
        "buttons": [
            {"button": button.value, "code": code, "name": name, "does": does}
            for (button, code), (name, does) in zip(view.buttons.items(), page.buttons, strict=True)
        ],
        "choices": [*page.choices],
        "counts": [choice.counts is not None for choice in view.choices] if page.choices else [],
        "numbers": view.prompt.numbers,
        "shown": page.shown,
        "possible": [*page.possible],
        "explain": explained(view),
        "undo": view.undoable and not view.paused,
        "redo": view.redoable and not view.paused,
        "over": view.over,
        "paused": view.paused,
        "sees": view.sees,
        "played": view.played,
        "agreed": option_words(view.game, options) if (options := view.arrangement.options) else [],
    }


# drawn on its own board instead of in a terminal's letters
def _drawing(game: str, one: ExtraDrawing) -> Scene:
    svg = board_svg(GAMES[game].board(), one.cells, title=one.title, prefix="card-") if one.cells else ""
    return {"title": one.title, "rows": [*one.rows], "svg": svg}


def moment_of(view: View) -> str:
    """Return two hashes, with a dot between: of everything that gives an answer its meaning, and of what DONE plays."""
    verdict = view.verdict if isinstance(view.verdict, Refused | Unclear) else None
    choices = [(choice.code, choice.by, choice.cell, choice.label) for choice in view.choices]
    table = (view.game, view.played, view.to_act, view.over, view.paused, choices, verdict, view.buttons)
    done = (view.shown, view.number, view.dice_read, view.dice_counted)
    return ".".join(blake2b(repr(parts).encode(), digest_size=6).hexdigest() for parts in (table, done))


def _players(view: View, board: Board, page: Page) -> list[Scene]:
    return [
        {
            "seat": seat,
            "name": page.names.get(seat, seat),
            "points": points,
            "lamp": page.lamps.get(seat, ""),
            "acting": seat in page.acting,
            "note": page.extras.of_player.get(view.players[place], ""),
            "rgb": _rgb(board, seat),
        }
        for place, (seat, points) in enumerate(page.scores.items())
    ]


# ---- the board


class BoardDrawing:
    """A game's table as SVG, in one language: the ground, and by cell the id of the piece on it.

    `ground` is the drawing without pieces, and each cell's left, top, width and height in it.
    """

    def __init__(self, game: str) -> None:
        board, self._words = GAMES[game].board(), SPEECHES[game].words
        self._drawing = TableSvg(board, prefix="board-")
        boxes = {cell: [round(mm, 2) for mm in cell_box(board, cell)] for cell in board.places}
        self.ground = {"svg": self._drawing.svg({}), "cells": boxes}
        self._on_ground = frozenset(self._drawing.defined)
        self._things: dict[OnCell, Scene] = {}

    def cells(self, labels: Mapping[str, str], look: BoardLook) -> dict[str, Scene]:
        """Return the drawing and the name of the piece on each cell that has one."""
        shown = shown_cells(labels, look)
        for one in shown.values():
            if one not in self._things:  # a piece is drawn and named once
                self._things[one] = {"art": self._drawing.piece(one), "say": thing_name(self._words, one.label)}
        return {cell: self._things[one] for cell, one in shown.items()}

    @property
    def art(self) -> dict[str, str]:
        """The SVG elements of the pieces drawn so far, by id."""
        return {name: markup for name, markup in self._drawing.defined.items() if name not in self._on_ground}


@lru_cache(maxsize=12)
def board_drawing(game: str, _language: str) -> BoardDrawing:
    """Return the drawing of a game's table in the current language."""
    return BoardDrawing(game)


def _rgb(board: Board, colour: str) -> str:
    """Return a player's colour, "" if the board has none for it."""
    return next((hex_colour(place.rgb) for place in board.seats_and_saved if place.colour == colour), "")


# ---- the lobby


def lobby_scene(lobby: Lobby, *, sees: bool) -> Scene:
    """Return the lobby's scene, in the current language."""
    offer, meanings = lobby.offer, lobby_meanings(lobby)
    game = offer.game if offer else ""
    options = SPEECHES[game].guide().options if offer and offer.number is None else ()
    agreed = offer.options if offer else {}
    return {
        "kind": "lobby",
        "moment": "",
        "sees": sees,
        "title": title_of(game) if game else _("What would you like to do?"),
        "game": game,
        "games": [{"game": name, "title": title_of(name)} for name in GAMES],
        "lines": [*map(translated, lobby.failed.values()), *(lobby_lines(lobby, typed=False)[:1] if sees else [])],
        "offers": [{"words": offer_words(one), "number": one.number} for one in lobby.offers],
        "shown": lobby.shown,
        "playable": offer is not None and lobby.playable(offer),
        "refused": "" if offer is None or lobby.playable(offer) else _("These players cannot play it together."),
        "seats": _seats(lobby, offer) if offer and offer.number is None else [],
        "levels": {level.value: computer_note("", level) for level in Level},
        "options": [
            {
                "key": option.key,
                "title": option.title,
                "meaning": option.meaning.format(value="N"),
                "values": {**option.values},
                "span": option.span,
                "value": agreed.get(option.key, option.usual),
            }
            for option in options
        ],
        "begin": meanings[lobby_buttons(lobby)[Button.DONE]] if offer else "",
        "board": board_drawing(game, language()).ground if game else None,
    }


def _seats(lobby: Lobby, offer: Offer) -> list[Scene]:
    board = GAMES[offer.game].board()
    order = [*offer.players, *(seat for seat in lobby.seats if seat not in offer.players)]
    return [
        {
            "seat": seat,
            "colour": player_name(seat),
            "name": offer.names.get(seat, ""),
            "plays": seat in offer.players,
            "computer": offer.computer[seat].value if seat in offer.computer else "",
            "rgb": _rgb(board, seat),
        }
        for seat in order
    ]


# ---- the page's own words


def page_words() -> Mapping[str, Any]:
    """Return the page's own words, in the current language."""
    commands = {name: words.split(",")[0].strip().capitalize() for name, words in command_words().items()}
    return {
        **{name: commands[name] for name in ("undo", "redo", "hint", "pause", "legend", "terms", "score", "options")},
        "rules all": commands["rules"],
        "ask_about": commands["ask"],
        "questions": {question: words.split(",")[0].capitalize() for question, words in question_words().items()},
        "cell": command_words()["cell"].split(",")[0],
        **{button.value: button_name(button) for button in Button},
        "languages": " ".join(LANGUAGES),
        "language": _("language").capitalize(),
        "computer": computer_note("", None),
        "voice": _("voice").capitalize(),
        "board": _("The table"),
        "empty": _("empty"),
        "slider": _("Slider"),
        "wrong": _("put this right"),
        "place": _("put a piece here"),
        "doubt": _("the camera is not sure"),
        "wait": _("One moment ..."),
        "lost": _("The connection is lost; trying again ..."),
        "stale": _("The table has changed meanwhile: look again."),
        "slow": _("Too fast: wait a moment."),
        "failed": _("That did not work."),
        "join": _("This phone is not known yet."),
        "code": _("The six digits that the companion shows"),
        "wrong_code": _("These are not the digits."),
        "ask": _("Ask at the table instead"),
        "camera": _("This phone as the camera"),
        "camera_place": _("Stand it so that it sees the whole board from above, and leave this page open."),
        "camera_start": _("Start the camera"),
        "camera_stop": _("Stop the camera"),
        "camera_sends": _("Pictures are being sent."),
        "camera_refused": _("The browser does not allow the camera here."),
        "camera_other": _("Another camera is used."),
        "camera_https": _("The browser allows the camera on this address only; accept its warning once:"),
        "authority": _("No warning: install this certificate as an authority once. It is good for this box only."),
        "photo": _("Or take a photograph after each move"),
        "photo_sent": _("The photograph has arrived."),
        "aim": _("Aim the camera"),
        "seen": _("What the camera sees"),
        "back_to_page": _("Back to the game"),
        "invite": _("Invite another phone"),
        "invite_watch": _("Invite spectators"),
        "mine": _("This phone is for"),
        "all": _("everybody"),
        "setup": _("Set up the camera"),
        "wifi": _("The network of the house"),
        "games": _("The games so far"),
        "statistics": _("Statistics"),
        "pictures": _("Photographs"),
        "none_yet": _("No game is finished yet."),
        "delete": _("Delete"),
        "replay": _("Move by move"),
        "report": _("Report"),
        "record": _("Save the record"),
        "press": _("Number {number}: press DONE at the table within a minute."),
    }
