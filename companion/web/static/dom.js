/** Small tools: elements, requests, and what is remembered on this phone. */

const SVG = "http://www.w3.org/2000/svg";

/** Return an element: attributes, "on..." listeners and `class`, then children; false and null are left out. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== "").map(unbroken));
  return element;
}

/** Return a text whose spaces before French signs, and after their opening quotes, break no line; a node as it is. */
function unbroken(child) {
  return typeof child === "string" ? child.replace(/ (?=[;:?!%»](\s|$))|(?<=«) /g, "\u00a0") : child;
}

/** Return a dot of a player's colour; null if the player has none. */
export function dot(rgb) {
  if (!rgb) return null;
  const span = h("span", { class: "dot" });
  span.style.backgroundColor = rgb; // the page's policy allows no style in attributes
  return span;
}

/** Put new children into an element; what had the focus has it again if it is still there, known by its id. */
export function refill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.id : "";
  const open = new Set([...element.querySelectorAll("details[open]")].map((one) => one.id));
  element.replaceChildren(...children.flat(3).filter((child) => child));
  for (const one of element.querySelectorAll("details")) if (open.has(one.id)) one.open = true;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

const params = new URLSearchParams(location.search);

export const memory = {
  get(key) {
    try { return localStorage.getItem(key) ?? ""; } catch { return ""; }
  },
  set(key, value) {
    try { localStorage.setItem(key, value); } catch { /* private windows keep nothing */ }
  },
};

/** The language of this phone, "" for that of the table. */
export function language() {
  return params.get("lang") ?? memory.get("language");
}

export function withLanguage(path) {
  return language() ? `${path}?lang=${encodeURIComponent(language())}` : path;
}

/** Return the choice of this phone's language. */
export function languages(scene, speak) {
  const { words } = scene;
  return [h("label", { for: "language" }, words.language), h("select", { id: "language", onchange: (event) => speak(event.target.value) },
    words.languages.split(" ").map((code) => h("option", { value: code, selected: code === (language() || scene.language) }, code.toUpperCase())))];
}

/** The words of the page, in the language of this phone. */
export const page = { words: {} };

/** Ask for something; a failure is said to the user. Return the answer, one with the status 0 if none came. */
export async function ask(path, request = {}) {
  const answer = await fetch(path, request).catch(() => ({ ok: false, status: 0, headers: new Headers() }));
  const { words } = page;
  const failed = answer.ok || [401, 403, 409].includes(answer.status) ? "" : answer.status === 429 ? words.slow : answer.status ? `${words.failed} (${answer.status})` : words.lost;
  const said = document.getElementById("failed");
  said.textContent = failed ?? "";
  said.hidden = !failed;
  return answer;
}

/** Send an object; return the answer as an object with its `status`. */
export async function post(path, body) {
  const answer = await ask(withLanguage(path), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
  return { status: answer.status, ...(isJson ? await answer.json() : {}) };
}
