"""Games in TextArena's own loop, and what its players never get to read."""

from __future__ import annotations

import random
import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import textarena as ta

from tests.adapters.outside import ANY_GAME
from tests.adapters.transcripts import Transcripts
from tests.worlds import SMALL, random_options
from trapline.adapters import textarena
from trapline.adapters.textarena import IDS, TraplineEnv
from trapline.core import SEATS, InvalidMove, OptionsError, other
from trapline.games import GAMES, make_game
from trapline.players.replies import read_reply
from trapline.referee import verify

if TYPE_CHECKING:
    from trapline.core import Seat

CANARY = "the-canary-of-{}-sings"


class Talker:
    """Reads nothing but its observation, talks all the time, and now and then talks nonsense."""

    def __init__(
        self, seat: Seat, name: str, rng: Random, *, nonsense: float = 0.0, **options: Any
    ) -> None:
        self.seat, self.rng, self.nonsense = seat, rng, nonsense
        self.game = make_game(name, options)
        self.story: list[str] = []
        self.slipped = False

    def __call__(self, observation: str) -> str:
        self.story.append(observation)
        canary = CANARY.format(self.seat)
        # Never twice in a row: that would lose the game.
        self.slipped = not self.slipped and self.rng.random() < self.nonsense
        if self.slipped:
            return self.rng.choice([canary, f"[{canary}]", f"{canary} [1] [2]", f"{canary} [99]"])
        return f"{canary}: I have thought about it. [{self._answer(observation)}] {canary}"

    def _answer(self, observation: str) -> str:
        if listed := re.findall(r"Answer one of: (.*)\.$", observation, re.MULTILINE):
            return str(self.rng.choice(listed[-1].split()))
        question = self.game.question(self.game.start(1), self.seat)
        assert question is not None  # a set of places, asked for in secret
        return question.text(question.random(self.rng))


def make(name: str, version: str = "", **options: Any) -> Any:
    if name in IDS:
        return ta.make(IDS[name] + version, **options)
    return ta.make(textarena.ANY_GAME + version, game=name, **options)


def play(env: Any, agents: dict[int, Any]) -> tuple[dict[int, int], dict[int, dict[str, Any]]]:
    """TextArena's loop, as its README has it."""
    done = False
    while not done:
        player_id, observation = env.get_observation()
        action = agents[player_id](observation)
        done, step_info = env.step(action=action)
        assert step_info == {}
    rewards, game_info = env.close()
    return rewards, game_info


def core(env: Any) -> TraplineEnv:
    while isinstance(env, ta.Wrapper):
        env = env.env
    assert isinstance(env, TraplineEnv)
    return env


@pytest.mark.parametrize("version", ["", "-train"])
@pytest.mark.parametrize("name", ANY_GAME)
def test_whole_games_are_played_and_nobody_hears_the_other_talk(name: str, version: str) -> None:
    for seed in range(20):
        rng = Random(f"{name} {seed}")
        options = random_options(name, rng) if seed and name in GAMES else {}
        env = make(name, version, **options)
        env.reset(num_players=2, seed=seed)
        agents = {seat - 1: Talker(seat, name, rng, nonsense=0.2, **options) for seat in SEATS}
        rewards, info = play(env, agents)
        match = core(env).match
        assert match.outcome is not None
        assert not any(told["invalid_move"] for told in info.values())
        assert rewards == {seat - 1: match.outcome.result(seat) for seat in SEATS}
        assert [check for check in verify(match.record()) if check.fault] == []
        for agent in agents.values():
            heard = "\n".join(agent.story) + str(core(env).state.observations[agent.seat - 1])
            assert CANARY.format(other(agent.seat)) not in heard + str(info)


@pytest.mark.parametrize("name", ANY_GAME)
def test_with_the_referee_or_without_everybody_reads_the_same(name: str) -> None:
    for seed in range(30):
        options: dict[str, Any] = {}
        if seed > 5 and name in GAMES:
            options = random_options(name, Random(seed))
        told = []
        for led in (False, True):
            env = make(name, "-raw", **options)
            env.reset(num_players=2, seed=seed)
            rng, read, done = Random(seed), [], False
            agents = {seat - 1: Talker(seat, name, rng, **options) for seat in SEATS}
            slips = Random(seed).randrange(40)  # in most matches nobody calls the referee
            while not done:
                if led:
                    assert env.match.outcome is None  # who looks at the match has called him
                player, messages = env.get_observation()
                read.append((player, messages))
                story = [line for who, said in read for _, line, _ in said if who == player]
                text = agents[player]("\n".join(story))
                done, _ = env.step("[99]" if len(read) == slips else text)
            read.append((2, [*env.state.observations.values()]))
            told.append((read, env.close(), env.get_board_str(), env.match.view(None)))
        assert told[0] == told[1]


