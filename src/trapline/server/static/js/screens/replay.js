/** The match again, turn by turn, with everything shown that was hidden. */

import { button, h } from "../dom.js";
import { say } from "../words.js";

/**
 * One frame before the first turn and one after each: a board and what happened. Boards follow from the
 * events; the coach's boards, once they are there, also know when each trap was set.
 */
export function replayFrames(view, teller, judgements = []) {
  let board = atStart(view.board, view.events);
  const frames = [{ turn: 0, board, lines: ["Before the first move."], events: [] }];
  for (const events of turns(view.events)) {
    board = events.reduce(after, board);
    const lines = events.map((event) => say(teller, event)).filter(Boolean);
    frames.push({ turn: frames.length, board, lines, events });
  }
  for (const judged of judgements) {
    if (frames[judged.turn]) frames[judged.turn].board = judged.board;
  }
  return frames;
}

/** Events grouped by turns. Going back belongs to the move that follows, if it is the same player's. */
function turns(events) {
  const groups = [];
  let early = [];
  events.forEach((event, index) => {
    const next = events[index + 1];
    const belongsToNext = event.event === "returned" && next?.event === "moved" && next.by === event.by;
    if (belongsToNext) early = [event];
    else if (event.event === "moved") {
      groups.push([...early, event]);
      early = [];
    } else if (groups.length) groups.at(-1).push(event);
  });
  return groups;
}

function atStart(board, events) {
  const first = events.find((event) => event.event === "moved");
  if (board.board === "grid") return { ...board, seeker: first?.start ?? board.seeker };
  const starts = board.goals.map((goal) => (goal === 0 ? board.length : 0));
  const traps = board.traps.map((trap) => (trap.sprung ? { ...trap, live: true, sprung: false } : trap));
  return { ...board, positions: starts, traps, returning: [false, false] };
}

function after(board, event) {
  if (event.event === "moved" && board.board === "grid") return { ...board, seeker: event.to };
  if (event.event === "moved") return place(board, event.by, event.to);
  if (event.event === "returned") return place(board, event.by, 0);
  return board;
}

function place(board, seat, at) {
  const positions = [...board.positions];
  positions[seat - 1] = at;
  return { ...board, positions };
}

export class Replay {
  /** @param frame  the board of the table, which has just shown the last position */
  constructor(teller, frame) {
    this.teller = teller;
    this.frame = frame;
    this.at = 0;
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Turn" });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.back = button("Back", () => this.jump(this.at - 1));
    this.forth = button("Forward", () => this.jump(this.at + 1));
    this.element = h(
      "div",
      { class: "replay" },
      h("div", { class: "row replay-keys" }, this.back, this.slider, this.forth),
      this.caption,
    );
  }

  /** The slider takes the arrow keys, Home and End by itself. */
  load(frames) {
    const last = frames.length - 1;
    this.at = this.frames ? this.at : last;
    this.frames = frames;
    this.slider.max = last;
    this.say();
  }

  jump(turn) {
    const next = Math.max(0, Math.min(turn, this.frames.length - 1));
    const forward = next === this.at + 1;
    this.at = next;
    const { board, events } = this.frames[next];
    this.frame.show(board, this.teller, {}, forward ? events : []);
    this.say();
  }

  say() {
    const next = this.at;
    const { lines } = this.frames[next];
    this.slider.value = next;
    this.slider.setAttribute("aria-valuetext", next ? `after turn ${next}` : "before the first move");
    this.caption.textContent = `${next ? `Turn ${next} of ${this.frames.length - 1}. ` : ""}${lines.join(" ")}`;
    this.back.disabled = next === 0;
    this.forth.disabled = next === this.frames.length - 1;
  }
}
