"""What an operator can set: by option, by environment (TRAPLINE_PORT and so on), or not at all."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from trapline.core import OptionsError
from trapline.home import data_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "TRAPLINE_"
RATES = (("commands", "second"), ("opens", "minute"), ("asks", "minute"))
ADDRESS = re.compile(r"https?://([^\s/?#@\[\]]+|\[[0-9a-f:.]+\](:\d+)?)/?")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    """sqlite:PATH or postgresql://…; empty: a SQLite file in the user's data folder."""
    workers: int = 1
    public_url: str = ""
    """The address that links and their pictures show, where it is not the one asked for."""
    expire_days: float = 30.0
    """Unfinished matches that nobody touched for so long are deleted; 0 keeps them."""
    pace: float = 0.7
    """Seconds before the computer answers, so that its speed tells nothing."""
    turn_seconds: float = 0.25
    """What a turn with hidden answers takes at least, however it was typed."""
    thinkers: int = 2
    """Processes in which computer players think."""
    coaches: int = 1
    """Processes in which the coach thinks, so that nobody who plays waits for him."""
    thought_megabytes: int = 4096
    """Memory that one of these processes may fill."""
    commands_per_second: float = 20.0
    """For each seat, and each who watches; three seconds' worth may come at once."""
    opens_per_minute: float = 120.0
    """Matches and keys that one address, or one key, may ask for; as many may come at once."""
    asks_per_minute: float = 60.0
    """Replays, analyses and hints that one address may ask for; as many may come at once."""
    connections: int = 5000
    """In all. A quarter of them is for players alone."""
    watchers: int = 100
    """Connections of those who watch one match; players have places of their own."""
    per_address: int = 200
    """Connections that one address may have."""
    request_seconds: float = 10.0
    """In which the head of a request must come, its body, and (for each 10 kB a second more) its
    answer be read."""
    hosts: tuple[str, ...] = ()
    """Names by which the server may be called, besides addresses and its own; * for any."""
    names: str = ""
    """A file of words, one a line, that no player's name may hold."""
    metrics: Literal["", "local", "all"] = ""
    """Who may read /metrics: nobody, this machine, or all who can reach the server."""
    games: tuple[str, ...] = ()
    """Games from outside, each a path, `package.module:Class`, or the name of an installed one."""
    rule_seconds: float = 5.0
    """Seconds that the rules of a game from outside may take over one command."""
    log_level: str = "info"

    def store_url(self) -> str:
        if self.database:
            return self.database
        return f"sqlite:{data_folder() / 'server.sqlite3'}"


def read_settings(environment: Mapping[str, str], **given: Any) -> Settings:
    """What was given explicitly, else what the environment says, else the defaults."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        value = given.get(field.name)
        variable = PREFIX + field.name.upper()
        if value is None:
            value = environment.get(variable)
        if value is None:
            continue
        if field.name in ("games", "hosts") and isinstance(value, str):
            value = _words(variable, value)
        try:
            values[field.name] = msgspec.convert(value, field.type, strict=False)
        except msgspec.ValidationError:
            raise OptionsError(f"{variable} must be {_kind(field.type)}, not {value!r}.") from None
    settings = Settings(**values)
    _check(settings)
    return settings


def _kind(wanted: Any) -> str:
    if choices := get_args(wanted):
        return " or ".join(choice or "empty" for choice in choices)
    return {int: "a whole number", float: "a number"}.get(wanted, "text")


def _words(variable: str, text: str) -> list[str]:
    """Words as a shell would read them, so that a path may hold spaces."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise OptionsError(f"{variable} cannot be read: {error}.") from None


def _check(settings: Settings) -> None:
    if not 0 <= settings.port <= 65535:
        raise OptionsError(f"A port is a number from 0 to 65535, not {settings.port}.")
    for name in ("workers", "thinkers", "coaches", "connections", "watchers", "per_address"):
        if getattr(settings, name) < 1:
            raise OptionsError(f"{name} must be at least 1.")
    if max(settings.workers, settings.thinkers, settings.coaches) > 64:
        raise OptionsError("More than 64 workers or thinkers are more than a machine can use.")
    if settings.thought_megabytes < 512:
        raise OptionsError("thought_megabytes must be at least 512: thinking needs some room.")
    for name, most in (("expire_days", 36_500), ("pace", 60), ("turn_seconds", 60)):
        if not 0 <= getattr(settings, name) <= most:
            raise OptionsError(f"{name} must be a number from 0 to {most}.")
    if not settings.host:
        raise OptionsError("host must not be empty; 0.0.0.0 would serve on every network.")
    if settings.public_url and not ADDRESS.fullmatch(settings.public_url):
        raise OptionsError("public_url must be an address such as https://games.example/.")
    for name in (
        *(f"{what}_per_{unit}" for what, unit in RATES),
        "rule_seconds",
        "request_seconds",
    ):
        if not getattr(settings, name) > 0:
            raise OptionsError(f"{name} must be above 0.")
    if settings.workers > 1 and not settings.store_url().startswith("postgres"):
        raise OptionsError(
            "Several workers need a database that they can share: "
            "add --database postgresql://USER@HOST/NAME, or leave out --workers."
        )
