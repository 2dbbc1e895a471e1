/**
 * The seals: before anything is revealed, each hidden choice is fixed by a salted hash that
 * everybody sees. Here the browser computes the hashes itself from what was revealed, and compares
 * them with those it was shown during play.
 */

import { h } from "../dom.js";
import { sha256 } from "../sha256.js";
import { seenCommitments } from "../store.js";
import { plural } from "../words.js";

const TAG = "trapline commitment 1";

function commitment(game, id, seat, subject, value, salt) {
  return sha256(JSON.stringify([TAG, game, id, seat, subject, value, salt]));
}

/** Everything that was decided in secret, as the record reveals it. */
function hiddenChoices(record, teller, game) {
  const noun = game.secret === "cell" ? "Goal Cell" : "traps";
  const secrets = Object.entries(record.secrets ?? {}).map(([seat, value]) => ({
    key: seat,
    seat: Number(seat),
    subject: "secret",
    value,
    what: `${teller.names[seat]}’s ${noun}`,
  }));
  const sealedTurns = Object.keys(record.commitments ?? {}).filter((key) => key.startsWith("turn "));
  const decisions = sealedTurns.map((key) => {
    const index = Number(key.slice(5)) - 1;
    const move = record.moves[index];
    const seat = index % 2 ? 3 - record.first : record.first;
    const value = typeof move === "string" && move.endsWith("t") ? "t" : "n";
    return { key, seat, subject: key, value, what: `${teller.names[seat]}’s decision in ${key}` };
  });
  return [...secrets, ...decisions];
}

function check(id, record, choice, seen) {
  const salt = record.salts?.[choice.key];
  const computed = commitment(record.game, record.id, choice.seat, choice.subject, choice.value, salt ?? "");
  const shown = seen[choice.key];
  if (salt === undefined) return { ...choice, ok: false, why: "the record holds no salt for it" };
  if (computed !== record.commitments?.[choice.key])
    return { ...choice, ok: false, why: "it does not fit its seal" };
  if (shown && shown !== computed) return { ...choice, ok: false, why: "another seal was shown during play" };
  return { ...choice, ok: true, seen: Boolean(shown) };
}

export function checkSeals(id, record, game, teller) {
  const seen = seenCommitments(id);
  const checks = hiddenChoices(record, teller, game).map((choice) => check(id, record, choice, seen));
  if (!checks.length)
    return h("p", { class: "note" }, "Nothing was hidden in this match, so there is nothing to check.");
  return [
    h("ul", { class: "plain seals" }, lines(checks)),
    h(
      "p",
      { class: "note" },
      "Your browser computed these seals (SHA-256) from what was revealed and compared them with what it saw while you played.",
    ),
  ];
}

function lines(checks) {
  const bad = checks.filter((one) => !one.ok).map((one) => line(false, `${one.what}: ${one.why}.`));
  const secrets = checks
    .filter((one) => one.ok && one.subject === "secret")
    .map((one) => line(true, `${one.what} ${verb(one)} as sealed before the first move${note(one)}.`));
  const turns = checks.filter((one) => one.ok && one.subject !== "secret");
  const late = turns.filter((one) => !one.seen).length;
  const unseen = late ? ` (${plural(late, "seal")} not seen during play)` : "";
  const count =
    turns.length === 1
      ? "The one trap decision is"
      : `${bad.length ? "The other" : "All"} ${turns.length} trap decisions are`;
  const sum = turns.length ? [line(true, `${count} as sealed in their turns${unseen}.`)] : [];
  return [...bad, ...secrets, ...sum];
}

const verb = (one) => (one.what.endsWith("traps") ? "are" : "is");
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
