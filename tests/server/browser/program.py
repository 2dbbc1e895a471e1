"""A program at seat 1 of a locked match, over plain HTTP, with a device of its own in Python."""

from __future__ import annotations

import json
import threading
from typing import Any, Self
from urllib.request import Request, urlopen

from trapline.games import make_game
from trapline.referee.locked.device import Device

PATIENCE = 60.0


class Program:
    """Opens a match, hides its secret, and plays the shortest step whenever it is asked."""

    def __init__(self, address: str, game: str, options: dict[str, Any], secret: Any) -> None:
        self._address = address
        self._key = ""
        self._key = json.load(self.call("/api/keys", {}))["key"]
        clock = {"kind": "per move", "seconds": 3600}
        wanted = {"game": game, "options": options, "against": "link", "first": 1}
        opened = json.load(self.call("/api/matches", {**wanted, "clock": clock, "locked": True}))
        self.match: str = opened["match"]
        self.link: str = address + opened["link"]
        self._device = Device(make_game(game, options), self.match, 1, secret)
        self._playing = threading.Thread(target=self._play)

    def call(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._key}"}
        request = Request(self._address + path, data, headers)  # noqa: S310 (our own server's)
        return urlopen(request, timeout=PATIENCE)  # noqa: S310 (likewise)

    def record(self) -> bytes:
        body: bytes = self.call(f"/api/matches/{self.match}/record").read()
        return body

    def __enter__(self) -> Self:
        self._playing.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._playing.join(PATIENCE)

    def _play(self) -> None:
        for line in self.call(f"/api/matches/{self.match}/stream?seat=1&plain=1"):
            message = json.loads(line) if line.strip() else {}
            if message.get("type") != "state":
                continue
            if message["view"]["outcome"]:
                break
            if command := self._command(message["view"], message["table"]["locked"]):
                request = {
                    "key": f"version {message['version']}",
                    "version": message["version"],
                    "command": command,
                }
                self.call(f"/api/matches/{self.match}/commands?seat=1&plain=1", request)

    def _command(self, view: dict[str, Any], locked: dict[str, Any]) -> dict[str, Any] | None:
        asked, question = locked["awaited"], view["question"]
        if 1 in locked["opening"]:
            told = [one["place"] for one in locked["opened"] if one["seat"] == 1]
            holds, salts = self._device.rest(told)
            return {"do": "open rest", "holds": holds, "salts": salts}
        if asked and asked["seat"] == 1:
            place, holds_it, salt = self._device.open(asked["place"], asked["turn"])
            return {"do": "open", "place": place, "holds": holds_it, "salt": salt}
        if question is None:
            return None
        if question["asks"] == "secret":
            return {"do": "lock", "locks": self._device.locks()}
        return {"do": "play", "turn": question["answers"][0]["text"]}
