/** Admits this phone: by six digits, or by DONE at the table. */

import { h, post } from "./dom.js";

export class Pairing {
  constructor(main, words, done) {
    this.words = words;
    this.done = done;
    this.said = h("p", { role: "status" });
    this.code = h("input", { id: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 6, pattern: "[0-9]{6}" });
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); this.enter(); } },
      h("label", { for: "code" }, words.code), this.code, h("button", { class: "main" }, "OK"));
    const asks = h("button", { onclick: () => this.ask() }, words.ask);
    main.replaceChildren(h("section", { class: "narrow" }, h("h1", {}, words.join), form, asks, this.said));
    this.code.focus();
  }

  async enter() {
    const answer = await post("/pair", { code: this.code.value.trim() });
    if (answer.ok) this.done();
    else this.said.textContent = this.words.wrong_code;
  }

  async ask() {
    const asked = await post("/pair", {});
    if (!asked.secret) return;
    this.said.textContent = this.words.press.replace("{number}", asked.number);
    const until = Date.now() + 60000;
    const again = async () => {
      const answer = await post("/pair", { secret: asked.secret });
      if (answer.ok) this.done();
      else if (Date.now() < until) setTimeout(again, 1500);
      else this.said.textContent = "";
    };
    setTimeout(again, 1500);
  }
}
