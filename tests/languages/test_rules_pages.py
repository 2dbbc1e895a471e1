"""The rules in other languages have every section, item and option of the English page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapline.games import GAMES, find_game
from trapline.server.catalogue import rules_of
from trapline.server.languages import CODES


def shape(page: str) -> list[tuple[str, ...]]:
    """What a page is made of, line by line, whatever it says: headings, items, paragraphs, code."""
    found: list[tuple[str, ...]] = []
    for block in re.split(r"\n(?=#|- |\d\. |\n)", page.strip()):
        kind = re.match(r"#+|-|\d\.|", block.strip())
        assert kind is not None  # it may be empty
        if block.strip():
            found.append((kind[0], *sorted(set(re.findall(r"`[^`]+`", block)))))
    return found


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_rules_is_translated_whole(game: str, code: str) -> None:
    kind = GAMES[game]
    translated = kind.translated_rules()[code]
    assert shape(translated) == shape(kind.rules())
    assert len(shape(translated)) > 40
    numbers = [sorted(set(re.findall(r"\d+", page))) for page in (translated, kind.rules())]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("game", GAMES)
def test_the_page_is_sent_every_language(game: str) -> None:
    rules = rules_of(GAMES[game])
    assert set(rules.translations) == set(CODES)
    assert all("<h2>" in html and html != rules.html for html in rules.translations.values())


def test_shapes_tell_pages_apart() -> None:
    assert shape("# A\n\n- `x` (1): b\n- c") == [("#",), ("-", "`x`"), ("-",)]
    assert shape("# A\n\n- `x` (1): b") != shape("# A\n\n- `y` (1): b")


def test_a_game_from_outside_brings_its_own_translation(tmp_path: Path) -> None:
    nim = Path(__file__).parents[2] / "examples" / "games" / "nim.py"
    folder = tmp_path / "heaps"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "heaps.py").write_text(nim.read_text("utf-8").replace('"nim"', '"heaps"'), "utf-8")
    (folder / "rules.de.md").write_text("# Haufen\n\nNimm, so viel du willst.\n", "utf-8")
    heaps = find_game(str(folder / "heaps.py"))
    assert "Nimm, so viel du willst." in rules_of(heaps).translations["de"]
    assert rules_of(heaps).translations.keys() == {"de"}
