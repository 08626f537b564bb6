"""A season with all that goes wrong: ledger, standings and tallies agree, and nothing is left over.

The full size, 20 players in 12 nights, is `SEASON=20x12`.
"""

from __future__ import annotations

import os

import pytest
from django.db.models import Count

from league.models import Competition, DealResult, Entry, PenaltyTally, Round, Table, TableSeat
from league.queries.standings import folded, standings, sums_of
from league.services import ledger, tallies
from tests.league.season.play import Season

pytestmark = pytest.mark.django_db(transaction=True)


def test_after_a_season_ledger_standings_and_tallies_agree_and_nothing_is_left_over() -> None:
    people, nights = map(int, os.environ.get("SEASON", "8x4").split("x"))
    season = Season(people, nights)
    season.play()
    league = Competition.objects.select_related("club", "rules").get(pk=season.id)
    assert league.state == "finished"
    assert ledger.first_broken(league) is None
    assert tallies.recompute(league.pk, write=False) == []
    sums = folded(league).sums()
    for row in standings(league):
        told = sums.get(row.entry.number)
        assert told is None or told == sums_of(row.tally)
    rounds = Round.objects.filter(competition=league)
    assert set(rounds.values_list("state", flat=True)) == {"closed"}
    assert rounds.count() == nights
    assert not Table.objects.exclude(state="done").exists()
    assert not DealResult.objects.exclude(state="confirmed").exists()
    entries = Entry.objects.filter(competition=league)
    assert PenaltyTally.objects.count() == entries.count()
    assert not entries.filter(place=None).exists()
    twice = TableSeat.objects.values("round", "entry").annotate(n=Count("pk")).filter(n__gt=1)
    assert not twice.exists()
    for event in ("late", "left", "substituted", "chips", "revoked"):
        assert season.happened[event], event
