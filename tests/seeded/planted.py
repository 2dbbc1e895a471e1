"""Bugs to plant: mistakes that somebody might make in the server, each as a change of its text.

A change that no longer fits the source is refused, so that the list cannot silently grow stale.
"""

from __future__ import annotations
import __future__

import contextlib
import importlib
import inspect
import sys
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAGS = __future__.annotations.compiler_flag


class Bug(NamedTuple):
    name: str
    where: str
    """module:function, below trapline."""
    old: str
    new: str
    way: str = ""
    """The way to play without which nobody would notice."""


BUGS = (
    Bug("a move is shown before it is kept", "server.hub:Hub._keep",
        "await live.expect(self.append(live.room, entry))", "self.append(live.room, entry)"),
    Bug("a command that is sent again is carried out again", "server.room:Room._note",
        "self._done[entry.seat, entry.key] = refusal", "pass"),
    Bug("SQLite answers before the disk has it", "server.store.sqlite:SQLiteStore._prepare",
        "synchronous = FULL", "synchronous = NORMAL"),
    Bug("what could not be kept stays in the room", "server.hub:Hub._keep",
        "live.certain = False", "pass"),
    Bug("nobody looks whether the room is certain", "server.connection:Connection.take",
        "if not certain:", "if False:"),
    Bug("nothing is read again after a conflict", "server.hub:Hub._keep",
        "await self._reread(live)", "live.certain = True"),
    Bug("two commands change a room at once", "server.hub:Hub._act",
        "async with live.lock:", "async with asyncio.Lock():"),
    Bug("what was missed while the database was away is not read", "server.hub:Hub._notice",
        "list(self._live.values()) if not match_id else", "[] if not match_id else"),
    Bug("news of other processes are not heard", "server.hub:Hub._notice",
        "live.room.entries < version", "live.room.entries > version"),
    Bug("a refusal forgets what it has shown", "server.connection:Connection._say_what_was_wrong",
        "self.told, self._first = Told(state.version, told.presence, told.plain), False", "pass"),
    Bug("one frame for all, whatever they have seen", "server.viewing:Viewing.frame",
        "known is None or known[0] != since", "known is None"),
    Bug("events from one version too late", "server.showing:heard_by",
        "return marks[since]", "return marks[min(since + 1, len(marks) - 1)]"),
    Bug("places are not given back", "server.places:Places.disconnect",
        "self._count(connection.viewer, -1)", "pass"),
    Bug("addresses are not given back", "server.places:Places.disconnect",
        "self._by_address.give_back(connection.address)", "pass"),
    Bug("matches never leave the memory", "server.hub:Hub.let_go",
        "live.touched < horizon", "False"),
    Bug("words about forgotten matches stay", "server.presence:Presences.repeat",
        "del self._heard[match_id]", "pass"),
    Bug("a clock that jumps is believed", "server.upkeep:_far",
        "> DOUBT", "> 1000 * DOUBT"),
    Bug("a thought that failed is not tried again", "server.bots:Bots._play",
        "if not live.watched:", "if True:"),
    Bug("who thinks is never through", "server.bots:Bots._play",
        "live.thinking = False", "pass"),
    Bug("a slow reader is forgotten", "server.socket:Speaker._go_on",
        "self._call()", "pass"),
    Bug("a command is not answered", "server.connection:Connection.settle",
        "self._answers.append(key)", "pass"),
    Bug("watchers see what a player sees", "server.viewing:Viewing._encoded",
        "seen(stand, viewer,", "seen(stand, viewer or 1,"),
    Bug("everybody is shown the link", "server.room:Room._look_around",
        "{1: opener, 2: plain, None: plain}", "{1: opener, 2: plain, None: opener}"),
    Bug("versions count what nobody may notice", "server.viewing:Viewing._compare",
        "continue", "pass"),
    Bug("a command is carried out whatever has happened since", "server.room:Room.act",
        "not oldest <= request.version <= newest", "False"),
    Bug("a seat is given to two", "server.seating:Seating.admit",
        "if self.holders[seat] is not None:", "if False:"),
    Bug("the rematch is shown before it is there", "server.hub:Hub._keep",
        "await self._open_next(live.room)", "pass"),
    Bug("a full disk is not noticed", "server.store.sqlite_writer:Writer._answers",
        "return [self._explain(error) for _ in wishes]", "return [1 for _ in wishes]"),
    Bug("a batch that was written is written again", "server.store.postgres_writer:Attempt.run",
        "if wish[:2] not in written", "if wish[:2] in written"),
    Bug("the computer says the same again", "server.bots:Bots._answer",
        'f"{level} {version}"', 'f"{level}"'),
    Bug("news that cannot be read at once are forgotten", "server.hub:Hub._catch_up",
        "live.behind = True", "pass"),
    Bug("a match is read twice at once", "server.hub:Hub._load",
        "match_id not in self._live:\n                with", "True:\n                with"),
    Bug("a command from the future is refused", "server.hub:Hub._act",
        "request.version > live.room.version(seat)", "False"),
    Bug("whoever comes from another process goes back in time", "server.requests:listen",
        "after > live.room.version(viewer)", "False"),
    Bug("a lost connection is an error of ours", "server.store.postgres:PostgresStore.patiently",
        "except LOST as error:", "except OSError as error:"),
    Bug("a long frame says a wrong length", "server.frames:text_frame",
        'size.to_bytes(2, "big")', 'size.to_bytes(2, "little")'),
    Bug("a head that has come is waited for all the same", "server.wire:Http._settle",
        "self._timer.cancel()", "pass"),
    Bug("a refusal does not say which command it answers", "server.prompt:Step._unkept",
        ".answering(self._request.key)", ""),
    Bug("what failed is never read again", "server.hub:Hub.recover",
        "while not live.certain:", "while False:"),
    Bug("a stream that has ended keeps its place", "server.api:Stream.__call__",
        "self._connection.hub.places.disconnect(self._connection)", "pass", "streams"),
    Bug("a lie about what was hidden is forgotten", "server.room:Room.act",
        "not isinstance(error, WrongOpening)", "True", "locked"),
    Bug("players are not told what their devices are to open", "server.locking:shown",
        "match.awaited", "None", "locked"),
    Bug("a device may be asked for one place alone", "referee.locked.device:Device.open",
        "len(before) >= self._most", "before", "locked"),
    Bug("a device is given no time of its own", "server.room:Room._keep_time",
        "locking.is_opening(self.match)", "False", "locked"),
    Bug("a move heard at once is shown before it is kept", "server.prompt:Step.carry_out",
        "live.certain = False", "pass"),
    Bug("a move heard at once is forgotten where another was first", "server.prompt:Step._settle",
        "hub.begin(self._again())", "pass"),
    Bug("a move heard at once stays though it was not kept", "server.prompt:Step._doubt",
        "self._live.certain = False", "self._live.certain = True"),
    Bug("a crowd is told what is not kept", "server.crowd:Crowd._tell_some",
        "not live.certain", "False"),
    Bug("who is in step is told the same again", "server.crowd:Crowd._tell_some",
        "connection.told = step[1]", "pass"),
    Bug("who does not read stays in step", "server.socket:Speaker._fall_behind",
        "self._connection.line = None", "pass"),
    Bug("a clock that could not be called rings again at once", "server.clocks:Clocks.watch",
        "max(0.0, seconds, live.not_before - loop.time())", "max(0.0, seconds)"),
)  # fmt: skip

