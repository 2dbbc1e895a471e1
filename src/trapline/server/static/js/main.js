/** Which address shows which screen. Every address is the same page, so links never reload it. */

import { clear, h, nameTab, say } from "./dom.js";
import { languageChoice, learnLanguage, t, wholeLanguage } from "./language.js";
import { effectsWanted, rememberEffects, rememberTheme, rememberedMatches } from "./store.js";

const main = document.getElementById("main");
let leave = null;
let visit = 0;

/** Screens are fetched when they are needed; the server preloads that of the first address. */
const ROUTES = [
  [/^\/$/, async (place) => (await import("./screens/home.js")).homeScreen(place)],
  [/^\/puzzle$/, async (place) => (await import("./screens/puzzle.js")).puzzleScreen(place)],
  [/^\/matches$/, async (place) => (await import("./screens/matches.js")).matchesScreen(place)],
  [/^\/lobby$/, async (place) => (await import("./screens/lobby.js")).lobbyScreen(place)],
  [/^\/table\/([^/]+)$/, async (place) => (await import("./screens/display.js")).displayScreen(place)],
  [/^\/m\/([^/]+)$/, async (place) => (await import("./screens/match.js")).matchScreen(place)],
  [/^\/join\/([^/]+)$/, async (place) => (await import("./screens/join.js")).joinScreen(place)],
  [/^\/rules\/([^/]+)$/, async (place) => (await import("./screens/rules.js")).rulesScreen(place)],
  [/^\/learn\/([^/]+)$/, async (place) => (await import("./screens/learn.js")).learnScreen(place)],
  [/^\/proof$/, async (place) => (await import("./screens/proof.js")).proofScreen(place)],
];

/** Goes to an address of the page. */
function go(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  show();
}

/** The screen of an address, and what stands in it; an address that is no text leads nowhere. */
function routeTo(path) {
  try {
    const [pattern, screen] = ROUTES.find(([known]) => known.test(path));
    return [screen, decodeURIComponent(pattern.exec(path)[1] ?? "")];
  } catch {
    return [notFound, ""];
  }
}

async function show() {
  leave?.();
  leave = null;
  visit += 1;
  const mine = visit;
  document.getElementById("offline").textContent = "";
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  const stage = sentStage() ?? h("div", { class: "stage" });
  clear(main, stage);
  nameTab();
  const [screen, argument] = routeTo(location.pathname);
  try {
    if (mine > 1 && screen !== ROUTES[0][1]) await wholeLanguage(); // the first screen has what it needs
    const close = await screen({ stage, go, argument, current: () => mine === visit });
    if (mine === visit) leave = close ?? null;
    else close?.();
  } catch (error) {
    if (mine === visit) clear(stage, failure(error));
  }
  if (mine === visit) focusStage(stage);
}

/** The first screen, where the server has written it into the page. */
function sentStage() {
  const sent = visit === 1 ? main.querySelector(".stage") : null;
  return sent?.dataset.for === location.pathname ? sent : null;
}

/** After a change of screen the focus stands on its heading, where reading begins. */
function focusStage(stage) {
  if (visit === 1 || stage.contains(document.activeElement)) return;
  const heading = stage.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? main).focus({ preventScroll: true });
  scrollTo(0, 0);
}

function failure(error) {
  return h(
    "section",
    { class: "sheet message" },
    h("h1", {}, "The trail ends here"),
    h("p", {}, error.message),
    h("p", {}, h("a", { href: "/", "data-link": true }, "Back to the games")),
  );
}

function notFound({ stage }) {
  clear(stage, failure(new Error("There is nothing at this address.")));
}

document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a[data-link]");
  if (!anchor || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button)
    return;
  event.preventDefault();
  go(anchor.getAttribute("href"));
});
addEventListener("popstate", show);

// --- the theme ---------------------------------------------------------------------------

const THEMES = [null, "light", "dark"];
const themeButton = document.getElementById("theme");

function nameTheme() {
  const theme = document.documentElement.dataset.theme;
  say(themeButton, theme === "light" ? "☀ Light" : theme === "dark" ? "☾ Dark" : "◐ Auto");
  themeButton.setAttribute("aria-label", t(`Theme: ${theme ?? "as your system"}. Change it.`));
}

themeButton.addEventListener("click", () => {
  const root = document.documentElement;
  const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? null) + 1) % THEMES.length];
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
  rememberTheme(next);
  nameTheme();
});

// --- sound and shaking -------------------------------------------------------------------

const effectsButton = document.getElementById("effects");

function nameEffects() {
  const wanted = effectsWanted();
  say(effectsButton, wanted ? "♪ On" : "♪ Off");
  effectsButton.setAttribute("aria-pressed", String(wanted));
}

effectsButton.addEventListener("click", () => {
  rememberEffects(!effectsWanted());
  nameEffects();
});

await learnLanguage();
languageChoice(document.getElementById("language"));
nameTheme();
nameEffects();
show();

// Whoever has played here may want to come back where there is no network.
if (rememberedMatches().length) navigator.serviceWorker?.register("/sw.js").catch(() => {});
