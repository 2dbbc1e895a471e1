/** Single shapes as SVG. What they look like otherwise is a matter of style sheets. */

import { s } from "./dom.js";

/** Outlines within a square from −1 to 1. */
const OUTLINES = {
  diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  triangle: [[-1, 1], [0, -1], [1, 1]],
  wedge: [[-1, -1], [0, 1], [1, -1]],
  star: spikes(8, 0.765),
  rose: spikes(4, 0.377),
  flag: [[-0.6, 1], [-0.6, -1], [1, -1], [0.7, -0.45], [1, 0.1], [-0.4, 0.1], [-0.4, 1]],
};

/** Where letters stand in a shape whose middle is not where it is widest. */
const LETTERS = { triangle: [0, 0.32], wedge: [0, -0.26], flag: [0.15, -0.42] };

function spikes(count, inner) {
  return Array.from({ length: 2 * count }, (_, index) => {
    const [angle, reach] = [(index * Math.PI) / count, index % 2 ? inner : 1];
    return [Math.sin(angle) * reach, -Math.cos(angle) * reach];
  });
}

export const seatClass = (seat) => (seat ? `seat-${seat}` : "seat-both");

/** A shape around the point (0, 0). */
export function drawShape(shape) {
  const { kind, width = 0, height = 0, look = "", text = "" } = shape;
  const [dx, dy] = LETTERS[kind] ?? [0, 0];
  const letters = text
    ? s("text", { class: "letters", x: (dx * width) / 2, y: (dy * height) / 2 }, text)
    : null;
  return s(
    "g",
    { class: `shape ${kind} ${look} ${seatClass(shape.owner)}` },
    outline(kind, width, height),
    letters,
  );
}

function outline(kind, width, height) {
  if (kind === "circle") return s("circle", { class: "body", r: width / 2 });
  if (kind === "rect")
    return s("rect", { class: "body", x: -width / 2, y: -height / 2, width, height, rx: 5 });
  const corners = OUTLINES[kind];
  if (!corners) return null; // text alone, or something newer than this page
  const points = corners.map(([x, y]) => `${round((x * width) / 2)},${round((y * height) / 2)}`).join(" ");
  return s("polygon", { class: "body", points });
}

const round = (number) => Math.round(number * 10) / 10;

/** A player's sign: a disc for one and a diamond for the other, so that nothing depends on colour. */
export function token(seat) {
  const [kind, size] = seat === 1 ? ["circle", 26] : ["diamond", 32];
  return drawShape({ kind, width: size, height: size, look: "piece", text: String(seat), owner: seat });
}
