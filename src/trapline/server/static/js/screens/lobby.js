/** The lobby: challenges for anybody to take, and matches for anybody to watch. */

import { lobby } from "../api.js";
import { clear, h, link, nameTab } from "../dom.js";
import { sayLimit } from "../time.js";
import { nameOf } from "../words.js";

const AGAIN = 10_000; // milliseconds after which one looks again

export async function lobbyScreen({ stage, current }) {
  nameTab("Lobby");
  const lists = h("div", { class: "matches lobby" }, h("p", { class: "note" }, "Looking around …"));
  stage.append(
    h("nav", { "aria-label": "Back" }, link("/", "← All games")),
    h("h1", {}, "Lobby"),
    h("p", { class: "note" }, "Only what players have put here is listed."),
    lists,
  );
  const look = async () => {
    const found = await lobby();
    const written = JSON.stringify(found);
    if (current() && written !== lists.dataset.shown) {
      lists.dataset.shown = written; // what has not changed stays, with the focus in it
      clear(lists, contents(found));
    }
  };
  await look();
  const timer = setInterval(() => !document.hidden && look().catch(() => {}), AGAIN);
  return () => clearInterval(timer);
}

function contents({ challenges, watched }) {
  return [
    list("Open challenges", challenges, challengeLine, [
      h("p", {}, "Nobody is waiting right now. Pick a game, choose “Challenge by link”, and put it in the lobby."),
      link("/", "Pick a game", { class: "chip first" }),
    ]),
    list("Matches to watch", watched, watchLine, [h("p", {}, "Nothing to watch right now.")]),
  ];
}

function list(title, matches, line, otherwise) {
  return h(
    "section",
    { "aria-label": title },
    h("h2", {}, title),
    matches.length
      ? h("ul", { class: "plain match-list" }, matches.map(line))
      : h("div", { class: "sheet" }, otherwise),
  );
}

function challengeLine(match) {
  const { players, here, yours } = match;
  const host = nameOf(players[0], 1);
  const who = yours ? "your own challenge" : `${host}${here ? ", here now" : ""}`;
  const act = yours
    ? link(`/m/${match.match}`, "Go there", { class: "chip", "aria-label": `Your ${match.title}: go there` })
    : link(`/join/${match.match}`, "Take it", {
        class: "chip",
        "aria-label": `${match.title} with ${host}: take the challenge`,
      });
  return line(match, who, act);
}

function watchLine(match) {
  const names = match.players.map((player, index) => nameOf(player, index + 1)).join(" and ");
  const words = match.yours ? "Go on" : "Watch";
  const act = link(`/m/${match.match}`, words, {
    class: "chip",
    "aria-label": `${match.title}, ${names}: ${words.toLowerCase()}`,
  });
  return line(match, names, act);
}

function line({ title, options, clock, best_of }, who, act) {
  const variant = Object.keys(options).length ? "a variant" : null;
  const facts = [who, clock ? sayLimit(clock) : "no clock", best_of > 1 ? `best of ${best_of}` : null, variant].filter(Boolean);
  return h(
    "li",
    { class: "sheet" },
    h("div", {}, h("b", {}, title), h("small", { class: "note" }, facts.join(" · "))),
    act,
  );
}
