"""The simulated table as frozen values: a board with pieces in mm, a camera, lamps, hands and mugs.

Everything is in the board's frame (x right, y down, z up, mm) unless a name says otherwise. Colours are sRGB bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from vision.board import Board, Rgb
from vision.geometry import Lens, Pose
from vision.simulation.decks.deck import Deck
from vision.simulation.figures import Figure


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A card: its word (a face or the back), its cell, its middle, its rotation clockwise."""

    word: str
    cell: str
    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class SceneTile:
    """A tile: its suit (a seat's colour), the text in its corner, its cell, its middle, its rotation clockwise."""

    suit: str
    value: str
    cell: str
    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class TileArt:
    """The material and print of a set of tiles.

    Attributes:
        size_mm, height_mm: of a tile.
        base: colour of the wood or card; `edge`: of its sides.
        inks: colour of each suit's print.
        symbols: name of each suit's symbol, one of `card_art.SYMBOLS`.
        symbol_mm: the symbol's width.
        symbol_at_mm: where the symbol is, off the tile's middle (x, y).
        frame_mm: width of the line round the face, 0 for none; `inset_mm`: how far from the edge.
        value_mm: height of the text in the corner, 0 for none.
        tint: how much of the ink's colour the ground of a face has, 0 to 1.
        inverted: the face is of the ink's colour, and printed in the base's.
    """

    size_mm: float
    height_mm: float
    base: Rgb
    edge: Rgb
    inks: Mapping[str, Rgb]
    symbols: Mapping[str, str]
    symbol_mm: float = 22.0
    symbol_at_mm: tuple[float, float] = (0.0, 0.0)
    frame_mm: float = 1.0
    inset_mm: float = 3.0
    value_mm: float = 8.0
    tint: float = 0.0
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class CardLayout:
    """Cards on a board and tiles on the cards.

    Attributes:
        deck: draws the cards.
        lift_mm: height of a card's edge over the board, which casts its shadow.
        cards, tiles: the cards and tiles.
        art: the print of the tiles.
    """

    deck: Deck
    cards: tuple[SceneCard, ...]
    tiles: tuple[SceneTile, ...]
    art: TileArt
    lift_mm: float = 0.5


Point3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SceneCamera:
    """A pose with its lens, and the picture's width and height in pixels."""

    pose: Pose
    size_wh: tuple[int, int]


@dataclass(frozen=True, slots=True)
class BoardSkin:
    """The print of a board. Lengths in mm.

    Attributes:
        ground, second: colours of the cells; with `second` they alternate like a chess board.
        frame: colour of the margin outside the cells.
        line, line_mm: the lines between cells; `line_mm` 0 for none.
        ring: colour of thin circles round the holes, of `ring_mm` diameter; None for none.
        hole, hole_mm: the dot in the middle of each cell; `hole_mm` 0 for none.
        zones: a colour for each seat's zone and start mark, by the seat's colour word.
        zone_text: "" | "colour" | "title".
        start: "square" | "ring" | "none", and how opaque a square is.
        grain: strength of the ground's texture, 0 to 1; `weave`: "speckle" | "wood" | "mottle".
        quiet_mm: white border round a marker.
        text: colour of the zones' words, `serif` their letters; `border`: of the lines round board and zones.
        thickness_mm: of the board; its upper face is z = 0, the table is that much lower.
        tints: a ground of its own for each number printed on the cells.
        number_ink: of the numbers, if not that of the lines; second_ink: of some of them; number_size: height of the
            digits, in cells.
        motifs: what is printed in a cell beside its number, by the cell: one of random_looks.MOTIFS, or "".
        motif_inks: the two colours that motifs are printed in; motif_size: 1 for the usual one.
        petals: of a rosette: how many, how wide over long, and how much they are twisted, in radians.
        pads: printed frames for the places beside the cells.
    """

    ground: Rgb = (222, 212, 190)
    second: Rgb | None = None
    frame: Rgb = (222, 212, 190)
    line: Rgb = (60, 40, 30)
    line_mm: float = 0.7
    ring: Rgb | None = None
    ring_mm: float = 22.0
    hole: Rgb = (30, 28, 26)
    hole_mm: float = 3.0
    zones: Mapping[str, Rgb] = field(default_factory=dict)
    zone_text: str = "colour"
    text: Rgb = (245, 240, 230)
    serif: bool = False
    start: str = "square"
    start_opacity: float = 0.8
    border: Rgb | None = None
    grain: float = 0.2
    weave: str = "speckle"
    quiet_mm: float = 4.0
    thickness_mm: float = 4.0
    tints: Mapping[int, Rgb] = field(default_factory=dict)
    number_ink: Rgb | None = None
    second_ink: Mapping[int, Rgb] = field(default_factory=dict)
    number_size: float = 0.3
    motifs: Mapping[str, str] = field(default_factory=dict)
    motif_inks: tuple[Rgb, Rgb] = ((40, 60, 140), (170, 40, 40))
    motif_size: float = 1.0
    petals: tuple[int, float, float] = (8, 0.5, 0.35)
    pads: bool = False


