/**
 * The seals: before anything is revealed, each hidden choice is fixed by a salted hash that
 * everybody sees. Here the browser computes the hashes itself from what was revealed, and compares
 * them with those it was shown during play.
 */

import { h } from "../dom.js";
import { commitment } from "../seals.js";
import { seenCommitments } from "../store.js";
import { plural } from "../words.js";

function check(id, record, seal, seen) {
  const { key, what, seat, subject } = seal;
  const salt = record.salts?.[key];
  const value = record.secrets?.[key] ?? seal.value;
  const computed = commitment(record.game, record.id, seat, subject, value, salt ?? "");
  const shown = seen[key];
  if (salt === undefined) return { key, what, fault: "the record holds no salt for it" };
  if (computed !== record.commitments?.[key]) return { key, what, fault: "it does not fit its seal" };
  if (shown && shown !== computed) return { key, what, fault: "another seal was shown during play" };
  return { key, what, seen: Boolean(shown) };
}

/** @param sealed  everything that was decided unseen: {key, what, seat, subject, value} */
export function checkSeals(id, record, sealed) {
  const seen = seenCommitments(id);
  const checks = sealed.map((seal) => check(id, record, seal, seen));
  if (!checks.length)
    return h("p", { class: "note" }, "Nothing was hidden in this match, so there is nothing to check.");
  const compared = checks.some((one) => one.seen)
    ? "with what it saw while the match went on"
    : "with the record; it was not there while the match went on";
  return [
    h("ul", { class: "plain seals" }, lines(checks)),
    h(
      "p",
      { class: "note" },
      `Your browser computed these seals (SHA-256) from what was revealed and compared them ${compared}.`,
    ),
  ];
}

/** Faults one by one, and so what was sealed once; the seals of all turns together. */
function lines(checks) {
  const bad = checks.filter((one) => one.fault).map((one) => line(false, `${one.what}: ${one.fault}.`));
  const good = checks.filter((one) => !one.fault);
  const inTurns = good.filter((one) => one.key.startsWith("turn "));
  const places = good.filter((one) => one.key.includes(" at "));
  const single = good
    .filter((one) => !inTurns.includes(one) && !places.includes(one))
    .map((one) => line(true, `${one.what}: as sealed before the first move${note(one)}.`));
  const late = inTurns.filter((one) => !one.seen).length;
  const unseen = late ? ` (${plural(late, "seal")} not seen during play)` : "";
  const sum = inTurns.length
    ? [line(true, `What was hidden in ${plural(inTurns.length, "turn")}: as sealed${unseen}.`)]
    : [];
  const opened = places.length
    ? [line(true, `${plural(places.length, "place")} on both devices: as committed to before the first move.`)]
    : [];
  return [...bad, ...single, ...opened, ...sum];
}

const note = (one) => (one.seen ? "" : " (by the record; this browser did not see the seal during play)");

function line(ok, text) {
  return h(
    "li",
    { class: ok ? "ok" : "bad" },
    h("span", { "aria-hidden": "true" }, ok ? "✓ " : "✗ "),
    h("span", { class: "unseen" }, ok ? "Checked: " : "Fault: "),
    text,
  );
}
