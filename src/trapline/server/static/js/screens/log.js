/** The account of the match, one sentence a line. Lines are added; only a turn that is taken back changes old ones. */

import { clear, h } from "../dom.js";

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

  /** @param count  so many events have been seen to happen */
  show(view, words, teller, count = view.events.length) {
    const key = JSON.stringify(teller);
    const last = JSON.stringify(view.events[this.heard - 1]);
    if (key !== this.key || count < this.heard || last !== this.last) {
      this.key = key;
      this.heard = 0;
      this.ended = null;
      const toss = view.tossed ? [`The coin is tossed: ${teller.names[view.first]} starts.`] : [];
      clear(
        this.list,
        [...words.welcome, ...toss].map((line) => h("li", {}, line)),
      );
    }
    view.events.slice(this.heard, count).forEach((event, index) => {
      for (const line of words.told[this.heard + index])
        this.list.append(h("li", { class: `by-${event.by}`, "data-event": event.event }, line));
    });
    this.heard = count;
    this.last = JSON.stringify(view.events[count - 1]);
    if (view.outcome && count === view.events.length) this.end(words.ending);
    this.scroll();
  }

  /** To the last line; the first in sight is a whole one. */
  scroll() {
    this.list.style.paddingBottom = "";
    const above = this.box.scrollHeight - this.box.clientHeight;
    const first = [...this.list.children].find((line) => line.offsetTop >= above);
    if (first) this.list.style.paddingBottom = `${first.offsetTop - above}px`;
    this.box.scrollTop = this.box.scrollHeight;
  }

  /** How it ended, which is no event: a resignation, for one. */
  end(lines) {
    if (this.ended) return;
    this.ended = lines.map((line) => h("li", { class: "ending" }, line));
    this.list.append(...this.ended);
  }
}
