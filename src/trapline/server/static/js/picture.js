/** A board as it was sent: shapes, laid out for the space there is, and what may be pressed on them. */

import { s } from "./dom.js";
import { t } from "./language.js";
import { scenery } from "./scenery.js";
import { drawShape } from "./shapes.js";
import { capital } from "./words.js";

const SMALLEST = 30; // pixels across that every place has at least
const LARGEST = 2.4;
const STRETCH = 1.75;
const OVERLAP = 20; // the edges of a strip are nearly empty, so its rows may lie closer

export const keyOf = (place) => String(place);

export const placesOf = (picture) => picture.shapes.filter((shape) => (shape.place ?? null) !== null);

/**
 * Where a point of the picture lies on the screen, and how large the whole becomes.
 * @param {Room} room  what does not fit may be higher, never wider
 *
 * @typedef {{width: number, height: number, fill?: boolean}} Room  pixels, and whether the land around
 *   the board fills all of them
 */
export function arrange(picture, room) {
  return picture.fold ? folded(picture, room) : scaled(picture, room);
}

function scaled(picture, room) {
  const smallest = Math.min(...placesOf(picture).map((shape) => shape.width));
  const least = Number.isFinite(smallest) ? SMALLEST / smallest : 0.5;
  const fits = Math.min(LARGEST, room.height / picture.height, room.width / picture.width);
  const thumb = Math.min(room.width / picture.width, 1); // too high is better than too small
  const scale = Math.max(least, thumb, fits);
  return {
    width: picture.width,
    height: picture.height,
    scale,
    at: (x, y) => ({ x, y, row: 0 }),
  };
}

/** A strip in rows that run to and fro, like a path up a slope: as many as make it largest. */
function folded(picture, room) {
  const { fold, height } = picture;
  const step = height - OVERLAP;
  const columns = Math.round(picture.width / fold);
  const { rows, perRow, scale } = bestFold(columns, fold, height, room);
  const width = room.width / scale;
  const pitch = Math.max(fold, Math.min(fold * STRETCH, width / perRow));
  const left = Math.max(0, (width - pitch * perRow) / 2);
  const high = (rows - 1) * step + height;
  const above = room.fill ? Math.max(0, room.height / scale - high) / 2 : 0;
  return {
    width: Math.max(width, pitch * perRow),
    height: high + 2 * above,
    scale,
    at(x, y) {
      const column = columnOf(picture, x);
      const row = Math.floor(column / perRow);
      const place = row % 2 ? perRow - 1 - (column % perRow) : column % perRow;
      return { x: left + (place + 0.5) * pitch + x - (column + 0.5) * fold, y: above + y + row * step, row };
    },
  };
}

/** The widest rows first: of those that make it equally large, the one that fills most. */
function bestFold(columns, fold, height, room) {
  const ways = Array.from({ length: columns }, (_, index) => index + 1).map((rows) => {
    const perRow = Math.ceil(columns / rows);
    const high = (rows - 1) * (height - OVERLAP) + height;
    const [across, down] = [room.width / (perRow * fold), room.height / high];
    const scale = Math.min(LARGEST, across, Math.max(1, down));
    const wide = Math.min(room.width, perRow * fold * STRETCH * scale);
    const filled = (wide / room.width) * Math.min(1, (high * scale) / room.height);
    return { rows, perRow, scale, fits: down >= 1 || across < 1, filled };
  });
  const rank = (way) => [Math.min(1, way.scale), way.fits ? 1 : 0, way.scale, way.filled];
  return ways.reduce((best, way) => (isMore(rank(way), rank(best)) ? way : best));
}

/** Compared by the first figure that differs noticeably. */
function isMore(one, two) {
  const index = one.findIndex((figure, at) => Math.abs(figure - two[at]) > 0.02);
  return index >= 0 && one[index] > two[index];
}

export const columnOf = (picture, x) =>
  Math.max(0, Math.min(Math.floor(x / picture.fold), Math.round(picture.width / picture.fold) - 1));