# --- what a player may not know ---------------------------------------------------------


def follow(env: TraplineEnv, name: str, rng: Random, watch: Transcripts, **options: Any) -> None:
    """Play one match; a quiet player's whole story is compared while the other talks nonsense."""
    env.reset(num_players=2)
    quiet = rng.choice(SEATS)
    agents = {
        seat: Talker(seat, name, rng, nonsense=0 if seat == quiet else 0.3, **options)
        for seat in SEATS
    }
    stories: dict[int, list[Any]] = {0: [], 1: []}
    done = False
    while not done:
        waiting = env.state.observations[quiet - 1]
        watch.look(env.match, quiet, repr([*stories[quiet - 1], *waiting]).encode())
        player, messages = env.get_observation()
        stories[player] += messages
        done, _ = env.step(agents[SEATS[player]]("\n".join(text for _, text, _ in stories[player])))


def follow_many(kind: type[TraplineEnv], name: str, options: dict[str, Any]) -> Transcripts:
    rng, watch = Random(name), Transcripts()
    for _ in range(100):
        follow(kind(name, 1, **options), name, rng, watch, **options)
    return watch


@pytest.mark.parametrize("name", [name for name in ANY_GAME if make_game(name).hides])
def test_worlds_that_look_the_same_read_the_same(name: str) -> None:
    for options in SMALL.get(name, [{}]):
        watch = follow_many(TraplineEnv, name, options)
        assert watch.leaks == []
        assert watch.pairs > (10 if name in GAMES else 3)


class Open(TraplineEnv):
    """Tells a player what the other one sees."""

    def _ask(self) -> Seat:
        seat = super()._ask()
        seen = "\n".join(self._table.position(other(seat)))
        self.state.add_observation(seen, ta.ObservationType.GAME_BOARD, to_id=seat - 1)
        return seat


class Loud(TraplineEnv):
    """Tells both players what was wrong with a reply, as TextArena could."""

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        seat = SEATS[self.state.current_player_id]
        before = len(self.state.observations[seat - 1])
        answer = super().step(action)
        for _, text, kind in self.state.observations[seat - 1][before:]:
            if kind == ta.ObservationType.GAME_ADMIN:
                self.state.add_observation(text, kind, to_id=other(seat) - 1)
        return answer


@pytest.mark.parametrize("leaky", [Open, Loud])
def test_an_environment_that_leaks_is_found(leaky: type[TraplineEnv]) -> None:
    assert follow_many(leaky, "trap-builder", SMALL["trap-builder"][0]).leaks


def test_the_seed_of_a_match_is_nobody_elses() -> None:
    env = ta.make(IDS["hidden-path"])
    before = random.getstate()
    env.reset(2, seed=7)
    assert random.getstate() == before


def test_the_drawn_board_is_a_spectators() -> None:
    env = ta.make(IDS["trap-builder"])
    env.reset(2)
    env.step("3 5 7")
    env.step("2 6 8")
    assert env.get_board_str() == (
        "Player 1 is on position 0, goal 10.\nPlayer 2 is on position 10, goal 0."
    )
    assert env.state.game_state == {}


# --- replies ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("2", "2"),
        (" 2\n", "2"),
        ("[2]", "2"),
        ("I say [ 2 ] because", "2"),
        ("[2] yes, [2]", "2"),
        ("[4,2]", "4,2"),
        ("[Move to 4,2]", "move to 4,2"),
        ("I think 2", "i think 2"),
        ("[]", ""),
    ],
)
def test_an_answer_is_what_is_in_brackets_or_all_there_is(reply: str, answer: str) -> None:
    assert read_reply(reply) == answer


def test_two_different_answers_are_none() -> None:
    with pytest.raises(InvalidMove, match=r"give one, such as \[2\]"):
        read_reply("[1] or rather [2]")


@pytest.mark.parametrize("reply", ["I think 2", "[two]", "[0]", "[4]", "[2t]", "2 or so", "[]", ""])
def test_a_bad_reply_is_explained_to_its_author_alone(reply: str) -> None:
    env = TraplineEnv("hidden-path", 1)
    env.reset(2)
    env.step("[1 2 3]")
    env.step("[4 5 6]")
    for seat in SEATS:
        env.state.observations[seat - 1].clear()
    assert env.step(reply) == (False, {})
    assert env.state.observations[1] == []
    ((_, text, kind),) = env.state.observations[0]
    assert kind == ta.ObservationType.GAME_ADMIN
    assert text.endswith(" Please answer again.")
    assert env.state.current_player_id == 0
    assert env.step("[2]") == (False, {})


