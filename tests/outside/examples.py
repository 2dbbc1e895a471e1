"""The games in `examples/games`, and matches of random play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from trapline.games import make_game
from trapline.referee import Match

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Game

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "examples" / "games").glob("*.py"))
IDS = [path.stem for path in FILES]


def example(name: str, **options: Any) -> Game[Any]:
    return make_game(str(ROOT / "examples" / "games" / f"{name}.py"), options)


def random_step(match: Match, rng: Random) -> None:
    seat = rng.choice(match.asked)
    question = match.question(seat)
    assert question is not None
    match.play(seat, question.record(question.random(rng)))


def random_match(game: Game[Any], rng: Random) -> Match:
    match = Match(game, rng=rng)
    while match.outcome is None:
        random_step(match, rng)
    return match
