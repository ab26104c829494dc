"""What a table is played with: cameras and panels by the words of the command line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from companion.locale import _
from companion.shell.errors import SetUpError
from hardware.panel import Enqueue, Panel
from vision.camera.camera import Camera

OpenCamera: TypeAlias = Callable[[], Camera]
OpenPanel: TypeAlias = Callable[[Enqueue], Panel]
ItemT = TypeVar("ItemT")

Choices: TypeAlias = Mapping[str, Callable[[str], ItemT]]
"""By name, what makes a choice out of the text behind its colon ("0" of "webcam:0", "" when there is none)."""


@dataclass(frozen=True, slots=True)
class Devices:
    """What a table is played with: how to open camera and panel, and what to call them before people."""

    camera: str
    open_camera: OpenCamera
    panel: str
    open_panel: OpenPanel


def choose(kind: str, asked: str, choices: Choices[ItemT]) -> ItemT:
    """Make the choice that a word of the command line asks for; `kind` says of what, to people.

    Raises:
        SetUpError: there is no such choice.
    """
    name, _colon, text = asked.partition(":")
    if name in choices:
        return choices[name](text)
    near = difflib.get_close_matches(name, choices, n=1)
    if near:
        sentence = _('unknown {kind} "{name}"; did you mean "{near}"?').format(kind=kind, name=name, near=near[0])
    else:
        sentence = _('unknown {kind} "{name}"; there are: {all}').format(kind=kind, name=name, all=", ".join(choices))
    raise SetUpError(sentence)
