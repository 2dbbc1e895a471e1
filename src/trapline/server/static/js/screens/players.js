/** Who plays: two plates with shape, name, turn, and whether they are here. */

import { clear, h, s } from "../dom.js";
import { token } from "../shapes.js";
import { Faces } from "../time.js";

export class Players {
  /** @param {boolean} shared  two on one device: then both are here */
  constructor(shared) {
    this.shared = shared;
    this.element = h("ul", { class: "players" });
    this.here = null;
    this.clocks = new Faces();
  }

  close() {
    this.clocks.close();
  }

  presence(message) {
    this.here = this.shared ? null : message.here;
    this.instead = message.instead;
    this.clocks.set(message.time);
    if (this.last) this.show(...this.last);
  }

  show(view, table, teller) {
    this.last = [view, table, teller];
    this.clocks.show(table.clock, teller.seat);
    clear(
      this.element,
      [1, 2].map((seat) => this.plate(seat, view, table, teller)),
    );
  }

  plate(seat, view, table, teller) {
    const player = table.players[seat - 1];
    const turn = !view.outcome && view.to_move === seat;
    const won = view.outcome?.winner === seat;
    const mark = s(
      "svg",
      { class: "plate-mark", viewBox: "-18 -18 36 36", "aria-hidden": "true" },
      token(seat),
    );
    return h(
      "li",
      { class: `plate seat-${seat}${turn ? " turn" : ""}${won ? " won" : ""}` },
      mark,
      h(
        "div",
        {},
        h("b", {}, player ? teller.names[seat] : "Nobody yet"),
        h("small", {}, this.facts(seat, player, view, teller, turn, won).join(" · ") || " "),
      ),
      this.clocks.faces[seat],
    );
  }

  facts(seat, player, view, teller, turn, won) {
    const facts = [];
    if (!player) return facts;
    const instead = this.instead?.[seat - 1];
    if (player.bot) facts.push(instead ? `${instead}: no ${player.bot} play known` : player.bot);
    if (seat === teller.seat) facts.push("you");
    if (won) facts.push("winner");
    if (turn) facts.push("to move");
    if (view.to_move === null && !view.outcome) facts.push(view.ready[seat - 1] ? "ready" : "choosing");
    if (this.here && !player.bot && seat !== teller.seat && !view.outcome) {
      facts.push(this.here[seat - 1] ? "here" : "away");
    }
    return facts;
  }
}
