"""Asking without telling what is asked: the other gives something, and cannot know whether it
was wanted; whoever did not want it cannot read it.

Whoever asks sends a number that is a public key. If the answer is wanted, its private key is known;
if not, nobody knows any, since the number is the square of a hash. What is given is encrypted to
it (ElGamal in the quadratic residues modulo a safe prime, with SHA-256). Both kinds of number look
alike. All that is random comes from a salt, so whoever opens the salt shows that they were honest.
"""

from __future__ import annotations

import hashlib
import json

PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74"
    "020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"
    "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05"
    "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB"
    "9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"
    "3995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF",
    16,
)
"""The 2048-bit group of RFC 3526: 2 generates its quadratic residues."""
DIGITS = 512
"""Hexadecimal digits of a number of the group."""
HEXADECIMAL = frozenset("0123456789abcdef")
TAG = "trapline transfer 1"


def derived(seed: str, subject: str) -> str:
    """The salt of one subject, from the one random number that a device draws for a match."""
    return _hash("salt", seed, subject)


def asked(salt: str, *, wanted: bool) -> str:
    """What is sent by whoever asks."""
    return _written(pow(2, _exponent(salt), PRIME) if wanted else pow(_number(salt, 8), 2, PRIME))


def given(question: str, message: str, salt: str) -> str:
    """What is given to whoever asked so; the message is 64 hexadecimal digits."""
    exponent = _exponent(salt)
    key = _written(pow(2, exponent, PRIME))
    return key + _veiled(message, key, pow(int(question, 16), exponent, PRIME))


def taken(answer: str, salt: str) -> str:
    """The message of what was given to whoever asked with this salt and wanted it."""
    key, veiled = answer[:DIGITS], answer[DIGITS:]
    return _veiled(veiled, key, pow(int(key, 16), _exponent(salt), PRIME))


def is_question(text: str) -> bool:
    return len(text) == DIGITS and _is_hexadecimal(text) and 1 < int(text, 16) < PRIME - 1


def is_answer(text: str) -> bool:
    key, veiled = text[:DIGITS], text[DIGITS:]
    return is_question(key) and len(veiled) == 64 and _is_hexadecimal(veiled)


def _is_hexadecimal(text: str) -> bool:
    """In the one way that is written: a record may hold anything, and int() takes much more."""
    return set(text) <= HEXADECIMAL


def _exponent(salt: str) -> int:
    """Of 512 bits: more than a group of this strength needs, and four times as fast as all."""
    return _number(salt, 2)


def _number(salt: str, blocks: int) -> int:
    return int("".join(_hash("number", salt, block) for block in range(blocks)), 16)


def _veiled(message: str, key: str, shared: int) -> str:
    return f"{int(message, 16) ^ int(_hash('veil', key, _written(shared)), 16):064x}"


def _written(number: int) -> str:
    return f"{number:0{DIGITS}x}"


def _hash(*parts: str | int) -> str:
    text = json.dumps([TAG, *parts], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
