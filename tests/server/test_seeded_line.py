"""The simulated client does what the page's connection.js does, step by step."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import trapline.server
from tests.seeded.line import Line

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
DRIVER = HERE.parent / "seeded" / "drive_connection.mjs"
CONNECTION = Path(trapline.server.__file__).parent / "static" / "js" / "connection.js"
NODE = shutil.which("node")

Steps = list[dict[str, Any]]


def in_javascript(scripts: list[Steps]) -> list[Any]:
    """What the page's own line does in each script."""
    assert NODE is not None, "Node.js is not installed (on Debian: apt install nodejs)."
    done = subprocess.run(
        [NODE, DRIVER, CONNECTION],
        input="".join(json.dumps(script) + "\n" for script in scripts),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


class Socket:
    """What a link is to a line, and all that the line does with it."""

    def __init__(self, number: int, done: list[Any]) -> None:
        self._number = number
        self._done = done
        self.connected = False
        self.open = True
        self.shown = 0

    def put(self, frame: dict[str, Any]) -> None:
        if self.connected:
            self._done.append(["put", self._number, frame])

    def close(self) -> None:
        self.open = False
        self._done.append(["close", self._number])


class Timers:
    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[Any] = []

    def call_later(self, pause: float, call: Any) -> Any:
        timer = SimpleNamespace(when=self.now + pause, call=call, cancelled=False)
        timer.cancel = lambda: setattr(timer, "cancelled", True)
        self._timers.append(timer)
        return timer

    def go_on(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [t for t in self._timers if not t.cancelled and t.when <= until]:
            timer = min(due, key=lambda timer: timer.when)
            self._timers.remove(timer)
            self.now = max(self.now, timer.when)
            timer.call()
        self.now = until


class Keys(random.Random):
    """The driver's chance: the middle of everything, and keys that are counted."""

    def __init__(self) -> None:
        super().__init__()
        self._count = -1

    def random(self) -> float:
        return 0.5

    def randbytes(self, size: int) -> bytes:
        self._count += 1
        return self._count.to_bytes(size, "big")


def in_python(steps: Steps) -> list[Any]:
    """What the simulated line does."""
    done: list[Any] = []
    sockets: list[Socket] = []
    timers = Timers()

    def connect(
        _client: Any, _path: str, query: str, _key: str, _address: str, *, streams: bool
    ) -> Socket:
        assert not streams  # the page has a socket
        sockets.append(Socket(len(sockets), done))
        done.append(["connect", f"?{query}"])
        return sockets[-1]

    model = SimpleNamespace(heard=lambda _line: None, decided={})
    world = SimpleNamespace(outside=timers, model=model)
    network: Any = SimpleNamespace(connect=connect, world=world)
    listener: Any = SimpleNamespace(
        state=lambda _: None, refused=lambda _: None, lost=lambda _: None
    )
    line = Line(network, "m", 1, "", "", listener, Keys(), plain=False)
    told: list[Any] = []
    for step in steps:
        take_step(step, line, sockets, timers)
        told.append([line.version, len(line.events), [*line.unanswered], done[:]])
        done.clear()
    return told


def take_step(step: dict[str, Any], line: Line, sockets: list[Socket], timers: Timers) -> None:
    socket = sockets[step["socket"]] if "socket" in step else None
    if step["do"] == "send":
        line.send(step["command"], line.version)
    elif step["do"] == "pass":
        timers.go_on(step["seconds"])
    elif step["do"] == "offline":
        line.go_offline()
    elif step["do"] == "online":
        line.retry_now()
    elif socket is not None and socket.open:
        link: Any = socket
        if step["do"] == "hear":
            socket.connected = True
            line.on_message(link, step["message"])
        else:
            socket.open = False
            line.on_close(link, step["code"])


def state(version: int, since: int, *answers: str) -> dict[str, Any]:
    events = [{"event": number} for number in range(since, version)]
    told: list[list[str]] = [[] for _ in events]
    view, words = {"events": events}, {"told": told}
    return {
        "type": "state", "version": version, "since": since, "view": view, "words": words,
        "answers": list(answers), "table": {},
    }  # fmt: skip


def refused(reason: str, key: str | None, shown: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "refused", "reason": reason, "key": key, "sentence": "…", "state": shown}


def hear(message: dict[str, Any], socket: int = -1) -> dict[str, Any]:
    return {"do": "hear", "socket": socket, "message": message}


SEND = {"do": "send", "command": {"do": "rematch"}}


def key(number: int) -> str:
    return f"{number:024x}"


def made_up(seed: int) -> Steps:
    """A script of what may happen to a line, in any order."""
    chance = random.Random(seed)
    steps: Steps = [hear(state(1, 0))]
    for _ in range(30):
        version = chance.randint(1, 6)
        answers = [key(chance.randint(0, 4)) for _ in range(chance.randint(0, 2))]
        shown = state(version, chance.choice((0, chance.randint(0, version))), *answers)
        reason = chance.choice(("stale", "too fast", "unavailable"))
        refusal = refused(reason, chance.choice((None, key(1))), chance.choice((None, shown)))
        presence = {"type": "presence", "here": [True, True], "watching": 0}
        message = chance.choice((shown, shown, refusal, presence))
        steps.append(
            chance.choice(
                (
                    SEND,
                    hear(message, chance.choice((-1, -1, 0))),
                    hear(message),
                    {"do": "cut", "socket": -1, "code": chance.choice((1006, 1001, 1008, 1013))},
                    {"do": "pass", "seconds": chance.choice((0.1, 1.0, 5.0, 20.0))},
                    {"do": "offline"},
                    {"do": "online"},
                )
            )
        )
    return steps


def test_the_simulated_line_does_what_the_page_does() -> None:
    scripts = [made_up(seed) for seed in range(300)]
    for script, wanted in zip(scripts, in_javascript(scripts), strict=True):
        for step, one, two in zip(script, in_python(script), wanted, strict=True):
            assert one == two, (step, script)


LINES: dict[str, Callable[[list[Steps]], list[Any]]] = {
    "simulated": lambda scripts: [in_python(script) for script in scripts],
    "the page's": in_javascript,
}


@pytest.mark.parametrize("line", LINES)
def test_what_was_not_answered_goes_out_again_after_starting_over(line: str) -> None:
    """The answer was overtaken by a later state, which does not continue what the client has."""
    steps = [hear(state(1, 0)), SEND, hear(state(3, 2)), hear(state(3, 0))]
    *_, (_, _, unanswered, done) = LINES[line]([steps])[0]
    assert unanswered == [key(0)]
    assert done == [["put", 1, {"key": key(0), "version": 1, "command": {"do": "rematch"}}]]


@pytest.mark.parametrize("line", LINES)
def test_a_line_has_one_socket_however_often_the_network_leaves(line: str) -> None:
    away, back = {"do": "offline"}, {"do": "online"}
    steps = [hear(state(1, 0)), away, away, back, {"do": "pass", "seconds": 9}]
    done = [action for step in LINES[line]([steps])[0] for action in step[3]]
    opened = sum(action[0] == "connect" for action in done)
    closed = sum(action[0] == "close" for action in done)
    assert opened - closed <= 1, done


@pytest.mark.parametrize("line", LINES)
def test_what_several_refusals_put_off_is_sent_again_once(line: str) -> None:
    """Each of them had everything sent again, so that there were more of them every second."""
    refusals = [hear(refused("unavailable", key(number))) for number in range(3)]
    wait = {"do": "pass", "seconds": 1.0}
    steps = [hear(state(1, 0)), SEND, SEND, SEND, *refusals, wait, *refusals, wait]
    told = LINES[line]([steps])[0]
    for *_, done in (told[7], told[11]):
        assert [frame["key"] for _, _, frame in done] == [key(0), key(1), key(2)]
