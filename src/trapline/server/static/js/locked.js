/** A device that keeps a secret: a commitment for each place, and one opened when a move depends on it. */

import { choose } from "./choosing.js";
import { DeviceLine, GREEDY, newSalt } from "./device.js";
import { keyOf } from "./picture.js";

const lockKey = (seat, place) => `${seat} at ${place}`;

export class LockedLine extends DeviceLine {
  /** What this device committed to, as the server shows it: of several tries the one that counts. */
  get own() {
    const { commitments } = this.state.table;
    return this.kept.find((secret) =>
      secret.places.every(({ text }) => this.lock(text, secret) === commitments[lockKey(this.seat, text)]),
    );
  }

  lock(place, { holds, salts }) {
    return this.computed({ seat: this.seat, place, holds: holds[place], salt: salts[place] });
  }

  computed({ seat, place, holds, salt }) {
    return this.commitmentTo(seat, `place ${place}`, holds ? 1 : 0, salt);
  }

  fits(opened, seen) {
    return this.computed(opened) === seen[lockKey(opened.seat, opened.place)];
  }

  isLeftOut(own, opened) {
    const told = new Set(opened.map((one) => one.place));
    return Object.entries(own.opened).some(
      ([turn, places]) => this.state.view.turn > turn && [places].flat().some((place) => !told.has(place)),
    );
  }

  hasLocked({ commitments }) {
    return Object.keys(commitments).some((key) => key.startsWith(lockKey(this.seat, "")));
  }

  isHidden(question) {
    return question?.asks === "secret";
  }

  hide(question, text) {
    const secret = this.secret(question, choose(question, text));
    return { do: "lock", locks: secret.places.map((place) => this.lock(place.text, secret)) };
  }

  secret(question, chosen) {
    const places = question.answers.map((answer) => ({ text: answer.text, at: keyOf(answer.place) }));
    const holds = Object.fromEntries(question.answers.map((answer) => [answer.text, chosen.includes(answer)]));
    const salts = Object.fromEntries(places.map((place) => [place.text, newSalt()]));
    const most = this.state.table.locked.places_a_move; // as it is now: nobody raises it later
    const secret = { places, holds, salts, most, opened: {} };
    this.kept = [...this.kept, secret];
    this.keepFirst();
    return secret;
  }

  respond(own, { place, turn }) {
    const before = [own.opened[turn] ?? []].flat();
    if (!before.includes(place)) {
      if (this.isTooMuch(own, before, turn)) {
        this.alarm = GREEDY;
        return;
      }
      own.opened[turn] = [...before, place];
      this.keep();
    }
    this.say({ do: "open", place, holds: own.holds[place], salt: own.salts[place] });
  }

  /** One move opens no more places than it can meet, and none after one that holds something. */
  isTooMuch(own, before, turn) {
    const turns = Object.keys(own.opened).map(Number);
    const settled = before.length >= (own.most ?? 1) || before.some((place) => own.holds[place]);
    return settled || turns.some((one) => one > turn || (one - turn) % 2);
  }

  rest(own) {
    const told = this.state.table.locked.opened.filter((one) => one.seat === this.seat).map((one) => one.place);
    const closed = own.places.map((place) => place.text).filter((place) => !told.includes(place));
    const [holds, salts] = [own.holds, own.salts].map((facts) => closed.map((place) => facts[place]));
    return { do: "open rest", holds, salts };
  }

  drawn(state, own) {
    const held = own.places.filter((place) => own.holds[place.text]);
    const names = held.map((place) => place.text);
    const hid = `You hid: ${names.join("; ")}. Only this device knows.`;
    return this.withMarks(state, names, held.map((place) => place.at), [hid]);
  }
}
