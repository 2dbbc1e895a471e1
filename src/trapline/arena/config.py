"""What a tournament is: a TOML file, read strictly, refused with the key's place in it."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from trapline.core import GameError, OptionsError, TraplineError
from trapline.games import find_game, make_game, options_text
from trapline.players import HOW_TO_NAME, PLAYERS, is_own, is_player
from trapline.players.llm.settings import Settings, settings_from_environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Samples = Annotated[int, Meta(ge=0, le=100_000)]


KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "array": "a list",
    "object": "a table",
    "bool": "true or false",
}
"""What TOML calls the library's types."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of the tournament, under its options."""

    game: str
    """Its name; in the file, anything that names a game, a path being seen from the file."""
    options: dict[str, Any] = {}
    matches: Count | None = None
    """Instead of the tournament's own number."""
    samples: Samples | None = None
    """Likewise."""

    @property
    def label(self) -> str:
        game = make_game(self.game, self.options)
        return " ".join(filter(None, (game.name, options_text(game))))


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: list[str]
    games: list[Entry] = []
    matches: Count = 20
    """Matches of each pair of players in each game."""
    samples: Samples = 0
    """How often each player is asked at each of its decisions; 0 leaves strategies alone."""
    seed: int = 0
    out: str | None = None
    """The file of results; by default the name of this one, with .jsonl."""
    workers: Annotated[int, Meta(ge=1, le=1024)] | None = None
    """Processes on this machine; by default one for each core."""
    evergreen: int | None = None
    """A seed that draws the games, instead of naming them."""
    variants: Annotated[int, Meta(ge=1, le=50)] = 5
    """How many games it draws."""
    most_requests: Count | None = None
    """How many requests one run may send to language models."""
    most_cost: Annotated[float, Meta(gt=0)] | None = None
    """How much one run may spend on models whose prices are known."""
    llm: Settings | None = None
    """By default what the environment says."""

    @property
    def llm_settings(self) -> Settings:
        return self.llm or settings_from_environment()


class ConfigError(TraplineError):
    """A tournament that cannot be held."""


def load(path: Path, evergreen: int | None = None) -> tuple[Config, Path]:
    """The tournament in a file, and where its results go."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text.") from None
    try:
        config = parse(text, path.parent, evergreen)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    return config, path.parent / config.out if config.out else path.with_suffix(".jsonl")


def parse(text: str, folder: Path | None = None, evergreen: int | None = None) -> Config:
    """The tournament in a text; a game's path in it is seen from `folder`. One that is evergreen
    has no games yet: `trapline.arena.evergreen` draws them."""
    try:
        config = msgspec.convert(tomllib.loads(text), Config)
        if evergreen is not None:
            config = msgspec.structs.replace(config, evergreen=evergreen)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"this is not TOML: {error}.") from None
    except msgspec.ValidationError as error:
        raise ConfigError(_explain(str(error))) from None
    _check_players(config.players)
    if config.evergreen is not None:
        return config
    return msgspec.structs.replace(config, games=list(_checked(config.games, folder)))


def _explain(message: str) -> str:
    """The library's words, with the place first and what would be right."""
    what, _, place = message.partition(" - at `$")
    where = place.rstrip("`").lstrip(".")
    told = f"{where}: " if where else ""
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown:
        kinds = {"": Config, "llm": Settings}
        known = ", ".join(kinds.get(where, Entry).__struct_fields__)
        return f"{told}there is no key {unknown[1]!r} here; there are {known}."
    missing = re.fullmatch(r"Object missing required field `(.*)`", what)
    if missing:
        return f"{told}the key {missing[1]!r} is missing."
    plain = re.sub(r"`(\w+)", lambda kind: "`" + KINDS.get(kind[1], kind[1]), what)
    return f"{told}{plain[0].lower()}{plain[1:].replace('`', '')}."


def _check_players(players: list[str]) -> None:
    for index, name in enumerate(players):
        if not is_player(name) and not is_own(name):
            known = ", ".join(PLAYERS)
            raise ConfigError(
                f"players[{index}]: there is no player {name!r}; there are {known}, {HOW_TO_NAME}."
            )
    if len(set(players)) < max(2, len(players)):
        raise ConfigError("players: name at least two players, and none of them twice.")


def _checked(games: list[Entry], folder: Path | None) -> Iterator[Entry]:
    """The entries with every game loaded, and called by its name."""
    if not games:
        raise ConfigError("games: name at least one game, under [[games]].")
    labels: set[str] = set()
    for index, entry in enumerate(games):
        try:
            kind = find_game(_spec(entry.game, folder))
            named = msgspec.structs.replace(entry, game=kind.name)
            label = named.label
        except (OptionsError, GameError) as error:
            raise ConfigError(f"games[{index}]: {error}") from None
        if label in labels:
            raise ConfigError(f"games[{index}]: {label} is there already.")
        labels.add(label)
        yield named


def _spec(game: str, folder: Path | None) -> str:
    is_path = game.endswith(".py") or ".py:" in game
    return str(folder / game) if folder is not None and is_path else game
