"""Nothing that the page can say is missing in a language, and nothing is said wrongly."""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.languages import corpus
from tests.languages.scripts import HOLE, spoken
from tests.languages.sentences import refused, written
from tests.languages.speaking import speak
from trapline.games import GAMES, make_game
from trapline.server.catalogue import describe
from trapline.server.front import home
from trapline.server.languages import CODES, messages, sources
from trapline.server.page import html
from trapline.server.shelf import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SLOT = re.compile(r"\{(\w+)(?:, plural,((?: \w+ \{[^}]*\})+))?\}")
BREAK = re.compile(r" · |(?<=[.!?])(?<!e\.g\.) ")
LEFT_OVER = re.compile(
    r"\b(the|is|are|you|your|and|with|Player|step|square|stands|trap|which|moves|wins)\b"
)
"""Words of English that neither German nor French has."""

NOT_SEEN = {
    "screens/coach.js": {"M\0"},
    "api.js": {"GET", "DELETE", "Content-Type"},
    "connection.js": {"too fast"},
    "dom.js": {"input[type=radio]:checked", "input, select"},
    "screens/ask.js": {"primary answer", "row many", "row few"},
    "screens/learn.js": {"input, select, textarea"},
    "screens/table.js": {"input, select, textarea", "match as-\0\0"},
    "screens/panel.js": {"button:not([disabled])"},
    "screens/players.js": {"plate seat-\0\0\0"},
    "screens/reactions.js": {"good luck", "let me think", "thank you", "good game"},
    "screens/setup.js": {"sudden death", "per move"},
    "screens/share.js": {"700 46px \0", "22px sans-serif", "data:image/svg+xml;charset=utf-8,\0"},
    "seals.js": {"trapline commitment 1"},
    "transfer.js": {"trapline transfer 1"},
    "main.js": {"a[data-link]"},
    "language.js": {"English", "Deutsch", "Français"},
    "story.js": {"last to seat-\0", "last from seat-\0", "traces said"},
}
"""Literals that are no words: they go to the browser or the server."""


@cache
def patterns() -> tuple[str, ...]:
    """English patterns with their slots taken out."""
    keys = messages(CODES[0])
    return tuple(_without_numbers(SLOT.sub(lambda slot: slot[2] or HOLE, key)) for key in keys)


def _without_numbers(text: str) -> str:
    """A number may stand in a pattern, or a slot for it; a cell is two of them."""
    text = re.sub(r"\d+(\.\d+)?", HOLE, text)
    return re.sub(f"{HOLE}(,{HOLE})+", HOLE, text)


def uncovered(text: str) -> list[str]:
    """The sentences of a text that no pattern is made for."""
    return [piece for piece in BREAK.split(text.strip()) if piece and not _covered(piece)]


@cache
def _covered(piece: str) -> bool:
    parts = [part.strip(" :(") for part in _without_numbers(piece).split(HOLE)]
    like = re.compile(".*".join(map(re.escape, parts)), re.DOTALL)
    return any(like.search(key) for key in patterns())


def _of_scripts() -> Iterator[tuple[str, str]]:
    for script, text in spoken():
        if re.fullmatch("(0x)?[0-9A-F]{64}", text):
            continue  # digits of a number
        if text not in NOT_SEEN.get(script, ()) and not text.startswith(("translate(", "M\0")):
            yield script, text


@pytest.mark.parametrize("said", [_of_scripts, written, refused], ids=["page", "games", "refusals"])
def test_every_sentence_of_the_source_has_a_pattern(
    said: Callable[[], Iterator[tuple[str, str]]],
) -> None:
    found = [(place, text) for place, text in said() if uncovered(text)]
    assert not found


def test_the_page_itself_is_in_the_catalogue() -> None:
    first = home(Catalogue(tuple(describe(make_game(name), "rulebook") for name in GAMES), ()))
    page = html("/", first).body.decode()
    body = page.partition("<body>")[2].partition("<noscript>")[0]
    words, body = _first_words(body)
    texts = [re.sub(r"\s+", " ", text) for text in re.findall(r">([^<>]+)<", body)]
    texts += re.findall(r'aria-label="([^"]+)"', body)
    said = [text for text in texts if re.search("[A-Za-z]{2}", text)]
    assert len(said) > 40
    assert not speak("de", said).missing
    for code in CODES:
        assert speak(code, words["en"]).told == words[code]
    assert {" ".join(text.split()) for text in said} - {"Deutsch"} <= {*words["en"]}


def _first_words(body: str) -> tuple[dict[str, list[str]], str]:
    """What the page brings along in other languages, and the rest of it."""
    data, rest = body.partition("<script")[2].split("</script>", 1)
    words = json.loads(data.partition(">")[2])
    return words, body.partition("<script")[0] + rest.partition("</script>")[2]


def test_languages_say_the_same() -> None:
    first, *others = CODES
    for code in others:
        assert messages(code).keys() == messages(first).keys()


@pytest.mark.parametrize("code", CODES)
def test_nothing_is_lost_between_a_pattern_and_its_words(code: str) -> None:
    for english, becomes in messages(code).items():
        assert becomes.strip(), english
        slots, found = _slots(english), _slots(becomes)
        assert slots == found, english
        assert len(BREAK.split(english)) == 1, f"{english} is more than one sentence"


