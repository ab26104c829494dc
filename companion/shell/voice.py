"""The voice: a display that speaks, by a program in its own thread, or as lines of text.

It delays nobody: sentences are queued. A new verdict interrupts what is being spoken, a press silences it, and a held
key repeats it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType

from companion.core.verdicts import Question, Wanted
from companion.core.view import View
from companion.games.asking import answer_lines
from companion.games.captions import advice_words, count_words, dice_words, page_for
from companion.locale import _, language
from companion.shell.effects import Background, ShownView
from companion.shell.errors import SetUpError, unknown
from companion.shell.loop import Message
from companion.shell.settings import USUAL_WPM, VOICES
from companion.ui.hearing import Announcer, Utterance, breaths, for_the_ear
from hardware.panel import ButtonPressed, KeyPressed, LineTyped
from vision.board import Board

ESPEAK, PIPER = "espeak-ng", "piper"
_OTHER_PIPER = Path("/usr/bin/piper")
"""The path of another program of that name, which configures mice."""


class ProgramSpeaker:
    """A speaker that runs a program for each sentence, with the sentence on its standard input.

    `command` returns the program with its arguments for a language.
    """

    def __init__(self, command: Callable[[str], Sequence[str]]) -> None:
        self._command = command
        self._running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._broken_off = False

    def say(self, sentence: str, spoken: str) -> bool:
        """Speak a sentence in a language, given by its code; return False if it was interrupted.

        Raises:
            OSError: the program failed; the message is one sentence.
        """
        with self._lock:
            self._broken_off = False
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            command = [*self._command(spoken)]
            self._running = running = subprocess.Popen(command, start_new_session=True, **pipes)  # type: ignore[call-overload]  # noqa: S603 - a program that users set up
        _out, errors = running.communicate(sentence.encode())
        lines = errors.decode(errors="replace").strip().splitlines()
        # without a sound device espeak-ng still exits with 0
        said = next((line for line in lines if line.startswith("error:")), "")
        if (running.returncode or said) and not self._broken_off:
            sentence = said.removeprefix("error: ") or (lines[-1] if lines else running.returncode)
            raise OSError(f"{command[0]}: {sentence}")
        return not self._broken_off

    def stop(self) -> None:
        """Kill the program and its children, which have no state to save; called from another thread."""
        with self._lock:
            if self._running is not None and self._running.poll() is None:
                self._broken_off = True
                os.killpg(self._running.pid, signal.SIGKILL)


def espeak_command(spoken: str, wpm: int = USUAL_WPM, *more: str) -> list[str]:
    """Return the espeak-ng command that speaks its standard input in a language."""
    return [ESPEAK, "-v", spoken, "-s", str(wpm), *more, "--stdin"]


# a pipe of two programs, since piper only writes sound
def _piper_command(voice: Path, wpm: int) -> list[str]:
    """Return the piper command for a voice, to which the volume is appended; a failure of piper is reported.

    Raises:
        SetUpError: the voice's file, or its description next to it, is missing or unusable.
    """
    described = Path(f"{voice}.json")
    try:
        rate_hz = int(json.loads(described.read_text("utf-8"))["audio"]["sample_rate"])
        voice.stat()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetUpError(_("--voice piper needs the file of a voice: piper:FILE.onnx")) from error
    speaks = '{ "$1" --model "$2" --length-scale "$3" --volume "$5" --output-raw || echo "error: $1: $?" >&2; }'
    script = speaks + ' | aplay -q -r "$4" -f S16_LE -c 1 -t raw -'
    return ["sh", "-c", script, "sh", PIPER, str(voice), f"{USUAL_WPM / wpm:.2f}", str(rate_hz)]


def open_voice(asked: str, wpm: int, now_ns: Callable[[], int], write: Callable[..., object]) -> Voice | None:
    """Return the voice that an option names: "off" (None), "text", "espeak", or "piper:VOICE.onnx".

    `wpm` is its speed, in words a minute; `write` writes lines at once.

    Raises:
        SetUpError: there is no such voice, or its program or file is missing.
    """
    kind, _colon, voice = asked.partition(":")
    if kind not in VOICES:
        raise SetUpError(unknown(_("voice"), asked, VOICES))
    if kind == "off":
        return None
    if kind == "text":
        return LineVoice(write)
    program = ESPEAK if kind == "espeak" else PIPER
    found = shutil.which(program)
    if found is None or Path(found) == _OTHER_PIPER:
        remedy = "sudo apt install espeak-ng" if kind == "espeak" else "https://github.com/OHF-Voice/piper1-gpl"
        sentence = _("--voice {voice}: the program {program} is missing ({remedy})")
        raise SetUpError(sentence.format(voice=kind, program=program, remedy=remedy))
    pipe = _piper_command(Path(voice), wpm) if kind == "piper" else []

    def command(spoken: str) -> Sequence[str]:
        if pipe:
            return [*pipe, f"{speaking.loudness:.2f}"]
        return espeak_command(spoken, wpm, "-a", f"{100 * speaking.loudness:.0f}")

    speaking = SpeakingVoice(ProgramSpeaker(command), now_ns)
    return speaking


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A queued or current sentence: its language, when it was queued, and whether it stays true after a new verdict."""

    text: str
    spoken: str
    at_ns: int
    stays: bool


