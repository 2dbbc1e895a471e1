"""Steps a second of every environment, beside others of the same kind in the same run.

`python -m bench.agents [KIND ...]` plays random legal actions; a second is one of the processor.
All rows take many short turns, and what is printed is the median: so the ratios hold on a machine
that has other work, too. A KIND, such as TextArena, asks for its rows alone. A row is a
name and a function that makes an environment and returns a function to play one episode in it,
giving the steps taken. The rows called `characters` play the same matches of TextArena, and count
the text that the players are given to read. The environments that we compare with need
`pip install 'pettingzoo[classic]'`; a row whose library is missing is left out.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from bench import vector
from trapline.core import SEATS
from trapline.games import GAMES, make_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, Seat

    Episode = Callable[[Random], int]
    """Plays one episode; the number of steps."""

SECONDS = 0.1
ROUNDS = 15


class Row(NamedTuple):
    kind: str
    name: str
    make: Callable[[], Episode]
    reference: bool = False
    """One of the ecosystem's own, which the rows of its kind are measured against."""


# --- PettingZoo -------------------------------------------------------------------------


def _aec(env: Any) -> Episode:
    def episode(rng: Random) -> int:
        env.reset(seed=rng.randrange(1 << 30))
        steps = 0
        for _ in env.agent_iter():
            observation, _, over, truncated, _ = env.last()
            done = over or truncated
            env.step(None if done else _legal(observation["action_mask"], rng))
            steps += 1
        return steps

    return episode


def _legal(mask: Any, rng: Random) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def _our_aec(name: str) -> Callable[[], Episode]:
    def make() -> Episode:
        from trapline.adapters.pettingzoo import env

        return _aec(env(name))

    return make


def _tictactoe() -> Episode:
    from pettingzoo.classic.tictactoe.tictactoe import env

    return _aec(env())


def _leduc() -> Episode:
    from pettingzoo.classic.rlcard_envs.leduc_holdem import env

    return _aec(env())


# --- Gymnasium --------------------------------------------------------------------------


def _our_gymnasium(name: str) -> Callable[[], Episode]:
    def make() -> Episode:
        import gymnasium

        from trapline.adapters.gymnasium import environment_id

        env = gymnasium.make(environment_id(name), opponent="random")

        def episode(rng: Random) -> int:
            _, info = env.reset(seed=rng.randrange(1 << 30))
            over, steps = False, 0
            while not over:
                _, _, over, _, info = env.step(_legal(info["action_mask"], rng))
                steps += 1
            return steps

        return episode

    return make


def _blackjack() -> Episode:
    import gymnasium

    env = gymnasium.make("Blackjack-v1")

    def episode(rng: Random) -> int:
        env.reset(seed=rng.randrange(1 << 30))
        over, steps = False, 0
        while not over:
            _, _, over, _, _ = env.step(rng.randrange(2))
            steps += 1
        return steps

    return episode


# --- OpenSpiel --------------------------------------------------------------------------


def _open_spiel(game: Any) -> Episode:
    def episode(rng: Random) -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    return episode


def _our_open_spiel(name: str) -> Callable[[], Episode]:
    def make() -> Episode:
        import pyspiel

        from trapline.adapters.open_spiel import short_name

        return _open_spiel(pyspiel.load_game(short_name(name)))

    return make


def _python_kuhn() -> Episode:
    import pyspiel
    from open_spiel.python.games import kuhn_poker  # noqa: F401 (registers the game)

    return _open_spiel(pyspiel.load_game("python_kuhn_poker"))


# --- TextArena --------------------------------------------------------------------------


Counted = Callable[[str], int]
"""What one observation counts for: 1 as a step, its length as text that was read."""


def _step(_: str) -> int:
    return 1


def _textarena(env_id: str, reply: Callable[[str, Random], str], counted: Counted) -> Episode:
    """Text in, text out: a reply is chosen from the last lines of the observation alone."""
    import textarena as ta

    def episode(rng: Random) -> int:
        env = ta.make(env_id)  # its wrapper would carry one match's story into the next
        env.reset(num_players=2, seed=rng.randrange(1 << 30))
        done, count = False, 0
        while not done:
            _, observation = env.get_observation()
            done, _ = env.step(reply(observation, rng))
            count += counted(observation)
        return count

    return episode


def _our_textarena(name: str, counted: Counted = _step) -> Callable[[], Episode]:
    def make() -> Episode:
        from trapline.adapters.textarena import IDS

        game = make_game(name)
        drawn = {seat: _some_secrets(game, seat) for seat in SEATS}

        def reply(observation: str, rng: Random) -> str:
            asked = observation[observation.rindex("\n") + 1 :]
            _, lists, listed = asked.rstrip(".").partition("Answer one of: ")
            legal = listed.split()
            if not lists:
                legal = drawn[1 if "You are Player 1" in observation[:200] else 2]
            return f"[{legal[int(rng.random() * len(legal))]}]"

        return _textarena(IDS[name], reply, counted)

    return make


