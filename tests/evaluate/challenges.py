"""Reads the codes of challenge sheets (`companion print challenge`): a photograph with one says what is on it."""

from __future__ import annotations

import cv2

from companion.printing.challenge import CODE_DIGITS, CODE_HEAD, checksum, rest_of
from vision.board import shipped_board, shipped_games
from vision.errors import VisionError
from vision.frame import ImageBgr


class ChallengeCodeError(VisionError):
    """A code that this program cannot read; the message is one sentence."""


def read_code(text: str) -> tuple[str, dict[str, str]]:
    """Return the game of a code, and the label of every place.

    Raises:
        ChallengeCodeError: it is not the code of a position, or is from another version of the table.
    """
    head, _colon, rest = text.partition(":")
    game, _colon, rest = rest.partition(":")
    printed, _colon, pieces = rest.partition(":")
    if (
        head != CODE_HEAD
        or game.lower() not in shipped_games()
        or len(pieces) % 4
        or not set(pieces) <= set(CODE_DIGITS)
    ):
        message = f'expected the code of a challenge sheet, found "{text[:40]}"'
        raise ChallengeCodeError(message)
    board = shipped_board(game.lower())
    if printed != checksum(board):
        message = f"{board.game}: the code was printed for another version of this table"
        raise ChallengeCodeError(message)
    position = dict.fromkeys(board.places, rest_of(board))
    for start in range(0, len(pieces), 4):
        place, label = (int(pieces[k : k + 2], len(CODE_DIGITS)) for k in (start, start + 2))
        if place >= len(board.places) or label >= len(board.label_words):
            message = f"{board.game}: the code names a place or a piece that this table has not"
            raise ChallengeCodeError(message)
        position[board.places[place]] = board.label_words[label]
    return board.game, position


def find_code(image_bgr: ImageBgr) -> str | None:
    """Return the text of the challenge code in a picture, uint8 (height, width, 3); None if there is none."""
    by_squares, by_lines = cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()
    for scale in (1.0, 2.0, 0.5):
        seen = image_bgr if scale == 1.0 else cv2.resize(image_bgr, None, fx=scale, fy=scale)
        found = [*by_squares.detectAndDecodeMulti(seen)[1], by_lines.detectAndDecode(seen)[0]]
        for text in found:
            if text.startswith(f"{CODE_HEAD}:"):
                return str(text)
    return None
