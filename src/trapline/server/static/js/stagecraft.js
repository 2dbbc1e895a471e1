/** How scenes are played on a board: pieces walk, traps snap shut, whoever is caught falls back. */

import { calm, h, s } from "./dom.js";
import { effects, lively } from "./effects.js";
import { keyOf, placesOf } from "./picture.js";
import { drawShape, seatClass } from "./shapes.js";

/** Milliseconds; with less motion things stand where they go, and time is left only to read. */
const LIVELY = { rest: 250, hop: 190, glide: 420, hold: 420, snap: 650, fall: 620, mark: 400, banner: 1400 };
const STILL = { rest: 400, hop: 0, glide: 0, hold: 350, snap: 450, fall: 0, mark: 0, banner: 1400 };

const HOP_HEIGHT = 14;
const SHAKE = 7;
const JAWS = 38; // their reach around a place

export class Stagecraft {
  /** @param frame  the board on which it is played @param clock  by which it is played */
  constructor(frame, clock) {
    this.frame = frame;
    this.clock = clock;
  }

  /**
   * Plays one scene over the picture that is shown.
   * @param after  the picture it leads to: what appears in the scene is taken from there
   * @param {{seat: number|null, heard: Function, banner: Function}} tell  who looks; what is called
   *   when events have been seen to happen; and what gives the words of a banner
   */
  async play(beats, after, tell) {
    this.after = after;
    this.times = calm() ? STILL : LIVELY;
    for (const beat of beats) {
      await this[beat.kind](beat, tell);
      if (beat.heard !== undefined) tell.heard(beat.heard);
    }
    this.frame.banner.replaceChildren();
  }

  // --- one beat each ---------------------------------------------------------------------

  async walk({ moves, by }, { seat }) {
    this.frame.banner.replaceChildren(); // a new move begins: what was said about the last is over
    if (by !== seat) await this.clock.run(this.times.rest); // one has moved: look up, the other moves
    const hops = Math.max(0, ...moves.map(({ stops }) => stops.length - 1));
    const strip = Boolean(this.after.fold);
    const duration = strip ? this.times.hop * hops : this.times.glide;
    let landed = 0;
    return this.clock.run(moves.length ? duration : 0, (part) => {
      for (const move of moves) this.put(move, part, strip ? lift(part, hops) : 0);
      const now = Math.floor(part * hops);
      if (now > landed) effects.step();
      landed = now;
    });
  }

  hold() {
    return this.clock.run(this.times.hold);
  }

  /** The jaws close where somebody stands, and what was hidden there lies open. */
  snap({ at, by }) {
    const spot = placesOf(this.after).find((place) => keyOf(place.place) === keyOf(at));
    const found = spot ? this.uncover(spot) : [];
    const jaws = spot ? this.layJaws(spot, by) : null;
    effects.snap();
    const shakes = lively();
    return this.clock.run(this.times.snap, (part) => {
      jaws?.close(calm() ? 1 : Math.min(1, part * 6));
      const size = calm() ? 1 : 1 + Math.sin(Math.min(1, part * 1.6) * Math.PI) * 0.9;
      for (const shape of found) shape.querySelector(".body")?.style.setProperty("scale", String(size));
      const swing = shakes ? Math.sin(part * 34) * SHAKE * (1 - part) ** 2 : 0;
      this.frame.canvas.style.translate = swing ? `${swing.toFixed(1)}px` : "";
    });
  }

  fall({ moves }) {
    this.frame.canvas.querySelector(".jaws")?.remove();
    if (moves.length) effects.fall();
    return this.clock.run(moves.length ? this.times.fall : 0, (part) => {
      const eased = part * part * (3 - 2 * part);
      for (const move of moves) this.put(move, eased, 30 * Math.sin(part * Math.PI));
    });
  }

  glide({ moves }) {
    return this.clock.run(moves.length ? this.times.glide : 0, (part) => {
      for (const move of moves) this.put(move, part, 0);
    });
  }

