/** The coach's advice, for who plays the computer and asks for it. */

import { hint } from "../api.js";
import { button, h, say } from "../dom.js";
import { suspicions } from "../story.js";

/** What may be believed of each place stands on the board as long as the question does. */
export function hintBox(table) {
  const said = h("p", { class: "hint", role: "status" });
  const ask = button("Ask for a hint", async () => {
    const question = table.ask;
    ask.disabled = true;
    say(said, "The coach is thinking …");
    try {
      const advice = await hint(table.id, table.seat);
      const places = suspicions(advice.suspected ?? []);
      const likely = `How likely something is hidden there, by best play: ${inWords(places)}.`;
      say(said, places.size ? `${advice.hint} ${likely}` : advice.hint);
      question.suspected = places;
      table.drawBoard();
    } catch (error) {
      say(said, error.message);
    }
    ask.disabled = false;
  });
  return h("div", { class: "hint-box" }, ask, said);
}

const inWords = (places) => [...places].map(([place, chance]) => `${place}: ${chance}`).join(", ");
