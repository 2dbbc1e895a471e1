"""A test that stays fresh: what it draws, how it tells it, and whether it ranks rightly."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from bench.evergreen import SHARES, held, order, regret

from tests.llm_server import Answer, Server, first_legal
from trapline.arena import config as configs
from trapline.arena.config import Config, ConfigError
from trapline.arena.estimate import typical
from trapline.arena.evergreen import DECISIONS, DEPTH, SKILL, UNEVEN, draw, fresh, worth_of_skill
from trapline.arena.fixtures import Fixture, schedule
from trapline.games import GAMES, make_game
from trapline.measures.decisions import all_decisions
from trapline.players.llm import prompt
from trapline.players.llm.theme import WORDS, Theme
from trapline.players.perfect import solution_of
from trapline.referee import Match
from trapline.report import arena_page
from trapline.terminal import arena as screen

if TYPE_CHECKING:
    from pathlib import Path

SEED = 3


# --- variants ---------------------------------------------------------------------------


def test_a_seed_draws_the_same_variants_of_all_games_and_all_lie_within_the_bounds() -> None:
    drawn = draw(SEED, len(GAMES))
    assert drawn == draw(SEED, len(GAMES))
    assert {entry.game for entry in drawn} == set(GAMES)
    for entry in drawn:
        game = make_game(entry.game, entry.options)
        assert DEPTH[0] <= typical(game).questions <= DEPTH[1]
        assert all(DECISIONS[0] <= len(d) <= DECISIONS[1] for d in all_decisions(game).seats)
        even, *gains = worth_of_skill(game)
        assert abs(even) <= UNEVEN
        assert min(gains) >= SKILL
        assert solution_of(game) is not None
    assert draw(SEED + 1, len(GAMES)) != drawn


def test_more_variants_than_there_are_games_are_all_different() -> None:
    labels = [entry.label for entry in draw(SEED, 7)]
    assert len(set(labels)) == 7


def test_what_skill_is_worth_in_a_race_that_two_long_moves_win() -> None:
    """Four squares, two moves each of 1 or 2: at random, whoever moves first gets there once in
    four, and the other once in four of what is left."""
    race = {"length": 4, "max_step": 2, "traps": [], "turn_limit": 4}
    even, first, second = worth_of_skill(make_game("numeric-maze", race))
    assert even == pytest.approx(1 / 4 - 3 / 16)
    assert first == pytest.approx(1 - even)
    assert second == pytest.approx(even + 3 / 4 - 1 / 4)


def test_a_file_that_names_games_is_refused() -> None:
    config = configs.parse('players = ["random", "casual"]\n[[games]]\ngame = "numeric-maze"\n')
    with pytest.raises(ConfigError, match="an evergreen test draws its games"):
        fresh(config, SEED)


# --- pairs with common chances ----------------------------------------------------------


def test_in_a_round_both_take_all_parts_and_chance_is_common_to_it() -> None:
    config = fresh(Config(["casual", "random"], matches=5, variants=1), SEED)
    fixtures = list(schedule(config))
    assert len(fixtures) == 8  # whole rounds
    parts = {(f.seats[1], f.seats[f.first]) for f in fixtures[:4]}
    assert len(parts) == 4
    assert len({f.chance_key for f in fixtures[:4]}) == 1
    assert fixtures[0].chance_key != fixtures[4].chance_key
    assert len({f.key for f in fixtures}) == 8


def test_results_from_before_keep_their_keys() -> None:
    plain = Fixture("trap-builder", {}, "casual", "random", 0, 1)
    assert plain.key == "ef41859e3c9c2a6e9f70cdf1"
    assert plain.chance_key == plain.key


# --- other names and words --------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_theme_leaves_no_known_word_and_every_number(name: str) -> None:
    game = make_game(name)
    match = Match(game, 1)
    plain = "\n".join(m["content"] for m in prompt.question(game, match.view(1)))
    told = "\n".join(m["content"] for m in prompt.question(game, match.view(1), SEED))
    assert game.title in plain
    assert game.title not in told
    known = re.compile(rf"\b({'|'.join(WORDS)})s?\b", re.IGNORECASE)
    assert known.search(plain)
    assert not known.search(told)
    assert re.findall(r"\d+", told) == re.findall(r"\d+", plain)
    assert told == "\n".join(m["content"] for m in prompt.question(game, match.view(1), SEED))


def test_themes_differ_and_no_two_words_become_one() -> None:
    game = make_game("trap-builder")
    themes = [Theme(number, game) for number in range(20)]
    assert len({theme.title for theme in themes}) > 15
    for theme in themes:
        told = theme.retell(" ".join(WORDS)).split()
        assert len(set(told)) == len(WORDS)
        assert theme.retell("Traps, TRAP and trap") == theme.retell("Traps, TRAP and trap")
        assert theme.retell("Trap")[0].isupper()


def test_a_whole_test_with_a_model_tells_it_nothing_it_could_remember(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(request: dict[str, Any], number: int) -> Answer:
        legal = first_legal(request).text
        return Answer(legal if not legal.endswith(": ") else "ANSWER: 1 2 3"[: 9 + number % 5])

    with Server(answer) as server:
        monkeypatch.setenv("TRAPLINE_LLM_URL", server.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        path = tmp_path / "cup.toml"
        path.write_text(
            'players = ["random", "llm:tiny"]\nmatches = 4\nvariants = 1\nworkers = 1\n'
            "[llm]\nretries = 0\ncorrections = 2\n",
            "utf-8",
        )
        report = screen.hold(path, None, quiet=True, seed=SEED)
        asked = [json.loads(body)["messages"] for body in server.bodies]
    assert report.evergreen == SEED
    assert report.played == 4
    titles = "|".join(kind.title for kind in GAMES.values())
    for messages in asked:
        for message in messages:
            assert message["role"] == "assistant" or not re.search(titles, message["content"])
    (tiny,) = [s for s in report.standings if s.player == "llm:tiny"]
    assert tiny.noise.unit == "tokens"
    screen.tell(report)
    assert "Noise" in capsys.readouterr().out
    assert "What a token tells" in arena_page.page(report)


# --- ranking ----------------------------------------------------------------------------


def test_scripted_players_of_known_strength_are_ranked_rightly_by_regret() -> None:
    """`python -m bench.evergreen` holds many of these."""
    report, _ = held(SEED, matches=12, samples=0)
    assert order(report, regret) == list(SHARES)
    for standing in report.standings:
        assert standing.noise.win_rate is not None
        assert standing.noise.regret is not None
