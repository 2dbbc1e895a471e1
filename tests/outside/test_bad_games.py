"""Games that are wrong get a sentence that names the place, and take nothing with them."""

from __future__ import annotations

import re
from importlib import resources
from string import Template
from typing import TYPE_CHECKING

import pytest

from trapline.checking import check, look
from trapline.core import GameError
from trapline.games import GAMES, find_game, is_known, make_game
from trapline.referee import Match, Walk, parse_record, replay_answer

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (resources.files("trapline.cli") / "new_game.txt").read_text("utf-8")
_names = iter(range(10_000))


def written(folder: Path, *changes: tuple[str, str]) -> str:
    """The game that `trapline new` writes, with changes, under a name of its own."""
    number = next(_names)
    parts = {"slug": f"wrong-{number}", "file": "wrong", "title": "Wrong", "name": "Wrong"}
    text = Template(TEXT).substitute(parts)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    folder.mkdir(exist_ok=True)
    path = folder / f"wrong_{number}.py"
    path.write_text(text, "utf-8")
    return str(path)


def line_of(spec: str, text: str) -> int:
    with open(spec, encoding="utf-8") as file:  # noqa: PTH123 - a path as text
        return next(number for number, line in enumerate(file, 1) if text in line)


# --- what cannot be loaded --------------------------------------------------------------

