/** What stands under the board: the question, an invitation, an offer, a claim, or that one waits. */

import { button, clear, h, say } from "../dom.js";
import { other } from "../words.js";
import { hintBox } from "./hint.js";

/** Held like a card close to the chest: what is hidden shows as long as it is pressed. */
function peekButton(table) {
  const look = (wanted) => (event) => {
    if (event.type.startsWith("key") && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    table.peek(wanted);
  };
  const [show, hide] = [look(true), look(false)];
  const names = ["onpointerup", "onpointerleave", "onpointercancel", "onkeyup", "onblur"];
  const release = Object.fromEntries(names.map((name) => [name, hide]));
  return button("Hold to peek at what you hid", null, {
    class: "peek",
    onpointerdown: show,
    onkeydown: show,
    oncontextmenu: (event) => event.preventDefault(),
    ...release,
  });
}

export class Panel {
  constructor(table) {
    this.table = table;
    this.ask = h("div", { class: "ask", tabindex: -1 });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.element = h("section", { class: "panel sheet", "aria-label": "Your decision" }, this.ask, this.fault);
  }

  complain(sentence) {
    say(this.fault, sentence);
  }

  /** Builds the question again only when it is another one, so that typing is never lost. */
  show(state, teller) {
    const { view, table, words } = state;
    const question = JSON.stringify([this.table.seat, view.question, view.turn]);
    const around = [view.to_move, view.ready, view.draw_offer, view.may_claim, !view.outcome, table.takeback?.asked_by];
    const signature = JSON.stringify([question, around, words.prompt, teller.names]);
    if (signature === this.signature) return;
    const focused = this.ask.contains(document.activeElement) ? document.activeElement : null;
    const same = this.question === question; // only what is around it has changed
    const half = same ? this.ask.querySelector(".typed input")?.value : "";
    Object.assign(this, { signature, question });
    this.complain("");
    clear(this.ask, this.content(state, teller));
    if (half) this.ask.querySelector(".typed input").value = half;
    if (focused) this.takeFocus(focused.matches("input") ? "input" : "button:not([disabled])");
  }

  /** Whoever answered here goes on here: the one who types in the line, the others at the buttons. */
  takeFocus(wanted) {
    (this.ask.querySelector(`${wanted}:not([readonly])`) ?? this.ask).focus();
  }

  content(state, teller) {
    const { view, table } = state;
    if (view.outcome) return [];
    return [
      this.questionOr(state, teller),
      this.table.here?.line && this.table.seat ? peekButton(this.table) : null,
      this.table.seat && view.question && table.players[2 - this.table.seat]?.bot ? this.hint() : null,
      // Below the question: an offer must not push away the button that is about to be pressed.
      this.drawOffer(view, teller),
      this.takeback(table.takeback, teller),
      this.claim(view, teller),
    ];
  }

  /** The same box as long as the question stays: what was asked in it is still on its way. */
  hint() {
    if (this.hinted !== this.question) {
      this.hinted = this.question;
      this.hintBox = hintBox(this.table);
    }
    return this.hintBox;
  }

  questionOr({ view, words }, teller) {
    if (!this.table.seat)
      return h("p", { class: "note" }, "You are watching. What the players hide stays hidden until the end.");
    return this.table.ask ? this.table.ask.elements(words) : this.waiting(view, teller);
  }

  waiting(view, teller) {
    const { here, seat } = this.table;
    if (here && !here.open) {
      const next = view.to_move ?? other(seat);
      return [
        h("p", { class: "prompt" }, "Your part is done. Look at the board as long as you like."),
        h(
          "div",
          { class: "row few" },
          button(`Pass the device to ${teller.names[next]}`, () => here.pass(this.table.state), {
            class: "primary answer",
          }),
        ),
      ];
    }
    return h("p", { class: "note" }, `Waiting for ${teller.names[other(seat)]}. You will see it here.`);
  }

  drawOffer(view, teller) {
    if (!this.table.seat || !view.draw_offer) return null;
    if (view.draw_offer === this.table.seat)
      return h("p", { class: "note" }, "Your draw offer stands until it is answered.");
    return h(
      "div",
      { class: "offer" },
      h("p", {}, `${teller.names[view.draw_offer]} offers a draw.`),
      h(
        "div",
        { class: "row" },
        button("Accept the draw", () => this.table.send({ do: "accept draw" })),
        button("Play on", () => this.table.send({ do: "decline draw" })),
      ),
    );
  }

  takeback(asked, teller) {
    const { seat } = this.table;
    if (!seat || !asked?.asked_by) return null;
    if (asked.asked_by === seat)
      return h("p", { class: "note" }, "You have asked to take your turn back. A move of the other says no.");
    return h(
      "div",
      { class: "offer" },
      h("p", {}, `${teller.names[asked.asked_by]} would like to take a turn back.`),
      h(
        "div",
        { class: "row" },
        button("Allow it", () => this.table.send({ do: "accept takeback" })),
        button("Play on", () => this.table.send({ do: "decline takeback" })),
      ),
    );
  }

  claim(view, teller) {
    if (!this.table.seat || !view.may_claim) return null;
    const rival = teller.names[view.may_claim];
    if (view.may_claim !== this.table.seat) {
      const pass =
        this.table.here &&
        button(`Let ${rival} decide`, () =>
          this.table.here.pass({ ...this.table.state, view: { ...view, to_move: view.may_claim } }),
        );
      return h(
        "div",
        { class: "offer" },
        h("p", {}, `Three of your moves in a row were refused: ${rival} may claim the game.`),
        pass,
      );
    }
    return h(
      "div",
      { class: "offer" },
      h(
        "p",
        {},
        `Three of ${teller.names[other(view.may_claim)]}’s moves in a row were refused. You may claim the game.`,
      ),
      h(
        "div",
        { class: "row" },
        button("Claim the game", () => this.table.send({ do: "claim" })),
        button("Let it pass", () => this.table.send({ do: "waive claim" })),
      ),
    );
  }
}
