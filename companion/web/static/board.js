/** The table as the server draws it, as SVG in mm; here things on cells are swapped, marked and made to be tapped. */

import { s } from "./dom.js";

const SIGNS = { wrong: "!", place: "+", doubt: "?" };

// our own server's drawings only; no script in them would run: the page's policy forbids it
const policy = window.trustedTypes?.createPolicy("drawing", { createHTML: (markup) => markup });

/** Return an <svg> element that the server wrote. */
export function picture(markup) {
  const read = new DOMParser().parseFromString(policy ? policy.createHTML(markup) : markup, "image/svg+xml");
  return document.importNode(read.documentElement, true);
}

/** Return an outline to lay over a picture, through points in fractions of its width and height. */
export function outline(points) {
  return s("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", class: "outline", "aria-hidden": "true" }, s("polygon", { points: points.join(" ") }));
}

/** Return the drawing of a scene's board. `tap` is called with a cell's name; null if cells cannot be tapped. */
export function drawn(scene, tap) {
  const svg = picture(scene.board.svg);
  svg.setAttribute("role", tap ? "group" : "img");
  svg.setAttribute("aria-label", scene.words.board);
  for (const name of Object.keys(scene.board.cells)) {
    svg.append(s("g", { class: "thing", "data-thing": name }));
    if (tap) svg.append(button(name, scene, tap));
  }
  redraw(svg, scene, {});
  return svg;
}

/** Draw again only the cells that have changed since another scene of the same board. */
export function redraw(svg, scene, before) {
  define(svg, scene.art ?? {});
  for (const [name, box] of Object.entries(scene.board.cells)) {
    const art = scene.cells?.[name]?.art, mark = scene.marks?.[name];
    const moved = art !== before.cells?.[name]?.art;
    if (!moved && mark === before.marks?.[name]) continue;
    const group = svg.querySelector(`[data-thing="${name}"]`);
    group.setAttribute("class", moved && before.cells ? "thing new" : "thing");
    const [x, y, width, height] = box;
    group.replaceChildren(...(art ? [s("use", { href: `#${art}`, x: x + width / 2, y: y + height / 2 })] : []), ...(mark ? marked(mark, box) : []));
    svg.querySelector(`#cell-${name}`)?.setAttribute("aria-label", said(name, scene));
  }
}

/** Add the definitions that are not in the drawing yet. */
function define(svg, art) {
  const fresh = Object.keys(art).filter((id) => !svg.getElementById(id));
  if (fresh.length) svg.prepend(...picture(`<svg xmlns="http://www.w3.org/2000/svg"><defs>${fresh.map((id) => art[id]).join("")}</defs></svg>`).childNodes);
}

function said(name, scene) {
  const words = [name, scene.cells?.[name]?.say ?? scene.words.empty];
  if (scene.marks?.[name]) words.push(scene.words[scene.marks[name]]);
  return words.join(", ");
}

function marked(mark, [left, top, width, height]) {
  const size = Math.min(width, height) * 0.34;
  const x = left + width - size * 0.55, y = top + size * 0.55;
  return [
    s("rect", { class: `mark ${mark}`, x: left + 1.5, y: top + 1.5, width: width - 3, height: height - 3, rx: 3 }),
    s("circle", { class: `flag ${mark}`, cx: x, cy: y, r: size * 0.5 }),
    s("text", { x, y, "font-size": size * 0.8, class: `flag-sign ${mark}`, "text-anchor": "middle", "dominant-baseline": "central" }, SIGNS[mark]),
  ];
}

function button(name, scene, tap) {
  const [x, y, width, height] = scene.board.cells[name];
  const press = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return moved(event, name);
    event.preventDefault();
    return tap(name);
  };
  return s("rect", {
    class: "tap", id: `cell-${name}`, x, y, width, height, role: "button",
    tabindex: name === Object.keys(scene.board.cells)[0] ? 0 : -1, "aria-label": said(name, scene), onclick: press, onkeydown: press,
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
