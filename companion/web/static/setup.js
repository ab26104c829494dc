/** Set-up step by step: the lens, the pieces' colours, a board of one's own, the network of the house. */

import { outline } from "./board.js";
import { ask, h, post, refill, withLanguage } from "./dom.js";

async function told(path) {
  return (await ask(withLanguage(path))).json();
}

/** Pictures are taken one by one; then a task uses them, and what it found is shown. */
export async function workshop(main, page) {
  const words = await told("/workshop");
  main.replaceChildren(h("section", { class: "narrow wide" }, h("h1", {}, page.setup), words.tasks.map((one) => task(one, words, page)),
    h("a", { class: "link", href: "/aiming" }, page.aim), h("a", { class: "link", href: "/" }, page.back_to_page)));
}

function task({ do: what, title, text }, words, page) {
  const said = h("div", { role: "status" }), pictures = h("div", {});
  let taken = 0, corners = [];
  const game = what === "lens" ? null : h("select", { id: `game-${what}`, "aria-label": title }, Object.entries(words.games).map(([name, called]) => h("option", { value: name }, called)));
  const bare = h("input", { id: "bare", type: "checkbox" });
  const take = async (empty) => {
    const answer = await post("/workshop", { do: "take", empty, first: taken === 0 });
    tell(answer.lines ?? []);
    if (answer.lines?.length !== 0) return;
    taken = answer.taken;
    number.textContent = String(taken);
    if (taken === 1) corners = [];
    go.disabled = what === "board" && corners.length < 4;
    if (what !== "board" || taken > 1) return;
    const image = h("img", { class: "view", alt: page.seen });
    image.src = URL.createObjectURL(await (await ask("/raw.jpg")).blob());
    await image.decode();
    URL.revokeObjectURL(image.src);
    refill(pictures, h("p", { class: "note" }, words.corners), marked(image));
  };
  const marked = (image) => {
    const dots = h("div", { class: "aimed", onclick: (event) => {
      const box = image.getBoundingClientRect();
      corners = [...corners, [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]].slice(-4);
      for (const old of dots.querySelectorAll(".corner, .outline")) old.remove();
      dots.append(outline(corners));
      for (const [place, [x, y]] of corners.entries()) {
        const dot = h("span", { class: "corner" }, place + 1);
        dot.style.left = `${x * 100}%`;
        dot.style.top = `${y * 100}%`;
        dots.append(dot);
      }
      go.disabled = corners.length < 4;
    } }, image);
    return dots;
  };
  const tell = (lines) => refill(said, lines.map((line) => h("p", { class: "note" }, line)));
  const number = h("output", { class: "digits" }, "0");
  const go = h("button", { id: `go-${what}`, class: "main", disabled: true, onclick: async () => {
    tell([page.wait]);
    tell((await post("/workshop", { do: what, ...(game ? { game: game.value } : {}), ...(what === "board" ? { corners, markers: !bare.checked } : {}) })).lines ?? []);
    taken = 0;
    number.textContent = "0";
    go.disabled = true;
  } }, words.go);
  const button = (id, empty, called) => h("button", { id, onclick: () => take(empty) }, called);
  return h("details", { id: `task-${what}` }, h("summary", {}, title[0].toUpperCase() + title.slice(1)), h("p", {}, text), what === "board" ? h("label", {}, bare, words.bare) : null, game,
    h("div", { class: "row" }, button(`take-${what}`, false, words.take), what === "pieces" ? button("take-empty", true, words.take_empty) : null, number, go), pictures, said);
}

/** The networks in reach; the box joins one of them. */
export async function networks(main, page) {
  const { words, networks: inReach, current, failed } = await told("/networks");
  const said = h("p", { role: "status" }, failed ? words.failed.replace("{name}", failed) : "");
  const name = h("input", { id: "network", maxlength: 32, list: "networks", value: inReach[0] ?? "", autocapitalize: "off", autocomplete: "off" });
  const password = h("input", { id: "password", type: "password", maxlength: 64, autocomplete: "off" });
  const join = async (event) => {
    event.preventDefault();
    const answer = await post("/networks", { name: name.value, password: password.value });
    said.textContent = answer.joining ? words.joining.replace("{name}", answer.joining) : words.failed.replace("{name}", name.value);
  };
  main.replaceChildren(h("section", { class: "narrow" }, h("h1", {}, page.wifi), current ? h("p", { class: "note" }, current) : null,
    h("form", { class: "narrow", onsubmit: join }, h("label", { for: "network" }, words.name), name, h("datalist", { id: "networks" }, inReach.map((one) => h("option", { value: one }))),
      h("label", { for: "password" }, words.password), password, h("button", { class: "main" }, words.join)),
    said, h("a", { class: "link", href: "/" }, page.back_to_page)));
}
