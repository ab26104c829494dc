"""Random positions of any board: labels for its cells, such as games leave behind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.board import Board, cell_column_row, cell_name
from vision.labels import EMPTY, parse_label


def random_labels(board: Board, rng: np.random.Generator) -> dict[str, str]:
    """Make up a position: a label for every cell, by the words of the table file.

    Empty boards, trails of walking pieces, grown regions, full boards and mere scatter all occur; of pieces that walk
    each colour in play has one at most.
    """
    colours = _in_play(board, rng)
    labels = dict.fromkeys(board.places, EMPTY)
    if not colours:
        return _scattered_words(board, rng, labels)
    style = rng.choice(["few", "trails", "regions", "full", "scatter"], p=[0.1, 0.3, 0.3, 0.15, 0.15])
    owners = _STYLES[str(style)](board, colours, rng)
    labels.update(owners)
    _crown(board, labels, colours, rng)
    # lay the neutral colour on some cells
    if board.saved is not None:
        share = rng.choice([0.0, 0.08, 0.3])
        labels.update({cell: board.saved.colour for cell in board.cells if rng.random() < share})
    # lay pieces on some of the pads, each its own colour's
    for pads in board.pads.values():
        labels.update({place: colour for colour, place in pads.items() if rng.random() < 0.3})
    _stack(board, labels, rng)
    return labels


def _stack(board: Board, labels: dict[str, str], rng: np.random.Generator) -> None:
    """Make stacks of some of the pieces, where they may be stacked; high ones are rare."""
    for cell, label in labels.items():
        stack = replace(parse_label(label), height=1 + min(int(rng.geometric(0.55)), 6))
        if not stack.is_empty and stack in board.cell_labels and rng.random() < 0.4:
            labels[cell] = str(stack)


def _in_play(board: Board, rng: np.random.Generator) -> tuple[str, ...]:
    """All colours, or two opposite ones."""
    playing = tuple(c for c in board.colours if c in board.label_words)
    if len(playing) == 4 and rng.random() < 0.4:
        first = int(rng.integers(2))
        return playing[first::2]
    return playing


def _scattered_words(board: Board, rng: np.random.Generator, labels: dict[str, str]) -> dict[str, str]:
    words = [w for w in board.label_words if w != EMPTY]
    cells = rng.permutation(len(board.cells))[: len(words)]
    labels.update({board.cells[c]: w for c, w in zip(cells, words, strict=False)})
    return labels


def _start(board: Board, colour: str, rng: np.random.Generator) -> str:
    start = next((s.start for s in board.seat if s.colour == colour), None)
    return start or str(rng.choice(board.cells))


def _trails(board: Board, colours: tuple[str, ...], rng: np.random.Generator) -> dict[str, str]:
    """Each colour walks from its start space."""
    owners: dict[str, str] = {}
    steps = int(rng.integers(1, 60))
    for colour in colours:
        cell = _start(board, colour, rng)
        for _ in range(steps):
            owners[cell] = colour
            cell = _neighbour(board, cell, rng)
    return owners


def _neighbour(board: Board, cell: str, rng: np.random.Generator) -> str:
    column, row = cell_column_row(cell)
    ways = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    inside = [cell_name(c, r) for c, r in ways if c >= 0 and r >= 0]
    free = [name for name in inside if name in board.cells]
    return str(rng.choice(free)) if free else cell


def _regions(
    board: Board, colours: tuple[str, ...], rng: np.random.Generator, share: float | None = None
) -> dict[str, str]:
    """Each colour owns what is nearest to a place of its own, up to a distance, with ragged edges."""
    middles = board.centres_mm()
    seats = middles[[board.cells.index(_start(board, c, rng)) for c in colours]]
    seats = seats + rng.normal(0, 2 * board.grid.pitch[0], seats.shape)
    far = np.linalg.norm(middles[:, None] - seats, axis=-1) + rng.normal(
        0, 0.5 * board.grid.pitch[0], (len(middles), len(seats))
    )
    share = float(rng.uniform(0.2, 0.95)) if share is None else share
    limit = np.quantile(far.min(axis=1), share)
    nearest = far.argmin(axis=1)
    return {c: colours[nearest[i]] for i, c in enumerate(board.cells) if far[i, nearest[i]] <= limit}


def _scatter(board: Board, colours: tuple[str, ...], rng: np.random.Generator) -> dict[str, str]:
    share = rng.uniform(0.05, 0.95)
    return {c: str(rng.choice(colours)) for c in board.cells if rng.random() < share}


_STYLES = {
    "few": lambda board, colours, rng: {_start(board, colour, rng): colour for colour in colours if rng.random() < 0.5},
    "trails": _trails,
    "regions": _regions,
    "full": lambda board, colours, rng: _regions(board, colours, rng, 1.0),
    "scatter": _scatter,
}


def _crown(board: Board, labels: dict[str, str], colours: tuple[str, ...], rng: np.random.Generator) -> None:
    """Stand each colour's single piece somewhere, mostly among its own."""
    for colour in colours:
        words = [str(board.label_of(name, colour)) for name in board.walkers]
        if not words or rng.random() < 0.04:
            continue
        own = [cell for cell, label in labels.items() if label == colour]
        free = [cell for cell, label in labels.items() if not parse_label(label).kind]
        labels[str(rng.choice(own if own and rng.random() < 0.75 else free))] = str(rng.choice(words))
