/** The dialog in which a match is set up: the way to play, who starts, and the variant. */

import { checkVariant, openMatch } from "../api.js";
import { h, openDialog, say } from "../dom.js";
import { practises, rememberMatch, rememberName, rememberPractice, rememberedName } from "../store.js";
import { sayLimit } from "../time.js";

/** How long one may think. Who plays a friend far away may take days. */
const CLOCKS = [
  ["sudden death", 180],
  ["sudden death", 300],
  ["sudden death", 600],
  ["per move", 30],
];
const DAYS = [1, 3, 7].map((days) => ["per move", 86_400 * days]);
/** A device that does not open what it hides must run out of time some day. */
const FOR_DEVICES = { kind: "sudden death", seconds: 600 };
const TITLES = {
  computer: "against the computer",
  here: "two on this device",
  link: "challenge a friend",
  table: "two phones, this screen",
};

export function setupDialog(game, levels, way, go) {
  const name = h("input", {
    type: "text",
    name: "name",
    maxlength: 40,
    autocomplete: "nickname",
    value: rememberedName(),
  });
  const mate =
    way === "here" ? h("input", { type: "text", name: "mate", maxlength: 40, autocomplete: "off" }) : null;
  const starts = startChoice(game, way);
  const level = way === "computer" ? levelChoice(levels) : null;
  const clock = clockChoice(way);
  const series = seriesChoice();
  const listed = check("listed", "Put it in the lobby: anybody may take it");
  const watched = check("watched", "Anybody may watch; what is hidden stays hidden");
  const locked = check("locked", "Not even the server sees what you hide: it stays on your devices");
  const practice = check("practice", "Practice: show my chance at every move, and do not rate the match");
  practice.box.checked = practises();
  locked.box.addEventListener("change", () => {
    if (locked.box.checked && clock.value === "null") clock.value = JSON.stringify(FOR_DEVICES);
  });
  const variants = game.options.map((option) => [option, optionField(option)]);
  const fault = h("p", { class: "fault", role: "alert" });
  const note = h("p", { class: "note", role: "status" });
  const submit = h(
    "button",
    { type: "submit", class: "primary wide" },
    way === "link" ? "Make the link" : "Start",
  );
  const fields = h(
    "details",
    {},
    h("summary", {}, "Variants"),
    h(
      "p",
      { class: "note" },
      "The rulebook’s values are filled in. Change them for another game of the same kind.",
    ),
    presetChoice(game, variants),
    variants.map(([, field]) => field.element),
  );
  watch(fields, game, variants, (wrong, toKnow) => {
    say(fault, wrong);
    say(note, toKnow);
    submit.disabled = Boolean(wrong);
  });
  const form = h(
    "form",
    { class: "setup" },
    level,
    way === "computer" && practice.element,
    way !== "table" && labelled(mate ? "Player 1’s name (optional)" : "Your name (optional)", name),
    mate && labelled("Player 2’s name (optional)", mate),
    labelled("Who starts", starts),
    labelled("Clock", clock),
    labelled("Series", series),
    way === "link" && [listed.element, watched.element, game.lockable && locked.element],
    fields,
    note,
    fault,
    submit,
  );
  const dialog = openDialog(`${game.title}, ${TITLES[way]}`, form, { class: "setup-dialog" });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    fault.textContent = "";
    if (way !== "table") rememberName(name.value.trim());
    if (way === "computer") rememberPractice(practice.box.checked);
    try {
      const opened = await openMatch({
        game: game.name,
        options: changed(variants),
        first: starts.value === "" ? null : starts.value === "toss" ? "toss" : Number(starts.value),
        against: way === "computer" ? new FormData(form).get("level") : way,
        name: way === "table" ? "" : name.value.trim(),
        mate: mate ? mate.value.trim() : "",
        clock: JSON.parse(clock.value),
        best_of: Number(series.value),
        listed: listed.box.checked,
        watched: watched.box.checked,
        locked: locked.box.checked,
      });
      dialog.close();
      if (way !== "table") rememberMatch(opened.match);
      go(`/${way === "table" ? "table" : "m"}/${opened.match}`);
    } catch (error) {
      say(fault, error.message);
      submit.disabled = false;
    }
  });
}

function check(name, text) {
  const box = h("input", { type: "checkbox", name });
  return { box, element: h("label", { class: "field check" }, box, h("span", {}, text)) };
}

function labelled(text, field) {
  return h("label", { class: "field" }, h("span", {}, text), field);
}

