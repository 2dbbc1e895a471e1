/** Home: the games, the ways to play them, and the matches that wait to be finished. */

import { games, matchInfo } from "../api.js";
import { miniature } from "../picture.js";
import { button, h, link } from "../dom.js";
import { forgetMatch, isNewcomer, rememberedMatches, rememberedResults, skipLesson } from "../store.js";
import { nameOf } from "../words.js";

const MOST_WAITING = 20;

export async function homeScreen({ stage, go, current }) {
  const waiting = rememberedMatches().length ? yourMatches() : null;
  stage.append(
    h(
      "section",
      { class: "hero" },
      h("h1", {}, "Mind where you step."),
      h(
        "p",
        {},
        "Quick games for two, with traps only one of you can see. Play the computer, a friend beside you, or a friend anywhere.",
      ),
    ),
    waiting ?? "",
    h(
      "p",
      { class: "daily row" },
      link("/puzzle", "Puzzle of the day", { class: "chip" }),
      link("/lobby", "Lobby", { class: "chip" }),
    ),
  );
  const catalogue = await games();
  if (!current()) return;
  stage.append(
    catalogue.kept ? away() : isNewcomer() ? offerLesson(catalogue.games[0]) : "",
    h("h2", { class: "unseen" }, "The games"),
    h(
      "ul",
      { class: "cards" },
      catalogue.games.map((game) => card(game, catalogue, go)),
    ),
  );
  if (waiting && !catalogue.kept) listUnfinished(waiting, current);
}

/** Offered once, to whoever has never been here. */
function offerLesson(game) {
  const section = h(
    "section",
    { class: "newcomer row", "aria-label": "New here?" },
    h("b", {}, "New here?"),
    game.lesson && link(`/learn/${game.name}`, `Learn ${game.title} in two minutes`, { class: "chip first" }),
    link(`/rules/${game.name}`, `See ${game.title} in three pictures`, { class: "chip" }),
    button(
      "Skip",
      () => {
        skipLesson();
        section.remove();
      },
      { class: "quiet" },
    ),
  );
  return section;
}

/** What one has begun, and the way to all of it. */
function yourMatches() {
  return h(
    "section",
    { class: "waiting", "aria-label": "Your matches" },
    h("ul", { class: "plain" }, h("li", {}, link("/matches", "All your matches", { class: "chip" }))),
  );
}

/** What needs no server is there all the same. */
function away() {
  return h(
    "section",
    { class: "sheet away" },
    h("h2", {}, "No server can be reached"),
    h("p", {}, "You can read how each game is played. Your matches wait where they are."),
    h("p", {}, button("Try again", () => location.reload(), { class: "primary" })),
  );
}

function card(game, { levels, kept }, go) {
  const play = (way) => async () => {
    const { setupDialog } = await import("./setup.js");
    setupDialog(game, levels, way, go);
    import("./match.js"); // while one decides, the table is brought
  };
  const label = (text) => ({ "aria-label": `${game.title}: ${text}` });
  return h(
    "li",
    { class: "card sheet" },
    h("div", { class: "card-map" }, miniature(game.picture)),
    h("h3", {}, game.title),
    h("p", { class: "card-summary" }, game.summary),
    h(
      "p",
      { class: "card-facts" },
      h("span", {}, duration(game.minutes)),
      link(`/rules/${game.name}`, "How to play", label("how to play")),
      !kept &&
        button("Two phones, this screen", play("table"), { class: "inline", ...label("two phones, this screen") }),
    ),
    !kept &&
      h(
      "div",
      { class: "card-ways" },
      button("Play the computer", play("computer"), { class: "primary", ...label("play the computer") }),
      button("Two on this device", play("here"), label("two on this device")),
      button("Challenge by link", play("link"), label("challenge by link")),
    ),
  );
}

/** "2–4" becomes "2–4 minutes"; a game may also say it in words of its own. */
const duration = (text) => (/^[\d–-]+$/.test(text) ? `${text} minute${text === "1" ? "" : "s"}` : text);

/** Matches of this browser that are not over; those that are gone are forgotten. */
async function listUnfinished(section, current) {
  const ended = rememberedResults();
  const waiting = rememberedMatches().filter((id) => !ended[id]);
  const answers = await Promise.all(
    waiting.slice(0, MOST_WAITING).map((id) =>
      matchInfo(id).catch((error) => {
        if (error.status === 404) forgetMatch(id);
        return null;
      }),
    ),
  );
  if (!current()) return;
  const open = answers.filter((info) => info && !info.over && info.seats.length);
  open.sort((one, two) => Number(isMine(two)) - Number(isMine(one)));
  section.querySelector("ul").append(
    ...open.map((info) => h("li", {}, link(`/m/${info.match}`, describeMatch(info), { class: "chip" }))),
  );
}

const isMine = ({ seats, waits }) => seats.some((seat) => waits.includes(seat));

function describeMatch(info) {
  if (info.seats.length === 2) return `${info.title}, two on this device`;
  const rival = info.players[info.seats[0] === 1 ? 1 : 0];
  if (!rival) return `${info.title}, waiting for a friend`;
  const mine = isMine(info) ? ": your turn" : "";
  return `${info.title} with ${nameOf(rival, 2)}${mine}`;
}
