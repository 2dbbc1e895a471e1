"""The tables of a large tournament, on a narrow terminal and a wide one."""

from __future__ import annotations

import pytest

from trapline.arena.exploiting import Exploitability
from trapline.arena.noise import Noise
from trapline.arena.ratings import Rating
from trapline.arena.standings import Regret, Report, Standing
from trapline.fairness import Score
from trapline.terminal import arena as screen

GAMES = [f"numeric-maze length={length} traps=4,7 turn_limit=30" for length in range(9, 14)]
PLAYERS = [f"llm:some-model-of-someone-{number}" for number in range(19)]


def standing(number: int) -> Standing:
    regret = Regret(number / 100, 0.073, 40)
    found = Exploitability(number / 50, 0.5, 0.5, 0.0, 1.0, 12, 7 if number == 3 else 0)
    return Standing(
        PLAYERS[number],
        Rating(25 - number, 1.0),
        Score(10, 1, 5),
        0,
        regret,
        dict.fromkeys(GAMES, regret),
        dict.fromkeys(GAMES[:4], found),
        Noise("choices", None, None, None),
        None,
    )


@pytest.mark.parametrize("columns", [80, 120])
def test_who_did_how_in_a_game_stands_in_one_line(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    screen.tell(Report(GAMES, 0, 900, [standing(n) for n in range(19)], [], [], []))
    parts = capsys.readouterr().out.split("\nIn ")
    assert [part.splitlines()[0] for part in parts[1:]] == [f"{game}:" for game in GAMES]
    for part in parts[1:5]:
        head, *rows = part.splitlines()[1:20]
        assert head.split("  ")[0] == "player"
        assert "regret of a choice" in head
        assert head.rstrip().endswith("exploitability       unusable")
        for number, row in enumerate(rows):
            figures = f"{number / 100:.3f} ± 0.073", f"{number / 50:.2f} (0.00 to 1.00)"
            assert [cell.strip() for cell in row.split("  ") if cell.strip()] == [
                PLAYERS[number],
                *figures,
                *(["7"] if number == 3 else []),
            ]
            assert len(row) <= columns
    assert "exploitability" not in parts[5]
