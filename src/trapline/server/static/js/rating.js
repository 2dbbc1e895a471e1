/** How strong somebody is beside whom they played, from results alone. */

const ENOUGH = 5; // matches before there is anything to say
const SURE = 1.96; // standard deviations on either side, for 95 of 100 such ranges

/** Points above an opponent, where 400 more win ten times as often; without end for all or nothing. */
function points(share) {
  if (share < 1e-9) return -Infinity;
  return share > 1 - 1e-9 ? Infinity : Math.round(400 * Math.log10(share / (1 - share)));
}

/**
 * Wilson's range around the share of points that were won. Who has won or lost everything has a range
 * that is open on one side, but a rating all the same.
 * @returns {{rating: number, low: number, high: number}|null}  null where too little was played
 */
export function ratingOf({ won, drawn, lost }) {
  const played = won + drawn + lost;
  if (played < ENOUGH) return null;
  const share = (won + drawn / 2) / played;
  const weight = SURE ** 2 / played;
  const middle = (share + weight / 2) / (1 + weight);
  const spread = (SURE / (1 + weight)) * Math.sqrt((share * (1 - share)) / played + weight / (4 * played));
  const [rating, low, high] = [middle, middle - spread, middle + spread].map(points);
  return { rating, low, high };
}

const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

/** "+120 (−30 to +270)", or how many matches are missing. */
export function sayRating(sums) {
  const found = ratingOf(sums);
  return found ? `${signed(found.rating)} (${sayRange(found)})` : `after ${ENOUGH} matches`;
}

function sayRange({ low, high }) {
  if (low === -Infinity) return `at most ${signed(high)}`;
  return high === Infinity ? `at least ${signed(low)}` : `${signed(low)} to ${signed(high)}`;
}