/**
 * Draws a picture. What cannot be pressed is for the eyes: the frame says it in words.
 * @param {{targets?: Map<string, object>, elsewhere?: Function}} offer  what may be pressed: a
 *   place → {label, act, tag, pressed}; with `elsewhere` every other place can be visited too
 * @param {(shape: object, plan: object) => Element[]} traces  signs of what has happened at a place
 */
export function drawPicture(picture, room, offer = {}, traces = () => []) {
  const plan = arrange(picture, room);
  const svg = s("svg", {
    class: "board",
    role: "presentation", // as a picture it would hide the places in it from whoever has it read aloud
    viewBox: `0 0 ${plan.width} ${plan.height}`,
    width: plan.width * plan.scale,
    height: plan.height * plan.scale,
  });
  const moving = new Map();
  const said = []; // lies above the pieces
  svg.append(scenery(picture, plan));
  for (const shape of picture.shapes) {
    const group = shape.kind === "line" ? drawLine(shape, plan) : drawShape(shape);
    if (shape.kind !== "line") put(group, plan.at(shape.x, shape.y));
    if ((shape.place ?? null) !== null) becomePlace(group, shape, offer, Boolean(picture.fold));
    if (shape.id) moving.set(shape.id, group);
    const signs = (shape.place ?? null) !== null ? traces(shape, plan) : [];
    for (const seen of [group, ...signs]) if (!seen.hasAttribute("role")) seen.setAttribute("aria-hidden", "true");
    svg.append(group, ...signs.filter((sign) => !sign.classList.contains("said")));
    said.push(...signs.filter((sign) => sign.classList.contains("said")));
  }
  svg.append(...said);
  return { svg, plan, moving };
}

const put = (group, { x, y }) => group.setAttribute("transform", `translate(${x} ${y})`);

/** Soft curves, and a wide bend where a row ends. */
function drawLine(shape, plan) {
  const points = shape.points.map(([x, y]) => plan.at(x, y));
  let path = `M${points[0].x} ${points[0].y}`;
  points.slice(1).forEach((to, index) => {
    const from = points[index];
    const middle = (from.x + to.x) / 2;
    const out = from.row % 2 ? -30 : 30;
    path +=
      to.row === from.row
        ? `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`
        : `C${from.x + out} ${from.y + 16} ${to.x + out} ${to.y - 16} ${to.x} ${to.y}`;
  });
  return s(
    "g",
    { class: `line ${shape.look ?? ""}` },
    s("path", { class: "bed", d: path }),
    s("path", { class: "body", d: path }),
  );
}

/** @param strip  on a strip the arrow keys go from target to target; the rest is for fingers */
function becomePlace(group, shape, offer, strip) {
  const target = offer.targets?.get(keyOf(shape.place));
  group.dataset.at = keyOf(shape.place);
  if (target) {
    group.classList.add("target");
    group.classList.toggle("pressed", Boolean(target.pressed));
    group.append(...targetSigns(shape, target));
  }
  if (!target && !offer.elsewhere) return;
  if (!target && strip) {
    group.addEventListener("click", offer.elsewhere);
    return;
  }
  const says = [capital(shape.label || keyOf(shape.place)), target ? target.label : "not among your answers"];
  pressable(group, {
    ...target,
    act: target?.act ?? offer.elsewhere,
    disabled: !target,
    label: says.filter(Boolean).join(", "),
  });
}

/** A ring to hit, and either what the answer is called or a dot. */
function targetSigns(shape, target) {
  const ring = shape.kind === "circle" ? [s("circle", { class: "hit", r: shape.width / 2 + 3 })] : [];
  if (target.tag) return [...ring, s("text", { class: "tag", y: 12 }, target.tag)];
  return shape.text ? ring : [...ring, s("circle", { class: "blaze", r: 8 })];
}

/** Turns a group into something that is pressed like a button. */
function pressable(group, { label, act, pressed, disabled }) {
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-label", t(label));
  if (pressed !== undefined) group.setAttribute("aria-pressed", String(pressed));
  if (disabled) group.setAttribute("aria-disabled", "true");
  group.addEventListener("click", () => act());
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}

/** A small drawing for a card; it says nothing and does nothing. */
export function miniature(picture) {
  const { svg } = drawPicture(picture, { width: 760, height: 270, fill: true });
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  return svg;
}
