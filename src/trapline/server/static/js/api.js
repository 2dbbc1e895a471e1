/** The HTTP part of the protocol. Every failure is an Error whose message is a sentence. */

export class Refused extends Error {
  constructor(sentence, reason, status) {
    super(sentence);
    this.reason = reason;
    this.status = status;
  }
}

async function reach(path, request) {
  try {
    return await fetch(path, { credentials: "same-origin", ...request });
  } catch {
    throw new Refused("The server cannot be reached. Is it running, and are you online?", "offline", 0);
  }
}

async function ask(path, body, method = "GET") {
  const request =
    body === undefined
      ? { method }
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await reach(path, request);
  const answer = await response.json().catch(() => null);
  if (response.ok) return response.headers.has("x-kept") ? { ...answer, kept: true } : answer;
  const sentence = answer?.sentence ?? `The server could not answer (${response.status}).`;
  throw new Refused(sentence, answer?.reason ?? "unknown", response.status);
}

const match = (id) => `/api/matches/${encodeURIComponent(id)}`;

let catalogue = null;

/** The games and levels; asked for once. `kept` says that they were remembered, and nobody answered. */
export function games() {
  catalogue ??= ask("/api/games").catch((error) => {
    catalogue = null;
    throw error;
  });
  return catalogue;
}

/** A page as the server has written it. */
export const pageAt = async (path) => new DOMParser().parseFromString(await (await reach(path)).text(), "text/html");

export const gameNamed = async (name) => (await games()).games.find((game) => game.name === name);
/** What a table needs to know of its game; what more there is lies in the catalogue. */
export const gameOf = ({ game, title, origin }) => ({ name: game, title, origin });
export const rules = (game) => ask(`/api/games/${encodeURIComponent(game)}/rules`);
export const puzzle = (date) => ask(`/api/puzzles/${date}`);
export const checkVariant = (game, options) =>
  ask(`/api/games/${encodeURIComponent(game)}/variant`, { options });
export const openMatch = (wanted) => ask("/api/matches", wanted);
export const lesson = (name) => ask(`/api/games/${encodeURIComponent(name)}/lesson`);
export const lobby = () => ask("/api/lobby");
export const matchInfo = (id) => ask(match(id));
/** Where secrets stay on the devices, they take part in how a seat hears of a match. */
export async function lineFor({ locked, trails }) {
  if (!locked) return undefined;
  return trails ? (await import("./trails.js")).TrailLine : (await import("./locked.js")).LockedLine;
}
export const deleteMatch = (id) => ask(match(id), undefined, "DELETE");
export const joinMatch = (id, code, name) => ask(`${match(id)}/join`, { code, name });
export const record = (id) => ask(recordAddress(id));
export const frames = (id) => ask(`${match(id)}/frames`);
export const analysis = (id) => ask(`${match(id)}/analysis`);
export const hint = (id, seat) => ask(`${match(id)}/hint?seat=${seat}`);
export const recordAddress = (id) => `${match(id)}/record`;
export const qrAddress = (id, seat = 2) => `${match(id)}/qr?seat=${seat}`;
export const linksTo = (id) => ask(`${match(id)}/links`);

export function socketAddress(id, seat, after) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${match(id)}/socket?seat=${seat}&after=${after}`;
}
