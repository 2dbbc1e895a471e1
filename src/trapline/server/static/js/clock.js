/**
 * The one clock of what is seen happening. All that takes time on a board goes through it, so it can
 * be hurried, and held still by whoever wants to look at every frame.
 */

export class Clock {
  constructor() {
    this.running = new Set();
    this.hurrying = false;
    this.beat = (now) => this.tick(now);
    this.unseen = () => document.hidden && this.hurry();
    document.addEventListener("visibilitychange", this.unseen);
  }

  /** Draws from 0 to 1 in so many milliseconds. In a page that nobody sees, nothing takes time. */
  run(duration, draw = () => {}) {
    if (duration <= 0 || this.hurrying || document.hidden) {
      draw(1);
      return Promise.resolve();
    }
    draw(0);
    return new Promise((done) => {
      if (!this.running.size) requestAnimationFrame(this.beat);
      this.running.add({ begun: performance.now(), duration, draw, done });
    });
  }

  tick(now) {
    for (const task of [...this.running]) {
      const part = Math.min(1, Math.max(0, (now - task.begun) / task.duration));
      task.draw(part);
      if (part === 1) this.end(task);
    }
    if (this.running.size) requestAnimationFrame(this.beat);
  }

  /** Brings everything to its end at once, and all that would follow, until `calm` is called. */
  hurry() {
    this.hurrying = true;
    for (const task of [...this.running]) {
      task.draw(1);
      this.end(task);
    }
  }

  calm() {
    this.hurrying = false;
  }

  end(task) {
    this.running.delete(task);
    task.done();
  }

  close() {
    this.hurry();
    document.removeEventListener("visibilitychange", this.unseen);
  }
}
