/** Reads {language, messages, texts} and writes what they become, and what was not known. */

import { readFileSync } from "node:fs";
import { Translator } from "../../src/trapline/server/static/js/translation.js";

const { language, messages, texts } = JSON.parse(readFileSync(0, "utf-8"));
const translator = new Translator(language, messages);
const told = texts.map((text) => translator.say(text));
process.stdout.write(JSON.stringify({ told, missing: [...translator.missing] }));
