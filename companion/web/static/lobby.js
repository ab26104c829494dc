/** Before a game: which game, who plays, what is agreed; resume or begin. */

import { picture } from "./board.js";
import { dot, h, languages, refill } from "./dom.js";
import { speak } from "./page.js";

export class Lobby {
  constructor(main, act, big) {
    this.act = act;
    this.big = big;
    this.left = h("div", { class: "table" });
    this.right = h("div", { class: "side" });
    main.replaceChildren(h("div", { class: "game lobby" }, this.left, this.right));
  }

  show(scene) {
    const typing = this.right.contains(document.activeElement) && document.activeElement.tagName === "INPUT";
    this.scene = scene;
    if (typing && this.shown === scene.game) return;
    this.shown = scene.game;
    const { words } = scene;
    refill(this.left, scene.board ? picture(scene.board.svg) : null);
    const lines = scene.lines.map((line) => h("p", { class: "note" }, line));
    const games = h("div", { class: "list games" }, scene.games.map((one) => h("button", {
      id: `game-${one.game}`, "aria-pressed": one.game === scene.game ? "true" : "false", class: one.game === scene.game ? "chosen" : "",
      onclick: () => this.act({ do: "pick", game: one.game }),
    }, one.title)));
    const offers = h("div", { class: "list" }, scene.offers.map((one, place) => h("button", {
      id: `offer-${place}`, "aria-pressed": place === scene.shown ? "true" : "false", class: place === scene.shown ? "chosen" : "",
      onclick: () => this.act({ do: "offer", place }),
    }, one.words)));
    const begin = scene.begin ? h("button", {
      id: "begin", class: "main big", disabled: !scene.playable, onclick: () => this.act({ do: "offer", place: scene.shown, take: true }),
    }, scene.begin) : null;
    if (this.big) {
      refill(this.right, h("h1", {}, scene.title), lines, scene.offers.map((one) => h("p", { class: "note" }, one.words)));
      return;
    }
    refill(this.right, h("h1", {}, scene.title), lines, games, offers,
      scene.refused ? h("p", { class: "note refused" }, scene.refused) : null,
      this.people(scene), begin, this.options(scene),
      h("div", { class: "row" }, h("a", { class: "link", href: "/after" }, words.games), scene.sees ? h("a", { class: "link", href: "/aiming" }, words.aim) : null, words.known.networks ? h("a", { class: "link", href: "/wifi" }, words.wifi) : null, words.known.camera ? h("a", { class: "link", href: "/camera" }, words.camera) : null),
      h("div", { class: "row" }, languages(scene, speak)));
  }

  people(scene) {
    if (!scene.seats.length) return null;
    const rows = scene.seats.map((one) => {
      const plays = h("input", { type: "checkbox", id: `plays-${one.seat}`, checked: one.plays, onchange: () => this.named() });
      const name = h("input", { id: `name-${one.seat}`, value: one.name, maxlength: 24, placeholder: one.colour, "aria-label": one.colour, autocomplete: "off", onchange: () => this.named() });
      return h("li", { "data-seat": one.seat, draggable: false }, plays, h("label", { for: `plays-${one.seat}` }, dot(one.rgb), one.colour), name,
        h("select", { id: `computer-${one.seat}`, "aria-label": `${one.colour}: ${scene.words.computer}`, onchange: () => this.named() },
          [["", "–"], ...Object.entries(scene.levels)].map(([level, words]) => h("option", { value: level, selected: level === one.computer }, words))),
        h("button", { class: "up", "aria-label": `${one.colour} ↑`, onclick: (event) => { event.currentTarget.parentElement.previousElementSibling?.before(event.currentTarget.parentElement); this.named(); } }, "↑"));
    });
    return h("ul", { class: "people" }, rows);
  }

  named() {
    const rows = [...this.right.querySelectorAll(".people li")].filter((row) => row.querySelector("[type=checkbox]").checked);
    if (!rows.length) return;
    document.activeElement?.blur();
    this.act({ do: "people", seats: rows.map((row) => row.dataset.seat), names: rows.map((row) => row.querySelector("input:not([type])").value.trim()),
      computer: Object.fromEntries(rows.map((row) => [row.dataset.seat, row.querySelector("select").value]).filter(([, level]) => level)) });
  }

  options(scene) {
    const rows = scene.options.map((option) => {
      const id = `option-${option.key}`;
      const agree = (value) => this.act({ do: "agree", key: option.key, value });
      const values = Object.entries(option.values);
      const field = values.length
        ? h("select", { id, onchange: (event) => event.target.value && agree(JSON.parse(event.target.value)) },
          option.value === null ? h("option", { value: "" }, "–") : null,
          values.map(([value, meaning]) => h("option", { value: json(value), selected: same(value, option.value) }, meaning)))
        : h("input", { id, type: "number", min: option.span?.[0], max: option.span?.[1], value: option.value ?? "", onchange: (event) => event.target.value && agree(Number(event.target.value)) });
      return h("div", { class: "option" }, h("label", { for: id }, option.title), field, values.length ? null : h("small", {}, option.meaning));
    });
    return rows.length ? h("details", { id: "options" }, h("summary", {}, scene.words.options), rows) : null;
  }
}

/** Return a value of an option as JSON: words stay words. */
function json(value) {
  try { JSON.parse(value); return value; } catch { return JSON.stringify(value); }
}

function same(value, chosen) {
  return chosen !== null && chosen !== undefined && json(value) === JSON.stringify(chosen);
}
