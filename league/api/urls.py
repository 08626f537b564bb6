"""Addresses of the API of the league, under `/api/v1/`."""

from django.urls import path

from league.api import (
    calendars,
    clubs,
    competitions,
    conduct,
    entries,
    exports,
    remarks,
    results,
    rules,
    watching,
    webhooks,
)

ONE = "competitions/<int:competition_id>"
HOOK = f"{ONE}/webhooks/<int:webhook_id>"
TABLE = f"{ONE}/rounds/<int:round_number>/tables/<int:table_number>"

urlpatterns = [
    path("clubs", clubs.Clubs.as_view()),
    path("clubs/<slug:slug>", clubs.OneClub.as_view()),
    path("clubs/<slug:slug>/calendar.ics", calendars.ClubCalendar.as_view()),
    path("schedules", clubs.Schedules.as_view()),
    path("competitions", competitions.Competitions.as_view()),
    path(ONE, competitions.OneCompetition.as_view()),
    path(f"{ONE}/entries", entries.Entries.as_view()),
    path(f"{ONE}/entries/<int:player_id>", entries.OneEntry.as_view()),
    path(f"{ONE}/entries/<int:player_id>/checkin", entries.Checkin.as_view()),
    path(f"{ONE}/start", competitions.Start.as_view()),
    path("competition-settings/check", rules.SettingsCheck.as_view()),
    path(f"{ONE}/rules", rules.LeagueRules.as_view()),
    path(f"{ONE}/pause", conduct.Pause.as_view()),
    path(f"{ONE}/resume", conduct.Resume.as_view()),
    path(f"{ONE}/void", conduct.Void.as_view()),
    path(f"{ONE}/acts", conduct.Acts.as_view()),
    path(f"{ONE}/wipe", conduct.Wipe.as_view()),
    path(f"{ONE}/entries/<int:player_id>/substitute", conduct.Substitution.as_view()),
    path(f"{ONE}/entries/<int:player_id>/chips", remarks.ChipsByHand.as_view()),
    path(f"{ONE}/ledger/<int:seq>/revoke", remarks.Revocation.as_view()),
    path(f"{ONE}/notes", remarks.Notes.as_view()),
    path(f"{ONE}/notes/<int:note_id>", remarks.OneNote.as_view()),
    path(f"{ONE}/entries/<int:player_id>/drop", conduct.Drop.as_view()),
    path(f"{ONE}/rounds/next", conduct.NextRound.as_view()),
    path(f"{TABLE}/deals/<int:deal>/result", results.DealResults.as_view()),
    path(f"{TABLE}/deals/<int:deal>/void", results.VoidDeal.as_view()),
    path(f"{TABLE}/confirm", results.Sheet.as_view()),
    path(f"{TABLE}/void", results.VoidTable.as_view()),
    path(f"{TABLE}/correction", results.Corrections.as_view()),
    path(f"{TABLE}/correction/preview", results.CorrectionPreview.as_view()),
    path(f"{TABLE}/correction/undo", results.Undo.as_view()),
    path(f"{ONE}/rounds", watching.Rounds.as_view()),
    path(TABLE, watching.OneTable.as_view()),
    path(f"{ONE}/standings", watching.Standings.as_view()),
    path(f"{ONE}/tallies", watching.Tallies.as_view()),
    path(f"{ONE}/ledger", watching.Ledger.as_view()),
    path(f"{ONE}/events", watching.Events.as_view()),
    path(f"{ONE}/dashboard", watching.Dashboard.as_view()),
    path(f"{ONE}/webhooks", webhooks.Webhooks.as_view()),
    path(HOOK, webhooks.OneWebhook.as_view()),
    path(f"{HOOK}/replay", webhooks.Replay.as_view()),
    path(f"{HOOK}/test", webhooks.Test.as_view()),
    path(f"{HOOK}/deliveries", webhooks.Deliveries.as_view()),
    path(f"{HOOK}/deliveries/<int:delivery_id>/resend", webhooks.Resend.as_view()),
    path(f"{ONE}/exports/<str:file>", exports.Exports.as_view()),
]