function startChoice(game, way) {
  const both = way === "here" || way === "table";
  const rival = way === "computer" ? "The computer" : both ? "Player 2" : "Your friend";
  const rule = game.default_first === "toss" ? "a toss" : "Player 1 starts";
  const choices = [
    ["", `Rulebook: ${rule}`],
    ["1", both ? "Player 1" : "You"],
    ["2", rival],
    ["toss", "Toss a coin"],
  ];
  const offered = choices.filter(([value]) => !(value === "toss" && game.default_first === "toss"));
  return h(
    "select",
    { name: "first" },
    offered.map(([value, text]) => h("option", { value }, text)),
  );
}

function clockChoice(way) {
  const limits = way === "link" ? [...CLOCKS, ...DAYS] : CLOCKS;
  return h(
    "select",
    { name: "clock" },
    h("option", { value: "null" }, "No clock"),
    limits.map(([kind, seconds]) =>
      h("option", { value: JSON.stringify({ kind, seconds }) }, sayLimit({ kind, seconds })),
    ),
  );
}

function seriesChoice() {
  return h(
    "select",
    { name: "series" },
    [1, 3, 5, 7].map((games) =>
      h("option", { value: games }, games === 1 ? "One match" : `Best of ${games}`),
    ),
  );
}

function levelChoice(levels) {
  const usual = levels.find((level) => level.name === "casual") ?? levels[0];
  return h(
    "fieldset",
    { class: "levels" },
    h("legend", {}, "How strong"),
    levels.map((level) =>
      h(
        "label",
        { class: "level" },
        h("input", { type: "radio", name: "level", value: level.name, checked: level === usual }),
        h("span", {}, h("b", {}, level.name), h("small", {}, level.summary)),
      ),
    ),
  );
}

/** Named variants: choosing one fills the fields in, and says what best play makes of it. */
function presetChoice(game, variants) {
  if (!game.presets.length) return null;
  const verdict = h("small", {}, game.presets[0].verdict);
  const select = h(
    "select",
    {
      name: "preset",
      onchange: () => {
        const chosen = game.presets.find((preset) => preset.name === select.value);
        for (const [option, field] of variants) field.fill(chosen.options[option.name] ?? option.default);
        say(verdict, chosen.verdict);
      },
    },
    game.presets.map((preset) => h("option", { value: preset.name }, preset.name)),
  );
  return h("label", { class: "field" }, h("span", {}, "Preset"), select, verdict);
}

// --- variants ----------------------------------------------------------------------------

const readable = ({ name, title }) => title || name.replaceAll("_", " ");

const PAUSE = 300;

/** Says while one chooses why options make no game, or what to know of the one they make. */
function watch(fields, game, variants, done) {
  let [timer, asked] = [null, 0];
  const ask = async () => {
    asked += 1;
    const mine = asked;
    const found = await checkVariant(game.name, changed(variants)).catch((refused) => refused);
    // Whoever cannot be asked now will be when the match is opened.
    if (mine === asked) done(found.reason === "invalid" ? found.message : "", found.note ?? "");
  };
  fields.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
}

/** A field for one option, and a way to read its value. */
function optionField(option) {
  if (option.kind === "boolean") {
    const box = h("input", { type: "checkbox", checked: option.default });
    const element = h("label", { class: "field check" }, box, h("span", {}, readable(option)));
    return { element, value: () => box.checked, fill: (value) => (box.checked = value) };
  }
  if (option.kind === "choice") {
    const select = h(
      "select",
      {},
      option.choices.map((choice) =>
        h("option", { value: choice, selected: choice === option.default }, choice),
      ),
    );
    const element = labelled(readable(option), select);
    return { element, value: () => select.value, fill: (value) => (select.value = value) };
  }
  const written = (value) => (Array.isArray(value) ? value.join(", ") : String(value));
  const text = written(option.default);
  const input = h("input", {
    type: "text",
    inputmode: option.kind === "integer" ? "numeric" : "text",
    value: text,
  });
  const says = h("small", {}, option.says);
  const element = h("label", { class: "field" }, h("span", {}, readable(option)), input, says);
  const value = () => (option.kind === "integer" ? integer(input.value) : numbers(input.value));
  return { element, value, fill: (given) => (input.value = written(given)) };
}

/** Whatever is no number goes to the server as it is: its refusal says what would be right. */
const integer = (text) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : text);
function numbers(text) {
  const parts = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(integer);
  return parts.every(Number.isInteger) ? parts : text;
}

/** Only what differs from the rulebook. */
function changed(variants) {
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const given = variants.map(([option, field]) => [option, field.value()]);
  return Object.fromEntries(
    given
      .filter(([option, value]) => !same(value, option.default))
      .map(([option, value]) => [option.name, value]),
  );
}
