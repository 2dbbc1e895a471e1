/**
 * One seat's line to the server: it reconnects by itself, asks only for what it has not seen,
 * and sends what was not answered again under its old key. It knows no DOM and no rules.
 */

import { socketAddress } from "./api.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15000;
const TRY_AGAIN = 1000;
const AGAIN = ["unavailable", "too fast"]; // nothing has changed: the same key may be sent again
const FATAL = [4401, 4404];

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @typedef {object} Listener
 * @property {(state: object, known: number) => void} state  a new state, and how many of its events are old
 * @property {(refusal: object) => void} refused
 * @property {(presence: object) => void} presence
 * @property {(online: boolean) => void} online
 * @property {(sentence: string) => void} lost  the server will not have us
 */
export class Connection {
  /** @param {string} id @param {number} seat @param {Listener} listener */
  constructor(id, seat, listener) {
    this.id = id;
    this.seat = seat;
    this.listener = listener;
    this.version = 0;
    this.events = [];
    this.told = [];
    this.unanswered = new Map();
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.wake = () => this.retryNow();
    this.sleep = () => this.goOffline();
    addEventListener("online", this.wake);
    addEventListener("offline", this.sleep);
    document.addEventListener("visibilitychange", this.wake);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.ready = false;
    const socket = new WebSocket(socketAddress(this.id, this.seat, this.version));
    this.socket = socket;
    socket.onmessage = (message) => socket === this.socket && this.hear(JSON.parse(message.data));
    socket.onclose = (event) => socket === this.socket && this.drop(event);
  }

  /** Sends a command, or keeps it until there is a connection. */
  send(command) {
    const frame = { key: newKey(), version: this.version, command };
    this.unanswered.set(frame.key, frame);
    if (this.ready) this.put(frame);
    return frame.key;
  }

  /** Ends the line for good; nothing is heard afterwards. */
  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.sleep);
    document.removeEventListener("visibilitychange", this.wake);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.events = [];
    this.told = [];
    this.unanswered.clear();
  }

  put(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  hear(message) {
    if (message.type === "presence") return this.listener.presence(message);
    if (message.type === "refused") return this.refuse(message);
    if (message.type !== "state") return undefined;
    const socket = this.socket;
    this.take(message);
    if (!this.ready && socket === this.socket) this.resume(); // else we have just started over
    return undefined;
  }

  /** The first state after a connection: now what was left unanswered can go out again. */
  resume() {
    this.ready = true;
    this.wait = FIRST_WAIT;
    this.listener.online(true);
    this.sendUnanswered();
  }

  sendUnanswered() {
    for (const frame of this.unanswered.values()) this.put(frame);
  }

  take(state) {
    for (const key of state.answers) this.unanswered.delete(key);
    const { view, words } = state;
    if (state.since !== 0 && state.since !== this.version) return this.startOver();
    const first = this.version === 0; // what was there before us is not new
    const events = state.since ? [...this.events, ...view.events] : view.events;
    const known = state.since ? this.events.length : shared(this.events, events);
    this.events = events;
    this.told = state.since ? [...this.told, ...words.told] : words.told;
    this.version = state.version;
    const whole = {
      ...state,
      view: { ...view, events: this.events },
      words: { ...words, told: this.told },
    };
    this.listener.state(whole, first ? this.events.length : known);
    return undefined;
  }

  /** What came does not continue what we have: ask for everything. */
  startOver() {
    this.version = 0;
    this.events = [];
    this.told = [];
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.open();
  }

  refuse(refusal) {
    const again = AGAIN.includes(refusal.reason);
    if (again) this.tryAgainSoon();
    else if (refusal.key) this.unanswered.delete(refusal.key);
    else this.unanswered.clear(); // it could not even be read, so it will never be answered
    if (refusal.state) this.take(refusal.state);
    this.listener.refused({ ...refusal, again });
  }

  /** Once for all that is unanswered: several may be refused, and each time all goes out again. */
  tryAgainSoon() {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      if (this.ready) this.sendUnanswered();
    }, TRY_AGAIN);
  }

  drop(event) {
    this.ready = false;
    clearTimeout(this.timer); // it would open a second socket beside the one that comes first
    if (this.closed) return;
    if (FATAL.includes(event.code)) {
      this.listener.lost(event.reason || "The server does not know this match.");
      return;
    }
    this.listener.online(false);
    const wait = event.code === 1008 ? LONGEST_WAIT / 3 : this.wait;
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    // Everybody who lost the same server should not come back in the same moment.
    this.timer = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }

  /** A network that is gone may leave the socket open for minutes: do not trust it. */
  goOffline() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.drop({ code: 0 });
  }

  retryNow() {
    const down = !this.socket || this.socket.readyState === WebSocket.CLOSED;
    if (!this.closed && down && document.visibilityState === "visible") this.open();
  }
}

/** How many events two accounts have in common: a turn that was taken back is in one of them only. */
function shared(before, after) {
  const differs = (event, index) => JSON.stringify(event) !== JSON.stringify(after[index]);
  const index = before.findIndex(differs);
  return index < 0 ? before.length : index;
}