def test_forgiven_replies_leave_no_trace_where_refused_moves_are_counted() -> None:
    def told(*replies: str) -> list[Any]:
        env = TraplineEnv("secret-paths", 1, error_allowance=9)
        env.reset(2)
        for reply in ("[5,1]", "[1,1]", *replies, "[3,2]"):
            env.step(reply)
        _, messages = env.get_observation()
        return list(messages)

    assert told("[9,9]", "[1,1]", "[3,3]", "what?") == told()


def test_too_many_bad_replies_lose() -> None:
    env = ta.make(IDS["hidden-path"], first=2, error_allowance=2)
    env.reset(2)
    bad = iter(["[7]", "[x]", "[7 8 9]", "a", "[b]", "secret-c"])
    rewards, info = play(env, {0: lambda _text: "[1 2 3]", 1: lambda _text: next(bad)})
    assert rewards == {0: 1, 1: -1}
    assert [info[player]["invalid_move"] for player in (0, 1)] == [False, True]
    assert info[0]["reason"] == "Player 2 loses: too many replies were not allowed."
    assert "secret-c" not in str(env.state.observations[0])
    assert core(env).match.outcome is not None


def test_players_may_resign_and_agree_to_a_draw() -> None:
    env = ta.make(IDS["numeric-maze"], first=1)
    env.reset(2)
    assert play(env, dict.fromkeys((0, 1), lambda _text: "[resign]"))[0] == {0: -1, 1: 1}
    env = ta.make(IDS["numeric-maze"], first=1)
    env.reset(2)
    replies = iter(["[draw]", "[2]", "Why not. [Draw]"])
    heard: list[str] = []

    def agent(observation: str) -> str:
        heard.append(observation)
        return next(replies)

    rewards, info = play(env, {0: agent, 1: agent})
    assert rewards == {0: 0, 1: 0}
    assert info[1]["reason"] == "The game is drawn: both players agreed."
    assert "Player 1 offers a draw" in heard[2]


def test_nobody_can_stall_with_draw_offers() -> None:
    for name, replies in (("numeric-maze", []), ("trap-runner", ["[1]", "[1]", "[1]"])):
        env = TraplineEnv(name, 1)
        env.reset(2)
        for reply in replies:
            env.step(reply)
        assert [env.step("[draw]")[0] for _ in range(3)][-1]


def test_the_turn_limit_is_a_draw() -> None:
    env = ta.make(IDS["secret-paths"], turn_limit=2, first=1)
    env.reset(2)
    replies = iter(["[5,1]", "[1,1]", "[3,2]", "[3,3]"])
    assert play(env, dict.fromkeys((0, 1), lambda _text: next(replies)))[0] == {0: 0, 1: 0}


# --- making environments ----------------------------------------------------------------


def test_the_prompt_tells_seat_rules_options_and_how_to_answer() -> None:
    env = ta.make(IDS["hidden-path"], length=12, first=2)
    env.reset(2)
    _, text = env.get_observation()
    assert "You are Player 1 in a game of Hidden Path." in text
    assert "## The aim" in text
    assert "## Errata" not in text
    assert "In this match `length` is 12." in text
    assert "Player 2 moves first." in text
    assert "three numbers between 1-12" in text


def test_a_seed_repeats_the_toss() -> None:
    env = TraplineEnv("hidden-path")
    tosses = []
    for seed in [*range(20), *range(20)]:
        env.reset(2, seed=seed)
        tosses.append(env.match.first)
    assert tosses[:20] == tosses[20:]
    assert set(tosses) == {1, 2}


def test_what_makes_no_game_is_refused_with_a_sentence() -> None:
    with pytest.raises(OptionsError, match="Hidden Path has no option"):
        ta.make(IDS["hidden-path"], size=5)
    with pytest.raises(OptionsError, match='first must be 1, 2 or "toss", not 3'):
        ta.make(IDS["hidden-path"], first=3)
    with pytest.raises(OptionsError, match="is for 2 players, not 3"):
        ta.make(IDS["hidden-path"]).reset(3)


def test_the_ids_are_the_promised_ones() -> None:
    assert list(IDS.values()) == [
        "Trapline-HiddenPath-v0",
        "Trapline-TrapBuilder-v0",
        "Trapline-TrapRunner-v0",
        "Trapline-SecretPaths-v0",
        "Trapline-NumericMaze-v0",
    ]
