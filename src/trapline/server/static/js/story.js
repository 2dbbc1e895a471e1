/** What has happened on a board so far, as signs on its places: footprints, and the last move. */

import { s } from "./dom.js";
import { keyOf } from "./picture.js";

/**
 * @typedef {object} Story
 * @property {Map<string, Set<number>>} trodden  place → who has landed there
 * @property {{start: string, to: string, by: number}|null} last  the last move
 * @property {Map<string, {text: string, given: boolean}>} [notes]  what the coach says of places
 * @property {Map<string, string>} [suspected]  how likely something was hidden there, for who was to decide
 */

/** @returns {Story} */
export function storyOf(events) {
  const trodden = new Map();
  let last = null;
  for (const event of events) {
    if (!("to" in event)) continue;
    last = { start: keyOf(event.start), to: keyOf(event.to), by: event.by };
    trodden.set(last.to, (trodden.get(last.to) ?? new Set()).add(event.by));
  }
  return { trodden, last };
}

/** Places and how likely something is hidden there, as the board says it. */
export function suspicions(suspected) {
  return new Map(suspected.map(({ place, chance }) => [keyOf(place), `${Math.round(100 * chance)}%`]));
}

/** The signs on one place. They repeat what the account says, so they are for eyes only. */
export function traces(shape, plan, { trodden, last, notes, suspected }) {
  const key = keyOf(shape.place);
  const { x, y } = plan.at(shape.x, shape.y);
  const note = notes?.get(key);
  const signs = [...(trodden.get(key) ?? [])].map((by) => footprint(shape, by));
  if (last?.to === key) signs.unshift(ring(shape, `last to seat-${last.by}`));
  else if (last?.start === key) signs.unshift(ring(shape, `last from seat-${last.by}`));
  const said = [];
  if (note) said.push(label(shape, note));
  else if (suspected?.has(key)) said.push(label(shape, { text: suspected.get(key) }, "suspected"));
  const put = (look, drawn) => (drawn.length ? [s("g", { class: look, transform: `translate(${x} ${y})` }, drawn)] : []);
  return [...put("traces", signs), ...put("traces said", said)];
}

/** One stands on the left and the other on the right, a disc and a diamond, as the pieces do. */
function footprint(shape, by) {
  const round = shape.kind === "circle";
  const aside = (by === 1 ? -1 : 1) * (round ? 15.5 : shape.width / 2 - 7);
  const down = round ? 6 : (by === 1 ? -1 : 1) * (shape.height / 2 - 7);
  return by === 1
    ? s("circle", { class: "print seat-1", cx: aside, cy: down, r: 3 })
    : s("path", { class: "print seat-2", d: `M${aside} ${down - 4}l4 4l-4 4l-4-4Z` });
}

/** What the coach says of a place: above a station, within a cell. What was taken has a pointer. */
function label(shape, { text, given }, kind = given ? "given" : "better") {
  const look = `coach-note ${kind}`;
  const words = `${given ? "▸" : ""}${text || (given ? "taken" : "instead")}`;
  const wide = 7 * words.length + 10;
  const up = shape.kind === "circle" ? -shape.width / 2 - 8 : shape.height / 2 - 12;
  return s(
    "g",
    { class: look, transform: `translate(0 ${up})` },
    s("rect", { x: -wide / 2, y: -10, width: wide, height: 18, rx: 9 }),
    s("text", { y: 3 }, words),
  );
}

function ring(shape, look) {
  if (shape.kind === "circle") return s("circle", { class: look, r: shape.width / 2 + 1 });
  const [width, height] = [shape.width - 2, shape.height - 2];
  return s("rect", { class: look, x: -width / 2, y: -height / 2, width, height, rx: 5 });
}
