"""Games are found by name, path, module and entry point, everywhere, and by nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.outside.examples import ROOT, example, random_match
from trapline.cluster import executor
from trapline.core import GameError, OptionsError, RecordError, TraplineError
from trapline.games import (
    GAMES,
    find_game,
    known_game,
    load_specs,
    loaded_specs,
    make_game,
    origin,
    outside_fault,
    recall,
    remember,
    rules_digest,
)
from trapline.referee import Match, parse_record, replay_answer, verify
from trapline.referee.commitments import drawn_value

if TYPE_CHECKING:
    from pathlib import Path

KUHN = ROOT / "examples" / "games" / "kuhn.py"


def renamed(path: Path, name: str) -> Path:
    """Kuhn poker in a file of its own, under another name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(KUHN.read_text("utf-8").replace('name = "kuhn"', f'name = "{name}"'), "utf-8")
    return path


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh process that finds packages in a folder."""
    paths = [str(folder), str(ROOT / "src"), str(ROOT)]
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )


# --- the ways in ------------------------------------------------------------------------


def test_a_path_is_a_game_and_its_name_is_known_from_then_on(tmp_path: Path) -> None:
    path = renamed(tmp_path / "my-game.py", "by-path")
    kind = find_game(str(path))
    assert find_game("by-path") is known_game("by-path") is kind
    assert type(make_game("by-path")) is kind
    assert origin("by-path") == str(path)
    assert str(path) in loaded_specs()
    assert "by-path" not in GAMES


def test_a_path_may_be_relative_or_name_the_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed(tmp_path / "here.py", "relative")
    monkeypatch.chdir(tmp_path)
    assert find_game("./here.py") is find_game("here.py") is find_game("here.py:Kuhn")


def test_a_module_and_its_class_are_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    renamed(tmp_path / "my_games" / "poker.py", "by-module")
    monkeypatch.syspath_prepend(str(tmp_path))
    kind = find_game("my_games.poker:Kuhn")
    assert find_game("by-module") is kind
    assert origin("by-module") == "my_games.poker"
    assert "my_games.poker:Kuhn" in loaded_specs()


def test_a_file_may_use_what_lies_beside_it_and_its_digest_covers_both(tmp_path: Path) -> None:
    path = renamed(tmp_path / "with_helper.py", "with-helper")
    text = path.read_text("utf-8")
    cards = 'CARDS = ("none", "jack", "queen", "king")'
    assert cards in text
    path.write_text(text.replace(cards, "import shared_cards\nfrom shared_cards import CARDS"))
    (tmp_path / "shared_cards.py").write_text(cards + "\n")
    before = list(sys.path)
    kind = find_game(str(path))
    assert sys.path == before
    hashes = [
        hashlib.sha256(file.read_bytes()).hexdigest()
        for file in (tmp_path / "shared_cards.py", path)
    ]
    assert rules_digest(kind) == hashlib.sha256("".join(hashes).encode()).hexdigest()


def test_one_file_has_the_digest_that_any_tool_gives() -> None:
    game = example("kuhn")
    assert rules_digest(type(game)) == hashlib.sha256(KUHN.read_bytes()).hexdigest()
    assert rules_digest(GAMES["hidden-path"]) == ""


def package(folder: Path, distribution: str, module: str, name: str, offered: str) -> None:
    """A package that is installed, as far as Python can tell."""
    renamed(folder / f"{module}.py", name)
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[trapline.games]\n{offered} = {module}:Kuhn\n")


LISTED = """
import json
from trapline.games import all_games, origin
print(json.dumps([
    str(kind) if isinstance(kind, Exception) else [kind.name, origin(kind.name)]
    for kind in all_games()
]))
"""


def test_an_installed_package_offers_its_games(tmp_path: Path) -> None:
    package(tmp_path, "poker-night", "poker_night", "night-poker", "night-poker")
    done = python(LISTED, tmp_path)
    assert json.loads(done.stdout)[-1] == ["night-poker", "poker-night"], done.stderr
    code = "from trapline.games import make_game; print(make_game('night-poker').title)"
    assert python(code, tmp_path).stdout == "Kuhn Poker\n"


def test_a_broken_package_costs_a_sentence_and_no_other_game(tmp_path: Path) -> None:
    package(tmp_path, "poker-night", "poker_night", "night-poker", "night-poker")
    package(tmp_path, "wrong-name", "wrong_name", "one-name", "another-name")
    package(tmp_path, "no-python", "no_python", "no-python", "no-python")
    (tmp_path / "no_python.py").write_text("import = 3\n")
    listed = json.loads(python(LISTED, tmp_path).stdout)
    assert ["night-poker", "poker-night"] in listed
    assert any("must offer it by its own name, one-name" in str(entry) for entry in listed)
    assert any("no_python.py, line 1 is not Python" in str(entry) for entry in listed)
    assert len(listed) == len(GAMES) + 3


def test_two_packages_with_one_name_are_told_apart_by_nobody(tmp_path: Path) -> None:
    package(tmp_path, "poker-night", "poker_night", "poker", "poker")
    package(tmp_path, "poker-day", "poker_day", "poker", "poker")
    code = "from trapline.games import find_game; find_game('poker')"
    assert "Two packages offer a game called poker" in python(code, tmp_path).stderr


def test_what_is_no_game_is_a_sentence() -> None:
    for spec, expected in {
        "pebbles": r"There is no game called 'pebbles'; the games are hidden-path,",
        "./pebbles.py": r"There is no file .*pebbles\.py\.",
        "folder/pebbles": r"There is no file",
        "no.such.module:Class": r"There is no module no\.such\.module to import\.",
        "json:loads": r"json has no game loads\.",
        "json:Nothing": r"json has no game Nothing\.",
        "": r"There is no game called ''",
    }.items():
        with pytest.raises((GameError, OptionsError), match=expected):
            find_game(spec)


# --- other processes --------------------------------------------------------------------


def play_there(game: Any, seed: int) -> tuple[str, str]:
    """Runs in a worker: the game arrives pickled, its State with it."""
    match = random_match(game, Random(seed))
    return match.record().game, type(match.game.start(1)).__module__


def test_workers_know_the_same_games(tmp_path: Path) -> None:
    path = renamed(tmp_path / "for_workers.py", "for-workers")
    game = make_game(str(path))
    with executor(None, workers=1) as pool:
        name, module = pool.submit(play_there, game, 1).result()
    assert name == "for-workers"
    assert module == type(game).__module__
    assert pickle.loads(pickle.dumps(game.start(1))) == game.start(1)  # noqa: S301 - our own


def fail_there(game: Any) -> None:
    game.dealt(game.start(1), 99)


def test_a_fault_in_a_worker_is_a_sentence(tmp_path: Path) -> None:
    game = make_game(str(renamed(tmp_path / "faulty.py", "faulty")))
    with executor(None, workers=1) as pool:
        error = pool.submit(fail_there, game).exception()
    assert error is not None
    assert "Kuhn Poker (faulty.py, line 66, in dealt) fails: IndexError" in outside_fault(error)
    with pytest.raises(IndexError) as here:
        fail_there(game)
    assert "Kuhn Poker (faulty.py, line 66, in dealt) fails" in outside_fault(here.value)
    assert outside_fault(ValueError("ours")) == ""


def test_specs_can_be_loaded_twice() -> None:
    example("kuhn")
    before = loaded_specs()
    load_specs(before)
    assert loaded_specs() == before


# --- records ----------------------------------------------------------------------------


def test_a_record_never_makes_anybody_run_what_it_names(tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    for name in (str(trap), "trap:Game", f"{trap}:Game", "../trap.py"):
        data = json.dumps({"game": name, "options": {}, "first": 1, "moves": []}).encode()
        answer = replay_answer(data)
        assert (answer["ok"], answer["at"]) == (False, "record")
        with pytest.raises(RecordError, match="There is no game called"):
            Match.restore(parse_record(data))
    assert not (tmp_path / "sprung").exists()


def test_changed_rules_are_noticed_and_what_is_legal_still_replays() -> None:
    match = random_match(example("kuhn"), Random(1))
    record = match.record()
    record.rules = "0" * 64
    answer = replay_answer(record.to_json().encode())
    assert (answer["ok"], answer["rules"]) == (True, "changed")
    faults = [check.fault for check in verify(record) if check.fault]
    assert len(faults) == 1
    assert faults[0] is not None
    assert faults[0].startswith("The rules of Kuhn Poker have changed since this was played")
    restored = Match.restore(record)
    assert restored.record().rules == rules_digest(type(match.game))


def test_a_deal_that_the_sealed_seed_does_not_give_is_found() -> None:
    for _ in range(8):
        match = Match(example("kuhn"), 1)
        match.resign(1)
        record = match.record()
        assert [check for check in verify(record) if check.fault] == []
        honest = record.chance[0]
        for record.chance[0] in set(range(6)) - {honest}:
            (found,) = [check for check in verify(record) if check.fault]
            assert found.what == "chance drew what the sealed seed says"
        record.chance[0], record.salts = honest, {}
        assert [check.what for check in verify(record) if check.fault] == ["the seed of chance"]


def test_every_deal_is_as_likely_as_its_weight_says() -> None:
    game = example("kuhn")
    question = game.chance(game.start(1))
    assert question is not None
    deals = Counter(drawn_value(question, "0" * 64, number) for number in range(6000))
    assert set(deals) == {answer.value for answer in question.answers}
    assert all(800 < count < 1200 for count in deals.values())


def test_a_record_of_a_rulebook_says_nothing_of_rules() -> None:
    record = random_match(make_game("numeric-maze"), Random(1)).record()
    assert "rules" not in json.loads(record.to_json())


# --- remembered -------------------------------------------------------------------------

RESUMED = """
import sys
from trapline.games import make_game, recall
recall("kept")
print(make_game("kept").title)
"""


def test_a_game_that_was_played_from_a_file_is_found_again(tmp_path: Path, home: Path) -> None:
    path = renamed(tmp_path / "kept.py", "kept")
    remember(find_game(str(path)))
    kept = msgspec.json.decode((home / "games.json").read_bytes())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert kept == {"kept": {"spec": str(path), "rules": digest}}
    done = python(RESUMED, tmp_path)
    assert done.stdout == "Kuhn Poker\n", done.stderr


def test_what_is_remembered_may_have_moved_or_changed_its_name(tmp_path: Path, home: Path) -> None:
    path = renamed(tmp_path / "moved.py", "now-another")
    home.mkdir()
    kept = {name: {"spec": str(path), "rules": ""} for name in ("gone", "was-this")}
    kept["gone"]["spec"] = str(tmp_path / "nowhere.py")
    (home / "games.json").write_bytes(msgspec.json.encode(kept))
    with pytest.raises(GameError, match=r"There is no file .*nowhere\.py"):
        recall("gone")
    with pytest.raises(TraplineError, match="held was-this once; now it holds now-another"):
        recall("was-this")
    recall("never-heard-of")


@pytest.mark.parametrize("content", ["", "[]", '{"a": 3}', "\x00"])
def test_a_list_that_cannot_be_read_is_an_empty_one(content: str, home: Path) -> None:
    home.mkdir()
    (home / "games.json").write_text(content)
    recall("anything")
    remember(type(example("kuhn")))
    assert "kuhn" in msgspec.json.decode((home / "games.json").read_bytes())


def test_rulebooks_need_not_be_remembered(home: Path) -> None:
    remember(GAMES["hidden-path"])
    assert not home.exists()
