/** The coach's advice, for who plays the computer and asks for it. */

import { hint } from "../api.js";
import { button, h, say } from "../dom.js";

export function hintBox(id, seat) {
  const said = h("p", { class: "hint", role: "status" });
  const ask = button("Ask for a hint", async () => {
    ask.disabled = true;
    say(said, "The coach is thinking …");
    try {
      say(said, (await hint(id, seat)).hint);
    } catch (error) {
      say(said, error.message);
    }
    ask.disabled = false;
  });
  return h("div", { class: "hint-box" }, ask, said);
}
