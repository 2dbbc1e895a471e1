/** A few things that players can say to each other, and no others. */

import { announce, button, h, say } from "../dom.js";
import { mutes, rememberMute } from "../store.js";

/** What is said in a word, in full. No pictures: not every device has them. */
const SAID = {
  hello: "Hello!",
  "good luck": "Good luck!",
  nice: "Nice one!",
  ouch: "Ouch!",
  "let me think": "Let me think.",
  sorry: "Sorry!",
  "thank you": "Thank you!",
  "good game": "Good game!",
};
const SEEN_FOR = 6000;

export class Reactions {
  /** @param table  what is said goes out by it */
  constructor(table) {
    this.table = table;
    this.numbers = null; // how many each player had sent when we last looked
    this.element = this.build();
    this.element.hidden = true;
  }

  build() {
    const rest = button("", () => this.mute(!mutes()), { class: "quiet" });
    this.rest = rest;
    this.nameMute();
    return h(
      "details",
      { class: "reactions" },
      h("summary", {}, "Say something"),
      h(
        "div",
        { class: "row" },
        Object.entries(SAID).map(([says, text]) =>
          button(text, () => this.say(says), { class: "reaction" }),
        ),
        rest,
      ),
    );
  }

  say(says) {
    this.element.open = false;
    this.element.querySelector("summary").focus();
    this.table.line.send({ do: "react", says }); // nobody waits for it, so nothing is held up
  }

  mute(wanted) {
    rememberMute(wanted);
    this.nameMute();
  }

  nameMute() {
    say(this.rest, mutes() ? "Show what the other says" : "Hide what the other says");
  }

  /** What is new is seen beside its player for a moment. Only people have something to say. */
  show({ players, reactions }, teller, plates) {
    const people = players.filter((player) => player && !player.bot).length;
    this.element.hidden = !teller.seat || people < 2 || Boolean(this.table.here);
    const numbers = reactions.map((said) => said?.number ?? 0);
    const before = this.numbers ?? numbers; // what was said before we came is past
    this.numbers = numbers;
    numbers.forEach((number, index) => {
      const seat = index + 1;
      if (number > before[index] && !(mutes() && seat !== teller.seat))
        this.bubble(reactions[index].says, seat, teller, plates);
    });
  }

  bubble(says, seat, teller, plates) {
    const text = SAID[says] ?? says;
    const cloud = h("span", { class: `bubble seat-${seat}`, "aria-hidden": "true" }, text);
    plates[seat].querySelector(".bubble")?.remove();
    plates[seat].append(cloud);
    setTimeout(() => cloud.remove(), SEEN_FOR);
    if (seat !== teller.seat) announce(`${teller.names[seat]}: ${text}`);
  }
}
