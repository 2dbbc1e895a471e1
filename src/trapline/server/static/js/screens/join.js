/** The page behind a challenge: whose it is, which game, and a button to take the seat. */

import { gameNamed, joinMatch, matchInfo } from "../api.js";
import { miniature } from "../picture.js";
import { clear, h, link, say } from "../dom.js";
import { rememberMatch, rememberName, rememberedName } from "../store.js";
import { sayLimit } from "../time.js";

export async function joinScreen({ stage, go, argument: id, current }) {
  const code = location.hash.slice(1);
  const info = await matchInfo(id);
  if (!current()) return;
  if (info.seats.length) {
    go(`/m/${id}`, { replace: true });
    return;
  }
  if (info.over || !info.open) {
    clear(stage, info.open ? cancelled(info) : taken(info));
    return;
  }
  const game = await gameNamed(info.game);
  if (!current()) return;
  const host = info.players.find(Boolean)?.name;
  const title = host ? `${host} challenges you to ${info.title}` : `Play ${info.title} at this table`;
  const name = h("input", { type: "text", maxlength: 40, autocomplete: "nickname", value: rememberedName() });
  const fault = h("p", { class: "fault", role: "alert" });
  const submit = h("button", { type: "submit", class: "primary wide" }, "Take the challenge");
  const form = h(
    "form",
    { class: "setup" },
    h("label", { class: "field" }, h("span", {}, "Your name (optional)"), name),
    fault,
    submit,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    rememberName(name.value.trim());
    try {
      await joinMatch(id, code, name.value.trim());
      rememberMatch(id);
      go(`/m/${id}`, { replace: true });
    } catch (error) {
      say(fault, error.message);
      submit.disabled = false;
    }
  });
  stage.append(
    h(
      "section",
      { class: "sheet message" },
      h("h1", {}, title),
      h("div", { class: "card-map" }, miniature(game.picture)),
      h("p", {}, game.summary),
      info.clock && h("p", { class: "note" }, `With a clock: ${sayLimit(info.clock)}.`),
      info.best_of > 1 && h("p", { class: "note" }, `A series: best of ${info.best_of}.`),
      info.locked && h("p", { class: "note" }, "Not even this server sees what you hide: it stays on your device."),
      info.watched && h("p", { class: "note" }, "Anybody may watch this match; what is hidden stays hidden."),
      h("p", {}, link(`/rules/${game.name}`, "How to play")),
      form,
    ),
  );
}

function cancelled(info) {
  return h(
    "section",
    { class: "sheet message" },
    h("h1", {}, "The challenge is cancelled"),
    h("p", {}, `Whoever asked for this match of ${info.title} has taken it back.`),
    h("p", {}, link("/", "Pick a game of your own"), "."),
  );
}

function taken(info) {
  return h(
    "section",
    { class: "sheet message" },
    h("h1", {}, "Both seats are taken"),
    h("p", {}, `Somebody plays this match of ${info.title} already. You are welcome to watch.`),
    h(
      "p",
      {},
      link(`/m/${info.match}`, "Watch the match"),
      " or ",
      link("/", "pick a game of your own"),
      ".",
    ),
  );
}
