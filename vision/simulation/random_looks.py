"""Random skins and prints, sets of pieces, tables, hands, clutter, light and cameras."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from vision.board import Board, Rgb
from vision.board_sections import PieceSize
from vision.simulation.board_art import LINE_ART
from vision.simulation.canvas import blend
from vision.simulation.occluders import GESTURES, Limbs, reaching_arm
from vision.simulation.scene import (
    Arm,
    Bead,
    BoardSkin,
    Box,
    Limb,
    Mug,
    Occluder,
    PieceShape,
    SceneLight,
    Sensor,
    Spot,
    Surface,
)

MOTIFS = ("rosette", "star", "eyes", "dots", "rings", "frame", "diamond")
_RED = (186, 36, 34)


def hsv_rgb(hue: float, saturation: float, value: float) -> Rgb:
    """Return the colour of a hue, saturation and value from 0 to 1."""
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)


def tinted(colour: Rgb, rng: np.random.Generator, *, hue: float, saturation: float, value: float) -> Rgb:
    """Return a random variation of a colour: hue in turns, saturation and value by factors of about exp(+-x)."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in colour))
    h = (h + rng.uniform(-hue, hue)) % 1
    s = float(np.clip(s * np.exp(rng.uniform(-saturation, 0.6 * saturation)), 0, 1))
    v = float(np.clip(v * np.exp(rng.uniform(-value, value)), 0.03, 0.97))
    return hsv_rgb(h, s, v)


def _print_numbers(skin: BoardSkin, board: Board, rng: np.random.Generator) -> BoardSkin:
    """Return a skin with tints for the numbers on half of the boards, and red for the most probable ones on some.

    Tints near the ground are frequent: a plain cell of a piece's colour looks most like that piece.
    """
    numbers = sorted({number for row in board.grid.numbers for number in row})
    share = rng.uniform(0.05, 0.75)
    patches = {
        n: blend(
            skin.ground,
            hsv_rgb(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.9)),
            share * rng.uniform(0.3, 1),
        )
        for n in numbers
    }
    faint = blend(skin.line if rng.random() < 0.5 else (20, 24, 22), skin.ground, rng.uniform(0.0, 0.9))
    inked = [n for n in numbers if n in (6, 8) or rng.random() < 0.1]
    ink = tinted(_RED, rng, hue=0.04, saturation=0.3, value=0.3)
    return replace(
        skin,
        tints=patches if rng.random() < 0.5 else {},
        number_ink=faint if rng.random() < 0.6 else None,
        second_ink=dict.fromkeys(inked, ink) if rng.random() < 0.4 else {},
        number_size=rng.uniform(0.18, 0.42),
        hole_mm=0.0,
    )


def _ornate(skin: BoardSkin, board: Board, rng: np.random.Generator) -> BoardSkin:
    """Return a skin with rosettes; on many boards every cell has a motif, on a ground of another colour."""
    rosettes = set(rng.choice(board.cells, size=int(rng.integers(4, 12)), replace=False).tolist())
    others = rng.choice([*MOTIFS[2:], ""], size=int(rng.integers(1, 5))) if rng.random() < 0.7 else [""]
    flower = str(rng.choice(MOTIFS[:2], p=[0.75, 0.25]))
    inks = (_ink(skin.ground, rng), _ink(skin.ground, rng))
    ornate = replace(
        skin,
        motifs={cell: flower if cell in rosettes else str(rng.choice(others)) for cell in board.cells},
        motif_inks=inks if rng.random() < 0.8 else (inks[0], inks[0]),
        motif_size=rng.uniform(0.8, 1.15),
        petals=(int(rng.choice([4, 5, 6, 8, 8, 8, 10, 12])), rng.uniform(0.3, 0.75), rng.uniform(-0.7, 0.7)),
        pads=bool(rng.random() < 0.5),
        line_mm=rng.uniform(0.6, 4.5),
        line=inks[int(rng.integers(2))],
    )
    if rng.random() < 0.4:
        return ornate
    return replace(ornate, second=blend(skin.ground, (246, 242, 230), rng.uniform(0.4, 1)), hole_mm=0.0)


