"""Players and watchers: they open, join and play matches, lose patience, and come back."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from tests.seeded.devices import OwnDevice
from tests.seeded.line import Line
from trapline.core import SECRET

if TYPE_CHECKING:
    from tests.seeded.plan import Story
    from tests.seeded.world import World

THINKS = 1.5
"""Seconds that a player looks at a state before answering, at most."""
A_MOVE = 60
"""Seconds that players have for each, where they play against a clock."""
PLAYS_AGAIN = 0.8
"""How often somebody who plays has played another match before."""


class Person:
    """Somebody at a seat of a match, or beside it (0)."""

    def __init__(self, cast: Cast, match: str, seat: int, key: str, number: int) -> None:
        self._cast = cast
        self._chance = Random(f"{cast.world.plan.seed} {cast.story.number} {match} {seat} {number}")
        self._due = False
        self._hides_elsewhere = seat == 2 and cast.story.number == cast.world.plan.other_secrets
        self._wants_rematch = cast.wants_rematch and seat != 0
        self.key = key
        self.over = False
        self.line = Line(
            cast.world.network,
            match,
            seat,
            key,
            f"10.0.{cast.story.number}.{number}",
            self,
            self._chance,
            plain=not cast.story.wordy,
            post=self._post if cast.story.posts or cast.story.streams else None,
            streams=cast.story.streams,
        )
        self._device = OwnDevice(cast.story, match, seat, self._chance)
        self._leaves_after = self._chance.randrange(1, 5) if cast.story.leaver == seat else 0
        self.gone = False
        cast.world.people.append(self)

    # --- what a line tells --------------------------------------------------------------

    def state(self, state: dict[str, Any]) -> None:
        self.over = state["view"]["outcome"] is not None
        if state["table"]["next"] is not None:
            self._cast.follow(state["table"]["next"], self)
        self._think()
        if self._chance.random() < 0.03:
            self._flicker()

    def _flicker(self) -> None:
        """The network is gone for a moment; another process may be there when it comes back."""
        if not self.line.closed:
            self.line.go_offline()
            pause = self._chance.random() ** 3 / 5
            self._cast.world.outside.call_later(pause, self.line.retry_now)

    def refused(self, refusal: dict[str, Any]) -> None:
        if not self.line.awaits(refusal["state"]):
            self._think()

    def lost(self, code: int) -> None:
        self._cast.world.broken(f"{self.line.match}, seat {self.line.seat}: sent away with {code}")

    def _think(self) -> None:
        if not self._due and self.line.seat and not self.line.closed:
            self._due = True
            pause = THINKS * self._chance.random() ** 2
            self._cast.world.outside.call_later(pause, self._decide)

    def _decide(self) -> None:
        self._due = False
        state = self.line.newest
        if state is None or self.line.closed or self.line.unanswered:
            return
        command = self._command(state["view"], state["table"])
        if command is not None:
            mood = self._chance.random()
            late = mood > 0.95 and self.line.version > 1  # it was meant for what was there before
            self.line.send(command, self.line.version - late)
            if mood < 0.02:  # somebody who presses twice
                self.line.send(command, self.line.version)
            self._leaves_after -= 1
            if self._leaves_after == 0:
                self._leave()

    def _leave(self) -> None:
        self.gone = True
        self._cast.deserted = True
        self.line.close()

    def _post(self, frame: dict[str, Any]) -> None:
        self._cast.world.outside.start(self._send_by_http(frame))

    async def _send_by_http(self, frame: dict[str, Any]) -> None:
        line = self.line
        path, query = f"/api/matches/{line.match}/commands", f"seat={line.seat}&plain=1"
        address = f"10.2.{self._cast.story.number}.{line.seat}"
        status, answer = await self._cast.world.network.request(
            "POST", path, frame, self.key, address, query
        )
        line.posted(frame["key"], status, answer)

    @property
    def played(self) -> bool:
        """Whether there is nothing left to do for this one."""
        return self.over or self._cast.deserted

    def _command(self, view: dict[str, Any], table: dict[str, Any]) -> dict[str, Any] | None:
        chance, takeback, locked = self._chance, table["takeback"], table["locked"]
        if view["outcome"] is not None:
            wanted, self._wants_rematch = self._wants_rematch, False
            return {"do": "rematch"} if wanted else None
        if locked is not None and (locked["awaited"] or locked["decided"]):
            return self._device.open(table)
        mood = chance.random()
        if mood < 0.004:
            return {"do": "resign"}
        if takeback is not None and takeback["asked_by"] not in (None, self.line.seat):
            return {"do": "accept takeback" if mood < 0.6 else "decline takeback"}
        if mood > 0.9 and takeback is not None and takeback["may_ask"][self.line.seat - 1]:
            return {"do": "ask takeback"}
        offer = view["draw_offer"]
        if offer is not None and offer != self.line.seat:
            return {"do": "accept draw" if mood < 0.3 else "decline draw"}
        if view["may_claim"] == self.line.seat:
            return {"do": "claim" if mood < 0.5 else "waive claim"}
        if mood < 0.02 and offer is None:
            return {"do": "offer draw"}
        question = view["question"]
        if question is None:
            return {"do": "react", "says": "let me think"} if mood < 0.04 else None
        if mood < 0.05:
            return {"do": "play", "turn": chance.choice(("99", "nonsense", "", "1,1"))}
        texts = [answer["text"] for answer in question["answers"]]
        if self._hides_elsewhere and question["asks"] != "move":
            texts = [*texts[1:], texts[0]]
        chosen = chance.sample(texts, question.get("choose") or 1)
        if locked is not None and question["asks"] in (SECRET, "trap"):
            return self._device.lock(view, chosen)
        return {"do": "play", "turn": " ".join(chosen)}


class Cast:
    """Everybody who has to do with one match, and with the one that follows it."""

    def __init__(self, world: World, story: Story) -> None:
        self.world = world
        self.story = story
        self.chance = Random(f"{world.plan.seed} {story.number}")
        self.wants_rematch = self.chance.random() < 0.15
        self.told = False
        self.match = ""
        self.deserted = False
        """Whether somebody has left for good."""
        self._followed: set[tuple[str, int]] = set()

    async def play(self) -> None:
        await asyncio.sleep(self.story.at)
        key = await self._key_apart_from([])
        story = self.story
        wanted: dict[str, Any] = {
            "game": story.game,
            "options": story.options,
            "against": story.against,
            "locked": story.locked,
            "clock": {"kind": "per move", "seconds": A_MOVE} if story.clocked else None,
        }
        opened = await self._insist("POST", "/api/matches", wanted, key)
        match = self.match = opened["match"]
        for seat in opened["seats"]:
            Person(self, match, seat, key, seat)
        for number in range(story.watchers):
            Person(self, match, 0, "", 10 + number)
        if opened["link"] is not None:
            await asyncio.sleep(self.chance.random())
            code = opened["link"].partition("#")[2]
            friends = ["Friend", "Rival"] if self.chance.random() < 0.2 else ["Friend"]
            keys = [key]
            for _ in friends:
                keys.append(await self._key_apart_from(keys))
            joining = zip(friends, keys[1:], strict=True)
            await asyncio.gather(*(self._join(match, code, *friend) for friend in joining))
        self.told = True

    async def _key_apart_from(self, others: list[str]) -> str:
        """That of somebody who has played here before, or of somebody new."""
        known = [key for key in self.world.keys if key not in others]
        if known and self.chance.random() < PLAYS_AGAIN:
            return self.chance.choice(known)
        key: str = (await self._insist("POST", "/api/keys", None, ""))["key"]
        self.world.keys.append(key)
        return key

    async def _join(self, match: str, code: str, name: str, key: str) -> None:
        while True:
            body = {"code": code, "name": name}
            status, answer = await self._ask("POST", f"/api/matches/{match}/join", body, key)
            if status in (200, 409):
                break
            await asyncio.sleep(0.5 + self.chance.random())
        if status == 409:  # by somebody else, or by an earlier request whose answer was lost
            answer = await self._insist("GET", f"/api/matches/{match}", None, key)
        if 2 in answer["seats"]:
            Person(self, match, 2, key, 2)
        elif status == 200:
            self.world.broken(f"{match}: let in, and it has no seat")

    async def _ask(
        self, method: str, path: str, body: dict[str, Any] | None, key: str
    ) -> tuple[int, Any]:
        address = f"10.1.0.{self.story.number}"
        return await self.world.network.request(method, path, body, key, address)

    async def _insist(self, method: str, path: str, body: dict[str, Any] | None, key: str) -> Any:
        """Ask until there is an answer."""
        pause = 0.3
        while True:
            status, answer = await self._ask(method, path, body, key)
            if status in (200, 201):
                return answer
            if status not in (0, 503):
                self.world.broken(f"{method} {path} was refused with {status}: {answer}")
            await asyncio.sleep(pause * (0.75 + self.chance.random() / 2))
            pause = min(2 * pause, 4.0)

    def follow(self, match: str, person: Person) -> None:
        """Somebody has been shown the rematch: there they have the other seat."""
        seat = 3 - person.line.seat if person.line.seat else 0
        if (match, seat) not in self._followed and not self.world.closing:
            self._followed.add((match, seat))
            self.wants_rematch = False
            Person(self, match, seat, person.key, 20 + seat)
