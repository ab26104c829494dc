"""`companion read` reports the objective card beside the board, or that there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main

RECORDED = Path(__file__).parent.parent / "recorded" / "royal-study"


@pytest.mark.parametrize(
    ("picture", "card"),
    [
        ("easy-01", {"number": 17, "side": "face", "turns": 3}),
        ("easy-02", {"number": 13, "side": "back", "turns": 0}),
        ("medium-04", {"number": 32, "side": "face", "turns": 1}),
        ("medium-01", None),
    ],
)
def test_json_has_the_card(picture: str, card: dict[str, object] | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(RECORDED / f"{picture}.jpg")]) == 0
    assert json.loads(capsys.readouterr().out)["card"] == card


def test_people_are_reported_the_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--game", "royal-study", str(RECORDED / "easy-02.jpg")]) == 0
    assert "Objective card 13, back up; quarter turns clockwise: 0." in capsys.readouterr().out
    assert main(["read", "--game", "royal-study", str(RECORDED / "medium-01.jpg")]) == 0
    assert "card" not in capsys.readouterr().out.lower()
