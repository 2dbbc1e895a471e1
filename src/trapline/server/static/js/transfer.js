/**
 * Asking without telling what is asked, as docs/protocol.md has it: what is asked with is a public
 * key whose private key is known if the answer is wanted, and to nobody if not.
 */

import { sha256 } from "./sha256.js";

const TAG = "trapline transfer 1";
const DIGITS = 512;
/** The 2048-bit group of RFC 3526. */
const PRIME = BigInt(
  "0xFFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74" +
    "020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437" +
    "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED" +
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05" +
    "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB" +
    "9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B" +
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718" +
    "3995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF",
);

const hash = (...parts) => sha256(JSON.stringify([TAG, ...parts]));
const read = (digits) => BigInt(`0x${digits}`);
const written = (number, digits = DIGITS) => number.toString(16).padStart(digits, "0");

function power(base, exponent) {
  let [result, square] = [1n, base % PRIME];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}

const numberOf = (salt, blocks) =>
  read(Array.from({ length: blocks }, (_, block) => hash("number", salt, block)).join(""));
const exponentOf = (salt) => numberOf(salt, 2);

const veiled = (message, key, shared) =>
  written(read(message) ^ read(hash("veil", key, written(shared))), 64);

/** The salt of one subject, from the one random number that a device draws for a match. */
export const derived = (seed, subject) => hash("salt", seed, subject);

/** What is sent by whoever asks. */
export const asked = (salt, wanted) =>
  written(wanted ? power(2n, exponentOf(salt)) : power(numberOf(salt, 8), 2n));

/** What is given to whoever asked so. */
export function given(question, message, salt) {
  const exponent = exponentOf(salt);
  const key = written(power(2n, exponent));
  return key + veiled(message, key, power(read(question), exponent));
}

/** The message of what was given to whoever asked with this salt and wanted it. */
export function taken(answer, salt) {
  const key = answer.slice(0, DIGITS);
  return veiled(answer.slice(DIGITS), key, power(read(key), exponentOf(salt)));
}
