"""Paper, the measured printer's correction, printing options, and the errors of printing and measuring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.printing.themes import THEMES, Theme

Backs = Literal["long", "short", "fold", "none"]
Flip = Literal["long", "short"]


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, upright; `margin_mm` is the edge that printers leave white."""

    name: str
    width_mm: float
    height_mm: float
    margin_mm: float = 8.0

    @property
    def title(self) -> str:
        """The name as users write it."""
        return self.name.upper() if self.name[-1].isdigit() else self.name.title()

    def turned(self) -> Paper:
        """Return the same sheet turned by a quarter."""
        return Paper(self.name, self.height_mm, self.width_mm, self.margin_mm)


PAPERS: Mapping[str, Paper] = {
    paper.name: paper
    for paper in (
        Paper("a4", 210.0, 297.0),
        Paper("letter", 215.9, 279.4, 10.0),  # office printers leave 6.7 mm white below
        Paper("a3", 297.0, 420.0),
        Paper("a2", 420.0, 594.0),
        Paper("b2", 500.0, 707.0),
        Paper("a1", 594.0, 841.0),
    )
}


@dataclass(frozen=True, slots=True)
class Correction:
    """A printer's error, measured from a photograph of its test sheet; prints are corrected by it.

    Attributes:
        scale_x, scale_y: printed over true length; 1 for a true printer.
        back_x_mm, back_y_mm: offset of the back to the right and down, seen from the back of a sheet that is turned on
            its long edge.
        back_deg: rotation of the back against the front, clockwise, seen from the back.
    """

    scale_x: float = 1.0
    scale_y: float = 1.0
    back_x_mm: float = 0.0
    back_y_mm: float = 0.0
    back_deg: float = 0.0


NO_CORRECTION = Correction()


@dataclass(frozen=True, slots=True)
class Options:
    """How things are printed.

    Attributes:
        paper: the paper of boards and sheets.
        theme: the colours.
        backs: how the backs of cards are printed.
        bleed_mm: how far grounds go beyond cutting lines.
        cutting: whether cutting lines and crop marks are printed.
        marked: whether pieces, cards and dice bear markers.
        whole: whether a board is printed on one page of its own size.
        correction: that of the measured printer.
    """

    paper: Paper = PAPERS["a4"]
    theme: Theme = THEMES["paper"]
    backs: Backs = "long"
    bleed_mm: float = 0.0
    cutting: bool = True
    marked: bool = True
    whole: bool = False
    correction: Correction = NO_CORRECTION

    @property
    def flip(self) -> Flip | None:
        """The edge on which sheets with backs are turned; None if backs are not printed on the other side."""
        return self.backs if self.backs in ("long", "short") else None


class PrintingError(ValueError):
    """Something cannot be printed with these options; the message is one sentence for users."""


class MeasuringError(PrintingError):
    """A picture of a printed sheet cannot be measured."""


class HiddenEdgeError(MeasuringError):
    """An edge of the paper, or of a bank card in its place, cannot be seen."""
