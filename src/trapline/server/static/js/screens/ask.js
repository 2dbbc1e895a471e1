/** Any question, put to a person: its answers as places on the board, as buttons, as a line to type. */

import { button, h, say } from "../dom.js";
import { t } from "../language.js";
import { keyOf, placesOf } from "../picture.js";
import { capital } from "../words.js";

const BESIDE = 6; // so many answers that can be given on the board are offered as buttons too

export class Ask {
  /**
   * @param question  as the View holds it
   * @param picture  the board on which it is put
   * @param {{send: Function, complain: Function, changed: Function}} listener
   */
  constructor(question, picture, listener) {
    this.question = question;
    this.listener = listener;
    this.chosen = [];
    const there = new Set(placesOf(picture).map((shape) => keyOf(shape.place)));
    const wanted = question.answers.map((answer) => keyOf(answer.place));
    const alone = (place) => wanted.indexOf(place) === wanted.lastIndexOf(place);
    this.onBoard = question.answers.filter((_, index) => there.has(wanted[index]) && alone(wanted[index]));
  }

  get size() {
    return this.question.choose || 1;
  }

  /** Sets are put together first; and what nobody else sees, nobody else can notice going wrong. */
  get confirms() {
    return Boolean(this.question.choose || (this.question.sealed && this.onBoard.length));
  }

  get complete() {
    return this.chosen.length === this.size;
  }

  /** As one would type it. */
  get text() {
    return this.question.answers
      .filter((answer) => this.chosen.includes(answer))
      .map((answer) => answer.text)
      .join(" ");
  }

  pick(answer) {
    if (!this.confirms) {
      this.listener.send(answer.text);
      return;
    }
    const { chosen, size } = this;
    if (chosen.includes(answer)) this.chosen = chosen.filter((one) => one !== answer);
    else if (size === 1) this.chosen = [answer];
    else if (!this.complete) this.chosen = [...chosen, answer];
    else this.listener.complain(`That would be more than ${size}. Take one back first.`);
    this.refresh();
    this.listener.changed();
  }

  /** A key that is all of an answer gives it. */
  press(key) {
    const answer = this.confirms ? null : this.question.answers.find((one) => one.text === key);
    if (answer) this.listener.send(answer.text);
  }

  // --- on the board ----------------------------------------------------------------------

  offer() {
    if (!this.onBoard.length) return {};
    const targets = new Map(this.onBoard.map((answer) => [keyOf(answer.place), this.target(answer)]));
    return { targets, elsewhere: () => this.listener.complain("That is not among your answers: the marked places are.") };
  }

  target(answer) {
    const pressed = this.confirms ? this.chosen.includes(answer) : undefined;
    const tag = answer.label ? `▸${answer.text}` : ""; // without a label the place says it all
    return { label: answer.label ?? "", tag, pressed, act: () => this.pick(answer) };
  }

  // --- under the board -------------------------------------------------------------------

  /** @param {{heading: string[], prompt: string|null}} words  the question as the game puts it */
  elements(words) {
    const heading = words.heading.map((line) => t(line).replace(/\.$/, "")).join(" · ");
    const prompt = capital((words.prompt ?? "").replace(/:\s*$/, ""));
    const advice = this.advice();
    const stop = advice && !/[.?!]$/.test(prompt) ? ". " : " ";
    return [
      heading ? h("p", { class: "heading note", translate: "no" }, heading) : null,
      h("p", { class: "prompt" }, prompt, stop, h("span", { class: "note" }, advice)),
      this.buttons(),
      this.confirms ? this.confirmation() : null,
      this.line(),
    ];
  }

  /** How to answer, where it is not plain. */
  advice() {
    if (this.question.answers.length === 1 && !this.question.choose) return "There is only one answer here.";
    if (!this.onBoard.length) return "";
    return this.size > 1 ? "Tap the marked places on the board." : "Tap a marked place on the board.";
  }

  buttons() {
    const beside = this.onBoard.filter((answer) => answer.label);
    const offered = this.question.answers.filter(
      (answer) => !this.onBoard.includes(answer) || (beside.includes(answer) && beside.length <= BESIDE),
    );
    this.allOffered = offered.length === this.question.answers.length;
    if (!offered.length) return null;
    this.toggles = offered.map((answer) => [
      answer,
      button(answer.label || answer.text, () => this.pick(answer), {
        class: this.confirms ? "answer" : "primary answer",
        "aria-pressed": this.confirms ? "false" : null,
      }),
    ]);
    return h(
      "div",
      { class: offered.length > 3 ? "row many" : "row few" },
      this.toggles.map(([, element]) => element),
    );
  }

  confirmation() {
    this.count = h("span", { class: "count" });
    this.confirm = button("Confirm", () => this.listener.send(this.text), { class: "primary" });
    const row = h("div", { class: "row confirm" }, this.confirm, this.count);
    this.refresh();
    return row;
  }

  refresh() {
    const { chosen, text } = this;
    if (!this.confirm) return;
    say(this.count, `${chosen.length} of ${this.size} chosen${text ? `: ${text}` : ""}`);
    this.confirm.disabled = !this.complete;
    for (const [answer, element] of this.toggles ?? [])
      element.setAttribute("aria-pressed", String(chosen.includes(answer)));
  }

  /** Where not every answer has a button, it can be typed. */
  line() {
    if (this.allOffered && !this.question.choose) return null;
    const { answers } = this.question;
    const some = answers.filter((_, index) => index % 2 === 1 || answers.length < 2 * this.size);
    const example = some.slice(0, this.size).map((answer) => answer.text);
    const input = h("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 200,
      placeholder: `e.g. ${example.join(" ")}`,
    });
    const form = h(
      "form",
      { class: "typed" },
      h("label", {}, h("span", {}, "Or type your answer"), input),
      h("button", { type: "submit" }, "Send"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value.trim()) this.listener.send(input.value.trim());
    });
    return form;
  }
}
