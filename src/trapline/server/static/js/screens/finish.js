/** After the end: who won and why, another round, the seals, the coach, the way it went. */

import { analysis, frames, record, recordAddress } from "../api.js";
import { Connection } from "../connection.js";
import { button, clear, h, link, say } from "../dom.js";
import { rememberMatch } from "../store.js";
import { coachReport } from "./coach.js";
import { copyButton } from "./invite.js";
import { Replay } from "./replay.js";
import { checkSeals } from "./verify.js";

export class Finish {
  constructor(table) {
    this.table = table;
    this.why = h("p", { class: "why" });
    this.again = h("div", { class: "row" });
    this.seals = h("div", {}, h("p", { class: "note" }, "Checking the seals …"));
    this.coach = h("div", {}, h("p", { class: "note" }, "The coach is thinking …"));
    this.replay = new Replay(table);
    this.verdict = h(
      "section",
      { class: "verdict sheet", "aria-label": "Result" },
      this.why,
      this.replay.element,
      this.again,
      h(
        "div",
        { class: "row" },
        copyButton("Copy a link to this match", this.address, "Copied."),
        button("Save a picture", () => this.savePicture()),
      ),
      this.links(),
    );
    this.element = h(
      "div",
      { class: "finish" },
      h(
        "section",
        { class: "sheet", "aria-label": "The coach" },
        h("h2", {}, "What the coach says"),
        this.coach,
      ),
      h("section", { class: "sheet", "aria-label": "Seals" }, h("h2", {}, "The seals"), this.seals),
    );
  }

  get address() {
    return new URL(`/m/${this.table.id}`, location.origin).href;
  }

  /** Of the board as it is shown now: after the end it holds nothing that anybody hides. */
  async savePicture() {
    const { frame, game, state, teller } = this.table;
    const { sharePicture } = await import("./share.js");
    const title = `${game.title}: ${teller.names[1]} and ${teller.names[2]}`;
    await sharePicture(frame.element.querySelector("svg.board"), title, state.words.ending.join(" "));
  }

  links() {
    const { id } = this.table;
    const file = `trapline-${id}.json`;
    return h(
      "p",
      { class: "links" },
      h("a", { href: recordAddress(id), download: file }, "Download the record"),
      " · ",
      link("/matches", "All your matches"),
      " · ",
      link("/", "All games"),
    );
  }

  show(state) {
    const { teller } = this.table;
    say(this.why, state.words.ending.join(" "));
    this.showRematch(state.table, teller);
    if (this.loaded) return;
    this.loaded = true;
    this.load();
  }

  showRematch(table, teller) {
    const { seat, here } = this.table;
    const signature = JSON.stringify([table.rematch, table.next, seat]);
    if (signature === this.offered) return;
    this.offered = signature;
    clear(this.again, this.rematch(table, teller, seat, here));
  }

  rematch(table, teller, seat, here) {
    if (table.next) {
      const mine = here || seat;
      return button(
        mine ? "Go to the rematch" : "Watch the rematch",
        () => {
          if (mine) rememberMatch(table.next);
          this.table.go(`/m/${table.next}`);
        },
        { class: "primary" },
      );
    }
    const goesOn = table.series && !table.series.decided;
    const again = goesOn ? "Next game of the series" : "Play again, seats swapped";
    if (here) return button(again, () => this.askForBoth(), { class: "primary" });
    if (!seat) return null;
    if (table.rematch[seat - 1])
      return h("p", { class: "note", role: "status" }, "You want a rematch. Waiting for the other player.");
    const asked = table.rematch[2 - seat];
    const words = asked ? `${teller.names[3 - seat]} wants a rematch: play again` : again;
    return button(
      words,
      () => {
        this.table.again = true;
        this.table.send({ do: "rematch" });
      },
      { class: "primary" },
    );
  }

  /** On a shared device the two agree aloud, and one seat's word counts for both. */
  askForBoth() {
    this.table.again = true;
    sayOnce(this.table.id, 1, { do: "rematch" });
  }

  load() {
    const { id, teller } = this.table;
    const sorry = (part) => (error) => clear(part, h("p", { class: "note" }, error.message));
    const replay = frames(id);
    replay.then((found) => this.replay.load(found.frames)).catch(sorry(this.replay.caption));
    Promise.all([record(id), replay])
      .then(([kept, { seals }]) => clear(this.seals, checkSeals(id, kept, seals)))
      .catch(sorry(this.seals));
    this.hearCoach(id, teller).catch(sorry(this.coach));
  }

  /** What the coach says; while the variant is being worked out, how far that is, again and again. */
  async hearCoach(id, teller) {
    let judged = await analysis(id);
    while (judged.waits && this.coach.isConnected) {
      clear(this.coach, waiting(judged));
      await new Promise((again) => setTimeout(again, AGAIN));
      judged = await analysis(id);
    }
    if (judged.waits) return;
    this.replay.suspect(judged.judgements);
    clear(
      this.coach,
      coachReport(judged, teller, (judged) => this.replay.showChoice(judged), this.coach.clientWidth),
    );
  }
}

const AGAIN = 5000;

const waiting = ({ waits, share }) => [
  h("p", { class: "note", role: "status" }, waits),
  h("progress", { max: 1, value: share ?? undefined, "aria-label": "How far it is worked out" }),
];

/** Sends one command for a seat and leaves as soon as it is answered. */
function sayOnce(id, seat, command) {
  let sent = false;
  const done = () => line.close();
  const line = new Connection(id, seat, {
    state: () => {
      if (!sent) line.send(command);
      else if (!line.unanswered.size) done();
      sent = true;
    },
    refused: done,
    lost: done,
    presence() {},
    online() {},
  });
}
