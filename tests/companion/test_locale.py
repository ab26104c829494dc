"""Six languages: every sentence is in every catalogue, and the real command speaks them."""

from __future__ import annotations

import argparse
import ast
import builtins
import inspect
import json
import os
import pickle
import re
import string
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from io import StringIO
from itertools import chain
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from rich.console import Console

from companion import locale
from companion.app.output import LETTERS_IN_PLACE
from companion.cli import main
from companion.cli.exits import UNUSABLE
from companion.cli.parser import placeholder, placeholders
from companion.core.hypothesis import Kind
from companion.games import GAMES
from companion.games.royal_tee import TABLE
from companion.locale import english, languages, ngettext, translated
from companion.locale.borrowed import ARGPARSE, SYSTEM
from companion.shell.errors import os_reason
from companion.ui.board_text import CellMarks, letter
from companion.ui.layout import PageView
from companion.ui.names import label_name
from companion.ui.page import Page, rhythm_meanings
from companion.ui.words import reported_word
from engines.sentence import Sentence
from hardware.panel import Rhythm
from tests.architecture.source import ROOT
from tests.companion.games.looks import FOUR, position_of
from tests.companion.games.speeches import named_in_source
from tests.companion.languages import ENGLISH, LANGUAGES, TRANSLATED
from vision.board import shipped_board
from vision.errors import CameraError

FOLDER = ROOT / "companion/locale"
RECORDED = ROOT / "tests/recorded/royal-tee"
SPEAKING = ("companion", "vision", "hardware", "engines")
BOARD = shipped_board("royal-tee")

Forms = tuple[str, ...]
"""A sentence, or its forms for one and for many."""


def forms(text: str | Sequence[str] | None) -> Forms:
    return (text,) if isinstance(text, str) else tuple(text or ())


@cache
def sentences() -> frozenset[Forms]:
    """Every sentence in the code."""
    keywords = {"_": None, "ngettext": (1, 2), "Sentence": None, "unexpected": (2,)}
    found = chain.from_iterable(extract_from_dir(ROOT / package, keywords=keywords) for package in SPEAKING)
    return frozenset(forms(message) for _file, _line, message, _comments, _context in found)


