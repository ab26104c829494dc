"""The voice: a display that says what the others show, by a program in a thread of its own, or as lines of text.

Nobody waits for it: what is to be said is put into a queue. A new verdict takes the place of what is being said, a
press silences it, and a key that is kept down asks for it again.
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
from typing import Protocol

from rich.console import RenderableType

from companion.core.verdicts import Question, Wanted
from companion.core.view import View
from companion.games.asking import answer_lines
from companion.games.captions import advice_words, count_words, dice_words, page_for
from companion.locale import _, language
from companion.shell.effects import Background, ShownView
from companion.shell.errors import SetUpError
from companion.shell.loop import Message
from companion.shell.settings import USUAL_WPM, VOICES
from companion.ui.hearing import Announcer, Utterance, breaths, for_the_ear
from hardware.panel import ButtonPressed, KeyPressed, LineTyped
from vision.board import Board

ESPEAK, PIPER = "espeak-ng", "piper"
_OTHER_PIPER = Path("/usr/bin/piper")
"""Where apt puts a program of that name that configures mice."""


class Speaker(Protocol):
    """What turns sentences into sound, or into lines."""

    def say(self, sentence: str, spoken: str) -> bool:
        """Say a sentence in a language, given by its code; return whether it was said to its end, not broken off.

        Raises:
            OSError: that does not work; the message is one sentence.
        """
        ...

    def stop(self) -> None:
        """Break off what is being said; called from another thread."""
        ...


class ProgramSpeaker(Speaker):
    """Says each sentence by a program that gets it on its standard input.

    Args:
        command: returns the program with its arguments for a language.
    """

    def __init__(self, command: Callable[[str], Sequence[str]]) -> None:
        self._command = command
        self._running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._broken_off = False

    def say(self, sentence: str, spoken: str) -> bool:
        """Say a sentence; return, and raise, as `Speaker.say`."""
        with self._lock:
            self._broken_off = False
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            command = [*self._command(spoken)]
            self._running = running = subprocess.Popen(command, start_new_session=True, **pipes)  # type: ignore[call-overload]  # noqa: S603 - a program that users set up
        _out, errors = running.communicate(sentence.encode())
        lines = errors.decode(errors="replace").strip().splitlines()
        said = next((line for line in lines if line.startswith("error:")), "")  # espeak-ng ends with 0 without sound
        if (running.returncode or said) and not self._broken_off:
            sentence = said.removeprefix("error: ") or (lines[-1] if lines else running.returncode)
            raise OSError(f"{command[0]}: {sentence}")
        return not self._broken_off

    def stop(self) -> None:
        """Kill the program, and what it has started: they have nothing to lose."""
        with self._lock:
            if self._running is not None and self._running.poll() is None:
                self._broken_off = True
                os.killpg(self._running.pid, signal.SIGKILL)


def espeak_command(spoken: str, wpm: int = USUAL_WPM, *more: str) -> list[str]:
    """Return the command of espeak-ng that says its standard input in a language."""
    return [ESPEAK, "-v", spoken, "-s", str(wpm), *more, "--stdin"]


# a pipe of two programs, since piper only writes sound
def _piper_command(voice: Path, wpm: int) -> list[str]:
    """Return the command of piper with a voice, for the volume to follow; a piper that fails is the error.

    Raises:
        SetUpError: the voice's file, or the one next to it that describes it, is missing or cannot be used.
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
    """Return what a word of the command line names: "off" (None), "text", "espeak", or "piper:VOICE.onnx".

    Args:
        asked: the word.
        wpm: how fast it speaks, in words a minute.
        now_ns: the loop's clock.
        write: writes lines at once.

    Raises:
        SetUpError: there is no such voice, or its program or file is missing.
    """
    kind, _colon, voice = asked.partition(":")
    if kind not in VOICES:
        sentence = _('unknown {kind} "{word}"; there are: {known}')
        raise SetUpError(sentence.format(kind=_("voice"), word=asked, known=", ".join(VOICES)))
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
    """A sentence that waits to be said, or is being said: its language, when it was put in, whether it stays true."""

    text: str
    spoken: str
    at_ns: int
    stays: bool


class Voice(Protocol):
    """Says sentences; the lobby and every game of an evening share one.

    Attributes:
        loudness: how loud it speaks, from 1 down to 0.
        writes: it writes lines, in place of a screen.
    """

    writes: bool = False
    loudness: float = 1.0

    def say(self, utterances: Sequence[Utterance], *, again: bool = False) -> None:
        """Have sentences said soon, in the language that is spoken now.

        Args:
            utterances: what is said, one after the other.
            again: they are a repetition, which is not kept as what was said last.

        Raises:
            OSError: the last sentence could not be said.
        """
        ...

    def repeat(self) -> None:
        """Say again what was said last, in place of what is being said."""
        ...

    def heard(self, message: Message) -> None:
        """Silence at a press what was being said before it."""
        ...

    def close(self) -> None:
        """Say what waits, and end."""
        ...


