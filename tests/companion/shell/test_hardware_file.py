"""hardware.toml: the example is the default, and whatever is wrong is reported by file, key, expected and found."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion.shell.config_files import HARDWARE_FILE, find_wiring
from companion.shell.config_places import config_places, shipped_example
from companion.shell.errors import SetUpError
from companion.shell.toml_file import read_toml, validated
from hardware.pins import DEFAULT_PINS, Digits, Encoder, PinMap, Potentiometer


def parsed(text: str) -> PinMap:
    return validated(tomllib.loads(text), "h.toml", PinMap)


def test_the_example_that_ships_is_the_default_wiring() -> None:
    assert parsed(shipped_example(HARDWARE_FILE)) == DEFAULT_PINS


def commented_out(*sections: str) -> str:
    """The example's commented sections, switched on."""
    chosen, on = [], False
    for line in shipped_example(HARDWARE_FILE).splitlines():
        if line.startswith("# ["):
            on = line.split("]")[0] + "]" in {f"# [{section}]" for section in sections}
        chosen.append(line.removeprefix("# ") if on and line.startswith("# ") else "")
    return "\n".join(chosen)


@pytest.mark.parametrize(
    ("section", "part"),
    [
        ("digits", Digits((13, 19, 26, 21, 20, 16, 18), selects=(15, 4))),
        ("encoder", Encoder(14, 15)),
        ("potentiometer", Potentiometer()),
    ],
)
def test_what_the_example_leaves_out_is_right_when_it_is_switched_on(section: str, part: object) -> None:
    assert getattr(parsed(commented_out(section)), section) == part


def test_an_empty_file_is_a_panel_without_parts() -> None:
    assert parsed("") == PinMap()


def test_lamps_of_three_colours_are_read_as_the_example_shows_them() -> None:
    lines = re.findall(
        r"^# (kind = \"rgb\"|pins = \[\[.*|colours = .*)", shipped_example(HARDWARE_FILE), flags=re.MULTILINE
    )
    lamps = parsed("\n".join(["[lamps]", *lines])).lamps
    assert (lamps.kind, lamps.pins, lamps.colour(1)) == ("rgb", ((24, 25, 5), (6, 13, 19)), "#00c020")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[buttons]\nroll = 'x'", 'buttons.roll: expected a whole number, found "x"'),
        ("[buttons]\nroll = true", "buttons.roll: expected a whole number, found true"),
        ("[buttons]\nrool = 17", 'buttons.rool: there is no such key; did you mean "roll"?'),
        ("[buzer]\npin = 1", 'buzer: there is no such key; did you mean "buzzer"?'),
        (
            "qqq = 1",
            "qqq: there is no such key, but: buttons, lamps, bar, digits, buzzer, encoder, potentiometer,"
            " display, buses",
        ),
        ("[buzzer]\nkind = 'plain'", "buzzer.pin: expected, and not there"),
        (
            "[buzzer]\npin = 12\nkind = 'tonl'",
            'buzzer.kind: expected "plain" or "tonal", found "tonl"; did you mean "tonal"?',
        ),
        ("buzzer = 12", "buzzer: expected a section, found 12"),
        ("[lamps]\npins = 4", "lamps.pins: expected a list, found 4"),
        ("[lamps]\npins = [4, 'x']", 'lamps.pins[1]: expected a whole number or a list, found "x"'),
        ("[lamps]\npins = [[4, 5]]", "lamps.pins[0]: expected a list of 3, found [4, 5]"),
        ("[lamps]\npins = [4]\nbrightness = 'x'", 'lamps.brightness: expected a number, found "x"'),
        ("[lamps]\npins = [4]\nkind = 'rgb'", "lamps: pins: expected three pins, as in [5, 6, 12] a lamp, found 4"),
        ("[bar]\npins = [4, 5]", "bar.pins: expected a list of 9, found [4, 5]"),
        ("[buses]\ni2c = 1", "buses.i2c: expected true or false, found 1"),
        ("[buttons]\nroll = 4\n[buzzer]\npin = 4", "buzzer: GPIO4 is already used by button roll"),
        ("[buttons]\nroll = 2", "button roll: GPIO2 is already used by I2C (SDA)"),
        ("[buzzer]\npin = 40", "buzzer: expected a GPIO of the header, 0 to 27, found 40"),
        ("[buzzer\npin = 4", "not a TOML file: "),
    ],
)
def test_what_is_wrong_is_reported_by_file_key_expected_and_found(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "h.toml"
    path.write_text(text)
    with pytest.raises(SetUpError) as raised:
        read_toml(path, PinMap)
    assert str(raised.value).startswith(f"{path}: {sentence}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_reported_by_its_name(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "hardware.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SetUpError, match=re.escape(str(path))):
        find_wiring(path, {})


def test_the_first_file_that_is_there_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    service = {"CONFIGURATION_DIRECTORY": str(tmp_path / "service")}
    for gpio, file in enumerate(reversed([*config_places(HARDWARE_FILE, service)][:2]), start=5):
        file.parent.mkdir(parents=True)
        file.write_text(f"[buzzer]\npin = {gpio}\n")
        assert [wire.gpio for wire in find_wiring(None, service).wires()] == [gpio]
    assert [wire.gpio for wire in find_wiring(None, {}).wires()] == [5]


def test_without_a_file_the_wiring_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.shell.config_places.config_places", lambda *_any: iter([tmp_path / "none"]))
    assert find_wiring(None, {}) == DEFAULT_PINS
