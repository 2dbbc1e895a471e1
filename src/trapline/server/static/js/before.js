// Runs before the first paint, so that nothing flashes in from what was chosen otherwise: the theme,
// the language, and whether one has played here. What is pressed before the page's scripts are there
// is not lost: they find it in `pressedEarly`.
(() => {
  const root = document.documentElement;
  const read = (key, parse = String) => {
    try {
      return parse(localStorage.getItem(`trapline.${key}`));
    } catch {
      return null; // Storage may be forbidden; then what the system prefers holds.
    }
  };
  const early = (facts) => document.head.append(Object.assign(document.createElement("link"), facts));
  const ask = (href) => early({ rel: "preload", as: "fetch", crossOrigin: "anonymous", href });
  const theme = read("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;

  // A link may name the language; else what was chosen before, else what the browser prefers.
  const spoken = ["en", ...root.dataset.languages.split(" ")];
  const liked = navigator.languages.map((tag) => tag.split("-")[0]);
  const asked = [new URLSearchParams(location.search).get("lang"), read("language", JSON.parse), ...liked];
  root.dataset.wanted = asked.find((code) => spoken.includes(code)) ?? "en";
  if (root.dataset.wanted !== "en") {
    root.classList.add("learning");
    // The first screen says little, and a table only what belongs to its game.
    const game = document.querySelector("meta[name=game]")?.content;
    root.dataset.words = game ? `.${game}` : location.pathname === "/" ? ".page" : "";
    ask(`/static/lang/${root.dataset.wanted}${root.dataset.words}.json`);
    early({ rel: "modulepreload", href: "/static/js/translation.js" });
  }

  if (read("matches", JSON.parse)?.length) root.dataset.visitor = "back";
  else if (!read("skipped", JSON.parse)) root.dataset.visitor = "new";

  addEventListener("click", (event) => {
    globalThis.pressedEarly = event.target.closest?.("button");
  });
})();
