/** The match again, turn by turn, with everything shown that was hidden. */

import { openMatch } from "../api.js";
import { button, h, rest, say } from "../dom.js";
import { t } from "../language.js";
import { keyOf } from "../picture.js";
import { script } from "../scenes.js";
import { rememberMatch, rememberedName } from "../store.js";
import { storyOf, suspicions } from "../story.js";

/** The answers that a reason compares: the one that was given, and how often each meets something bad. */
function notesOf({ places, worlds = [], of = 0, chances = [] }) {
  const risk = (index) =>
    chances[index] !== undefined
      ? `${Math.round(100 * chances[index])}%`
      : of && worlds[index] !== undefined
        ? `${worlds[index]}/${of}`
        : "";
  return new Map(
    places.flatMap((place, index) =>
      place === null ? [] : [[keyOf(place), { text: risk(index), given: index === 0 }]],
    ),
  );
}

export class Replay {
  /** @param table  whose board has just shown the last position */
  constructor(table) {
    const { frame, director } = table;
    Object.assign(this, { table, frame, director });
    this.frames = [];
    this.at = 0;
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Turn" });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.back = button("Back", () => this.jump(this.at - 1));
    this.forth = button("Forward", () => this.jump(this.at + 1));
    this.fault = h("p", { class: "fault", role: "alert" });
    // Where the rules run elsewhere, a match is not taken up in the middle.
    this.again = table.game.origin === "rulebook" ? button("Try it again from here", () => this.tryAgain()) : "";
    this.suspecting = button("Show what was likely", () => this.toggleSuspicions(), {
      "aria-pressed": "false",
      hidden: true,
    });
    this.element = h(
      "div",
      { class: "replay", hidden: true },
      h("div", { class: "row replay-keys" }, this.back, this.slider, this.forth),
      this.caption,
      h("div", { class: "row" }, this.suspecting, this.again),
      this.fault,
    );
  }

  /** The same position against the computer, for whoever sat there, or else for who was to move. */
  async tryAgain() {
    const { id, seat, game, state, go } = this.table;
    const own = seat || (this.frames[this.at + 1].by ?? 1);
    const against = state.table.players.find((player) => player?.bot)?.bot ?? "casual";
    const again = { match: id, turn: this.frames[this.at].turn, seat: own };
    try {
      const opened = await openMatch({ game: game.name, against, name: rememberedName(), again });
      rememberMatch(opened.match);
      go(`/m/${opened.match}`);
    } catch (error) {
      say(this.fault, error.message);
    }
  }

  /** The slider takes the arrow keys, Home and End by itself. */
  load(frames) {
    this.frames = frames;
    this.at = frames.length - 1;
    this.slider.max = this.at;
    this.element.hidden = frames.length < 2;
    if (frames.length) this.say();
  }

  /** The coach has judged the choices: from now on beliefs can be shown with the positions. */
  suspect(judgements) {
    this.judgements = judgements.filter((judged) => judged.turn && judged.suspected.length);
    this.suspecting.hidden = !this.judgements.length;
  }

  toggleSuspicions() {
    const wanted = this.suspecting.getAttribute("aria-pressed") !== "true";
    this.suspecting.setAttribute("aria-pressed", String(wanted));
    this.jump(this.at);
  }

  /** The choice that was made in the position that is shown, where beliefs are wanted. */
  get decided() {
    if (this.suspecting.getAttribute("aria-pressed") !== "true") return undefined;
    return this.judgements.find((judged) => judged.turn === this.frames[this.at].turn + 1);
  }

  /** @param notes  what is to be read at places, if anything */
  jump(index, notes = null) {
    if (!this.frames.length) return;
    const next = Math.max(0, Math.min(index, this.frames.length - 1));
    const before = next === this.at + 1 ? this.frames[this.at].picture : null;
    this.at = next;
    this.say();
    this.director.hurry();
    this.director.add(() => this.enact(notes ? null : before, this.frames[next], notes));
  }

  /** A step forward is seen as it was in the match. */
  async enact(before, { picture, board, events }, notes) {
    const beats = before ? script(before, picture, events) : [];
    const silent = beats.filter((beat) => beat.kind !== "banner"); // the caption says it
    if (silent.length) await this.director.play(silent, picture, { heard() {} });
    const past = this.frames.slice(0, this.at + 1).flatMap((frame) => frame.events);
    const suspected = suspicions(this.decided?.suspected ?? []);
    this.frame.show(picture, board, {}, { ...storyOf(past), notes, suspected });
  }

  /**
   * A choice that the coach speaks of. Where he compares places, the board stands as it was before the
   * choice and says what he found at each; else it shows what came of it.
   */
  showChoice({ turn, reasons }) {
    const pointed = reasons.find((reason) => reason.places?.some((place) => place !== null));
    const index = this.frames.findIndex((frame) => frame.turn === turn - (pointed ? 1 : 0));
    if (index < 0) return;
    this.jump(index, pointed ? notesOf(pointed) : null);
    if (pointed) say(this.caption, `Before turn ${turn}. ${pointed.sentence}`);
  }

  /** What the figures on the board mean, and the same in words for who cannot see them. */
  suspicions() {
    if (!this.decided) return [];
    const { names } = this.table.teller;
    const { by, suspected } = this.decided;
    const places = [...suspicions(suspected)].map(([place, chance]) => `${place}: ${chance}`);
    return [`How likely ${names[3 - by]} had hidden something there, from what ${names[by]} knew, against best play: ${places.join(", ")}.`];
  }

  say() {
    const { turn, told } = this.frames[this.at];
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", t(turn ? `after turn ${turn}` : "before the first turn"));
    const when = turn ? `Turn ${turn} of ${this.frames.at(-1).turn}.` : "Before the first turn.";
    say(this.caption, [when, ...told, ...this.suspicions()].join(" "));
    const over = this.at === this.frames.length - 1;
    rest(this.back, this.at === 0);
    rest(this.forth, over);
    if (this.again) rest(this.again, over); // at the end there is nothing to try
  }
}
