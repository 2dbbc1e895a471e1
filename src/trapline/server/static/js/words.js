/** What the page itself says, about any match: whose turn it is, and how it ended. */

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const other = (seat) => (seat === 1 ? 2 : 1);

/** Both names, with a stand-in where nobody sits yet. */
export const namesOf = (table) => ({ 1: nameOf(table.players[0], 1), 2: nameOf(table.players[1], 2) });

export const nameOf = (player, seat) => (player?.bot ? "Computer" : player?.name || `Player ${seat}`);

/**
 * Who reads: `seat` is the reader's (null for a spectator).
 * @typedef {{seat: number|null, names: Record<number, string>}} Teller
 */

/** Whose turn it is, in a few words, and what else waits for an answer. */
export function status(view, table, teller) {
  if (view.outcome) return headline(view.outcome, table, teller);
  const { seat } = teller;
  const offer = seat && view.draw_offer === other(seat) ? ` ${teller.names[other(seat)]} offers a draw.` : "";
  const claim = seat && view.may_claim === seat ? " You may claim the game." : "";
  return whoseTurn(view, table, teller) + offer + claim;
}

function whoseTurn(view, table, teller) {
  if (table.alarm) return table.alarm;
  const { awaited, opening } = table.locked ?? {};
  if (awaited) return `${teller.names[awaited.seat]}’s device ${awaited.wants ? "answers for" : "opens"} ${awaited.place}.`;
  if (opening?.length) return "Decided. The devices are opening what was hidden.";
  if (view.question) {
    if (!table.players.every(Boolean)) return "Your turn. Waiting for the other player to join.";
    const both = view.to_move === null && !view.ready[other(teller.seat) - 1];
    return both ? "Both of you decide now." : "Your turn.";
  }
  if (!table.players.some(Boolean)) return "Waiting for two players.";
  if (!table.players.every(Boolean)) return "Waiting for the other player to join.";
  if (view.to_move === null) {
    const missing = [1, 2].filter((who) => !view.ready[who - 1]).map((who) => teller.names[who]);
    return `${missing.join(" and ")} still ${missing.length > 1 ? "decide" : "decides"}.`;
  }
  if (view.to_move === teller.seat) return "Your turn.";
  const bot = table.players[view.to_move - 1]?.bot;
  return bot ? `${teller.names[view.to_move]} is thinking.` : `It is ${teller.names[view.to_move]}’s turn.`;
}

/** Who won, in a few words. */
function headline(outcome, table, teller) {
  if (!table.players.every(Boolean)) return "The challenge is cancelled.";
  if (outcome.winner === null) return "A draw.";
  if (outcome.winner === teller.seat) return "You win!";
  return `${teller.names[outcome.winner]} wins.`;
}

/** Which game of a series this is, or how the series ended. */
export function sayStanding(series, teller) {
  if (!series) return "";
  const [one, two] = series.wins;
  if (!series.decided) return `Game ${series.number} of at most ${series.best_of}`;
  const score = `${Math.max(one, two)}:${Math.min(one, two)}`;
  return one === two ? `The series ends level, ${score}.` : `${teller.names[one > two ? 1 : 2]} wins the series, ${score}.`;
}

/** What players should know where their devices open what is hidden. */
export const sayLocked = (view, table) =>
  table.locked && !view.outcome ? "Only your own devices know what you hide. Keep this page open: it answers for you." : "";

/** A finished match as a list of matches shows it. */
export function resultOf(view, table, game, teller, here) {
  const { seat } = teller;
  const rival = seat ? table.players[other(seat) - 1] : null;
  const { winner } = view.outcome;
  const result = winner === null ? "drawn" : winner === seat ? "won" : "lost";
  return {
    game: game.name,
    title: game.title,
    against: here ? "two on this device" : rival ? (rival.bot ?? rival.name) : "nobody",
    bot: Boolean(rival?.bot),
    result: here || !rival ? "seen" : result,
    turns: view.turn,
    at: new Date().toISOString(),
  };
}

/**
 * What a banner over the board says: that somebody is caught, or how it ended.
 * @param known  how many events were known before the scene that the banner belongs to
 * @param shared  whether both look at the same screen, so that nobody there has only lost
 */
export function banner(beat, state, known, teller, shared) {
  const { outcome } = state.view;
  const told = (beat.about ?? []).flatMap((index) => state.words.told[known + index]).join(" ");
  if (!beat.over) {
    const who = beat.by === teller.seat ? "You are" : `${teller.names[beat.by]} is`;
    return { headline: `Snap! ${who} caught.`, detail: told, seat: beat.by };
  }
  const { winner } = outcome;
  const lost = teller.seat && winner !== teller.seat && !shared;
  return {
    headline: headline(outcome, state.table, shared ? { ...teller, seat: null } : teller),
    detail: told || state.words.ending.join(" "),
    seat: winner,
    end: winner === null ? "even" : lost ? "lost" : "won",
  };
}