def _some_secrets(game: Game[Any], seat: Seat) -> list[str]:
    """Sets of places are not listed in a question: these are drawn beforehand."""
    question, rng = game.question(game.start(1), seat), Random(1)
    return [] if question is None else [question.text(question.random(rng)) for _ in range(256)]


def _text_kuhn(counted: Counted = _step) -> Episode:
    def reply(observation: str, rng: Random) -> str:
        legal = re.findall(r"'(\[\w+\])'", observation[observation.rindex("actions are") :])
        return str(legal[int(rng.random() * len(legal))])

    return _textarena("KuhnPoker-v0", reply, counted)


def _text_nim(counted: Counted = _step) -> Episode:
    def reply(observation: str, rng: Random) -> str:
        now = observation[observation.rindex("Current Pile") :]
        piles = [(n, int(size)) for n, size in re.findall(r"pile (\d+): (\d+)", now) if size != "0"]
        pile, size = piles[int(rng.random() * len(piles))]
        return f"[{pile} {1 + int(rng.random() * size)}]"

    return _textarena("Nim-v0", reply, counted)


def _text_tictactoe(counted: Counted = _step) -> Episode:
    def reply(observation: str, rng: Random) -> str:
        legal = re.findall(r"'(\[\d\])'", observation[observation.rindex("Available Moves") :])
        return str(legal[int(rng.random() * len(legal))])

    return _textarena("TicTacToe-v0", reply, counted)


def _text_connect_four(counted: Counted = _step) -> Episode:
    def reply(observation: str, rng: Random) -> str:
        top = observation[observation.rindex("-------------\n") + 14 :].partition("\n")[0]
        open_columns = [column for column, disc in enumerate(top.split()) if disc == "."]
        return f"[col {open_columns[int(rng.random() * len(open_columns))]}]"

    return _textarena("ConnectFour-v0", reply, counted)


TEXT_GAMES = {
    "KuhnPoker-v0": _text_kuhn,
    "Nim-v0": _text_nim,
    "TicTacToe-v0": _text_tictactoe,
    "ConnectFour-v0": _text_connect_four,
}


# --- the table --------------------------------------------------------------------------

ROWS = [
    Row("PettingZoo", "tictactoe_v3", _tictactoe, reference=True),
    Row("PettingZoo", "leduc_holdem_v4", _leduc, reference=True),
    *(Row("PettingZoo", name, _our_aec(name)) for name in GAMES),
    Row("Gymnasium", "Blackjack-v1", _blackjack, reference=True),
    *(Row("Gymnasium", name, _our_gymnasium(name)) for name in GAMES),
    Row("OpenSpiel", "python_kuhn_poker", _python_kuhn, reference=True),
    *(Row("OpenSpiel", name, _our_open_spiel(name)) for name in GAMES),
    *(Row("TextArena", name, make, reference=True) for name, make in TEXT_GAMES.items()),
    *(Row("TextArena", name, _our_textarena(name)) for name in GAMES),
    *(Row("characters", n, partial(make, len), reference=True) for n, make in TEXT_GAMES.items()),
    *(Row("characters", name, _our_textarena(name, len)) for name in GAMES),
    *(Row("batch", f"pgx {name}", vector.pgx_fused(name), reference=True) for name in vector.PGX),
    *(Row("batch", name, vector.fused(name)) for name in GAMES),
    *(Row("batch step", f"pgx {n}", vector.pgx_stepped(n), reference=True) for n in vector.PGX),
    *(Row("batch step", name, vector.stepped(name)) for name in GAMES),
    *(Row("batch seen", name, vector.stepped(name, observe=True)) for name in GAMES),
]


def steps_per_second(episode: Episode, seconds: float = SECONDS) -> float:
    rng, steps, begun = Random(1), 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        steps += episode(rng)
    return steps / spent


def measured(rows: list[Row]) -> Iterator[tuple[Row, float]]:
    """Round by round, so that a busy moment of the machine does not fall on one row alone."""
    episodes: dict[int, Episode] = {}
    for index, row in enumerate(rows):
        try:
            episodes[index] = row.make()
        except ImportError as error:
            print(f"{row.kind} {row.name} is left out: {error}")
    speeds: dict[int, list[float]] = {index: [] for index in episodes}
    for _ in range(ROUNDS):
        for index, episode in episodes.items():
            speeds[index].append(steps_per_second(episode))
    for index, found in speeds.items():
        yield rows[index], statistics.median(found)


def main(kinds: list[str]) -> None:
    vector.on_one_core()
    print(f"Random legal play, one core, median of {ROUNDS}: steps a second of processor time")
    references: dict[str, dict[str, float]] = {}
    for row, speed in measured([row for row in ROWS if not kinds or row.kind in kinds]):
        if row.reference:
            references.setdefault(row.kind, {})[row.name] = speed
        ratios = ", ".join(
            f"{speed / other:.2f} of {name}"
            for name, other in references.get(row.kind, {}).items()
            if not row.reference
        )
        print(f"{row.kind:<11} {row.name:<18} {speed:>9,.0f}   {ratios}")


if __name__ == "__main__":
    main(sys.argv[1:])