def with_line_art(skin: BoardSkin, rng: np.random.Generator) -> BoardSkin:
    """Return a skin with random ornaments instead of none, some or all motifs that are no flowers."""
    drawn = [f"{LINE_ART}{rng.integers(2**31)}" for _ in range(int(rng.integers(1, 6)))]
    share = rng.choice([0.0, 0.5, 1.0], p=[0.3, 0.3, 0.4])
    others = [cell for cell, motif in skin.motifs.items() if motif not in MOTIFS[:2] and rng.random() < share]
    return replace(skin, motifs={**skin.motifs, **{cell: str(rng.choice(drawn)) for cell in others}})


def _ink(ground: Rgb, rng: np.random.Generator) -> Rgb:
    """Return an ink that is visible on the ground: dark or pale, often blue, red or brown."""
    if rng.random() < 0.3:
        return blend((255, 250, 240), ground, rng.uniform(0, 0.3))
    base = ((30, 50, 130), (170, 36, 34), (60, 40, 26), (20, 20, 24), (150, 100, 60))[int(rng.integers(5))]
    return tinted(base, rng, hue=0.04, saturation=0.4, value=0.35)


_GROUNDS: tuple[tuple[Rgb, str], ...] = (
    ((236, 234, 228), "speckle"),  # paper
    ((226, 212, 178), "speckle"),  # cream
    ((150, 152, 158), "speckle"),  # grey
    ((196, 200, 202), "speckle"),
    ((92, 58, 38), "wood"),  # walnut
    ((176, 124, 80), "wood"),
    ((206, 168, 118), "wood"),  # maple
    ((40, 106, 70), "mottle"),  # felt
    ((24, 74, 48), "mottle"),
    ((222, 186, 134), "mottle"),  # ornate
    ((48, 66, 112), "mottle"),  # blue felt
    ((118, 44, 46), "mottle"),  # red leather
    ((44, 42, 46), "speckle"),  # slate
)
_TABLES: tuple[tuple[str, Rgb, Rgb], ...] = (
    ("wood", (112, 76, 50), (70, 44, 28)),
    ("wood", (58, 38, 28), (34, 22, 16)),
    ("planks", (190, 140, 90), (140, 94, 54)),
    ("planks", (150, 110, 74), (104, 72, 44)),
    ("cloth", (52, 84, 140), (40, 64, 112)),
    ("cloth", (150, 40, 44), (120, 30, 36)),
    ("cloth", (60, 110, 70), (44, 84, 52)),
    ("cloth", (214, 206, 190), (190, 180, 164)),
    ("marble", (226, 226, 224), (150, 148, 144)),
    ("marble", (60, 62, 66), (130, 128, 124)),
    ("plain", (224, 222, 218), (208, 206, 202)),
    ("plain", (40, 40, 44), (52, 52, 56)),
    ("plain", (150, 146, 140), (136, 132, 126)),
)
_SKINS: tuple[Rgb, ...] = (
    (244, 206, 180),
    (224, 172, 140),
    (198, 142, 108),
    (160, 106, 76),
    (112, 74, 54),
    (72, 46, 34),
)


def any_colour(rng: np.random.Generator, saturation: tuple[float, float] = (0.0, 0.9)) -> Rgb:
    """Return a colour of any hue."""
    return hsv_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(0.1, 0.95))


