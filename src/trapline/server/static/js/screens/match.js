/** A match: at your own seat, at both seats of a shared device, or as somebody who watches. */

import { gameNamed, matchInfo } from "../api.js";
import { rememberMatch } from "../store.js";
import { Table } from "./table.js";

export async function matchScreen({ stage, go, argument: id, current }) {
  const info = await matchInfo(id);
  const game = await gameNamed(info.game);
  if (!current()) return null;
  if (info.seats.length && !info.over) rememberMatch(id);
  if (info.seats.length === 2) return (await import("./here.js")).hereScreen({ stage, go, id, game });
  const table = new Table({ stage, go, id, game });
  table.sit(info.seats[0] ?? 0);
  return () => table.close();
}
