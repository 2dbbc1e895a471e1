/** What the page says. Pure functions from what a View holds to sentences. */

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export const inWords = (count) => NUMBERS[count] ?? String(count);
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
export const other = (seat) => (seat === 1 ? 2 : 1);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Both names, with a stand-in where nobody sits yet. */
export const namesOf = (table) => ({ 1: nameOf(table.players[0], 1), 2: nameOf(table.players[1], 2) });

export const nameOf = (player, seat) => (player?.bot ? "Computer" : player?.name || `Player ${seat}`);

/**
 * Who tells, and to whom: `seat` is the reader's (null for a spectator).
 * @typedef {{seat: number|null, names: Record<number, string>, place: string}} Teller
 */

/** "You move" or "Ann moves". */
function does(teller, seat, verb) {
  if (seat === teller.seat) return `You ${verb}`;
  return `${teller.names[seat]} ${verb}${verb.endsWith("o") ? "es" : "s"}`;
}

export const cellName = (cell) => `row ${cell[0]}, column ${cell[1]}`;

/** A sentence for an event, or null for one that needs no words. */
export function say(teller, event) {
  const { by } = event;
  const rival = other(by) === teller.seat ? "your" : `${teller.names[other(by)]}’s`;
  switch (event.event) {
    case "moved":
      return Array.isArray(event.to)
        ? `${does(teller, by, "lead")} the Seeker to ${cellName(event.to)}.`
        : `${does(teller, by, "move")} to ${teller.place} ${event.to}.`;
    case "triggered":
      return `Snap! There is a trap on ${teller.place} ${event.at}.`;
    case "returned":
      return `${does(teller, by, "go")} back to the start.`;
    case "trap tried":
      return event.succeeded
        ? `You set a trap on ${teller.place} ${event.at}.`
        : `No trap set: one of ${rival} traps is on ${teller.place} ${event.at} already.`;
    case "move refused":
      return event.count < 3 ? null : `${teller.names[by]} has made ${event.count} refused moves in a row.`;
    case "claim waived":
      return `${does(teller, by, "let")} it pass.`;
    case "draw offered":
      return `${does(teller, by, "offer")} a draw.`;
    case "draw declined":
      return `${does(teller, by, "decline")} the draw.`;
    default:
      return null;
  }
}

/** Events a whole room may hear: what a curtain between two players can say aloud. */
export const isPublic = (event) => event.event !== "trap tried";

/** The beginning of the account: how it was decided who starts. */
export function opening(view, teller) {
  const starts = does(teller, view.first, "start");
  return view.tossed ? `The coin is tossed. ${starts}.` : `${starts}.`;
}

/** Whose turn it is, in a few words, and what else waits for an answer. */
export function status(view, table, teller) {
  if (view.outcome) return headline(view.outcome, teller);
  const { seat } = teller;
  const offer = seat && view.draw_offer === other(seat) ? ` ${teller.names[other(seat)]} offers a draw.` : "";
  const claim = seat && view.may_claim === seat ? " You may claim the game." : "";
  return whoseTurn(view, table, teller) + offer + claim;
}

function whoseTurn(view, table, teller) {
  const { seat } = teller;
  if (!table.players[1] || !table.players[0]) {
    if (view.asks !== "secret") return "Waiting for the other player to join.";
  }
  if (table.go_on || view.asks === "trap") return "One more decision.";
  if (view.asks === "secret") return "First, your secret.";
  if (view.asks === "move") return "Your turn.";
  if (view.to_move === null) {
    const missing = [1, 2].filter((who) => !view.ready[who - 1]).map((who) => teller.names[who]);
    return `${missing.join(" and ")} still ${missing.length > 1 ? "choose" : "chooses"} in secret.`;
  }
  const bot = table.players[view.to_move - 1]?.bot;
  if (view.to_move === seat) return "Your turn.";
  return bot ? `${teller.names[view.to_move]} is thinking.` : `It is ${teller.names[view.to_move]}’s turn.`;
}