@dataclass(frozen=True, slots=True)
class PieceShape:
    """One kind of piece as a solid of revolution. Lengths in mm.

    `head`: "ball" | "cone" | "cup" | "disc" | "mushroom" | "puck" | "pebble"; `dot`: None | "flat" | "ball" (white, on
    the head); `mark`: "" | "dots" | "ring" | "spot", inlaid in a flat top, pale on a dark piece, dark on a pale one.
    """

    head: str = "ball"
    head_mm: float = 12.0
    height_mm: float = 22.0
    stem_mm: float = 4.0
    foot_mm: float = 3.0
    dot: str | None = None
    dot_mm: float = 8.0
    gloss: float = 0.6
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ScenePiece:
    """A piece on the table.

    Attributes:
        kind, colour: keys of the board's pieces and of the scene's tints.
        x_mm, y_mm, z_mm: place of its foot.
        cell: its cell.
        lean_mm: offset of its top from its foot (x, y).
        tone: its lightness relative to its colour, about 1.
        turn_rad: rotation about its axis.
    """

    kind: str
    colour: str
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    cell: str | None = None
    lean_mm: tuple[float, float] = (0.0, 0.0)
    tone: float = 1.0
    turn_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A cone of light on the table: middle, radius and width of its edge, and its strength over the rest of the light,
    negative for the shadow of something that is not in the picture.
    """

    x_mm: float
    y_mm: float
    radius_mm: float
    strength: float
    edge_mm: float = 20.0


@dataclass(frozen=True, slots=True)
class SceneLight:
    """One lamp (or the sun) and ambient light.

    Attributes:
        lamp_mm: the lamp's place; the sun is a lamp very far away.
        lamp: the lamp's share of the light in the board's middle, 0 to 1; the rest is ambient.
        penumbra: radius of the lamp over its distance: 0.005 is the sun, 0.3 a window.
        gain_rgb: colour of the light, around 1.
        glare: strength of the lamp's reflection on the surfaces; `glare_width` its angular width in radians.
        glare_mm: place of the reflected lamp, if it is another one.
        glare_panes: number of panes across if the reflected lamp is a window; 0 for a round lamp.
        spot: an additional cone of light.
    """

    lamp_mm: Point3 = (228.0, -600.0, 900.0)
    lamp: float = 0.5
    penumbra: float = 0.15
    gain_rgb: tuple[float, float, float] = (1.0, 1.0, 1.0)
    glare: float = 0.0
    glare_width: float = 0.08
    glare_mm: Point3 | None = None
    glare_panes: int = 0
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class Bead:
    """A ball of radius `r` at (x, y, z), mm; a limb is the hull of two beads."""

    x: float
    y: float
    z: float
    r: float


@dataclass(frozen=True, slots=True)
class Limb:
    """The hull of two beads (a round cone) in one colour; `folds`: depth of cloth folds, 0 for skin."""

    start: Bead
    end: Bead
    colour: Rgb
    folds: float = 0.0


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm over the board, or a pencil, made of limbs."""

    limbs: tuple[Limb, ...]


@dataclass(frozen=True, slots=True)
class Mug:
    """A mug on the board or the table, its foot at (x, y, z); the handle points to `handle_rad`."""

    x_mm: float
    y_mm: float
    z_mm: float
    radius_mm: float
    height_mm: float
    colour: Rgb
    handle_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """A book, die, telephone or rubber: a box of `size_mm` (width, depth, height) whose foot is at z = `z_mm`."""

    x_mm: float
    y_mm: float
    z_mm: float
    size_mm: Point3
    turn_rad: float
    colour: Rgb


Occluder = Arm | Mug | Box


@dataclass(frozen=True, slots=True)
class SceneObjective:
    """An objective card next to the board: number, the side that is up, its middle in mm, its rotation clockwise."""

    number: int
    side: Literal["face", "back"]
    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class Surface:
    """The table's top: "plain" | "wood" | "planks" | "cloth" | "marble", two colours, the pattern's size."""

    kind: str = "wood"
    colour: Rgb = (120, 84, 56)
    second: Rgb = (84, 54, 34)
    scale_mm: float = 60.0
    turn_rad: float = 0.0
    gloss: float = 0.5