@cache
def catalogue(language: str) -> Catalog:
    with (FOLDER / language / "LC_MESSAGES/companion.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def translations(catalog: Catalog) -> dict[Forms, Forms]:
    return {forms(message.id): forms(message.string) for message in catalog if message.id}


def places(text: str) -> list[str]:
    """Everything in a sentence that is filled in."""
    braces = [f"{{{name}:{spec}}}" for _text, name, spec, _conversion in string.Formatter().parse(text) if name]
    return sorted([*braces, *re.findall(r"%(?:\(\w+\))?[srd]", text)])


def names_in_help(text: str) -> list[str]:
    """Everything in a sentence that a person would have to type: options, and JSON's words in quotes."""
    return sorted(re.findall(r"--[a-z]+|\"[a-z-]+\"(?=:)", text))


# ---- the catalogues


def test_there_is_a_catalogue_for_each_language() -> None:
    assert tuple(sorted(path.parent.parent.name for path in FOLDER.glob("*/*/companion.po"))) == TRANSLATED
    assert len(sentences()) > 200


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_in_the_catalogue_and_nothing_else_is(language: str) -> None:
    listed = translations(catalogue(language)).keys()
    assert sorted(sentences() - listed) == [], "run deploy/words.sh and translate these"
    assert sorted(listed - sentences()) == [], "run deploy/words.sh: these are no longer said"
    assert not catalogue(language).obsolete


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated_for_certain(language: str) -> None:
    assert [message.id for message in catalogue(language) if message.id and message.fuzzy] == []
    translated = translations(catalogue(language))
    forms_needed = {False: 1, True: catalogue(language).num_plurals}
    assert [s for s, found in translated.items() if not all(found) or len(found) != forms_needed[len(s) > 1]] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_is_filled_in_with_what_the_sentence_is(language: str) -> None:
    wrong = [
        (form, found)
        for sentence, translated in translations(catalogue(language)).items()
        for form in sentence
        for found in translated
        if (places(form), names_in_help(form)) != (places(found), names_in_help(found))
        or form.endswith(" ") != found.endswith(" ")
    ]
    assert wrong == []


SPANISH_NETWORK = "red"
NO_WORDS = re.compile(r'"red 61, green 83"|\{[^}]*\}')
"""What stands in a record is the same in every language; what is filled in has its own words."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_has_an_english_colour_or_the_code_of_an_event_or_refusal(language: str) -> None:
    codes = {code for game in GAMES for kind in ("Event", "Refusal") for code in named_in_source(game, kind)}
    colours = {colour for game in GAMES for colour in GAMES[game].board().colours} | {"white"}
    if language == "es":
        colours.discard(SPANISH_NETWORK)
    unwanted = re.compile(rf"(?<![-\w])({'|'.join([*colours, *(code for code in codes if '-' in code)])})(?![-\w])")
    texts = [text for found in translations(catalogue(language)).values() for text in found]
    assert [text for text in texts if unwanted.search(NO_WORDS.sub("", text))] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_the_program_reads_is_the_catalogue_compiled(language: str) -> None:
    with (FOLDER / language / "LC_MESSAGES/companion.mo").open("rb") as file:
        compiled = read_mo(file)
    assert translations(compiled) == translations(catalogue(language))
    assert compiled.plural_forms == catalogue(language).plural_forms


def test_every_lookup_is_of_a_plain_text_outside_an_f_string() -> None:
    """An f-string or a name would be looked up, never found, and not be extracted; a call inside one is not either."""
    wrong = set()
    for path in (ROOT / "companion").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        inside = {call for text in ast.walk(tree) if isinstance(text, ast.JoinedStr) for call in ast.walk(text)}
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("_", "ngettext"):
                texts = [text.value if isinstance(text, ast.Constant) else None for text in call.args[:2]]
                if call in inside or not all(isinstance(text, str) for text in texts):
                    wrong.add(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert wrong == set()


def unmarked(source: str) -> Iterator[str]:
    """Yield each text that an exception for people is made of and that no catalogue has: it is in no `Sentence`."""
    tree = ast.parse(source)
    raised = [c.args[0] for c in ast.walk(tree) if isinstance(c, ast.Call) and c.args and is_for_people(called(c))]
    parts = [*chain.from_iterable(map(sentence_parts, raised))]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    parts += chain.from_iterable(sentence_parts(a.value) for a in assigned if names & {*map(ast.unparse, a.targets)})
    yield from (ast.unparse(part) for part in parts if not isinstance(part, ast.Name))


def is_for_people(exception: str) -> bool:
    return exception.endswith("Error") and not hasattr(builtins, exception)


def called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def sentence_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the names and the texts of which an expression makes a sentence, without what is filled in."""
    if isinstance(node, ast.JoinedStr | ast.Name) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
    elif not isinstance(node, ast.Call):
        yield from chain.from_iterable(map(sentence_parts, ast.iter_child_nodes(node)))
    elif called(node) in ("Sentence", "unexpected"):
        texts = node.args if called(node) == "Sentence" else node.args[1:]
        yield from (text for text in texts if isinstance(text, ast.JoinedStr))
    elif called(node) == "about":
        yield from chain.from_iterable(map(sentence_parts, node.args[1:]))
    elif called(node) == "format":
        yield from sentence_parts(node.func)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise CameraError("it is gone")', ["'it is gone'"]),
        ('raise CameraError(f"{name} is gone") from error', ["f'{name} is gone'"]),
        ('raise CameraError(Sentence(f"{name} is gone"))', ["f'{name} is gone'"]),
        ('raise CameraError("{name} is gone".format(name=name))', ["'{name} is gone'"]),
        ('message = f"{name} is gone"\nraise errors.CameraError(message)', ["f'{name} is gone'"]),
        ('message = Sentence("{name} is gone")\nraise CameraError(message.format(name="it"))', []),
        ("raise CameraError(str(error)) from error", []),
        ('raise BoardFileError(about(path, "it is gone"))', ["'it is gone'"]),
        ('raise BoardFileError(about(path, unexpected(f"{key}.x", f"{count} words", 3)))', ["f'{count} words'"]),
        ('problem = unexpected(key, "{count} words", 3, count=2)\nraise BoardFileError(about(path, problem))', []),
        ('raise ValueError("for programmers")', []),
    ],
)
def test_a_text_that_no_catalogue_has_is_found(source: str, found: list[str]) -> None:
    assert [*unmarked(source)] == found


