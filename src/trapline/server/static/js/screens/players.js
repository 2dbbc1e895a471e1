/** Who plays: two plates with shape, name, turn, and whether they are here. */

import { clear, h, s, say } from "../dom.js";
import { t } from "../language.js";
import { token } from "../shapes.js";
import { Faces } from "../time.js";

export class Players {
  /** @param {boolean} shared  two on one device: then both are here */
  constructor(shared) {
    this.shared = shared;
    this.plates = { 1: h("li", {}), 2: h("li", {}) };
    this.standIn = h("li", { class: "note stand-in", role: "status", hidden: true });
    this.element = h("ul", { class: "players" }, this.plates[1], this.plates[2], this.standIn);
    this.here = null;
    this.clocks = new Faces();
  }

  close() {
    this.clocks.close();
  }

  presence(message) {
    this.here = this.shared ? null : message.here;
    this.instead = message.instead;
    this.why = message.why;
    this.clocks.set(message.time);
    if (this.last) this.show(...this.last);
  }

  show(view, table, teller) {
    this.last = [view, table, teller];
    this.clocks.show(table.clock, teller.seat);
    for (const seat of [1, 2]) this.fill(seat, view, table, teller);
    const why = view.outcome ? "" : (this.why?.find(Boolean) ?? "");
    if (this.standIn.textContent !== t(why)) say(this.standIn, why);
    this.standIn.hidden = !why;
  }

  /** A plate stays, so that what its player says can hang on it. */
  fill(seat, view, table, teller) {
    const player = table.players[seat - 1];
    const turn = !view.outcome && view.to_move === seat;
    const won = view.outcome?.winner === seat;
    const mark = s(
      "svg",
      { class: "plate-mark", viewBox: "-18 -18 36 36", "aria-hidden": "true" },
      token(seat),
    );
    const plate = this.plates[seat];
    plate.className = `plate seat-${seat}${turn ? " turn" : ""}${won ? " won" : ""}`;
    clear(
      plate,
      mark,
      h(
        "div",
        {},
        h("b", { translate: hasOwnName(player, seat) ? "no" : null }, player ? teller.names[seat] : "Nobody yet"),
        h("small", {}, this.facts(seat, player, view, teller, turn, won).join(" · ") || " "),
      ),
      table.series && wins(table.series.wins[seat - 1]),
      this.clocks.faces[seat],
      plate.querySelector(".bubble"),
    );
  }

  facts(seat, player, view, teller, turn, won) {
    const facts = [];
    if (!player) return facts;
    const instead = this.instead?.[seat - 1];
    if (player.bot) facts.push(instead ? `${instead} for ${player.bot}` : player.bot);
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

/** Whether a player goes by a name of their own. */
const hasOwnName = (player, seat) => Boolean(player?.name && !player.bot && player.name !== `Player ${seat}`);

/** What a player has won of a series. */
const wins = (count) =>
  h("span", { class: "wins" }, h("span", { class: "unseen" }, "games won: "), String(count));
