"""Holding a tournament: everything that is not done yet, on any executor."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import TYPE_CHECKING, Any

from trapline.arena import fixtures, ratings, strategies
from trapline.arena.fixtures import Fixture, Unfinished
from trapline.arena.standings import report
from trapline.arena.strategies import Sampling
from trapline.core import SEATS, TraplineError
from trapline.games import changed_options, make_game, rules_digest
from trapline.measures import decisions
from trapline.players import find_player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from trapline.arena.config import Config
    from trapline.arena.results import Results
    from trapline.arena.standings import Report

Task = Fixture | Sampling

WINDOW = 256
"""Tasks that are handed out at a time."""
ENOUGH = 3
"""After a player could not be asked so many times in a row, this run leaves it alone."""


def tasks(config: Config) -> list[Task]:
    """All there is to do, done or not."""
    return [*fixtures.schedule(config), *_samplings(config)]


def refusals(config: Config) -> list[str]:
    """Why some games have no strategies to sample."""
    wanted = [entry for entry in config.games if _samples(config, entry.samples)]
    games = [(entry.label, make_game(entry.game, entry.options)) for entry in wanted]
    found = [(label, decisions.refusal(game)) for label, game in games]
    return [f"{label}: {why}" for label, why in found if why is not None]


def _samples(config: Config, own: int | None) -> int:
    return config.samples if own is None else own


def _samplings(config: Config) -> Iterator[Sampling]:
    for entry in config.games:
        game = make_game(entry.game, entry.options)
        samples = _samples(config, entry.samples)
        if not samples or decisions.refusal(game) is not None:
            continue
        for player in config.players:
            llm = config.llm_settings if fixtures.is_model(player) else None
            options, rules = changed_options(game), rules_digest(type(game))
            for seat in SEATS:
                yield Sampling(game.name, options, player, seat, samples, config.seed, llm, rules)


def run(
    config: Config,
    results: Results,
    pool: Executor,
    advance: Callable[[], None] = lambda: None,
) -> Report:
    """Do what is not done; `advance` is called for each of `tasks`, those done before included."""
    ratings.must_be_installed()
    for player in config.players:
        find_player(player, config.llm)  # refuses a model without an endpoint before anything
    todo = []
    for task in tasks(config):
        if task.key in results.done:
            advance()
        else:
            todo.append(task)
    _solve_first(todo, pool)
    unfinished = list(_do(todo, results, pool, advance))
    done = [results.done[task.key] for task in tasks(config) if task.key in results.done]
    return report(config, done, unfinished, refusals(config))


def _solve_first(todo: list[Task], pool: Executor) -> None:
    """Solve each game once, and keep it, before all workers want it at the same time."""
    games = {make_game(task.game, task.options): task for task in todo}
    for solving in [pool.submit(fixtures.solve, t.game, t.options) for t in games.values()]:
        solving.exception()  # what is wrong with a game, its matches will say


def _do(
    todo: list[Task], results: Results, pool: Executor, advance: Callable[[], None]
) -> Iterator[Unfinished]:
    """What could not be done comes back; all else is on the disk as soon as it is there."""
    ahead = deque(todo)
    waiting: dict[Future[Any], Task] = {}
    missed: Counter[str] = Counter()
    try:
        while ahead or waiting:
            while ahead and len(waiting) < WINDOW:
                task = ahead.popleft()
                waiting[_start(task, pool, missed)] = task
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                task = waiting.pop(future)
                found = _result(task, future)
                if isinstance(found, Unfinished):
                    missed[found.away] += 1
                    if missed[found.away] == ENOUGH:
                        ahead.extend(_take_back(found.away, waiting))
                    yield found
                else:
                    missed.update({player: -missed[player] for player in task.players})
                    results.add(found)
                advance()
    finally:
        for future in waiting:
            future.cancel()


def _start(task: Task, pool: Executor, missed: Counter[str]) -> Future[Any]:
    """Begin a task, unless somebody in it is known to be away."""
    begun: Future[Any]
    away = next((player for player in task.players if missed[player] >= ENOUGH), None)
    if away is not None:
        begun = Future()
        begun.set_result(Unfinished(task.title, f"Not tried: {away} could not be asked before."))
        return begun
    try:
        return pool.submit(_task(task), task)
    except BrokenExecutor as error:
        begun = Future()
        begun.set_exception(error)
        return begun


def _take_back(player: str, waiting: dict[Future[Any], Task]) -> list[Task]:
    """Tasks with a player that are handed out, but not begun."""
    theirs = [future for future, task in waiting.items() if player in task.players]
    return [waiting.pop(future) for future in theirs if future.cancel()]


def _result(task: Task, future: Future[Any]) -> Any:
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, BrokenExecutor):
        return Unfinished(task.title, "A process died, and those that worked beside it stopped.")
    kind = "" if isinstance(error, TraplineError) else f"{type(error).__name__}: "
    return Unfinished(task.title, f"{kind}{error}")


def _task(task: Task) -> Callable[[Any], Any]:
    return fixtures.play if isinstance(task, Fixture) else strategies.sample