NOT_LOADED = {
    "syntax": (("HEAP = 8", "HEAP = = 8"), "HEAP", r"line {line} is not Python: invalid syntax\."),
    "import": (
        ("import trapline\n", "import trapline\nimport no_such_thing\n"),
        "no_such",
        r"line {line}, fails: ModuleNotFoundError: No module named 'no_such_thing'\.",
    ),
    "crash": (("HEAP = 8", "HEAP = 8 // 0"), "HEAP", r"line {line}, fails: ZeroDivisionError"),
    "exit": (("HEAP = 8", "HEAP = exit(3)"), "HEAP", r"line {line}, fails: SystemExit: 3\."),
    "no game": (("trapline.Game[State]", "object"), "", "holds no game: no class in it builds on"),
    "missing rule": (
        ("    def events(", "    def evens("),
        "class Wrong",
        r"line {line}\) does not say events\.",
    ),
    "name": (('name = "wrong', 'name = "Wrong '), "class Wrong", r"line {line}\) needs a name of"),
    "no name": (('    name = "', '    nam = "'), "class Wrong", r"line {line}\) needs a name of"),
    "title": (('title = "Wrong"', "title = 3"), "class Wrong", r"line {line}\) needs a title"),
    "summary": (("    summary =", "    sumary ="), "class Wrong", "needs a summary"),
    "first": (
        ('title = "Wrong"', 'title = "Wrong"\n    default_first = 3'),
        "",
        "has a default_first that is not 1, 2 or 'toss'",
    ),
    "words": (('title = "Wrong"', 'title = "Wrong"\n    words = str'), "", "has words that are no"),
    "start": (
        ("return State(first, 0, ONGOING, HEAP, (0, 0))", "return None"),
        "class Wrong",
        r"line {line}\) has a start that gives no State",
    ),
    "start raises": (
        ("return State(first, 0, ONGOING, HEAP, (0, 0))", "return State(first)"),
        "return State(first)",
        r"line {line}, in start\) fails: TypeError",
    ),
    "thawed": (("frozen=True", "frozen=False"), "class State", r"line {line}\) must be frozen"),
    "a list": (
        ("ONGOING, HEAP, (0, 0))", "ONGOING, HEAP, [0, 0])"),
        "class State",
        r"State \(.*line {line}\) holds a list in cursed: use a tuple",
    ),
    "nobody asked": (("return self.curse", "return None"), "", "asks nobody anything at the start"),
    "no question": (("return self.curse", "return 1"), "", "asks int, which is no Question"),
    "no answer": (("range(1, 4)", "range(0)"), "", "asks for a secret and allows no answer"),
    "board": (("return Panel(", "return tuple("), "", "has a board that is none"),
    "loops": (
        ("self.options = options", "self.options = options\n        while True: pass"),
        "while True",
        r"line {line}, in __init__\) goes on for ever: it was stopped",
    ),
    "recursion": (
        ("self.options = options", "self.__init__(options)"),
        "self.__init__",
        r"line {line}, in __init__\) calls itself for ever",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", NOT_LOADED)
def test_what_cannot_be_loaded_is_a_sentence_that_names_the_place(
    what: str, tmp_path: Path
) -> None:
    change, at, expected = NOT_LOADED[what]
    spec = written(tmp_path, change)
    line = line_of(spec, at) if at else 0
    with pytest.raises(GameError) as caught:
        find_game(spec)
    assert re.search(expected.replace("{line}", str(line)), str(caught.value)), str(caught.value)
    assert str(caught.value).endswith(".")
    assert make_game("hidden-path").name in GAMES


def test_several_games_in_a_file_are_told_apart(tmp_path: Path) -> None:
    spec = written(tmp_path)
    text = (tmp_path / spec).read_text("utf-8")
    more = "\n\nclass Another(Base):\n    name = 'another'\n    title = 'Another'\n"
    (tmp_path / "several.py").write_text(
        text.replace("class Wrong(", "class Base(").replace("wrong-", "several-")
        + more
        + more.replace("nother", "nyone"),
        "utf-8",
    )
    several = str(tmp_path / "several.py")
    with pytest.raises(GameError, match=r"holds 2 games: name one, such as .*several.py:Another\."):
        find_game(several)
    with pytest.raises(GameError, match=r"has no game Nobody, such as Base"):
        find_game(f"{several}:Nobody")
    assert find_game(f"{several}:Anyone").name == "anyone"
    assert find_game(f"{several}:Another").name == "another"


def test_names_are_unique(tmp_path: Path) -> None:
    taken = written(tmp_path, ('name = "wrong', 'name = "taken-wrong'))
    name = find_game(taken).name
    assert find_game(taken) is find_game(name)
    again = written(tmp_path / "other")
    again_text = (tmp_path / again).read_text("utf-8")
    (tmp_path / again).write_text(re.sub(r'name = "wrong-\d+"', f'name = "{name}"', again_text))
    with pytest.raises(GameError, match=f"a game called {name} is loaded already, from .*{taken}"):
        find_game(again)
    rulebook = written(tmp_path, ('name = "wrong', 'name = "hidden-path" # "'))
    with pytest.raises(GameError, match="hidden-path is the name of a rulebook"):
        find_game(rulebook)


def test_a_file_that_cannot_be_loaded_leaves_no_trace(tmp_path: Path) -> None:
    spec = written(tmp_path, ("HEAP = 8", "HEAP = 8 // 0"))
    for _ in range(2):
        with pytest.raises(GameError, match="ZeroDivisionError"):
            find_game(spec)
    path = tmp_path / spec
    path.write_text(path.read_text("utf-8").replace("8 // 0", "8"), "utf-8")
    assert is_known(find_game(spec).name)


# --- what `trapline check` finds --------------------------------------------------------

APPLY = "        rival, left, outcome = 3 - seat, state.heap - answer, ONGOING\n"
UNSOUND = {
    "raises": (
        "crash",
        (APPLY, APPLY + "        (1, 2)[state.heap]\n"),
        "in apply\\) fails: IndexError",
    ),
    "loops": (
        "crash",
        (APPLY, APPLY + "        while state.heap == 4: pass\n"),
        "in apply\\) goes on for ever: it was stopped",
    ),
    "mutates": (
        "shared state",
        (APPLY, APPLY + "        __import__('msgspec').structs.force_setattr(state, 'heap', 5)\n"),
        "apply changes the state that it is given",
    ),
    "remembers": (
        "shared state",
        (APPLY, APPLY + "        self.n = getattr(self, 'n', 0) + 1\n        left += self.n % 2\n"),
        "apply gives two different states for one answer",
    ),
    "refuses": (
        "refused",
        (APPLY, APPLY + "        if answer == 3: raise trapline.IllegalMove('Not three.')\n"),
        "apply refuses '3', which question lists: Not three",
    ),
    "deadlock": (
        "deadlock",
        ("return self.take[state.heap]", "return self.take[8] if state.heap > 3 else None"),
        "question asks nobody anything, but it is not over",
    ),
    "wrong turn": (
        "deadlock",
        ("if seat != state.mover or", "if seat == state.mover or"),
        "asks Player . while it is Player .'s turn",
    ),
    "no state": ("space", (APPLY, APPLY + "        if left == 2: return None\n"), "gives NoneType"),
    "turns": ("space", ("state.turn + 1, outcome", "state.turn + 2, outcome"), "from turn 0 to 2"),
    "outcome": ("space", ('won(rival, "curse")', '"lost"'), "has an outcome that is none"),
    "stake": ("rewards", ('won(rival, "curse")', 'won(rival, "curse", 3)'), "won by 3, but"),
    "planes": ("space", ("HEAP), *curses", "state.heap), *curses"), "board shows other things"),
    "range": ("space", ("state.heap, HEAP)", "state.heap, 3)"), "board shows more of 'heap'"),
    "events": ("space", ("yield Told(seat, f", "yield str(f"), "is no event"),
    "leak": ("leak", ("seat == 2 else -1", "seat else -1"), "what a player may not know"),
    "endless": (
        "endless",
        ("seat, state.heap - answer, ONGOING\n", "seat, HEAP, ONGOING\n        answer = 9\n"),
        "had not ended after",
    ),
    "memory": (
        "space",
        ("    heap: int\n", "    memory = ('heap',)\n    heap: int\n"),
        "reads one of heap",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", UNSOUND)
def test_what_is_unsound_is_found_and_named(what: str, tmp_path: Path) -> None:
    sort, change, expected = UNSOUND[what]
    report = look(written(tmp_path, change), {})
    (finding,) = report.findings
    assert finding.check == sort, finding
    assert re.search(expected, finding.sentence), finding.sentence
    assert re.search(r"\(wrong_\d+\.py, line \d+", finding.sentence), finding.sentence


def test_a_match_that_does_not_come_back_from_its_record_is_told(tmp_path: Path) -> None:
    """Two moves within one turn are one entry of a record, by one player."""
    change = ("state.turn + 1, outcome", "state.turn + (answer < 3), outcome")
    (finding,) = look(written(tmp_path, change), {}).findings
    assert finding.check == "reset"
    assert "does not come back from its record: move " in finding.sentence


def test_a_sound_game_is_found_sound_in_a_process_of_its_own(tmp_path: Path) -> None:
    report = check(written(tmp_path))
    assert report.ok, report.findings
    assert report.states > 100


def test_rules_that_kill_or_block_the_process_take_nothing_with_them(tmp_path: Path) -> None:
    fatal = written(tmp_path, (APPLY, "        import os\n        os._exit(7)\n" + APPLY))
    (finding,) = check(fatal).findings
    assert "ended the process that looked at it (code 7)" in finding.sentence
    asleep = written(tmp_path, (APPLY, "        import time\n        time.sleep(99)\n" + APPLY))
    (finding,) = check(asleep, seconds=3).findings
    assert "was not done after 3 seconds" in finding.sentence


# --- before the referee -----------------------------------------------------------------


def ready(spec: str) -> Match:
    match = Match(make_game(spec), first=1)
    match.play(1, 2)
    match.play(2, 2)
    return match


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ((APPLY, APPLY + "        (1, 2)[state.heap]\n"), r"in apply\) fails: IndexError"),
        ((APPLY, APPLY + "        while state.heap: pass\n"), r"in apply\) goes on for ever"),
        (
            ("            curse = ", "            1 // 0\n            curse = "),
            r"in events\) fails",
        ),
        ((APPLY, APPLY + "        return None\n"), "fails: AttributeError"),
    ],
)
def test_a_rule_that_fails_leaves_the_match_as_it_was(
    change: tuple[str, str], expected: str, tmp_path: Path
) -> None:
    match = ready(written(tmp_path, change))
    before = [match.view(seat) for seat in (1, 2, None)]
    for _ in range(2):
        with pytest.raises(GameError, match=expected):
            match.play(1, 1)
        assert [match.view(seat) for seat in (1, 2, None)] == before
    match.resign(1)
    assert match.record().rules


def test_what_a_fork_tries_out_is_held_as_well(tmp_path: Path) -> None:
    match = ready(written(tmp_path, (APPLY, APPLY + "        1 // 0\n")))
    for tried in (match.fork(), match.fork().fork()):
        before = tried.view(1)
        with pytest.raises(GameError, match=r"in apply\) fails: ZeroDivisionError"):
            tried.play(1, 1)
        assert tried.view(1) == before


def test_only_matches_of_rules_from_outside_are_held(tmp_path: Path) -> None:
    """Every call of all others would be dearer for it, and the rulebooks need no holding."""
    assert type(ready(written(tmp_path))) is not Match
    for name in GAMES:
        assert type(Match(make_game(name))) is Match
        assert type(Match(make_game(name)).fork()) is Match


def test_a_board_that_fails_is_a_sentence(tmp_path: Path) -> None:
    match = ready(
        written(tmp_path, ("one = state.cursed[0]", "one = state.cursed[state.turn * 2]"))
    )
    match.play(1, 1)
    with pytest.raises(GameError, match=r"line \d+, in board\) fails: IndexError"):
        match.view(1)


def test_a_record_of_rules_that_fail_is_a_sentence(tmp_path: Path) -> None:
    spec = written(tmp_path)
    match = ready(spec)
    match.play(1, 1)
    match.resign(2)
    data = match.record().to_json().encode()
    bad = written(tmp_path, (APPLY, APPLY + "        1 // 0\n"))
    renamed = data.replace(match.game.name.encode(), find_game(bad).name.encode())
    with pytest.raises(GameError, match=r"in apply\) fails: ZeroDivisionError"):
        list(Walk(parse_record(renamed)).steps())
    answer = replay_answer(renamed)
    assert not answer["ok"]
    assert "in apply) fails" in answer["error"]
