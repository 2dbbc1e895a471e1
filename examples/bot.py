"""A whole bot over plain HTTP: plays at random against a level of the computer.

Usage: python examples/bot.py http://127.0.0.1:8000 hidden-path casual
"""

import json
import random
import sys
from urllib.request import Request, urlopen

server, game, level = sys.argv[1:]


def call(path, body=None, key=""):
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(server + path, data, {"Authorization": f"Bearer {key}"}))


def choose(view, table):
    if view["asks"] == "secret":
        places = random.sample(table["secret_places"], table["secret_count"])
        return {"do": "secret", "secret": " ".join(map(text, places))}
    return {"do": "play", "turn": text(random.choice(view["legal"]))}


def text(move):
    return f"{move[0]},{move[1]}" if isinstance(move, list) else str(move)


key = json.load(call("/api/keys", {}))["key"]
match = json.load(call("/api/matches", {"game": game, "against": level}, key))["match"]
for line in call(f"/api/matches/{match}/stream?seat=1", key=key):
    message = json.loads(line) if line.strip() else {}
    if message.get("type") != "state":
        continue
    view, table, version = message["view"], message["table"], message["version"]
    if view["outcome"]:
        winner = view["outcome"]["winner"]
        print({1: "I won", 2: "I lost"}.get(winner, "We drew"), f"({view['outcome']['reason']}).")
        break
    if view["asks"] or table["go_on"]:
        command = {"do": "go on"} if table["go_on"] else choose(view, table)
        body = {"key": f"move {version}", "version": version, "command": command}
        call(f"/api/matches/{match}/commands?seat=1", body, key)
