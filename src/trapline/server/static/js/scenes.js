/**
 * What is to be seen between two pictures, in the order in which it happened. Events that name places
 * say by which way something went: where it set out (`start`), where that led (`to`), where
 * something happened (`at`). This file decides the order and draws nothing.
 *
 * @typedef {{id: string, stops: {x: number, y: number}[]}} Move
 * @typedef {object} Beat  one thing that is seen
 * @property {"walk"|"hold"|"snap"|"mark"|"fall"|"glide"|"banner"} kind
 * @property {Move[]} [moves]  what goes where
 * @property {*} [at]  the place where something happens
 * @property {number} [by]  whose doing it is
 * @property {number} [heard]  so many of the events can be told once this has been seen
 * @property {number[]} [about]  events that a banner is about
 * @property {boolean} [over]  the banner at the end of the match
 */

import { columnOf, keyOf, placesOf } from "./picture.js";

/** @returns {Beat[]} */
export function script(before, after, events, over = false) {
  return new Script(before, after, events, over).beats;
}

class Script {
  constructor(before, after, events, over) {
    this.picture = after;
    this.events = events;
    this.over = over;
    this.actors = cast(before, after);
    this.spots = new Map(placesOf(after).map((place) => [keyOf(place.place), place]));
    this.caught = new Map(); // by whom → the events that tell of it
    this.beats = [];
    events.forEach((event, index) => this.tell(event, index));
    this.moves("glide", this.actors.map(glide));
    if (over) this.beats.push({ kind: "banner", over, about: [...this.caught.values()].flat() });
  }

  tell(event, index) {
    if ("to" in event) this.moved(event, index);
    else if (event.event === "triggered") this.triggered(event, index);
    else if (event.event === "returned") this.returned(event, index);
    else this.beats.push({ kind: "mark", at: event.at ?? null, heard: index + 1 });
    const last = this.over && index + 1 === this.events.length; // the end has a banner of its own
    if (this.caught.has(event.by) && !last && !this.follows(index, "returned")) {
      this.beats.push({ kind: "banner", by: event.by, about: this.caught.get(event.by) });
      this.caught.delete(event.by);
    }
  }

  moved(event, index) {
    // The line of a step may tell what it led to, so it waits for that.
    const heard = this.follows(index, "triggered") ? index : index + 1;
    const ways = this.actorsOf(event).map((actor) => walk(actor, event, this.spots, this.picture));
    this.moves("walk", ways, { by: event.by, heard });
  }

  triggered({ at, by }, index) {
    this.caught.set(by, [index]);
    this.beats.push({ kind: "hold" }, { kind: "snap", at, by, heard: index + 1 });
  }

  returned(event, index) {
    const next = this.events.slice(index + 1).find((later) => "to" in later && later.by === event.by);
    const start = next && this.spots.get(keyOf(next.start));
    const ways = this.actorsOf(event).map((actor) => fall(actor, start));
    this.moves("fall", ways, { by: event.by, heard: index + 1 });
    this.caught.get(event.by)?.push(index);
  }

  moves(kind, ways, facts = {}) {
    const moves = ways.filter((way) => way.stops.length > 1);
    if (moves.length || facts.heard) this.beats.push({ kind, moves, ...facts });
  }

  actorsOf = (event) => this.actors.filter((actor) => !actor.owner || actor.owner === event.by);

  follows(index, kind) {
    const [now, next] = this.events.slice(index);
    return next?.event === kind && next.by === now.by;
  }
}

/**
 * What may be seen moving: all that kept its id and is elsewhere now. Pieces may also have gone
 * somewhere and come back; what else is where it was has not moved.
 */
function cast(before, after) {
  const were = new Map(before.shapes.filter((shape) => shape.id).map((shape) => [shape.id, shape]));
  return after.shapes
    .filter((shape) => shape.kind !== "text" && were.has(shape.id))
    .filter((shape) => !same(were.get(shape.id), shape) || shape.look?.split(" ").includes("piece"))
    .map((shape) => {
      const home = nearest(placesOf(after), shape) ?? { x: 0, y: 0 };
      const { x, y } = were.get(shape.id);
      const aside = { x: shape.x - home.x, y: shape.y - home.y };
      return { id: shape.id, owner: shape.owner, at: { x, y }, end: { x: shape.x, y: shape.y }, aside };
    });
}

/** From where one stands to where the event led, on a strip from place to place. */
function walk(actor, event, spots, picture) {
  const stops = [actor.at];
  const go = (to) => same(stops.at(-1), to) || stops.push(to);
  const [start, to] = [spots.get(keyOf(event.start)), spots.get(keyOf(event.to))];
  if (start) stops[0] = beside(actor, start);
  if (to) {
    for (const place of between(stops[0], beside(actor, to), picture)) go(beside(actor, place));
    go(beside(actor, to));
  }
  actor.at = stops.at(-1);
  return { id: actor.id, stops };
}

function fall(actor, place) {
  const stops = [actor.at, place ? beside(actor, place) : actor.end];
  actor.at = stops[1];
  return { id: actor.id, stops: same(...stops) ? [stops[0]] : stops };
}

/** What no event spoke of. */
const glide = (actor) => fall(actor, null);

const beside = ({ aside }, place) => ({ x: place.x + aside.x, y: place.y + aside.y });

export const same = (one, two) => Math.hypot(one.x - two.x, one.y - two.y) < 1;

const nearest = (places, { x, y }) =>
  places.reduce(
    (best, place) =>
      !best || Math.hypot(place.x - x, place.y - y) < Math.hypot(best.x - x, best.y - y) ? place : best,
    null,
  );

/** The places between two on a strip. */
function between(from, to, picture) {
  if (!picture.fold) return [];
  const places = placesOf(picture);
  const [start, end] = [columnOf(picture, from.x), columnOf(picture, to.x)];
  const step = end > start ? 1 : -1;
  const count = Math.max(0, Math.abs(end - start) - 1);
  return Array.from({ length: count }, (_, index) => start + (index + 1) * step)
    .map((column) => places.find((place) => columnOf(picture, place.x) === column))
    .filter(Boolean);
}
