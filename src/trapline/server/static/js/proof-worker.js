/** Checks certificates beside the page, so that it never freezes: texts in, {proven, sentence} out. */

import { check } from "/proofs/check.mjs";

addEventListener("message", ({ data }) => postMessage({ id: data.id, ...check(data.text) }));
