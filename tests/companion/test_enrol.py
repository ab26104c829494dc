"""`companion enrol`: learns from pictures, keeps, forgets, and says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.exits import DONE
from companion.shell.config_files import enrolment_file, find_enrolments
from companion.shell.config_places import own_place
from tests.companion.conftest import Answered, Refused, Told

_PICTURE = str(Path(__file__).parents[1] / "recorded" / "royal-tee" / "easy-31.jpg")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("CONFIGURATION_DIRECTORY", raising=False)


def test_a_table_is_learned_used_and_forgotten(told: Told, answered: Answered) -> None:
    told("enrol", "--game", "royal-tee", _PICTURE)
    assert find_enrolments(["royal-tee", "territory"], {}).keys() == {"royal-tee"}
    assert "Royal Tee" in told("read", _PICTURE)
    answer = answered("enrol", "--game", "royal-tee", _PICTURE)
    own = own_place(enrolment_file("royal-tee"))
    assert (answer["status"], answer["pictures"], Path(answer["file"])) == ("ok", 1, own)
    assert len(answer["places"]) > 20
    assert answered("enrol", "--game", "royal-tee", "--forget")["forgotten"]
    assert not own.exists()


def test_what_is_said_to_lie_there_is_learned() -> None:
    assert main(["enrol", "--game", "royal-tee", "--shows", "yellow=A1,B1", _PICTURE]) == DONE
    assert "yellow" in find_enrolments(["royal-tee"], {})["royal-tee"].labels


def test_colours_that_lie_in_none_of_the_pictures_cannot_be_learned(refused: Refused) -> None:
    assert "in none of the pictures" in refused("enrol", "--game", "territory", _PICTURE)
