/** A track: a trail across a map, folded into as many rows as the space allows. */

import { calm, s } from "../dom.js";
import { capital, onPlace } from "../words.js";
import { pressable, seatClass, token, trapMark } from "./marks.js";

const NARROWEST = 52; // leaves every target at least 44 pixels
const WIDEST = 92;
const ROW = 100;
const ABOVE = 50; // room for the pieces of the first row
const BELOW = 66; // and for the traps and the goal's name under the last
const RADIUS = 22;
const EDGE = 34;
const HOP = 190;

/** Where each place lies, in pixels. Rows run to and fro, like a path up a slope. */
function layout(places, width) {
  const fits = Math.max(2, Math.floor((width - 2 * EDGE) / NARROWEST) + 1);
  const rows = Math.ceil(places / fits);
  const perRow = Math.ceil(places / rows);
  const pitch = Math.min(WIDEST, (width - 2 * EDGE) / Math.max(1, perRow - 1));
  const left = (width - pitch * (perRow - 1)) / 2;
  const points = [];
  for (let at = 0; at < places; at += 1) {
    const row = Math.floor(at / perRow);
    const column = row % 2 ? perRow - 1 - (at % perRow) : at % perRow;
    const sway = rows > 1 ? 4 : 8;
    points.push({ x: left + column * pitch, y: ABOVE + row * ROW + Math.sin(at * 1.7) * sway, row });
  }
  return { points, width, height: ABOVE + (rows - 1) * ROW + BELOW };
}

/** The trail itself: soft curves, and a wide bend where a row ends. */
function trail(points) {
  let path = `M${points[0].x} ${points[0].y}`;
  points.slice(1).forEach((to, index) => {
    const from = points[index];
    if (to.row === from.row) {
      const middle = (from.x + to.x) / 2;
      path += `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    } else {
      const out = from.row % 2 ? -30 : 30;
      path += `C${from.x + out} ${from.y + 16} ${to.x + out} ${to.y - 16} ${to.x} ${to.y}`;
    }
  });
  return path;
}

/**
 * Draws a track.
 * @param {object} board  as the View holds it
 * @param {number} width
 * @param {import("../words.js").Teller} teller
 * @param {{targets?: Map<number, object>, seat?: number}} offer  what may be pressed: a
 *   place → {label, act, tag, pressed}; a pressed one shows a trap of `seat`
 */
export function drawTrack(board, width, teller, offer = {}) {
  const plan = layout(board.length + 1, width);
  const svg = s("svg", {
    class: "board track",
    viewBox: `0 0 ${plan.width} ${plan.height}`,
    width: plan.width,
    height: plan.height,
  });
  svg.append(s("path", { class: "trail-bed", d: trail(plan.points) }));
  svg.append(s("path", { class: "trail", d: trail(plan.points) }));
  plan.points.forEach((point, at) => svg.append(place(board, at, point, teller, offer)));
  const tokens = [1, 2].map((seat) => {
    const spot = standing(plan, board.positions[seat - 1], seat);
    const piece = token(seat);
    piece.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
    svg.append(piece);
    return piece;
  });
  return { svg, plan, tokens };
}

const standing = (plan, at, seat) => {
  const point = plan.points[at];
  return { x: point.x + (seat === 1 ? -13 : 13), y: point.y - 25 };
};

function place(board, at, point, teller, offer) {
  const target = offer.targets?.get(at);
  const goals = [1, 2].filter((seat) => board.goals[seat - 1] === at);
  const group = s("g", {
    class: `place${goals.length ? " goal" : ""}${target ? " target" : ""}${target?.pressed ? " pressed" : ""}`,
    transform: `translate(${point.x} ${point.y})`,
    "data-at": at,
  });
  if (goals.length) group.append(goalStar(goals));
  group.append(s("circle", { class: "hit", r: RADIUS + 3 }), s("circle", { class: "disc", r: RADIUS }));
  group.append(s("text", { class: "number", y: target?.tag ? -1 : 6 }, String(at)));
  if (target?.tag) group.append(s("text", { class: "tag", y: 14 }, target.tag));
  for (const trap of board.traps.filter((known) => known.at === at)) group.append(layTrap(trap));
  if (target?.pressed) group.append(layTrap({ at, owner: offer.seat, live: true, sprung: false }));
  if (target) {
    const says = [`${capital(teller.place)} ${at}`, target.label, ...onPlace(board, at, teller)];
    pressable(group, { ...target, label: says.filter(Boolean).join(", ") });
  }
  return group;
}

/** A goal is a star behind its place, clear of the pieces above and the traps below. */
function goalStar(goals) {
  const owner = goals.length === 2 ? null : goals[0];
  const square = "M-21-21H21V21H-21Z";
  return s(
    "g",
    { class: `star ${seatClass(owner)}` },
    s("path", { d: square }),
    s("path", { d: square, transform: "rotate(45)" }),
    s("text", { y: 58 }, owner ? `goal of ${owner}` : "goal"),
  );
}

function layTrap(trap) {
  const mark = trapMark(trap);
  const x = trap.owner === 1 ? -12 : trap.owner === 2 ? 12 : 0;
  mark.setAttribute("transform", `translate(${x} 33)`);
  mark.setAttribute("data-trap", `${trap.at}-${trap.owner}`);
  return mark;
}

/** Lets the pieces walk what the events tell, place by place, and the traps snap. */
export function animateTrack(drawn, events) {
  if (calm()) return;
  const walks = { 1: [], 2: [] };
  for (const event of events) {
    if (event.event === "moved") walks[event.by].push(...between(event.start, event.to));
    if (event.event === "returned") walks[event.by].push(0);
    if (event.event === "triggered") snap(drawn, event, walks[event.by].length * HOP);
  }
  for (const seat of [1, 2]) {
    if (walks[seat].length > 1) walk(drawn, seat, walks[seat]);
  }
}

function between(start, to) {
  const step = to > start ? 1 : -1;
  return Array.from({ length: Math.abs(to - start) + 1 }, (_, index) => start + index * step);
}

function walk(drawn, seat, stops) {
  const frames = [];
  stops.forEach((at, index) => {
    const spot = standing(drawn.plan, at, seat);
    if (index) {
      const before = standing(drawn.plan, stops[index - 1], seat);
      const lift = Math.min(spot.y, before.y) - 12;
      frames.push({ transform: `translate(${(spot.x + before.x) / 2}px, ${lift}px)` });
    }
    frames.push({ transform: `translate(${spot.x}px, ${spot.y}px)` });
  });
  drawn.tokens[seat - 1].animate(frames, { duration: HOP * stops.length, easing: "ease-in-out" });
}

function snap(drawn, event, delay) {
  for (const mark of drawn.svg.querySelectorAll(`[data-trap^="${event.at}-"] > path`)) {
    mark.animate([{ transform: "scale(1)" }, { transform: "scale(2)" }, { transform: "scale(1)" }], {
      duration: 500,
      delay,
      easing: "cubic-bezier(.2,1.6,.4,1)",
    });
  }
}

/** What a click on a track can mean: each allowed number of steps, by where it leads. */
export function stepTargets(view, act) {
  const seat = view.seat - 1;
  const { board } = view;
  const from = board.returning[seat] ? 0 : board.positions[seat];
  const way = board.goals[seat] === 0 ? -1 : 1;
  return new Map(
    view.legal.map((steps) => {
      const label = `${steps} ${steps === 1 ? "step" : "steps"}`;
      return [from + way * steps, { label, tag: `+${steps}`, act: () => act(String(steps)) }];
    }),
  );
}
