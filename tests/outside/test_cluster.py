"""The workers of a cluster know the games that the one who asks them has loaded."""

from __future__ import annotations

from random import Random
from typing import Any

from dask.distributed import LocalCluster

from tests.outside.examples import ROOT, random_match
from trapline.cluster import executor
from trapline.games import make_game


def play_there(game: Any) -> str:
    return random_match(game, Random(1)).record().game


def test_a_dask_worker_plays_a_game_from_a_file() -> None:
    game = make_game(str(ROOT / "examples" / "games" / "kuhn.py"))
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        executor(cluster.scheduler_address) as pool,
    ):
        assert pool.submit(play_there, game).result() == "kuhn"
