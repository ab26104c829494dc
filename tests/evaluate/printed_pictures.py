"""Pictures of printed kits: pages drawn from the PDF, pieces of paper with thickness laid on the board, seen in a room.

Room, camera, lamps, hands and sensor are the project's simulation; board and pieces are what the printer gets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import msgspec
import numpy as np

from companion.games.kit import Drawing, KitLine, Mark, Symbol
from companion.games.kit_shapes import moved
from companion.printing.board_face import board_face
from companion.printing.document import Document, page_pictures
from companion.printing.kits import kit_of
from companion.printing.paper import Paper
from companion.printing.pieces import piece_sheet
from companion.printing.table_file import PAPER_MM, checked, printed_table
from companion.printing.themes import THEMES
from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.labels import BACK, COVERED, EMPTY, parse_label
from vision.localization.markers import modules_of
from vision.recognition.marks import modules_at
from vision.simulation.canvas import HEADROOM, Mask, canvas_bgr, cast_rays
from vision.simulation.lighting import SHINE_UNIT, darken, occluder_shadows
from vision.simulation.occluders import coverage
from vision.simulation.optics import StaticTable, lay_table, render_frame
from vision.simulation.outlines import sixteenths
from vision.simulation.random_scene import random_labels, random_scene
from vision.simulation.scene import Box, Scene, SceneCamera
from vision.simulation.truth import seen_share

SIZES_WH = ((1280, 960), (1640, 1232), (2304, 1728), (3280, 2464), (4608, 3456))
"""Pictures of usual cameras, from the smallest."""

_BESIDE = 0.3
"""How far beside the middle of a place a mark may be, in cells."""

_MARGIN = 1.02
"""By how much more pixels a module has than a sure reading needs: the pose is estimated to about one in a hundred."""


def near_scene(plain: Board, board: Board, rng: np.random.Generator, *, tier: str, least_px: float) -> Scene:
    """Make up a scene in the smallest usual picture in which marks have that many pixels a module.

    A camera that is too far away for that is put elsewhere.

    Args:
        plain: the table without marks, which the simulation draws.
        board: the table.
        rng: the only source of chance.
        tier: of `random_scene`.
        least_px: 0 for the smallest usual picture.
    """
    size_wh = SIZES_WH[0] if not least_px else SIZES_WH[1]
    least_px *= _MARGIN
    while True:
        scene = _large_enough(random_scene(plain, rng, tier=tier, labels={}, size_wh=size_wh), board, least_px)
        if module_px(scene.camera, board) >= least_px:
            return scene


def _large_enough(scene: Scene, board: Board, least_px: float) -> Scene:
    """Return the scene in the smallest usual picture in which marks have that many pixels a module."""
    for size_wh in SIZES_WH:
        camera = _resized(scene.camera, size_wh)
        if size_wh[0] >= scene.camera.size_wh[0] and module_px(camera, board) >= least_px:
            break
    ratio = size_wh[0] / scene.camera.size_wh[0]
    shake = tuple(ratio**0.5 * v for v in scene.sensor.shake_px)
    sensor = replace(scene.sensor, blur_px=scene.sensor.blur_px * ratio**0.5, shake_px=(shake[0], shake[1]))
    return replace(scene, camera=camera, sensor=sensor)


def _resized(camera: SceneCamera, size_wh: tuple[int, int]) -> SceneCamera:
    ratio = size_wh[0] / camera.size_wh[0]
    lens = camera.pose.lens
    x, y = ((place + 0.5) * ratio - 0.5 for place in lens.centre_px)
    scaled = replace(lens, focal_px=lens.focal_px * ratio, centre_px=(x, y))
    return SceneCamera(replace(camera.pose, lens=scaled), size_wh)


def module_px(camera: SceneCamera, board: Board) -> float:
    """Return the width in pixels of a module of the smallest mark where it is narrowest on a board.

    Marks may be beside the middle of a place: a disc's symbol, the foot of a figure or the card's other mark is there.
    """
    if board.marks is None:
        return float("inf")
    module_mm = min(board.marks.size_of(part) for part in board.marks.ids) / modules_of(board.marks.dictionary)
    beside = _BESIDE * np.asarray(board.grid.pitch) * [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return float(modules_at((board.places_mm()[:, None] + beside).reshape(-1, 2), module_mm, camera.pose).min())


SHEETS = ("standees", "pawns")
"""The sheets of the kits that have standing figures."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What one strip becomes when it is folded: the faces of its two feet side by side, and that of its figure."""

    foot: Drawing
    upright: Drawing


