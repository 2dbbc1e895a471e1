/** The coach beside who plays the computer: advice where it is asked for, and in practice one's chance. */

import { hint } from "../api.js";
import { button, h, say } from "../dom.js";
import { suspicions } from "../story.js";
import { practises, rememberPractice, rememberPractised } from "../store.js";

/** What may be believed of each place stands on the board as long as the question does. */
export function hintBox(table) {
  const said = h("p", { class: "hint", role: "status" });
  const ask = button("Ask for a hint", async () => {
    ask.disabled = true;
    await consult(table, said, (advice) => advice.hint);
    ask.disabled = false;
  });
  return h("div", { class: "hint-box" }, ask, said, practice(table));
}

/** One's chance at every question, for whoever has switched it on. */
function practice(table) {
  const said = h("p", { class: "chance", role: "status" });
  const show = () => {
    say(said, "");
    if (!practises()) return;
    rememberPractised(table.id);
    consult(table, said, (advice) => (practises() ? advice.chance : ""));
  };
  const change = ({ target }) => {
    rememberPractice(target.checked);
    table.ask.suspected = undefined;
    table.drawBoard();
    show();
  };
  const box = h("input", { type: "checkbox", checked: practises(), onchange: change });
  show();
  return [h("label", { class: "field check" }, box, h("span", {}, "Show my chance")), said];
}

async function consult(table, said, tell) {
  const question = table.ask;
  say(said, "The coach is thinking …");
  try {
    const advice = await hint(table.id, table.seat);
    const told = tell(advice);
    const places = told ? suspicions(advice.suspected ?? []) : new Map();
    const likely = `How likely something is hidden there, by best play: ${inWords(places)}.`;
    say(said, places.size ? `${told} ${likely}` : told);
    question.suspected = places;
    if (question === table.ask) table.drawBoard();
  } catch (error) {
    say(said, error.message);
  }
}

const inWords = (places) => [...places].map(([place, chance]) => `${place}: ${chance}`).join(", ");