def random_skin(board: Board, rng: np.random.Generator) -> BoardSkin:
    """Return a random skin of a board."""
    base, weave = _GROUNDS[int(rng.integers(len(_GROUNDS)))]
    ground = tinted(base, rng, hue=0.03, saturation=0.4, value=0.2)
    light_ground = sum(ground) > 330
    ink = (
        blend((0, 0, 0), ground, rng.uniform(0.1, 0.5))
        if light_ground
        else blend((255, 250, 235), ground, rng.uniform(0, 0.5))
    )
    darker = blend(ground, (0, 0, 0) if rng.random() < 0.7 else (255, 250, 240), rng.uniform(0.06, 0.3))
    second = None if rng.random() < 0.55 else tinted(darker, rng, hue=0.03, saturation=0.3, value=0.05)
    pale = rng.uniform(0, 0.5) if rng.random() < 0.5 else 0.0
    skin = BoardSkin(
        ground=ground,
        second=second,
        frame=ground if rng.random() < 0.6 else tinted(base, rng, hue=0.04, saturation=0.4, value=0.4),
        line=ink,
        line_mm=rng.uniform(0.4, 1.6),
        ring=ink if rng.random() < 0.35 else None,
        ring_mm=rng.uniform(0.55, 0.85) * min(board.grid.pitch),
        hole=blend((10, 10, 10), ground, rng.uniform(0, 0.35)),
        hole_mm=0.0 if rng.random() < 0.06 else rng.uniform(2.0, 4.2),
        zones={
            s.colour: blend(tinted(s.rgb, rng, hue=0.025, saturation=0.3, value=0.3), ground, pale) for s in board.seat
        },
        zone_text=str(rng.choice(["", "colour", "title"])),
        serif=bool(rng.random() < 0.4),
        text=ink if rng.random() < 0.4 else (245, 240, 228),
        start=str(rng.choice(["square", "ring", "none"], p=[0.5, 0.38, 0.12])),
        start_opacity=rng.uniform(0.4, 1.0),
        border=ink if rng.random() < 0.5 else None,
        grain=rng.uniform(0.03, 0.4),
        weave=weave,
        quiet_mm=rng.uniform(3.0, 5.0),
        thickness_mm=rng.uniform(1.0, 9.0),
    )
    if board.grid.numbers:
        return _print_numbers(skin, board, rng)
    return _ornate(skin, board, rng) if board.pads else skin


def random_set(board: Board, rng: np.random.Generator) -> tuple[dict[str, PieceShape], dict[str, Rgb]]:
    """Return a random set of pieces: a shape for each kind of tee, a tint for each colour."""
    gloss = rng.uniform(0.05, 1.0)
    head = str(rng.choice(["ball", "cup", "disc", "cone", "mushroom"], p=[0.35, 0.25, 0.12, 0.14, 0.14]))
    shapes = {}
    for kind, piece in board.pieces.items():
        if piece.shape == "tee":
            shapes[kind] = _random_tee(rng, piece, head, gloss)
        elif piece.shape == "disc":  # its height is nearly the table file's because discs are stacked
            diameter = (piece.diameter or 20.0) * rng.uniform(0.85, 1.12)
            foot = diameter * rng.uniform(0.86, 1.0)
            shapes[kind] = PieceShape(
                head=str(rng.choice(["puck", "disc", "pebble"], p=[0.65, 0.2, 0.15])),
                head_mm=diameter,
                height_mm=piece.height * rng.uniform(0.9, 1.12),
                stem_mm=foot,
                foot_mm=foot,
                gloss=gloss,
                mark=str(rng.choice(["", "dots", "ring", "spot"], p=[0.5, 0.25, 0.15, 0.1])),
            )
    lively, bright = rng.uniform(0.05, 0.5), rng.uniform(-0.2, 0.2)
    tints = {}
    for seat in board.seats_and_saved:
        lifted = blend(seat.rgb, (255, 255, 255) if bright > 0 else (0, 0, 0), abs(bright))
        tints[seat.colour] = tinted(lifted, rng, hue=0.025, saturation=lively, value=0.28)
    return shapes, tints


def bought_tints(board: Board, rng: np.random.Generator) -> dict[str, Rgb]:
    """Return the colours of a bought set: those of the table file, hardly varied."""
    return {seat.colour: tinted(seat.rgb, rng, hue=0.01, saturation=0.1, value=0.06) for seat in board.seats_and_saved}


