"""A target that cannot be looked at is refused with a sentence that says what would be right."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from trapline.audit.targets import subject_named
from trapline.core import TraplineError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("target", "library", "said"),
    [
        ("kaggle:connectx", "kaggle_environments", r"pip install 'trapline\[kaggle\]'"),
        ("pyspiel:kuhn_poker", "pyspiel", r"pip install 'trapline\[adapters\]'"),
        ("textarena:Nim-v0", "textarena", r"pip install 'trapline\[adapters\]'"),
        ("pettingzoo:rps_v2", "pettingzoo", r"pip install 'trapline\[adapters\]'"),
    ],
)
def test_a_library_that_is_missing_is_named_with_its_extra(
    target: str, library: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for loaded in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(TraplineError, match=rf"is not installed.*{said}"):
        subject_named(target)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("pettingzoo:nosuch_v9", r"There is no module nosuch_v9, in pettingzoo\.classic or"),
        ("gymnasium:no.such:Env", r"There is no module no\.such\b"),
        ("openenv:no.such:Env", r"There is no module no\.such\b"),
        ("gymnasum:env.py", r"gymnasum.* A target is a game, pyspiel:NAME, pettingzoo:MODULE"),
        ("foo:bar", r"There is no module foo.* A target is a game, pyspiel:NAME"),
    ],
)
def test_what_is_not_there_is_told(target: str, said: str) -> None:
    with pytest.raises(TraplineError, match=said):
        subject_named(target)


def test_what_an_environment_itself_misses_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needy_env.py").write_text("import never_heard_of\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TraplineError, match=r"needy_env needs never_heard_of, which is not"):
        subject_named("gymnasium:needy_env:Env")
