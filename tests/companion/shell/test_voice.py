"""The voice: nobody waits for it, a verdict and a press break it off, what fails is said once in a sentence."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.display import view as view_of
from companion.core.step import step
from companion.core.verdicts import Wanted
from companion.games import GAMES
from companion.shell.effects import ShownView
from companion.shell.errors import SetUpError
from companion.shell.voice import LineVoice, ProgramSpeaker, SpeakingVoice, VoiceDisplay, open_voice
from companion.ui.hearing import Utterance
from hardware.panel import Button, ButtonPressed, KeyPressed
from tests.companion.core.tables import begun
from tests.companion.shell.fakes import program
from tests.narrow import there
from vision.board import shipped_board


class Reader(ProgramSpeaker):
    """Says each sentence only when the test lets it, as somebody who reads slowly does."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.broken_off: list[str] = []
        self._go_on = threading.Semaphore(0)
        self._begins = threading.Semaphore(0)

    def say(self, sentence: str, spoken: str) -> bool:  # noqa: ARG002 - a reader knows every language
        self.begun.append(sentence)
        self._begins.release()
        return self._go_on.acquire(timeout=20)

    def stop(self) -> None:
        self.broken_off.append(self.begun[-1])
        self._go_on.release()

    def let_on(self) -> None:
        self._go_on.release()

    def wait(self) -> str:
        assert self._begins.acquire(timeout=20)
        return self.begun[-1]


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def voice(reader: Reader) -> Iterator[SpeakingVoice]:
    ticks = iter(range(1, 10_000))
    speaking = SpeakingVoice(reader, lambda: next(ticks))
    yield speaking
    for _sentence in range(20):
        reader.let_on()
    speaking.close()


def said(*texts: str, interrupts: bool = False, stays: bool = False) -> list[Utterance]:
    return [Utterance(text, interrupts and not place, stays) for place, text in enumerate(texts)]


def test_sentences_are_said_one_after_the_other_and_none_that_already_waits(
    voice: SpeakingVoice, reader: Reader
) -> None:
    voice.say(said("One.", "Two."))
    voice.say(said("Two.", "Three."))
    for _sentence in range(2):
        reader.wait()
        reader.let_on()
    assert reader.wait() == "Three."
    assert reader.begun == ["One.", "Two.", "Three."]


def test_a_new_verdict_breaks_off_what_is_said_and_drops_what_waits(voice: SpeakingVoice, reader: Reader) -> None:
    voice.say(said("Red: walk.", "Score."))
    reader.wait()
    voice.say(said("No: too far.", interrupts=True))
    assert reader.wait() == "No: too far."
    assert reader.broken_off == ["Red: walk."]
    assert "Score." not in reader.begun


def test_a_move_that_was_made_is_said_to_its_end(voice: SpeakingVoice, reader: Reader) -> None:
    voice.say(said("White threw two.", interrupts=True, stays=True))
    reader.wait()
    voice.say(said("White moved.", interrupts=True, stays=True))
    reader.let_on()
    assert reader.wait() == "White moved."
    assert reader.broken_off == []


def test_a_press_silences_what_was_said_before_it_and_not_the_answer(voice: SpeakingVoice, reader: Reader) -> None:
    voice.say(said("A long sentence.", stays=True))
    reader.wait()
    voice.say(said("The answer."))
    voice.heard(ButtonPressed(Button.DONE, 2))
    assert reader.wait() == "The answer."
    assert reader.broken_off == ["A long sentence."]


def test_what_was_said_last_is_said_again(voice: SpeakingVoice, reader: Reader) -> None:
    voice.say(said("One."))
    voice.say(said("Two."))
    reader.wait()
    voice.repeat()
    reader.wait()
    assert reader.begun == ["One.", "Two."]
    voice.repeat()
    reader.wait()
    assert reader.begun == ["One.", "Two.", "Two."]


def until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + 20
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


@pytest.mark.parametrize("command", ["echo no sound card >&2; exit 3", "echo error: no sound card >&2"])
def test_a_program_that_fails_is_reported_with_the_next_sentence_in_its_own_words(command: str) -> None:
    speaking = SpeakingVoice(ProgramSpeaker(lambda _spoken: ["sh", "-c", command]), time.monotonic_ns)
    failures: list[str] = []

    def has_failed() -> bool:
        try:
            speaking.say(said("One."))
        except OSError as error:
            failures.append(str(error))
        return bool(failures)

    until(has_failed)
    with pytest.raises(OSError, match="no sound card"):  # until a sentence was said: it is one failure, not many
        speaking.say(said("Two."))
    speaking.close()
    assert failures == ["The voice does not work: sh: no sound card"]


