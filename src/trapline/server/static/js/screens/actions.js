/** What can be done besides moving: a draw, giving up, letting others watch. */

import { announce, button, confirmDialog, h } from "../dom.js";
import { other } from "../words.js";

export function actions(table) {
  const { view, table: around } = table.state;
  if (view.outcome) return [];
  const playing = table.seat !== 0;
  const rival = around.players[other(table.seat || 1) - 1];
  const draws = playing && !view.draw_offer && rival;
  return [
    draws ? button("Offer a draw", () => table.send({ do: "offer draw" })) : null,
    playing ? button("Resign", () => resign(table)) : null,
    table.here || around.link ? null : watchButton(table.id), // one link at a time is enough
  ];
}

async function resign(table) {
  const sure = await confirmDialog(
    "Resign?",
    "The match ends and the other player wins.",
    "Resign",
    "Play on",
  );
  if (sure && table.state) table.send({ do: "resign" });
}

function watchButton(id) {
  const address = new URL(`/m/${id}`, location.origin).href;
  const copy = button("Copy a link to watch", async () => {
    try {
      await navigator.clipboard.writeText(address);
      copy.textContent = "Copied: they see what everybody sees";
      announce("The link to watch is copied.");
    } catch {
      copy.replaceWith(
        h("input", { type: "text", readonly: true, value: address, "aria-label": "Link to watch" }),
      );
    }
  });
  return copy;
}
