"""What eyes noticed: nothing shines through, sticks out, is cut in two, or hides what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.server.browser.test_puzzle import give, open_puzzle

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.browser.driver import Visitor

PHONE = {"width": 360, "height": 740}

SOLID = """bar => {
  const colour = getComputedStyle(bar).backgroundColor.match(/[\\d.]+/g).map(Number);
  let opacity = colour[3] ?? 1;
  for (let one = bar; one; one = one.parentElement) opacity *= getComputedStyle(one).opacity;
  return opacity;
}"""
BUSY = "() => document.querySelector('.match').setAttribute('aria-busy', 'true')"


def test_what_lies_under_the_bar_of_a_phone_never_shines_through(
    visit: Callable[..., Visitor],
) -> None:
    """While a move is on its way the buttons fade, not the bar that they stand on."""
    me = visit(viewport=PHONE)
    me.open("numeric-maze", "here", first="1")
    me.page.wait_for_selector(".match[data-asks=move]")
    bar = me.page.locator(".ask > .few")
    me.page.evaluate(BUSY)
    expect(bar.locator("button").first).to_have_css("opacity", "0.6")
    assert bar.evaluate(SOLID) == 1


def test_answers_stand_in_one_line_on_a_phone_in_german_too(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=PHONE, locale="de")
    me.go("/")
    me.page.locator("[data-game=numeric-maze] [data-way=here]").click()
    me.page.locator(".setup button[type=submit]").click()
    me.page.wait_for_selector(".match[data-asks=move]")
    lines = "all => all.map((one) => { const r = document.createRange();"
    lines += " r.selectNodeContents(one); return r.getClientRects().length; })"
    assert me.page.locator(".ask .answer").evaluate_all(lines) == [1, 1, 1]


def test_an_invitation_stays_within_its_sheet(visit: Callable[..., Visitor]) -> None:
    """In a dialog the button sticks to the edge and covers what scrolls below; here it does not."""
    host, guest = visit(), visit(viewport=PHONE)
    host.open("trap-runner", "link")
    guest.page.goto(host.link())
    expect(guest.page.get_by_role("button", name="Take the challenge")).to_have_css(
        "box-shadow", "none"
    )


def test_pieces_do_not_cover_what_is_said_of_their_place(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=PHONE)
    found = open_puzzle(me)
    give(me, found, next(text for text in found["chances"] if text != found["best"]))
    me.page.locator(".coach-note").first.wait_for()
    last = "e => e.parentNode.nextElementSibling?.matches('.said') ?? true"
    assert all(me.page.locator(".coach-note").evaluate_all(f"all => all.map({last})")), (
        "something is drawn over it"
    )


def test_the_accounts_have_whole_names_and_no_sign_for_nothing(
    visit: Callable[..., Visitor],
) -> None:
    me = visit(viewport=PHONE)
    me.go("/m/0")
    me.page.wait_for_selector("h1")
    cells = me.page.evaluate(ACCOUNTS)
    assert cells == ["+17%", "+17%", "+2%", "0%", "−34%", "−34%", "−2%", "0%"]
    heads = me.page.locator(".accounts th[scope=col]")
    lines = "e => { const r = document.createRange(); r.selectNodeContents(e);"
    lines += " return r.getClientRects().length; }"
    assert heads.evaluate_all(f"all => all.map({lines})") == [1, 1]


ACCOUNTS = """async () => {
  const { coachReport } = await import('/static/js/screens/coach.js');
  const judged = {
    by: 1, turn: 1, chosen: '2', word: 'best', sentence: '', reasons: [],
    before: 0, after: 0, expected_after: 0.5,
  };
  const one = { start: 0.17, own: 0.02, other: -0.34, luck: -0.02, tossed: true };
  const two = { start: 0.17, own: 0.004, other: -0.34, luck: -0.004, tossed: true };
  const report = { accounts: { 1: one, 2: two }, judgements: [judged], sentence: '' };
  const names = { 1: 'Computer', 2: 'Computer' };
  const drawn = coachReport(report, { seat: 1, names }, () => {}, 300).flat(9);
  document.querySelector('.stage').replaceChildren(...drawn);
  return [...document.querySelectorAll('.accounts td')].slice(1).map((cell) => cell.textContent);
}"""


@pytest.mark.parametrize(("turns", "left_out"), [([0, 1, 2, 2, 3], 0), ([0, 1, 3], 1)])
def test_turns_without_a_choice_are_said_to_be_left_out(
    visit: Callable[..., Visitor], turns: list[int], left_out: int
) -> None:
    me = visit()
    me.go("/m/0")
    me.page.wait_for_selector("h1")
    me.page.evaluate(CHOICES, turns)
    told = me.page.locator("details .note", has_text="only one possible answer are left out")
    expect(told).to_have_count(left_out)


CHOICES = """async (turns) => {
  const { coachReport } = await import('/static/js/screens/coach.js');
  const judgements = turns.map((turn) => ({
    by: 1, turn, chosen: '2', word: 'best', sentence: '', reasons: [],
    before: 0, after: 0, expected_after: 0.5,
  }));
  const report = { accounts: {}, judgements, sentence: '' };
  const drawn = coachReport(report, { seat: 1, names: { 1: 'Ann', 2: 'Ben' } }, () => {}, 300);
  document.querySelector('.stage').replaceChildren(...drawn.flat(9).filter(Boolean));
}"""
