"""A club without a network: a phone that was at home last enters results, dies, and sends them the
next day; nothing is lost, and nothing goes over a correction."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connections
from django.db.models import F
from django.test import Client
from playwright.sync_api import Page, Route, expect, sync_playwright

from config.kit import receipts
from config.kit.models import Receipt
from league.models import Competition, DealResult, Entry, Membership, Place, Table
from league.services import places, typed
from league.services.typed_tables import By, Where
from tests.browser.network import Network, between
from tests.browser.phone import PATIENCE_S, Phone, phone
from tests.league import cast, nights
from tests.league.club.browser import phone as session_of

PATIENCE_MS = PATIENCE_S * 1000


class Evening:
    """A league of seven in a private club, a phone that loaded its night at home, a network."""

    def __init__(self, network: Network, handset: Phone) -> None:
        self.network, self.phone = network, handset
        self.league = nights.night(7, deals_per_table=4)
        self.organiser = cast.person("Oskari")
        club = self.league.club
        Membership.objects.create(club=club, player=self.organiser, role="owner")
        places.upto(club.pk, 2, self.organiser.pk)
        type(club).objects.filter(pk=club.pk).update(private=True)
        self.table = Table.objects.get(round__competition=self.league, number=2)
        code = Place.objects.get(club=club, number=2).code
        self.at_table = f"{network.address}/t/{code}/"
        self.members_session = self._session()

    def at_home(self) -> Page:
        """Open the table, and nothing else."""
        page = self.phone.start()
        self.log_in(page)
        page.goto(self.at_table)
        expect(page.locator("html[data-loaded]")).to_have_count(1, timeout=PATIENCE_MS)
        return page

    def log_in(self, page: Page) -> None:
        page.context.add_cookies(
            [
                {
                    "name": "sessionid",
                    "value": self.members_session,
                    "url": self.network.address,
                    "expires": 4_000_000_000,
                }
            ]
        )

    def at_the_club(self) -> Page:
        """Without a network, and with nothing in the browser's own cache."""
        self.phone.kill()
        self.phone.forget_pages()
        self.network.cut()
        page = self.phone.start()
        page.goto(self.at_table)
        return page

    def results(self) -> dict[int, tuple[str, list[list[int]]]]:
        rows = DealResult.objects.filter(table=self.table)
        return {row.deal: (row.state, row.places) for row in rows}

    def where(self, deal: int) -> Where:
        return Where(self.league.pk, 1, 2, deal)

    def seats(self) -> list[Entry]:
        seats = self.table.seats.order_by("index").select_related("entry__player")
        return [seat.entry for seat in seats]

    def places(self, last: Entry) -> list[list[int]]:
        others = sorted(entry.number for entry in self.seats() if entry != last)
        return [others, [last.number]]

    def _session(self) -> str:
        member = cast.person("Cecilia")
        Membership.objects.create(club=self.league.club, player=member, role="member")
        client: Client = session_of(member)
        return str(client.session.session_key)


