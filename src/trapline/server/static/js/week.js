/** The last seven days of puzzles at a glance; the words beside it say how many were solved in a row. */

import { h } from "./dom.js";
import { language } from "./language.js";
import { triedPuzzles } from "./store.js";

const DAYS = 7;
const DAY = 86_400_000;

/** The day of the puzzle, which is the same all over the world. */
export const today = () => new Date().toISOString().slice(0, 10);

export function week() {
  const tried = triedPuzzles();
  const noon = Date.parse(today()) + DAY / 2; // which is the same day nearly everywhere
  const days = Array.from({ length: DAYS }, (_, index) => new Date(noon - (DAYS - 1 - index) * DAY));
  return h(
    "ol",
    { class: "week plain", "aria-hidden": "true", translate: "no" },
    days.map((day) => h("li", { class: outcome(tried[day.toISOString().slice(0, 10)]) }, letter(day))),
  );
}

const outcome = (answered) => (answered ? (answered.right ? "right" : "wrong") : "");

const letter = (day) => new Intl.DateTimeFormat(language(), { weekday: "narrow" }).format(day);
