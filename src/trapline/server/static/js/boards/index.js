/** Any board: drawn to fit its frame, worked by pointer and by keys, drawn again when the frame changes. */

import { clear, h } from "../dom.js";
import { describe } from "../words.js";
import { animateGrid, cellTargets, drawGrid } from "./grid.js";
import { signs } from "./signs.js";
import { animateTrack, drawTrack, stepTargets } from "./track.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Draws whichever board it is. */
export function draw(board, width, teller, offer) {
  return board.board === "grid"
    ? drawGrid(board, width, teller, offer)
    : drawTrack(board, width, teller, offer);
}

/** A small drawing for a card; it says nothing and does nothing. */
export function miniature(board) {
  const teller = { seat: null, names: { 1: "", 2: "" }, place: "" };
  const { svg } = draw(board, board.board === "grid" ? 236 : board.length > 12 ? 640 : 400, teller);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  return svg;
}

/** A place on the page that shows a board. */
export class BoardFrame {
  constructor() {
    this.words = h("p", { class: "unseen" });
    this.signs = h("ul", { class: "signs", "aria-hidden": "true" });
    this.owed = false;
    this.canvas = h("div", { class: "canvas", role: "group", "aria-label": "The board" });
    this.element = h("div", { class: "frame" }, this.canvas, this.signs, this.words);
    this.canvas.addEventListener("keydown", (event) => this.steer(event));
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(this.canvas);
  }

  /** Shows a board, lets `fresh` events play, and offers what may be pressed. */
  show(board, teller, offer = {}, fresh = []) {
    this.shown = { board, teller, offer };
    this.redraw();
    if (fresh.length && this.drawn) (board.board === "grid" ? animateGrid : animateTrack)(this.drawn, fresh);
    clear(this.signs, signs(board, teller));
    this.words.textContent = describe(board, teller).join(" ");
  }

  redraw() {
    const width = Math.floor(this.canvas.clientWidth);
    if (!width || !this.shown) return;
    this.width = width;
    const held = this.canvas.contains(document.activeElement)
      ? (document.activeElement.dataset.at ?? null)
      : null;
    const { board, teller, offer } = this.shown;
    this.drawn = draw(board, width, teller, offer);
    clear(this.canvas, this.drawn.svg);
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
    if (Math.floor(this.canvas.clientWidth) !== this.width) this.redraw();
  }

  buttons() {
    return [...this.canvas.querySelectorAll('[role="button"]')];
  }

  /** Arrow keys move a cursor: along the track, or over the cells of the grid. */
  steer(event) {
    const way = ARROWS[event.key];
    const buttons = this.buttons();
    const here = buttons.indexOf(document.activeElement);
    if (!way || here < 0) return;
    event.preventDefault();
    const next =
      this.shown.board.board === "grid"
        ? beside(buttons, buttons[here], way)
        : buttons[here + way[0] + way[1]];
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
    clear(this.signs);
    this.words.textContent = "";
  }
}

/** The next button in a direction, passing over cells that are none. */
function beside(buttons, from, way) {
  let [row, column] = from.dataset.at.split(",").map(Number);
  for (let step = 0; step < 9; step += 1) {
    row += way[0];
    column += way[1];
    const found = buttons.find((one) => one.dataset.at === `${row},${column}`);
    if (found) return found;
  }
  return null;
}

/** The targets for a move, from the legal moves that were sent. */
export function moveTargets(view, act) {
  return view.board.board === "grid" ? cellTargets(view, act) : stepTargets(view, act);
}