def test_what_vision_and_hardware_raise_for_people_is_in_the_catalogues() -> None:
    modules = [path for package in ("vision", "hardware") for path in (ROOT / package).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): [*unmarked(path.read_text("utf-8"))] for path in modules}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_what_is_listed_of_argparse_is_what_argparse_says() -> None:
    said = {node.value for node in ast.walk(ast.parse(inspect.getsource(argparse))) if isinstance(node, ast.Constant)}
    assert set(ARGPARSE) - said == set()


def test_what_is_listed_of_the_system_is_what_it_says() -> None:
    assert set(SYSTEM) - {os.strerror(number) for number in range(200)} == set()


@pytest.mark.parametrize(("number", "said"), [(2, "Datei oder Verzeichnis"), (98, "Die Adresse ist schon belegt")])
def test_a_reason_of_the_system_is_in_the_language(number: int, said: str) -> None:
    with locale.speaking("de"):
        assert os_reason(OSError(number, os.strerror(number))).startswith(said)


# ---- the choice of a language


@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({}, []),
        ({"LANG": "de_AT.UTF-8"}, ["de_AT.UTF-8"]),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr_FR"}, ["fr_FR"]),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "it_IT"}, ["it_IT"]),
        ({"LANG": "de_DE", "LC_ALL": "it_IT", "LANGUAGE": "nl:es"}, ["nl", "es"]),
        ({"LANG": "de_DE", "LANGUAGE": ""}, ["de_DE"]),
        ({"LANG": "C.UTF-8"}, []),
        ({"LANG": "de_DE", "LC_ALL": "C"}, []),
        ({"LANGUAGE": "en_GB:en:de"}, []),
        ({"LANGUAGE": "pt:en:de"}, ["pt"]),
    ],
)
def test_the_language_is_the_one_that_the_environment_asks_for(
    environment: Mapping[str, str], chosen: list[str]
) -> None:
    assert [language for language in languages(environment) if language] == chosen


Speaking = Callable[[str], None]


@pytest.fixture
def speaking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Speaking]:
    """Makes this process speak a language."""

    def speak(language: str) -> None:
        monkeypatch.setenv("LANGUAGE", language)
        locale.users_catalogue.cache_clear()

    yield speak
    monkeypatch.undo()
    locale.users_catalogue.cache_clear()


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "leer"), ("de_AT.UTF-8", "leer"), ("pt:fr", "vide"), ("pt", "empty"), ("en:de", "empty"), ("C", "empty")],
)
def test_the_first_language_that_there_is_speaks_and_else_english(language: str, said: str, speaking: Speaking) -> None:
    speaking(language)
    assert label_name("empty") == said
    with english():
        assert label_name("empty") == "empty"
    assert label_name("empty") == said


def test_a_number_decides_the_form(speaking: Speaking) -> None:
    one = "{player}'s tee is on {cells}, where the walk did not go."
    many = "{player}'s tees are on {cells}, where the walk did not go."
    assert [ngettext(one, many, number) for number in (1, 2)] == [one, many]
    speaking("de")
    assert "steht ein Tee" in ngettext(one, many, 1)
    assert "stehen Tees" in ngettext(one, many, 2)