/** Who won, in a few words. */
function headline(outcome, teller) {
  if (outcome.winner === null) return "A draw.";
  if (outcome.winner === teller.seat) return "You win!";
  return `${teller.names[outcome.winner]} wins.`;
}

/** Why it ended so. */
export function because(outcome, view, teller) {
  const { winner, reason } = outcome;
  const win = winner && winner === teller.seat ? "You" : teller.names[winner];
  const lose = winner && other(winner) === teller.seat ? "You" : teller.names[other(winner)];
  const grid = view.board.board === "grid";
  switch (reason) {
    case "goal":
      return grid
        ? `${win} led the Seeker to ${win === "You" ? "your" : "their"} Goal Cell.`
        : `${win} reached the goal.`;
    case "trap":
      return `${lose} stepped on a hidden trap.`;
    case "resigned":
      return `${lose} resigned.`;
    case "forfeit":
      return `${win} claimed the game after three refused moves in a row.`;
    case "agreed draw":
      return "Both players agreed.";
    case "turn limit":
      return `The limit of ${plural(view.turn, "turn")} was reached.`;
    case "walled off":
      return "Both paths are walled off: nobody can reach the goal any more.";
    default:
      return capital(`${reason}.`);
  }
}

/** The board in sentences, for those who do not see it. */
export function describe(board, teller) {
  const of = (seat) => (seat === teller.seat ? "Your" : `${teller.names[seat]}’s`);
  if (board.board === "grid") {
    const goals = [1, 2].filter((seat) => board.goals[seat - 1]);
    return [
      `The Seeker is on ${cellName(board.seeker)}.`,
      ...goals.map((seat) => `${of(seat)} Goal Cell is ${cellName(board.goals[seat - 1])}.`),
    ];
  }
  const lines = [1, 2].map((seat) => {
    const is = seat === teller.seat ? "You are" : `${teller.names[seat]} is`;
    const back = board.returning[seat - 1] ? ", and goes back to the start before the next move" : "";
    return `${is} on ${teller.place} ${board.positions[seat - 1]}${back}; the goal is ${board.goals[seat - 1]}.`;
  });
  for (const owner of [1, 2, null]) {
    const live = board.traps.filter((trap) => trap.owner === owner && trap.live).map((trap) => trap.at);
    if (live.length) lines.push(`${owner ? `${of(owner)} traps` : "Traps"}: ${live.join(", ")}.`);
  }
  const spent = board.traps.filter((trap) => !trap.live).map((trap) => trap.at);
  if (spent.length) lines.push(`Sprung, and safe now: ${spent.join(", ")}.`);
  return lines;
}

/** What lies on one place of a track, for the label of a target. */
export function onPlace(board, at, teller) {
  const parts = [];
  for (const seat of [1, 2]) {
    if (board.positions[seat - 1] === at)
      parts.push(seat === teller.seat ? "you stand here" : `${teller.names[seat]} stands here`);
  }
  for (const trap of board.traps.filter((known) => known.at === at)) {
    const whose =
      trap.owner === null
        ? "a trap"
        : trap.owner === teller.seat
          ? "your trap"
          : `${teller.names[trap.owner]}’s trap`;
    parts.push(trap.live ? whose : `${whose}, sprung`);
  }
  for (const seat of [1, 2]) {
    if (board.goals[seat - 1] === at) {
      parts.push(
        board.goals[0] === board.goals[1]
          ? "the goal"
          : seat === teller.seat
            ? "your goal"
            : `${teller.names[seat]}’s goal`,
      );
      if (board.goals[0] === board.goals[1]) break;
    }
  }
  return parts;
}

export function onCell(board, cell, teller) {
  const same = (a) => a && a[0] === cell[0] && a[1] === cell[1];
  const parts = same(board.seeker) ? ["the Seeker"] : [];
  for (const seat of [1, 2]) {
    if (same(board.goals[seat - 1]))
      parts.push(seat === teller.seat ? "your Goal Cell" : `${teller.names[seat]}’s Goal Cell`);
  }
  return parts;
}
