/** The puzzle of the day: one decision under hidden information, the same for everybody. */

import { puzzle } from "../api.js";
import { announce, clear, h, link, nameTab, say } from "../dom.js";
import { BoardFrame } from "../frame.js";
import { keyOf } from "../picture.js";
import { rememberPuzzle, streak, triedPuzzles } from "../store.js";
import { storyOf } from "../story.js";
import { today, week } from "../week.js";
import { plural } from "../words.js";
import { Ask } from "./ask.js";

export async function puzzleScreen({ stage, current }) {
  nameTab("Puzzle of the day");
  stage.append(h("h1", {}, "Puzzle of the day"), h("p", { class: "note", role: "status" }, "The coach is thinking …"));
  const found = await puzzle(today());
  if (!current()) return null;
  const frame = new BoardFrame();
  const asked = h("div", { class: "ask" });
  const fault = h("p", { class: "fault", role: "alert" });
  clear(
    stage,
    h(
      "div",
      { class: `match as-${found.seat}` },
      h("div", { class: "match-head" }, h("h1", {}, "Puzzle of the day"), link("/", "← All games")),
      h(
        "div",
        { class: "match-body" },
        h(
          "div",
          { class: "match-top posed" },
          week(),
          h("p", { class: "note" }, difficulty(found), " ", inARow()),
          h("p", {}, found.sentence),
        ),
        h("div", { class: "match-board sheet" }, frame.element),
        h("section", { class: "panel sheet", "aria-label": "Your decision" }, asked, fault),
      ),
    ),
  );
  const story = storyOf(found.events);
  const ask = new Ask(found.question, found.picture, {
    send: (text) => answer(text),
    complain: (sentence) => say(fault, sentence),
    changed: () => show(),
  });
  const show = () => frame.show(found.picture, found.board, ask.offer(), story);

  function answer(text) {
    const given = found.question.answers.find((one) => one.text === text.trim());
    if (!given) {
      say(fault, "That is not among your answers.");
      return;
    }
    rememberPuzzle(found.date, { answer: given.text, right: given.text === found.best });
    reveal(given.text);
    announce(`${judgement(found, given.text)} ${found.reason}`);
  }

  function reveal(given) {
    fault.textContent = "";
    const notes = new Map(
      found.question.answers
        .filter((one) => (one.place ?? null) !== null)
        .map((one) => [keyOf(one.place), { text: percent(found.chances[one.text]), given: one.text === given }]),
    );
    frame.show(found.picture, found.board, {}, { ...story, notes });
    clear(asked, verdict(found, given));
  }

  const before = triedPuzzles()[found.date];
  if (before) reveal(before.answer);
  else {
    clear(asked, ask.elements({ heading: [], prompt: "What do you answer?" }));
    show();
  }
  return () => frame.close();
}

const percent = (chance) => `${Math.round(100 * chance)}%`;

const difficulty = ({ grade }) => `Difficulty ${grade} of 3.`;

function inARow() {
  const days = streak(today());
  return days ? `Solved ${plural(days, "day")} in a row.` : "";
}

const judgement = ({ best }, given) => (given === best ? "That is it." : `Not the best. The answer is ${best}.`);

/** What each answer is worth, and why. */
function verdict(found, given) {
  return [
    h("p", { class: "prompt" }, judgement(found, given)),
    h(
      "ul",
      { class: "plain chances" },
      found.question.answers.map(({ text, label }) => {
        const marks = [text === found.best ? "best" : "", text === given ? "yours" : ""].filter(Boolean);
        return h(
          "li",
          {},
          h("span", {}, label || text, marks.length ? ` (${marks.join(", ")})` : ""),
          h("b", {}, percent(found.chances[text])),
        );
      }),
    ),
    h("p", {}, found.reason),
    h("p", { class: "note" }, inARow() || "Come back tomorrow for another one."),
    h("p", {}, link(`/rules/${found.game}`, `How to play ${found.title}`)),
  ];
}
