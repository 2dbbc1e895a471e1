/** A grid: a square of the map, with the Seeker that both players lead. */

import { calm, s } from "../dom.js";
import { capital, cellName, onCell } from "../words.js";
import { flag, pressable, seekerMark } from "./marks.js";

const SMALLEST = 46;
const LARGEST = 84;
const MARGIN = 26;

export const cellKey = (cell) => `${cell[0]},${cell[1]}`;

/**
 * Draws a grid. `offer.targets` maps "row,column" to {label, act, pressed}; with
 * `offer.cursor` every cell can be visited with the arrow keys.
 */
export function drawGrid(board, width, teller, offer = {}) {
  const side = Math.max(SMALLEST, Math.min(LARGEST, (width - MARGIN - 4) / board.size));
  const across = MARGIN + board.size * side + 4;
  const svg = s("svg", {
    class: "board grid",
    viewBox: `0 0 ${across} ${across}`,
    width: across,
    height: across,
  });
  const plan = {
    side,
    at: (cell) => ({ x: MARGIN + (cell[1] - 0.5) * side, y: MARGIN + (cell[0] - 0.5) * side }),
  };
  for (let n = 1; n <= board.size; n += 1) {
    svg.append(s("text", { class: "axis", x: MARGIN + (n - 0.5) * side, y: 17 }, String(n)));
    svg.append(s("text", { class: "axis", x: 12, y: MARGIN + (n - 0.5) * side + 5 }, String(n)));
  }
  for (let row = 1; row <= board.size; row += 1) {
    for (let column = 1; column <= board.size; column += 1) {
      svg.append(cell(board, [row, column], plan, teller, offer));
    }
  }
  const seeker = seekerMark();
  const spot = plan.at(board.seeker);
  seeker.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
  svg.append(seeker);
  return { svg, plan, seeker };
}

function cell(board, where, plan, teller, offer) {
  const { side } = plan;
  const target = offer.targets?.get(cellKey(where));
  const spot = plan.at(where);
  const group = s("g", {
    class: `cell${target ? " target" : ""}${target?.pressed ? " pressed" : ""}${(where[0] + where[1]) % 2 ? " odd" : ""}`,
    transform: `translate(${spot.x} ${spot.y})`,
    "data-at": cellKey(where),
  });
  group.append(
    s("rect", {
      class: "square",
      x: -side / 2 + 1.5,
      y: -side / 2 + 1.5,
      width: side - 3,
      height: side - 3,
      rx: 5,
    }),
  );
  if (target) group.append(s("circle", { class: "blaze", r: Math.min(9, side / 6) }));
  [1, 2].forEach((seat) => {
    const goal = board.goals[seat - 1];
    if (goal && cellKey(goal) === cellKey(where)) group.append(goalMark(seat, side));
  });
  if (target?.pressed) group.append(goalMark(offer.seat, side));
  if (target || offer.cursor) {
    const says = [
      capital(cellName(where)),
      target?.label ?? "not one of your moves",
      ...onCell(board, where, teller),
    ];
    pressable(group, {
      ...target,
      act: target?.act ?? offer.elsewhere,
      disabled: !target,
      label: says.filter(Boolean).join(", "),
    });
  }
  return group;
}

function goalMark(seat, side) {
  const mark = flag(seat);
  const reach = side / 2 - 17;
  mark.setAttribute(
    "transform",
    `translate(${seat === 1 ? -reach : reach} ${seat === 1 ? reach : -reach}) scale(${side < 56 ? 0.75 : side / 68})`,
  );
  return mark;
}

/** Lets the Seeker glide where the events led it. */
export function animateGrid(drawn, events) {
  if (calm()) return;
  const stops = events.filter((event) => event.event === "moved");
  if (!stops.length) return;
  const frames = [stops[0].start, ...stops.map((event) => event.to)].map((where) => {
    const { x, y } = drawn.plan.at(where);
    return { transform: `translate(${x}px, ${y}px)` };
  });
  drawn.seeker.animate(frames, { duration: 320 * stops.length, easing: "ease-in-out" });
}

/** What a click on a grid can mean: each cell that is allowed. */
export function cellTargets(view, act) {
  return new Map(
    view.legal.map((where) => [
      cellKey(where),
      { label: "lead the Seeker here", act: () => act(cellKey(where)) },
    ]),
  );
}
