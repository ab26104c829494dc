/** After a game: the games played, report, record, a replay with a slider, statistics, pictures with a delete button. */

import { picture } from "./board.js";
import { ask, h, language, post, refill, withLanguage } from "./dom.js";

export class After {
  constructor(main, words) {
    this.words = words;
    this.list = h("div", { class: "list single" });
    this.unfinished = h("div", {});
    this.game = h("section", { class: "part" });
    this.more = h("div", { class: "side" });
    main.replaceChildren(h("div", { class: "game" }, h("div", { class: "table" }, this.game), h("div", { class: "side" },
      h("h1", {}, words.games), this.unfinished, this.list, this.more,
      h("a", { class: "link", href: "/" }, words.back_to_page))));
    this.show();
  }

  async show() {
    const answer = await ask(withLanguage("/games"));
    if (!answer.ok) return;
    const told = await answer.json();
    refill(this.list, told.games.length ? told.games.map((one) => h("button", { id: `played-${one.number}`, onclick: () => this.open(one) }, one.words)) : h("p", {}, this.words.none_yet));
    refill(this.unfinished, told.unfinished.map((words) => h("a", { class: "link", href: "/" }, words)));
    refill(this.more,
      told.statistics.length ? [h("h2", {}, this.words.statistics), h("pre", { class: "wraps" }, told.statistics.join("\n"))] : null,
      told.pictures.length ? [h("h2", {}, this.words.pictures), h("div", { class: "list" }, told.pictures.map((name) => this.picture(name)))] : null);
    if (told.games.length && matchMedia("(min-width: 52rem)").matches) this.open(told.games[0]);
  }

  picture(name) {
    const figure = h("figure", {}, h("img", { class: "view", src: `/kept/${encodeURIComponent(name)}`, alt: name, loading: "lazy" }),
      h("button", { "aria-label": `${this.words.delete} ${name}`, onclick: async () => {
        if ((await post("/delete", { name })).deleted) figure.remove();
      } }, this.words.delete));
    return figure;
  }

  async open(one) {
    const board = h("div", {});
    const said = h("p", { class: "note", role: "status" });
    const slider = h("input", { id: "ply", type: "range", min: 0, max: 0, value: 0, "aria-label": this.words.replay });
    let wanted = null;
    const show = async (ply) => {
      if (wanted !== null) { wanted = ply; return; }
      wanted = ply;
      while (wanted !== null) {
        const now = wanted;
        const answer = await ask(`/replay/${one.number}?ply=${now}&lang=${language()}`);
        if (answer.ok) {
          const scene = await answer.json();
          slider.max = scene.plies;
          said.textContent = scene.words || one.words;
          refill(board, scene.svg ? picture(scene.svg) : null);
        }
        if (wanted === now) wanted = null;
      }
    };
    slider.addEventListener("input", () => show(Number(slider.value)));
    refill(this.game, board, said, slider, h("div", { class: "row" },
      h("a", { class: "link", href: `/report/${one.number}?lang=${language()}`, target: "_blank", rel: "noopener" }, this.words.report),
      h("a", { class: "link", href: `/record/${one.number}`, download: "" }, this.words.record)));
    await show(0);
    slider.value = slider.max;
    await show(Number(slider.max));
  }
}
