"""Lessons: guided matches that keep the rules, end with a win, and leave something to find."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

from trapline.coach import advise
from trapline.contest import next_asked
from trapline.core import BY_SEAT, Lesson, LessonStep, TraplineError
from trapline.games import GAMES, make_game
from trapline.referee import Match
from trapline.terminal.lessons import teach

if TYPE_CHECKING:
    from pathlib import Path


def lesson_of(name: str) -> Lesson:
    found = GAMES[name].lesson
    assert found is not None
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_lesson_keeps_the_rules_and_ends_with_a_win(name: str) -> None:
    lesson = lesson_of(name)
    match = Match(make_game(name, lesson.options), lesson.first)
    found = 0
    for step in lesson.steps:
        seat = next_asked(match)
        assert seat is not None
        if seat == lesson.learner:
            assert step.says
            if step.finds:
                found += 1
                assert step.hint
                best = advise(match.view(seat)).options[0]
                question = match.question(seat)
                assert question is not None
                (form,) = match.read(seat, step.answer)
                assert best.answer.split()[0] == question.text(question.value(form)).split()[0]
        match.play(seat, *match.read(seat, step.answer))
    assert match.outcome is not None
    assert match.outcome.winner == lesson.learner
    assert found >= 1
    words = sum(len(step.says.split()) for step in lesson.steps) + len(lesson.closing.split())
    assert words < 160  # read in less than a minute
    assert BY_SEAT[lesson.learner]


def run(name: str, given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trapline", "learn", name],
        input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_a_lesson_at_the_prompt(name: str) -> None:
    lesson = lesson_of(name)
    match = Match(make_game(name, lesson.options), lesson.first)
    typed = []
    for step in lesson.steps:
        seat = next_asked(match)
        assert seat is not None
        if seat == lesson.learner:
            typed.append(step.answer)
        match.play(seat, *match.read(seat, step.answer))
    done = run(name, "".join(f"{line}\n" for line in typed))
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert all(" ".join(step.says.split()) in told for step in lesson.steps)
    assert lesson.closing in told


def test_a_wrong_answer_gets_a_hint_and_an_early_end_a_sentence() -> None:
    done = run("numeric-maze", "7\n1\n3\n2\n")
    assert done.returncode == 1
    told = " ".join(done.stdout.split())
    assert "A move is 1 to 3 spaces" in told
    assert "In this lesson, answer 3." in told
    assert "Two steps would land on 5" in told
    assert "The lesson waits" in told


def test_a_lesson_that_breaks_the_rules_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = GAMES["numeric-maze"]
    monkeypatch.setattr("builtins.input", lambda _prompt: "3")
    lesson = lesson_of("numeric-maze")
    broken = msgspec.structs.replace(lesson, steps=(lesson.steps[0], LessonStep("9")))
    monkeypatch.setattr(kind, "lesson", broken)
    with pytest.raises(TraplineError, match="breaks its rules"):
        teach(kind)
    over = msgspec.structs.replace(lesson, options={"length": 3, "traps": []})
    monkeypatch.setattr(kind, "lesson", over)
    with pytest.raises(TraplineError, match="goes on after its end"):
        teach(kind)
    monkeypatch.setattr(kind, "lesson", None)
    with pytest.raises(TraplineError, match="has no lesson"):
        teach(kind)


def test_a_game_from_outside_can_bring_a_lesson(tmp_path: Path) -> None:
    from tests.outside import examples

    source = (examples.FILES[0].parent / "nim.py").read_text()
    head, _, rest = source.partition("    name = ")
    lesson = (
        "    lesson = Lesson({'piles': [1]}, (LessonStep('1', 'Take it all.'),), 'Count ahead.')\n"
    )
    text = head.replace(
        "from __future__ import annotations\n",
        "from __future__ import annotations\n\nfrom trapline.core import Lesson, LessonStep\n",
        1,
    )
    file = tmp_path / "heaps.py"
    file.write_text(text + lesson + "    name = " + rest.replace('"nim"', '"heaps"', 1))
    done = run(str(file), "1\n")
    assert done.returncode == 0, done.stderr
    assert "Count ahead." in done.stdout
