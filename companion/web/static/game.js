/** A game on the page: the table, whose turn it is, and everything that can be done. */

import { drawn, picture, redraw } from "./board.js";
import { ask, dot, h, languages, memory, refill } from "./dom.js";
import { say, speak, speaks, voice } from "./page.js";

/** What each part of the page shows of a scene; it is drawn by the method of its name. */
const PARTS = {
  head: ["banner", "turn", "attention", "seat", "players", "title", "over", "paused"],
  board: ["board", "cells", "marks", "sees", "paused", "over"],
  said: ["message", "verdict", "notes", "activity", "thrown", "played"],
  clock: ["clock", "clock_words"],
  buttons: ["buttons"],
  choices: ["choices", "shown", "possible", "moment", "explain", "undo", "redo", "over", "paused", "buttons", "numbers", "turn"],
  score: ["players", "counting"],
  beside: ["facts", "drawings", "slider", "agreed"],
};

export class Game {
  constructor(main, act, big, watches) {
    this.act = act;
    this.big = big;
    this.watches = watches;
    this.parts = {};
    for (const name of Object.keys(PARTS)) this.parts[name] = h("section", { class: `part ${name}` });
    this.answers = h("div", { class: "answers", role: "status" });
    this.line = h("input", { id: "line", autocomplete: "off", maxlength: 200, enterkeyhint: "send" });
    this.asked = h("label", { for: "line" });
    this.form = h("form", { class: "part type", onsubmit: (event) => { event.preventDefault(); this.type(this.line.value); } },
      this.asked, h("div", { class: "row" }, this.line, h("button", { class: "main", id: "send" }, "↵")));
    this.questions = h("details", { id: "questions", class: "part" });
    this.dialog = h("dialog", {});
    this.rules = h("section", { class: "part rules" });
    this.parts.board.addEventListener("focusin", (event) => { this.cell = event.target.id.slice("cell-".length); });
    const { head, clock, board, said, buttons, choices, score, beside } = this.parts;
    const left = h("div", { class: "table" }, board);
    const right = h("div", { class: "side" }, head, clock, said, beside, buttons, choices, ...(big ? [] : [this.form, this.questions, this.answers]), score, ...(big && !watches ? [] : [this.rules]));
    main.replaceChildren(h("div", { class: "game" }, left, right), this.dialog);
  }

  show(scene, changed) {
    const before = this.scene;
    this.scene = scene;
    for (const [part, keys] of Object.entries(PARTS)) if (!before || keys.some((key) => changed.has(key))) this[part](scene, before);
    if (!before) this.menu(scene);
    this.mine(scene);
    document.body.dataset.over = scene.over;
    document.body.dataset.played = scene.played;
  }

  /** A phone that is one player's has the controls when it is that player's turn. */
  mine(scene) {
    const own = scene.players.find((one) => one.seat === memory.get("seat"));
    const acts = !own || own.acting || scene.paused || scene.over || !scene.players.some((one) => one.acting);
    for (const part of [this.parts.buttons, this.parts.choices]) part.hidden = !acts;
    this.form.hidden = !acts || scene.over || scene.paused;
    if (own && acts && this.acts === false) navigator.vibrate?.(80);
    this.acts = acts;
  }

  head(scene) {
    const player = scene.over ? null : scene.players.find((one) => one.seat === scene.seat);
    const words = [h("h1", { class: scene.attention || "turn" }, player ? dot(player.rgb) : null, scene.banner)];
    if (scene.turn) words.push(h("p", { class: "prompt" }, scene.turn));
    refill(this.parts.head, h("p", { class: "title" }, scene.title), words);
  }

  board(scene, before) {
    const tappable = !(this.big || scene.over || scene.paused);
    const same = before && ["board", "language"].every((key) => before[key] === scene[key]) && tappable === this.tappable;
    if (same) {
      redraw(this.parts.board.firstChild, scene, before);
      return;
    }
    this.tappable = tappable;
    refill(this.parts.board, drawn(scene, tappable ? (cell) => this.tap(cell) : null));
  }

  said(scene, before) {
    const lines = [];
    if (scene.thrown !== null && scene.verdict === "confirmed") {
      const fresh = !before || before.played !== scene.played;
      lines.push(h("p", { class: fresh ? "die rolls" : "die", "aria-hidden": "true" }, scene.thrown));
    }
    if (scene.message) lines.push(h("p", { class: `message ${scene.verdict}` }, scene.message));
    for (const note of scene.notes) lines.push(h("p", { class: "note" }, note));
    if (scene.activity) lines.push(h("p", { class: "note" }, scene.activity));
    refill(this.parts.said, lines);
  }

