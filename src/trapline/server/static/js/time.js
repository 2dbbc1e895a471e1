/** Time that players have: how it is said, and what is left of it by the server's clock. */

import { announce, h, say } from "./dom.js";
import { plural } from "./words.js";

const DAY = 86_400;
const WARNINGS = [30, 10]; // seconds at which one hears that time is short
const OFTEN = 200; // milliseconds between two looks at a clock that runs

/** "3 minutes each", "2 days a move". */
export function sayLimit({ kind, seconds }) {
  const each = kind === "per move" ? "a move" : "each";
  for (const [unit, noun] of [[DAY, "day"], [3600, "hour"], [60, "minute"]])
    if (seconds % unit === 0) return `${plural(seconds / unit, noun)} ${each}`;
  return `${plural(seconds, "second")} ${each}`;
}

/** What is left: "2:05", "0:09.4" when it is short, "1 d 4 h" when it is long. */
export function sayLeft(milliseconds) {
  const tenths = Math.max(0, Math.ceil(milliseconds / 100));
  const seconds = Math.ceil(tenths / 10);
  if (seconds > DAY) return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / 3600)} h`;
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  if (tenths < 100) return `0:0${(tenths / 10).toFixed(1)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

/** What a player has left at a moment of the server's time, in milliseconds; null without a clock. */
export function leftOf(clock, seat, now) {
  const left = clock?.left[seat - 1] ?? null;
  if (left === null || !clock.running.includes(seat)) return left;
  return left - Math.max(0, now - Date.parse(clock.since));
}

/** The faces of both clocks at a table; they run by themselves between two states. */
export class Faces {
  constructor() {
    this.ahead = 0; // of this device's clock, the server's
    this.warned = new Set();
    this.faces = { 1: this.face(), 2: this.face() };
  }

  face() {
    return h("span", { class: "clock", role: "timer", hidden: true });
  }

  /** The server says what time it is. */
  set(time) {
    if (time) this.ahead = Date.parse(time) - Date.now();
    this.draw();
  }

  /** @param own  the seat of whoever looks, who is told when their time gets short */
  show(clock, own) {
    Object.assign(this, { clock, own });
    clearInterval(this.timer);
    if (clock?.running.length) this.timer = setInterval(() => this.draw(), OFTEN);
    this.draw();
  }

  draw() {
    for (const seat of [1, 2]) {
      const face = this.faces[seat];
      const left = leftOf(this.clock, seat, Date.now() + this.ahead);
      face.hidden = left === null;
      if (left === null) continue;
      const running = this.clock.running.includes(seat);
      say(face, sayLeft(left));
      face.classList.toggle("running", running);
      face.classList.toggle("short", left < 1000 * WARNINGS[0]);
      if (running && seat === this.own) this.warn(left);
    }
  }

  warn(left) {
    const due = WARNINGS.filter((seconds) => left <= 1000 * seconds && this.clock.seconds > seconds);
    const key = `${this.clock.since} ${due.at(-1)}`;
    if (!due.length || this.warned.has(key)) return;
    this.warned.add(key);
    announce(`You have ${plural(due.at(-1), "second")} left.`);
  }

  close() {
    clearInterval(this.timer);
  }
}
