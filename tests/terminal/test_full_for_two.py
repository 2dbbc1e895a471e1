"""The full screen for two people who pass it on: nobody is shown what the other hides."""

from __future__ import annotations

import re

import pytest

from tests.terminal.emulator import TRAPS
from tests.terminal.pilots import Person, a_match, at_the_table, run
from trapline.terminal.saves import Saves


async def takes_the_screen(person: Person, name: str) -> None:
    curtain = await person.reads(f"Pass the device to {name}")
    assert not re.search(TRAPS, curtain)
    await person.asked()
    await person.answer("enter")


async def chooses(person: Person, name: str, *keys: str) -> None:
    await takes_the_screen(person, name)
    await person.asked()
    for key in keys:
        await person.press(key)
    await person.reads(f"({len(keys)} of {len(keys)})")
    await person.answer("enter")


@pytest.mark.slow
def test_hidden_path_for_two_never_shows_one_what_the_other_hides() -> None:
    async def play() -> None:
        match = a_match("hidden-path", one="Ann", two="Ben")
        async with at_the_table(match) as person:
            await chooses(person, "Ann", "4", "7", "9")
            await chooses(person, "Ben", "3", "6", "8")
            for who, steps in zip("ABABABAB", "23123332", strict=True):
                name = {"A": "Ann", "B": "Ben"}[who]
                await takes_the_screen(person, name)
                await person.asked()
                own = await person.reads(f"{name}'s Move")
                assert ("▲" in own, "▼" in own) == (who == "A", who == "B")
                await person.answer(steps)
            await person.asked()
            over = await person.reads("Ben wins!")
            assert "▲" in over
            assert "▼" in over  # everything is revealed
            await person.reads("none was changed")

    run(play())
    (record,) = Saves().all()
    assert record.moves == [2, 3, 1, 2, 3, 3, 3, 2]


@pytest.mark.slow
def test_trap_runner_for_two_hides_the_decision() -> None:
    async def play(answer: str) -> None:
        async with at_the_table(a_match("trap-runner")) as person:
            for name, steps in (("Player 1", "3"), ("Player 2", "2")):
                await takes_the_screen(person, name)
                await person.answer(steps)
                await person.reads("Cannot set a trap on square 0.")
                await person.answer("enter")  # hide this
            await takes_the_screen(person, "Player 1")
            await person.answer("2")
            await person.reads("Set a trap on square 3")
            await person.answer(answer)
            await person.asked()
            own = await person.reads("Press Enter to hide this")
            assert ("You set a trap on square 3." in own) == (answer == "y")
            await person.answer("enter")
            await person.asked()
            curtain = await person.reads("Pass the device to Player 2")
            assert not re.search(r"You set a trap|[▲▼]", curtain)
            shown.append(curtain)

    shown: list[str] = []
    for answer in "yn":
        run(play(answer))
    assert shown[0] == shown[1]


def test_nobody_is_asked_to_pass_the_device_to_themself() -> None:
    async def play() -> None:
        match = a_match("secret-paths", one="Ann", two="Ben", first=2)
        async with at_the_table(match) as person:
            for name in ("Ann", "Ben"):
                await takes_the_screen(person, name)
                await person.asked()
                await person.press("space")
                await person.answer("enter")
            await person.asked()
            await person.reads("Ben's turn.")
            await person.press("up")
            await person.answer("enter")
            await takes_the_screen(person, "Ann")

    run(play())


@pytest.mark.slow
def test_a_claim_is_offered_between_the_curtains() -> None:
    async def play() -> None:
        async with at_the_table(a_match("secret-paths", one="Ann", two="Ben")) as person:
            for name in ("Ann", "Ben"):
                await takes_the_screen(person, name)
                await person.asked()
                await person.press("right", "space")
                await person.answer("enter")
            await takes_the_screen(person, "Ann")
            for count in (1, 2, 3):
                await person.asked()
                await person.press("9")  # no key: it begins a typed answer
                await person.press("comma", "9", "enter")
                if count < 3:
                    await person.reads(f"{count} refused move")
            await person.reads("Ben may type 'claim'")
            await person.answer("c")
            await person.reads("Ben claims the game")

    run(play())
