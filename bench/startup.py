"""How long it takes from Enter to something to read: the version, a pipe, an assistant's first
answers, and the full screen.

What is measured is compiled, as `pip install` leaves it; where this runs from a folder of sources,
the first of many runs does that.
"""

from __future__ import annotations

import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from fcntl import ioctl

from trapline.terminal.ground import QUESTION

RUNS = 20
LINES, COLUMNS = 40, 100
REPLY = b"\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\\x1b[?62c"
"""What a terminal says of its ground and its kind when asked; a silent one is waited for."""


def compiled(folder: str) -> None:
    """Let Python keep what it has compiled in a folder, whatever this environment says of it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = folder


def seconds(*arguments: str, typed: str = "") -> float:
    """The fastest of many runs: what the command costs when nothing else disturbs it."""
    best = float("inf")
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments], input=typed, text=True, capture_output=True, check=True
        )
        best = min(best, time.perf_counter() - begun)
    return best


def to_an_assistant() -> tuple[float, float]:
    """The fastest start of `trapline mcp` until the handshake is answered, and the first tool."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench"}}
    started = {"name": "start", "arguments": {"game": "hidden-path"}}
    greeted, played = list[float](), list[float]()
    for _ in range(RUNS):
        begun = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "trapline", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for method, params, took in (
                ("initialize", hello, greeted),
                ("tools/call", started, played),
            ):
                request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
                assert b'"result"' in process.stdout.readline()
                took.append(time.perf_counter() - begun)
    return min(greeted), min(played)


def on_a_terminal() -> tuple[float, float]:
    """The fastest start of the full screen until its board stands, and key until screen."""
    starts, answers = [], []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as home:
            begun = time.perf_counter()
            child, terminal = pty.fork()
            if child == 0:
                environment = {"TRAPLINE_HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
                command = [sys.executable, "-m", "trapline", "play", "numeric-maze", "--first", "1"]
                os.execve(sys.executable, command, {**os.environ, **environment})  # noqa: S606 - our own program
            ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            _read_until(terminal, QUESTION)
            os.write(terminal, REPLY)
            _read_until(terminal, b"Choose your move")
            starts.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            os.write(terminal, b"?")
            _read_until(terminal, b"gives an answer at once")
            answers.append(time.perf_counter() - begun)
            os.write(terminal, b"q")
            os.write(terminal, b"q")
            os.close(terminal)
            os.waitpid(child, 0)
    return min(starts), min(answers)


def _read_until(terminal: int, text: bytes) -> None:
    seen = b""
    while text not in seen:
        if not select.select([terminal], [], [], 30)[0]:
            raise TimeoutError(seen)
        seen += os.read(terminal, 65536)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        compiled(folder)
        os.environ["TRAPLINE_HOME"] = folder
        bare = seconds("-c", "pass")
        version = seconds("-m", "trapline", "--version")
        pipe = seconds("-m", "trapline", "play", "numeric-maze", typed="resign\n")
        greeted, played = to_an_assistant()
        start, key = on_a_terminal()
    print(f"Start-up, best of {RUNS}")
    print(f"bare interpreter        {bare * 1000:6.1f} ms")
    print(f"trapline --version      {version * 1000:6.1f} ms, {version / bare:.1f} times as long")
    print(f"a whole match in a pipe {pipe * 1000:6.1f} ms")
    print(f"trapline mcp, handshake {greeted * 1000:6.1f} ms")
    print(f"trapline mcp, first tool{played * 1000:6.1f} ms")
    print(f"full screen, to board   {start * 1000:6.1f} ms")
    print(f"full screen, key to help {key * 1000:5.1f} ms")
    print()


if __name__ == "__main__":
    main()