def _slots(text: str) -> list[tuple[str, bool]]:
    found = []
    for name, forms in SLOT.findall(text):
        assert not forms or " other {" in forms, text
        found.append((name, bool(forms)))
    return sorted(found)


@pytest.mark.parametrize("code", CODES)
def test_no_pattern_is_in_two_files(code: str) -> None:
    keys = [key for path in sources(code) for key in json.loads(path.read_text("utf-8"))]
    assert len(keys) == len(set(keys))
    assert len([*sources(code)]) >= len(GAMES) + 1


@pytest.fixture(scope="module")
def texts() -> list[str]:
    said = [*corpus.cards(), *corpus.lessons(), *corpus.matches(seeds=1), *corpus.coach(seeds=1)]
    return [text for text in dict.fromkeys(said) if text]


@pytest.mark.parametrize("code", CODES)
def test_whatever_is_said_about_matches_is_translated(code: str, texts: list[str]) -> None:
    assert len(texts) > 1000
    spoken_now = speak(code, texts)
    assert not spoken_now.missing
    assert not [told for told in spoken_now.told if LEFT_OVER.search(told)]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("de", ["0 Züge", "1 Zug", "2 Züge", "5 Züge"]),
        ("fr", ["0 tour", "1 tour", "2 tours", "5 tours"]),
    ],
)
def test_plurals(code: str, told: list[str]) -> None:
    """None counts as one in French, and as many in German."""
    assert speak(code, ["0 turns", "1 turn", "2 turns", "5 turns"]).told == told


@pytest.mark.parametrize(("code", "share"), [("de", "74,1\u00a0%"), ("fr", "74,1\u00a0%")])
def test_numbers_are_written_as_the_language_writes_them(code: str, share: str) -> None:
    text = "quick: 74.1% for the first, over in three or four turns."
    assert share in speak(code, [text]).told[0]


@pytest.mark.parametrize(("code", "either"), [("de", "(1, 2 oder 3)."), ("fr", "(1, 2 ou 3).")])
def test_what_is_asked_for_is_no_question_without_its_mark(code: str, either: str) -> None:
    """The page ends what it asks for with a full stop, and only English has a comma before "or"."""
    asked = ["Enter steps to move (1, 2, or 3).", "Choose your move (1, 2, or 3 spaces)."]
    asked.append("Enter the number of squares to move forward (1-3).")
    told = speak(code, asked).told
    assert told[0].endswith(either)
    assert "3" in told[1]
    assert ", oder" not in told[1]
    assert ", ou" not in told[1]
    assert not [text for text in told if re.match("Wie |Combien |De combien ", text)]


def test_languages_with_more_forms() -> None:
    """A catalogue names the forms that its language has."""
    forms = "{n, plural, one {# tura} few {# tury} many {# tur} other {# tury}}"
    known = {"{n, plural, one {# turn} other {# turns}}": forms}
    assert speak("pl", ["1 turn", "2 turns", "5 turns", "22 turns"], known).told == [
        "1 tura", "2 tury", "5 tur", "22 tury"
    ]  # fmt: skip


def test_names_stay_as_they_are() -> None:
    """Whatever somebody is called, only their name is theirs, and no word of it is translated."""
    names = ["Resign", "Ann and Ben", "Dr.No", "{n}", "$&", "Lobby"]
    told = speak("de", [f"{name} wins the game!" for name in names]).told
    assert told == [f"{name} gewinnt das Spiel!" for name in names]
    assert speak("de", ["Player 2 wins the game!"]).told == ["Spieler 2 gewinnt das Spiel!"]


def test_what_is_not_known_stays_english_and_is_noticed() -> None:
    """So the checks above can fail."""
    told, missing = speak("de", ["The moon is made of cheese. Ann wins the game!"])
    assert told == ["The moon is made of cheese. Ann gewinnt das Spiel!"]
    assert missing == ["The moon is made of cheese."]
    assert uncovered(f"The moon is made of {HOLE}. Your turn.") == [f"The moon is made of {HOLE}."]


WRONG = {
    "de": re.compile(r"[\"“](?=\w)|\bIhr(?:e[mnrs]?)?\b(?= Gerät| Name| Zug)|[}\d] %"),
    "fr": re.compile(r"\w\"|[ \u00a0][;!?]| :|« | »|[}\d] %|\s…"),
}
"""Quotation marks of another language, a stiff address, and spaces where a line must not break."""


@pytest.mark.parametrize("code", CODES)
def test_each_language_keeps_to_its_own_typography(code: str) -> None:
    said = [*messages(code).values()]
    said += [re.sub("`[^`]*`", "", text) for text in _rules_pages(code)]
    assert len(said) > 500
    assert not [text for text in said if WRONG[code].search(text)]


def _rules_pages(code: str) -> list[str]:
    folders = (Path(inspect.getfile(kind)).parent for kind in GAMES.values())
    return [(folder / f"rules.{code}.md").read_text("utf-8") for folder in folders]
