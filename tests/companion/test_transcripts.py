"""Whole typed games read as they did when somebody last read them; nothing in them needs more than the rules."""

from __future__ import annotations

import re

import pytest

from companion.ui.hearing import MOST_WORDS, breaths
from tests.companion.transcripts import HEARD_IN, SEEDS, heard, path_of, transcript, typed_in


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", SEEDS)
def test_a_typed_game_reads_as_it_did(game: str) -> None:
    kept = path_of(game).read_text("utf-8")
    assert transcript(game, typed_in(kept)) == kept, "read the game: python -m tests.companion.transcripts; git diff"


@pytest.mark.parametrize("game", SEEDS)
def test_a_transcript_is_a_whole_game_without_codes_and_paths(game: str) -> None:
    lines = path_of(game).read_text("utf-8").splitlines()
    answers = [line for line in lines if not line.startswith("> ")]
    assert len(lines) - len(answers) > 20
    assert any("is over" in line or "home" in line for line in answers[-30:])
    assert any(re.search(r"^Winner: .* \(", line) for line in answers[-8:])
    assert not [line for line in answers if re.search(r"[{}_]|/\w|\b(?!four-fives)[a-z]+-[a-z]+-", line)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", HEARD_IN)
@pytest.mark.parametrize("game", SEEDS)
def test_a_game_that_is_heard_reads_as_it_did_without_digits_and_signs(game: str, language: str) -> None:
    kept = path_of(game, f"heard-{language}").read_text("utf-8")
    assert heard(game, language) == kept, "read the game: python -m tests.companion.transcripts; git diff"
    said = [line for line in kept.splitlines() if not line.startswith("> ")]
    assert not [line for line in said if re.search(r"[0-9(){}_=|│]", line)]
    assert max(len(breath.split()) for line in said for breath in breaths(line)) <= MOST_WORDS
