/** A table: what one seat sees of a match, kept up to date, and what it may do there. */

import { Connection } from "../connection.js";
import { Director } from "../director.js";
import { announce, button, clear, h, nameTab, say } from "../dom.js";
import { BoardFrame } from "../frame.js";
import { wholeLanguage } from "../language.js";
import { script } from "../scenes.js";
import { storyOf } from "../story.js";
import { keepCommitments, rememberMatch, rememberResult } from "../store.js";
import { banner, namesOf, resultOf, sayLocked, sayStanding, status } from "../words.js";
import { Ask } from "./ask.js";
import { invitation } from "./invite.js";
import { Log } from "./log.js";
import { Panel } from "./panel.js";
import { Players } from "./players.js";
import { Reactions } from "./reactions.js";
import { actions } from "./actions.js";

export class Table {
  /**
   * @param {{stage: Element, go: Function, id: string, game: object,
   *   Line?: Function, here?: {open: boolean, pass: Function}, display?: boolean}} place  `here` when
   *   two share the device, `display` when it only shows what two phones play
   */
  constructor({ stage, go, id, game, Line = Connection, here = null, display = false }) {
    Object.assign(this, { stage, go, id, game, Line, here, display });
    this.frame = new BoardFrame();
    this.director = new Director(this.frame);
    this.players = new Players(Boolean(here));
    this.log = new Log();
    this.reactions = new Reactions(this);
    this.series = h("p", { class: "series note" });
    this.panel = new Panel(this);
    this.status = h("p", { class: "status", tabindex: -1 });
    this.chance = h("p", { class: "chance", role: "status" });
    this.side = h("div", { class: "actions" });
    this.after = h("div", { class: "after" });
    this.invite = h("div", {});
    this.keys = (event) => this.press(event);
    document.addEventListener("keydown", this.keys);
    this.element = this.build();
    clear(stage, this.element);
  }

  build() {
    const read = async () => {
      await wholeLanguage();
      (await import("./rules.js")).rulesDialog(this.game.name, this.game.title);
    };
    const rules = button("How to play", read, { class: "quiet" });
    return h(
      "div",
      { class: "match" },
      h("div", { class: "match-head" }, h("h1", {}, this.game.title), rules),
      h(
        "div",
        { class: "match-body" },
        h("div", { class: "match-top" }, this.players.element, this.series, this.status, this.chance, this.invite),
        h("div", { class: "match-board sheet" }, this.frame.element),
        this.panel.element,
        h(
          "aside",
          { class: "match-side", "aria-label": "Account of the match" },
          this.after,
          this.log.element,
          this.reactions.element,
          this.side,
        ),
      ),
    );
  }

  /** Takes a seat (0 to watch), leaving the one held before. */
  sit(seat) {
    this.line?.close();
    this.seat = seat;
    this.state = null;
    this.ask = null;
    this.sending = null;
    this.element.className = `match as-${seat}${this.display ? " display" : ""}`;
    const connect = (seat && this.here?.line) || ((...facts) => new this.Line(...facts));
    this.line = connect(this.id, seat, {
      state: (state, known) => this.receive(state, known),
      refused: (refusal) =>
        this.director.add(async () => {
          await wholeLanguage();
          this.refused(refusal); // after its state
        }),
      presence: (presence) => this.players.presence(presence),
      online: (online) => this.online(online),
      lost: (sentence) => this.lost(sentence),
    });
  }

  /** Leaves the table; nothing of what the seat saw stays behind. */
  close() {
    document.removeEventListener("keydown", this.keys);
    this.line?.close();
    this.line = null;
    this.director.close();
    this.players.close();
    this.frame.close();
    this.state = null;
    this.ask = null;
    document.getElementById("live").replaceChildren();
    document.getElementById("offline").textContent = "";
    this.stage.replaceChildren();
  }

  get teller() {
    return this.tellerOf(this.state);
  }

  tellerOf(state) {
    return { seat: this.seat || null, names: namesOf(state.table) };
  }

