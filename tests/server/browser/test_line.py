"""The line to the server: lost, cut in the worst moment, and taken up again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.browser.driver import Visitor

# While the network is "away" no socket finds its way; "mute" loses the answer to what is sent.
NETWORK = """
  const Real = window.WebSocket;
  window.network = {away: false, mute: false, last: null};
  window.WebSocket = class extends Real {
    constructor(address) {
      super(network.away ? address.replace('/socket', '/nowhere') : address);
      network.last = this;
    }
    send(data) {
      super.send(data);
      if (network.mute) this.close();
    }
  };
"""
CUT = "() => { network.away = true; network.last.close(); }"
MEND = "() => { network.away = false; window.dispatchEvent(new Event('online')); }"


def table_for_two(visit: Callable[..., Visitor]) -> tuple[Visitor, Visitor]:
    """Ann, whose network can be cut, is to move; Bob waits."""
    ann, bob = visit(), visit()
    ann.page.add_init_script(NETWORK)
    ann.open("numeric-maze", "link", name="Ann", first="1")
    bob.join(ann.link(), "Bob")
    ann.page.wait_for_selector(".match[data-asks=move]")
    return ann, bob


def test_reload_in_the_middle_resumes(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.open("trap-runner", "computer", level="random", first="1")
    for _ in range(5):
        me.act("trap-runner")
    asks = me.wait()
    before = me.log()
    me.page.reload()
    assert me.wait() == asks
    me.expect_log(before)
    me.go("/")
    me.page.get_by_role("link", name="Trap Runner with Computer").click()
    assert me.wait() == asks


def test_what_happened_meanwhile_is_told_once(visit: Callable[..., Visitor]) -> None:
    ann, bob = table_for_two(visit)
    ann.act("numeric-maze")
    ann.page.wait_for_selector(".plate.seat-2.turn")
    ann.page.evaluate(CUT)
    ann.page.wait_for_selector("#offline:not(:empty)")
    bob.page.wait_for_selector(".match[data-asks=move]")
    bob.act("numeric-maze")
    ann.page.evaluate(MEND)
    ann.page.wait_for_selector(".match[data-asks=move]")
    ann.page.wait_for_selector("#offline:empty", state="attached")
    ann.expect_told(["Ann moves to position 3.", "Bob moves to position 3."])


def test_a_move_made_offline_arrives(visit: Callable[..., Visitor]) -> None:
    ann, bob = table_for_two(visit)
    ann.page.evaluate(CUT)
    ann.page.wait_for_selector("#offline:not(:empty)")
    ann.page.keyboard.press("2")
    assert bob.asked() == ""
    ann.page.evaluate(MEND)
    bob.page.wait_for_selector(".match[data-asks=move]")
    ann.expect_told(["Ann moves to position 2."])


def test_a_move_whose_answer_is_lost_is_not_made_twice(visit: Callable[..., Visitor]) -> None:
    """It is sent again under its old key, and the server knows that key."""
    ann, bob = table_for_two(visit)
    ann.page.evaluate("() => { network.mute = true; }")
    ann.page.keyboard.press("2")
    ann.page.wait_for_selector("#offline:not(:empty)")
    ann.page.evaluate("() => { network.mute = false; }")
    bob.page.wait_for_selector(".match[data-asks=move]")
    bob.page.keyboard.press("1")
    ann.page.wait_for_selector(".match[data-asks=move]")
    for visitor in (ann, bob):
        visitor.expect_told(["Ann moves to position 2.", "Bob moves to position 1."])