def _random_tee(rng: np.random.Generator, size: PieceSize, head: str, gloss: float) -> PieceShape:
    """Return a random tee; the one with a dot gets its own head, often the same."""
    dot_mm = size.dot_diameter
    if dot_mm is not None and rng.random() < 0.6:
        head = str(rng.choice(["cup", "disc", "mushroom", "cone"]))
    dot = None if dot_mm is None else "ball" if head == "cup" or rng.random() < 0.3 else "flat"
    stem = rng.uniform(3.0, 5.0) * (1.15 if dot else 1)
    return PieceShape(
        head=head,
        head_mm=(size.head_diameter or 12.0) * rng.uniform(0.85, 1.12),
        height_mm=size.height * rng.uniform(0.9, 1.08),
        stem_mm=stem,
        foot_mm=stem * rng.uniform(0.6, 1.0),
        dot=dot,
        dot_mm=(dot_mm or 0.0) * rng.uniform(0.78, 1.15),
        gloss=gloss,
    )


def random_surface(rng: np.random.Generator) -> Surface:
    """Return a random table top."""
    kind, first, second = _TABLES[int(rng.integers(len(_TABLES)))]
    shift = float(rng.uniform(-0.3, 0.3))
    ends = [
        blend(
            tinted(c, rng, hue=0.04, saturation=0.3, value=0.05),
            (255, 255, 255) if shift > 0 else (0, 0, 0),
            abs(shift),
        )
        for c in (first, second)
    ]
    return Surface(kind, ends[0], ends[1], rng.uniform(25, 90), rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.0))


def random_limbs(rng: np.random.Generator) -> Limbs:
    """Return the random look of an arm: skin, sleeve and size."""
    return Limbs(
        skin=tinted(_SKINS[int(rng.integers(len(_SKINS)))], rng, hue=0.02, saturation=0.25, value=0.12),
        sleeve=any_colour(rng),
        sleeve_from_mm=rng.uniform(130, 330),
        size=rng.uniform(0.8, 1.12),
        left_handed=bool(rng.random() < 0.5),
    )


def random_arm(board: Board, rng: np.random.Generator) -> Arm:
    """Return an arm that reaches over the board, from any side."""
    tip = rng.uniform(0.12, 0.88, 2) * board.size
    limbs = random_limbs(rng)
    outwards = np.arctan2(tip[1] - board.size[1] / 2, tip[0] - board.size[0] / 2) + rng.normal(0, 0.8)
    angle = outwards if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
    gesture = str(rng.choice(GESTURES, p=[0.25, 0.25, 0.15, 0.15, 0.2]))
    height = rng.uniform(20, 60)
    return reaching_arm(board, (tip[0], tip[1]), side=float(angle), gesture=gesture, height_mm=height, limbs=limbs)


def random_mugs(board: Board, rng: np.random.Generator, count: int) -> tuple[Mug, ...]:
    """Return mugs on the board's corners, or anywhere on it."""
    mugs = []
    for _ in range(count):
        corner = rng.integers(0, 2, 2) * np.array(board.size)
        inwards = np.sign(np.array(board.size) / 2 - corner) * rng.uniform(-10, 45, 2)
        place = corner + inwards if rng.random() < 0.75 else rng.uniform(0.1, 0.9, 2) * board.size
        mugs.append(_mug(place[0], place[1], 0.0, rng))
    return tuple(mugs)


def _mug(x: float, y: float, z: float, rng: np.random.Generator) -> Mug:
    radius, height = rng.uniform(33, 44), rng.uniform(75, 105)
    return Mug(float(x), float(y), z, radius, height, any_colour(rng, (0, 0.8)), rng.uniform(0, 2 * np.pi))


