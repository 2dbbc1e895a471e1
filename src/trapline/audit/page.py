"""An audit's report for people: as lines of text, and as one page that needs nothing else."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import msgspec

from trapline.audit.report import CHECKS, HARMLESS
from trapline.report import html

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.audit.report import Finding, Report

MEANINGS = {
    "crash": "the environment fails, or asks for more than it may",
    "deadlock": "it is not over, and nobody may move",
    "refused": "a move that is listed is refused",
    "accepted": "a move that is not listed is accepted",
    "endless": "play can go on for ever, or a call does not come back",
    "rewards": "the rewards do not sum up, go to the wrong player, or punish a valid move",
    "chance": "the same seed and the same actions lead to something else",
    "shared state": "what happens in one environment happens in another",
    "reset": "a reset leaves something of what was before",
    "space": "what is shown or listed lies outside the space declared for it",
    "leak": "a player is told what they may not know",
    "recall": "an information state forgets what its player knew or did",
    "decided": "best play, or any play, leaves nothing open, or a choice never matters",
}
STYLE = """
.found { border-left: 3px solid #c0392b; padding: .1rem 0 .1rem .8rem; margin: 1rem 0; }
.found.decided { border-color: var(--line); }
code { overflow-wrap: anywhere; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
li { margin: .15rem 0; }
"""


def text(report: Report) -> str:
    lines = []
    for finding in report.findings:
        lines.append(f"{finding.check.upper()}  {finding.sentence}")
        if finding.play:
            lines.append(f"  play: {_play(finding)}")
        lines.append(f"  {finding.reproduce}")
    return "\n".join([*lines, *_value(report), _verdict(report)])


def certified(report: Report, path: Path) -> str:
    """Write the certificate of a value to a file, if there is one, and say so."""
    if report.certificate is None:
        return "There is no certificate: the value is not known, or play need not end."
    path.write_bytes(msgspec.json.encode(report.certificate))
    called = f"proven({str(path)!r})"
    return (
        f"The certificate is written; this checks it: from trapline.audit import proven; {called}"
    )


def _value(report: Report) -> list[str]:
    value = report.figures.value
    return [] if value is None else [f"With best play whoever moves first gets {value:g}."]


def _verdict(report: Report) -> str:
    figures = report.figures
    seen = f"{figures.states} positions and {figures.plays} plays"
    whole = "which is everything there is" if report.exhaustive else "which is not everything"
    if not report.ok:
        count = sum(finding.check != HARMLESS for finding in report.findings)
        faults = "one fault" if count == 1 else f"{count} faults"
        return f"{report.target} has {faults}, in {seen}."
    return f"{report.target} is sound, as far as {seen} can tell, {whole}."


def _play(finding: Finding) -> str:
    return json.dumps(finding.play, default=str)


def page(report: Report) -> str:
    found = {finding.check for finding in report.findings}
    silent = [check for check in CHECKS if check not in found]
    parts = [f"<p>{escape(_verdict(report))}</p>"]
    parts += [f"<p>{sentence}</p>" for sentence in _value(report)]
    parts += [_finding(finding) for finding in report.findings]
    items = "".join(f"<li><b>{check}</b>: {escape(MEANINGS[check])}</li>" for check in silent)
    parts.append(f"<h2>Not found</h2><ul>{items}</ul>")
    return html.page(f"Audit of {report.target}", STYLE, "\n".join(parts))


def _finding(finding: Finding) -> str:
    play = f"<p>Play: <code>{escape(_play(finding))}</code></p>" if finding.play else ""
    return (
        f'<div class="found {finding.check.split()[0]}"><h2>{escape(finding.check)}</h2>'
        f"<p>{escape(finding.sentence)}</p>{play}<pre>{escape(finding.reproduce)}</pre></div>"
    )
