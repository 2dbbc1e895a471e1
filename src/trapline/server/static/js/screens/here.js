/**
 * Two on one device. There is one line to the server at a time, for the seat whose turn it is;
 * between two turns a curtain hides everything, and what one player saw is gone before it shows.
 */

import { Connection } from "../connection.js";
import { button, clear, h, link } from "../dom.js";
import { isPublic, namesOf, other, say } from "../words.js";
import { Table } from "./table.js";

const around = () => document.querySelectorAll("header, footer, .skip");

export function hereScreen({ stage, go, id, game }) {
  const open = !game.hides; // nothing to hide, so no curtain
  let closeNow = lookFirst();

  /** A spectator's glance tells whose turn it is, and nothing more. */
  function lookFirst() {
    const glance = new Connection(id, 0, {
      state: (state) => {
        glance.close();
        proceed(state, []);
      },
      lost: (sentence) => {
        glance.close();
        clear(stage, h("p", { class: "sheet message" }, sentence));
      },
      refused() {},
      presence() {},
      online() {},
    });
    return () => glance.close();
  }

  function proceed(state, lines) {
    const next = nextSeat(state.view);
    if (state.view.outcome) seat(0);
    else if (open) seat(next);
    else curtain(next, namesOf(state.table), lines);
  }

  function seat(who) {
    const table = new Table({ stage, go, id, game, here: { open, pass } });
    closeNow = () => table.close();
    table.sit(who);

    /** The turn is done: first take everything away, then draw the curtain. */
    function pass(state) {
      const names = namesOf(state.table);
      const lines = lastTurn(state.view, names, game.place);
      const next = nextSeat(state.view);
      if (open) {
        table.sit(next);
        return;
      }
      table.close();
      clear(stage);
      curtain(next, names, lines);
    }
  }

  function curtain(next, names, lines) {
    const ready = button(`I am ${names[next]}: show my side`, () => lift(next), { class: "primary" });
    const cloth = h(
      "section",
      { class: `curtain seat-${next}`, "aria-labelledby": "curtain-title" },
      h("h1", { id: "curtain-title" }, `Hand the device to ${names[next]}`),
      lines.length
        ? h(
            "ul",
            { class: "plain" },
            lines.map((line) => h("li", {}, line)),
          )
        : null,
      h("p", {}, `${names[other(next)]}, look away. Nothing is shown until the button is pressed.`),
      ready,
      h("p", { class: "curtain-leave" }, link("/", "Leave; the match waits for you")),
    );
    clear(stage, cloth);
    around().forEach((element) => element.setAttribute("inert", ""));
    closeNow = uncover;
    ready.focus();
  }

  function lift(next) {
    uncover();
    clear(stage);
    seat(next);
  }

  function uncover() {
    around().forEach((element) => element.removeAttribute("inert"));
  }

  return () => closeNow();
}

/** Who acts next: whoever has not chosen a secret yet, then whoever is to move. */
function nextSeat(view) {
  if (view.to_move) return view.to_move;
  return view.ready[0] ? 2 : 1;
}

/** What everybody in the room may hear of the last turn. */
function lastTurn(view, names, place) {
  const heard = view.events.filter(isPublic);
  const from = heard.findLastIndex((event) => event.event === "moved");
  const before = heard[from - 1];
  const start = before?.event === "returned" && before.by === heard[from]?.by ? from - 1 : from;
  const teller = { seat: null, names, place };
  return start < 0
    ? []
    : heard
        .slice(start)
        .map((event) => say(teller, event))
        .filter(Boolean);
}
