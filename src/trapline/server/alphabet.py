"""Letters of seven rows of five dots each, for pictures that are drawn where there is no font."""

from __future__ import annotations

import unicodedata

ROWS, COLUMNS = 7, 5
ALPHABET = {
    "A": "ehhvhhh", "B": "uhhuhhu", "C": "ehggghe", "D": "uhhhhhu", "E": "vgguggv",
    "F": "vgguggg", "G": "ehgnhhe", "H": "hhhvhhh", "I": "e44444e", "J": "72222ic",
    "K": "hikokih", "L": "ggggggv", "M": "hrllhhh", "N": "hpljhhh", "O": "ehhhhhe",
    "P": "uhhuggg", "Q": "ehhhlid", "R": "uhhukih", "S": "fgge11u", "T": "v444444",
    "U": "hhhhhhe", "V": "hhhhha4", "W": "hhhllla", "X": "hha4ahh", "Y": "hha4444",
    "Z": "v1248gv", "0": "ehjlphe", "1": "4c4444e", "2": "eh1248v", "3": "v2421he",
    "4": "26aiv22", "5": "vgu11he", "6": "68guhhe", "7": "v124888", "8": "ehhehhe",
    "9": "ehhf12c", ".": "00000cc", ",": "0000c48", ":": "0cc0cc0", "!": "4444404",
    "?": "eh12404", "'": "4400000", "-": "000e000", "–": "000v000", "(": "2488842",
    ")": "8422248", "&": "cik8lid", "/": "01248g0", "+": "044v440", "_": "000000v",
    "×": "0ha4ah0", "·": "0004000", " ": "0000000",
}  # fmt: skip
"""Each row as a digit from 0 to v, which is 31; its bits are the dots, the left one first."""
UNKNOWN = "·"
SAME = {"’": "'", "‘": "'", "“": "'", "”": "'", '"': "'", "—": "–", "Ø": "O", "Ł": "L", "Æ": "AE"}


def spelled(text: str) -> str:
    """A text in capitals of the alphabet; accents fall away, and what has no letter is a dot."""
    bare = unicodedata.normalize("NFKD", text.upper())
    letters = "".join(SAME.get(sign, sign) for sign in bare if not unicodedata.combining(sign))
    return "".join(letter if letter in ALPHABET else UNKNOWN for letter in letters)


def dots(letter: str) -> list[tuple[int, int]]:
    """The row and column of each dot of a letter."""
    rows = [int(row, 2**COLUMNS) for row in ALPHABET[letter]]
    return [
        (row, column)
        for row, bits in enumerate(rows)
        for column in range(COLUMNS)
        if bits >> (COLUMNS - 1 - column) & 1
    ]
