"""The forms in which a batch shows what it shows: numbers, bytes, or bits.

float32   a number for each feature, as `encoding` lays them out
uint8     the same in bytes; `turn`, the only one that is not 0 or 1, in 255ths
bits      the same as bits of 64-bit words, the first feature lowest; the bit of `turn` is 0,
          and its byte follows the last feature
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from trapline.core import TraplineError, brief

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.simulate.encoding import Encoding

Dtype = Literal["float32", "uint8", "bits"]
WORD, BYTE = 64, 8
LINE = 64


class Form:
    """How observations of one encoding are held."""

    def __init__(self, encoding: Encoding, dtype: Dtype) -> None:
        if dtype not in get_args(Dtype):
            known = ", ".join(get_args(Dtype))
            raise TraplineError(f"dtype must be one of {known}, not {brief(dtype)}.")
        self.packed = dtype == "bits"
        self.dtype: np.dtype[Any] = np.dtype(np.uint64 if self.packed else dtype)
        self.features = encoding.size
        self.words = -(-(encoding.size + BYTE) // WORD)
        """Words that have a bit for each feature, and a byte."""
        self.width = self.words if self.packed else encoding.size
        """Numbers in a row."""
        self._turn_at = encoding.layout["turn"].start
        self._horizon = encoding.horizon

    def empty(self, batch: int) -> NDArray[Any]:
        """Room for so many rows, which begins where a line of the processor's cache does."""
        size = batch * self.width * self.dtype.itemsize
        room = np.empty(size + LINE, np.uint8)
        begin = -room.ctypes.data % LINE
        return room[begin : begin + size].view(self.dtype).reshape(batch, self.width)

    def written(self, observation: NDArray[np.float32], turn: int) -> NDArray[Any]:
        """An observation of numbers in this form; `turn` is what its share was made from."""
        if self.dtype == np.float32:
            return observation
        row = observation.astype(np.uint8)
        share = 255 * min(turn, self._horizon) // self._horizon
        if not self.packed:
            row[self._turn_at] = share
            return row
        row[self._turn_at] = 0
        bits = np.zeros(self.width * WORD, np.uint8)
        bits[: self.features] = row
        bits[self.features : self.features + BYTE] = [share >> bit & 1 for bit in range(BYTE)]
        return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)

    def unpacked(self, words: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Rows of bits as the bytes that `uint8` would have shown."""
        if words.ndim != 2 or words.shape[1] != self.width or words.dtype != np.uint64:
            raise TraplineError(f"unpacked takes rows of {self.width} numbers of 64 bits.")
        octets = np.ascontiguousarray(words, "<u8").view(np.uint8)
        bits = np.unpackbits(octets, axis=1, bitorder="little")
        rows = bits[:, : self.features].copy()
        share = np.packbits(
            bits[:, self.features : self.features + BYTE], axis=1, bitorder="little"
        )
        rows[:, self._turn_at] = share[:, 0]
        return rows