@cache
def figures_of(game: str) -> Mapping[str, Figure]:
    """Return the standing figures of a kit with markers by their labels; none if it has no such sheet."""
    kit = kit_of(game)
    labels = {number: label for label, number in kit.marks.ids.items()}
    strips = [strip for sheet in kit.sheets(True) if sheet.key in SHEETS for strip in sheet.fronts]
    return dict(_folded(strip, labels) for strip in strips)


def _folded(strip: Drawing, labels: Mapping[int, str]) -> tuple[str, Figure]:
    back, front = sorted((item for item in strip.items if isinstance(item, Mark)), key=lambda mark: mark.centre[1])
    first, second, third = sorted(item.start[1] for item in strip.items if isinstance(item, KitLine))
    symbol = next(item for item in strip.items if isinstance(item, Symbol) and item.turn_deg == 0.0)
    width, high = strip.width_mm, second - first
    upright = Symbol(symbol.name, (width / 2, high / 2), symbol.size_mm, symbol.colours)
    foot = Drawing(width, 2 * first, (back, moved(front, 0.0, first - third)))
    return labels[back.number], Figure(foot, Drawing(width, high, (upright,)))


_INK, _PAPER_WHITE = 26, 240
"""Ink is not black, and paper not white: levels of both under light in which white is 255."""

_OFF_MM, _OFF_ON_CARD_MM, _OFF_DEG = 1.6, 3.0, 6.0
"""How far off their places things are at most, and how much they are turned."""

_OUTSHONE = 0.5
"""Mirrored light over that of white paper, from which on black and white can hardly be distinguished."""

_CARD_MM = 0.4
_EDGE = (206, 200, 190)


@dataclass(frozen=True, slots=True)
class Laid:
    """A cut-out as it is: its foot's height over the board, its thickness, its middle, and its turn clockwise."""

    drawing: Drawing
    cell: str
    x_mm: float
    y_mm: float
    turn_deg: float
    foot_mm: float
    thick_mm: float

    @property
    def top_mm(self) -> float:
        """The height of its face."""
        return self.foot_mm + self.thick_mm

    def corners_mm(self) -> Floats:
        """Corners of its face as drawn, clockwise from the top left, float64 (4, xyz)."""
        return self.placed(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2)

    def outline_mm(self) -> Floats:
        """Points round its face, float64 (n, xyz)."""
        if self.drawing.outline != "circle":
            return self.corners_mm()
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        return self.placed(np.column_stack([np.cos(turn), np.sin(turn)]) / 2)

    def seen_mm(self, _eye_mm: Floats) -> Floats:
        """Points all over its face, float64 (n, xyz)."""
        return self.placed(_STEPS)

    def away_mm(self, eye_mm: Floats) -> float:
        """Return how far its middle is from an eye, over the board."""
        return float(np.hypot(self.x_mm - eye_mm[0], self.y_mm - eye_mm[1]))

    def placed(self, share: Floats, above_mm: Floats | float = 0.0) -> Floats:
        """Place points (n, shares of width and height from the middle) on its face or above it, float64 (n, xyz)."""
        angle = np.radians(self.turn_deg)
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        flat = share * (self.drawing.width_mm, self.drawing.height_mm) @ turn + (self.x_mm, self.y_mm)
        return np.column_stack([flat, np.full(len(flat), self.top_mm) + above_mm])


_STEPS = np.stack(np.meshgrid(*[np.linspace(-0.45, 0.45, 9)] * 2), axis=-1).reshape(-1, 2)
"""Points all over a face, as shares of its width and height from its middle, float64 (n, 2)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A figure on the board: its two feet as they are laid, and the face that stands between them."""

    feet: Laid
    upright: Drawing

    def corners_mm(self) -> Floats:
        """Corners of the upright face as drawn, clockwise from the top left, float64 (4, xyz)."""
        share = np.array([(-0.5, 0), (0.5, 0), (0.5, 0), (-0.5, 0)])
        return self.feet.placed(share, self.upright.height_mm * np.array([1, 1, 0, 0]))

    def seen_mm(self, eye_mm: Floats) -> Floats:
        """Points all over the upright face and the foot on the side of an eye, float64 (n, xyz): figure and foot."""
        along, share = _STEPS[:, 0], _STEPS[:, 1] + 0.5
        upright = self.feet.placed(np.column_stack([along, 0 * along]), share * self.upright.height_mm)
        feet = (self.feet.placed(np.column_stack([along, side * share / 2])) for side in (1, -1))
        near = min(feet, key=lambda foot: np.hypot(*(foot.mean(axis=0)[:2] - eye_mm[:2])))
        return np.concatenate([upright, near])


