/** The coach beside who plays the computer: advice where it is asked for, and in practice one's chance. */

import { hint } from "../api.js";
import { button, h, rest, say } from "../dom.js";
import { wholeLanguage } from "../language.js";
import { suspicions } from "../story.js";
import { practised, practises, rememberPractice, rememberPractised } from "../store.js";

/** What may be believed of each place stands on the board as long as the question does. */
export function hintBox(table) {
  const said = h("p", { class: "hint", role: "status" });
  const rated = h("p", { class: "note rated" });
  const ask = button("Ask for a hint", async () => {
    rest(ask, true);
    practise(table, rated);
    await consult(table, said, ({ hint: told }, likely) => `${told} ${likely}`);
    rest(ask, false);
    said.scrollIntoView({ block: "nearest" }); // a bar of answers may lie over it
  });
  const box = h("div", { class: "hint-box" }, ask, practice(table, rated), rated, said);
  sayRated(table, rated);
  return box;
}

/** From now on the match is not rated, which was said before. */
function practise(table, rated) {
  rememberPractised(table.id);
  sayRated(table, rated);
}

function sayRated(table, rated) {
  say(
    rated,
    practised(table.id)
      ? "The coach has helped: this match is practice, and not rated."
      : "With a hint, or your chance, this match becomes practice and is not rated.",
  );
}

/** One's chance at every question, above the board, for whoever has switched it on. */
function practice(table, rated) {
  const show = () => {
    say(table.chance, "");
    if (!practises()) return;
    practise(table, rated);
    consult(table, table.chance, ({ chance }) => (practises() ? chance : ""));
  };
  const change = ({ target }) => {
    rememberPractice(target.checked);
    table.ask.suspected = undefined;
    table.drawBoard();
    show();
  };
  const box = h("input", { type: "checkbox", checked: practises(), onchange: change });
  show();
  return h("label", { class: "field check" }, box, h("span", {}, "Show my chance"));
}

/** What the coach says is shown as long as the question stands that it was asked about. */
async function consult(table, said, tell) {
  const question = table.ask;
  say(said, "The coach is thinking …");
  const advice = await hint(table.id, table.seat).catch((error) => ({ hint: error.message, chance: error.message }));
  await wholeLanguage();
  if (question !== table.ask) return;
  const places = suspicions(advice.suspected ?? []);
  const likely = places.size ? `How likely something is hidden there, by best play: ${inWords(places)}.` : "";
  const told = tell(advice, likely).trim();
  say(said, told);
  question.suspected = told ? places : undefined;
  table.drawBoard();
}

const inWords = (places) => [...places].map(([place, chance]) => `${place}: ${chance}`).join(", ");
