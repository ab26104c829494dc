"""Arguments: argparse with errors in one line, the nearest spelling, and `--debug` everywhere."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from companion.app.output import as_typed, flush, write
from companion.locale import _, english, freed, held
from companion.shell.errors import close_to, unknown

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_MOST_DIGITS = 18
"""Digits of a number on the command line; larger ones fit into no database."""

_MOST_MM = 3000.0
"""Largest width and height of a board; a print of a larger one has hundreds of pages."""

_LEAST_MARKER_MM = 8.0
"""Smallest marker: its modules are 1 mm wide, less than two pixels of the recommended camera."""

_CAPITALS = re.compile(r"[A-Z]{2,}")
_ROW = re.compile(r"( +\S+ {2,})(.+)")
"""A line of a table in a help text: a word, and what it means."""

Pair: TypeAlias = tuple[float, float]
Subparsers: TypeAlias = "argparse._SubParsersAction[Parser]"


class UsageError(ValueError):
    """Arguments that cannot be used; the message is one sentence."""


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps help texts at words; indented lines, such as examples, stay as they are, except a table's second column."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = []
        for line in text.split("\n"):
            if row := _ROW.fullmatch(line):
                head, words = row.groups()
                lines.append(head + _wrap(words, width - len(head)).replace("\n", "\n" + " " * len(head)))
            else:
                lines.append(line if line.startswith(" ") else _wrap(line, width))
        return "\n".join(f"{indent}{line}" for line in lines)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _wrap(text, width).split("\n")


def placeholders() -> list[str]:
    """Return the words that stand for values in a usage line, in the user's language."""
    words = _(
        "action, backs, camera, cell, colour, colours, command, file, folder, game, how, image, key, kind, label, "
        "lens, level, name, names, order, out, panel, paper, part, parts, table, theme, value, video, what"
    )
    return [word.strip().upper() for word in words.split(",")]


def placeholder(shown: str) -> str:
    """Translate the placeholder of a value word by word: in German, "FILE.toml" becomes "DATEI.toml"."""
    with english():
        known = placeholders()
    spoken = dict(zip(known, placeholders(), strict=False))
    return _CAPITALS.sub(lambda word: spoken.get(word[0], word[0]), shown)


