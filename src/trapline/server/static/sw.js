/**
 * Keeps the page for when there is no network. It keeps what is the same for everybody (the page's own
 * files, the games and their rules) and nothing about a match. The network always comes first, so
 * nobody sees an old page while the server can be reached. The server puts the list SHELL above.
 */

const STORE = "trapline";
const PUBLIC = /^\/(|static\/.+|api\/games(\/[^/]+\/rules)?)$/;

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function keepAll() {
  const store = await caches.open(STORE);
  await store.addAll(["/", "/api/games", ...SHELL]);
  const { games } = await (await store.match("/api/games")).json();
  await store.addAll(games.map((game) => `/api/games/${game.name}/rules`));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept("/")));
  else if (PUBLIC.test(pathname)) event.respondWith(freshOrKept(request, pathname));
});

async function freshOrKept(request, pathname) {
  try {
    const answer = await fetch(request);
    if (answer.ok) (await caches.open(STORE)).put(pathname, answer.clone());
    return answer;
  } catch {
    return kept(pathname);
  }
}

/** The header tells the page that nobody answered. */
async function kept(pathname) {
  const answer = await (await caches.open(STORE)).match(pathname);
  if (!answer) return Response.error();
  const headers = new Headers(answer.headers);
  headers.set("x-kept", "1");
  return new Response(answer.body, { status: answer.status, headers });
}
