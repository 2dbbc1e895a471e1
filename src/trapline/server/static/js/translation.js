/**
 * From English to another language, sentence by sentence. A catalogue holds English patterns and what
 * they become: "{name} wins the game!" → "{name} gewinnt das Spiel!". What stands in braces:
 *
 *   {n}     a number, written as the language writes it
 *   {name}  a player's name, which stays, unless it is one of those that we give ourselves
 *   {code}  something typed, which stays
 *   {text}  anything else, which is translated in its turn
 *   {n, plural, one {# turn} other {# turns}}  a number with what it counts
 *
 * A figure after the word tells two of a kind apart: {n2}. This file knows nothing of the page.
 */

const upTo = (marks) => `(?:(?![${marks}] ).)+?`; // a name must not swallow what stands before it
const KINDS = { n: "[+−-]?\\d+(?:\\.\\d+)?", name: upTo(".!?,:;"), code: upTo(".!?"), text: upTo(".!?") };
const HOLE = /\{(\w+?)(\d*)(?:, plural,((?: \w+ \{[^}]*\})+))?\}/g;
const FORM = /(\w+) \{([^}]*)\}/g;
const OWN_NAMES = /^(Player \d|Computer|Chance)$/;
const LETTERS = /\p{L}{2}/u;
const SPEAKS = /\p{L}|%/u;
const BREAKS = /( · |(?<=[.!?][”)]?)(?<!e\.g\.) )/; // between facts, and between sentences
const JOINT = 7; // a pattern that says no more than this only joins its parts
const MOST_KEPT = 2000;

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const formsOf = (forms) => new Map([...forms.matchAll(FORM)].map(([, when, text]) => [when, text]));

/** An English pattern as something to compare a text with. */
function comparable(english) {
  let [source, last, weight] = ["", 0, 0];
  for (const hole of english.matchAll(HOLE)) {
    const [whole, kind, number, forms] = hole;
    const between = english.slice(last, hole.index);
    source += `${literal(between)}(?<${kind}${number}>${forms ? counted(forms) : KINDS[kind]})`;
    weight += between.length + (kind === "n" ? 2 : 0) + (forms ? forms.length : 0);
    last = hole.index + whole.length;
  }
  weight += english.length - last;
  return { test: new RegExp(`^${source}${literal(english.slice(last))}$`, "su"), weight };
}

const counted = (forms) => [...formsOf(forms).values()].map((form) => literal(form).replace("#", KINDS.n)).join("|");

export class Translator {
  /** @param {Record<string, string>} messages  English patterns and what they become */
  constructor(language, messages) {
    this.plurals = new Intl.PluralRules(language);
    this.language = language;
    this.whole = new Map();
    this.patterns = [];
    this.kept = new Map();
    this.missing = new Set(); // what was to be said and is not in the catalogue
    for (const [english, becomes] of Object.entries(messages)) {
      if (english.includes("{")) this.patterns.push({ ...comparable(english), becomes });
      else this.whole.set(english, becomes);
    }
    // The more a pattern says, the sooner it is tried; joints come last, in the order of the catalogue.
    const rank = ({ weight }) => (weight > JOINT ? weight : 0);
    this.patterns.sort((one, two) => rank(two) - rank(one));
  }

  /** A text of any number of sentences; what is not known stays as it is. */
  say(text) {
    if (!SPEAKS.test(text)) return text;
    if (!this.kept.has(text)) {
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      this.kept.set(text, this.translated(text));
    }
    return this.kept.get(text);
  }

  translated(text) {
    const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/s.exec(text);
    const said = middle.replace(/\s+/g, " ");
    const told = this.whole.get(said) ?? said.split(BREAKS).map((part) => this.sentence(part) ?? this.unknown(part)).join("");
    return before + told + after;
  }

  unknown(text) {
    if (LETTERS.test(text)) this.missing.add(text);
    return text;
  }

  /** One sentence, or null where the catalogue has none like it. */
  sentence(text) {
    const known = this.whole.get(text);
    if (known !== undefined) return known;
    for (const { test, becomes } of this.patterns) {
      const parts = test.exec(text)?.groups;
      if (parts) return this.filled(becomes, parts);
    }
    return null;
  }

  filled(pattern, parts) {
    return pattern.replace(HOLE, (_, kind, number, forms) => {
      const part = parts[kind + number];
      return forms ? this.inPlural(formsOf(forms), part) : this.part(kind, part);
    });
  }

  part(kind, text) {
    if (kind === "n") return this.number(text);
    if (kind === "text" || (kind === "name" && OWN_NAMES.test(text))) return this.say(text);
    return text;
  }

  inPlural(forms, text) {
    const [count] = /\d+/.exec(text);
    const form = forms.get(this.plurals.select(Number(count))) ?? forms.get("other");
    return form.replace("#", this.number(count));
  }

  number(text) {
    const [, sign, digits] = /^([+−-]?)(.*)$/.exec(text);
    const places = digits.split(".")[1]?.length ?? 0;
    const format = { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false };
    return sign + new Intl.NumberFormat(this.language, format).format(Number(digits));
  }
}
