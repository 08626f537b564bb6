"""A competition from its document: on another installation, or in another club.

It must check first (`league.archive.check`) and be over. Who its players are here,
restored_players.py finds; its games restored_records.py writes. Notes stay behind: their hashes do
not.
"""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.db import transaction

from config.kit import names, receipts
from games.engine import rules_from_card
from games.services import rules_cards
from league.archive import check, is_document
from league.errors import BadDocumentError
from league.models import (
    Club,
    Competition,
    DealResult,
    Entry,
    LedgerRow,
    Membership,
    PenaltyTally,
    Round,
    Stage,
    Stint,
    Table,
    TableSeat,
)
from league.services import restored_players, restored_records
from league.services.restored_records import Wire, dates

_SUMS = ("chips", "losses", "deals", "first_places", "fair_losses", "percentiles", "last_loss")


def restore(
    club_id: int, text: str, receipt: receipts.Draft | None = None, *, keeps_roles: bool = False
) -> Competition:
    """Make the competition of a document in this club, or find it there. `keeps_roles`: who asks
    may make organisers and owners, so who was one is one again.

    Raises `BadDocumentError`.
    """
    if not is_document(text):
        raise BadDocumentError("This is no competition's document.")
    wrong = [verdict for verdict in check(text) if not verdict["ok"]]
    if wrong:
        raise BadDocumentError("The document does not check.", parts=wrong)
    document = json.loads(text)
    if document["competition"]["state"] not in ("finished", "void"):
        raise BadDocumentError("Only a competition that is over can be moved.")
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Competition.objects.get(pk=outcome["competition"])
        # Whoever imports the same at once waits here, and finds it.
        Club.objects.select_for_update(no_key=True).get(pk=club_id)
        made = _there(club_id, document) or _Restoring(club_id, document, keeps_roles).run()
        receipts.keep(receipt, {"competition": made.pk})
        return made


def _there(club_id: int, document: Wire) -> Competition | None:
    """The same competition in this club: of one secret, with the same ledger."""
    told, ledger = document["competition"], document["ledger"]
    same = Competition.objects.filter(club=club_id, ledger_seq=len(ledger), state=told["state"])
    head = bytes.fromhex(ledger[-1]["hash"]) if ledger else b""
    return same.filter(commitment=bytes.fromhex(told["commitment"]), ledger_head=head).first()


