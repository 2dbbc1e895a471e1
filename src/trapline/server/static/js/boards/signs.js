/** What the signs on a board mean, for those that are on it. */

import { h, s } from "../dom.js";
import { flag, seekerMark, trapMark } from "./marks.js";

export function signs(board, teller) {
  const whose = (seat) => (seat === teller.seat ? "your" : `${teller.names[seat]}’s`);
  if (board.board === "grid") {
    const goals = [1, 2].filter((seat) => board.goals[seat - 1]);
    return [
      sign(seekerMark(), "the Seeker"),
      goals.map((seat) => sign(flag(seat), `${whose(seat)} Goal Cell`)),
    ];
  }
  const owners = [1, 2, null].filter((owner) =>
    board.traps.some((trap) => trap.owner === owner && trap.live),
  );
  const spent = board.traps.find((trap) => !trap.live);
  return [
    owners.map((owner) =>
      sign(trapMark({ owner, live: true }), owner ? `${whose(owner)} trap` : "trap for both"),
    ),
    spent ? sign(trapMark({ owner: spent.owner, live: false }), "sprung, safe now") : null,
  ];
}

function sign(mark, text) {
  return h(
    "li",
    {},
    s("svg", { viewBox: "-18 -18 36 36", width: 22, height: 22, focusable: "false" }, mark),
    text,
  );
}