def _wrap(text: str, width: int) -> str:
    """Wrap a paragraph to lines of at most `width` letters, at blanks where a line may break."""
    return freed(textwrap.fill(held(" ".join(text.split())), width, break_long_words=False, break_on_hyphens=False))


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` where argparse prints its usage and exits."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", _HelpFormatter)
        super().__init__(allow_abbrev=False, **options)
        # SUPPRESS: otherwise a subcommand's default would replace a --debug that was given before the command
        self.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help=_("show where a failure came from")
        )

    def flag(self, name: str, meaning: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=meaning)

    def value(
        self, name: str, shown: str, meaning: str, kind: Callable[[str], object] | None = None, **options: Any
    ) -> None:
        """Add an argument with a value, with its placeholder in the user's language.

        Args:
            name: an option, or the name of a positional argument.
            shown: stands for the value in the help.
            meaning: explains it there.
            kind: converts the text that is given; raises ArgumentTypeError if it is not valid. None: it stays a text.
            options: more of argparse's.
        """
        self.add_argument(name, metavar=placeholder(shown), help=meaning, type=kind or str, **options)

    def path(self, name: str, shown: str, meaning: str, **options: Any) -> None:
        """Add an argument that is the path of a file or folder."""
        self.value(name, shown, meaning, Path, **options)

    def add_subparsers(self, **options: Any) -> argparse._SubParsersAction[Any]:
        """Add subcommands, with their placeholder in the user's language."""
        shown = {"metavar": placeholder(options["metavar"])} if "metavar" in options else {}
        return super().add_subparsers(**{**options, **shown})

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        hint = _("see {command} --help").format(command=self.prog)
        raise UsageError(f"{message} ({hint})")

    def _check_value(self, action: argparse.Action, value: str) -> None:
        """Raise ArgumentError for a word that is not a subcommand, with the nearest one."""
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(None, unknown(_("command"), value, map(str, action.choices)))

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:  # noqa: ARG002 - argparse's
        """Print a help text or the version, and raise OutputError if it cannot be written, which argparse ignores."""
        write(message)
        flush()

    def parse_all(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse the arguments; suggest the nearest one if one is unknown, --game if it is a game's name.

        Raises:
            UsageError: the arguments cannot be used.
        """
        args, rest = self.parse_known_args(argv)
        if not rest:
            return args
        # 1. the parser of the subcommand, or of the subcommand of that, and the options of all on the way there
        parser: Parser = self
        options: dict[str, argparse.Action] = {}
        while True:
            nested = next((a for a in parser._actions if isinstance(a, argparse._SubParsersAction)), None)
            chosen = None if nested is None else getattr(args, nested.dest, None)
            if nested is None or chosen is None:
                break
            parser = nested.choices[chosen]
            options |= parser._option_string_actions
        # 2. a game's name, something like an option, or one word too many
        word, known = rest[0], [*options]
        if (game := options.get("--game")) is not None and callable(game.type):
            with suppress(argparse.ArgumentTypeError):
                known = [f"--game {game.type(word)}"]
        if not word.startswith("-") and not close_to(word, known):
            parser.error(_('"{word}" is one argument too many').format(word=word))
        raise UsageError(unknown(_("argument"), word, known))


def require_extra(extra: str) -> None:
    """Raise UsageError, with the command that installs it, if a package of an extra is not installed."""
    from companion.app.diagnostics import lacking_of, pip_command

    if missing := lacking_of(extra):
        sentence = _("this needs {libraries}, which a command installs: {command}")
        raise UsageError(sentence.format(libraries=", ".join(missing), command=pip_command(missing)))


def paragraph(text: str) -> str:
    """Join the lines of a text, so that the help wraps it to its own width."""
    return " ".join(text.split())


def examples(*commands: str, above: str = "", below: str = "") -> str:
    """Return the end of a help text: examples, between two paragraphs; commands are the same in every language."""
    listed = "\n".join([_("examples:"), *(f"  {command}" for command in commands)])
    return "\n\n".join(filter(None, [above, listed, below]))


def one_of(kind: str, known: Iterable[str] | Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Return an argument's type that accepts one of some words, which are looked up only when one is given."""

    def convert(word: str) -> str:
        words = list(known() if callable(known) else known)
        if word not in words:
            raise argparse.ArgumentTypeError(unknown(kind, word, words))
        return word

    return convert


def a_word(text: str) -> str:
    """Return a text that is not empty, as an argument's type: an empty one stands for no argument elsewhere.

    Invalid UTF-8 is decoded as Latin-1: OpenCV crashes on the name of a device that is neither.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError(_("expected a word, found nothing"))
    return as_typed(text)


def at_least(least: int) -> Callable[[str], int]:
    """Return an argument's type that accepts whole numbers of at least `least`."""

    def convert(word: str) -> int:
        if len(word) > _MOST_DIGITS and word.isdecimal():
            sentence = _("expected a whole number of at most {most} digits, not of {number}")
            raise argparse.ArgumentTypeError(sentence.format(most=_MOST_DIGITS, number=len(word)))
        if not word.isdecimal() or int(word) < least:
            sentence = _('expected a whole number from {least} on, not "{word}"')
            raise argparse.ArgumentTypeError(sentence.format(least=least, word=word[:_MOST_DIGITS]))
        return int(word)

    return convert


def millimetres(least: float, most: float) -> Callable[[str], float]:
    """Return an argument's type that accepts lengths in mm from `least` to `most`."""

    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not least <= value <= most:
            sentence = _('expected a length in mm from {least:g} to {most:g}, not "{word}"')
            raise argparse.ArgumentTypeError(sentence.format(least=least, most=most, word=text))
        return value

    return convert


def pair_mm(text: str) -> Pair:
    """Parse two lengths in mm, as in "300x300"."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*[x, ]\s*([0-9]+(?:\.[0-9]+)?)\s*", text)
    if found is None or not all(0 < float(length) <= _MOST_MM for length in found.groups()):
        message = _('expected two lengths in mm such as 300x250, not "{word}"').format(word=text)
        raise argparse.ArgumentTypeError(message)
    return float(found[1]), float(found[2])


length_mm = millimetres(_LEAST_MARKER_MM, _MOST_MM)
"""Parses the side of a marker."""
