/**
 * A table for two phones: a shared screen shows what everybody may see, large, and to each free seat
 * a code to scan. What the players hide and decide stays on their phones.
 */

import { gameOf, lineFor, linksTo, matchInfo, qrAddress } from "../api.js";
import { clear, h, s } from "../dom.js";
import { token } from "../shapes.js";
import { Table } from "./table.js";

export async function displayScreen({ stage, go, argument: id, current }) {
  const info = await matchInfo(id);
  const Line = await lineFor(info);
  if (!current()) return null;
  const doors = h("div", { class: "doors" });
  const table = new Table({ stage, go, id, game: gameOf(info), Line, display: true });
  table.status.after(doors);
  table.seen = ({ table: around }) => showDoors(doors, id, around);
  table.sit(0);
  return () => table.close();
}

/** The codes that admit to free seats; each goes when somebody has come through. */
async function showDoors(doors, id, { players }) {
  const free = [1, 2].filter((seat) => !players[seat - 1]);
  const shown = free.join(" ");
  if (shown === doors.dataset.free) return;
  doors.dataset.free = shown;
  if (!free.length) {
    clear(doors);
    return;
  }
  const { links } = await linksTo(id).catch(() => ({ links: [null, null] })); // not our screen
  const open = free.filter((seat) => links[seat - 1]);
  if (doors.dataset.free === shown) clear(doors, open.map((seat) => door(id, seat, links[seat - 1])));
}

function door(id, seat, path) {
  const mark = s("svg", { class: "plate-mark", viewBox: "-18 -18 36 36", "aria-hidden": "true" }, token(seat));
  const address = new URL(path, location.origin).href;
  return h(
    "figure",
    { class: `door sheet seat-${seat}` },
    h("figcaption", {}, mark, `Scan to be Player ${seat}`),
    h("img", {
      class: "qr",
      src: qrAddress(id, seat),
      alt: `The link to seat ${seat} as a QR code`,
      width: 220,
      height: 220,
    }),
    h("p", {}, h("a", { href: address, class: "door-link" }, "or open this link on a phone")),
  );
}
