"""Light and dark: what the terminal says, what somebody chose, and that both can be read."""

from __future__ import annotations

import os
import re
import time
from itertools import product
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from textual._xterm_parser import XTermParser
from textual.color import Color
from textual.events import Key

from tests.terminal.emulator import Terminal
from tests.terminal.pilots import at_the_table, run
from trapline.boards.glyphs import STYLES
from trapline.terminal import ground
from trapline.terminal.full.colours import INKS, NAMED, THEMES
from trapline.terminal.full.late import LateReply
from trapline.terminal.ground import Answer, understood

if TYPE_CHECKING:
    from pathlib import Path

    from textual.theme import Theme

WHITE = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
KIND = b"\x1b[?62;22c"


@pytest.mark.parametrize(
    ("heard", "means"),
    [
        (WHITE + KIND, Answer(True)),
        (b"\x1b]11;rgb:fd/f6/e3\x07" + KIND, Answer(True)),
        (b"\x1b]11;rgba:1d1d/2121/1c1c/ffff\x1b\\" + KIND, Answer(False)),
        (KIND, Answer(None)),
        (b"", Answer(None)),
        (b"1" + WHITE + b"q" + KIND, Answer(True, "1q")),
    ],
)
def test_an_answer_of_the_terminal_is_told_from_keys(heard: bytes, means: Answer) -> None:
    assert understood(heard) == means


def test_a_terminal_is_asked_and_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    import termios

    monkeypatch.setattr(ground, "PATIENCE", 60.0)
    monkeypatch.setenv("TERM", "xterm-256color")
    far, near = os.openpty()

    def answers() -> None:
        heard = b""
        while ground.QUESTION not in heard:
            heard += os.read(far, 1024)
        os.write(far, WHITE + KIND)

    with open(near, "r+b", buffering=0, closefd=False) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        monkeypatch.setattr("sys.stdout", terminal)
        before = termios.tcgetattr(near)
        Thread(target=answers, daemon=True).start()
        with ground.Asking() as asking:
            assert termios.tcgetattr(near) != before  # what it answers is not echoed
        assert asking.answer == Answer(True)
        assert termios.tcgetattr(near) == before
        monkeypatch.setenv("TERM", "linux")
        with ground.Asking() as asking:
            assert termios.tcgetattr(near) == before
        assert asking.answer == Answer(None)
    monkeypatch.undo()
    os.close(far)
    os.close(near)


@pytest.mark.parametrize(
    "reply",
    [WHITE + KIND, b"\x1b]11;rgb:fd/f6/e3\x07" + KIND, b"\x1b]11;rgba:1/2/3/4\x1b\\" + KIND, KIND],
)
def test_a_late_reply_is_not_taken_for_keys(reply: bytes) -> None:
    """As the terminal's bytes come in as keys; what is typed around it is heard."""
    late = LateReply(owed=True)

    def heard(text: str) -> str:
        parser = XTermParser()
        came = [event for event in parser.feed(text) if isinstance(event, Key)]
        deadline = time.monotonic() + 60
        while text.endswith("c") and time.monotonic() < deadline:  # an unknown end is waited for
            found = [event for event in parser.tick() if isinstance(event, Key)]
            came += found
            if found:
                break
        through = [key for event in came for key in late.let_through(event)]
        return "".join(key.character or "" for key in through)

    assert heard("1]2") == "1]2"
    assert heard(reply.decode()) == ""
    assert bool(late.colour) == (reply != KIND)
    assert heard("3]") == "3]"


def test_a_terminal_that_does_not_say_gets_the_dark_one(home: Path) -> None:
    """This one answers what it is, and not what it is written on."""
    with Terminal(
        home=home, environment={"TRAPLINE_SCREEN": "", "COLORTERM": "truecolor"}
    ) as terminal:
        terminal.wait_for("Mind where you step")
        assert ground.QUESTION in terminal.bytes
        assert terminal.screen.buffer[20][2].bg == str(THEMES["dark"].background)[1:]


def test_the_theme_is_switched_in_the_menu_and_kept() -> None:
    async def switch() -> None:
        async with at_the_table() as person:
            await person.reads("light or dark, as the terminal is")
            assert person.app.ground == "dark"
            await person.press("t")
            await person.reads("light, whatever the terminal is")
            assert person.app.screen.background_colors[1].hex == "#FBF8EF"

    async def later() -> None:
        async with at_the_table() as person:
            await person.reads("light, whatever the terminal is")
            assert person.app.theme == "trapline-light"
            await person.press("t")
            await person.reads("dark, whatever the terminal is")
            await person.press("t")
            await person.reads("as the terminal is")

    run(switch())
    run(later())


# --- both can be read -------------------------------------------------------------------


def contrast(one: Color, two: Color) -> float:
    """As the accessibility guidelines reckon it."""

    def light(colour: Color) -> float:
        parts = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
            for part in colour.normalized
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def written_on(theme: Theme) -> list[Color]:
    assert theme.background is not None
    return [Color.parse(theme.background), Color.parse(theme.variables["strip"])]


@pytest.mark.parametrize("on", ["dark", "light"])
def test_every_colour_can_be_read_on_its_ground(on: str) -> None:
    theme, named = THEMES[on], NAMED[on]
    plain = [theme.foreground, theme.variables["aside"], theme.variables["wrong"]]
    inks = [Color.parse(colour) for colour in plain if colour is not None]
    wanted = {"red", "green", "yellow", *(style.split()[-1] for style in STYLES.values())}
    numbers = {"red": 1, "green": 2, "yellow": 3, "blue": 4, "magenta": 5, "cyan": 6}
    inks += [
        Color(*named.ansi_colors[numbers[name] + 8 * lit]) for name in wanted for lit in (0, 1)
    ]
    for style in (INKS[on].value, INKS[on].asking):
        inks.append(Color.parse(re.findall(r"#\w+", style)[0]))
    for ink, under in product(inks, written_on(theme)):
        assert contrast(ink, under) >= 4.5, (ink.hex, under.hex)
    for style in (INKS[on].key, INKS[on].chosen, INKS[on].cursor, INKS[on].snap):
        above, under = (Color.parse(part) for part in style.removeprefix("bold ").split(" on "))
        assert contrast(above, under) >= 4.5, style
