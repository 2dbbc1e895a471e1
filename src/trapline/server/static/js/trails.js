/**
 * A device that knows what a player's turns leave behind. All that it draws is a seed; salts and
 * questions come from it, so what it has said can be read again from what was committed to.
 */

import { DeviceLine, GREEDY, newSalt } from "./device.js";
import { asked, derived, given, taken } from "./transfer.js";
import { namesOf, other } from "./words.js";

const [NOTHING, SOMETHING] = ["n", "t"];
const WHOLE = /^\s*(\d+)\s*([tn])\s*$/i;
const turnKey = (turn) => `turn ${turn + 1}`;
const leftKey = (turn) => `${turnKey(turn)} leaves`;
const asking = (turn) => `${turnKey(turn)} asks`;
const giving = (turn) => `${turnKey(turn)} gives`;
/**
 * One question a turn is answered, and one answer taken: whoever put a question of their own in its
 * place would read what is given, and from a second commitment whether something was tried.
 */
const whatIsAsked = ({ place, asks, gives }) => [place, asks, gives].filter(Boolean).join(" ");

export class TrailLine extends DeviceLine {
  get own() {
    return this.kept[0] ?? (this.hasLocked(this.state.table) ? undefined : {});
  }

  hasLocked({ commitments }) {
    const { first } = this.state.view;
    return Object.keys(commitments).some((key) => {
      const turn = Number(/^turn (\d+)$/.exec(key)?.[1] ?? 0);
      return turn && (turn % 2 ? first : other(first)) === this.seat;
    });
  }

  salt(subject) {
    return derived(this.own.seed, subject);
  }

  lock(key, value) {
    return this.commitmentTo(this.seat, key, value, this.salt(key));
  }

  said(key, value) {
    return this.state.table.commitments[key] === this.lock(key, value);
  }

  /** What lies where, and what was found, by this device's own commitments. */
  get trail() {
    const turns = Object.entries(this.own.places ?? {}).map(([turn, place]) => ({ turn: Number(turn), place }));
    const settled = turns.filter(({ turn }) => leftKey(turn) in this.state.table.commitments);
    const lying = settled.filter(({ turn }) => this.said(leftKey(turn), 1));
    const failed = settled.filter(({ turn }) => this.said(turnKey(turn), SOMETHING) && this.said(leftKey(turn), 0));
    const places = (list) => [...new Set(list.map(({ place }) => place))].sort((one, two) => one - two);
    return { lies: places(lying), found: places(failed), left: settled };
  }

  /** What was opened for a move is what was committed to when its place was last left. */
  fits({ seat, place, turn, holds, salt }, seen) {
    const moves = this.state.view.events.filter(({ event }) => event === "moved");
    const key = leftKey(moves.findLastIndex(({ by, start }, at) => at < turn && by === seat && String(start) === place));
    return this.commitmentTo(seat, key, holds ? 1 : 0, salt) === seen[key];
  }

  isLeftOut(own, opened) {
    const told = opened.map((one) => one.turn);
    return Object.keys(own.answered ?? {}).some((key) => {
      const [turn, wants] = key.split(" ");
      return wants === "open" && this.state.view.turn > Number(turn) && !told.includes(Number(turn));
    });
  }

  isHidden(question) {
    return Boolean(question?.sealed);
  }

  /** `2t` or `2n` is two answers, of which the second waits until its question is put. */
  send(command) {
    const { view, table } = this.state;
    const both = table.locked && command.do === "play" && !this.isHidden(view.question) && WHOLE.exec(command.turn);
    this.next = both ? { turn: view.turn, text: both[2] } : null;
    return super.send(both ? { ...command, turn: both[1] } : command);
  }

  answer() {
    super.answer();
    const { view } = this.state;
    const { next } = this;
    if (!next || !this.isHidden(view.question)) return;
    this.next = null;
    if (next.turn === view.turn) this.send({ do: "play", turn: next.text });
  }

