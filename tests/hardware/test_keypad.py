"""A numeric keypad: the kernel's events through a pipe, as evdev hands them on; NumLock does not matter."""

from __future__ import annotations

import builtins
import os
import queue
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from hardware.errors import PanelError
from hardware.keypad import KEYS, Keypad, open_keypad
from hardware.panel import KeyPressed

_EVENT = struct.Struct("llHHi")
"""An input event as the kernel writes it: seconds, microseconds, type, code, value."""

UP, DOWN, REPEATED = 0, 1, 2


class PipeDevice:
    """An input device whose events come out of a pipe."""

    def __init__(self) -> None:
        self.fd, self._writer_fd = os.pipe()

    def read(self) -> Iterator[SimpleNamespace]:
        data = os.read(self.fd, _EVENT.size * 8)
        if not data:
            raise OSError("the device is gone")
        for _seconds, _micro, kind, code, value in _EVENT.iter_unpack(data):
            yield SimpleNamespace(type=kind, code=code, value=value)

    def type(self, code: int, *values: int, kind: int = 1) -> None:
        for value in values:
            os.write(self._writer_fd, _EVENT.pack(1, 2, kind, code, value))

    def unplug(self) -> None:
        os.close(self._writer_fd)

    def close(self) -> None:
        os.close(self.fd)


@pytest.fixture
def heard() -> queue.SimpleQueue[Any]:
    return queue.SimpleQueue()


def test_the_keys_of_the_pad_and_of_the_row_of_digits_are_their_characters(heard: queue.SimpleQueue[Any]) -> None:
    device = PipeDevice()
    keypad = Keypad(device, heard.put, clock_ns=lambda: 7)
    for code in (79, 2, 82, 83, 78, 74, 55, 96, 28):
        device.type(code, DOWN, UP)
    device.type(30, DOWN, UP)  # the letter a
    device.type(4, 1, kind=4)  # a scan code
    device.type(80, DOWN)
    keys = [heard.get(timeout=10) for _key in range(10)]
    keypad.close()
    assert [key.key for key in keys] == ["1", "1", "0", ".", "+", "-", "*", "enter", "enter", "2"]
    assert {key.at_ns for key in keys} == {7}


def test_a_key_that_is_kept_down_is_reported_once_more_as_held(heard: queue.SimpleQueue[Any]) -> None:
    device = PipeDevice()
    keypad = Keypad(device, heard.put, clock_ns=lambda: 7)
    device.type(79, DOWN, REPEATED, REPEATED, REPEATED, UP, DOWN)
    keys = [heard.get(timeout=10) for _key in range(3)]
    keypad.close()
    assert keys == [KeyPressed("1", 7), KeyPressed("1", 7, held=True), KeyPressed("1", 7)]
    assert heard.empty()


def test_a_keypad_that_is_unplugged_ends_quietly(heard: queue.SimpleQueue[Any]) -> None:
    device = PipeDevice()
    keypad = Keypad(device, heard.put)
    device.unplug()
    keypad.close()
    assert heard.empty()


def test_every_key_by_which_people_ask_is_there() -> None:
    assert set(KEYS.values()) == {*"0123456789.+-*", "enter"}


def test_a_keypad_that_cannot_be_had_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("evdev")
    with pytest.raises(PanelError, match="cannot be read"):
        open_keypad(str(tmp_path / "event9"), print)
    imported = builtins.__import__

    def without_evdev(name: str, *more: Any, **others: Any) -> ModuleType:
        if name == "evdev":
            raise ImportError(name)
        return imported(name, *more, **others)

    monkeypatch.delitem(sys.modules, "evdev", raising=False)
    monkeypatch.setattr(builtins, "__import__", without_evdev)
    with pytest.raises(PanelError, match="apt install python3-evdev"):
        open_keypad("auto", print)


def test_a_pad_is_preferred_to_a_whole_keyboard_and_taken_for_this_program_alone(
    heard: queue.SimpleQueue[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pad, opened = {79, 80, 81, 96}, list[str]()
    keys = {"mouse": {272}, "pad": pad, "whole": pad | {16, 30}}

    class Device(PipeDevice):
        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path

        def capabilities(self) -> dict[int, set[int]]:
            return {1: keys[self.path]}

        def grab(self) -> None:
            opened.append(self.path)
            self.type(96, DOWN, UP)

    evdev = SimpleNamespace(list_devices=lambda: [*keys], InputDevice=Device)
    monkeypatch.setitem(sys.modules, "evdev", evdev)
    keypad = open_keypad("auto", heard.put)
    assert heard.get(timeout=10).key == "enter"
    keypad.close()
    assert opened == ["pad"]
    del keys["pad"]
    open_keypad("auto", heard.put).close()
    assert opened == ["pad", "whole"]
    del keys["whole"]
    with pytest.raises(PanelError, match="no keypad found"):
        open_keypad("auto", heard.put)