class LineVoice(Voice):
    """Writes each sentence as a line, for Braille displays, logs and tests.

    Args:
        write: writes lines at once.
    """

    writes = True

    def __init__(self, write: Callable[..., object]) -> None:
        self._write = write
        self._last: Sequence[Utterance] = ()

    def say(self, utterances: Sequence[Utterance], *, again: bool = False) -> None:
        """Write sentences at once."""
        if utterances and not again:
            self._last = utterances
        if utterances:
            self._write(*(utterance.text for utterance in utterances))

    def repeat(self) -> None:
        """Write again what was written last."""
        self.say(self._last, again=True)

    def heard(self, message: Message) -> None:
        """Do nothing: a line is written at once."""

    def close(self) -> None:
        """Do nothing: nothing waits."""


class SpeakingVoice(Background, Voice):
    """Says sentences one after the other in a thread of its own.

    Args:
        speaker: says them.
        now_ns: the loop's clock.
    """

    def __init__(self, speaker: Speaker, now_ns: Callable[[], int]) -> None:
        self._speaker, self._now_ns = speaker, now_ns
        self._waiting: deque[_Waiting] = deque()
        self._saying: _Waiting | None = None
        self._last: list[Utterance] = []
        self._failure = ""
        super().__init__("voice")

    def say(self, utterances: Sequence[Utterance], *, again: bool = False) -> None:
        """Have sentences said soon, none that already waits; raises as `Voice.say`."""
        with self._changed:
            if utterances and not again:
                self._last = [*utterances]
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
        """Say again what was said last, in place of what is being said."""
        with self._changed:
            self._drop(lambda _waiting: True)
        self.say(self._last, again=True)

    def heard(self, message: Message) -> None:
        """Silence at a press what was being said before it."""
        if isinstance(message, ButtonPressed | KeyPressed):
            with self._changed:
                self._drop(lambda waiting: waiting.at_ns < message.at_ns)

    def _drop(self, of_no_use: Callable[[_Waiting], bool]) -> None:
        """Forget sentences; the one that is being said is broken off. The lock is held."""
        self._waiting = deque(waiting for waiting in self._waiting if not of_no_use(waiting))
        if self._saying is not None and of_no_use(self._saying):
            self._speaker.stop()

    def close(self, timeout_s: float = 10.0) -> None:
        """Say what waits, and end; a speaker that hangs is left behind after a while."""
        super().close(timeout_s)
        self._speaker.stop()

    def _run(self) -> None:
        while (waiting := self._next()) is not None:
            try:
                self._failure = "" if self._speaker.say(waiting.text, waiting.spoken) else self._failure
            except Exception as error:  # whatever it is: the loop reports it, and the next sentence is tried again
                self._failure = str(error) or type(error).__name__

    def _next(self) -> _Waiting | None:
        """Wait for a sentence; None at the end."""
        with self._changed:
            self._saying = None
            self._changed.wait_for(lambda: self._waiting or self._closed)
            self._saying = self._waiting.popleft() if self._waiting else None
            return self._saying


class VoiceDisplay:
    """Says what is new in each view, and answers questions; a `companion.shell.session.Writer` if it is alone.

    Args:
        voice: says it.
        board: the game's table.
        wanted: how much is said.
        greeting: what is said first, such as what is played.
    """

    name, language = "voice", ""

    def __init__(self, voice: Voice, board: Board, wanted: Wanted, greeting: Sequence[str] = ()) -> None:
        self._voice, self._board = voice, board
        self._announcer = Announcer(wanted)
        self._greeting, self._left = tuple(greeting), False
        self._shown: View | None = None

    def show(self, shown: ShownView) -> None:
        """Say what is new; raises `OSError` as long as the voice fails."""
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
        self.tell([*map(Utterance, greeting), *answered, *news])

    def tell(self, utterances: Iterable[Utterance]) -> None:
        """Say sentences in words for the ear; raises as `show`."""
        cells = {*self._board.places, *(() if self._shown is None else self._shown.board)}
        if not self._left:
            self._voice.say([Utterance(for_the_ear(u.text, cells), u.interrupts, u.stays) for u in utterances])

    def typed(self, _line: LineTyped, _view: View) -> None:
        """Do nothing: those who type know what."""

    def answer(self, *parts: RenderableType) -> None:
        """Say the answer to a line that was typed; what is drawn has no words."""
        with suppress(OSError):  # the next view reports a voice that does not work
            self.tell(
                Utterance(part, interrupts=place == 0) for place, part in enumerate(parts) if isinstance(part, str)
            )

    def leave(self) -> None:
        """Say nothing more: the players leave the game."""
        self._left = True
