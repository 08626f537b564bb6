"""Addresses of the pages of the league."""

from django.urls import path

from league.pages import (
    chips,
    club,
    deal,
    disputes,
    guests,
    league,
    ledger,
    opening,
    organising,
    place,
    scoring,
    sheet,
    views,
    wizard,
)

GUEST = "club/<slug:slug>/members/<int:player_id>"
DEAL = "deals/<int:round_number>/<int:table_number>/<int:number>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("live/", views.home_live, name="home_live"),
    path("c/<slug:slug>/", views.competition, name="competition"),
    path("c/<slug:slug>/live/", views.competition_live, name="competition_live"),
    path("k/", opening.link, name="link"),
    path("k/<slug:secret>/", opening.secret, name="link-secret"),
    path("recover/", opening.recover, name="recover"),
    path("club/<slug:slug>/", club.club, name="club"),
    path("club/<slug:slug>/members", club.add_member, name="club-members"),
    path("club/<slug:slug>/members/<int:player_id>", club.change_member, name="club-member"),
    path(f"{GUEST}/code", guests.offer, name="club-offer"),
    path(f"{GUEST}/merge", guests.merge, name="club-merge"),
    path(f"{GUEST}/anonymise", guests.anonymise, name="club-anonymise"),
    path("club/<slug:slug>/merges/<int:merge_id>", guests.unmerge, name="club-unmerge"),
    path("claim/", guests.claim, name="claim"),
    path(f"{GUEST}/nickname", organising.nickname, name="club-nickname"),
    path("club/<slug:slug>/settings", organising.settings, name="club-settings"),
    path("club/<slug:slug>/leave", club.leave, name="club-leave"),
    path("club/<slug:slug>/links/<str:role>", club.renew_link, name="club-link"),
    path("club/<slug:slug>/codes/", club.sheet, name="club-codes"),
    path("t/<slug:code>/", place.place, name="place"),
    path("l/<slug:slug>/", league.league, name="league"),
    path("l/<slug:slug>/begin", league.begin, name="league-begin"),
    path("l/<slug:slug>/enter/", scoring.enter, name="league-enter"),
    path("l/<slug:slug>/enter/<int:round_number>/", scoring.enter, name="league-enter-round"),
    path(f"l/<slug:slug>/{DEAL}", deal.deal, name="league-deal"),
    path("l/<slug:slug>/disputes/", disputes.disputes, name="league-disputes"),
    path("l/<slug:slug>/chips/", chips.chips, name="league-chips"),
    path("l/<slug:slug>/season/", organising.season, name="league-season"),
    path("l/<slug:slug>/sheet/", sheet.sheet, name="league-sheet"),
    path("l/<slug:slug>/ledger/", ledger.ledger, name="league-ledger"),
    path("l/<slug:slug>/acts/", ledger.acts, name="league-acts"),
    path("new/", wizard.begin, name="new"),
    path("new/rules/", wizard.rules, name="new-rules"),
    path("new/league/", wizard.league, name="new-league"),
    path("new/players/", wizard.people, name="new-players"),
]
