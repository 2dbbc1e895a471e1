/** How to play: a match in a few pictures, the way to play it, and behind that the whole of the rules. */

import { gameNamed, games, rules } from "../api.js";
import { button, h, link, nameTab, openDialog } from "../dom.js";
import { language, translateWithin } from "../language.js";

export async function rulesScreen({ stage, go, argument: name, current }) {
  const [found, game, { levels, kept }] = await Promise.all([rules(name), gameNamed(name), games()]);
  if (!current()) return;
  nameTab(`How to play ${game.title}`);
  const play = (way) => async () => (await import("./setup.js")).setupDialog(game, levels, way, go);
  stage.append(
    h("nav", { "aria-label": "Back" }, link("/", "← All games")),
    h(
      "article",
      { class: "lesson prose" },
      h("h1", {}, `How to play ${game.title}`),
      h("p", { class: "lead" }, game.summary),
      inPictures(found.scenes),
      kept
        ? null
        : h(
            "div",
            { class: "row lesson-play" },
            button(`Play ${game.title}`, play("computer"), { class: "primary" }),
            button("Two on this device", play("here")),
            button("Challenge by link", play("link")),
            game.lesson && link(`/learn/${game.name}`, "Play the lesson", { class: "chip" }),
          ),
      h("details", { class: "sheet", open: !found.scenes.length }, h("summary", {}, "All the rules"), textOf(found)),
    ),
  );
}

export async function rulesDialog(name, title) {
  const content = await rules(name)
    .then((found) => [inPictures(found.scenes), textOf(found)])
    .catch((error) => h("p", {}, error.message));
  openDialog(`How to play ${title}`, h("div", { class: "prose" }, content), { class: "large" });
}

/** The first picture shows what is hidden, the last how it ended. */
function inPictures(scenes) {
  if (!scenes.length) return null;
  return h(
    "ol",
    { class: "plain scenes" },
    scenes.map(({ teaches, told, drawing }, index) =>
      h(
        "li",
        { class: "sheet" },
        h("div", { class: "card-map" }, pictureOf(drawing)),
        h("p", {}, h("b", {}, `${index + 1}. `), teaches),
        h("p", { class: index || !teaches ? "note" : "unseen" }, index ? "" : "Everything is shown here. ", told.join(" ")),
      ),
    ),
  );
}

/** The words in a picture are the server's, so they are English. */
function pictureOf(drawing) {
  const picture = parsed(drawing);
  translateWithin(picture);
  return picture;
}

/** Pictures and text come from our own server, as finished HTML. */
function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** A game from outside may have its text in its own language only. */
function textOf({ html, translations = {} }) {
  const text = parsed(translations[language()] ?? html);
  text.querySelector("h1")?.remove();
  for (const table of text.querySelectorAll("table")) {
    const frame = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" });
    table.replaceWith(frame);
    frame.append(table);
  }
  return h("div", { lang: language() === "en" || translations[language()] ? null : "" }, text);
}
