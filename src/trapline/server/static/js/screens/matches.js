/** All matches of this browser: how they went, the way back to each, and how to take them away. */

import { deleteMatch, matchInfo, record } from "../api.js";
import { button, clear, confirmDialog, h, link, nameTab, say } from "../dom.js";
import { forgetMatch, rememberedMatches, rememberedResults } from "../store.js";
import { locale } from "../language.js";
import { ratingOf, sayRating } from "../rating.js";
import { leftOf, sayLeft } from "../time.js";
import { nameOf, plural } from "../words.js";

const SAID = { won: "won", lost: "lost", drawn: "drawn", seen: "played" };
const PEOPLE = "people";
const PRACTICE = "computer, in practice"; // the coach helped, so it does not count
const COLUMNS = ["Game", "Against", "Won", "Drawn", "Lost", "Score", "Rating"];
const SUMS = ["won", "drawn", "lost"];

export async function matchesScreen({ stage, current }) {
  nameTab("Your matches");
  const said = h("p", { class: "note", role: "status" });
  const lists = h("div", { class: "matches" }, h("p", { class: "note" }, "Looking them up …"));
  stage.append(
    h("nav", { "aria-label": "Back" }, link("/", "← All games")),
    h("h1", {}, "Your matches"),
    said,
    lists,
  );
  const refresh = async () => {
    const found = await lookUp();
    if (current()) clear(lists, contents(found, refresh, said));
  };
  await refresh();
}

/** What is known of each: finished ones from memory, the others from the server. */
async function lookUp() {
  const ended = rememberedResults();
  const entries = rememberedMatches().map(async (id) => {
    if (ended[id]) return { id, ...ended[id] };
    const info = await matchInfo(id).catch((error) => error);
    if (info.status === 404) forgetMatch(id);
    return info instanceof Error ? null : { id, title: info.title, against: rivalOf(info), over: info.over, ...turnOf(info) };
  });
  return (await Promise.all(entries)).filter(Boolean);
}

/** Whose turn it is, and by when; `mine` where one is waited for oneself. */
export function turnOf({ seats, players, waits, clock }) {
  const mine = seats.find((seat) => waits.includes(seat));
  const seat = mine ?? waits[0];
  if (!seat) return { mine: false, turn: "" };
  const whose = mine ? "your turn" : `${nameOf(players[seat - 1], seat)}’s turn`;
  const left = leftOf(clock, seat, Date.now());
  return { mine: Boolean(mine), turn: left === null ? whose : `${whose}, ${sayLeft(left)} left` };
}

function rivalOf({ seats, players }) {
  if (seats.length === 2) return "two on this device";
  const rival = players[seats[0] === 1 ? 1 : 0];
  return rival ? (rival.bot ?? nameOf(rival, 2)) : "nobody yet";
}

function contents(found, refresh, said) {
  if (!found.length)
    return h("p", { class: "sheet" }, "None yet. What you play in this browser will be listed here.");
  const running = found.filter((one) => !one.result && !one.over);
  running.sort((one, two) => Number(two.mine) - Number(one.mine)); // whoever is waited for comes first
  const done = found.filter((one) => one.result || one.over);
  return [
    running.length ? list("To be finished", running, refresh, said) : null,
    done.length ? balance(done) : null,
    done.length ? list("Finished", done, refresh, said) : null,
    h(
      "section",
      { class: "sheet", "aria-label": "All of them" },
      h("p", {}, "This browser remembers your matches; the server keeps them. You can download them all, and delete them all."),
      h(
        "div",
        { class: "row" },
        done.length ? button("Download all records", () => download(done, said)) : null,
        button("Delete all matches", () => removeAll(found, refresh, said)),
      ),
    ),
  ];
}

