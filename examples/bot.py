"""A whole bot over plain HTTP: plays any game at random against a level of the computer.

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


def answer(question: Any) -> str:
    """One of the answers; or as many as make one together."""
    texts = [choice["text"] for choice in question["answers"]]
    return " ".join(random.sample(texts, question.get("choose", 1)))


key = json.load(call("/api/keys", {}))["key"]
match = json.load(call("/api/matches", {"game": game, "against": level}))["match"]
for line in call(f"/api/matches/{match}/stream?seat=1&plain=1"):
    message = json.loads(line) if line.strip() else {}
    if message.get("type") != "state":
        continue
    view, question = message["view"], message["view"]["question"]
    if view["outcome"]:
        winner, reason = view["outcome"]["winner"], view["outcome"]["reason"]
        print({1: "I won", 2: "I lost", None: "We drew"}[winner], f"({reason}).")
        break
    if question:
        command = {"do": "play", "turn": answer(question)}
        # One key for one question: if it is heard twice, it is answered once.
        once = f"{view['turn']} {question['asks']} {len(question['answers'])}"
        request = {"key": once, "version": message["version"], "command": command}
        call(f"/api/matches/{match}/commands?seat=1&plain=1", request)
