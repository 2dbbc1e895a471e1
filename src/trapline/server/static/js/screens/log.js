/** The account of the match, one sentence a line; new lines are added, old ones never change. */

import { clear, h } from "../dom.js";
import { opening, say } from "../words.js";

export class Log {
  constructor() {
    this.list = h("ol", { class: "log-lines" });
    this.box = h(
      "div",
      { class: "log-box", tabindex: 0, role: "region", "aria-label": "What has happened" },
      this.list,
    );
    this.element = h("section", { class: "log sheet" }, h("h2", {}, "What has happened"), this.box);
    this.heard = 0;
  }

  show(view, teller) {
    const key = JSON.stringify(teller);
    if (key !== this.key || view.events.length < this.heard) {
      this.key = key;
      this.heard = 0;
      clear(this.list, h("li", {}, opening(view, teller)));
    }
    for (const event of view.events.slice(this.heard)) {
      const sentence = say(teller, event);
      const snap = event.event === "triggered" ? " snap" : "";
      if (sentence) this.list.append(h("li", { class: `by-${event.by}${snap}` }, sentence));
    }
    this.heard = view.events.length;
    this.box.scrollTop = this.box.scrollHeight;
  }
}
