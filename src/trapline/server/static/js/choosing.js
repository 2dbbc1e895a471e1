/** What somebody typed for a question whose answer must not leave this device. */

/** The answers that a text names, in the question's order; throws a sentence for what is not allowed. */
export function choose(question, text) {
  const wanted = question.choose || 1;
  const named = words(question, text).map((word) => find(question.answers, word));
  const noun = `${question.noun}${wanted > 1 ? "s" : ""}`;
  const [first, last] = [question.answers[0].text, question.answers.at(-1).text];
  const right = `choose ${wanted > 1 ? `${wanted} different ${noun}` : `one ${noun}`} from ${first} to ${last}`;
  if (named.includes(undefined)) throw new Error(`“${text}” cannot be chosen: ${right}.`);
  if (new Set(named).size !== wanted || named.length !== wanted) throw new Error(`That is not it: ${right}.`);
  const chosen = question.answers.filter((answer) => named.includes(answer));
  if (question.neighbours && longestRun(question.answers, chosen) > question.neighbours)
    throw new Error(`At most ${question.neighbours} may lie side by side: spread them out.`);
  return chosen;
}

/** Cells are two numbers, and often the row goes without saying; sets are numbers in a row. */
function words(question, text) {
  const numbers = text.match(/\d+/g) ?? [];
  return question.answers[0].text.includes(",") && !question.choose ? [numbers.join(",")] : numbers;
}

const find = (answers, word) =>
  answers.find((answer) => answer.text === word) ??
  (answers[0].text.includes(",") ? answers.find((answer) => answer.text.endsWith(`,${word}`)) : undefined);

function longestRun(answers, chosen) {
  let [longest, run] = [0, 0];
  for (const answer of answers) {
    run = chosen.includes(answer) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
