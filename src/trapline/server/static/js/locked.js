/**
 * The line of a player whose secret stays on this device: it sends a commitment for each place,
 * opens one when a move depends on it, checks what the other opens, and draws into the picture what
 * the server does not know. To the table it is a Connection like any other.
 */

import { Connection } from "./connection.js";
import { choose } from "./choosing.js";
import { keyOf } from "./picture.js";
import { commitment } from "./seals.js";
import { forgetSecrets, keepCommitments, keepSecrets, keptSecrets, seenCommitments } from "./store.js";
import { namesOf } from "./words.js";

const SALT_BYTES = 32;
const AGAIN = 500;

const LOST =
  "This browser does not hold what you hid in this match, so it cannot open it. Go on where you chose it.";
const FORGETFUL =
  "This browser lets the page remember nothing, so it cannot keep what you hide. Allow it to store data here.";
const GREEDY = "More is asked for than moves can depend on, so this device opens nothing more.";
const ALTERED = "What was opened does not fit what was committed to: this server cannot be trusted.";
const LEFT_OUT = "The server leaves out what this device has opened: it cannot be trusted.";
const RESUMED = "The server goes on with a match that was decided: it cannot be trusted.";

const lockKey = (seat, place) => `${seat} at ${place}`;

function newSalt() {
  const bytes = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class LockedLine {
  constructor(id, seat, listener) {
    Object.assign(this, { id, seat, listener });
    this.tried = keptSecrets(id, seat);
    this.line = new Connection(id, seat, {
      ...listener,
      state: (state, known) => this.hear(state, known),
      refused: (refusal) => this.refused(refusal),
    });
  }

  close() {
    clearTimeout(this.timer);
    this.line.close();
    this.tried = [];
    this.state = null;
  }

  // --- what comes in ---------------------------------------------------------------------

  hear(state, known) {
    this.state = state;
    if (state.answers.includes(this.answering)) this.answering = null;
    if (state.table.locked) {
      if (!state.view.outcome) keepCommitments(this.id, state.table.commitments);
      this.alarm ||= this.fault(state);
      this.answer();
    }
    this.listener.state(state.table.locked ? this.dressed(state) : state, known);
  }

  refused(refusal) {
    if (refusal.key !== this.answering) return this.listener.refused(refusal);
    this.answering = null;
    if (refusal.reason === "stale") this.timer = setTimeout(() => this.state && this.answer(), AGAIN);
    else if (!refusal.again && refusal.reason !== "not now") this.listener.refused(refusal);
    return undefined; // "not now": another tab of this browser has opened it already
  }

  /** What this device committed to, as the server shows it: of several tries the one that counts. */
  get own() {
    const { commitments } = this.state.table;
    return this.tried.find((secret) =>
      secret.places.every((place) => this.lock(this.seat, place, secret) === commitments[lockKey(this.seat, place.text)]),
    );
  }

  lock(seat, place, { holds, salts }) {
    return this.computed(seat, place.text, holds[place.text], salts[place.text]);
  }

  computed(seat, place, holds, salt) {
    return commitment(this.state.view.game, this.id, seat, `place ${place}`, holds ? 1 : 0, salt);
  }

  /** What a server that cheats would show. */
  fault({ view, table }) {
    const { opened, decided } = table.locked;
    const seen = { ...table.commitments, ...seenCommitments(this.id) };
    const own = this.seat ? this.own : null;
    const changed = Object.keys(table.commitments).some((key) => seen[key] !== table.commitments[key]);
    const wrong = opened.some(
      ({ seat, place, holds, salt }) => this.computed(seat, place, holds, salt) !== seen[lockKey(seat, place)],
    );
    if (changed || wrong) return ALTERED;
    if (own?.revealed && !decided) return RESUMED;
    const told = new Set(opened.filter((one) => one.seat === this.seat).map((one) => one.place));
    const missing = Object.entries(own?.opened ?? {}).some(
      ([turn, places]) => view.turn > turn && [places].flat().some((place) => !told.has(place)),
    );
    if (missing) return LEFT_OUT;
    return this.seat && !own && this.hasLocked(table) ? LOST : "";
  }

  hasLocked(table) {
    return Object.keys(table.commitments).some((key) => key.startsWith(lockKey(this.seat, "")));
  }

  // --- what goes out ---------------------------------------------------------------------

  send(command) {
    const { view, table } = this.state;
    const hides = table.locked && view.question?.asks === "secret" && command.do === "play";
    return hides ? this.hide(view.question, command.turn) : this.line.send(command);
  }

  /** The secret is kept before anything of it is sent: whoever reloads goes on. */
  hide(question, text) {
    try {
      const secret = this.secret(question, choose(question, text));
      const locks = secret.places.map((place) => this.lock(this.seat, place, secret));
      return this.line.send({ do: "lock", locks });
    } catch (error) {
      this.listener.refused({ sentence: error.message, again: false });
      return null;
    }
  }

  secret(question, chosen) {
    const places = question.answers.map((answer) => ({ text: answer.text, at: keyOf(answer.place) }));
    const holds = Object.fromEntries(question.answers.map((answer) => [answer.text, chosen.includes(answer)]));
    const salts = Object.fromEntries(places.map((place) => [place.text, newSalt()]));
    const most = this.state.table.locked.places_a_move; // as it is now: nobody raises it later
    const secret = { places, holds, salts, most, opened: {} };
    this.tried = [...this.tried, secret];
    this.keep();
    if (!keptSecrets(this.id, this.seat).length) throw new Error(FORGETFUL);
    return secret;
  }

  keep() {
    keepSecrets(this.id, this.seat, this.tried);
  }

  /** Opens what is asked for, once. */
  answer() {
    const { own, seat } = this;
    const { awaited, opening, decided } = this.state.table.locked;
    if (this.state.view.outcome) forgetSecrets(this.id, seat);
    if (!own || this.alarm || this.answering) return;
    if (awaited?.seat === seat && !decided) this.openPlace(own, awaited);
    else if (opening.includes(seat)) this.openRest(own);
  }

  openPlace(own, { place, turn }) {
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

  openRest(own) {
    own.revealed = true;
    this.keep();
    const told = this.state.table.locked.opened.filter((one) => one.seat === this.seat).map((one) => one.place);
    const closed = own.places.map((place) => place.text).filter((place) => !told.includes(place));
    const [holds, salts] = [own.holds, own.salts].map((facts) => closed.map((place) => facts[place]));
    this.say({ do: "open rest", holds, salts });
  }

  say(command) {
    this.answering = this.line.send(command);
  }

  // --- what only this device can show ------------------------------------------------------

  /** The state with what one has hidden drawn into it. */
  dressed(state) {
    const { own, seat } = this;
    const table = { ...state.table, alarm: this.alarm };
    if (!own || state.view.outcome) return { ...state, table };
    const name = namesOf(table)[seat];
    const held = own.places.filter((place) => own.holds[place.text]);
    const there = new Set(state.picture.shapes.map((shape) => shape.id).filter(Boolean));
    const marks = held
      .flatMap((place) => table.locked.marks[place.text] ?? [])
      .filter((shape) => !there.has(shape.id))
      .map((shape) => ({ ...shape, label: shape.label?.replace(`Player ${seat}`, name) }));
    const labelled = state.picture.shapes.map((shape) =>
      held.some((place) => place.at === keyOf(shape.place)) ? { ...shape, label: `${shape.label}, yours` } : shape,
    );
    const hid = `You hid: ${held.map((place) => place.text).join("; ")}. Only this device knows.`;
    return {
      ...state,
      table,
      picture: { ...state.picture, shapes: [...labelled, ...marks] },
      words: { ...state.words, board: [...state.words.board, hid] },
    };
  }
}
