"""What lies open for everybody: the games with their cards and rules, and the puzzle of a day."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from trapline.boards import AnyBoard
from trapline.core import AnyEvent, First, Picture, Question, Seat


class OptionInfo(msgspec.Struct, frozen=True):
    name: str
    kind: Literal["integer", "boolean", "choice", "numbers"]
    default: Any
    choices: tuple[str, ...] | None
    says: str
    """Which values it takes."""
    title: str = ""
    """What it means."""


class PresetInfo(msgspec.Struct, frozen=True):
    name: str
    options: dict[str, Any]
    verdict: str


class GameInfo(msgspec.Struct, frozen=True):
    name: str
    title: str
    summary: str
    place: str
    default_first: First
    hides: bool
    """Whether anything is hidden from the other player, so that two people need a curtain."""
    open_turns: bool
    """Whether they need it no longer once what is hidden before the first turn has been chosen."""
    minutes: str
    board: AnyBoard
    picture: Picture
    """The same board as shapes."""
    options: tuple[OptionInfo, ...]
    origin: str
    """"rulebook", or where the game came from."""
    lesson: bool = False
    """Whether there is a guided first match."""
    presets: tuple[PresetInfo, ...] = ()
    """Named variants, each with what best play makes of it."""
    lockable: bool = False
    """Whether secrets can stay on the players' own devices."""


class LevelInfo(msgspec.Struct, frozen=True):
    name: str
    summary: str


class Catalogue(msgspec.Struct, frozen=True):
    games: tuple[GameInfo, ...]
    levels: tuple[LevelInfo, ...]


class Scene(msgspec.Struct, frozen=True):
    """A moment of an example, with everything shown."""

    teaches: str
    """What there is to learn from it; empty where a game does not say it."""
    told: list[str]
    drawing: str
    """The board as SVG."""


class Rules(msgspec.Struct, frozen=True):
    html: str
    scenes: list[Scene] = []
    """A short match in a few pictures."""
    translations: dict[str, str] = {}
    """The same as `html` in other languages, by their codes."""


class LessonStage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the learner sees and is asked; at the end there is no question."""

    picture: Picture
    board: list[str]
    events: tuple[AnyEvent, ...] = ()
    """What happened since the stage before."""
    told: list[tuple[str, ...]] = []
    """The lines of each of these events."""
    question: Question | None = None
    prompt: str = ""
    says: str = ""
    answer: str = ""
    finds: bool = False
    """Whether the learner is to find the answer, and is not told."""
    hint: str = ""
    """What a learner reads who has answered something else."""


class Lesson(msgspec.Struct, frozen=True):
    """A guided first match on a small board."""

    game: str
    title: str
    seat: Seat
    stages: list[LessonStage]
    end: LessonStage
    ending: list[str]
    closing: str
    """What is to be remembered."""


class DailyPuzzle(msgspec.Struct, frozen=True):
    """A decision with one answer that is best, and what its player sees."""

    date: str
    title: str
    game: str
    seat: Seat
    grade: int
    sentence: str
    question: Question
    picture: Picture
    board: list[str]
    events: tuple[AnyEvent, ...]
    best: str
    chances: dict[str, float]
    """For each answer as one would type it, the chance of winning against best play."""
    reason: str
