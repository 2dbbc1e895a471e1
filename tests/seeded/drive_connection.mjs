/**
 * Drives the page's real connection.js through scripts: one JSON list of steps a line on standard
 * input, one JSON list of what the line did a line on standard output.
 */

import { createInterface } from "node:readline";

const { Connection } = await import(process.argv[2]);

let done, sockets, timers, now, keys;

class Socket {
  static OPEN = 1;
  static CLOSED = 3;

  constructor(address) {
    this.number = sockets.push(this) - 1;
    this.readyState = 0;
    done.push(["connect", new URL(address, "ws://here").search]);
  }

  send(text) {
    done.push(["put", this.number, JSON.parse(text)]);
  }

  close() {
    this.readyState = Socket.CLOSED;
    done.push(["close", this.number]);
  }
}

globalThis.WebSocket = Socket;
globalThis.location = { protocol: "http:", host: "here" };
globalThis.addEventListener = globalThis.removeEventListener = () => {};
globalThis.document = { addEventListener() {}, removeEventListener() {}, visibilityState: "visible" };
globalThis.setTimeout = (call, pause) => timers.push({ when: now + pause, call }) - 1;
globalThis.clearTimeout = (number) => {
  if (timers[number]) timers[number].call = null;
};
Math.random = () => 0.5;
Object.defineProperty(globalThis, "crypto", {
  value: {
    getRandomValues(bytes) {
      bytes.fill(0);
      bytes[bytes.length - 1] = keys++;
      return bytes;
    },
  },
});

const steps = {
  send: (line, { command }) => line.send(command),
  hear: (_line, { socket, message }) => {
    const heard = sockets.at(socket);
    if (heard.readyState === Socket.CLOSED) return;
    heard.readyState = Socket.OPEN;
    heard.onmessage({ data: JSON.stringify(message) });
  },
  cut: (_line, { socket, code }) => {
    const cut = sockets.at(socket);
    if (cut.readyState === Socket.CLOSED) return;
    cut.readyState = Socket.CLOSED;
    cut.onclose({ code, reason: "" });
  },
  pass: (_line, { seconds }) => {
    const until = now + 1000 * seconds;
    for (;;) {
      const due = timers.filter((timer) => timer.call && timer.when <= until);
      if (!due.length) break;
      const next = due.reduce((one, other) => (other.when < one.when ? other : one));
      const { call } = next;
      next.call = null;
      now = Math.max(now, next.when);
      call();
    }
    now = until;
  },
  offline: (line) => line.goOffline(),
  online: (line) => line.retryNow(),
};

for await (const text of createInterface({ input: process.stdin })) {
  [done, sockets, timers, now, keys] = [[], [], [], 0, 0];
  const listener = { state() {}, refused() {}, presence() {}, online() {}, lost() {} };
  const line = new Connection("m", 1, listener);
  const told = [];
  for (const step of JSON.parse(text)) {
    steps[step.do](line, step);
    told.push([line.version, line.events.length, [...line.unanswered.keys()], done]);
    done = [];
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
