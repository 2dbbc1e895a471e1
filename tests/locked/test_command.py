"""`trapline verify` and `trapline replay` on records of locked matches."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.locked.playing import finished
from tests.test_cli import trapline

if TYPE_CHECKING:
    from pathlib import Path


def test_verify_names_whoever_opened_wrongly_from_the_file_alone(tmp_path: Path) -> None:
    record = json.loads(finished("hidden-path", {}, 1).locked.record().to_json())
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(record))
    done = trapline("verify", str(good))
    assert done.returncode == 0
    assert "ok     Player 2 opened everything as it was committed to" in done.stdout
    assert "Everything holds." in done.stdout
    last = record["locked"]["opened"][-1]
    last["holds"] = not last["holds"]
    bad.write_text(json.dumps(record))
    done = trapline("verify", str(bad))
    assert done.returncode == 1
    blame = f"Player {last['seat']} opened step {last['place']} with what was not committed to"
    assert blame in done.stdout
    assert trapline("replay", "--json", str(good)).returncode == 0
