"""The example dashboard, a file outside the service, follows a competition live over CORS."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from playwright.sync_api import Browser, Page

from games.models import Player
from league.models import Competition, LedgerRow
from league.services import competitions
from tests.league import cast

EXAMPLES = Path(settings.BASE_DIR) / "docs" / "examples"


def test_it_follows_a_competition_from_its_entries_to_its_end(web: str, browser: Browser) -> None:
    players = cast.house_bots(6)
    Player.objects.filter(pk=players[0].pk).update(name="<img src=x onerror=alert(1)>")
    cup = cast.cup(players, {"table_size": 2})
    with elsewhere() as address:
        page = browser.new_page()
        failed: list[Any] = []

        def keep(event: Any) -> None:
            failed.append(event)

        page.on("pageerror", keep)
        page.on("dialog", keep)
        page.goto(f"{address}/dashboard.html?api={web}/api/v1&competition={cup.pk}")
        _until(page, 7)
        assert page.text_content("#name") == "Cup"
        assert page.locator("#standings tr").count() == 6
        assert page.locator("#standings img").count() == 0
        competitions.start(cup.pk)
        cast.play_all()
        cup = Competition.objects.get(pk=cup.pk)
        _until(page, cup.ledger_seq)
        page.wait_for_function("document.querySelector('#state').textContent.includes('finished')")
        numbers = page.eval_on_selector_all("#log li", "all => all.map(one => one.value)")
        assert numbers == list(range(cup.ledger_seq, 0, -1))
        assert numbers == list(_rows(cup))
        first = "document.querySelector('#standings td').textContent === '1'"
        page.wait_for_function(first)
        assert failed == []


def _rows(cup: Competition) -> list[int]:
    rows = LedgerRow.objects.filter(competition=cup).order_by("-seq")
    return list(rows.values_list("seq", flat=True))


def _until(page: Page, seq: int) -> None:
    page.wait_for_function(f"document.querySelector('#log li')?.value === {seq}")


@contextlib.contextmanager
def elsewhere(folder: Path = EXAMPLES) -> Iterator[str]:
    """A folder, that of the examples, on a server of its own: another origin."""
    handler: Any = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