class _Restoring:
    """One import: the rows made so far, by their numbers in the document."""

    def __init__(self, club_id: int, document: Wire, keeps_roles: bool) -> None:
        self._club_id, self._keeps_roles = club_id, keeps_roles
        self._document = document
        self._entries: dict[int, Entry] = {}
        self._tables: dict[tuple[int, int], Table] = {}

    def run(self) -> Competition:
        """Make everything, in order of what refers to what."""
        self._players = restored_players.found(self._club_id, self._document)
        self._competition = self._make_competition()
        self._make_entries()
        self._make_rounds()
        self._make_tallies()
        self._make_ledger()
        restored_records.make(self._competition, self._document, self._tables, self._players)
        self._make_members()
        return self._competition

    def _make_competition(self) -> Competition:
        told = self._document["competition"]
        rules = rules_cards.stored(rules_from_card(self._document["rules"]["card"]))
        ledger = self._document["ledger"]
        return Competition.objects.create(
            club=Club.objects.get(pk=self._club_id),
            slug=_slug(told["slug"]),
            name=names.checked(told["name"], 120),
            kind=told["kind"],
            format=told["format"],
            state=told["state"],
            rules=rules,
            settings=self._settings(told["settings"]),
            move_ms=told["move_ms"],
            bank_ms=told["bank_ms"],
            secret=bytes.fromhex(told["secret"]),
            commitment=bytes.fromhex(told["commitment"]),
            reproducible=told["reproducible"],
            rehearsal=told["rehearsal"],
            ledger_seq=len(ledger),
            ledger_head=bytes.fromhex(ledger[-1]["hash"]) if ledger else b"",
            **dates(told, "starts_at", "created_at", "started_at", "finished_at"),
        )

    def _settings(self, told: Wire) -> dict[str, Any]:
        """The same with forbidden pairs by the ids that the players have here."""
        ids = {old: player.pk for old, player in self._players.items()}
        pairs = [[ids.get(one, one), ids.get(two, two)] for one, two in told["forbidden_pairs"]]
        return {**told, "forbidden_pairs": pairs}

    def _make_entries(self) -> None:
        for told in self._document["entries"]:
            self._entries[told["number"]] = self._make_entry(told)

    def _make_entry(self, told: Wire) -> Entry:
        substitute = told["substitute"]
        entry = Entry.objects.create(
            competition=self._competition,
            number=told["number"],
            player=self._players[told["player"]["id"]],
            substitute=substitute and self._players[substitute["id"]],
            substituted=bool(told["stints"]),
            state=told["state"],
            seed=told["seed"],
            place=told["place"],
            version=told["version"] or "",
            **dates(told, "created_at", "since", "checked_in_at"),
        )
        Stint.objects.bulk_create(
            Stint(entry=entry, round=s["round"], player=self._players[s["player"]["id"]])
            for s in told["stints"]
        )
        return entry

    def _make_rounds(self) -> None:
        stages = {
            told["number"]: Stage.objects.create(
                competition=self._competition,
                number=told["number"],
                format=told["format"],
                options=told["options"],
                **dates(told, "finished_at"),
            )
            for told in self._document["stages"]
        }
        for told in self._document["rounds"]:
            drawn = Round.objects.create(
                competition=self._competition,
                stage=stages[told["stage"]],
                number=told["number"],
                state=told["state"],
                draw=told["draw"],
                **dates(told, "created_at", "closed_at"),
            )
            for table in told["tables"]:
                self._make_table(drawn, table)

    def _make_table(self, drawn: Round, told: Wire) -> None:
        columns = ("number", "kind", "state", "deals_planned", "deals_done", "places", "advance")
        table = Table.objects.create(
            round=drawn, **{name: told[name] for name in columns}, **dates(told, "done_at")
        )
        self._tables[drawn.number, table.number] = table
        TableSeat.objects.bulk_create(
            TableSeat(
                round=drawn,
                table=table,
                index=index,
                entry=self._entries[seat["entry"]],
                stand_in=seat["stand_in"],
            )
            for index, seat in enumerate(told["seats"])
        )
        DealResult.objects.bulk_create(DealResult(table=table, **typed) for typed in told["typed"])

    def _make_tallies(self) -> None:
        PenaltyTally.objects.bulk_create(
            PenaltyTally(
                competition=self._competition,
                entry=self._entries[told["entry"]],
                player=self._entries[told["entry"]].player,
                eliminated_seq=told["eliminated_seq"],
                **{name: told[name] for name in _SUMS},
                **dates(told, "eliminated_at"),
            )
            for told in self._document["tallies"]
        )

    def _make_ledger(self) -> None:
        LedgerRow.objects.bulk_create(
            LedgerRow(
                competition=self._competition,
                seq=told["ledger_seq"],
                kind=told["event"],
                body=told["body"],
                table_ref=self._table_ref(told),
                hash=bytes.fromhex(told["hash"]),
                **dates(told, "at"),
            )
            for told in self._document["ledger"]
        )

    def _table_ref(self, told: Wire) -> int | None:
        if not told["event"].startswith("result."):
            return None
        return self._tables[told["round"], told["table"]].pk

    def _make_members(self) -> None:
        """Who was of the club is of this one: with his role, but that only who owns it makes
        anybody run it; who is a member already stays what he is."""
        top = (Membership.Role.OWNER, Membership.Role.ORGANISER)
        try:
            told_members = [
                (one["player"]["id"], Membership.Role(one["role"]), str(one["nickname"]))
                for one in self._document.get("members", ())
            ]
        except (LookupError, TypeError, ValueError) as error:
            raise BadDocumentError("Its members can't be read.") from error
        for number, role, called in told_members:
            player = self._players.get(number)
            if player is None or player.agent_ref:
                continue
            given = role if self._keeps_roles or role not in top else Membership.Role.MEMBER
            nickname = names.checked(called) if called else ""
            Membership.objects.get_or_create(
                club_id=self._club_id,
                player=player,
                defaults={"role": given, "nickname": nickname},
            )


def _slug(wanted: str) -> str:
    if not Competition.objects.filter(slug=wanted).exists():
        return wanted
    return f"{wanted[:70]}-{secrets.token_hex(4)}"
