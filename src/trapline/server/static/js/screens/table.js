/** A table: what one seat sees of a match, kept up to date, and what it may do there. */

import { BoardFrame, moveTargets } from "../boards/index.js";
import { Connection } from "../connection.js";
import { announce, button, clear, h } from "../dom.js";
import { forgetMatch, keepCommitments, rememberMatch } from "../store.js";
import { namesOf, say, status } from "../words.js";
import { Finish } from "./finish.js";
import { Log } from "./log.js";
import { Panel } from "./panel.js";
import { Players } from "./players.js";
import { SecretChoice } from "./secret.js";
import { actions } from "./actions.js";
import { rulesDialog } from "./rules.js";

export class Table {
  /**
   * @param {{stage: Element, go: Function, id: string, game: object,
   *   here?: {open: boolean, pass: Function}}} place  `here` when two share the device
   */
  constructor({ stage, go, id, game, here = null }) {
    Object.assign(this, { stage, go, id, game, here });
    this.frame = new BoardFrame();
    this.players = new Players(Boolean(here));
    this.log = new Log();
    this.panel = new Panel(this);
    this.status = h("p", { class: "status", tabindex: -1 });
    this.side = h("div", { class: "actions" });
    this.after = h("div", { class: "after" });
    this.keys = (event) => this.press(event);
    document.addEventListener("keydown", this.keys);
    this.element = this.build();
    clear(stage, this.element);
  }

  build() {
    const rules = button("How to play", () => rulesDialog(this.game.name, this.game.title), {
      class: "quiet",
    });
    return h(
      "div",
      { class: "match" },
      h("div", { class: "match-head" }, h("h1", {}, this.game.title), rules),
      h(
        "div",
        { class: "match-body" },
        h(
          "div",
          { class: "match-main sheet" },
          this.players.element,
          this.status,
          this.frame.element,
          this.panel.element,
        ),
        h(
          "aside",
          { class: "match-side", "aria-label": "Account of the match" },
          this.log.element,
          this.side,
        ),
      ),
      this.after,
    );
  }

  /** Takes a seat (0 to watch), leaving the one held before. */
  sit(seat) {
    this.line?.close();
    this.seat = seat;
    this.state = null;
    this.secret = null;
    this.sending = null;
    this.element.className = `match as-${seat}`;
    this.line = new Connection(this.id, seat, {
      state: (state, fresh) => this.show(state, fresh),
      refused: (refusal) => this.refused(refusal),
      presence: (presence) => this.players.presence(presence),
      online: (online) => this.online(online),
      lost: (sentence) => this.lost(sentence),
    });
  }

  /** Leaves the table; nothing of what the seat saw stays behind. */
  close() {
    document.removeEventListener("keydown", this.keys);
    this.line?.close();
    this.frame.close();
    this.state = null;
    this.secret = null;
    document.getElementById("live").replaceChildren();
    document.getElementById("offline").textContent = "";
    this.stage.replaceChildren();
  }

  get teller() {
    return { seat: this.seat || null, names: namesOf(this.state.table), place: this.game.place };
  }

  /** Where two share one open board, "you" would be somebody else each turn. */
  get openly() {
    return this.here?.open ? { ...this.teller, seat: null } : this.teller;
  }

  words(view, table) {
    const words = status(view, table, this.teller);
    return this.here?.open && view.asks ? `${this.teller.names[this.seat]}: ${words.toLowerCase()}` : words;
  }

  // --- what comes in ---------------------------------------------------------------------

  show(state, fresh) {
    const before = this.state;
    this.state = state;
    const { view, table } = state;
    if (state.answers.includes(this.sending)) this.sending = null;
    keepCommitments(this.id, table.commitments);
    if (view.outcome) forgetMatch(this.id);
    if (view.outcome && this.here && this.seat) {
      this.sit(0); // all is revealed, and the two of them look at it together
      return;
    }
    if (this.follow(table)) return;
    this.prepareSecret(view, table);
    const words = this.words(view, table);
    this.status.textContent = words;
    document.title = `${view.outcome ? "Over" : words} · ${this.game.title} · Trapline`;
    this.players.show(view, table, this.teller);
    this.log.show(view, this.openly);
    this.drawBoard(fresh);
    this.panel.show(state, this.teller);
    this.mark();
    this.offerActions();
    this.tell(fresh, before ? words : null);
    if (!before) this.greet();
    if (view.outcome) this.end();
    if (this.here?.open && !view.outcome && view.to_move !== this.seat) this.here.pass(state);
  }

