/** How to play: the text comes from our own server, as finished HTML. */

import { gameNamed, rules } from "../api.js";
import { h, link, openDialog } from "../dom.js";

export async function rulesScreen({ stage, argument: name, current }) {
  const [text, game] = await Promise.all([rulesText(name), gameNamed(name)]);
  if (!current()) return;
  document.title = `How to play ${game?.title ?? ""} · Trapline`;
  stage.append(
    h("nav", { "aria-label": "Back" }, link("/", "← All games")),
    h("article", { class: "sheet prose" }, text),
  );
}

export async function rulesDialog(name, title) {
  const text = await rulesText(name, 2).catch((error) => h("p", {}, error.message));
  openDialog(`How to play ${title}`, h("div", { class: "prose" }, text), { class: "large" });
}

async function rulesText(name, top = 1) {
  const template = document.createElement("template");
  template.innerHTML = (await rules(name)).html;
  if (top > 1) template.content.querySelector("h1")?.remove();
  for (const table of template.content.querySelectorAll("table")) {
    const frame = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" });
    table.replaceWith(frame);
    frame.append(table);
  }
  return template.content;
}
