/**
 * What the browser remembers: a name, a theme, a language, whether there is sound, ids of matches, how they ended, and the commitments that were
 * seen during play. Nothing that a player has hidden, but for
 * a match whose secrets only the players' own devices know.
 */

const NAME = "trapline.name";
const MATCHES = "trapline.matches";
const THEME = "trapline.theme";
const LANGUAGE = "trapline.language";
const EFFECTS = "trapline.effects";
const SEEN = "trapline.seen.";
const SKIPPED = "trapline.skipped";
const PUZZLES = "trapline.puzzles";
const MUTE = "trapline.mute";
const RESULTS = "trapline.results";
const PRACTICE = "trapline.practice";
const PRACTISED = "trapline.practised";
const LOCKED = "trapline.locked.";
const KEEP = 200;

function read(storage, key, otherwise) {
  try {
    return JSON.parse(storage().getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(storage, key, value) {
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the page works without a memory.
  }
}

const local = () => localStorage;
const session = () => sessionStorage;

export const rememberedName = () => String(read(local, NAME, ""));
export const rememberName = (name) => write(local, NAME, name);

export const rememberedMatches = () => read(local, MATCHES, []);

export function rememberMatch(id) {
  write(local, MATCHES, [id, ...rememberedMatches().filter((known) => known !== id)].slice(0, KEEP));
}

export function forgetMatch(id) {
  write(
    local,
    MATCHES,
    rememberedMatches().filter((known) => known !== id),
  );
  const { [id]: gone, ...others } = rememberedResults();
  if (gone) write(local, RESULTS, others);
}

/**
 * How matches ended that were seen to end here.
 * @typedef {{game: string, title: string, against: string, bot: boolean, result: string, turns: number,
 *   at: string, practised?: boolean}} Result  `result` is won, lost, drawn, or seen where one played both sides or none
 */
export const rememberedResults = () => read(local, RESULTS, {});

export function rememberResult(id, result) {
  const known = rememberedResults();
  if (!rememberedMatches().includes(id) || known[id]) return;
  write(local, RESULTS, { ...known, [id]: { ...result, practised: practised(id) } });
}

/** Whether one wants to be told one's chance against the computer, and in which matches the coach helped. */
export const practises = () => read(local, PRACTICE, false) === true;
export const rememberPractice = (wanted) => write(local, PRACTICE, wanted);

export const practised = (id) => read(local, PRACTISED, []).includes(id);

export function rememberPractised(id) {
  if (!practised(id)) write(local, PRACTISED, [id, ...read(local, PRACTISED, [])].slice(0, KEEP));
}

/** The theme is plain text, because before.js reads it before anything else runs. */
export function rememberTheme(theme) {
  try {
    if (theme) localStorage.setItem(THEME, theme);
    else localStorage.removeItem(THEME);
  } catch {
    // As above.
  }
}

/** Which puzzles were tried, by their days: the answer that was given, and whether it was right. */
export const triedPuzzles = () => read(local, PUZZLES, {});
export const rememberPuzzle = (date, tried) => write(local, PUZZLES, { [date]: tried, ...triedPuzzles() });

/** Days in a row, up to this one or the one before, on which the puzzle was solved. */
export function streak(today) {
  const tried = triedPuzzles();
  const before = (day) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  let [day, count] = [tried[today] ? today : before(today), 0];
  for (; tried[day]?.right; day = before(day)) count += 1;
  return count;
}

/** Who has played here comes back; who has not is new, until they have said that they know their way. */
export const visitor = () => (rememberedMatches().length ? "back" : read(local, SKIPPED, false) ? "known" : "new");
export const skipLesson = () => write(local, SKIPPED, true);

/** A code such as "de"; before.js reads it. */
export const rememberLanguage = (code) => write(local, LANGUAGE, code);

export const effectsWanted = () => read(local, EFFECTS, true) === true;
export const rememberEffects = (wanted) => write(local, EFFECTS, wanted);

/** Whether one wants to see nothing of what the other says. */
export const mutes = () => read(local, MUTE, false) === true;
export const rememberMute = (wanted) => write(local, MUTE, wanted);

export const seenCommitments = (id) => read(session, SEEN + id, {});

/** Keeps each commitment as it was first seen: a later one must not replace it. */
export function keepCommitments(id, commitments) {
  write(session, SEEN + id, { ...commitments, ...seenCommitments(id) });
}

/** What this device alone knows of a match, until it is over: every try to hide something in it. */
export const keptSecrets = (id, seat) => read(local, `${LOCKED}${id}.${seat}`, []);
export const keepSecrets = (id, seat, tried) => write(local, `${LOCKED}${id}.${seat}`, tried);

export function forgetSecrets(id, seat) {
  try {
    localStorage.removeItem(`${LOCKED}${id}.${seat}`);
  } catch {
    // As above.
  }
}