class Voice:
    """A voice, shared by the lobby and all games of an evening.

    Attributes:
        loudness: from 1 down to 0.
        writes: it writes lines, and replaces the screen.
    """

    writes = False
    loudness = 1.0
    _last: Sequence[Utterance] = ()

    def say(self, utterances: Sequence[Utterance], *, again: bool = False) -> None:
        """Queue sentences, in the current language; with `again` they repeat, and do not become the last ones.

        Raises:
            OSError: the last sentence could not be spoken.
        """
        if utterances and not again:
            self._last = utterances

    def repeat(self) -> None:
        """Repeat the last sentences."""
        self.say(self._last, again=True)

    def heard(self, message: Message) -> None:
        """At a press, drop what was queued before it."""

    def close(self) -> None:
        """Speak what is queued, and end."""


class LineVoice(Voice):
    """A voice that writes each sentence as a line, at once, for Braille displays, logs and tests."""

    writes = True

    def __init__(self, write: Callable[..., object]) -> None:
        self._write = write

    def say(self, utterances: Sequence[Utterance], *, again: bool = False) -> None:
        """Write sentences at once."""
        super().say(utterances, again=again)
        if utterances:
            self._write(*(utterance.text for utterance in utterances))


class SpeakingVoice(Background, Voice):
    """A voice that speaks queued sentences in its own thread."""

    def __init__(self, speaker: ProgramSpeaker, now_ns: Callable[[], int]) -> None:
        self._speaker, self._now_ns = speaker, now_ns
        self._waiting: deque[_Waiting] = deque()
        self._saying: _Waiting | None = None
        self._failure = ""
        super().__init__("voice")

    def say(self, utterances: Sequence[Utterance], *, again: bool = False) -> None:
        """Queue sentences, skipping those already queued. Raise the same errors as `Voice.say`."""
        with self._changed:
            Voice.say(self, utterances, again=again)
            if utterances and utterances[0].interrupts:
                self._drop(lambda waiting: not waiting.stays)
            waits = {waiting.text for waiting in self._waiting}
            for utterance in utterances:
                for breath in breaths(utterance.text):
                    if breath not in waits:
                        self._waiting.append(_Waiting(breath, language(), self._now_ns(), utterance.stays))
            self._changed.notify_all()
            failure = self._failure
        if failure:
            raise OSError(_("The voice does not work: {sentence}").format(sentence=failure))

    def repeat(self) -> None:
        """Interrupt, and repeat the last sentences."""
        with self._changed:
            self._drop(lambda _waiting: True)
        super().repeat()

    def heard(self, message: Message) -> None:
        """At a press, drop what was queued before it."""
        if isinstance(message, ButtonPressed | KeyPressed):
            with self._changed:
                self._drop(lambda waiting: waiting.at_ns < message.at_ns)

    def _drop(self, of_no_use: Callable[[_Waiting], bool]) -> None:
        """Drop sentences from the queue and interrupt the current one if it is among them. The lock must be held."""
        self._waiting = deque(waiting for waiting in self._waiting if not of_no_use(waiting))
        if self._saying is not None and of_no_use(self._saying):
            self._speaker.stop()

    def close(self, timeout_s: float = 10.0) -> None:
        """Speak what is queued, and end; a speaker that hangs is abandoned."""
        super().close(timeout_s)
        self._speaker.stop()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._saying = None
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:  # closed, and everything is spoken
                    return
                saying = self._saying = self._waiting.popleft()
            try:
                self._failure = "" if self._speaker.say(saying.text, saying.spoken) else self._failure
            except Exception as error:  # the loop reports it, and the next sentence is tried again
                self._failure = str(error) or type(error).__name__


class VoiceDisplay:
    """A display that speaks what is new in each view, and answers questions; as the only display it is a `Writer`.

    `greeting` are the first sentences, such as the game's name.
    """

    name, language = "voice", ""

    def __init__(self, voice: Voice, board: Board, wanted: Wanted, greeting: Sequence[str] = ()) -> None:
        self._voice, self._board = voice, board
        self._announcer = Announcer(wanted)
        self._greeting, self._left = tuple(greeting), False
        self._shown: View | None = None

    def show(self, shown: ShownView) -> None:
        """Speak what is new; raise `OSError` while the voice fails."""
        view = shown.view
        if view is self._shown:
            self._voice.say(())
            return
        asked = view.asked if self._shown is None or view.asked != self._shown.asked else None
        self._shown = view
        if asked is not None and asked.question is Question.AGAIN:
            self._voice.repeat()
            return
        page = page_for(view, self._board, lamps=shown.lit.lamps)
        news = self._announcer.news(view, page, (advice_words(view), dice_words(view), count_words(view)))
        answer = () if asked is None else answer_lines(view, self._board)
        answered = [Utterance(line, interrupts=place == 0) for place, line in enumerate(answer)]
        greeting, self._greeting = self._greeting, ()
        # a key that is kept down is a first key before it is a held one, and repeats what was said before it
        first_key = asked is not None and asked.question is Question.COLUMN
        self.tell([*map(Utterance, greeting), *answered, *news], again=first_key)

    def tell(self, utterances: Iterable[Utterance], *, again: bool = False) -> None:
        """Speak sentences, reworded for listeners, with `again` as in `Voice.say`; raise the same as `show`."""
        cells = {*self._board.places, *(() if self._shown is None else self._shown.board)}
        if not self._left:
            spoken = [Utterance(for_the_ear(u.text, cells), u.interrupts, u.stays) for u in utterances]
            self._voice.say(spoken, again=again)

    def typed(self, _line: LineTyped, _view: View) -> None:
        """Do nothing: those who type know what they typed."""

    def answer(self, *parts: RenderableType) -> None:
        """Speak the answer to a typed line; drawings are skipped."""
        with suppress(OSError):  # the next view reports a failing voice
            self.tell(
                Utterance(part, interrupts=place == 0) for place, part in enumerate(parts) if isinstance(part, str)
            )

    def leave(self) -> None:
        """Stop speaking: the players leave the game."""
        self._left = True