  clock(scene) {
    const low = scene.clock !== null && scene.clock <= 10;
    refill(this.parts.clock, scene.clock_words ? h("p", { class: low ? "time low" : "time", role: "timer" }, scene.clock_words) : null);
  }

  buttons(scene) {
    if (this.big) return;
    const order = ["done", "roll", "back", "mode"];
    const does = Object.fromEntries(scene.buttons.map((one) => [one.button, one]));
    refill(this.parts.buttons, order.map((button) => this.button(button, does[button], scene)));
  }

  button(button, known, scene) {
    let timer = null;
    let held = false;
    const down = () => {
      held = false;
      timer = setTimeout(() => { held = true; this.press(button, true); }, 800);
    };
    const up = () => clearTimeout(timer);
    return h("button", {
      id: `button-${button}`, class: `panel ${button}`, "aria-disabled": known ? null : "true",
      onpointerdown: down, onpointerup: up, onpointerleave: up, onpointercancel: up,
      oncontextmenu: (event) => event.preventDefault(),
      onclick: () => { if (!held) this.press(button, false); },
    }, h("b", {}, scene.words[button]), h("span", {}, known?.does ?? ""));
  }

  async press(button, held) {
    await this.told(await this.act({ do: "press", button, held }));
  }

  choices(scene) {
    if (this.big) return;
    const [least, most] = scene.numbers ?? [0, 0];
    const counted = scene.counts.some(Boolean);
    const number = h("input", { id: "number", type: "number", min: least, max: most, value: document.getElementById("number")?.value ?? least, "aria-label": scene.turn });
    const listed = scene.choices.map((words, place) => h("button", {
      id: `choice-${place}`, class: place === scene.shown ? "chosen" : "", "aria-pressed": place === scene.shown ? "true" : "false",
      onclick: async () => this.told(await this.act({ do: "choose", place, number: scene.counts[place] ? Number(number.value) : null })),
    }, words));
    const possible = scene.possible.map((words, place) => h("button", {
      id: `possible-${place}`, onclick: () => this.type(String(place + 1)),
    }, words));
    const step = (what) => h("button", { id: `step-${what}`, onclick: async () => this.told(await this.act({ do: "step", what })) }, scene.words[what]);
    const steps = scene.paused ? [] : [scene.undo && !scene.buttons.some((one) => one.code === "take-back") ? step("undo") : null, scene.redo ? step("redo") : null, scene.over ? null : step("hint"),
      scene.over ? null : h("button", { id: "step-pause", onclick: () => this.press("mode", true) }, scene.words.pause)];
    refill(this.parts.choices, scene.over ? h("a", { class: "link", href: "/after" }, scene.words.games) : null, counted ? h("div", { class: "row" }, number) : null, h("div", { class: "list" }, listed, possible), h("div", { class: "row steps" }, steps));
    this.asked.textContent = scene.explain;
  }

  score(scene) {
    const rows = scene.players.map((one) => h("tr", { class: one.acting ? "acting" : "" },
      h("th", { scope: "row" }, dot(one.rgb), one.name, one.lamp ? h("small", {}, one.lamp) : null, one.note ? h("small", {}, one.note) : null),
      h("td", {}, one.points)));
    const counting = scene.counting.length ? h("details", { id: "counting" }, h("summary", {}, scene.words.score), scene.counting.map((line) => h("p", {}, line))) : null;
    refill(this.parts.score, h("table", {}, h("tbody", {}, rows)), counting);
  }

  beside(scene) {
    const parts = [...scene.agreed, ...scene.facts].map((fact) => h("p", { class: "fact" }, fact));
    if (scene.slider) parts.push(h("p", { class: "fact" }, `${scene.words.slider} ${scene.slider} `, h("span", { class: "slider", "aria-hidden": "true" }, "●".repeat(scene.slider))));
    for (const drawing of scene.drawings) parts.push(h("figure", {}, h("figcaption", {}, drawing.title), drawing.svg ? h("div", { class: "card" }, picture(drawing.svg)) : h("pre", {}, drawing.rows.join("\n"))));
    refill(this.parts.beside, parts);
  }

