"""A language model at the table: asked in words, corrected a few times, and then out."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from trapline.core import Forfeit, TraplineError, Unavailable
from trapline.games import make_game
from trapline.home import cache_folder
from trapline.players.llm import prompt
from trapline.players.llm.cache import Cache, cache_key
from trapline.players.llm.endpoint import Endpoint
from trapline.players.llm.settings import find_address, settings_from_environment
from trapline.players.llm.spending import Exchange, Spent

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Form, View
    from trapline.players import Opponent
    from trapline.players.llm.endpoint import Reply
    from trapline.players.llm.settings import Settings


class LlmPlayer:
    """Knows the View it is asked with and nothing else; may be asked by several threads."""

    def __init__(self, name: str, model: str, settings: Settings, endpoint: Endpoint) -> None:
        self.name = name
        self.model = model
        self.settings = settings
        self._endpoint = endpoint
        self._cache = Cache(cache_folder() / "llm")
        self._spent = Spent()
        self._said: list[Exchange] = []
        self._counting = Lock()

    def choose(self, view: View, rng: Random) -> Form:
        game = make_game(view.game, view.options)
        # The chance that other players draw from tells samples of the same question apart.
        sample = rng.getrandbits(64)
        theme = self.settings.theme
        messages = prompt.question(game, view, theme)
        for _ in range(self.settings.corrections + 1):
            reply = self._reply(messages, sample)
            with self._counting:
                self._said.append(Exchange(messages[-1]["content"], reply.text))
            try:
                return prompt.read_answer(game, view, reply.text)
            except TraplineError as error:
                why = prompt.refusal(game, str(error), theme)
                messages += prompt.correction(reply.text, why)
        tries = self.settings.corrections + 1
        raise Forfeit(f"{self.name} forfeits: no answer of {tries} to one question could be used.")

    def spent(self) -> Spent:
        return self._spent

    def said(self) -> list[Exchange]:
        return self._said

    def _reply(self, messages: list[prompt.Message], sample: int) -> Reply:
        request: dict[str, Any] = {"model": self.model, "messages": messages}
        for option in ("temperature", "max_tokens"):
            value = getattr(self.settings, option)
            if value is not None:
                request[option] = value
        key = cache_key(self._endpoint.address.url, request, sample)
        reply = self._cache.get(key)
        if reply is not None:
            self._count(reply, requests=0)
            return reply
        try:
            reply = self._endpoint.ask(request)
        except Unavailable as error:
            raise Unavailable(f"{self.name} cannot be asked: {error}", self.name) from None
        self._cache.put(key, reply)
        self._count(reply, reply.requests)
        return reply

    def _cost(self, reply: Reply) -> float | None:
        prices = self.settings.prices.get(self.model)
        if prices is None:
            return None
        return (reply.tokens_in * prices[0] + reply.tokens_out * prices[1]) / 1e6

    def _count(self, reply: Reply, requests: int) -> None:
        cost = self._cost(reply)
        more = Spent(1, int(not requests), requests, reply.tokens_in, reply.tokens_out, cost)
        with self._counting:
            self._spent += more


def make_player(
    name: str, model: str, settings: Settings | None = None, endpoint: str | None = None
) -> Opponent:
    """The player behind `llm:MODEL`; TraplineError when its endpoint is not named anywhere."""
    from trapline.players import Opponent  # which asks for this module when it is needed

    settings = settings or settings_from_environment()
    player = LlmPlayer(name, model, settings, Endpoint(find_address(endpoint), settings))
    summary = f"the language model {model}"
    return Opponent(player.choose, summary, spent=player.spent, said=player.said)
