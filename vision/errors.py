"""The exceptions of the eyes. Refusing a picture is not one of them: that is a value (`observation.Blind`)."""

from __future__ import annotations


class VisionError(Exception):
    """Root of all exceptions that vision raises."""


class BoardFileError(VisionError, ValueError):
    """A table file that cannot be used; the message is one sentence: file, key, expected, found."""


class CalibrationError(VisionError, ValueError):
    """Pictures from which a lens cannot be measured; the message is one sentence."""


class UnreadableImageError(VisionError, ValueError):
    """A file that is not a picture that can be read; the message is one sentence."""


class CameraError(VisionError, OSError):
    """A camera that cannot be opened or has stopped giving frames; the message is one sentence."""


class NoPictureYetError(CameraError):
    """A camera works and waits for its first picture, such as a folder without photographs.

    `at_ns` is when, by the camera's clock.
    """

    def __init__(self, message: str, at_ns: int) -> None:
        super().__init__(message)
        self.at_ns = at_ns


class CameraEndedError(CameraError, EOFError):
    """A camera that plays recorded pictures has shown its last one; the message is one sentence."""
