"""Rows of the league as the documents of `wires`. Reads, translates, decides nothing."""

from datetime import datetime

from django.db.models import Q, QuerySet

from config.kit.models import Act
from games.models import Player
from games.queries.replays import rules_of_card
from games.queries.rules_cards import rules_wire
from league.formats.checkin import opens_at
from league.models import (
    Club,
    Competition,
    DealResult,
    Entry,
    LedgerRow,
    Note,
    PenaltyTally,
    Schedule,
)
from league.queries.standings import Standing
from league.queries.wires import (
    ActWire,
    ClubWire,
    CompetitionWire,
    DealResultWire,
    EntryWire,
    LedgerWire,
    NoteWire,
    PlayerWire,
    ReasonWire,
    RulesWire,
    ScheduleWire,
    StandingWire,
    TallyWire,
)

OVER = (Competition.State.FINISHED, Competition.State.VOID)


def player(row: Player) -> PlayerWire:
    """A player as everybody may see him."""
    return {"id": row.pk, "name": row.name, "kind": row.kind}


def club(row: Club) -> ClubWire:
    """A club."""
    return {
        "slug": row.slug,
        "name": row.name,
        "private": row.private,
        "zone": row.zone,
        "polite": row.polite,
        "created_at": row.created_at,
    }


def competition(row: Competition) -> CompetitionWire:
    """A competition; `club` and `rules` should be selected along."""
    wire = rules_wire(rules_of_card(row.rules.card))
    rules: RulesWire = {
        "preset": wire["preset"],
        "options": wire["options"],
        "hash": wire["hash"],
    }
    return {
        "id": row.pk,
        "slug": row.slug,
        "name": row.name,
        "club": row.club.slug,
        "kind": row.kind,
        "format": row.format,
        "state": row.state,
        "rules": rules,
        "settings": row.settings,
        "move_ms": row.move_ms,
        "bank_ms": row.bank_ms,
        "reproducible": row.reproducible,
        "rehearsal": row.rehearsal,
        "commitment": bytes(row.commitment).hex(),
        "secret": bytes(row.secret).hex() if row.state in OVER else None,
        "starts_at": row.starts_at,
        "zone": row.club.zone,
        "checkin_opens_at": _checkin_opens_at(row),
        "started_at": row.started_at,
        "finished_at": row.finished_at,
        "ledger_seq": row.ledger_seq,
    }


def _checkin_opens_at(row: Competition) -> datetime | None:
    minutes = row.chosen.checkin_minutes
    return opens_at(row.starts_at, minutes) if minutes else None


def entry(row: Entry) -> EntryWire:
    """An entry; `player` and `substitute` should be selected along."""
    return {
        "number": row.number,
        "player": player(row.player),
        "state": row.state,
        "seed": row.seed,
        "place": row.place,
        "version": row.version or None,
        "substitute": player(row.substitute) if row.substitute else None,
        "checked_in_at": row.checked_in_at,
    }


def standings(rows: list[Standing]) -> list[StandingWire]:
    """Standings with the reason for each row being above the next."""
    players = {row.entry.number: player(row.player) for row in rows}
    return [_standing(row, players) for row in rows]


def tally(row: PenaltyTally) -> TallyWire:
    """A tally; `entry` and `player` should be selected along."""
    return {
        "entry": row.entry.number,
        "player": player(row.player),
        "chips": row.chips,
        "losses": row.losses,
        "deals": row.deals,
        "first_places": row.first_places,
        "fair_losses": row.fair_losses,
        "percentiles": row.percentiles,
        "eliminated_at": row.eliminated_at,
        "eliminated_seq": row.eliminated_seq,
    }


def ledger_row(row: LedgerRow) -> LedgerWire:
    """A row of the ledger."""
    return {
        "id": row.seq,
        "ledger_seq": row.seq,
        "event": row.kind,
        "version": row.body.get("version", 1),
        "competition": row.competition_id,
        "round": row.body.get("round"),
        "table": row.body.get("table"),
        "deal": row.body.get("deal"),
        "entry": row.body.get("entry"),
        "at": row.at,
        "body": row.body,
        "hash": bytes(row.hash).hex(),
    }


def schedule(row: Schedule) -> ScheduleWire:
    """A schedule; a chosen secret is nobody's business. `club` should be selected along."""
    return {
        "id": row.pk,
        "club": row.club.slug,
        "name": row.name,
        "enabled": row.enabled,
        "cron": row.cron,
        "zone": row.zone,
        "missing": row.missing,
        "doubled": row.doubled,
        "missed": row.missed,
        "template": {key: value for key, value in row.template.items() if key != "secret"},
        "next_at": row.next_at,
    }


def _standing(row: Standing, players: dict[int, PlayerWire]) -> StandingWire:
    sums = row.ranked.line.sums
    ratio = f"{sums.losses * row.tally.UNIT / sums.fair_losses:.4f}" if sums.fair_losses else None
    return {
        "rank": row.ranked.rank,
        "entry": row.entry.number,
        "player": players[row.entry.number],
        "state": row.entry.state,
        "place": row.entry.place,
        "chips": sums.chips,
        "losses": sums.losses,
        "deals": sums.deals,
        "loss_ratio": ratio,
        "explanation": _explanation(row, players),
    }


def _explanation(row: Standing, players: dict[int, PlayerWire]) -> list[ReasonWire]:
    reason = row.ranked.reason
    if reason is None:
        return []
    above = players[reason.above]
    text = f"Above {above['name']}: {reason.sentence}."
    return [{"code": reason.code, "above": above, "values": reason.values, "text": text}]


def acts_of(competition: Competition) -> QuerySet[Act]:
    """The lines of the act log that are about a competition."""
    target = f"competition:{competition.pk}"
    return Act.objects.filter(Q(target=target) | Q(target__startswith=f"{target}/"))


def act(row: Act) -> ActWire:
    """A line of the act log."""
    return {
        "id": row.pk,
        "at": row.at,
        "actor": row.actor,
        "verb": row.verb,
        "target": row.target,
        "about": row.data,
    }


def note(row: Note) -> NoteWire:
    """A note; `author` and `about` should be selected along."""
    erased = row.erased_at is not None
    return {
        "id": row.pk,
        "hash": bytes(row.hash).hex(),
        "text": None if erased else row.text,
        "salt": None if erased else bytes(row.salt).hex(),
        "author": player(row.author) if row.author else None,
        "about": player(row.about) if row.about else None,
        "created_at": row.created_at,
        "erased_at": row.erased_at,
    }


def deal_result(row: DealResult) -> DealResultWire:
    """A typed deal as it stands; `table` and its round should be selected along."""
    return {
        "round": row.table.round.number,
        "table": row.table.number,
        "deal": row.deal,
        "version": row.version,
        "state": row.state,
        "places": row.places,
        "contested": row.contested,
        "forfeits": row.forfeits,
        "confirms_at": row.confirms_at,
    }
