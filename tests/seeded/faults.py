"""What goes wrong, and when: the faults of a plan, put to work in a world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.seeded.plan import AWAY

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.seeded.plan import Fault
    from tests.seeded.servers import Process
    from tests.seeded.world import World


class Faults:
    def __init__(self, world: World) -> None:
        self._world = world
        self._faults = world.plan.faults
        self.over = max((fault.at + fault.seconds for fault in self._faults), default=0.0)
        """When nothing goes wrong any more."""

    def schedule(self) -> None:
        for fault in self._faults:
            self._world.outside.call_at(fault.at, self._begin, fault)

    def _begin(self, fault: Fault) -> None:
        end = BEGIN[fault.kind](self._world, fault)
        if end is not None:
            self._world.outside.call_later(fault.seconds, end)


def _process(world: World, fault: Fault) -> Process:
    return world.processes[fault.who]


def _kill(world: World, fault: Fault) -> None:
    """Between any two awaits: so many steps of that process from now on."""
    _process(world, fault).loop.dies_in = int(60 * fault.much)


def _cut_power(world: World, fault: Fault) -> None:
    world.kill(_process(world, fault).loop, power=True)


def _deploy(world: World, fault: Fault) -> None:
    _process(world, fault).stop()


def _cut(world: World, fault: Fault) -> None:
    world.network.cut(fault.much)


def _jump(world: World, fault: Fault) -> None:
    """While it runs; or while it is away, so that it wakes up in another month."""
    process = _process(world, fault)
    process.jump(fault.much)
    if fault.seconds > AWAY:
        world.kill(process.loop)


def _stall(world: World, fault: Fault) -> None:
    """The machine is busy, or has been put to sleep."""
    _process(world, fault).loop.frozen_until = world.scheduler.now + fault.seconds


def _deafen(world: World, fault: Fault) -> None:
    """Clients that do not read what they are sent."""
    for number, person in enumerate(world.people):
        if (number + fault.who) % 3 == 0:
            person.line.deaf_until = world.scheduler.now + 3 * fault.seconds


def _offline(world: World, fault: Fault) -> Callable[[], None]:
    people = [person for number, person in enumerate(world.people) if number % 2 == fault.who % 2]
    for person in people:
        person.line.go_offline()

    def online() -> None:
        for person in people:
            person.line.retry_now()

    return online


def _fail_over(world: World, fault: Fault) -> Callable[[], None]:
    """It hangs for a moment, and then is gone with all that it was asked meanwhile."""
    world.database.hangs = True
    world.outside.call_later(fault.much * fault.seconds / 2, world.database.fail)
    return world.database.recover


def _spoil_reading(world: World, _fault: Fault) -> Callable[[], None]:
    def switch(on: bool) -> None:
        world.disk.unreadable = world.database.unreadable = on

    switch(True)
    return lambda: switch(False)


def _switch(part: str, name: str) -> Callable[[World, Fault], Callable[[], None]]:
    def begin(world: World, _fault: Fault) -> Callable[[], None]:
        owner = getattr(world, part)
        setattr(owner, name, True)
        return lambda: setattr(owner, name, False)

    return begin


def _refuse_writes(world: World, fault: Fault) -> Callable[[], None]:
    world.disk.refuses = fault.kind
    return lambda: setattr(world.disk, "refuses", "")


BEGIN: dict[str, Callable[[World, Fault], Callable[[], None] | None]] = {
    "kill": _kill,
    "power": _cut_power,
    "deploy": _deploy,
    "cut": _cut,
    "late": _switch("network", "late"),
    "reorder": _switch("network", "reorders"),
    "repeat": _switch("network", "repeats"),
    "lossy": _switch("network", "cuts"),
    "full": _refuse_writes,
    "busy": _refuse_writes,
    "error": _refuse_writes,
    "slow disk": _switch("disk", "slow"),
    "clock": _jump,
    "stall": _stall,
    "failover": _fail_over,
    "slow database": _switch("database", "slow"),
    "thinking": _switch("thoughts", "failing"),
    "deaf": _deafen,
    "offline": _offline,
    "unreadable": _spoil_reading,
    "late news": _switch("database", "late_news"),
}