  /** What is asked of this seat, in a word, for programs that look at the page. */
  mark() {
    const { view, table } = this.state;
    const asks = view.outcome ? "over" : table.go_on ? "go on" : view.asks;
    const waits = this.here && !this.here.open ? "pass" : "";
    this.element.dataset.asks = this.sending ? "" : (asks ?? waits);
    // Until an answer is there, another command would only be out of date.
    this.element.setAttribute("aria-busy", String(Boolean(this.sending)));
  }

  /** Built again only when they change: a hint should stay as long as it is true. */
  offerActions() {
    const { view, table } = this.state;
    const seated = table.players.map((player) => player?.bot ?? Boolean(player));
    const signature = JSON.stringify([
      this.seat,
      view.asks,
      view.turn,
      view.draw_offer,
      view.outcome,
      seated,
    ]);
    if (signature === this.acted) return;
    this.acted = signature;
    const held = this.side.contains(document.activeElement) ? document.activeElement.textContent : null;
    clear(this.side, actions(this));
    [...this.side.querySelectorAll("button")].find((one) => one.textContent === held)?.focus();
  }

  /** Behind a lifted curtain reading begins with whose turn it is. */
  greet() {
    const lifted = this.here && !this.here.open && document.activeElement === document.body;
    if (lifted) this.status.focus({ preventScroll: true });
  }

  prepareSecret(view, table) {
    if (view.asks !== "secret") this.secret = null;
    else this.secret ??= new SecretChoice(this, table);
  }

  drawBoard(fresh = []) {
    const { view } = this.state;
    this.frame.show(view.board, this.teller, this.offer(), fresh);
  }

  /** What may be pressed on the board now. */
  offer() {
    const { view, table } = this.state;
    if (this.secret) return this.secret.offer();
    if (view.asks !== "move" || table.go_on || this.sending) return {};
    const elsewhere = () => this.panel.complain("That is not one of your moves.");
    const cursor = view.board.board === "grid";
    return { targets: moveTargets(view, (turn) => this.play(turn)), cursor, elsewhere };
  }

  /** A rematch that both wanted begins for those who sat here. */
  follow(table) {
    const wanted = this.here ? table.rematch.every(Boolean) : this.seat && table.rematch[this.seat - 1];
    if (!table.next || !wanted || !this.asked) return false;
    rememberMatch(table.next);
    this.go(`/m/${table.next}`);
    return true;
  }

  tell(fresh, words) {
    const lines = fresh.map((event) => say(this.openly, event)).filter(Boolean);
    if (words && words !== this.told) lines.push(words);
    this.told = words ?? this.told;
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
    banner.textContent = online ? "" : "The connection is lost. Trying again; your moves are kept.";
  }

  lost(sentence) {
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

  end() {
    if (!this.finish) {
      this.finish = new Finish(this);
      this.panel.element.replaceWith(this.finish.verdict);
      clear(this.after, this.finish.element);
      this.status.classList.add("over");
      this.status.focus({ preventScroll: true });
    }
    this.finish.show(this.state);
  }

  // --- what goes out ---------------------------------------------------------------------

  send(command) {
    if (this.sending) return;
    this.panel.complain("");
    this.sending = this.line.send(command);
    this.mark();
  }

  play(turn) {
    this.send({ do: "play", turn });
  }

  /** Number keys are steps, y and n answer a trap question. */
  press(event) {
    const busy = event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]");
    if (busy || !this.state || event.target.closest?.("input, select, textarea")) return;
    const { view, table } = this.state;
    if (view.asks === "trap" && ["y", "n"].includes(event.key)) this.play(event.key);
    else if (view.asks === "move" && !table.go_on && view.legal.includes(Number(event.key)))
      this.play(event.key);
  }
}
