/**
 * The signs on every board. Player 1 is a disc and Player 2 a diamond; their traps point up
 * and down; so nothing depends on colour.
 */

import { s } from "../dom.js";

export const seatClass = (seat) => (seat ? `seat-${seat}` : "seat-both");

/** A player's piece. */
export function token(seat) {
  const shape = seat === 1 ? s("circle", { r: 13 }) : s("path", { d: "M0-16L16 0L0 16L-16 0Z" });
  return s("g", { class: `token ${seatClass(seat)}` }, shape, s("text", { y: 5 }, String(seat)));
}

/** A trap: a row of teeth with its owner's number, hollow once it is spent. */
export function trapMark(trap) {
  const up = "M-12 9L0-12L12 9Z";
  const down = "M-12-9L0 12L12-9Z";
  const both = "M-11 0L0-11L11 0L0 11Z";
  const shape = trap.owner === 1 ? up : trap.owner === 2 ? down : both;
  const state = `${trap.live ? "live" : "spent"}${trap.sprung ? " sprung" : ""}`;
  return s(
    "g",
    { class: `trap ${seatClass(trap.owner)} ${state}` },
    s("path", { d: shape }),
    trap.live
      ? s(
          "text",
          { y: trap.owner === 1 ? 7 : trap.owner === 2 ? 2 : 4 },
          trap.owner ? String(trap.owner) : "!",
        )
      : s("path", { class: "strike", d: "M-11 11L11-11" }),
  );
}

/** A goal: a flag, with a number where it is one player's alone. */
export function flag(seat) {
  return s(
    "g",
    { class: `flag ${seatClass(seat)}` },
    s("path", { class: "pole", d: "M-6 14V-14" }),
    s("path", { class: "cloth", d: seat === 2 ? "M-6-14L12-8L-6-1Z" : "M-6-14H11L7-7.5L11-1H-6Z" }),
    seat ? s("text", { x: 0, y: -4 }, String(seat)) : null,
  );
}

/** The Seeker: a compass rose. */
export function seekerMark() {
  return s(
    "g",
    { class: "seeker" },
    s("circle", { r: 17 }),
    s("path", { d: "M0-15L4-4L15 0L4 4L0 15L-4 4L-15 0L-4-4Z" }),
    s("circle", { class: "eye", r: 2.5 }),
  );
}

/** Turns a group into something that is pressed like a button. */
export function pressable(group, { label, act, pressed, disabled }) {
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-label", label);
  if (pressed !== undefined) group.setAttribute("aria-pressed", String(pressed));
  if (disabled) group.setAttribute("aria-disabled", "true");
  group.addEventListener("click", () => act(group));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act(group);
  });
  return group;
}
