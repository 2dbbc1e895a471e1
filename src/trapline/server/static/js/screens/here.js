/**
 * Two on one device. Where something is hidden, there is one line to the server at a time, for the
 * seat whose turn it is; between two turns a curtain hides everything, and what one player saw is
 * gone before it shows. Where only what was chosen before the first turn is hidden, both look at the
 * same board from then on, and whoever is to move may peek at what is theirs.
 */

import { Connection } from "../connection.js";
import { button, clear, h, link } from "../dom.js";
import { namesOf, other } from "../words.js";
import { VeiledLine } from "../veiled.js";
import { Table } from "./table.js";

const around = () => document.querySelectorAll("header, footer, .skip");

export function hereScreen({ stage, go, id, game }) {
  const openIn = (view) => !game.hides || (game.open_turns && view.to_move !== null);
  let heard = null; // how many of the events that everybody hears were told on a curtain
  let closeNow = glance(
    (state) => {
      heard = state.view.events.length;
      proceed(state);
    },
    (sentence) => clear(stage, h("p", { class: "sheet message" }, sentence)),
  );

  /** What a spectator sees: whose turn it is, what everybody may hear, and nothing more. */
  function glance(seen, lost = () => {}) {
    const line = new Connection(id, 0, {
      state: (state) => {
        line.close();
        seen(state);
      },
      lost: (sentence) => {
        line.close();
        lost(sentence);
      },
      refused() {},
      presence() {},
      online() {},
    });
    return () => line.close();
  }

  function proceed(state) {
    const next = nextSeat(state.view);
    if (state.view.outcome) seat(0, true);
    else if (openIn(state.view)) seat(next, true);
    else curtain(next, namesOf(state.table));
  }

  /** @param open  both may look */
  function seat(who, open) {
    const line = game.hides ? (...facts) => new VeiledLine(...facts) : null;
    const here = { open, pass, line: open && line, hides: (view) => !open && openIn(view) };
    const table = new Table({ stage, go, id, game, here });
    closeNow = () => table.close();
    table.sit(who);

    /** The turn is done: first take everything away, then draw the curtain. */
    function pass(state) {
      const next = nextSeat(state.view);
      if (open) {
        table.sit(next);
        return;
      }
      table.close();
      clear(stage);
      if (openIn(state.view)) seat(next, true);
      else curtain(next, namesOf(state.table));
    }
  }

  function curtain(next, names) {
    const ready = button(`I am ${names[next]}: show my side`, () => lift(next), { class: "primary" });
    const news = h("ul", { class: "plain news", hidden: true });
    const cloth = h(
      "section",
      { class: `curtain seat-${next}`, "aria-labelledby": "curtain-title" },
      h("h1", { id: "curtain-title" }, `Hand the device to ${names[next]}`),
      news,
      h("p", {}, `${names[other(next)]}, look away. Nothing is shown until the button is pressed.`),
      ready,
      h("p", { class: "curtain-leave" }, link("/", "Leave; the match waits for you")),
    );
    clear(stage, cloth);
    around().forEach((element) => element.setAttribute("inert", ""));
    const stop = glance(({ view, words }) => {
      const lines = words.told.slice(heard).flat();
      heard = view.events.length;
      clear(
        news,
        lines.map((line) => h("li", {}, line)),
      );
      news.hidden = !lines.length;
    });
    closeNow = () => {
      stop();
      uncover();
    };
    ready.focus();
  }

  function lift(next) {
    closeNow();
    clear(stage);
    seat(next, false);
  }

  function uncover() {
    around().forEach((element) => element.removeAttribute("inert"));
  }

  return () => closeNow();
}

/** Who acts next: whoever is to move, or has not answered yet what both are asked. */
function nextSeat(view) {
  return view.to_move ?? (view.ready[0] ? 2 : 1);
}
