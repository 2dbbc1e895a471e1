/**
 * Small helpers to build elements. Text always goes in as text, never as markup, and in the language of
 * whoever reads it; an element with translate="no" holds what people have written themselves.
 */

import { isSpoken, t } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Attributes that start with "on" are listeners; false, null and undefined
 * leave an attribute out.
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : isSpoken(name) ? t(value) : value);
  }
  element.append(...present(children).map(attributes.translate === "no" ? (child) => child : inLanguage));
  return element;
}

/** Children may come in lists of lists, and some may be missing. */
const present = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

const inLanguage = (child) => (child instanceof Node ? child : t(child));

/** Puts a text into an element that is there already. */
export function say(element, text) {
  element.textContent = t(text);
}

/** Names the page, as tabs and bookmarks show it. */
export function nameTab(...parts) {
  document.title = [...parts, "Trapline"].map(t).join(" · ");
}

/** A button that does one thing, and nothing while it rests. */
export function button(text, act, attributes = {}) {
  const press = (event) => (event.currentTarget.getAttribute("aria-disabled") === "true" ? null : act?.(event));
  return h("button", { type: "button", ...attributes, onclick: press }, text);
}

/** A button that rests keeps the focus, unlike one that is disabled: who works by keys stays where they are. */
export function rest(pressed, resting) {
  pressed.setAttribute("aria-disabled", String(resting));
}

/** A link within the page; the router takes it over. */
export function link(href, text, attributes = {}) {
  return h("a", { href, "data-link": true, ...attributes }, text);
}

export function clear(element, ...children) {
  element.replaceChildren(...present(children).map(inLanguage));
  return element;
}

/** Says something to those who listen to the page instead of looking at it. */
export function announce(text) {
  const live = document.getElementById("live");
  live.append(h("p", {}, text));
  while (live.childElementCount > 6) live.firstElementChild.remove();
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * A dialog that is removed when it closes. Its opener gets the focus back, which is what
 * the browser does by itself for a modal dialog.
 */
export function openDialog(title, content, attributes = {}) {
  const heading = h("h2", { id: "dialog-title", tabindex: -1 }, title);
  const close = button("Close", () => dialog.close(), { class: "quiet dialog-close" });
  const dialog = h(
    "dialog",
    { "aria-labelledby": "dialog-title", ...attributes },
    h("div", { class: "dialog-head" }, heading, close),
    content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && !inside(dialog, event)) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  (firstField(content) ?? heading).focus();
  return dialog;
}

/** Where one begins in a dialog. A text field would cover half a phone with its keyboard. */
function firstField(content) {
  const wanted = ["[data-first]", "input[type=radio]:checked", "input, select"];
  const field = wanted.map((kind) => content.querySelector(kind)).find(Boolean);
  const covers = field?.matches("input[type=text]") && matchMedia("(pointer: coarse)").matches;
  return covers ? null : field;
}

/** A click on the padding of a dialog also has it as its target, but is no click beside it. */
function inside(dialog, { clientX, clientY }) {
  const box = dialog.getBoundingClientRect();
  return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}

/** Asks a yes-or-no question; resolves to whether it was answered with yes. */
export function confirmDialog(title, text, yes, no) {
  return new Promise((resolve) => {
    let answer = false;
    const act = () => {
      answer = true;
      dialog.close();
    };
    const row = h(
      "div",
      { class: "row" },
      button(yes, act, { class: "primary" }),
      button(no, () => dialog.close(), { "data-first": true }),
    );
    const dialog = openDialog(title, h("div", {}, h("p", {}, text), row), { class: "small" });
    dialog.addEventListener("close", () => resolve(answer));
  });
}
