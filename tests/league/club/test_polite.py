"""A polite club has no vulgar word on its pages, in its sheets and feeds; addresses stay."""

import re
from typing import Any

import pytest

from league import polite
from league.models import Club, Competition
from league.queries import sheets
from tests.league import cast
from tests.league.club.browser import organiser_of, phone
from tests.league.club.test_wizard import walk
from tests.league.test_api import Api, _api

pytestmark = pytest.mark.django_db(transaction=True)
VULGAR = re.compile("paska", re.IGNORECASE)


def test_every_page_of_the_club_says_it_politely() -> None:
    client = phone()
    walk(client)
    club, league = Club.objects.get(), Competition.objects.get()
    Competition.objects.update(name="Paskahousu-liiga", slug="paskahousu-liiga")
    pages = (f"/club/{club.slug}/", "/l/paskahousu-liiga/", "/l/paskahousu-liiga/ledger/")
    assert VULGAR.search(client.get(pages[1]).content.decode())
    assert client.post(f"/club/{club.slug}/settings", {"polite": "on"}).status_code == 302
    club.refresh_from_db()
    assert (club.polite, club.private) == (True, False)
    for address in pages:
        answer = client.get(address)
        assert answer.status_code == 200
        text = re.sub(r"<[^>]*>", "", answer.content.decode())
        assert not VULGAR.search(text), address
    page = client.get(pages[1]).content.decode()
    assert "Hönö-liiga" in page
    assert "H-Ö-P-S-Ö" in page
    assert 'href="/l/paskahousu-liiga/ledger/"' in page
    league.refresh_from_db()
    cells = [
        c for name in ("standings", "results") for row in sheets.rows(name, league) for c in row
    ]
    assert not any(VULGAR.search(str(cell)) for cell in cells)


def test_other_clubs_are_left_alone() -> None:
    client, _ = organiser_of(cast.club("muut"))
    assert VULGAR.search(client.get("/club/muut/").content.decode())


def test_what_somebody_types_and_scripts_stay() -> None:
    page = (
        '<p title="paskahousu">Paskahousu</p><textarea>paskahousu</textarea><script>paska</script>'
    )
    said = polite.page(page)
    assert said == page.replace(">Paskahousu<", ">Hönö<")


def test_over_the_api_an_organiser_chooses_it() -> None:
    api, _ = _api("Oskari")
    api.post("clubs", {"slug": "uusi", "name": "Uusi"})
    assert _patched(api, {"polite": True}).json()["polite"] is True
    assert api.get("clubs/uusi").json()["polite"] is True
    other, _ = _api("Vieras")
    assert _patched(other, {}).status_code == 403


def _patched(api: Api, body: dict[str, bool]) -> Any:
    return api._client.patch(
        "/api/v1/clubs/uusi", body, content_type="application/json", headers=api._headers
    )