@dataclass(frozen=True, slots=True)
class Sensor:
    """The camera's sensor and lens errors.

    Attributes:
        exposure: factor on the light; 1 shows white paper in the board's middle at about 225 of 255.
        white_rgb: error of the white balance, factors around 1.
        contrast: 0 is neutral, positive deepens shadows and lifts lights.
        noise: standard deviation in grey levels; `blotch` that of slow colour noise.
        vignette: share of light lost in the corners.
        blur_px: standard deviation of the lens's blur; `shake_px` (x, y): length and direction of a motion blur.
        sharpen: strength of the halo that cameras draw round edges.
        jpeg: quality of the compression, or None.
        covered: share of the light that is blocked in front of the lens.
    """

    exposure: float = 1.0
    white_rgb: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 0.0
    saturation: float = 1.0
    noise: float = 1.5
    blotch: float = 0.5
    vignette: float = 0.15
    blur_px: float = 0.6
    shake_px: tuple[float, float] = (0.0, 0.0)
    sharpen: float = 0.0
    jpeg: int | None = None
    covered: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in one picture; without `board_present` the table is bare, and `board` only sets its middle.

    `layout` has the cards on the board under the pieces, if there are any; `objective` is a card next to it.
    """

    board: Board
    camera: SceneCamera
    pieces: tuple[ScenePiece, ...] = ()
    skin: BoardSkin = BoardSkin()
    shapes: Mapping[str, PieceShape] = field(default_factory=dict)
    tints: Mapping[str, Rgb] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    light: SceneLight = SceneLight()
    occluders: tuple[Occluder, ...] = ()
    clutter: tuple[Occluder, ...] = ()
    surface: Surface = Surface()
    sensor: Sensor = Sensor()
    board_present: bool = True
    layout: CardLayout | None = None
    objective: SceneObjective | None = None


def camera_over(
    board: Board,
    size_wh: tuple[int, int],
    *,
    hfov_deg: float = 62.0,
    tilt_deg: float = 10.0,
    turn_deg: float = 0.0,
    roll_deg: float = 0.0,
    distance_mm: float | None = None,
    aim_mm: tuple[float, float] = (0.0, 0.0),
    k1: float = 0.0,
) -> SceneCamera:
    """Return a camera over a board.

    Args:
        board: the table.
        size_wh: the picture's width and height in pixels.
        hfov_deg: horizontal field of view.
        tilt_deg: angle between the optical axis and the vertical.
        turn_deg: angle about the board; 0 is at the board's bottom edge.
        roll_deg: rotation about the optical axis.
        distance_mm: from the lens to the aim; None: the nearest distance from which all markers are visible.
        aim_mm: offset of the aim from the board's middle (x, y).
        k1: the lens's first radial distortion coefficient.
    """
    focal_px = size_wh[0] / 2 / np.tan(np.radians(hfov_deg) / 2)
    lens = Lens(float(focal_px), Lens.middle_of(size_wh), k1)
    # the camera's right, down and forward directions in the board's frame, as rows: tilted, rolled and turned
    tilt, turn, roll = np.radians((tilt_deg, turn_deg, roll_deg))
    right, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, np.cos(tilt), -np.sin(tilt)])
    c, s = np.cos(roll), np.sin(roll)
    rows = np.array([c * right + s * down, c * down - s * right, (0.0, -np.sin(tilt), -np.cos(tilt))])
    c, s = np.cos(turn), np.sin(turn)
    matrix = np.asarray(rows @ np.array([(c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0)]), np.float64)
    target = np.array([board.size[0] / 2 + aim_mm[0], board.size[1] / 2 + aim_mm[1], 0.0])

    def at(distance_mm: float) -> SceneCamera:
        return SceneCamera(Pose.from_matrix(lens, matrix, target - distance_mm * matrix[2]), size_wh)

    if distance_mm is not None:
        return at(distance_mm)
    distances = 0.6 * max(board.size) * 1.02 ** np.arange(200)
    return next((at(d) for d in distances if sees_board(at(d), board)), at(distances[-1]))


def sees_board(camera: SceneCamera, board: Board) -> bool:
    """Return whether all of a board's markers are in the picture, with a margin."""
    pixels = camera.pose.project_at(board.markers.corners_mm().reshape(-1, 2), 0.0)
    room = 0.015 * camera.size_wh[0]
    return bool((pixels > room).all() and (pixels < np.array(camera.size_wh) - room).all())
