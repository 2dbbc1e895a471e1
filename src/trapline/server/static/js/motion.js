/** How what has moved between two pictures is seen moving. */

import { calm } from "./dom.js";
import { columnOf, keyOf, placesOf } from "./picture.js";

const HOP = 190;
const GLIDE = 320;

/**
 * Lets everything that kept its id walk from where it was. Events that name places say by which way:
 * where somebody set out (`start`), where that led (`to`), and where something happened (`at`).
 */
export function animate(drawn, before, picture, events) {
  if (calm() || !before) return;
  const were = new Map(before.shapes.filter((shape) => shape.id).map((shape) => [shape.id, shape]));
  let longest = 0;
  for (const shape of picture.shapes) {
    const was = shape.id && were.get(shape.id);
    if (!was || shape.kind === "text") continue;
    // Only pieces can have gone somewhere and come back; what else is where it was has not moved.
    if (same(was, shape) && !shape.look?.split(" ").includes("piece")) continue;
    const stops = way(was, shape, picture, events);
    if (stops.length < 2) continue;
    const duration = (picture.fold ? HOP : GLIDE) * stops.length;
    longest = Math.max(longest, duration);
    const frames = hops(stops, drawn.plan, Boolean(picture.fold));
    drawn.moving.get(shape.id).animate(frames, { duration, easing: "ease-in-out" });
  }
  for (const event of events) {
    if ((event.at ?? null) !== null) snap(drawn, picture, event.at, longest);
  }
}

/** The stops of one piece: places that events name, and otherwise every column on the way. */
function way(was, shape, picture, events) {
  const spots = new Map(placesOf(picture).map((place) => [keyOf(place.place), place]));
  const home = nearest([...spots.values()], shape);
  const [dx, dy] = [shape.x - (home?.x ?? 0), shape.y - (home?.y ?? 0)];
  const beside = (place) => ({ x: place.x + dx, y: place.y + dy });
  const stops = [{ x: was.x, y: was.y }];
  const jump = (to) => same(stops.at(-1), to) || stops.push(to);
  const walk = (to) => {
    for (const place of between(stops.at(-1), to, picture, [...spots.values()])) jump(beside(place));
    jump(to);
  };
  const mine = events.filter((event) => "to" in event && (!shape.owner || event.by === shape.owner));
  for (const event of mine) {
    if (spots.has(keyOf(event.start))) jump(beside(spots.get(keyOf(event.start))));
    if (spots.has(keyOf(event.to))) walk(beside(spots.get(keyOf(event.to))));
  }
  if (mine.length) jump({ x: shape.x, y: shape.y });
  else walk({ x: shape.x, y: shape.y });
  return stops;
}

const same = (one, two) => Math.hypot(one.x - two.x, one.y - two.y) < 1;

const nearest = (places, { x, y }) =>
  places.reduce(
    (best, place) =>
      !best || Math.hypot(place.x - x, place.y - y) < Math.hypot(best.x - x, best.y - y) ? place : best,
    null,
  );

/** On a strip one goes from place to place. */
function between(from, to, picture, places) {
  if (!picture.fold) return [];
  const [start, end] = [columnOf(picture, from.x), columnOf(picture, to.x)];
  const step = end > start ? 1 : -1;
  const count = Math.max(0, Math.abs(end - start) - 1);
  return Array.from({ length: count }, (_, index) => start + (index + 1) * step)
    .map((column) => places.find((place) => columnOf(picture, place.x) === column))
    .filter(Boolean);
}

function hops(stops, plan, lifted) {
  const frames = [];
  stops.forEach((stop, index) => {
    const spot = plan.at(stop.x, stop.y);
    if (index && lifted) {
      const last = plan.at(stops[index - 1].x, stops[index - 1].y);
      const lift = Math.min(spot.y, last.y) - 12;
      frames.push({ transform: `translate(${(spot.x + last.x) / 2}px, ${lift}px)` });
    }
    frames.push({ transform: `translate(${spot.x}px, ${spot.y}px)` });
  });
  return frames;
}

/** What lies at a place where something happened jumps up, once whoever came is there. */
function snap(drawn, picture, at, delay) {
  const spot = placesOf(picture).find((place) => keyOf(place.place) === keyOf(at));
  if (!spot) return;
  for (const shape of picture.shapes) {
    const here = Math.abs(shape.x - spot.x) < 30 && Math.abs(shape.y - spot.y) < 45;
    if (!here || !shape.id || !shape.label) continue;
    const body = drawn.moving.get(shape.id).querySelector(".body");
    body?.animate([{ transform: "scale(1)" }, { transform: "scale(2)" }, { transform: "scale(1)" }], {
      duration: 500,
      delay,
      easing: "cubic-bezier(.2,1.6,.4,1)",
    });
  }
}
