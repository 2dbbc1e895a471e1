"""Well-known environments, audited from their released packages: the table of docs/audit.md.

`python -m bench.audit` audits the list below and prints the table; `python -m bench.audit FOLDER
COUNT` audits so many files of a folder of Gymnasium environments, drawn by lot, and counts what
was found. What is not installed is left out, and said so.
"""

from __future__ import annotations

import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from random import Random

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


def folder(path: Path, count: int) -> None:
    files = sorted(path.glob("*.py"))
    drawn = Random(0).sample(files, min(count, len(files)))
    found: Counter[str] = Counter()
    faulty = solved = first = 0
    for file in drawn:
        try:
            report = audit(f"gymnasium:{file}", FILE_SECONDS)
        except TraplineError as error:
            found["could not be run"] += 1
            print(f"{file.name}: {error}", flush=True)
            continue
        found.update(finding.check for finding in report.findings)
        faulty += not report.ok
        solved += report.figures.value is not None
        first += report.figures.value == 1
        for finding in report.findings:
            said = f"{finding.check} {list(finding.play)[:12]}: {finding.sentence[:160]}"
            print(f"{file.name}: {said}", flush=True)
    print(f"{len(drawn)} environments, {faulty} with a fault")
    for check in (*CHECKS, "could not be run"):
        print(f"  {check}: {found[check]}")
    print(f"  solved: {solved}, won by whoever starts: {first}")


if __name__ == "__main__":
    if len(sys.argv) == 3 and Path(sys.argv[1]).is_dir():
        folder(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        table(sys.argv[1:] or TARGETS)
