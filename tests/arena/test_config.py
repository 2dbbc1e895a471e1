"""What a tournament's file may say, and the sentences for what it may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.outside import examples
from trapline.arena import config as configs
from trapline.arena.config import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """
players = ["random", "casual", "llm:some/model"]
matches = 3
samples = 10
seed = 5
out = "kept.jsonl"
workers = 2
[[games]]
game = "trap-builder"
options = { length = 6, traps = 2, walls = false }
matches = 7
samples = 0
[[games]]
game = "numeric-maze"
[llm]
temperature = 0.5
prices = { "some/model" = [1.0, 2.5] }
"""


def test_everything_that_a_file_may_say(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(WHOLE, "utf-8")
    config, out = configs.load(path)
    assert out == tmp_path / "kept.jsonl"
    assert [entry.label for entry in config.games] == [
        "trap-builder length=6 traps=2 walls=false",
        "numeric-maze",
    ]
    assert config.llm_settings.prices == {"some/model": (1.0, 2.5)}


def test_results_go_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text('players = ["random", "casual"]\n[[games]]\ngame = "numeric-maze"\n', "utf-8")
    assert configs.load(path)[1] == tmp_path / "cup.jsonl"


def changed(old: str, new: str) -> str:
    assert old in WHOLE
    return WHOLE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (changed("matches = 3", "match = 3"), "there is no key 'match' here; there are players,"),
        (changed("samples = 0", "k = 1"), "games[0]: there is no key 'k' here; there are game,"),
        (changed("[llm]", "[llm]\nurl = 'x'"), "llm: there is no key 'url' here; there are temp"),
        (changed("matches = 3", "matches = 0"), "matches: expected a whole number >= 1."),
        (changed("matches = 3", "matches = '3'"), "matches: expected a whole number, got text."),
        (changed("seed = 5", "seed = 1.5"), "seed: expected a whole number, got a number."),
        (
            changed("temperature = 0.5", "temperature = 9"),
            "llm.temperature: expected a number <= 2.0",
        ),
        (changed("[1.0, 2.5]", "[1.0]"), "llm.prices[...]: expected a list of length 2, got 1."),
        (changed("length = 6", "length = 'x'"), "games[0]: length must be"),
        (changed("length = 6", "lenght = 6"), "games[0]: Trap Builder has no option 'lenght'"),
        (changed('"numeric-maze"', '"chess"'), "games[1]: There is no game called 'chess'"),
        (changed('"casual"', '"god"'), "players[1]: there is no player 'god'; there are random,"),
        (changed('"casual"', '"random"'), "name at least two players, and none of them twice"),
        (changed("players =", "player ="), "'player'"),
        (WHOLE + '[[games]]\ngame = "numeric-maze"\n', "games[2]: numeric-maze is there already."),
        ("players = []\ngames = []", "name at least two players"),
        ('players = ["random", "casual"]\ngames = []', "name at least one game"),
        ('players = ["random", "casual"]', "games: name at least one game, under [[games]]."),
        ("players = [", "this is not TOML"),
    ],
)
def test_a_refusal_names_the_place_and_what_would_be_right(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as refused:
        configs.parse(text)
    assert sentence in str(refused.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cup\.toml cannot be read"):
        configs.load(tmp_path / "cup.toml")
    (tmp_path / "cup.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"cup\.toml is not UTF-8"):
        configs.load(tmp_path / "cup.toml")


def test_a_game_from_a_file_is_seen_from_the_tournaments_file(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    source = examples.ROOT / "examples" / "games" / "nim.py"
    text = source.read_text("utf-8").replace('name = "nim"', 'name = "cup-nim"')
    (tmp_path / "games" / "nim.py").write_text(text, "utf-8")
    path = tmp_path / "cup.toml"
    cup = 'players = ["random", "casual"]\n[[games]]\ngame = "games/nim.py"\n'
    path.write_text(cup + "options = { piles = [2, 2] }\n", "utf-8")
    config, _ = configs.load(path)
    assert [entry.label for entry in config.games] == ["cup-nim piles=2,2"]
    path.write_text(cup.replace("nim.py", "none.py"), "utf-8")
    with pytest.raises(ConfigError, match=r"games\[0\]: There is no file .*games/none\.py"):
        configs.load(path)