  /** Rules, signs and the language: what is not part of the turn. */
  menu(scene) {
    if (this.big && !this.watches) return;
    const { words } = scene;
    refill(this.questions, h("summary", {}, words.ask_about), h("div", { class: "row" }, Object.entries(words.questions).map(([question, name]) =>
      h("button", { id: `question-${question}`, onclick: async () => this.told(await this.act({ do: "type", line: `ask ${question} ${this.cell ?? ""}` })) }, name))));
    const asks = (line) => h("button", { id: `ask-${line.replace(" ", "-")}`, onclick: () => this.read(line) }, words[line] ?? line);
    const seats = h("select", { id: "mine", onchange: (event) => { memory.set("seat", event.target.value); this.mine(this.scene); } },
      [["", words.all], ...scene.players.map((one) => [one.seat, one.name])].map(([seat, name]) => h("option", { value: seat, selected: seat === memory.get("seat") }, name)));
    const own = this.watches ? [] : [asks("rules all"), asks("legend"), asks("terms"), scene.sees ? h("button", { id: "seen", onclick: () => this.look() }, words.seen) : null,
      words.known.admits ? [h("button", { id: "invite", onclick: () => this.invite("/invite", words.invite) }, words.invite),
        h("button", { id: "invite-watch", onclick: () => this.invite("/invite?watch", words.invite_watch) }, words.invite_watch)] : null,
      scene.sees ? h("a", { class: "link", href: "/aiming" }, words.aim) : null, words.known.camera ? h("a", { class: "link", href: "/camera" }, words.camera) : null,
      h("label", { for: "mine" }, words.mine), seats];
    refill(this.rules, h("div", { class: "row" }, own,
      "speechSynthesis" in window ? h("label", {}, h("input", { id: "voice", type: "checkbox", checked: speaks(), onchange: (event) => voice(event.target.checked) }), words.voice) : null, languages(scene, speak)));
  }

  async type(line) {
    if (!line.trim()) return;
    const answer = await this.act({ do: "type", line });
    if (answer.status === 200 && !answer.stale) this.line.value = "";
    await this.told(answer);
  }

  /** Show the camera's picture with its reading drawn over it. */
  async look() {
    const answer = await ask("/seen.jpg");
    if (answer.status !== 200) return;
    const address = URL.createObjectURL(await answer.blob());
    const close = () => { this.dialog.close(); URL.revokeObjectURL(address); };
    refill(this.dialog, h("button", { class: "close", onclick: close, "aria-label": "✕" }, "✕"), h("img", { class: "view", src: address, alt: this.scene.words.seen }));
    this.dialog.showModal();
  }

  /** Show an answer that is long enough for a page of its own. */
  async read(line) {
    const answer = await this.act({ do: "type", line });
    if (!answer.lines) return;
    refill(this.dialog, h("div", { class: "reading" }, answer.lines.map((one) => h("p", {}, one))), h("button", { class: "close", onclick: () => this.dialog.close(), "aria-label": "✕" }, "✕"));
    this.dialog.showModal();
  }

  /** Show the code that admits one more phone, or spectators. */
  async invite(path, words) {
    const answer = await ask(path);
    if (!answer.ok) return;
    const address = URL.createObjectURL(await answer.blob());
    const close = () => { this.dialog.close(); URL.revokeObjectURL(address); };
    refill(this.dialog, h("img", { class: "code", src: address, alt: words }), h("p", { class: "digits" }, answer.headers.get("x-code")),
      h("button", { class: "close", onclick: close, "aria-label": "✕" }, "✕"));
    this.dialog.showModal();
  }

  /** Show what was answered; nothing answered takes the last answer off. */
  async told(answer) {
    const lines = answer.stale ? [this.scene.words.stale] : answer.lines ?? [];
    refill(this.answers, lines.map((line) => h("p", {}, line)));
    say(lines, false);
  }

  /** A tap sets what is on a cell if a camera looks; otherwise it names the cell in the line that is being typed. */
  async tap(cell) {
    if (!this.scene.sees) {
      this.line.value = `${this.line.value.trim()} ${cell}`.trim();
      this.line.focus({ preventScroll: true });
      return;
    }
    const { words } = this.scene;
    const answer = await this.act({ do: "cell", cell });
    const labels = Object.entries(answer.labels ?? {});
    if (!labels.length) {
      this.line.value = `${words.cell} ${cell} `;
      this.line.focus();
      return;
    }
    const close = () => this.dialog.close();
    refill(this.dialog, h("h2", {}, cell), h("div", { class: "list" }, labels.map(([label, name]) => h("button", {
      onclick: async () => { close(); await this.told(await this.act({ do: "cell", cell, label })); },
    }, name)), h("button", { class: "close", onclick: close }, "✕")));
    this.dialog.showModal();
  }
}
