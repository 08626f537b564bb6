"""Which letters a league's ledger asks for, and which are to go out. Sends nothing itself.

A league's rows are read once, under its lock, in order; letters are rows made in that transaction.
Only who has an account with an address gets one, and nobody about what he has done himself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from games.models import Player
from league.models import (
    Competition,
    DealResult,
    Entry,
    LedgerRow,
    Letter,
    MailChoice,
    MailCursor,
    TableSeat,
)
from league.queries import nicknames
from league.queries.locks import lock_competition

Event, Kind = Letter.Event, LedgerRow.Kind
MOST_ROWS: Final = 500
MOST_SENT: Final = 50
MOST_TRIES: Final = 5
AGAIN: Final = timedelta(minutes=10)
_OF_TABLES: Final = {
    Kind.RESULT_REPORTED: Event.CONFIRM,
    Kind.RESULT_DISPUTED: Event.DISPUTED,
    Kind.RESULT_AMENDED: Event.CORRECTED,
    Kind.RESULT_RULED: Event.CORRECTED,
}


class Claimed(NamedTuple):
    """A letter that is noted as sent: to whom, in which language, about what."""

    letter: Letter
    address: str
    language: str
    polite: bool
    club: str
    league: str
    slug: str
    with_: tuple[str, ...]


def write_due() -> int:
    """Write what leagues ask for; how many letters that are."""
    behind = _behind().order_by("pk").values_list("pk", flat=True)
    return sum(_write(pk) for pk in list(behind[:100]))


def due() -> bool:
    """Whether a ledger was not read to its end, or a letter waits."""
    waiting = Letter.objects.filter(state=Letter.State.WAITING, due_at__lte=Now())
    return waiting.exists() or _behind().exists()


def _behind() -> QuerySet[Competition]:
    leagues = Competition.objects.filter(kind=Competition.Kind.LEAGUE, rehearsal=False)
    return leagues.filter(Q(mail_cursor=None) | Q(mail_cursor__seq__lt=F("ledger_seq")))


def _write(competition_id: int) -> int:
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        begins = competition.ledger_seq if competition.state != "open" else 0
        cursor, _ = MailCursor.objects.get_or_create(
            competition=competition, defaults={"seq": begins}
        )
        rows = LedgerRow.objects.filter(competition=competition, seq__gt=cursor.seq)
        read = list(rows.order_by("seq")[:MOST_ROWS])
        letters = [letter for row in read for letter in _letters(competition, row)]
        made = Letter.objects.bulk_create(letters, ignore_conflicts=True)
        cursor.seq = read[-1].seq if read else competition.ledger_seq
        cursor.save(update_fields=["seq"])
        return len(made)


def _letters(competition: Competition, row: LedgerRow) -> Iterator[Letter]:
    body: dict[str, Any] = row.body
    if row.kind == Kind.ROUND_DRAWN:
        seated = TableSeat.objects.filter(
            round__competition=competition, round__number=body["round"]
        ).exclude(table__deals_planned=0)
        for number, players in _by_table(seated):
            about = {"round": body["round"], "table": number, "with": sorted(players)}
            yield from _to(competition, row, Event.SEATED, players, about)
    elif row.kind in _OF_TABLES and row.table_ref is not None:
        seats = TableSeat.objects.filter(table=row.table_ref)
        acted = _acted(row)
        for number, players in _by_table(seats):
            about = {"round": body["round"], "table": number, "deal": body.get("deal")}
            players.discard(acted)
            yield from _to(competition, row, _OF_TABLES[Kind(row.kind)], players, about)
    elif row.kind == Kind.COMPETITION_STATE and body.get("state") == "finished":
        entries = Entry.objects.filter(competition=competition, tally__isnull=False)
        players = {entry.plays.pk for entry in entries.select_related("player", "substitute")}
        yield from _to(competition, row, Event.FINISHED, players, {})


def _acted(row: LedgerRow) -> int:
    """Who has told what the row says: he knows; 0 for nobody who sits there."""
    deals = DealResult.objects.filter(table=row.table_ref, deal=row.body.get("deal"))
    disputed = row.kind == Kind.RESULT_DISPUTED
    told = deals.values_list("contested_by" if disputed else "entered_by", flat=True).first()
    return told or 0


def _by_table(seats: QuerySet[TableSeat]) -> list[tuple[int, set[int]]]:
    found: dict[int, set[int]] = {}
    for seat in seats.select_related("table", "entry__player", "entry__substitute"):
        found.setdefault(seat.table.number, set()).add(seat.entry.plays.pk)
    return sorted(found.items())


def _to(
    competition: Competition,
    row: LedgerRow,
    event: Letter.Event,
    players: Iterable[int],
    about: dict[str, Any],
) -> Iterator[Letter]:
    reachable = Player.objects.filter(pk__in=list(players), user__isnull=False)
    for player in reachable.exclude(user__email="").exclude(
        mail_choice__declined__contains=[event]
    ):
        yield Letter(player=player, competition=competition, event=event, seq=row.seq, about=about)


def claim() -> list[Claimed]:
    """Letters that are due, noted as sent: whoever has got them sends them now."""
    with transaction.atomic(durable=True):
        waiting = Letter.objects.filter(state=Letter.State.WAITING, due_at__lte=Now())
        locked = waiting.order_by("pk").select_for_update(skip_locked=True, of=("self",))
        rows = list(locked.select_related("player__user", "competition__club")[:MOST_SENT])
        Letter.objects.filter(pk__in=[row.pk for row in rows]).update(
            state=Letter.State.SENT, tries=F("tries") + 1
        )
        return [claimed for row in rows if (claimed := _claimed(row)) is not None]


def _claimed(row: Letter) -> Claimed | None:
    player, competition = row.player, row.competition
    declined = MailChoice.objects.filter(player=player, declined__contains=[row.event])
    if player.user is None or not player.user.email or declined.exists():
        return None
    others = Player.objects.in_bulk([pk for pk in row.about.get("with", ()) if pk != player.pk])
    nicknames.give(competition.club_id, others.values())
    return Claimed(
        row,
        player.user.email,
        player.language or competition.club.language,
        competition.club.polite,
        competition.club.name,
        competition.name,
        competition.slug,
        tuple(sorted(other.name for other in others.values())),
    )


def refused(letters: Sequence[Letter]) -> None:
    """The mail server has not taken them: again later, some times."""
    for letter in letters:
        tries = letter.tries + 1
        gone = tries >= MOST_TRIES
        Letter.objects.filter(pk=letter.pk).update(
            state=Letter.State.FAILED if gone else Letter.State.WAITING,
            due_at=Now() + AGAIN * tries,
        )


def choose(player_id: int, declined: Iterable[str]) -> list[str]:
    """Set the kinds of letters that a player does not want."""
    kinds = sorted(set(declined) & set(Event.values))
    MailChoice.objects.update_or_create(player_id=player_id, defaults={"declined": kinds})
    return kinds


def declined(player_id: int) -> list[str]:
    """The kinds that he does not want."""
    found = MailChoice.objects.filter(player=player_id).values_list("declined", flat=True).first()
    return list(found or ())
