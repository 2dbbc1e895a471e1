/** A first match, guided: the learner is told what to answer, or finds it. */

import { gameNamed, games, lesson } from "../api.js";
import { Director } from "../director.js";
import { announce, button, clear, h, link, nameTab, say } from "../dom.js";
import { BoardFrame } from "../frame.js";
import { script } from "../scenes.js";
import { skipLesson } from "../store.js";
import { storyOf } from "../story.js";
import { Ask } from "./ask.js";

const NAMES = { 1: "Player 1", 2: "Player 2" };

export async function learnScreen({ stage, go, argument: name, current }) {
  const [course, game, { levels }] = await Promise.all([lesson(name), gameNamed(name), games()]);
  if (!current()) return null;
  nameTab(`Learn ${course.title}`);
  const play = async () => (await import("./setup.js")).setupDialog(game, levels, "computer", go);
  const lessonTable = new LessonTable(stage, course, play);
  return () => lessonTable.close();
}

class LessonTable {
  constructor(stage, course, play) {
    Object.assign(this, { course, play, number: 0, events: [] });
    this.frame = new BoardFrame();
    this.director = new Director(this.frame);
    this.says = h("p", { class: "lead lesson-says", tabindex: -1 });
    this.told = h("p", { class: "note", role: "status" });
    this.asked = h("div", { class: "ask" });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.progress = h("progress", { max: course.stages.length, value: 0, "aria-label": "How far the lesson is" });
    this.keys = (event) => this.press(event);
    document.addEventListener("keydown", this.keys);
    stage.append(this.build());
    this.show(course.stages[0]);
  }

  build() {
    const { title, game, seat } = this.course;
    return h(
      "div",
      { class: `match as-${seat}` },
      h(
        "div",
        { class: "match-head" },
        h("h1", {}, `Learn ${title}`),
        link(`/rules/${game}`, "Skip the lesson"),
      ),
      h(
        "div",
        { class: "match-body" },
        h("div", { class: "match-top" }, this.progress, this.says, this.told),
        h("div", { class: "match-board sheet" }, this.frame.element),
        h("section", { class: "panel sheet", "aria-label": "Your decision" }, this.asked, this.fault),
      ),
    );
  }

  /** What there is to see and to answer now. */
  show(now) {
    const fresh = (now.told ?? []).flat().join(" ");
    this.now = now;
    this.events = [...this.events, ...(now.events ?? [])];
    say(this.told, fresh);
    this.progress.value = this.number;
    this.fault.textContent = "";
    if (!now.question) {
      this.finish();
      return;
    }
    if (now.says) say(this.says, now.says);
    this.ask = new Ask(now.question, now.picture, {
      send: (text) => this.answer(text),
      complain: (sentence) => say(this.fault, sentence),
      changed: () => this.draw(),
    });
    clear(this.asked, this.ask.elements({ heading: [], prompt: now.prompt }));
    this.draw();
    announce([fresh, now.says, now.prompt].filter(Boolean).join(" "));
  }

  draw() {
    const { picture, board } = this.now;
    this.frame.show(picture, board, this.ask?.offer() ?? {}, storyOf(this.events));
  }

  answer(text) {
    if (this.director.busy) return;
    const { answer, finds, hint } = this.now;
    if (inOrder(text) !== inOrder(answer)) {
      const told = finds ? hint : `In this lesson, answer ${answer}.`;
      say(this.fault, told);
      return;
    }
    this.number += 1;
    this.goOn(this.course.stages[this.number] ?? this.course.end);
  }

  /** What the answer led to is seen happening before anything is asked again. */
  goOn(next) {
    const before = this.now;
    this.ask = null;
    clear(this.asked);
    this.director.add(async () => {
      const beats = script(before.picture, next.picture, next.events ?? [], false);
      const tell = { seat: this.course.seat, heard: () => {}, banner: (beat) => this.banner(beat, next) };
      if (beats.length) await this.director.play(beats, next.picture, tell);
      this.show(next);
    });
  }

  banner(beat, { told = [] }) {
    const detail = (beat.about ?? []).flatMap((index) => told[index]).join(" ");
    const who = beat.by === this.course.seat ? "You are" : `${NAMES[beat.by]} is`;
    return { headline: `Snap! ${who} caught.`, detail, seat: beat.by };
  }

  finish() {
    const { title, closing, ending, end } = this.course;
    skipLesson(); // whoever has learnt is no newcomer
    this.progress.value = this.progress.max;
    this.frame.show(end.picture, end.board, {}, storyOf(this.events));
    const last = `${ending.join(" ")} ${closing}`.trim();
    say(this.says, last);
    clear(
      this.asked,
      h("p", { class: "prompt" }, "That is the whole lesson."),
      h(
        "div",
        { class: "row few" },
        button(`Play ${title}`, this.play, { class: "primary answer" }),
        link("/", "All games", { class: "chip" }),
      ),
    );
    announce(last);
    this.says.focus({ preventScroll: true });
  }

  press(event) {
    if (event.key === "Escape") this.director.hurry();
    const busy = event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]");
    if (!busy && !event.target.closest?.("input, select, textarea")) this.ask?.press(event.key);
  }

  close() {
    document.removeEventListener("keydown", this.keys);
    this.director.close();
    this.frame.close();
  }
}

/** The numbers of a set may be typed in any order. */
const inOrder = (text) => text.trim().split(/\s+/).sort().join(" ");
