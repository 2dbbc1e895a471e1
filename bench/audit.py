"""Well-known environments, audited from their released packages: the table of docs/audit.md.

`python -m bench.audit` audits the list below and prints the table, `python -m bench.audit TARGET…`
those targets. `python -m bench.audit FOLDER COUNT KEPT` audits so many files of a folder of
Gymnasium environments, drawn by lot, and counts what was found; what is found in each goes to KEPT,
a line of JSON each, so that a run that was stopped goes on where it was. What is not installed is
left out, and said so.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from trapline.audit import CHECKS, Report, audit
from trapline.core import TraplineError

SECONDS = 10.0
FILE_SECONDS = 4.0
PACKAGES = {
    "pyspiel": "open_spiel",
    "pettingzoo": "pettingzoo",
    "gymnasium": "gymnasium",
    "textarena": "textarena",
    "kaggle": "kaggle-environments",
    "envpool": "envpool",
}
TARGETS = [
    "pyspiel:dark_hex(board_size=2)",
    "pyspiel:kuhn_poker",
    "pyspiel:leduc_poker",
    "pyspiel:liars_dice",
    "pyspiel:phantom_ttt",
    "pyspiel:goofspiel(num_cards=4,imp_info=True,players=2)",
    "pyspiel:tic_tac_toe",
    "pyspiel:connect_four",
    "pyspiel:chess",
    "pyspiel:backgammon",
    "pettingzoo:tictactoe_v3",
    "pettingzoo:connect_four_v3",
    "pettingzoo:rps_v2",
    "pettingzoo:chess_v6",
    "pettingzoo:leduc_holdem_v4",
    "pettingzoo:texas_holdem_v4",
    "pettingzoo:texas_holdem_no_limit_v6",
    "gymnasium:Blackjack-v1",
    "gymnasium:FrozenLake-v1",
    "gymnasium:Taxi-v4",
    "gymnasium:CartPole-v1",
    "textarena:KuhnPoker-v0",
    "textarena:TicTacToe-v0",
    "textarena:Nim-v0",
    "textarena:ConnectFour-v0",
    "kaggle:connectx",
    "kaggle:open_spiel_dark_hex",
    "kaggle:open_spiel_go_fish",
    "kaggle:open_spiel_universal_poker",
    "kaggle:open_spiel_tic_tac_toe",
    "envpool:KuhnPoker-v1",
    "envpool:LeducHoldem-v1",
    "envpool:TicTacToe-v1",
    "envpool:ConnectFour-v1",
    "envpool:Hex-v1",
    "envpool:Othello-v1",
    "envpool:Go9x9-v1",
    "envpool:Backgammon-v1",
    "envpool:Chess-v1",
    "envpool:Blackjack-v1",
    "hidden-path",
    "trap-builder",
    "trap-runner",
    "secret-paths",
    "numeric-maze",
]


def package(target: str) -> str:
    name = PACKAGES.get(target.partition(":")[0], "trapline")
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return name


def row(report: Report) -> str:
    found = ", ".join(finding.check for finding in report.findings) or "–"
    whole = "all" if report.exhaustive else str(report.figures.states)
    return f"| `{report.target}` | {package(report.target)} | {whole} | {found} |"


def table(targets: list[str]) -> None:
    print("| target | package | positions | found |\n| --- | --- | --- | --- |", flush=True)
    for target in targets:
        try:
            report = audit(target, SECONDS)
        except TraplineError as error:
            print(f"{target} is left out: {str(error)[:120]}", file=sys.stderr)
            continue
        print(row(report), flush=True)
        for finding in report.findings:
            print(f"  {finding.check}: {finding.sentence}\n  {finding.reproduce}", file=sys.stderr)


def folder(path: Path, count: int, kept: Path) -> None:
    """Audit what is not in `kept` yet, and count what all of them came to."""
    files = sorted(path.glob("*.py"))
    for file in Random(0).sample(files, min(count, len(files))):
        if file.name in {line["file"] for line in lines(kept)}:
            continue
        found: dict[str, Any] = {"file": file.name, "findings": {}, "value": None}
        try:
            report = audit(f"gymnasium:{file}", FILE_SECONDS)
        except TraplineError as error:
            found["error"] = str(error)[:200]
        else:
            found["value"] = report.figures.value
            for finding in report.findings:
                found["findings"][finding.check] = msgspec.to_builtins(finding)
        with kept.open("a", encoding="utf-8") as file_of_lines:
            file_of_lines.write(json.dumps(found) + "\n")
    counts(lines(kept))


def lines(kept: Path) -> list[dict[str, Any]]:
    if not kept.is_file():
        return []
    return [json.loads(line) for line in kept.read_text("utf-8").splitlines()]


def _hard(line: dict[str, Any]) -> bool:
    """Whether there is more than what gg-bench's own instruction, or a type of numbers, brings."""
    told = {check: found["sentence"] for check, found in line["findings"].items()}
    return any(
        check not in ("decided", "space")
        and not (check == "rewards" and "is punished with" in sentence)
        for check, sentence in told.items()
    )


def counts(found: list[dict[str, Any]]) -> None:
    checks = Counter(check for line in found for check in line["findings"])
    faulty = sum(1 for line in found if set(line["findings"]) - {"decided"})
    usual = sum(1 for line in found if set(line["findings"]) - {"decided"} and not _hard(line))
    values = [line["value"] for line in found if line["value"] is not None]
    print(f"{len(found)} environments, {faulty} with a fault")
    print(f"  only outside of their space, or punishing every valid move: {usual}")
    for check in CHECKS:
        print(f"  {check}: {checks[check]}")
    print(f"  could not be run: {sum(1 for line in found if 'error' in line)}")
    print(f"  solved: {len(values)}, won by whoever starts: {values.count(1)}")


if __name__ == "__main__":
    if len(sys.argv) == 4 and Path(sys.argv[1]).is_dir():
        folder(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
    else:
        table(sys.argv[1:] or TARGETS)
