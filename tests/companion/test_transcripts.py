"""Whole typed games read as they did when somebody last read them; nothing in them needs more than the rules."""

from __future__ import annotations

import re

import pytest

from tests.companion.transcripts import EVENINGS, path_of, transcript, typed_in


@pytest.mark.parametrize("game", EVENINGS)
def test_a_typed_game_reads_as_it_did(game: str) -> None:
    kept = path_of(game).read_text("utf-8")
    assert transcript(game, typed_in(kept)) == kept, "read the game: python -m tests.companion.transcripts; git diff"


@pytest.mark.parametrize("game", EVENINGS)
def test_a_transcript_is_a_whole_game_without_codes_and_paths(game: str) -> None:
    lines = path_of(game).read_text("utf-8").splitlines()
    answers = [line for line in lines if not line.startswith("> ")]
    assert len(lines) - len(answers) > 20
    assert any("is over" in line or "home" in line for line in answers[-30:])
    assert any(re.search(r"^Winner: .* \(", line) for line in answers[-8:])
    assert not [line for line in answers if re.search(r"[{}_]|/\w|\b(?!four-fives)[a-z]+-[a-z]+-", line)]