/** Won, drawn and lost, by game and by whom one played. */
function balance(done) {
  const counted = done.filter((one) => SUMS.includes(one.result));
  if (!counted.length) return null;
  const rows = new Map();
  for (const { title, against, bot, practised, result } of counted) {
    const key = JSON.stringify([title, practised ? PRACTICE : bot ? `computer, ${against}` : PEOPLE]);
    const sums = rows.get(key) ?? { won: 0, drawn: 0, lost: 0 };
    rows.set(key, { ...sums, [result]: sums[result] + 1 });
  }
  const entries = [...rows].sort().map(([key, sums]) => {
    const [game, against] = JSON.parse(key);
    return { game, against, sums, rated: ![PEOPLE, PRACTICE].includes(against) };
  });
  const lookOf = (column) => (COLUMNS[column] === "Score" ? { class: "score" } : {});
  const cells = (values) => values.map((value, column) => h("td", lookOf(column), String(value)));
  const head = (text, column) => h("th", { scope: "col", ...lookOf(column) }, text);
  return h(
    "section",
    { class: "sheet prose results", "aria-label": "Results" },
    h("h2", {}, "Results"),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results by game" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, COLUMNS.map(head))),
        h(
          "tbody",
          {},
          entries.map(({ game, against, sums, rated }) => {
            const played = sums.won + sums.drawn + sums.lost;
            const score = `${Math.round((100 * (sums.won + sums.drawn / 2)) / played)}%`;
            const rating = rated ? sayRating(sums) : "–";
            return h("tr", {}, cells([game, against, sums.won, sums.drawn, sums.lost, score, rating]));
          }),
        ),
      ),
    ),
    h("p", { class: "note" }, explained(entries)),
  );
}

/** What the ratings that are shown mean, and why others are missing. */
function explained(entries) {
  const means =
    "A rating above 0 is stronger than that level of the computer, below 0 weaker; at +191 you win three matches of four. Yours lies in the range in brackets, in 95 of 100 cases.";
  const missing = "In practice the coach has helped: what is played so is not rated.";
  return [
    entries.some(({ rated, sums }) => rated && ratingOf(sums)) ? means : "",
    entries.some(({ against }) => against === PRACTICE) ? missing : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function list(title, entries, refresh, said) {
  return h(
    "section",
    { "aria-label": title },
    h("h2", {}, title),
    h(
      "ul",
      { class: "plain match-list" },
      entries.map((entry) => line(entry, refresh, said)),
    ),
  );
}

function line(entry, refresh, said) {
  const { id, title, against, result, turns, at } = entry;
  const facts = [
    against,
    entry.turn,
    result && SAID[result],
    result && plural(turns, "turn"),
  ].filter(Boolean);
  const day = at && new Date(at).toLocaleDateString(locale(), { dateStyle: "medium" });
  const over = entry.result || entry.over;
  const open = link(`/m/${id}`, over ? "Replay and analysis" : "Go on", {
    class: "chip",
    "aria-label": `${title}, ${facts[0]}: ${over ? "replay and analysis" : "go on"}`,
  });
  const remove = button("Delete", () => removeOne(entry, refresh, said), {
    class: "quiet",
    "aria-label": `Delete ${title}, ${facts[0]}`,
  });
  return h(
    "li",
    { class: `sheet ${result ?? ""}${entry.mine ? " mine" : ""}` },
    h("div", {}, h("b", {}, title), h("small", { class: "note" }, facts.join(" · "), day && h("time", { datetime: at, translate: "no" }, ` · ${day}`))),
    h("div", { class: "row" }, open, remove),
  );
}

// --- taking along, taking away ------------------------------------------------------------

/** One record a line, as `trapline replay` reads them. */
async function download(done, said) {
  const records = await Promise.all(done.map(({ id }) => record(id).catch(() => null)));
  const lines = records.filter(Boolean).map((kept) => JSON.stringify(kept));
  const file = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }));
  h("a", { href: file, download: "trapline-matches.jsonl" }).click();
  URL.revokeObjectURL(file);
  say(said, `${plural(lines.length, "record")} of ${done.length} downloaded.`);
}

async function removeOne(entry, refresh, said) {
  const sure = await confirmDialog(
    `Delete this match of ${entry.title}?`,
    "It is gone for good, unless another person has played it too: then it only leaves your list.",
    "Delete",
    "Keep it",
  );
  if (sure) await remove([entry], refresh, said);
}

async function removeAll(entries, refresh, said) {
  const sure = await confirmDialog(
    `Delete ${entries.length === 1 ? "the match" : `all ${entries.length} matches`}?`,
    "They are gone for good. Those that another person has played too only leave your list.",
    "Delete",
    "Keep them",
  );
  if (sure) await remove(entries, refresh, said);
}

/** What the server cannot be asked about now stays in the list, so that it can be asked again. */
async function remove(entries, refresh, said) {
  const left = [];
  for (const { id } of entries) {
    const error = await deleteMatch(id).catch((refused) => refused);
    const settled = !(error instanceof Error) || [403, 404].includes(error.status);
    if (settled) forgetMatch(id);
    else left.push(error.message);
  }
  const stayed = left.length === 1 ? "One match stayed" : `${left.length} matches stayed`;
  say(said, left.length ? `${stayed}: ${left[0]}` : "Deleted.");
  await refresh();
}