def test_a_sentence_of_vision_or_hardware_is_shown_in_the_language() -> None:
    why = Sentence("is the phone still on, and in the network?")
    pattern = Sentence("{camera}: no picture within {seconds:g} s; {why}")
    error = CameraError(pattern.format(camera=Sentence("phone"), seconds=5.0, why=why))
    in_english = "phone: no picture within 5 s; is the phone still on, and in the network?"
    carried = pickle.loads(pickle.dumps(str(error)))  # noqa: S301 - a view travels to the simulated table's process
    for sentence in (str(error), carried):
        assert translated(sentence) == sentence == in_english
        with locale.speaking("de"):
            assert translated(sentence) == "Handy: kein Bild innerhalb von 5 s; ist das Handy noch an und im Netz?"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("camera", "test", "--camera", "files:{}/none"),
            "lässt sich nicht lesen (Datei oder Verzeichnis nicht gefunden)",
        ),
        (("play", "royal-ur", "--camera", "files:{}/none"), "erwartet wird ein Ordner mit Bildern"),
        (("watch", "{}/none.mp4"), "erwartet wird ein Video (mp4, avi, mkv) oder ein Ordner mit Bildern"),
        (("read", "{}"), "lässt sich nicht lesen (Ist ein Verzeichnis); erwartet wird ein Bild"),
    ],
)
def test_a_command_says_in_the_language_why_there_is_no_picture(
    arguments: tuple[str, ...], said: str, speaking: Speaking, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    speaking("de")
    assert main([word.format(tmp_path) for word in arguments]) == UNUSABLE
    assert said in capsys.readouterr().err


def test_no_line_is_broken_between_a_word_and_its_number() -> None:
    assert locale.held("wartend 7, Karte 10").split() == [locale.held("wartend 7,"), locale.held("Karte 10")]
    assert locale.held("11, 10 4 A3").split() == ["11,", "10", "4", "A3"]


@pytest.mark.parametrize(
    ("language", "sentence", "name", "said"),
    [
        ("fr", "The last action of {player} is taken back.", "Ben", "de Ben"),
        ("fr", "The last action of {player} is taken back.", "Anna", "d'Anna"),
        ("fr", "The last action of {player} is taken back.", "A3", "de A3"),
        ("it", "{first} and {last}", "Elio", "ed Elio"),
        ("it", "{first} and {last}", "E3", "e E3"),
        ("es", "{first} and {last}", "Inés", "e Inés"),
        ("es", "{first} and {last}", "Ana", "y Ana"),
        ("es", "{first} or {second}", "Olga", "u Olga"),
    ],
)
def test_a_word_changes_before_a_name(language: str, sentence: str, name: str, said: str, speaking: Speaking) -> None:
    speaking(language)
    named = dict.fromkeys(("player", "first", "last", "second"), name)
    assert said in locale._(sentence).format(**named)
    assert said in locale._(sentence).format_map(named)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_lamps_verdicts_or_players_are_called_the_same(language: str, speaking: Speaking) -> None:
    speaking(language)
    assert len(set(rhythm_meanings().values())) == len(Rhythm) - 2, "lit and dark alone are silent"
    assert len({reported_word(found) for found in Kind}) == len(Kind)
    assert len({label_name(label) for label in BOARD.label_words}) == len(BOARD.label_words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language_the_players_lamps_fit_on_the_smallest_screen(language: str, speaking: Speaking) -> None:
    speaking(language)
    for rhythm in Rhythm:
        said = rhythm_meanings().get(rhythm, "")
        page = Page(
            labels=dict.fromkeys(BOARD.cells, "empty"),
            marks=CellMarks(),
            slider=9,
            scores=dict.fromkeys(BOARD.colours, 144),
            lamps=dict.fromkeys(BOARD.colours, said),
        )
        console = Console(file=StringIO(), width=80, height=24, color_system=None, legacy_windows=False)
        with console.capture() as capture:
            console.print(PageView(page, BOARD), height=24)
        drawn = capture.get()
        for seat in BOARD.colours:
            assert re.search(rf"{letter(BOARD, seat)} +{seat} +144 +{said.split()[0]}" if said else seat, drawn), drawn


# ---- the real command


def companion(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    asked = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "PYTHONIOENCODING", "PYTHONUTF8")
    inherited = {name: value for name, value in os.environ.items() if name not in asked}
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        env={**inherited, "COLUMNS": "100", **environment},
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def gray(recording: Path) -> str:
    """A picture with nothing in it."""
    return str(recording / "0.png")


@pytest.fixture
def judged(tmp_path: Path) -> tuple[str, ...]:
    """Arguments of `judge` for a photograph in which nothing has happened since the position."""
    cells = json.loads((RECORDED / "easy-31.json").read_text())["cells"]
    path = tmp_path / "position.json"
    mover = next(label for label in FOUR if f"{label}-royal" in cells.values())
    path.write_text(json.dumps(TABLE.engine.position_to_json(position_of(cells, mover, 2))))
    return ("judge", "--position", str(path), "--after", str(RECORDED / "easy-31.jpg"))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("language", "usage", "help_shown", "refused", "verdict"),
    [
        ("en", "usage: ", "show this help message", "no marker of a known table in sight", "unchanged ("),
        ("de", "Aufruf: ", "diese Hilfe zeigen", "kein Marker eines bekannten Tisches in Sicht", "unverändert ("),
        ("es", "uso: ", "mostrar esta ayuda", "ninguna marca de una mesa conocida a la vista", "sin cambios ("),
        ("fr", "utilisation : ", "montrer cette aide", "aucun repère d'une table connue en vue", "inchangé ("),
        ("it", "uso: ", "mostrare questo aiuto", "nessun marcatore di un tavolo conosciuto in vista", "invariato ("),
        ("nl", "gebruik: ", "deze hulp tonen", "geen markering van een bekende tafel in zicht", "onveranderd ("),
        ("xx", "usage: ", "show this help message", "no marker of a known table in sight", "unchanged ("),
    ],
)
def test_the_command_speaks_the_language(
    language: str, usage: str, help_shown: str, refused: str, verdict: str, gray: str, judged: tuple[str, ...]
) -> None:
    speaks = {"LANGUAGE": language, "PYTHONIOENCODING": "utf-8"}
    found = companion("--help", **speaks).stdout.decode()
    assert found.startswith(usage)
    assert help_shown in found
    assert refused in companion("read", gray, **speaks).stdout.decode()
    assert companion(*judged, **speaks).stdout.decode().startswith(verdict)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["report", "play"])
