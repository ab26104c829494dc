/** The table as SVG, in mm, from the table file's own numbers; what is on it is described for those who listen. */

import { s } from "./dom.js";

const FIGURES = { king: "♚", queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟" };
const SIGNS = { wrong: "!", place: "+", doubt: "?" };

/** Return the drawing of a scene's board. `tap` is called with a cell's name; null if cells cannot be tapped. */
export function drawn(scene, tap) {
  const { board } = scene;
  const [x, y, width, height] = frame(board);
  const svg = s("svg", { viewBox: `${x} ${y} ${width} ${height}`, class: "drawing", role: tap ? "group" : "img", "aria-label": scene.words.board });
  svg.append(s("rect", { class: "table", x, y, width, height, rx: 8 }));
  for (const zone of board.zones) {
    const [x, y, w, d] = zone.at;
    svg.append(s("rect", { x, y, width: w, height: d, rx: 4, fill: zone.rgb, opacity: 0.45 }));
  }
  for (const [side, rgb] of Object.entries(board.zones.length ? {} : scene.edges ?? {})) svg.append(edge(side, [x, y, width, height], rgb));
  for (const [name, cell] of Object.entries(board.cells)) svg.append(ground(name, cell, board, scene));
  for (const line of board.lines) svg.append(s("polyline", { class: "line", points: line.map((point) => point.join(",")).join(" ") }));
  svg.append(names(board));
  for (const [name, cell] of Object.entries(board.cells)) {
    svg.append(s("g", { class: "thing", "data-thing": name }, things(name, scene)));
    if (tap) svg.append(button(name, cell, board, scene, tap));
  }
  return svg;
}

/** Return x, y, width and height of what is drawn: the cells and zones with room for letters, without the markers. */
function frame(board) {
  const [w, d] = board.pitch, room = 0.55 * Math.min(w, d, 60);
  const cells = Object.values(board.cells).map((cell) => [cell.x - w / 2, cell.y - d / 2, cell.x + w / 2, cell.y + d / 2]);
  const zones = board.zones.map(({ at: [x, y, across, down] }) => [x + room * 0.7, y + room * 0.7, x + across - room * 0.7, y + down - room * 0.7]);
  const all = [...cells, ...zones];
  const [left, top] = [0, 1].map((side) => Math.min(...all.map((box) => box[side])) - room);
  const [right, bottom] = [2, 3].map((side) => Math.max(...all.map((box) => box[side])) + room);
  return [left, top, right - left, bottom - top];
}

/** Draw again only the cells that have changed since another scene of the same board. */
export function redraw(svg, scene, before) {
  for (const name of Object.keys(scene.board.cells)) {
    const moved = differs(scene.cells, before.cells, name);
    if (!moved && !differs(scene.marks, before.marks, name)) continue;
    const group = svg.querySelector(`[data-thing="${name}"]`);
    group.setAttribute("class", moved ? "thing new" : "thing");
    group.replaceChildren(...things(name, scene));
    svg.querySelector(`#cell-${name}`)?.setAttribute("aria-label", said(name, scene));
  }
}

function differs(one, other, name) {
  return JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name]);
}

function things(name, scene) {
  const { board } = scene, cell = board.cells[name], thing = scene.cells?.[name], mark = scene.marks?.[name];
  return [...(thing ? piece(thing, cell, board) : []), ...(mark ? marked(mark, cell, board) : [])];
}

function said(name, scene) {
  const words = [name, scene.cells?.[name]?.say ?? scene.words.empty];
  if (scene.marks?.[name]) words.push(scene.words[scene.marks[name]]);
  return words.join(", ");
}

function edge(side, [left, top, width, height], rgb) {
  const flat = side === "top" || side === "bottom";
  const x = left + (side === "right" ? width - 9 : 3), y = top + (side === "bottom" ? height - 9 : 3);
  return s("rect", { x, y, width: flat ? width - 6 : 6, height: flat ? 6 : height - 6, rx: 3, fill: rgb });
}

function ground(name, cell, board, scene) {
  const [w, d] = board.pitch;
  const group = s("g", {});
  group.append(s("rect", {
    class: `cell${cell.dark ? " dark" : ""}${cell.pad ? " pad" : ""}`,
    x: cell.x - w / 2 + 0.6, y: cell.y - d / 2 + 0.6, width: w - 1.2, height: d - 1.2, rx: Math.min(w, d) * 0.08,
  }));
  if (cell.number !== null) group.append(text(cell.number, cell.x, cell.y, Math.min(w, d) * 0.42, "print"));
  const below = scene.below?.[name];
  if (below) group.append(text(below, cell.x, cell.y + d * 0.38, Math.min(w, d) * 0.2, "print"));
  return group;
}