def test_an_answer_is_given_on_the_screen_whatever_the_voice_does() -> None:
    def write(*_lines: str) -> None:
        raise OSError("no sound card")

    display = VoiceDisplay(LineVoice(write), shipped_board("royal-tee"), Wanted.ALL)
    display.answer("F11: the red Royal Tee.")
    with pytest.raises(OSError, match="no sound card"):
        display.tell([Utterance("Red: walk.")])


def test_a_key_that_is_kept_down_repeats_what_was_said_before_it() -> None:
    game, lines = GAMES["royal-tee"], list[str]()
    display = VoiceDisplay(LineVoice(lambda *texts: lines.extend(texts)), game.board(), Wanted.ALL)
    state = begun("royal-tee")
    display.show(ShownView(view_of(state)))
    for event in (KeyPressed("enter", 2), KeyPressed("3", 3)):
        state, _effects = step(state, event)
        display.show(ShownView(view_of(state)))
    said = [*lines]
    state, _effects = step(state, KeyPressed("3", 4, held=True))
    display.show(ShownView(view_of(state)))
    assert said[-1] == "C as in Charlie"
    assert [*lines[len(said) :], said[-1]] == said[-len(lines[len(said) :]) - 1 :]
    assert lines[len(said)].startswith("Red: ")


def test_a_sentence_that_is_broken_off_is_no_failure(tmp_path: Path) -> None:
    speaker = ProgramSpeaker(lambda _spoken: ["sh", "-c", f"touch {tmp_path}/begun; sleep 60"])
    ended: list[bool] = []
    thread = threading.Thread(target=lambda: ended.append(speaker.say("One.", "en")))
    thread.start()
    until((tmp_path / "begun").exists)
    speaker.stop()
    thread.join(20)
    assert ended == [False]


def test_lines_are_written_at_once_and_again() -> None:
    lines: list[str] = []
    voice = LineVoice(lambda *texts: lines.extend(texts))
    voice.say(said("One.", "Two."))
    voice.repeat()
    assert lines == ["One.", "Two.", "One.", "Two."]


@pytest.mark.parametrize("asked", ["shout", "piper:/nowhere/voice.onnx", "espeak"])
def test_a_voice_that_cannot_be_had_is_one_sentence(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    with pytest.raises(SetUpError) as refused:
        open_voice(asked, 175, time.monotonic_ns, print)
    assert asked.partition(":")[0] in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.fixture
def piper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a voice of 16 kHz, and with programs called piper and aplay that keep what they get."""
    (tmp_path / "low.onnx").touch()
    (tmp_path / "low.onnx.json").write_text('{"audio": {"sample_rate": 16000}}', "utf-8")
    program(tmp_path, "piper", f'echo "$@" >{tmp_path}/words; cat')
    program(tmp_path, "aplay", f'echo "$@" >{tmp_path}/rate; cat >{tmp_path}/part; mv {tmp_path}/part {tmp_path}/sound')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def test_piper_speaks_with_the_voice_that_is_named_at_its_own_rate(piper: Path) -> None:
    voice = there(open_voice(f"piper:{piper}/low.onnx", 350, time.monotonic_ns, print))
    voice.loudness = 0.4
    voice.say(said("Red: walk."))
    until((piper / "sound").exists)
    voice.close()
    assert (piper / "sound").read_text("utf-8") == "Red: walk."
    assert (piper / "words").read_text("utf-8").split() == [
        *("--model", f"{piper}/low.onnx", "--length-scale", "0.50", "--volume", "0.40", "--output-raw")
    ]
    assert "-r 16000" in (piper / "rate").read_text("utf-8")


def test_a_piper_that_fails_is_reported_although_its_silence_can_be_played(piper: Path) -> None:
    program(piper, "piper", "exit 3")
    voice = there(open_voice(f"piper:{piper}/low.onnx", 175, time.monotonic_ns, print))
    voice.say(said("Red: walk."))
    until((piper / "sound").exists)
    voice.close()
    with pytest.raises(OSError, match="piper: 3"):
        voice.say(said("Green: walk."))


def test_a_voice_of_piper_without_its_description_cannot_be_had(piper: Path) -> None:
    (piper / "low.onnx.json").unlink()
    with pytest.raises(SetUpError, match=r"piper:FILE\.onnx"):
        open_voice(f"piper:{piper}/low.onnx", 175, time.monotonic_ns, print)


def test_off_is_no_voice_and_text_writes_in_place_of_the_screen() -> None:
    assert open_voice("off", 175, time.monotonic_ns, print) is None
    written = there(open_voice("text", 175, time.monotonic_ns, print))
    assert written.writes