@dataclass(frozen=True, slots=True, eq=False)
class PrintedPicture:
    """A picture with its truth: labels by place, and the share of each place's uppermost piece that can be seen."""

    board: Board
    image_bgr: ImageBgr
    labels: Mapping[str, str]
    visible: Mapping[str, float]
    module_px: float


@cache
def table_of(game: str, *, marked: bool = True) -> Board:
    """Return the table file of a printed kit."""
    return checked(printed_table(game, marked=marked), game)


@cache
def _drawings(game: str, theme: str, *, marked: bool) -> Mapping[str, tuple[Drawing, ...]]:
    """Return the cut-outs that show each part of a label."""
    kit, board = kit_of(game), shipped_board(game)
    sheets = {sheet.key: sheet for sheet in kit.sheets(marked)}
    pieces = piece_sheet(kit, THEMES[theme], marked=marked).fronts
    kinds = [piece.label for piece in kit.pieces for _number in range(piece.count)]
    found: dict[str, tuple[Drawing, ...]] = dict(zip(kinds, ((drawing,) for drawing in pieces), strict=True))
    if board.card_words:
        cards, flags = sheets["cards"], sheets["flags"].fronts
        found |= {word: (front,) for word, front in zip(board.card_words, cards.fronts, strict=True)}
        found[BACK] = cards.backs[:1]
        each = len(flags) // len(board.colours)
        found |= {f"flag-{c}": flags[each * k : each * (k + 1)] for k, c in enumerate(board.colours)}
    return found


def position(board: Board, rng: np.random.Generator) -> dict[str, str]:
    """Make up labels: cards with things on them, one of each, or what games leave behind."""
    if board.card_words:
        return _cards(board, rng)
    if all(piece.count == 1 for piece in board.pieces.values()):
        return dict(zip(rng.permutation(board.cells).tolist(), board.pieces, strict=False))
    return random_labels(board, rng)


def _cards(board: Board, rng: np.random.Generator) -> dict[str, str]:
    down, flagged = rng.uniform(0.05, 0.6), rng.uniform(0.1, 0.4)
    labels = {}
    pawns = dict(zip(rng.permutation(board.cells).tolist(), board.colours, strict=False))
    for cell, word in zip(board.cells, rng.permutation(board.card_words).tolist(), strict=True):
        is_down = rng.random() < down and cell not in pawns
        flag = f"+flag-{rng.choice(board.colours)}" if rng.random() < flagged else ""
        card = COVERED if flag else BACK if is_down else word
        labels[cell] = card + flag + (f"+pawn-{pawns[cell]}" if cell in pawns else "")
    return labels


def lay(
    board: Board, labels: Mapping[str, str], rng: np.random.Generator, theme: str, *, marked: bool
) -> tuple[Laid, ...]:
    """Lay the cut-outs of a position on the board, from the lowest to the highest."""
    drawings = _drawings(board.game, theme, marked=marked)
    laid: list[Laid] = []
    for place, middle in zip(board.places, board.places_mm(), strict=True):
        label = parse_label(labels.get(place, "empty"))
        parts = label.single.parts()
        if label.card:
            laid += _on_card(drawings, place, middle, parts, board, rng)
        else:
            laid += _stacked(drawings, place, middle, parts * label.height, board, rng)
    return tuple(laid)


