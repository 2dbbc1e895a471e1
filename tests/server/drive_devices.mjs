/**
 * Drives the page's real devices, several tabs of one browser: a JSON list on each line of standard
 * input is what happens, the line of standard output after it is what the tab does then.
 */

import { createInterface } from "node:readline";

const { TrailLine } = await import(process.argv[2]);

class Storage {
  #kept = new Map();
  getItem = (key) => this.#kept.get(key) ?? null;
  setItem = (key, value) => this.#kept.set(key, String(value));
  removeItem = (key) => this.#kept.delete(key);
}

let socket, tab;
const tabs = new Map();

globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    socket = this;
  }
  send = (text) => tab.said.push(JSON.parse(text));
  close() {}
};
globalThis.location = { protocol: "http:", host: "here" };
globalThis.addEventListener = globalThis.removeEventListener = () => {};
globalThis.document = { addEventListener() {}, removeEventListener() {}, visibilityState: "visible" };
globalThis.localStorage = new Storage();

const happens = {
  open: (number, id, seat) => {
    tab = { said: [], told: [], alarm: "", drawn: [] };
    const { told } = tab;
    tab.line = new TrailLine(id, seat, {
      state: ({ table, words }) => Object.assign(tab, { alarm: table.alarm ?? "", drawn: words.board }),
      refused: ({ sentence }) => told.push(sentence),
      presence() {},
      online() {},
      lost() {},
    });
    tab.socket = socket;
    tabs.set(number, tab);
  },
  hear: (_number, message) => {
    globalThis.sessionStorage = tab.session ??= new Storage();
    tab.socket.onmessage({ data: JSON.stringify(message) });
  },
  say: (_number, command) => tab.line.send(command),
};

for await (const text of createInterface({ input: process.stdin })) {
  const [what, number, ...more] = JSON.parse(text);
  tab = tabs.get(number);
  happens[what](number, ...more);
  const { said, told, alarm, drawn } = tab;
  console.log(JSON.stringify({ said: said.splice(0), told: told.splice(0), alarm, drawn }));
}
