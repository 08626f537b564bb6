"""The code on a table: at most four taps to a saved result, confirmed from another phone."""

import json
import re

import pytest
from django.test import Client

from config.kit.models import Act
from league.archive.checking import check
from league.models import Competition, DealResult, LedgerRow, PenaltyTally, Place, Round, Table
from league.services import competitions, entries, ledger, places, rounds, tallies
from tests.league import cast
from tests.league.archive import cast as archive
from tests.league.club.browser import organiser_of, phone

pytestmark = pytest.mark.django_db(transaction=True)


def night(people: int = 4, deals: int = 2) -> Competition:
    club = cast.club("salaiset", private=True)
    new = competitions.NewCompetition(
        name="Monday",
        kind=Competition.Kind.LEAGUE,
        format="rounds",  # type: ignore[arg-type]
        settings={
            "entrants": "people",
            "results": "typed",
            "next_round": "by_hand",
            "deals_per_table": deals,
            "rounds": 2,
        },
    )
    made = competitions.create(club.pk, new)
    for number in range(people):
        entries.enter(made.pk, cast.person(f"Player {number + 1}").pk)
    competitions.start(made.pk)
    made.refresh_from_db()
    return made


def table_code(league: Competition, number: int = 1) -> str:
    _, owner = organiser_of(league.club, name=f"Owner {number}")
    places.upto(league.club.pk, number, owner.pk)
    return f"/t/{Place.objects.get(club=league.club, number=number).code}/"


def result(deal: int = 1) -> DealResult:
    return DealResult.objects.get(deal=deal)


def losses(league: Competition) -> dict[int, int]:
    assert tallies.recompute(league.pk, write=False) == []
    assert ledger.first_broken(Competition.objects.get(pk=league.pk)) is None
    rows = PenaltyTally.objects.filter(competition=league, losses__gt=0)
    return dict(rows.values_list("entry__number", "losses"))


