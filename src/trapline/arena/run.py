"""Holding a tournament: everything that is not done yet, on any executor."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, as_completed, wait
from typing import TYPE_CHECKING, Any

from trapline.arena import fixtures, ratings, strategies
from trapline.arena.fixtures import Fixture, Unfinished
from trapline.arena.standings import report
from trapline.arena.strategies import Sampling
from trapline.cluster import Abandoned
from trapline.core import SEATS, TraplineError
from trapline.games import changed_options, make_game, rules_digest
from trapline.measures import decisions
from trapline.players import find_contestant, is_model
from trapline.players.llm.spending import Spent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from trapline.arena.config import Config
    from trapline.arena.results import Result, Results
    from trapline.arena.standings import Report

Task = Fixture | Sampling
Heard = tuple["Callable[[], None]", "Callable[[int], None]"]

WINDOW = 256
"""Tasks that are handed out at a time."""
WINDOW_CAPPED = 4
"""Likewise where a cap must not be overshot by much."""
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
            llm = config.llm_settings if fixtures.reads_text(player) else None
            options, rules = changed_options(game), rules_digest(type(game))
            for seat in SEATS:
                yield Sampling(game.name, options, player, seat, samples, config.seed, llm, rules)


def run(
    config: Config,
    results: Results,
    pool: Executor,
    advance: Callable[[], None] = lambda: None,
    stopping: Callable[[int], None] = lambda _: None,
) -> Report:
    """Do what is not done; `advance` is called for each of `tasks`, those done before included.

    Whoever stops it waits for what is under way, so that nothing was played for nothing;
    `stopping` hears how much that is. Whoever stops it again waits no longer: Abandoned.
    """
    ratings.must_be_installed()
    for player in config.players:
        find_contestant(
            player, config.llm_settings
        )  # refuses a model without an endpoint before anything
    todo = waiting(config, results)
    for _ in range(len(tasks(config)) - len(todo)):
        advance()
    _solve_first(todo, pool)
    unfinished = list(_do(todo, results, pool, (advance, stopping), Purse(config)))
    done = [results.done[task.key] for task in tasks(config) if task.key in results.done]
    return report(config, done, unfinished, refusals(config))


def waiting(config: Config, results: Results) -> list[Task]:
    """What is not done yet."""
    return [task for task in tasks(config) if task.key not in results.done]


class Purse:
    """What language models may still be asked in this run. It is looked into before a task is
    handed out, so those under way then may go beyond it."""

    def __init__(self, config: Config) -> None:
        self._requests, self._cost = config.most_requests, config.most_cost
        self._spent = Spent()
        capped = self._requests is not None or self._cost is not None
        self.window = WINDOW_CAPPED if capped else WINDOW

    def pay(self, result: Result) -> None:
        for bill in result.spent.values():
            self._spent += bill

    def refusal(self, task: Task) -> str | None:
        """Why a task cannot be paid for, if so."""
        if not any(map(is_model, task.players)):
            return None
        if self._requests is not None and self._spent.requests >= self._requests:
            return f"Not tried: this run was to send at most {self._requests:,} requests."
        if self._cost is not None and (self._spent.cost or 0.0) >= self._cost:
            return f"Not tried: this run was to cost at most {self._cost:g}."
        return None


def _solve_first(todo: list[Task], pool: Executor) -> None:
    """Solve each game once, and keep it, before all workers want it at the same time."""
    games = {make_game(task.game, task.options): task for task in todo}
    try:
        for solving in [pool.submit(fixtures.solve, t.game, t.options) for t in games.values()]:
            solving.exception()  # what is wrong with a game, its matches will say
    except KeyboardInterrupt:
        raise Abandoned from None  # nothing is played yet that could be kept


def _do(
    todo: list[Task], results: Results, pool: Executor, heard: Heard, purse: Purse
) -> Iterator[Unfinished]:
    """What could not be done comes back; all else is on the disk as soon as it is there."""
    advance, stopping = heard
    ahead = deque(todo)
    waiting: dict[Future[Any], Task] = {}
    missed: Counter[str] = Counter()
    try:
        while ahead or waiting:
            while ahead and len(waiting) < purse.window:
                task = ahead.popleft()
                waiting[_start(task, pool, missed, purse)] = task
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
                    purse.pay(found)
                advance()
    except KeyboardInterrupt:
        under_way = {future: task for future, task in waiting.items() if not future.cancel()}
        stopping(len(under_way))
        try:
            for future in as_completed(under_way):
                found = _result(under_way[future], future)
                if not isinstance(found, Unfinished):
                    results.add(found)
        except KeyboardInterrupt:
            raise Abandoned from None
        raise
    finally:
        for future in waiting:
            future.cancel()


def _start(task: Task, pool: Executor, missed: Counter[str], purse: Purse) -> Future[Any]:
    """Begin a task, unless somebody in it is known to be away, or nobody pays for it."""
    begun: Future[Any]
    away = next((player for player in task.players if missed[player] >= ENOUGH), None)
    why = f"Not tried: {away} could not be asked before." if away else purse.refusal(task)
    if why is not None:
        begun = Future()
        begun.set_result(Unfinished(task.title, why))
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
