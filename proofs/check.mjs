/**
 * Checks a proof of what a game is worth, as check.py does, in the browser or by
 * `node check.mjs FILE`: the rules of the five rulebooks, stated once more; strategies from the
 * certificate; the best possible opponent against each, in fractions. docs/certificates.md says
 * what is written where, and why this is a proof.
 */

const NUMBER = [1, 99];
const MORE = [2, 99];
const TURNS = [0, 1_000_000];
const SWITCH = [false, true];
const MOST_SECRETS = 20_000;
const MOST_WORK = 500_000;
const WORK_FOR_A_NODE = 1_000;

class Wrong extends Error {}

function must(holds, sentence) {
  if (!holds) throw new Wrong(sentence);
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isWhole = (value, least, most) => Number.isSafeInteger(value) && value >= least && value <= most;
const put = (pair, seat, item) => (seat === 0 ? [item, pair[1]] : [pair[0], item]);

// --- fractions ---------------------------------------------------------------------------

const size = (n) => (n < 0n ? -n : n);

function gcd(a, b) {
  [a, b] = [size(a), size(b)];
  while (b) [a, b] = [b, a % b];
  return a;
}

class Fraction {
  constructor(top, bottom = 1n) {
    const common = bottom === 1n ? 1n : gcd(top, bottom);
    this.top = top / common;
    this.bottom = bottom / common;
  }

  plus(other) {
    if (this.bottom === other.bottom) return new Fraction(this.top + other.top, this.bottom);
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  times(other) {
    if (other === ONE) return this;
    return this === ONE ? other : new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  below(other) {
    return this.top * other.bottom < other.top * this.bottom;
  }

  toString() {
    return this.bottom === 1n ? `${this.top}` : `${this.top}/${this.bottom}`;
  }
}

const ONE = new Fraction(1n);
const ZERO = new Fraction(0n);
const whole = (number) => new Fraction(BigInt(number));

const isShort = (text) => typeof text === "string" && /^[-/0-9]*$/.test(text) && text.length < 99;

function readFraction(text) {
  must(isShort(text) && /^-?[0-9]+(\/[0-9]+)?$/.test(text), "a bound is none");
  const [top, bottom = "1"] = text.split("/");
  must(BigInt(bottom) > 0n, "a bound is none");
  return new Fraction(BigInt(top), BigInt(bottom));
}

// --- strategies --------------------------------------------------------------------------

/** Secrets with nodes and weights; nodes with chances of moves, and where what is seen leads. */
class Strategy {
  constructor(written, rules) {
    must(isObject(written) && Array.isArray(written.nodes) && Array.isArray(written.secrets), "a strategy has no secrets or no nodes");
    const isNode = (value) => isWhole(value, 0, written.nodes.length - 1);
    const isWeight = (value) => isWhole(value, 1, Number.MAX_SAFE_INTEGER);
    const hidden = rules.secrets(rules.hero);
    this.theirs = [...rules.secrets(1 - rules.hero).values()];
    const start = new Map();
    for (const held of written.secrets) {
      const good = Array.isArray(held) && held.length === 3 && Array.isArray(held[0]) && held[0].every((x) => isWhole(x, 1, 99)) && hidden.has(`${held[0]}`);
      must(good && isWeight(held[1]) && isNode(held[2]), "a secret, its weight or node is none");
      start.set(`${held[0]} ${held[2]}`, [hidden.get(`${held[0]}`), held[2], BigInt(held[1])]);
    }
    this.start = [...start.values()];
    must(this.start.length, "a strategy has no secrets");
    rules.work += WORK_FOR_A_NODE * written.nodes.length;
    this.nodes = written.nodes.map((node) => {
      const [moves, leads] = Array.isArray(node) && node.length === 2 ? node : [];
      const good = isObject(moves) && isObject(leads) && Object.values(moves).every(isWeight) && Object.values(leads).every(isNode);
      must(good, "a node is wrong");
      const sum = Object.values(moves).reduce((total, weight) => total + BigInt(weight), 0n);
      const chances = Object.entries(moves).map(([move, weight]) => [move, new Fraction(BigInt(weight), sum)]);
      return { chances: new Map(chances), leads: new Map(Object.entries(leads)) };
    });
  }

  /** A player for whom no move is listed resigns. */
  chances(node, legal) {
    const { chances } = this.nodes[node];
    for (const move of chances.keys()) must(legal.has(move), `a move on node ${node} is not legal`);
    return chances;
  }

  /** What is not listed changes nothing. */
  after(node, seat, seen) {
    return this.nodes[node].leads.get(`${seat + 1}:${seen}`) ?? node;
  }
}

// --- the proofs: what a strategy's player, the hero, gets whatever the other hides and does ---

/** The worst that any play comes to, turn by turn, against an opponent who knows everything. */
function forced(rules, strategy) {
  let worst = 1;
  let layer = new Map();
  const add = (to, state, node, secrets) => to.set(JSON.stringify([state, node, secrets]), [state, node, secrets]);
  for (const [mine, node] of strategy.start)
    for (const theirs of strategy.theirs) add(layer, rules.start, node, put([theirs, theirs], rules.hero, mine));
  const known = new Set();
  for (let turn = 0; layer.size && turn !== (rules.turn_limit || -1); turn += 1) {
    const mover = turn % 2;
    const sign = `${mover} ${[...layer.keys()].sort().join(" ")}`;
    if (known.has(sign)) break;
    known.add(sign);
    const ahead = new Map();
    for (const [state, node, secrets] of layer.values()) {
      const turns = new Map(rules.turns(state, mover, secrets[mover]));
      rules.spend(turns.size);
      const moves = mover === rules.hero ? strategy.chances(node, turns) : turns;
      if (!moves.size) worst = -1;
      for (const move of moves.keys()) {
        const after = turns.get(move);
        if (typeof after === "number") worst = Math.min(worst, mover === rules.hero ? after : -after);
        else add(ahead, after, strategy.after(node, mover, move), secrets);
      }
    }
    layer = ahead;
  }
  // What goes on to the limit, or for ever, is drawn; the other's secret does not matter.
  return strategy.theirs.map(() => whole(layer.size ? Math.min(worst, 0) : worst));
}

/** The average against an opponent who knows the strategy, and sees what the rules show. */
function expected(rules, strategy) {
  const memory = new Map();

  /** For each secret the other may have: what all worlds (own secret, node, weight) get. */
  function kept(mover, at, worlds, theirs) {
    const key = `${mover};${at};${worlds.map((world) => world.join()).join("|")};${theirs}`;
    const known = memory.get(key);
    if (known) return known;
    rules.spend(worlds.length + theirs.length);
    const found = compute(mover, at, worlds, theirs);
    memory.set(key, found);
    return found;
  }

  function compute(mover, at, worlds, theirs) {
    const heros = mover === rules.hero;
    if (typeof at === "number") {
      // The result for who has moved last.
      const weight = worlds.reduce((total, world) => total + world[2], 0n);
      const value = new Fraction(weight * BigInt(heros ? at : -at));
      return new Map(theirs.map((x) => [x, value]));
    }
    const landings = new Map(rules.landings(at, mover));
    const rows = new Map(heros ? worlds.map(([, n]) => [n, strategy.chances(n, landings)]) : []);
    const parts = [];
    for (const [move, [way, ...afters]] of landings) {
      const part = new Map(theirs.map((x) => [x, ZERO]));
      afters.forEach((after, caught) => branch(mover, move, way, caught === 1, after, worlds, theirs, rows, part));
      parts.push(part);
    }
    const resigned = worlds.filter(([, n]) => rows.get(n)?.size === 0).reduce((total, world) => total + world[2], 0n);
    return new Map(
      theirs.map((x) => {
        const values = parts.map((part) => part.get(x));
        const least = (a, b) => (b.below(a) ? b : a);
        return [x, heros ? values.reduce((a, b) => a.plus(b), new Fraction(-resigned)) : values.reduce(least)];
      }),
    );
  }

  /** Adds what a move leads to where it meets a trap, or where it meets none. */
  function branch(mover, move, way, caught, [then, there, acting], worlds, theirs, rows, part) {
    const heros = mover === rules.hero;
    const meets = (secret) => (secret & way) !== 0n === caught;
    const others = heros ? theirs.filter(meets) : theirs;
    const ours = new Map();
    for (const [s, n, w] of worlds) {
      if (heros ? !rows.get(n).has(move) : !meets(s)) continue;
      const secret = heros ? s : s & acting;
      const node = acting ? strategy.after(n, mover, caught ? `${move}!` : move) : 0;
      const share = heros ? new Fraction(w).times(rows.get(n).get(move)) : new Fraction(w);
      const before = ours.get(`${secret},${node}`);
      ours.set(`${secret},${node}`, [secret, node, before ? before[2].plus(share) : share]);
    }
    if (!ours.size || !others.length) return;
    // Worlds that differ in a factor alone are looked at once.
    const shares = [...ours.values()].map((world) => world[2]);
    const bottom = shares.reduce((all, { bottom: one }) => (all / gcd(all, one)) * one, 1n);
    const top = shares.reduce((all, { top: one }) => gcd(all, one), 0n);
    const unit = new Fraction(top, bottom);
    const like = [...ours.values()]
      .map(([secret, node, share]) => [secret, node, (share.top * (bottom / share.bottom)) / top])
      .sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1));
    const left = new Map(others.map((x) => [x, heros ? x & acting : x]));
    const rest = [...new Set(left.values())].sort((a, b) => (a < b ? -1 : 1));
    const found = kept(then, there, like, rest);
    for (const [x, remains] of left) part.set(x, part.get(x).plus(unit.times(found.get(remains))));
  }

  const sum = strategy.start.reduce((total, world) => total + world[2], 0n);
  const values = [...kept(...rules.start, strategy.start, strategy.theirs).values()];
  return values.map((value) => value.times(new Fraction(1n, sum)));
}

// --- the rules: seat 0 moves first; a result is 1 if the mover wins and -1 if the other does ---

class Rules {
  constructor(given, hero) {
    must(isObject(given), "its options are none");
    const { options } = this.constructor;
    for (const [name, [usual]] of Object.entries(options)) this[name] = usual;
    for (const [name, value] of Object.entries(given)) {
      const good = Object.hasOwn(options, name) && allows(options[name], value);
      must(good, "an option is none of this game's, or has a value that it cannot have");
      this[name] = value;
    }
    this.hero = hero;
    this.work = MOST_WORK;
    must(this.secrets(hero).size, "with these options nothing can be hidden");
  }

  spend(work) {
    this.work -= work;
    must(this.work > 0, "the proof takes more work than this program will do");
  }

  isWall(traps) {
    return traps.some((t) => Array.from({ length: this.max_step }, (_, k) => t + k).every((x) => traps.includes(x)));
  }

  /** Sets of traps, as they are written, and as bits. */
  secrets() {
    const last = this.goal_traps ? this.length : this.length - 1;
    must(choices(last, this.traps) <= MOST_SECRETS, "there are too many secrets to list");
    const sets = combinations(last, this.traps).filter((set) => this.walls || !this.isWall(set));
    return new Map(sets.map((set) => [`${set}`, set.reduce((bits, x) => bits | (1n << BigInt(x)), 0n)]));
  }

  *reach(from) {
    for (let to = from + 1; to <= Math.min(from + this.max_step, this.length); to += 1) yield to;
  }
}

/** What an option may be: its usual value, and the least and the most, or all it may be. */
function allows([usual, ...allowed], value) {
  if (Array.isArray(usual)) return Array.isArray(value);
  if (typeof usual !== "number") return allowed.includes(value);
  return allowed.length > 2 ? allowed.includes(value) : isWhole(value, ...allowed);
}

function choices(places, count) {
  let found = 1;
  for (let i = 0; i < count && found <= 1e12; i += 1) found = (found * Math.max(places - i, 0)) / (i + 1);
  return found;
}

function combinations(last, count, first = 1) {
  if (count === 0) return [[]];
  const found = [];
  for (let x = first; x <= last - count + 1; x += 1)
    for (const rest of combinations(last, count - 1, x + 1)) found.push([x, ...rest]);
  return found;
}

class HiddenPath extends Rules {
  static options = {
    length: [10, ...NUMBER], traps: [3, ...NUMBER], max_step: [3, ...NUMBER],
    goal_traps: [true, ...SWITCH], walls: [true, ...SWITCH],
  };

  proof = expected;

  get start() {
    return [0, [0, 0]];
  }

  /**
   * For each move: where traps would act, as bits; what follows without one, and with one: who
   * moves then, positions or a result, and where the other's traps act from now on.
   */
  *landings(at, seat) {
    for (const to of this.reach(at[seat])) {
      const way = 1n << BigInt(to);
      const free = to === this.length ? [seat, 1, 0n] : [1 - seat, put(at, seat, to), -1n];
      yield [`${to - at[seat]}`, [way, free, [1 - seat, put(at, seat, 0), ~way]]];
    }
  }
}

/**
 * A harder game for a hero who does not look at the other: the hero runs alone until home, and then
 * the other, who has seen that, has as many moves as they would have had.
 */
class Told extends HiddenPath {
  get start() {
    return [this.hero, [[0, 0], 0]];
  }

  *landings([at, moves], seat) {
    const heros = seat === this.hero;
    for (const [move, [way, free, met]] of super.landings(at, seat)) {
      const home = heros && moves + seat ? [1 - seat, [[0, 0], moves + seat], 0n] : [seat, 1, 0n];
      const more = heros ? moves + 1 : moves - 1;
      const on = ([, there, acting]) => (more ? [seat, [there, more], acting] : [seat, -1, 0n]);
      yield [move, [way, free[1] === 1 ? home : on(free), on(met)]];
    }
  }
}

class TrapBuilder extends Rules {
  static options = {
    length: [10, ...MORE], traps: [3, ...NUMBER], max_step: [3, ...MORE],
    trigger: ["landing", "landing", "passing"], walls: [true, ...SWITCH],
  };

  proof = expected;

  get start() {
    return [0, [0, this.length]];
  }

  *landings(at, seat) {
    const way = 1 - 2 * seat;
    for (let n = 1; n <= this.max_step; n += 1) {
      const to = at[seat] + way * n;
      if (to < 0 || to > this.length || to === at[1 - seat]) continue;
      let acting = 0n;
      for (let k = this.trigger === "passing" ? 1 : n; k <= n; k += 1) acting |= 1n << BigInt(at[seat] + way * k);
      const home = to === this.length * (1 - seat);
      yield [`${n}`, [acting, home ? [seat, 1, 0n] : [1 - seat, put(at, seat, to), -1n], [seat, -1, 0n]]];
    }
  }
}

class NumericMaze extends Rules {
  static options = {
    length: [20, ...MORE], traps: [[5, 10, 15]], max_step: [3, ...NUMBER], turn_limit: [200, ...TURNS],
  };

  proof = forced;
  start = [[0, 0], 0];

  secrets() {
    const good = this.traps.every((t) => isWhole(t, 1, this.length - 1)) && !this.isWall(this.traps);
    must(good && new Set(this.traps).size === this.traps.length, "traps are where they cannot be");
    let moves = 0;
    for (let here = 0; here < this.length; moves += 1)
      here = Math.max(...[...this.reach(here)].filter((to) => !this.traps.includes(to)));
    must(!this.turn_limit || this.turn_limit >= 2 * moves - 1, "nobody can win before the limit");
    return new Map([["", 0]]);
  }

  *turns([at, left], seat) {
    const here = at[seat];
    const heros = seat === this.hero;
    const far = this.constructor.leavesTraps && !heros ? Math.max(left, here) : left;
    for (const to of this.reach(here)) {
      const on = heros && to <= left ? -1 : [put(at, seat, this.traps.includes(to) ? 0 : to), far];
      yield [`${to - here}`, to === this.length ? 1 : on];
    }
  }
}

/**
 * The hero sets no trap. The other may have one on every square up to the last one that they have
 * left, and the hero counts as lost who lands on such a square: that helps the other.
 */
class TrapRunner extends NumericMaze {
  static options = { length: [10, ...MORE], max_step: [3, ...NUMBER], turn_limit: [200, ...TURNS] };

  static leavesTraps = true;

  get traps() {
    return [];
  }
}

class SecretPaths extends Rules {
  static options = { size: [5, 3, 5, 7, 9], turn_limit: [200, ...TURNS] };

  proof = forced;

  get start() {
    return [(this.size + 1) / 2, (this.size + 1) / 2];
  }

  secrets(seat) {
    must(!this.turn_limit || this.turn_limit >= (this.size - 1) / 2, "nobody can win before the limit");
    const columns = Array.from({ length: this.size }, (_, column) => column + 1);
    return new Map(columns.map((column) => `${seat ? 1 : this.size},${column}`).map((cell) => [cell, cell]));
  }

  *turns([row, column], _seat, goal) {
    for (let r = Math.max(1, row - 1); r <= Math.min(this.size, row + 1); r += 1)
      for (let c = Math.max(1, column - 1); c <= Math.min(this.size, column + 1); c += 1)
        if (r !== row || c !== column) yield [`${r},${c}`, `${r},${c}` === goal ? 1 : [r, c]];
  }
}

const GAMES = new Map([
  ["hidden-path", [Told, HiddenPath]],
  ["trap-builder", [TrapBuilder]],
  ["trap-runner", [TrapRunner]],
  ["secret-paths", [SecretPaths]],
  ["numeric-maze", [NumericMaze]],
]);

// --- a certificate -----------------------------------------------------------------------

/** The text's value; numbers that are not whole are refused, which JSON.parse does not tell. */
function read(text) {
  const found = JSON.parse(text);
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"|true|false/g, "");
  must(!/[.eE]/.test(numbers), "a number is not whole");
  must(isObject(found), "it is no object");
  return found;
}

/** What a strategy is said to keep against each secret of the other; nothing, where nothing is. */
function claimedValues(found, mover) {
  if (!Object.hasOwn(found, mover)) return [];
  must(isObject(found[mover]), "a strategy is none");
  if (!Object.hasOwn(found[mover], "values")) return [];
  const { values } = found[mover];
  must(Array.isArray(values) && values.every(isShort), "a bound is none");
  return values;
}

function bounds(text) {
  const found = read(text);
  must(found.certificate === "trapline 1" && GAMES.has(found.game), "its game is not known");
  const values = ["first", "second"].map((mover) => claimedValues(found, mover));
  must(Array.isArray(found.bounds) && found.bounds.length === 2, "its bounds are no list of two");
  const [low, high] = found.bounds.map(readFraction);
  const inOrder = !low.below(whole(-1)) && !high.below(low) && !ONE.below(high);
  must(inOrder, "its bounds are not from -1 to 1, in order");
  for (const [seat, mover] of ["first", "second"].entries()) {
    const claim = seat ? new Fraction(-high.top, high.bottom) : low;
    const games = GAMES.get(found.game).map((Kind) => new Kind(found.options, seat));
    const keeps = (rules) => {
      const kept = rules.proof(rules, new Strategy(found[mover], rules));
      const least = values[seat].map(readFraction);
      const holds = (i) => ![claim, least[i] ?? claim].some((bound) => (kept[i] ?? claim).below(bound));
      return [...(kept.length > least.length ? kept : least).keys()].every(holds);
    };
    const good = `${claim}` === "-1" || (Object.hasOwn(found, mover) && games.some(keeps));
    must(good, `who moves ${mover} keeps too little`);
  }
  return [low, high];
}

/** What a certificate proves: {proven, sentence}, whatever the text holds. */
export function check(text) {
  try {
    const [low, high] = bounds(text);
    return { proven: true, sentence: `proven: value between ${low} and ${high}` };
  } catch (error) {
    if (error instanceof Wrong) return { proven: false, sentence: `Not proven: ${error.message}.` };
    return { proven: false, sentence: "Not proven: it is not written as a certificate is." };
  }
}

if (typeof process !== "undefined" && process.argv?.[1]?.endsWith("check.mjs")) {
  const { readFileSync } = await import("node:fs");
  let answer;
  try {
    answer = check(readFileSync(process.argv[2], "utf8"));
  } catch (error) {
    answer = { proven: false, sentence: `Not proven: ${error.message}.` };
  }
  console.log(answer.sentence);
  process.exitCode = answer.proven ? 0 : 1;
}
