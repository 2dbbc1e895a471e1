/**
 * One queue of scenes for a board: what comes in is seen one after the other, and nothing that
 * follows from a move is shown before that move has been seen.
 */

import { Clock } from "./clock.js";
import { Stagecraft } from "./stagecraft.js";

const BACKLOG = 3; // who is so far behind hurries

export class Director {
  constructor(frame) {
    this.frame = frame;
    this.clock = new Clock();
    this.craft = new Stagecraft(frame, this.clock);
    this.queue = [];
    this.busy = false;
    this.playing = false;
    frame.canvas.addEventListener("click", () => this.hurry());
  }

  /** @param {() => Promise<void>} task  is begun when all before it are done */
  add(task) {
    this.queue.push(task);
    if (this.queue.length > BACKLOG) this.hurry();
    if (!this.busy) this.drain();
  }

  async drain() {
    this.busy = true;
    while (this.queue.length) await this.queue.shift()();
    this.busy = false;
    this.clock.calm();
  }

  /** Plays a scene on the board; see Stagecraft. */
  async play(beats, after, tell) {
    this.playing = true;
    this.frame.element.classList.add("playing");
    this.frame.still();
    await this.craft.play(beats, after, tell);
    this.frame.element.classList.remove("playing");
    this.playing = false;
  }

  /** To the end of what is being seen. */
  hurry() {
    if (this.playing) this.clock.hurry();
  }

  close() {
    this.queue = [];
    this.clock.close();
  }
}
