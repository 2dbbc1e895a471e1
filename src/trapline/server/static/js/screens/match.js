/** A match: at your own seat, at both seats of a shared device, or as somebody who watches. */

import { gameNamed, gameOf, lineFor, matchInfo } from "../api.js";
import { rememberMatch } from "../store.js";
import { Table } from "./table.js";

export async function matchScreen({ stage, go, argument: id, current }) {
  const info = await matchInfo(id);
  const shared = info.seats.length === 2;
  const game = shared ? await gameNamed(info.game) : gameOf(info);
  const Line = await lineFor(info);
  if (!current()) return null;
  if (info.seats.length && !info.over) rememberMatch(id);
  if (shared) return (await import("./here.js")).hereScreen({ stage, go, id, game });
  const table = new Table({ stage, go, id, game, Line });
  table.sit(info.seats[0] ?? 0);
  return () => table.close();
}
