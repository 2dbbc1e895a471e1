"""A whole bot over plain HTTP: plays at random against a level of the computer.

python examples/bot.py http://127.0.0.1:8000 hidden-path casual
"""

import json
import random
import sys
from typing import Any
from urllib.request import Request, urlopen

server, game, level = sys.argv[1:]
key = ""


def call(path: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(server + path, data, {"Authorization": f"Bearer {key}"}))


def text(move: Any) -> str:
    return f"{move[0]},{move[1]}" if isinstance(move, list) else str(move)


def choose(view: Any, table: Any) -> dict[str, str]:
    if table["go_on"]:
        return {"do": "go on"}
    if view["asks"] == "secret":
        places = random.sample(table["secret_places"], table["secret_count"])
        return {"do": "secret", "secret": " ".join(map(text, places))}
    return {"do": "play", "turn": text(random.choice(view["legal"]))}


key = json.load(call("/api/keys", {}))["key"]
match = json.load(call("/api/matches", {"game": game, "against": level}))["match"]
for line in call(f"/api/matches/{match}/stream?seat=1"):
    message = json.loads(line) if line.strip() else {}
    if message.get("type") != "state":
        continue
    view, table, version = message["view"], message["table"], message["version"]
    if view["outcome"]:
        winner, reason = view["outcome"]["winner"], view["outcome"]["reason"]
        print({1: "I won", 2: "I lost", None: "We drew"}[winner], f"({reason}).")
        break
    if view["asks"] or table["go_on"]:
        # One key for one question: if it is heard twice, it is answered once.
        question = f"{view['turn']} {view['asks']}"
        command = {"key": question, "version": version, "command": choose(view, table)}
        call(f"/api/matches/{match}/commands?seat=1", command)