def _stacked(
    drawings: Mapping[str, tuple[Drawing, ...]],
    place: str,
    middle: Floats,
    parts: Sequence[str],
    board: Board,
    rng: np.random.Generator,
) -> Iterator[Laid]:
    for level, part in enumerate(parts):
        drawing = drawings[part][0]
        x, y = middle + rng.uniform(-_OFF_MM, _OFF_MM, 2)
        tight = np.hypot(drawing.width_mm, drawing.height_mm) > min(board.grid.pitch)
        free = drawing.outline == "circle" or not tight
        turn = rng.uniform(0, 360) if free else 90 * rng.integers(4) + rng.uniform(-_OFF_DEG, _OFF_DEG)
        yield Laid(drawing, place, float(x), float(y), float(turn), level * PAPER_MM, PAPER_MM)


def _on_card(
    drawings: Mapping[str, tuple[Drawing, ...]],
    place: str,
    middle: Floats,
    parts: Sequence[str],
    board: Board,
    rng: np.random.Generator,
) -> Iterator[Laid]:
    """Yield a card and what is on it: a flag about its middle, a pawn where the flag has its place, or on the card."""
    card, *others = parts
    word = str(rng.choice([BACK, *board.card_words])) if card == COVERED else card
    x, y = middle + rng.uniform(-_OFF_ON_CARD_MM, _OFF_ON_CARD_MM, 2)
    turn = 180 * rng.integers(2) + rng.uniform(-_OFF_DEG, _OFF_DEG)
    yield Laid(drawings[word][0], place, float(x), float(y), float(turn), 0.0, _CARD_MM)
    foot, below = _CARD_MM, None
    for part in others:
        drawing = drawings[part][int(rng.integers(len(drawings[part])))]
        u, v = _place_on(below, (float(x), float(y)), rng)
        angle = 90 * rng.integers(4) + rng.uniform(-_OFF_DEG, _OFF_DEG)
        below = Laid(drawing, place, u, v, float(angle), foot, PAPER_MM)
        foot += PAPER_MM
        yield below


def _place_on(flag: Laid | None, card: tuple[float, float], rng: np.random.Generator) -> tuple[float, float]:
    """Return where a thing is put: the upper right quarter of a flag, or about the middle of a card."""
    if flag is None:
        x, y = np.array(card) + rng.uniform(-_OFF_ON_CARD_MM, _OFF_ON_CARD_MM, 2)
    else:
        corners = flag.corners_mm()[:, :2]
        x, y = 0.72 * corners[1] + 0.28 * corners[3] + rng.uniform(-_OFF_MM, _OFF_MM, 2)
    return float(x), float(y)


def picture(
    game: str,
    rng: np.random.Generator,
    *,
    tier: str,
    least_px: float,
    theme: str = "paper",
    marked: bool = True,
    standing: bool = False,
    bare: bool = False,
) -> PrintedPicture:
    """Make up a picture of a printed kit.

    Args:
        game: whose kit.
        rng: the only source of chance.
        tier: of `random_scene`.
        least_px: pixels that a module of the smallest mark has at least where it is narrowest; the smallest usual
            picture that has them is taken. 0: the smallest usual picture.
        theme: of the print.
        marked: whether pieces bear marks.
        standing: whether pieces of which the kit has standing figures are those.
        bare: whether nothing lies on the board.
    """
    board = table_of(game, marked=marked)
    plain = msgspec.structs.replace(board, marks=None)
    scene = near_scene(plain, board, rng, tier=tier, least_px=least_px)
    labels = dict.fromkeys(board.places, EMPTY) if bare else position(board, rng)
    laid = [] if bare else lay(board, labels, rng, theme, marked=marked)
    figures = figures_of(game) if standing else {}
    laid, upright = _on_feet(laid, labels, figures, rng)
    table = lay_table(scene, rng)
    image = photograph(table, laid, upright, board_picture(game, theme, scale_of(scene)), rng)
    return PrintedPicture(board, image, labels, visible_shares(table, laid, upright), module_px(scene.camera, board))


def _on_feet(
    laid: Sequence[Laid], labels: Mapping[str, str], figures: Mapping[str, Figure], rng: np.random.Generator
) -> tuple[tuple[Laid, ...], tuple[Standing, ...]]:
    """Replace uppermost cut-outs by the feet of standing figures; return the figures, too."""
    cells: dict[str, list[Laid]] = {}
    for one in laid:
        cells.setdefault(one.cell, []).append(one)
    upright = []
    for cell, pile in cells.items():
        figure = figures.get(labels[cell].rpartition("+")[2])
        if figure is not None:
            pile[-1] = _stood(pile, figure, rng)
            upright.append(Standing(pile[-1], figure.upright))
    levels = sorted((one for pile in cells.values() for one in pile), key=lambda one: one.foot_mm)
    return tuple(levels), tuple(upright)


