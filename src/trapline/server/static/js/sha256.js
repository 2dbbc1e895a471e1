/**
 * SHA-256 of a text, in hexadecimal. Browsers offer their own only on secure origins, and a
 * game between two phones on the same network is played over plain http.
 */

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n += 1) {
  if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
}
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const turn = (word, by) => (word >>> by) | (word << (32 - by));

export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  bytes.forEach((byte, index) => padded.setUint8(index, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(blocks * 64 - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(blocks * 64 - 4, (bytes.length * 8) >>> 0);
  let hash = [...START];
  for (let block = 0; block < blocks; block += 1) hash = compress(hash, schedule(padded, block * 64));
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function schedule(data, offset) {
  const words = [];
  for (let i = 0; i < 16; i += 1) words.push(data.getUint32(offset + i * 4));
  for (let i = 16; i < 64; i += 1) {
    const a = words[i - 15];
    const b = words[i - 2];
    const small = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const large = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    words.push((words[i - 16] + small + words[i - 7] + large) | 0);
  }
  return words;
}

function compress(hash, words) {
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i += 1) {
    const mix = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + mix + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
    const sum = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (sum + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + hash[index]) | 0);
}