  /** Something happened at a place, quietly. */
  mark({ at }) {
    const spot = at === null ? null : placesOf(this.after).find((place) => keyOf(place.place) === keyOf(at));
    if (!spot) return undefined;
    const found = this.uncover(spot);
    return this.clock.run(found.length ? this.times.mark : 0, (part) => {
      const size = 1 + Math.sin(part * Math.PI) * 0.8;
      for (const shape of found) shape.querySelector(".body")?.style.setProperty("scale", String(size));
    });
  }

  banner(beat, tell) {
    const { headline, detail, seat, end } = tell.banner(beat);
    if (end) effects.end(end);
    this.frame.banner.replaceChildren(
      h("div", { class: `cloth ${seatClass(seat)}` }, h("b", {}, headline), h("span", {}, detail)),
    );
    return this.clock.run(this.times.banner);
  }

  // --- on the drawing --------------------------------------------------------------------

  /** Looked up each time: a window may change its size in the middle of a scene. */
  put({ id, stops }, part, height) {
    const { drawn } = this.frame;
    if (!drawn) return;
    const { x, y } = along(
      stops.map((stop) => drawn.plan.at(stop.x, stop.y)),
      part,
    );
    drawn.moving.get(id)?.setAttribute("transform", `translate(${x} ${y - height})`);
  }

  /** Draws what lies at a place in the picture to come and was not to be seen before. */
  uncover(spot) {
    const { drawn } = this.frame;
    if (!drawn) return [];
    const here = this.after.shapes.filter(
      (shape) =>
        shape.id && shape.label && Math.abs(shape.x - spot.x) < 30 && Math.abs(shape.y - spot.y) < 45,
    );
    return here.map((shape) => {
      const group = drawShape(shape);
      const { x, y } = drawn.plan.at(shape.x, shape.y);
      group.setAttribute("transform", `translate(${x} ${y})`);
      const old = drawn.moving.get(shape.id);
      if (old) old.replaceWith(group);
      else drawn.svg.append(group);
      drawn.moving.set(shape.id, group);
      return group;
    });
  }

  layJaws(spot, by) {
    const { x, y } = this.frame.drawn.plan.at(spot.x, spot.y);
    const halves = [1, -1].map((side) => s("path", { class: "jaw", d: jaw(side) }));
    const jaws = s("g", { class: `jaws ${seatClass(by)}`, transform: `translate(${x} ${y - 10})` }, halves);
    this.frame.drawn.svg.append(jaws);
    return {
      close: (part) =>
        halves.forEach((half, index) =>
          half.setAttribute("transform", `translate(0 ${(index ? -1 : 1) * (1 - part) * 26})`),
        ),
    };
  }
}

/** Half a ring with teeth inside; `side` 1 is the lower one. */
function jaw(side) {
  const teeth = 9;
  const points = Array.from({ length: 2 * teeth + 1 }, (_, index) => {
    const angle = (index / (2 * teeth)) * Math.PI;
    const reach = index % 2 ? JAWS - 12 : JAWS;
    return `${(Math.cos(angle) * reach).toFixed(1)} ${(side * Math.sin(angle) * reach).toFixed(1)}`;
  });
  const out = JAWS + 5;
  return `M${points.join("L")}L${-out} 0A${out} ${out} 0 0 ${side === 1 ? 0 : 1} ${out} 0Z`;
}

/** A point on the way through stops, every stretch of which takes equally long. */
function along(stops, part) {
  const place = part * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(place));
  const [from, to, rest] = [stops[index], stops[index + 1], place - index];
  return { x: from.x + (to.x - from.x) * rest, y: from.y + (to.y - from.y) * rest };
}

/** How high one is above the way in the course of so many hops. */
const lift = (part, hops) => HOP_HEIGHT * Math.abs(Math.sin(part * hops * Math.PI));