def _stood(pile: Sequence[Laid], figure: Figure, rng: np.random.Generator) -> Laid:
    """Return the feet of a figure in place of a pile's uppermost cut-out.

    It is turned to any side; on a card across it, between its marks, and on a flag with a foot over the flag's edge.
    """
    *below, top = pile
    side = 2 * int(rng.integers(2)) + 1 if len(below) == 1 else int(rng.integers(4))
    turn = 90 * side + (below[0].turn_deg if below else 0.0) + rng.uniform(-_OFF_DEG, _OFF_DEG)
    x, y = top.x_mm, top.y_mm
    if len(below) > 1:
        out = np.array((x - below[-1].x_mm, y - below[-1].y_mm))
        along = np.array((-np.sin(np.radians(turn)), np.cos(np.radians(turn))))
        over = (figure.foot.height_mm - top.drawing.height_mm) / 2
        x, y = (x, y) + np.sign(out @ along) * over * along
    return replace(top, drawing=figure.foot, x_mm=float(x), y_mm=float(y), turn_deg=float(turn))


def photograph(
    table: StaticTable, laid: Sequence[Laid], upright: Sequence[Standing], face: ImageBgr, rng: np.random.Generator
) -> ImageBgr:
    """Return a picture of cut-outs on a board; `face` is what is printed on it, with the scene's `scale_of`."""
    scene = table.scene
    canvas = table.canvas.copy()
    scale = scale_of(scene)
    _lay_face(canvas, scene, face, scale)
    for level in sorted({round(one.foot_mm, 3) for one in laid}):
        here = [one for one in laid if round(one.foot_mm, 3) == level]
        boxes = [_box(one) for one in here]
        darken(canvas, occluder_shadows(scene.camera, scene.light, boxes, level), scene.light)
        for one in sorted(here, key=lambda one: -one.away_mm(scene.camera.pose.eye_mm)):
            _lay_piece(canvas, scene, one, scale)
    for figure in sorted(upright, key=lambda one: -one.feet.away_mm(scene.camera.pose.eye_mm)):
        pixels = scene.camera.pose.project(figure.corners_mm())
        _blend(canvas, _drawn(figure.upright, scale), pixels, _filled(pixels, scene.camera.size_wh))
    return render_frame(replace(table, canvas=canvas), (), scene.occluders, rng)


def scale_of(scene: Scene) -> float:
    """Return the resolution of pages, in pixels a mm: a little more than the picture has."""
    middle = np.array([scene.board.size[0] / 2, scene.board.size[1] / 2, 0.0])
    seen = scene.camera.pose.lens.focal_px / float(np.linalg.norm(scene.camera.pose.eye_mm - middle))
    return float(np.clip(np.ceil(2.4 * seen) / 2, 1.5, 9.0))


@cache
def _drawn(drawing: Drawing, px_per_mm: float) -> ImageBgr:
    """A cut-out as it comes out of the printer, canvas values."""
    document = Document("", THEMES["paper"])
    with document.page(Paper("drawing", drawing.width_mm, drawing.height_mm)) as pen:
        pen.items(drawing.items)
    return inked(next(page_pictures(document.pdf(), px_per_mm)))


@cache
def board_picture(game: str, theme: str, px_per_mm: float) -> ImageBgr:
    """The face of a kit's board as it comes out of the printer, canvas values."""
    board = shipped_board(game)
    document = Document("", THEMES[theme])
    with document.page(Paper("board", *board.size)) as pen:
        pen.items(board_face(board, kit_of(game).board, THEMES[theme]).items)
    return inked(next(page_pictures(document.pdf(), px_per_mm)))


def inked(page: ImageBgr) -> ImageBgr:
    """What a printer makes of a page's colours, canvas values."""
    level = _INK + page.astype(np.float32) * ((_PAPER_WHITE - _INK) / 255)
    return np.asarray(np.round(level / HEADROOM), np.uint8)


