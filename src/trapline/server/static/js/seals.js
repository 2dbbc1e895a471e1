/** The salted hash that fixes something hidden without showing it, as every record writes it. */

import { sha256 } from "./sha256.js";

const TAG = "trapline commitment 1";

export function commitment(game, id, seat, subject, value, salt) {
  return sha256(JSON.stringify([TAG, game, id, seat, subject, value, salt]));
}
