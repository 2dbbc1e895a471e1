/** The match again, turn by turn, with everything shown that was hidden. */

import { button, h } from "../dom.js";
import { script } from "../scenes.js";

export class Replay {
  /** @param table  whose board has just shown the last position */
  constructor({ frame, director }) {
    Object.assign(this, { frame, director });
    this.frames = [];
    this.at = 0;
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Turn" });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.back = button("Back", () => this.jump(this.at - 1));
    this.forth = button("Forward", () => this.jump(this.at + 1));
    this.element = h(
      "div",
      { class: "replay", hidden: true },
      h("div", { class: "row replay-keys" }, this.back, this.slider, this.forth),
      this.caption,
    );
  }

  /** The slider takes the arrow keys, Home and End by itself. */
  load(frames) {
    this.frames = frames;
    this.at = frames.length - 1;
    this.slider.max = this.at;
    this.element.hidden = frames.length < 2;
    if (frames.length) this.say();
  }

  jump(index) {
    if (!this.frames.length) return;
    const next = Math.max(0, Math.min(index, this.frames.length - 1));
    const before = next === this.at + 1 ? this.frames[this.at].picture : null;
    this.at = next;
    this.say();
    this.director.hurry();
    this.director.add(() => this.enact(before, this.frames[next]));
  }

  /** A step forward is seen as it was in the match. */
  async enact(before, { picture, board, events }) {
    const beats = before ? script(before, picture, events) : [];
    const silent = beats.filter((beat) => beat.kind !== "banner"); // the caption says it
    if (silent.length) await this.director.play(silent, picture, { heard() {} });
    this.frame.show(picture, board);
  }

  showTurn(turn) {
    const index = this.frames.findIndex((frame) => frame.turn === turn);
    if (index >= 0) this.jump(index);
  }

  say() {
    const { turn, told } = this.frames[this.at];
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", turn ? `after turn ${turn}` : "before the first turn");
    const when = turn ? `Turn ${turn} of ${this.frames.at(-1).turn}.` : "Before the first turn.";
    this.caption.textContent = [when, ...told].join(" ");
    this.back.disabled = this.at === 0;
    this.forth.disabled = this.at === this.frames.length - 1;
  }
}