def says(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def tap(client: Client, path: str, **form: object) -> str:
    answer = client.post(path, form, follow=True)
    assert answer.redirect_chain == [(path, 302)]
    return answer.content.decode()


def test_two_taps_report_and_two_on_another_phone_confirm() -> None:
    league = night()
    path = table_code(league)
    aino, bertil = phone(), phone()
    assert "Who are you?" in says(aino, path)
    assert "who was last?" in tap(aino, path, sit=1)
    assert "reported" in tap(aino, path, deal=1, last=3)
    assert losses(league) == {}
    assert "That is right" in tap(bertil, path, sit=2)
    assert "Saved: it counts." in tap(bertil, path, deal=1, seen=1, places="1,2,4/3")
    assert losses(league) == {3: 1}
    assert result().places == [[1, 2, 4], [3]]


def test_who_keeps_scores_needs_one_tap() -> None:
    league = night()
    path = table_code(league)
    oskari, _ = organiser_of(league.club, "scorekeeper", "Otto")
    assert "Who are you?" not in says(oskari, path)
    assert "Saved: it counts." in tap(oskari, path, deal=1, last=2)
    assert losses(league) == {2: 1}
    assert "Saved" in tap(oskari, path, deal=2, **{f"place-{n}": n for n in range(1, 5)})
    assert result(2).places == [[1], [2], [3], [4]]


def test_one_phone_can_not_confirm_what_it_reported() -> None:
    league = night()
    path = table_code(league)
    aino = phone()
    tap(aino, path, sit=1)
    tap(aino, path, deal=1, last=3)
    assert "entered for another seat" in tap(aino, path, sit=2)
    assert "That is what stands there." in tap(aino, path, deal=1, last=3)
    assert result().state == "reported"
    other = phone()
    tap(other, path, sit=1)
    assert "That is what stands there." in tap(other, path, deal=1, last=3)
    assert result().state == "reported"


def test_before_it_has_entered_a_phone_may_change_its_seat() -> None:
    path = table_code(night())
    aino = phone()
    tap(aino, path, sit=1)
    assert "You are <bdi>Player 2" in tap(aino, path, sit=2)


def test_a_phone_remembers_its_player_in_the_next_round() -> None:
    league = night(deals=1)
    path = table_code(league)
    aino, bertil = phone(), phone()
    tap(aino, path, sit=1)
    tap(aino, path, deal=1, last=3)
    tap(bertil, path, sit=2)
    tap(bertil, path, deal=1, seen=1, places="1,2,4/3")
    assert Round.objects.get().state == "closed"
    assert "All deals of this table are told." in says(aino, path)
    rounds.open(league.pk)
    page = says(aino, path)
    assert "Who are you?" not in page
    assert "Deal 1 of 1" in page


def test_a_page_left_open_into_the_next_round_tells_of_the_table_it_showed() -> None:
    league = night(deals=1)
    path = table_code(league)
    aino, bertil = phone(), phone()
    tap(aino, path, sit=1)
    shown = says(aino, path)
    forms = re.findall(r"<form.*?</form>", shown, re.S)
    telling = [form for form in forms if 'name="key"' in form]
    table = Table.objects.get()
    assert telling and all(f'name="table" value="{table.pk}"' in form for form in telling)
    tap(bertil, path, sit=2)
    tap(bertil, path, deal=1, last=3)
    organiser, _ = organiser_of(league.club)
    tap(organiser, path, deal=1, seen=1, places="1,2,4/3")
    rounds.open(league.pk)
    answer = aino.post(path, {"table": table.pk, "deal": 1, "last": 2})
    assert answer.status_code == 409
    assert f'name="table" value="{table.pk}"' in answer.content.decode()
    assert not DealResult.objects.exclude(table=table).exists()


def test_two_phones_that_say_different_things_are_a_dispute() -> None:
    league = night()
    path = table_code(league)
    aino, bertil = phone(), phone()
    tap(aino, path, sit=1)
    tap(bertil, path, sit=2)
    tap(aino, path, deal=1, last=3)
    both = bertil.post(path, {"deal": 1, "last": 4})
    assert both.status_code == 409
    assert "<bdi>Player 1</bdi> says: <strong><bdi>Player 3</bdi> was last" in both.content.decode()
    assert "You say: <strong><bdi>Player 4</bdi> was last" in both.content.decode()
    assert result().state == "reported"
    page = tap(bertil, path, deal=1, seen=1, places="1,2,3/4")
    assert "an organiser decides" in page
    assert "<bdi>Player 2</bdi> says: <bdi>Player 4</bdi> was last" in page
    assert (result().state, losses(league)) == ("disputed", {})


def test_a_report_is_taken_back_by_who_made_it_alone() -> None:
    league = night()
    path = table_code(league)
    aino, bertil = phone(), phone()
    tap(aino, path, sit=1)
    tap(bertil, path, sit=2)
    tap(aino, path, deal=1, last=3)
    assert "can&#x27;t be taken back" in tap(bertil, path, undo=1)
    assert "Taken back." in tap(aino, path, undo=1)
    assert result().state == "void"
    assert "Deal 1 of 2: who was last?" in says(aino, path)
    tap(aino, path, deal=1, last=4)
    tap(bertil, path, deal=1, seen=2, places="1,2,3/4")
    assert losses(league) == {4: 1}
    assert "can&#x27;t be taken back" in tap(aino, path, undo=1)


def test_who_keeps_scores_takes_back_what_counts_and_a_table_that_was_done_plays_on() -> None:
    league = night(people=8, deals=1)
    path = table_code(league)
    oskari, player = organiser_of(league.club, name="Olga")
    last = Table.objects.get(number=1).seats.get(index=0).entry.number
    tap(oskari, path, deal=1, last=last)
    assert Table.objects.get(number=1).state == "done"
    assert "Taken back." in tap(oskari, path, undo=1)
    assert Table.objects.get(number=1).state == "playing"
    assert losses(league) == {}
    assert LedgerRow.objects.filter(kind="result.voided").count() == 1
    assert Act.objects.filter(verb="result.taken_back", actor=f"player:{player.pk}").count() == 1
    tap(oskari, path, deal=1, last=last)
    assert losses(league) == {last: 1}
    verdicts = list(check(json.dumps(archive.document(league), default=str)))
    assert [verdict for verdict in verdicts if not verdict["ok"]] == []


def test_a_code_names_a_table_for_good_and_is_a_picture() -> None:
    league = night()
    owner, _ = organiser_of(league.club)
    sheet = f"/club/{league.club.slug}/codes/"
    owner.post(sheet, {"tables": 2})
    before = list(Place.objects.values_list("number", "code"))
    owner.post(sheet, {"tables": 3})
    assert set(before) < set(Place.objects.values_list("number", "code"))
    page = owner.get(sheet).content.decode()
    assert len(re.findall(r"<svg [^>]*viewBox", page)) == 3
    assert before[0][1] in page
    assert phone().get(sheet).status_code == 404


def test_a_place_with_nobody_and_a_code_that_is_none() -> None:
    league = night()
    path = table_code(league, 2)
    assert "Nobody sits here now." in says(phone(), path)
    assert "Nobody sits here now." in tap(phone(), path, sit=1)
    assert phone().get("/t/NOTACODE00/").status_code == 404


def test_nonsense_is_refused_and_changes_nothing() -> None:
    path = table_code(night())
    aino = phone()
    tap(aino, path, deal=1, last=3)
    tap(aino, path, sit="x")
    tap(aino, path, sit=99)
    tap(aino, path, sit=1)
    for form in ({"deal": 9, "last": 1}, {"deal": 1, "last": 77}, {"deal": "²", "last": "²"}, {}):
        tap(aino, path, **form)
    assert not DealResult.objects.exclude(places=[]).exists()