/** Letters of the columns and numbers of the rows, in the margin of the table. */
function names(board) {
  const [w, d] = board.pitch, [x0, y0] = board.origin, group = s("g", { "aria-hidden": "true" });
  const columns = new Set(), rows = new Set();
  for (const name of Object.keys(board.cells)) {
    columns.add(name[0]);
    rows.add(Number(name.slice(1)));
  }
  const size = Math.min(w, d, x0 * 0.8) * 0.34;
  for (const letter of columns) group.append(text(letter, x0 + (letter.charCodeAt(0) - 64.5) * w, y0 - size * 0.8, size, "name"));
  for (const row of rows) group.append(text(row, x0 - size * 0.9, y0 + (row - 0.5) * d, size, "name"));
  return group;
}

function text(what, x, y, size, kind, fill = null) {
  return s("text", { x, y, "font-size": size, class: kind, fill, "text-anchor": "middle", "dominant-baseline": "central" }, String(what));
}

function piece(thing, cell, board) {
  if (thing.card) return card(thing, cell, board);
  const room = Math.min(...board.pitch) * 0.86;
  const size = Math.min(room, Math.max(thing.mm, room * (thing.special ? 0.72 : 0.5)));
  if (!thing.plain) return [text(FIGURES[thing.piece] ?? thing.sign, cell.x, cell.y, room * 0.86, "figure")];
  const shapes = [];
  const shown = Math.min(thing.high, 4);
  for (let level = shown - 1; level >= 0; level -= 1) {
    shapes.push(s("circle", { class: "piece", cx: cell.x, cy: cell.y + level * size * 0.1, r: size / 2, fill: thing.rgb }));
  }
  if (thing.special) shapes.push(s("circle", { cx: cell.x, cy: cell.y, r: size * 0.2, fill: "#ffffff", stroke: "#000000", "stroke-width": 0.6 }));
  const sign = thing.high > 1 ? thing.high : thing.special ? "" : thing.sign;
  if (sign) shapes.push(text(sign, cell.x, cell.y, size * 0.5, "sign", thing.ink));
  return shapes;
}

function card(thing, cell, board) {
  const [w, d] = board.card ?? board.pitch.map((pitch) => pitch * 0.85);
  const shapes = [s("rect", { class: `card ${thing.card === "back" ? "back" : ""}`, x: cell.x - w / 2, y: cell.y - d / 2, width: w, height: d, rx: 5 })];
  const covering = thing.on.find((one) => one.covers);
  if (thing.card !== "back" && !covering) shapes.push(text(thing.card, cell.x, cell.y - d * 0.22, d * 0.24, "sign", thing.ink));
  for (const one of thing.on) {
    const r = one.covers ? w * 0.4 : w * 0.26;
    const y = one.covers ? cell.y : cell.y + d * 0.2;
    shapes.push(one.covers
      ? s("rect", { class: "piece", x: cell.x - r, y: cell.y - r, width: 2 * r, height: 2 * r, rx: 3, fill: one.rgb })
      : s("circle", { class: "piece", cx: cell.x, cy: y, r, fill: one.rgb }));
    const sign = one.covers && thing.text ? thing.text.replace(/\+.*$/, "") : one.sign;
    shapes.push(text(sign, cell.x, one.covers && thing.on.length > 1 ? cell.y - r * 0.55 : y, r * 0.8, "sign", one.ink));
  }
  return shapes;
}

function marked(mark, cell, board) {
  const [w, d] = board.pitch, size = Math.min(w, d) * 0.34;
  const x = cell.x + w / 2 - size * 0.55, y = cell.y - d / 2 + size * 0.55;
  return [
    s("rect", { class: `mark ${mark}`, x: cell.x - w / 2 + 1.5, y: cell.y - d / 2 + 1.5, width: w - 3, height: d - 3, rx: 3 }),
    s("circle", { class: `flag ${mark}`, cx: x, cy: y, r: size * 0.5 }),
    text(SIGNS[mark], x, y, size * 0.8, `flag-sign ${mark}`),
  ];
}

function button(name, cell, board, scene, tap) {
  const [w, d] = board.pitch;
  const press = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return moved(event, name);
    event.preventDefault();
    return tap(name);
  };
  return s("rect", {
    class: "tap", id: `cell-${name}`, "data-cell": name, x: cell.x - w / 2, y: cell.y - d / 2, width: w, height: d,
    role: "button", tabindex: name === (scene.at ?? Object.keys(board.cells)[0]) ? 0 : -1, "aria-label": said(name, scene),
    onclick: press, onkeydown: press,
  });
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Move the focus to the next cell in a direction: one stop of the tab key for the whole board. */
function moved(event, name) {
  const step = ARROWS[event.key];
  if (!step) return;
  event.preventDefault();
  let column = name.charCodeAt(0), row = Number(name.slice(1));
  for (let tried = 0; tried < 26; tried += 1) {
    column += step[0];
    row += step[1];
    const next = document.getElementById(`cell-${String.fromCharCode(column)}${row}`);
    if (next) {
      event.currentTarget.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
      return;
    }
  }
}
