/**
 * The language that the page speaks. It is chosen here and stays here: the server is told nothing of
 * it. The page is written in English; another language is fetched, with what translates it, only where
 * it is wanted.
 */

import { rememberLanguage } from "./store.js";

/** Each in its own words, so that everybody finds theirs. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };
const SPOKEN = ["aria-label", "aria-valuetext", "placeholder", "title", "alt"];

let translator = null;
let whole = null;

/** What the page says, in the language of whoever reads it. */
export const t = (text) => (translator ? translator.say(String(text)) : text);

/** Whether an attribute is read or heard by somebody. */
export const isSpoken = (attribute) => SPOKEN.includes(attribute);

export const language = () => document.documentElement.lang;

/** The same with the country, where the browser knows one: it decides how a date is written. */
export const locale = () => navigator.languages.find((tag) => tag.split("-")[0] === language()) ?? language();

/** What was said although the language has no words for it. */
export const untranslated = () => [...(translator?.missing ?? [])];

/** As before.js has found it out; what a link has named is remembered. */
function wanted() {
  const code = document.documentElement.dataset.wanted;
  if (code === new URLSearchParams(location.search).get("lang")) rememberLanguage(code);
  return code;
}

/** Learns the language before anything is said; where it cannot be had, the page stays English. */
export async function learnLanguage() {
  const root = document.documentElement;
  const code = wanted();
  if (code === "en") return;
  try {
    const part = root.dataset.words; // of what will be said here; the rest comes when it is needed
    const words = await learn(code, part).catch(() => learn(code, ""));
    if (!part) whole = Promise.resolve();
    // Whoever does something may be told more than what stands here.
    else for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, wholeLanguage, { once: true });
    const sent = globalThis.takeBack?.() ?? {};
    await speak(code, { ...sent, ...words });
    root.lang = code;
    translateWithin(document.body);
  } catch {
    globalThis.takeBack?.(); // it stays English
    root.lang = "en";
  }
  root.classList.remove("learning");
}

/** All that the language knows to say, for what comes after the first screen. */
export async function wholeLanguage() {
  if (!translator) return;
  whole ??= learn(language(), "").then((words) => speak(language(), words));
  await whole.catch(() => (whole = null)); // what is not known stays English
}

async function learn(code, part) {
  const answer = await fetch(`/static/lang/${code}${part}.json`);
  const [said, becomes] = await answer.json();
  return Object.fromEntries(said.map((text, index) => [text, becomes[index]]));
}

async function speak(code, words) {
  const { Translator } = await import("./translation.js");
  const missing = untranslated();
  translator = new Translator(code, words);
  for (const text of missing) translator.missing.add(text);
}

/** What the server has written. */
export function translateWithin(root) {
  const read = ({ parentNode }) => (parentNode.closest("noscript, script") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, read);
  while (texts.nextNode()) texts.currentNode.data = t(texts.currentNode.data);
  for (const name of SPOKEN)
    for (const element of root.querySelectorAll(`[${name}]`)) element.setAttribute(name, t(element.getAttribute(name)));
}

/** A choice between all languages; the page begins again in the one that is chosen. */
export function languageChoice(select) {
  for (const [code, name] of Object.entries(LANGUAGES)) select.add(new Option(name, code));
  for (const option of select.options) option.lang = option.value;
  select.value = language();
  select.addEventListener("change", () => {
    rememberLanguage(select.value);
    const address = new URL(location.href);
    address.searchParams.delete("lang");
    history.replaceState(null, "", address);
    location.reload();
  });
}
