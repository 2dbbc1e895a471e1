/** Home: the games, the ways to play them, and the matches that wait to be finished. */

import { gameNamed, games, matchInfo, pageAt } from "../api.js";
import { button, clear, h, link } from "../dom.js";
import { translateWithin, wholeLanguage } from "../language.js";
import { forgetMatch, rememberedMatches, rememberedResults, skipLesson, streak, visitor } from "../store.js";
import { today, week } from "../week.js";
import { nameOf, plural } from "../words.js";

const MOST_WAITING = 20;

export async function homeScreen({ stage, go, current }) {
  if (!stage.childElementCount) await bring(stage);
  document.documentElement.dataset.visitor = visitor();
  stage.addEventListener("click", ({ target }) => press(target.closest("button"), go));
  if (stage.contains(globalThis.pressedEarly)) press(globalThis.pressedEarly, go);
  showDays(stage.querySelector(".days"));
  const { kept } = await games();
  if (!current()) return;
  if (kept) stayAway(stage);
  else if (rememberedMatches().length) listUnfinished(stage.querySelector(".waiting"), current);
}

/** The server writes this screen, into the page as it is sent or for whoever comes from another one. */
async function bring(stage) {
  await wholeLanguage();
  stage.append(...(await pageAt("/")).querySelector(".stage").childNodes);
  translateWithin(stage);
}

async function press(pressed, go) {
  if (pressed?.dataset.way) await setUp(pressed.closest(".card").dataset.game, pressed.dataset.way, go);
  if (pressed?.hasAttribute("data-skip")) {
    skipLesson();
    document.documentElement.dataset.visitor = visitor();
  }
}

async function setUp(name, way, go) {
  const [{ setupDialog }, game, { levels }] = await Promise.all([
    import("./setup.js"),
    gameNamed(name),
    games(),
    wholeLanguage(),
  ]);
  setupDialog(game, levels, way, go);
  import("./match.js"); // while one decides, the table is brought
}

/** Which puzzles of the week were solved, and how many in a row. */
function showDays(section) {
  const days = streak(today());
  clear(section, week(), days ? h("p", { class: "note" }, `Solved ${plural(days, "day")} in a row.`) : null);
}

/** What needs no server is there all the same. */
function stayAway(stage) {
  for (const way of stage.querySelectorAll("[data-way]")) way.remove();
  stage.querySelector(".cards").before(
    h(
      "section",
      { class: "sheet away" },
      h("h2", {}, "No server can be reached"),
      h("p", {}, "You can read how each game is played. Your matches wait where they are."),
      h("p", {}, button("Try again", () => location.reload(), { class: "primary" })),
    ),
  );
}

/** Matches of this browser that are not over; those that are gone are forgotten. */
async function listUnfinished(section, current) {
  const ended = rememberedResults();
  const waiting = rememberedMatches().filter((id) => !ended[id]);
  await wholeLanguage();
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