def test_help_is_divided_at_words(
    command: str,
    language: str,
    speaking: Speaking,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    speaking(language)
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    lines = capsys.readouterr().out.split("\n")
    assert max(len(line) for line in lines if not line.startswith("  companion ")) <= 60
    assert not [line for line in lines if re.match(r"\s*[;:?!»]", line)]


def test_unusable_arguments_are_reported_in_the_language() -> None:
    done = companion("read", LANG="de_DE.UTF-8", PYTHONIOENCODING="utf-8")
    assert done.stderr.decode() == "companion: diese Argumente werden gebraucht: BILD (siehe companion read --help)\n"


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_stands_for_a_value_is_one_word_in_the_language_for_each_in_english(language: str) -> None:
    with locale.speaking(language):
        words = placeholders()
        assert placeholder("FILE.toml") == f"{words[_placeholders_in_english().index('FILE')]}.toml"
    assert len(words) == len(_placeholders_in_english())
    assert all(words)


def _placeholders_in_english() -> list[str]:
    with locale.speaking(ENGLISH):
        return placeholders()


def test_json_is_the_same_in_every_language(
    gray: str, judged: tuple[str, ...], speaking: Speaking, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (("read", "--json", gray), (*judged, "--json")):
        answers = set()
        for language in LANGUAGES:
            speaking(language)
            main(arguments)
            answers.add(capsys.readouterr().out)
        assert len(answers) == 1
        assert all(answers)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("language", TRANSLATED)
def test_a_terminal_without_the_letters_is_no_failure(language: str, gray: str) -> None:
    ascii_only = {"LANGUAGE": language, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for arguments, code in ((("--help",), 0), (("play", "--help"), 0), (("doctor",), 0), (("read", gray), 3)):
        done = companion(*arguments, **ascii_only)
        assert done.returncode == code
        assert done.stdout.decode("ascii")
        assert done.stderr == b""


def test_letters_that_a_terminal_lacks_have_others_in_their_place() -> None:
    assert "Für 7♥ · „Größe“ ┏━┓ ■".encode("ascii", LETTERS_IN_PLACE) == b'Fur 7h . "Grosse" +-+ #'
    assert "漢".encode("ascii", LETTERS_IN_PLACE) == b"?"
