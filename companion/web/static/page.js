/** The page: follows what the companion shows, and sends what players do. */

import { After } from "./after.js";
import { h, language, memory, page, post, withLanguage } from "./dom.js";
import { Game } from "./game.js";
import { Lobby } from "./lobby.js";
import { Pairing } from "./pairing.js";
import { Aim, PhoneCamera } from "./phone.js";
import { networks, workshop } from "./setup.js";

const main = document.getElementById("main");
const lost = document.getElementById("lost");
const live = document.getElementById("live");

const state = { scene: {}, words: {}, view: null, stream: null, asks: false, heard: null };

/** Do something at the table; the moment that it refers to goes with it, and whose phone this is. */
export async function act(body) {
  if (speaks()) speechSynthesis.cancel();
  const answer = await post("/act", { moment: state.scene.moment ?? "", seat: memory.get("seat"), ...body });
  if (answer.status === 401) pair();
  return answer;
}

function show(changed) {
  const { scene } = state;
  document.documentElement.lang = scene.language ?? "en";
  if (!scene.kind) return;
  const kind = scene.kind === "game" ? Game : scene.kind === "lobby" ? Lobby : null;
  if (kind === null) {
    state.view = null;
    main.replaceChildren(h("p", { class: "wait" }, state.words.wait));
  } else if (!(state.view instanceof kind)) {
    const { watches } = state.words.known;
    live.textContent = "";
    state.view = new kind(main, act, watches || location.pathname === "/table", watches);
    state.view.show(scene, new Set(Object.keys(scene)));
  } else {
    state.view.show(scene, changed);
  }
  document.title = scene.banner ? `${scene.banner} · ${scene.title}` : scene.title ?? "Companion";
}

function follow() {
  state.stream?.close();
  state.scene = {};
  const stream = new EventSource(withLanguage("/events"));
  state.stream = stream;
  stream.onmessage = (event) => {
    lost.hidden = true;
    const patch = JSON.parse(event.data);
    for (const key of ["art", "cells"]) if (patch[key] && state.scene[key]) patch[key] = { ...state.scene[key], ...patch[key] };
    state.scene = { ...state.scene, ...patch, words: state.words };
    show(new Set(Object.keys(patch)));
    news(state.scene.ear);
  };
  stream.onopen = () => { state.scene = {}; state.view = null; };
  stream.onerror = () => {
    lost.textContent = state.words.lost ?? "";
    lost.hidden = false;
    if (stream.readyState === EventSource.CLOSED) setTimeout(begin, 2000);
  };
}

function pair() {
  if (state.asks) return;
  state.asks = true;
  state.stream?.close();
  new Pairing(main, state.words, () => { state.asks = false; begin(); });
}

async function begin() {
  if (state.asks) return;
  try {
    page.words = state.words = await (await fetch(withLanguage("/words"))).json();
    lost.textContent = state.words.lost;
    const known = await fetch("/known");
    if (known.status === 401) { pair(); return; }
    const { secure, watches } = state.words.known = await known.json();
    if (watches) follow();
    else if (location.pathname === "/camera") new PhoneCamera(main, state.words, secure && location.protocol === "http:" ? `${secure}/camera` : "");
    else if (location.pathname === "/aiming") new Aim(main, state.words);
    else if (location.pathname === "/after") new After(main, state.words);
    else if (location.pathname === "/setup") await workshop(main, state.words);
    else if (location.pathname === "/wifi") await networks(main, state.words);
    else follow();
  } catch {
    lost.hidden = false;
    setTimeout(begin, 2000);
  }
}

/** Whether this phone says aloud what happens. */
export function speaks() {
  return memory.get("voice") === "on" && "speechSynthesis" in window;
}

/** Switch the voice on or off; browsers want a touch before the first sentence. */
export function voice(on) {
  memory.set("voice", on ? "on" : "");
  speechSynthesis.cancel();
  if (on) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
}

/** Give screen readers what is new, and say it if this phone has its voice; what was said before the page was opened is not said again. */
function news(ear) {
  const number = ear?.number ?? 0, fresh = number && state.heard !== null && number !== state.heard;
  state.heard = number;
  if (!fresh) return;
  live.replaceChildren(...ear.lines.map((line) => h("p", {}, line)));
  say(ear.lines, ear.interrupts);
}

/** Say lines if this phone has its voice. */
export function say(lines, interrupts) {
  if (!speaks()) return;
  if (interrupts) speechSynthesis.cancel();
  for (const line of lines) {
    const said = new SpeechSynthesisUtterance(line);
    said.lang = state.scene.language;
    speechSynthesis.speak(said);
  }
}

/** Choose the language of this phone. */
export function speak(code) {
  memory.set("language", code);
  begin();
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && state.stream?.readyState === EventSource.CLOSED) begin();
});

if (location.pathname === "/table") document.body.classList.add("tv");
if (language()) document.documentElement.lang = language();
begin();
