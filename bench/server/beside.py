"""`python -m bench.server.beside ADDRESS`: a match beside a crowd, played by a process of its own.

Whoever reads for thousands is slow to read for one more, and would take that for the server's
doing. It says for each move when it was sent and when it was seen, until it is stopped.
"""

from __future__ import annotations

import asyncio
import sys
import time

import uvloop

from bench.server.load import open_match
from bench.server.table import Table

PAUSE = 0.02


async def play(address: str) -> None:
    body = {"game": "numeric-maze", "against": "here", "first": 1, "options": {"turn_limit": 0}}
    table = Table(address, *await open_match(address, body))
    players = [await table.join(seat) for seat in (1, 2)]
    number = 0
    while True:
        begun = time.monotonic()
        took = await table.move(players[number % 2], number)
        sys.stdout.write(f"{begun} {begun + took}\n")
        sys.stdout.flush()
        number += 1
        await asyncio.sleep(PAUSE)


if __name__ == "__main__":
    uvloop.run(play(sys.argv[1]))