LEAK = Bug("the referee itself shows a secret to those who watch", "referee.match:Match.seen",
           "if seat is None else stand.secrets[seat - 1]",
           "if False else stand.secrets[(seat or 2) - 1]")  # fmt: skip
"""Found by comparing worlds that look alike: here the referee cannot be the judge."""
SLOWER = Bug("what is hidden decides how long others wait",
             "server.store.sqlite_writer:Writer.hand_over", "self._last = len(gathered)",
             "self._last = "
             "sum(sum(getattr(wish, 'entry', b'')) for wish, _ in gathered) // 2 % 2")  # fmt: skip
"""Likewise: nothing that is sent holds it, only when it is sent."""


@contextlib.contextmanager
def planted(bug: Bug) -> Iterator[None]:
    module_name, _, path = bug.where.partition(":")
    module = importlib.import_module(f"trapline.{module_name}")
    *owners, name = path.split(".")
    owner: Any = module
    for part in owners:
        owner = getattr(owner, part)
    real = inspect.getattr_static(owner, name)
    source = textwrap.dedent(inspect.getsource(getattr(real, "fget", None) or real))
    if source.count(bug.old) != 1:
        raise ValueError(f"{bug.name}: {bug.where} does not hold once: {bug.old}")
    # In the module's own names, so that what stands there for a world stands here as well; inside
    # a function that knows the class, for whoever calls what stands above it.
    changed = textwrap.indent(source.replace(bug.old, bug.new), "    ")
    text = f"def make(__class__):\n{changed}\n    return {name}\n"
    made: dict[str, Any] = {}
    exec(compile(text, module.__file__ or "", "exec", FLAGS), vars(module), made)  # noqa: S102 (our own source, changed in one place)
    held = [*_holders(real)] if owner is module else [(owner, name)]
    try:
        for holder, its_name in held:
            setattr(holder, its_name, made["make"](owner))
        yield
    finally:
        for holder, its_name in held:
            setattr(holder, its_name, real)


def _holders(function: Any) -> Iterator[tuple[Any, str]]:
    """Every module of ours that has it, with the name that it has there."""
    for name, module in list(sys.modules.items()):
        if name.startswith("trapline."):
            for held_as, held in list(vars(module).items()):
                if held is function:
                    yield module, held_as
