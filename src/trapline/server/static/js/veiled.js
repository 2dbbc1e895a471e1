/**
 * The line of two who share a screen in a game that hides nothing but what they chose before the first
 * turn: it shows what everybody may see, and puts the question of the one whose turn it is.
 * To the table it is a Connection like any other.
 */

import { Connection } from "./connection.js";

export class VeiledLine {
  constructor(id, seat, listener) {
    this.listener = listener;
    this.known = Infinity;
    this.eyes = new Connection(id, 0, {
      ...listener,
      refused() {},
      online() {},
      state: (state, known) => {
        this.seen = state;
        this.known = Math.min(this.known, known);
        this.deliver();
      },
    });
    this.hand = new Connection(id, seat, {
      ...listener,
      state: (state) => {
        this.own = state;
        this.deliver();
      },
    });
  }

  /** Both lines tell of the same moment: only then do they make one state. */
  deliver() {
    const { seen, own } = this;
    const moment = (state) => JSON.stringify([state?.view.turn, state?.view.outcome]);
    if (!seen || !own || moment(seen) !== moment(own)) return;
    const { events, board } = seen.view;
    const known = Math.min(this.known, events.length);
    this.known = Infinity;
    const state = {
      ...own,
      picture: seen.picture,
      view: { ...own.view, events, board },
      words: { ...own.words, told: seen.words.told, board: seen.words.board },
    };
    this.listener.state(state, known);
  }

  /** What only the one whose turn it is may look at. */
  get hidden() {
    return { picture: this.own.picture, words: this.own.words.board };
  }

  send(command) {
    return this.hand.send(command);
  }

  close() {
    this.eyes.close();
    this.hand.close();
    this.seen = null;
    this.own = null;
  }
}