def random_clutter(board: Board, rng: np.random.Generator) -> tuple[Occluder, ...]:
    """Return a few dice, books, telephones, pencils, coins and mugs on the table, clear of the board."""
    things: list[Occluder] = []
    for _ in range(int(rng.integers(0, 5))):
        angle = rng.uniform(0, 2 * np.pi)
        half, towards = np.array(board.size) / 2, np.array([np.cos(angle), np.sin(angle)])
        edge = 1 / max(np.abs(towards) / half)
        size = _SIZES_MM[int(rng.integers(len(_SIZES_MM)))]
        place = half + (edge + 0.75 * max(size) + rng.uniform(10, 200)) * towards
        if rng.random() < 0.15:
            x, y = place + 30 * towards
            things.append(_mug(x, y, -4.0, rng))
        elif rng.random() < 0.2:  # a pencil
            way = angle + np.pi / 2 + rng.normal(0, 0.3)
            along = 75 * np.array([np.cos(way), np.sin(way)])
            first, last = (Bead(float(x), float(y), 0.0, 3.6) for x, y in (place - along, place + along))
            things.append(Arm((Limb(first, last, any_colour(rng)),)))
        else:
            x, y = place.tolist()
            things.append(Box(x, y, -4.0, size, rng.uniform(0, 2 * np.pi), any_colour(rng)))
    return tuple(things)


_SIZES_MM = (
    (16.0, 16.0, 16.0),
    (14.0, 14.0, 14.0),
    (72.0, 150.0, 8.0),
    (60.0, 90.0, 20.0),
    (22.0, 22.0, 2.0),
    (130.0, 190.0, 25.0),
)


_Range = tuple[float, float]
_BY_TIER: Mapping[str, tuple[str, ...]] = {
    "easy": ("even", "even", "daylight"),
    "medium": ("even", "window", "window", "glare", "lamp"),
    "hard": ("window", "dim", "warm", "side", "sun", "glare", "lamp"),
    "occluded": ("even", "window", "window", "warm", "sun", "lamp", "dim"),
}


@dataclass(frozen=True, slots=True)
class _Room:
    """Ranges from which the light of a kind of room is drawn.

    Attributes:
        slope_deg, far_mm: the lamp's angle over the table, and its distance.
        lamp, penumbra: as `SceneLight` has them.
        kelvin: colour of a glowing body.
        glare, glare_width: of the lamp's mirror image; values to choose from are a list.
        panes: whether the mirrored lamp may be a window with panes.
        dark: share of the light that a dim room has.
        spot: there is a narrow cone of light on part of the board, or somebody's shadow.
    """

    slope_deg: _Range
    far_mm: _Range
    lamp: _Range
    penumbra: _Range
    kelvin: _Range
    glare: _Range | list[float] | None = None
    glare_width: _Range = (0.0, 0.0)
    panes: bool = False
    dark: _Range | None = None
    spot: bool = False


_WINDOW = _Room((25, 60), (700, 2000), (0.4, 0.75), (0.12, 0.35), (4000, 8000), [0.0, 0.15, 0.4], (0.1, 0.25))
_ROOMS: Mapping[str, _Room] = {
    "even": _Room((45, 85), (900, 3000), (0.2, 0.5), (0.2, 0.5), (4500, 6500)),
    "daylight": _WINDOW,
    "window": _WINDOW,
    "dim": _Room((25, 70), (600, 2500), (0.3, 0.75), (0.05, 0.3), (2700, 5500), dark=(0.08, 0.4)),
    "warm": _Room((30, 75), (500, 1500), (0.5, 0.85), (0.04, 0.2), (2300, 3200)),
    "side": _Room((15, 35), (450, 1500), (0.55, 0.85), (0.04, 0.2), (3000, 7000)),
    "sun": _Room((25, 65), (20000, 30000), (0.65, 0.9), (0.005, 0.03), (4500, 6500)),
    "glare": _Room((35, 70), (500, 1200), (0.3, 0.7), (0.03, 0.2), (2700, 6500), (0.4, 4.0), (0.04, 0.14), panes=True),
    "lamp": _Room((40, 80), (400, 900), (0.3, 0.7), (0.02, 0.15), (2700, 5000), spot=True),
}