def _lay_face(canvas: ImageBgr, scene: Scene, face: ImageBgr, px_per_mm: float) -> None:
    """Put the printed board where the simulated one is, in place."""
    sources = cast_rays(scene.camera)
    at = sources.stretch(sources.on_plane(0.0) * px_per_mm - 0.5)
    x, y = cv2.split(at)
    seen = cv2.remap(face, x, y, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    inside = (x > -0.5) & (y > -0.5) & (x < face.shape[1] - 0.5) & (y < face.shape[0] - 0.5)
    canvas[inside] = seen[inside]


def _box(one: Laid) -> Box:
    """Return the body that casts the shadow: of a disc the largest square in it."""
    share = np.sqrt(0.5) if one.drawing.outline == "circle" else 1.0
    size = (share * one.drawing.width_mm, share * one.drawing.height_mm, one.thick_mm)
    return Box(one.x_mm, one.y_mm, one.foot_mm, size, np.radians(one.turn_deg), _EDGE)


def _lay_piece(canvas: ImageBgr, scene: Scene, one: Laid, px_per_mm: float) -> None:
    """Draw a cut-out's sides and its face, in place."""
    pose = scene.camera.pose
    outline = one.outline_mm()
    both = np.concatenate([outline, outline - (0.0, 0.0, one.thick_mm)])
    hull = cv2.convexHull(sixteenths(pose.project(both)))
    low = np.maximum(hull.reshape(-1, 2).min(axis=0) // 16 - 2, 0)
    high = hull.reshape(-1, 2).max(axis=0) // 16 + 3
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    if patch.size == 0:
        return
    cv2.fillConvexPoly(patch, hull - 16 * low, canvas_bgr(_EDGE), cv2.LINE_AA, 4)
    share = _filled(pose.project(outline) - low, (patch.shape[1], patch.shape[0]))
    _blend(patch, _drawn(one.drawing, px_per_mm), pose.project(one.corners_mm()) - low, share)


def _filled(outline_px: Floats, size_wh: tuple[int, int]) -> Mask:
    """Fill the hull of an outline (n, 2): uint8 (height, width)."""
    mask = np.zeros(size_wh[::-1], np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(sixteenths(outline_px)), 255, cv2.LINE_AA, 4)
    return mask


def _blend(canvas: ImageBgr, face: ImageBgr, corners_px: Floats, mask: Mask) -> None:
    """Draw a face, whose corners are given clockwise from its top left, over what is behind it, in place."""
    height, width = face.shape[:2]
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(whole, corners_px.astype(np.float32))
    size = (canvas.shape[1], canvas.shape[0])
    seen = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    share = mask.astype(np.float32) / 255
    canvas[:] = cv2.blendLinear(np.ascontiguousarray(seen), np.ascontiguousarray(canvas), share, 1 - share)


def visible_shares(table: StaticTable, laid: Sequence[Laid], upright: Sequence[Standing]) -> dict[str, float]:
    """Return the share of each place's uppermost cut-out, or of an empty place's middle, that nothing hides.

    Hands, mugs and other figures hide things, and so does a lamp's mirror image from half of the light of white paper
    on. Of a standing figure its upright face counts, too.
    """
    scene = table.scene
    eye_mm = scene.camera.pose.eye_mm
    covers = [(0.0, coverage(occluder, scene.camera)) for occluder in scene.occluders]
    if table.shine is not None:
        outshone = np.square(table.shine / SHINE_UNIT) >= _OUTSHONE
        covers.append((0.0, outshone.astype(np.uint8) * 255))
    tops: dict[str, Laid | Standing] = {one.cell: one for one in laid}
    tops |= {one.feet.cell: one for one in upright}
    masks = {
        one.feet.cell: (
            one.feet.away_mm(eye_mm),
            _filled(scene.camera.pose.project(one.corners_mm()), scene.camera.size_wh),
        )
        for one in upright
    }
    steps = np.stack(np.meshgrid(*[np.linspace(-0.3, 0.3, 7)] * 2), axis=-1).reshape(-1, 2) * scene.board.grid.pitch
    visible = {}
    for place, middle in zip(scene.board.places, scene.board.places_mm(), strict=True):
        bare = np.column_stack([steps + middle, np.zeros(len(steps))])
        points = tops[place].seen_mm(eye_mm) if place in tops else bare
        others = [mask for cell, mask in masks.items() if cell != place]
        visible[place] = seen_share(scene.camera, [*covers, *others], points)
    return visible
