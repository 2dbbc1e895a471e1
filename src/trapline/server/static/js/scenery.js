/**
 * The land that a board lies in: signs as on an old map, scattered where nothing else is. Which land a
 * game wants, the picture says; a land that is not known here is open country.
 */

import { s } from "./dom.js";

/** Signs around (0, 0), about 20 units across. */
const SIGNS = {
  fir: "M0-13L7 0H3L9 9H1V13H-1V9H-9L-3 0H-7Z",
  oak: "M-1 12V4C-9 5-11-3-6-6C-6-13 6-13 6-6C11-3 9 5 1 4V12Z",
  rock: "M-10 8L-6-4L-1-8L4-2L7-5L11 8Z",
  cliff: "M-14-3H14M-11-3V4M-6-3V8M-1-3V5M4-3V9M9-3V4",
  dune: "M-16 5Q-6-9 3 3Q8-3 16 5M-9 9Q-3 4 3 9",
  cactus: "M-2 11V-10H2V11ZM-8-3V3H-2M8-6V0H2",
  wall: "M-13-7H13V7H-13ZM-13 0H13M-4-7V0M5 0V7M-7 0V7M8-7V0",
  pillar: "M-6 11H6M-4 11V-8M4 11V-8M-7-8H7M-7-11H7",
  wave: "M-15 0Q-11-6-7 0T1 0T9 0T17 0",
  reed: "M0 11Q-1 0-6-8M1 11V-11M2 11Q3 1 8-6",
  tuft: "M-6 5Q-5-2-8-6M-1 5V-8M4 5Q3-1 7-5",
  hill: "M-14 6C-8-8 8-8 14 6M-5-1L-7 5M1-3V5M6-1L8 5",
};

const LANDS = {
  forest: ["fir", "fir", "oak", "fir", "tuft"],
  gorge: ["cliff", "rock", "cliff", "hill"],
  desert: ["dune", "cactus", "dune", "dune", "rock"],
  ruins: ["wall", "pillar", "wall", "tuft"],
  marsh: ["wave", "reed", "wave"],
  country: ["tuft", "hill", "tuft", "oak"],
};

const EVERY = 40; // units between two signs, about
const CLEAR = 38; // units around a place that stay free
const APART = 33; // units between two signs, however they fall
const EDGE = 16;

export function scenery(picture, plan) {
  const land = Object.hasOwn(LANDS, picture.land) ? picture.land : "country";
  const [taken, put] = [occupied(picture, plan), []];
  const group = s("g", { class: `scenery ${land}`, "aria-hidden": "true" });
  if (!picture.fold) return group; // a board of cells has no room between them
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647; // always the same land
    return seed / 2147483647;
  };
  for (let y = EDGE; y < plan.height; y += EVERY * 0.8)
    for (let x = EDGE; x < plan.width; x += EVERY) {
      const [kind, dx, dy] = [random(), random(), random()];
      const spot = { x: x + (dx - 0.5) * EVERY * 0.7, y: y + (dy - 0.5) * EVERY * 0.5 };
      const inside = spot.x > EDGE && spot.x < plan.width - EDGE && spot.y > EDGE && spot.y < plan.height - EDGE;
      const clear = (spots, least) => spots.every(({ x, y }) => Math.hypot(x - spot.x, y - spot.y) > least);
      if (!inside || !clear(taken, CLEAR) || !clear(put, APART)) continue;
      put.push(spot);
      const name = LANDS[land][Math.floor(kind * LANDS[land].length)];
      const place = `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})`;
      group.append(s("path", { class: name, d: SIGNS[name], transform: place }));
    }
  return group;
}

/** Places, what stands above and lies below them, points on the trail between them, and words. */
function occupied(picture, plan) {
  const spots = picture.shapes
    .filter((shape) => (shape.place ?? null) !== null)
    .map(({ x, y }) => plan.at(x, y));
  const around = spots.flatMap(({ x, y }) => [
    { x, y: y - 22 },
    { x, y: y + 4 },
    { x, y: y + 34 },
  ]);
  const between = spots.slice(1).map((spot, index) => ({
    x: (spot.x + spots[index].x) / 2,
    y: (spot.y + spots[index].y) / 2,
  }));
  const words = picture.shapes.filter(({ kind }) => kind === "text").map(({ x, y }) => plan.at(x, y));
  return [...around, ...between, ...words];
}
