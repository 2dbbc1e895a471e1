/**
 * The proofs: the browser itself checks what best play is worth. The program that does it comes
 * from the same folder as the certificates, and can be read there; files of one's own are checked
 * where they are, and sent nowhere.
 */

import { games } from "../api.js";
import { announce, button, clear, h, link, nameTab, rest } from "../dom.js";
import { capital } from "../words.js";

const LARGEST_FILE = 20_000_000;

export async function proofScreen({ stage, current }) {
  nameTab("Check the proofs");
  const [catalogue, files] = await Promise.all([games(), fetch("/proofs/").then((answer) => answer.json())]);
  if (!current()) return null;
  const bench = new Bench();
  const rows = files.map((file) => row(file, catalogue.games, bench));
  stage.append(
    h("nav", { "aria-label": "Back" }, link("/", "← All games")),
    h(
      "section",
      { class: "sheet proofs" },
      h("h1", {}, "Check the proofs"),
      h(
        "p",
        {},
        "For each game, a certificate holds a strategy for both players. Your browser lets the best possible opponent play against each of them, in exact fractions, and sees what they keep. It believes no claim.",
      ),
      h(
        "p",
        { class: "note" },
        "Values are for whoever moves first: 1 is a sure win, −1 a sure loss, 0 a draw or equal chances.",
      ),
      h("ul", { class: "plain claims" }, rows),
      ownFile(bench),
      h(
        "p",
        { class: "note" },
        "The same by yourself: ",
        h("a", { href: "/proofs/check.py", download: true }, "check.py"),
        " is a page of Python that needs nothing else. Run it on any certificate.",
      ),
    ),
  );
  return () => bench.close();
}

/** One certificate: a file is named for its game, and for its variant where it is of one. */
function row(file, catalogue, bench) {
  const [name, ...variant] = file.replace(/\.cert$/, "").split(".");
  const game = catalogue.find((one) => one.name === name);
  const title = [game?.title ?? name, ...variant.map((word) => word.replaceAll("-", " "))].join(", ");
  const address = `/proofs/${encodeURIComponent(file)}`;
  const verdict = h("p", { class: "verdict-line", role: "status" });
  const check = async () => bench.show(() => fetch(address).then((answer) => answer.text()), verdict, start);
  const start = button("Check", check, { "aria-label": `Check the proof of ${title}` });
  return h(
    "li",
    {},
    h("div", {}, h("h2", {}, title), verdict),
    h(
      "div",
      { class: "row" },
      h("a", { href: address, download: true, "aria-label": `Download the certificate of ${title}` }, "Certificate"),
      start,
    ),
  );
}

/** A certificate from elsewhere: chosen, or dropped onto the page. */
function ownFile(bench) {
  const verdict = h("p", { class: "verdict-line", role: "status" });
  const take = async (file) => {
    if (!file) return;
    if (file.size > LARGEST_FILE) tell(verdict, { proven: false, sentence: "This file is too large for a certificate." });
    else await bench.show(() => file.text(), verdict, null);
  };
  const input = h("input", { type: "file", id: "own-proof", onchange: () => take(input.files[0]) });
  const place = h(
    "div",
    { class: "own" },
    h("label", { for: "own-proof" }, "Or a certificate of your own: choose a file, or drop it here."),
    input,
    verdict,
  );
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  return place;
}

/** Where certificates are checked: a worker, which is sent texts and answers with verdicts. */
class Bench {
  constructor() {
    this.waiting = new Map();
    this.worker = new Worker("/static/js/proof-worker.js", { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.waiting.get(data.id)?.(data));
    this.worker.addEventListener("error", () => this.fail());
  }

  /** Reads a certificate, and says beside it what it proves. */
  async show(read, verdict, pressed) {
    if (pressed) rest(pressed, true);
    clear(verdict, "Checking …");
    verdict.className = "verdict-line";
    const text = await read().catch(() => null);
    const found = text === null ? { proven: false, sentence: "It could not be read." } : await this.ask(text);
    if (pressed) rest(pressed, false);
    tell(verdict, found);
  }

  ask(text) {
    const id = this.waiting.size;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, text });
    });
  }

  fail() {
    const sentence = "The checker could not be loaded.";
    for (const resolve of this.waiting.values()) resolve({ proven: false, sentence });
  }

  close() {
    this.worker.terminate();
  }
}

const BOTH_THE_SAME = /^proven: value between (\S+) and \1$/;

function tell(verdict, { proven, sentence }) {
  const [, value] = BOTH_THE_SAME.exec(sentence) ?? [];
  const said = value ? `Proven: value exactly ${value}.` : capital(sentence) + (sentence.endsWith(".") ? "" : ".");
  verdict.className = `verdict-line ${proven ? "ok" : "bad"}`;
  clear(verdict, h("span", { "aria-hidden": "true" }, proven ? "✓ " : "✗ "), said);
  announce(said);
}