def random_light(board: Board, rng: np.random.Generator, tier: str) -> SceneLight:
    """Return a room's random light for a tier."""
    kind = str(rng.choice(_BY_TIER[tier]))
    room, (width, height) = _ROOMS[kind], board.size
    # 1. A dim room's colour, or a cone of light or shadow.
    dark = rng.uniform(*room.dark) if room.dark else 1.0
    gain = _warmth(rng, room.kelvin, dark) if room.dark else None
    spot = None
    if room.spot:
        spot = Spot(
            float(rng.uniform(0, width)),
            float(rng.uniform(0, height)),
            radius_mm=rng.uniform(0.2, 0.7) * width,
            strength=rng.uniform(0.2, 1.2) if rng.random() < 0.6 else -rng.uniform(0.2, 0.65),
            edge_mm=rng.uniform(4, 80),
        )
    # 2. A place above the board.
    angle, slope = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(*room.slope_deg))
    far_mm = rng.uniform(*room.far_mm)
    out = far_mm * np.cos(slope)
    at = width / 2 + out * np.cos(angle), height / 2 + out * np.sin(angle), far_mm * np.sin(slope)
    # 3. How much light the lamp gives, its colour, and its mirror image.
    light = SceneLight(
        (float(at[0]), float(at[1]), float(at[2])),
        lamp=rng.uniform(*room.lamp),
        penumbra=rng.uniform(*room.penumbra),
        gain_rgb=gain or _warmth(rng, room.kelvin),
        spot=spot,
    )
    if room.glare is None:
        return light
    glare = rng.choice(room.glare) if isinstance(room.glare, list) else rng.uniform(*room.glare)
    light = replace(light, glare=float(glare), glare_width=rng.uniform(*room.glare_width))
    if room.panes:
        light = replace(light, glare_panes=int(rng.choice([0, 1, 2, 3], p=[0.6, 0.1, 0.2, 0.1])))
    return replace(light, glare=0.0) if kind == "daylight" else light


def _warmth(rng: np.random.Generator, kelvin: _Range, level: float = 1.0) -> tuple[float, float, float]:
    """Return the approximate colour of a black body relative to daylight: red and blue vary in opposite ways."""
    mired = 1e6 / rng.uniform(*kelvin) - 1e6 / 5500
    return float(np.exp(mired * 0.0019) * level), level, float(np.exp(-mired * 0.0031) * level)


def random_sensor(rng: np.random.Generator, tier: str, size_wh: tuple[int, int]) -> Sensor:
    """Return a random sensor, with larger errors of exposure and white balance in harder tiers."""
    miss = {"easy": 0.04, "medium": 0.11, "hard": 0.13, "occluded": 0.1}[tier]
    red, blue = np.exp(rng.normal(0, miss, 2))
    unit = size_wh[0] / 1640
    return Sensor(
        exposure=float(np.exp(rng.normal(-0.12, 2.2 * miss))),
        white_rgb=(float(red), 1.0, float(blue)),
        contrast=rng.uniform(-0.15, 0.45),
        saturation=rng.uniform(0.8, 1.2),
        noise=float(rng.choice([0.8, 1.5, 3.0, 5.0], p=[0.35, 0.35, 0.2, 0.1])),
        blotch=rng.uniform(0, 1.5),
        vignette=rng.uniform(0, 0.35),
        blur_px=float(max(0.35, rng.normal(0.75, 0.3) * unit)),
        shake_px=(float(rng.normal(0, 0.8) * unit), float(rng.normal(0, 0.8) * unit)),
        sharpen=float(rng.choice([0.0, 0.4, 0.9], p=[0.5, 0.3, 0.2])),
        jpeg=int(rng.integers(60, 96)),
    )
