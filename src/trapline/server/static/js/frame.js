/** A place on the page that shows a board: drawn, in words, with a legend, and steered by keys. */

import { clear, h, s, say } from "./dom.js";
import { drawPicture } from "./picture.js";
import { drawShape } from "./shapes.js";
import { traces } from "./story.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class BoardFrame {
  constructor() {
    this.words = h("p", { class: "unseen" });
    this.signs = h("ul", { class: "signs", "aria-hidden": "true" });
    this.owed = false;
    this.canvas = h("div", { class: "canvas", role: "group", "aria-label": "The board" });
    this.banner = h("div", { class: "banner", "aria-hidden": "true" }); // the account says it too
    this.element = h("div", { class: "frame" }, this.canvas, this.banner, this.signs, this.words);
    this.canvas.addEventListener("keydown", (event) => this.steer(event));
    this.keepPresses();
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(this.canvas);
    this.watcher.observe(document.documentElement);
  }

  /**
   * Shows a board and offers what may be pressed.
   * @param {string[]} words  the same in sentences
   * @param {Story|null} story  what has happened on it (story.js)
   */
  show(picture, words, offer = {}, story = null) {
    this.shown = { picture, offer, story };
    if (this.pressed) this.late = true;
    else this.redraw();
    clear(this.signs, legend(picture));
    say(this.words, words.join(" "));
  }

  /** A board drawn anew under a finger that is down would lose its press: news wait for it to rise. */
  keepPresses() {
    const release = () => {
      this.pressed = false;
      if (this.late) this.redraw();
    };
    const on = (event, act) => this.canvas.addEventListener(event, act);
    on("pointerdown", () => (this.pressed = true));
    on("click", release);
    // A press that was no click; where a finger has risen, its click is still to come.
    for (const end of ["pointerup", "pointerleave"]) on(end, () => setTimeout(release, 100));
  }

  /** What comes next is drawn at once, whoever has a finger on the board. */
  letGo() {
    this.pressed = false;
  }

  /** The board as it is, with nothing to press: a scene is about to be played on it. */
  still() {
    if (!this.shown) return;
    this.shown = { ...this.shown, offer: {} };
    this.redraw();
  }

  /** The pixels that a board may take: all beside it on a wide screen, and on a phone what leaves
   *  the question in sight. */
  room() {
    const wide = matchMedia("(min-width: 62rem)").matches;
    const height = wide ? innerHeight - 190 : innerHeight * 0.4;
    const width = Math.floor(this.canvas.clientWidth);
    return { width, height: Math.max(230, Math.floor(height)), fill: wide };
  }

  redraw() {
    const room = this.room();
    if (!room.width || !this.shown) return;
    this.late = false;
    this.drawnFor = JSON.stringify(room);
    const held = this.canvas.contains(document.activeElement)
      ? (document.activeElement.dataset.at ?? null)
      : null;
    const { picture, offer, story } = this.shown;
    const signs = story ? (shape, plan) => traces(shape, plan, story) : undefined;
    this.drawn = drawPicture(picture, room, offer, signs);
    clear(this.canvas, this.drawn.svg);
    this.canvas.classList.toggle("wider", this.drawn.plan.width * this.drawn.plan.scale > room.width + 1);
    const buttons = this.buttons();
    const again = buttons.find((one) => one.dataset.at === held);
    const first = again ?? buttons.find((one) => one.classList.contains("target")) ?? buttons[0];
    first?.setAttribute("tabindex", "0");
    // Who steers by keys keeps the cursor, also over a turn in which there is nothing to press.
    if (held !== null) this.owed = true;
    if (!this.owed || !first) return;
    this.owed = false;
    if (held !== null || document.activeElement === document.body) first.focus();
  }

  resized() {
    if (!this.pressed && JSON.stringify(this.room()) !== this.drawnFor) this.redraw();
  }

  buttons() {
    return [...this.canvas.querySelectorAll('[role="button"]')];
  }

  /** Arrow keys move a cursor: along a strip, or over a board in all four directions. */
  steer(event) {
    const way = ARROWS[event.key];
    const buttons = this.buttons();
    const here = buttons.indexOf(document.activeElement);
    if (!way || here < 0) return;
    event.preventDefault();
    const next = this.shown.picture.fold
      ? buttons[here + way[0] + way[1]]
      : beside(buttons, buttons[here], way);
    if (!next) return;
    buttons[here].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }

  focus() {
    this.canvas.querySelector('[tabindex="0"]')?.focus();
  }

  close() {
    this.watcher.disconnect();
    this.shown = null;
    this.drawn = null;
    clear(this.canvas);
    clear(this.banner);
    clear(this.signs);
    this.words.textContent = "";
  }
}

/** The nearest button in a direction; what lies aside counts as further away. */
function beside(buttons, from, [right, down]) {
  const here = middle(from);
  const found = buttons
    .map((one) => ({ one, at: middle(one) }))
    .map(({ one, at }) => ({ one, dx: at.x - here.x, dy: at.y - here.y }))
    .map(({ one, dx, dy }) => ({
      one,
      ahead: dx * right + dy * down,
      aside: Math.abs(dx * down) + Math.abs(dy * right),
    }))
    .filter(({ ahead, aside }) => ahead > 1 && aside <= ahead)
    .sort((a, b) => a.ahead + 2 * a.aside - (b.ahead + 2 * b.aside));
  return found[0]?.one ?? null;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** What the signs on a board mean, each once. */
function legend(picture) {
  const signs = new Map();
  for (const shape of picture.shapes) {
    const isPlace = (shape.place ?? null) !== null;
    if (shape.label && !isPlace && !signs.has(shape.label)) signs.set(shape.label, shape);
  }
  return [...signs].map(([label, shape]) => {
    const reach = Math.max(shape.width ?? 0, shape.height ?? 0, 24) / 2 + 2;
    const box = `${-reach} ${-reach} ${2 * reach} ${2 * reach}`;
    return h(
      "li",
      {},
      s("svg", { class: "sign", viewBox: box, width: 22, height: 22, focusable: "false" }, drawShape(shape)),
      label,
    );
  });
}
