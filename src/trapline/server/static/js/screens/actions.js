/** What can be done besides moving: a draw, giving up, letting others watch. */

import { button, confirmDialog } from "../dom.js";
import { copyButton } from "./invite.js";
import { other } from "../words.js";

export function actions(table) {
  const { view, table: around } = table.state;
  if (view.outcome) return [];
  const playing = table.seat !== 0;
  const rival = around.players[other(table.seat || 1) - 1];
  const draws = playing && !view.draw_offer && rival;
  const back = playing && rival && around.takeback?.may_ask[table.seat - 1];
  const asked = around.takeback?.asked_by;
  return [
    back && !asked ? button("Take a turn back", () => table.send({ do: "ask takeback" })) : null,
    draws ? button("Offer a draw", () => table.send({ do: "offer draw" })) : null,
    playing ? (rival ? button("Resign", () => resign(table)) : cancelButton(table)) : null,
    table.here || around.link ? null : watchButton(table.id), // one link at a time is enough
  ];
}

/** Nobody has come yet, so nobody wins. */
function cancelButton(table) {
  return button("Cancel the challenge", async () => {
    const sure = await confirmDialog(
      "Cancel the challenge?",
      "The link admits nobody any more.",
      "Cancel the challenge",
      "Keep waiting",
    );
    if (sure && table.state) table.send({ do: "resign" });
  });
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
  return copyButton("Copy a link to watch", address, "Copied: they see what everybody sees");
}
