/** Choosing a secret on the board itself: places are toggled until there are enough. */

import { cellKey } from "../boards/grid.js";

export class SecretChoice {
  constructor(owner, table) {
    this.owner = owner;
    this.places = table.secret_places;
    this.count = table.secret_count;
    this.hint = table.secret_hint;
    this.chosen = [];
  }

  get isCell() {
    return Array.isArray(this.places[0]);
  }

  get complete() {
    return this.chosen.length === this.count;
  }

  /** As it is typed: "3 5 7" or "5,2". */
  get text() {
    if (this.isCell) return this.chosen.map(cellKey).join(" ");
    return [...this.chosen].sort((a, b) => a - b).join(" ");
  }

  /** What a typed one could look like. */
  get example() {
    const some = this.places.filter((_, index) => index % 2 === 1 || this.places.length < 2 * this.count);
    return this.isCell ? cellKey(some[0]) : some.slice(0, this.count).join(" ");
  }

  has(place) {
    return this.chosen.some((one) => String(one) === String(place));
  }

  toggle(place) {
    if (this.has(place)) this.chosen = this.chosen.filter((one) => String(one) !== String(place));
    else if (this.count === 1) this.chosen = [place];
    else if (!this.complete) this.chosen = [...this.chosen, place];
    else this.owner.panel.complain(`That would be more than ${this.count}. Take one back first.`);
    this.owner.drawBoard();
    this.owner.panel.refreshSecret();
  }

  /** The board shows what is chosen so far as if it were there, so nothing has to be imagined. */
  offer() {
    const noun = this.isCell ? "your Goal Cell" : "a trap";
    const targets = new Map(
      this.places.map((place) => {
        const pressed = this.has(place);
        const label = pressed ? `${noun}, chosen` : `choose as ${noun}`;
        return [this.isCell ? cellKey(place) : place, { label, pressed, act: () => this.toggle(place) }];
      }),
    );
    return { targets, seat: this.owner.seat };
  }
}