  words(view, table) {
    const words = status(view, table, this.teller);
    if (!this.here?.open || !view.question) return words;
    return `${this.teller.names[this.seat]}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  }

  // --- what comes in ---------------------------------------------------------------------

  /** What has happened is seen happening first; what is so now is shown when that has been seen. */
  receive(state, known) {
    const { line } = this;
    this.director.add(async () => {
      if (line === this.line && this.state) await this.enact(state, known);
      if (line === this.line) this.show(state, known);
    });
  }

  async enact(state, known) {
    const { view, words, picture } = state;
    const over = Boolean(view.outcome && !this.state.view.outcome);
    const beats = script(this.state.picture, picture, view.events.slice(known), over);
    if (!beats.length) return;
    const teller = this.tellerOf(state);
    const tell = {
      seat: teller.seat,
      heard: (count) => this.log.show(view, words, teller, known + count),
      banner: (beat) => banner(beat, state, known, teller, Boolean(this.here)),
    };
    const played = this.director.play(beats, picture, tell);
    this.mark();
    await played;
  }

  show(state, known) {
    const before = this.state;
    this.state = state;
    const { view, table } = state;
    if (state.answers.includes(this.sending)) this.sending = null;
    if (view.outcome) rememberResult(this.id, resultOf(view, table, this.game, this.teller, this.here));
    else keepCommitments(this.id, table.commitments); // what comes with the end was not seen before it
    if (view.outcome && this.here && this.seat) {
      this.sit(0); // all is revealed, and the two of them look at it together
      return;
    }
    if (this.here?.hides(view)) {
      this.here.pass(state); // both may look from here on, so what is only this seat's goes away first
      return;
    }
    if (this.follow(table)) return;
    this.prepare(view, state.picture);
    const words = this.words(view, table);
    say(this.status, words);
    nameTab(view.outcome ? "Over" : words, this.game.title);
    this.players.show(view, table, this.teller);
    this.seen?.(state);
    this.reactions.show(table, this.teller, this.players.plates);
    say(this.series, [sayStanding(table.series, this.teller), sayLocked(view, table)].filter(Boolean).join(" · "));
    this.log.show(view, state.words, this.teller);
    this.drawBoard();
    this.panel.show(state, this.teller);
    this.showInvitation(view.outcome ? null : table.link);
    this.mark();
    this.offerActions();
    this.tell(state.words.told.slice(known).flat(), before ? words : null);
    if (!before) this.greet();
    if (view.outcome) this.end();
    if (this.here?.open && !view.outcome && !view.question) this.here.pass(state);
  }

  /** Above the board, where nobody has to look for it. */
  showInvitation(link) {
    if (link === this.invited) return;
    this.invited = link;
    clear(this.invite, link ? invitation(this.id, link) : null);
  }

  /** What is asked of this seat, in a word, for programs that look at the page. */
  mark() {
    const { view } = this.state;
    const asks = view.outcome ? "over" : view.question?.asks;
    const waits = this.here && !this.here.open ? "pass" : "";
    const busy = Boolean(this.sending || this.director.playing);
    this.element.dataset.asks = busy ? "" : (asks ?? waits);
    // Until an answer is there, and has been seen, another command would only be out of date.
    this.element.setAttribute("aria-busy", String(busy));
  }

  /** Built again only when they change: a hint should stay as long as it is true. */
  offerActions() {
    const { view, table } = this.state;
    const seated = table.players.map((player) => player?.bot ?? Boolean(player));
    const signature = JSON.stringify([
      this.seat,
      view.question?.asks,
      view.turn,
      view.draw_offer,
      view.outcome,
      table.takeback,
      seated,
    ]);
    if (signature === this.acted) return;
    this.acted = signature;
    const held = this.side.contains(document.activeElement) ? document.activeElement.textContent : null;
    clear(this.side, actions(this));
    if (held === null) return;
    const same = [...this.side.querySelectorAll("button")].find((one) => one.textContent === held);
    (same ?? this.panel.ask).focus({ preventScroll: true }); // no other button: it might be pressed by mistake
  }

  /** Behind a lifted curtain reading begins with whose turn it is. */
  greet() {
    const lifted = this.here && !this.here.open && document.activeElement === document.body;
    if (lifted) this.status.focus({ preventScroll: true });
  }

  /** A question that stays keeps what was chosen so far. */
  prepare(view, picture) {
    const asked = JSON.stringify([view.question, view.turn]);
    if (asked === this.asking && this.ask) return;
    this.asking = asked;
    say(this.chance, ""); // it was told of another question
    this.ask = view.question
      ? new Ask(view.question, picture, {
          send: (text) => this.play(text),
          complain: (sentence) => this.panel.complain(sentence),
          changed: () => this.drawBoard(),
        })
      : null;
  }

  drawBoard() {
    if (this.director.playing) return; // the scene leads to it
    const { picture, words } = this.state;
    const offer = this.ask && !this.sending ? this.ask.offer() : {};
    const story = { ...storyOf(this.state.view.events), suspected: this.ask?.suspected };
    this.frame.show(picture, words.board, offer, story);
  }

  /** Shows what only the one whose turn it is may see, as long as they hold the button. */
  peek(wanted) {
    const hidden = wanted && this.state ? this.line.hidden : null;
    this.frame.letGo();
    if (hidden) this.frame.show(hidden.picture, hidden.words);
    else if (this.state) this.drawBoard();
  }

  /** A rematch that both wanted begins for those who sat here. */
  follow(table) {
    if (this.display && table.next) {
      this.go(`/table/${table.next}`, { replace: true });
      return true;
    }
    const wanted = this.here ? table.rematch.every(Boolean) : this.seat && table.rematch[this.seat - 1];
    if (!table.next || !wanted || !this.again) return false;
    rememberMatch(table.next);
    this.go(`/m/${table.next}`);
    return true;
  }

  /** Says what happened, whose turn it is, and what is asked, each once. */
  tell(told, words) {
    const lines = [...told];
    if (words && words !== this.said) lines.push(words);
    const { prompt } = this.state.words;
    if (words && prompt && this.asking !== this.asked) lines.push(prompt);
    this.said = words ?? this.said;
    this.asked = this.asking;
    if (lines.length) announce(lines.join(" "));
  }

  refused(refusal) {
    if (!refusal.again) this.sending = null;
    this.panel.complain(refusal.sentence);
    if (!this.state) return;
    this.drawBoard();
    this.mark();
  }

  online(online) {
    const banner = document.getElementById("offline");
    say(banner, online ? "" : "The connection is lost. Trying again; your moves are kept.");
  }

  async lost(sentence) {
    await wholeLanguage();
    this.frame.close();
    clear(
      this.stage,
      h(
        "section",
        { class: "sheet message" },
        h("h1", {}, "No seat at this table"),
        h("p", {}, sentence),
        h("p", {}, h("a", { href: "/", "data-link": true }, "Back to the games")),
      ),
    );
  }

  async end() {
    await wholeLanguage();
    const brought = await import("./finish.js").catch(() => null); // without a network the verdict must do
    if (!brought || !this.state?.view.outcome) return; // or the table was left meanwhile
    if (!this.finish) {
      this.finish = new brought.Finish(this);
      this.panel.element.replaceWith(this.finish.verdict);
      clear(this.after, this.finish.element);
      this.status.classList.add("over");
      this.status.focus({ preventScroll: true });
      this.status.scrollIntoView({ block: "nearest" });
    }
    this.finish.show(this.state);
  }

  // --- what goes out ---------------------------------------------------------------------

  send(command) {
    if (this.sending) return;
    this.panel.complain("");
    this.sending = this.line.send(command);
    this.mark();
    import("./finish.js").catch(() => {}); // while one plays, what comes afterwards is brought
  }

  play(turn) {
    if (!this.director.playing) this.send({ do: "play", turn });
  }

  /** A key that is all of an answer gives it; Escape hurries what is being seen. */
  press(event) {
    if (event.key === "Escape") this.director.hurry();
    const busy = event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]");
    if (busy || !this.state || event.target.closest?.("input, select, textarea")) return;
    this.ask?.press(event.key);
  }
}
