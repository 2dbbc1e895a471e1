/**
 * The line of a player whose secrets stay on this device: it hears what is asked of the device and
 * answers for it. To the table it is a Connection like any other; what is hidden, and how it is
 * opened, its kinds know.
 */

import { Connection } from "./connection.js";
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
export const GREEDY = "More is asked for than moves can depend on, so this device opens nothing more.";
const ALTERED = "What was opened does not fit what was committed to: this server cannot be trusted.";
const LEFT_OUT = "The server leaves out what this device has opened: it cannot be trusted.";
const RESUMED = "The server goes on with a match that was decided: it cannot be trusted.";

export function newSalt() {
  const bytes = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class DeviceLine {
  constructor(id, seat, listener) {
    Object.assign(this, { id, seat, listener });
    this.kept = keptSecrets(id, seat);
    this.line = new Connection(id, seat, {
      ...listener,
      state: (state, known) => this.hear(state, known),
      refused: (refusal) => this.refused(refusal),
    });
  }

  close() {
    clearTimeout(this.timer);
    this.line.close();
    this.kept = [];
    this.state = null;
  }

  // --- what comes in ---------------------------------------------------------------------

  hear(state, known) {
    this.state = state;
    this.catchUp();
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
    return undefined; // "not now": another tab of this browser has said it already
  }

  commitmentTo(seat, subject, value, salt) {
    return commitment(this.state.view.game, this.id, seat, subject, value, salt);
  }

  /** What a server that cheats would show. */
  fault({ table }) {
    const { opened, decided } = table.locked;
    const seen = { ...table.commitments, ...seenCommitments(this.id) };
    const own = this.seat ? this.own : null;
    const changed = Object.keys(table.commitments).some((key) => seen[key] !== table.commitments[key]);
    if (changed || !opened.every((one) => this.fits(one, seen))) return ALTERED;
    if (own?.revealed && !decided) return RESUMED;
    if (own && this.isLeftOut(own, opened.filter((one) => one.seat === this.seat))) return LEFT_OUT;
    return this.seat && !own && this.hasLocked(table) ? LOST : "";
  }

  // --- what goes out ---------------------------------------------------------------------

  send(command) {
    const { view, table } = this.state;
    const hides = table.locked && command.do === "play" && this.isHidden(view.question);
    if (!hides) return this.line.send(command);
    this.catchUp();
    try {
      return this.line.send(this.hide(view.question, command.turn));
    } catch (error) {
      this.listener.refused({ sentence: error.message, again: false });
      return null;
    }
  }

  /** What is hidden is kept before anything of it is sent: whoever reloads goes on. */
  keep() {
    keepSecrets(this.id, this.seat, this.kept);
  }

  /** What another tab of this browser has kept since is this device's as well, and not to be written over. */
  catchUp() {
    const kept = keptSecrets(this.id, this.seat);
    if (kept.length) this.kept = kept;
  }

  keepFirst() {
    this.keep();
    if (!keptSecrets(this.id, this.seat).length) throw new Error(FORGETFUL);
  }

  /** Does what is asked for, once. */
  answer() {
    const { own, seat } = this;
    const { awaited, opening, decided } = this.state.table.locked;
    if (this.state.view.outcome) forgetSecrets(this.id, seat);
    if (!own || this.alarm || this.answering) return;
    if (awaited?.seat === seat && !decided) this.respond(own, awaited);
    else if (opening.includes(seat)) {
      own.revealed = true;
      this.keep();
      this.say(this.rest(own));
    }
  }

  say(command) {
    this.answering = this.line.send(command);
  }

  // --- what only this device can show ------------------------------------------------------

  /** The state with what only this device knows drawn into it. */
  dressed(state) {
    const { own } = this;
    const plain = { ...state, table: { ...state.table, alarm: this.alarm } };
    return own && !state.view.outcome ? this.drawn(plain, own) : plain;
  }

  /** @param marks  names of shapes that the server knows how to draw @param places  keys of places that are one's own */
  withMarks(state, marks, places, lines) {
    const { seat } = this;
    const name = namesOf(state.table)[seat];
    const there = new Set(state.picture.shapes.map((shape) => shape.id).filter(Boolean));
    const shapes = marks
      .flatMap((mark) => state.table.locked.marks[mark] ?? [])
      .filter((shape) => !there.has(shape.id))
      .map((shape) => ({ ...shape, label: shape.label?.replace(`Player ${seat}`, name) }));
    const labelled = state.picture.shapes.map((shape) =>
      places.includes(keyOf(shape.place)) ? { ...shape, label: `${shape.label}, yours` } : shape,
    );
    return {
      ...state,
      picture: { ...state.picture, shapes: [...labelled, ...shapes] },
      words: { ...state.words, board: [...state.words.board, ...lines] },
    };
  }
}