  hide(question, text) {
    const { turn, board } = this.state.view;
    const word = text.trim().toLowerCase();
    const alias = question.aliases.find(([typed]) => typed === word)?.[1] ?? word;
    const chosen = question.answers.find(({ record, text: shown }) => record === alias || shown === alias);
    const tries = chosen?.record === SOMETHING;
    if (!chosen) throw new Error(`“${text}” is no answer here: y or n.`);
    if (!this.kept.length) this.kept = [{ seed: newSalt(), places: {}, answered: {} }];
    const { lies } = this.trail;
    if (tries && lies.includes(board.left)) throw new Error("You already have a trap there, so the only answer is n.");
    this.own.places[turn] = board.left;
    this.keepFirst();
    const locks = [this.lock(turnKey(turn), tries ? SOMETHING : NOTHING)];
    if (board.doubt[this.seat - 1].includes(board.left))
      return { do: "lock", locks, asks: asked(this.salt(asking(turn)), tries) };
    const holds = tries || lies.includes(board.left);
    return { do: "lock", locks: [...locks, this.lock(leftKey(turn), holds ? 1 : 0)] };
  }

  respond(own, awaited) {
    const { turn, wants = "open" } = awaited;
    const [key, what] = [`${turn} ${wants}`, whatIsAsked(awaited)];
    if ((own.answered[key] ?? what) !== what || (wants !== "lock" && this.isTooMuch(own, awaited))) {
      this.alarm = GREEDY;
      return;
    }
    own.answered[key] = what;
    this.keep();
    this.say({ open: () => this.opening(awaited), give: () => this.giving(awaited), lock: () => this.settled(awaited) }[wants]());
  }

  /** Nothing in turns of one's own, or that are past, and nothing about places that were not left. */
  isTooMuch(own, { place, turn, wants }) {
    const turns = Object.keys(own.answered).map((key) => Number(key.split(" ")[0]));
    const mine = Object.keys(own.places).some((one) => (turn - one) % 2 === 0);
    const left = this.lastLeft(place);
    const stale = wants === "give" && left !== turn - 1;
    return left === undefined || mine || stale || turns.some((one) => one > turn);
  }

  lastLeft(place) {
    return this.trail.left.filter((one) => String(one.place) === place).at(-1)?.turn;
  }

  opening({ place }) {
    const holds = this.trail.lies.map(String).includes(place);
    return { do: "open", place, holds, salt: this.salt(leftKey(this.lastLeft(place))) };
  }

  giving({ turn, place, asks }) {
    return { do: "give", gives: given(asks, this.salt(leftKey(this.lastLeft(place))), this.salt(giving(turn))) };
  }

  /** What lies there, now that the other's device has answered: it is read also where it is not wanted, which takes as long. */
  settled({ turn, place, gives }) {
    const theirs = leftKey(turn - 1);
    const salt = taken(gives, this.salt(asking(turn)));
    const tries = this.said(turnKey(turn), SOMETHING);
    const found = this.commitmentTo(other(this.seat), theirs, 1, salt) === this.state.table.commitments[theirs];
    const holds = (tries && !found) || this.trail.lies.map(String).includes(place);
    return { do: "lock", locks: [this.lock(leftKey(turn), holds ? 1 : 0)] };
  }

  rest(own) {
    return { do: "open seed", seed: own.seed };
  }

  drawn(state, own) {
    if (!own.seed) return state;
    const { lies, found } = this.trail;
    const marks = [...lies.map(String), ...found.map((place) => `found ${place}`)];
    const rival = namesOf(state.table)[other(this.seat)];
    const lines = [
      lies.length && `Your traps: ${lies.join(", ")}. Only this device knows.`,
      ...found.map((place) => `You found ${rival}’s trap on ${place} when you tried to set yours.`),
    ];
    return this.withMarks(this.narrowed(state, lies), marks, [], lines.filter(Boolean));
  }

  /** Where one has a trap already there is only one answer, which the server cannot know. */
  narrowed(state, lies) {
    const { question, board } = state.view;
    if (!this.isHidden(question) || !lies.includes(board.left)) return state;
    const answers = question.answers.filter(({ record }) => record === NOTHING);
    return { ...state, view: { ...state.view, question: { ...question, answers } } };
  }
}
