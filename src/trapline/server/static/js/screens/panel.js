/** The question under the board: what is asked, the answers that were sent, and a line to type one. */

import { button, clear, h } from "../dom.js";
import { inWords, other } from "../words.js";
import { hintBox } from "./hint.js";
import { invitation } from "./invite.js";

export class Panel {
  constructor(table) {
    this.table = table;
    this.ask = h("div", { class: "ask", tabindex: -1 });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.element = h("section", { class: "panel", "aria-label": "Your decision" }, this.ask, this.fault);
  }

  complain(sentence) {
    this.fault.textContent = sentence;
  }

  /** Builds the question again only when it is another one, so that typing is never lost. */
  show(state, teller) {
    const { view, table } = state;
    const question = [
      this.table.seat,
      view.asks,
      view.legal,
      table.go_on,
      view.to_move,
      view.ready,
      view.draw_offer,
    ];
    const signature = JSON.stringify([
      ...question,
      view.may_claim,
      table.link,
      view.turn,
      !view.outcome,
      teller.names,
    ]);
    if (signature === this.signature) return;
    const focused = this.ask.contains(document.activeElement) ? document.activeElement : null;
    const same = this.turn === view.turn && this.asked === view.asks; // only what is around it has changed
    const half = same ? this.ask.querySelector(".typed input")?.value : "";
    Object.assign(this, { signature, turn: view.turn, asked: view.asks });
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
      table.link ? invitation(this.table.id, table.link) : null,
      this.question(view, table, teller),
      this.table.seat && view.asks && table.players[2 - this.table.seat]?.bot
        ? hintBox(this.table.id, this.table.seat)
        : null,
      // Below the question: an offer must not push away the button that is about to be pressed.
      this.drawOffer(view, teller),
      this.claim(view, teller),
    ];
  }

  question(view, table, teller) {
    if (!this.table.seat)
      return h("p", { class: "note" }, "You are watching. What the players hide stays hidden until the end.");
    if (view.asks === "secret") return this.secret();
    if (table.go_on) return this.goOn(teller);
    if (view.asks === "trap") return this.trap(view, teller);
    if (view.asks === "move") return this.move(view, teller);
    return this.waiting(view, teller);
  }

  // --- the questions ---------------------------------------------------------------------

  secret() {
    const { secret } = this.table;
    const what = secret.isCell
      ? "Choose your Goal Cell"
      : `Hide your ${secret.count === 1 ? "trap" : `${inWords(secret.count)} traps`}`;
    this.count = h("span", { class: "count" });
    this.confirm = button("", () => this.table.send({ do: "secret", secret: secret.text }), {
      class: "primary",
    });
    const typed = this.typed("Or type it", secret.example, (text) =>
      this.table.send({ do: "secret", secret: text }),
    );
    this.refreshSecret();
    return [
      h("p", { class: "prompt" }, `${what} on the board: ${secret.hint}. Only you see it.`),
      h("div", { class: "row" }, this.confirm, this.count),
      typed,
    ];
  }

  refreshSecret() {
    const { secret } = this.table;
    if (!secret || !this.confirm) return;
    this.count.textContent = `${secret.chosen.length} of ${secret.count} chosen${secret.text ? `: ${secret.text}` : ""}`;
    this.confirm.textContent = secret.isCell ? "This is my goal" : "Hide them";
    this.confirm.disabled = !secret.complete;
  }

  move(view, teller) {
    const onGrid = view.board.board === "grid";
    const steps = onGrid
      ? []
      : view.legal.map((step) =>
          button(`${step} ${step === 1 ? "step" : "steps"}`, () => this.table.play(String(step)), {
            class: "primary answer",
          }),
        );
    const back = !onGrid && view.board.returning[view.seat - 1];
    const prompt = onGrid
      ? "Lead the Seeker to a marked cell."
      : `How far do you go? Tap a marked ${teller.place}, a button, or a number key.`;
    return [
      h(
        "p",
        { class: "prompt" },
        back ? `The trap sends you back: you move from ${teller.place} 0. ${prompt}` : prompt,
      ),
      steps.length && steps.length <= 6 ? h("div", { class: "row" }, steps) : null,
      this.typed("Or type your move", onGrid ? "4,2" : "2", (text) => this.table.play(text)),
    ];
  }

  trap(view, teller) {
    const left = view.events.findLast((event) => event.event === "moved" && event.by === view.seat);
    const where = left
      ? `${teller.place} ${left.start}, which you have just left`
      : `the ${teller.place} you have just left`;
    return [
      h("p", { class: "prompt" }, `Set a trap on ${where}? Nobody else learns what you decide.`),
      h(
        "div",
        { class: "row two" },
        button("Set a trap", () => this.table.play("y"), { class: "primary answer" }),
        button("No trap", () => this.table.play("n"), { class: "answer" }),
      ),
    ];
  }

  goOn(teller) {
    return [
      h(
        "p",
        { class: "prompt" },
        `You have a trap on the ${teller.place} you leave already, so there is nothing to decide.`,
      ),
      h(
        "div",
        { class: "row two" },
        button("Go on", () => this.table.send({ do: "go on" }), { class: "primary answer" }),
      ),
    ];
  }

  waiting(view, teller) {
    const { here, seat } = this.table;
    if (here && !here.open) {
      const next = view.to_move ?? other(seat);
      return [
        h("p", { class: "prompt" }, "Your part is done. Look at the board as long as you like."),
        h(
          "div",
          { class: "row two" },
          button(`Pass the device to ${teller.names[next]}`, () => here.pass(this.table.state), {
            class: "primary answer",
          }),
        ),
      ];
    }
    return h("p", { class: "note" }, `${teller.names[other(seat)]} has the next word. You will see it here.`);
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

  typed(label, example, act) {
    const input = h("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 200,
      placeholder: `e.g. ${example}`,
    });
    const form = h(
      "form",
      { class: "typed" },
      h("label", {}, h("span", {}, label), input),
      h("button", { type: "submit" }, "Send"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value.trim()) act(input.value.trim());
    });
    return form;
  }
}
