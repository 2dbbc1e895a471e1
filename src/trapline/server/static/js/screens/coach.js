/** The coach's judgement: how hopes rose and fell, and what each choice was worth. */

import { h, s } from "../dom.js";

const WIDEST = 640;
const NARROWEST = 300;
const HIGH = 220;
const PAD = 34;
const STUB = 24;

const WORDS = {
  best: "the best there was",
  fine: "fine",
  mistake: "a mistake",
  blunder: "a blunder",
  lucky: "risky, but it went well",
};

/** A shape for each word, so that no colour has to be told from another. */
function dot(word) {
  const shapes = {
    best: () => s("circle", { r: 5 }),
    fine: () => s("circle", { r: 5, class: "hollow" }),
    mistake: () => s("path", { d: "M0-7L7 6H-7Z" }),
    blunder: () => s("path", { d: "M-6-6H6V6H-6Z" }),
    lucky: () => s("path", { d: "M0-8L2-2L8 0L2 2L0 8L-2 2L-8 0L-2-2Z" }),
  };
  return s("g", { class: `dot ${word}` }, (shapes[word] ?? shapes.fine)());
}

/** @param room  pixels across: the graph is drawn for them, so that its words stay readable */
export function coachReport(analysis, teller, jump, room) {
  const { judgements } = analysis;
  if (!judgements.length) return h("p", { class: "note" }, "It ended before anything was decided.");
  return [
    graph(analysis, teller, jump, Math.max(NARROWEST, Math.min(WIDEST, room))),
    legend(judgements, teller),
    summary(analysis, teller),
    comments(analysis, teller, jump),
  ];
}

/** One line for each player: the chance they could expect, from what they knew, after each choice. */
function graph(analysis, teller, jump, wide) {
  const { judgements } = analysis;
  const most = mostAtStake(judgements);
  const x = (index) => PAD + (index * (wide - 2 * PAD)) / Math.max(1, judgements.length - 1);
  const y = (value) => HIGH / 2 - (value * (HIGH - 60)) / (2 * most);
  const points = judgements.map((judged, index) => ({ ...judged, x: x(index), y: y(height(judged, most)) }));
  const edge = [most, 0, -most].map((value) => `M${PAD - 14} ${y(value)}H${wide - PAD + 14}`).join("");
  const [worst, best] = most > 1 ? [signed(-most), signed(most)] : ["0%", "100%"];
  const said = `What ${teller.names[1]} and ${teller.names[2]} could expect after each choice, from ${worst} to ${best}. The list below says the same in words.`;
  return s(
    "svg",
    { class: "graph", viewBox: `0 0 ${wide} ${HIGH}`, role: "group", "aria-label": said },
    s("path", { class: "axis-line", d: edge }),
    s("text", { class: "axis-word", x: PAD - 14, y: y(most) - 8 }, best),
    s("text", { class: "axis-word", x: PAD - 14, y: y(-most) + 20 }, worst),
    [1, 2].map((seat) =>
      line(
        points.filter((point) => point.by === seat),
        seat,
      ),
    ),
    points.map((point) => pointOf(point, teller, jump)),
  );
}

/** A choice in the graph: pressed, it is shown on the board. The list says the same to the keyboard. */
function pointOf(point, teller, jump) {
  const mark = dot(point.word);
  mark.setAttribute("transform", `translate(${point.x} ${point.y})`);
  mark.classList.add("jump");
  mark.append(
    s("title", {}, `${whenOf(point)}, ${teller.names[point.by]}: ${point.chosen}`),
    s("circle", { class: "hit", r: 14 }),
  );
  mark.addEventListener("click", () => jump(point));
  return mark;
}

const whenOf = (judged) => (judged.turn ? `Turn ${judged.turn}` : "Before the start");

/** A win is worth 1, or more where games are played for points. */
const mostAtStake = (judgements) =>
  Math.max(1, ...judgements.flatMap((judged) => [Math.abs(judged.before), Math.abs(judged.after)]));

/** Where games are played for one point, the chance that could be expected; else the points. */
const height = (judged, most) => (most > 1 ? judged.after : 2 * judged.expected_after - 1);