@pytest.fixture
def evening(web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    # The browser's loop runs in this thread, in which the tests use the database.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    with sync_playwright() as playwright, between(web) as network:
        with phone(playwright, tmp_path / "profile") as handset:
            yield Evening(network, handset)
        connections.close_all()


def tap(page: Page, name: str) -> None:
    page.locator(".taps").get_by_role("button", name=name, exact=True).click()


def waits(page: Page, count: int) -> None:
    words = "1 entry waits" if count == 1 else f"{count} entries wait"
    expect(page.locator("housu-queue [role=status]")).to_contain_text(words, timeout=PATIENCE_MS)


def enter_three(evening: Evening, page: Page) -> list[Entry]:
    """Say who one is and who was last in three deals."""
    me, other, third = evening.seats()
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible(timeout=PATIENCE_MS)
    tap(page, me.player.name)
    for deal, last in enumerate((other, third, other), start=1):
        heading = page.get_by_role("heading", name=f"Deal {deal} of 4")
        expect(heading).to_be_visible(timeout=PATIENCE_MS)
        tap(page, last.player.name)
    expect(page.get_by_role("heading", name="Deal 4 of 4")).to_be_visible(timeout=PATIENCE_MS)
    waits(page, 4)
    return [me, other, third]


def a_day_passes() -> None:
    Receipt.objects.update(created_at=F("created_at") - timedelta(days=1, hours=1))
    receipts.forget_old()


def test_three_results_of_a_phone_that_died_and_one_that_was_corrected_meanwhile(
    evening: Evening,
) -> None:
    evening.at_home()
    page = evening.at_the_club()
    _, other, third = enter_three(evening, page)
    evening.phone.kill()
    assert evening.results() == {}

    by = By(evening.organiser.pk, organiser=True)
    typed.enter(evening.where(2), evening.places(other), by)
    a_day_passes()
    evening.phone.forget_pages()
    evening.network.restore()
    page = evening.phone.start()
    page.goto(evening.at_table)
    conflict = page.locator("housu-queue .conflict")
    expect(conflict).to_have_count(1, timeout=PATIENCE_MS)
    expect(conflict).to_contain_text(f"Deal 2: meanwhile it says {other.player.name} was last")
    expect(conflict).to_contain_text(f"you entered {third.player.name} was last")
    expect(page.locator("housu-queue [role=status]")).to_have_text("", timeout=PATIENCE_MS)
    assert evening.results() == {
        1: ("reported", evening.places(other)),
        2: ("confirmed", evening.places(other)),
        3: ("reported", evening.places(other)),
    }

    # It is kept until somebody decides.
    page.reload()
    expect(conflict).to_have_count(1, timeout=PATIENCE_MS)
    conflict.get_by_role("button", name="Leave what stands").click()
    expect(page.locator("housu-queue")).to_be_hidden(timeout=PATIENCE_MS)
    assert evening.results()[2] == ("confirmed", evening.places(other))


def test_who_insists_after_he_has_seen_it_makes_a_dispute_of_it(evening: Evening) -> None:
    evening.at_home()
    page = evening.at_the_club()
    _, other, _ = enter_three(evening, page)
    typed.enter(evening.where(2), evening.places(other), By(evening.organiser.pk, organiser=True))
    evening.network.restore()
    page.get_by_role("button", name="Send now").click()
    conflict = page.locator("housu-queue .conflict")
    expect(conflict).to_have_count(1, timeout=PATIENCE_MS)
    conflict.get_by_role("button", name="Enter mine").click()
    expect(page.locator("housu-queue")).to_be_hidden(timeout=PATIENCE_MS)
    assert evening.results()[2][0] == "disputed"


def test_the_same_sent_twice_is_entered_once(evening: Evening) -> None:
    """The answer to the first time is lost on its way."""
    evening.at_home()
    page = evening.at_the_club()
    enter_three(evening, page)
    seq = Competition.objects.get(pk=evening.league.pk).ledger_seq
    evening.network.restore()
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.fetch().text())
        route.abort()

    page.route("**/t/*/", lose)
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Send now").click()
    waits(page, 4)
    assert lost
    page.unroute("**/t/*/")
    page.reload()
    expect(page.locator("housu-queue")).to_be_hidden(timeout=PATIENCE_MS)
    assert len(evening.results()) == 3
    assert Competition.objects.get(pk=evening.league.pk).ledger_seq == seq + 3


def test_who_is_logged_out_keeps_what_waits(evening: Evening) -> None:
    page = evening.at_home()
    page = evening.at_the_club()
    enter_three(evening, page)
    Place.objects.filter(club=evening.league.club, number=2).update(code="gone000000")
    evening.network.restore()
    page.get_by_role("button", name="Send now").click()
    status = page.locator("housu-queue [role=status]")
    expect(status).to_contain_text("You may not enter this now", timeout=PATIENCE_MS)
    waits(page, 4)
    code = evening.at_table.split("/")[-2]
    Place.objects.filter(code="gone000000").update(code=code)
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("housu-queue")).to_be_hidden(timeout=PATIENCE_MS)
    assert len(evening.results()) == 3