/** A line from point to point; a single one has a short line of its own, so that one sees whose it is. */
function line(points, seat) {
  if (points.length === 1) return s("path", { class: `hope seat-${seat}`, d: `M${points[0].x - STUB} ${points[0].y}h${2 * STUB}` });
  const path = points.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("L");
  return path ? s("path", { class: `hope seat-${seat}`, d: `M${path}` }) : null;
}

function legend(judgements, teller) {
  const lines = [1, 2].map((seat) =>
    h(
      "li",
      {},
      s(
        "svg",
        { viewBox: "0 0 30 18", width: 30, height: 18, "aria-hidden": "true" },
        s("path", { class: `hope seat-${seat}`, d: "M0 9H30" }),
      ),
      ` ${teller.names[seat]}`,
    ),
  );
  const used = Object.keys(WORDS).filter((word) => judgements.some((judged) => judged.word === word));
  return h(
    "ul",
    { class: "plain legend" },
    lines,
    used.map((word) =>
      h(
        "li",
        {},
        s("svg", { viewBox: "-9 -9 18 18", width: 18, height: 18, "aria-hidden": "true" }, dot(word)),
        ` ${word}`,
      ),
    ),
  );
}

function summary(analysis, teller) {
  return [accounts(analysis, teller), h("p", { class: "note" }, analysis.sentence)];
}

/** How luck and skill made each player's result; what made no difference is left out. */
function accounts({ accounts: found }, teller) {
  const seats = [1, 2].filter((seat) => found[seat]);
  const tossed = seats.some((seat) => found[seat].tossed);
  const parts = [
    [tossed ? "The toss" : "Moving first or second", "start"],
    ["Own mistakes", "own"],
    ["The other’s mistakes", "other"],
    ["Ending it early", "ending"],
    ["Luck", "luck"],
    ["Slips expected, but not made", "unmade"],
  ].filter(([, part]) => seats.some((seat) => Math.abs(found[seat][part]) >= 0.01));
  if (!parts.length) return null;
  return h(
    "table",
    { class: "accounts" },
    h("caption", {}, "What made the result, from even chances"),
    h("tr", {}, h("td", {}), seats.map((seat) => h("th", { scope: "col", class: `seat-${seat}` }, teller.names[seat]))),
    parts.map(([what, part]) =>
      h("tr", {}, h("th", { scope: "row" }, what), seats.map((seat) => h("td", {}, share(found[seat][part])))),
    ),
  );
}

/** A gain or a loss; what makes no difference has no sign. */
function share(value) {
  const points = Math.round(100 * value);
  return `${points < 0 ? "−" : points > 0 ? "+" : ""}${Math.abs(points)}%`;
}

/** What is worth a second look, and behind a fold every choice. */
function comments(analysis, teller, jump) {
  const list = (judgements) =>
    h(
      "ol",
      { class: "comments" },
      judgements.map((judged) => comment(judged, teller, jump)),
    );
  const notable = analysis.judgements.filter((judged) => judged.word !== "best");
  return [
    notable.length ? list(notable) : h("p", {}, "Neither of you could have chosen better. That is rare."),
    h("details", {}, h("summary", {}, "Every choice"), leftOut(analysis.judgements), list(analysis.judgements)),
  ];
}

function leftOut(judgements) {
  const turns = new Set(judgements.map(({ turn }) => turn).filter(Boolean));
  if (turns.size >= Math.max(0, ...turns)) return null;
  return h("p", { class: "note" }, "Turns with only one possible answer are left out.");
}

function comment(judged, teller, jump) {
  const who = teller.names[judged.by];
  const when = whenOf(judged);
  const told = [judged.sentence, ...judged.reasons.slice(0, 1).map((reason) => reason.sentence)].join(" ");
  const show = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": `Show ${when.toLowerCase()} on the board`,
      onclick: () => jump(judged),
    },
    when,
  );
  return h(
    "li",
    { class: judged.word },
    s("svg", { viewBox: "-9 -9 18 18", width: 18, height: 18, "aria-hidden": "true" }, dot(judged.word)),
    show,
    h("span", {}, `${who}: ${judged.chosen} was ${WORDS[judged.word] ?? judged.word}. ${told}`),
  );
}

function signed(value) {
  const size = Math.abs(value).toFixed(2);
  return size === "0.00" ? "0" : `${value < 0 ? "−" : "+"}${size}`;
}
