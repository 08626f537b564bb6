"""What the page of a deal shows: its versions, corrections of one tap, what a change would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from config.kit.models import Act
from games.models import Player
from league.models import Competition, LedgerRow, Note
from league.pages import tapping
from league.pages.acting import Acting
from league.pages.outcomes import Names, outcome, people
from league.pages.shown import Time, time
from league.queries import deals
from league.queries.deals import Story
from league.services.trials import Preview, Seating

Kind = LedgerRow.Kind
WORDS = {
    Kind.RESULT_REPORTED: "reported",
    Kind.RESULT_CONFIRMED: "counts",
    Kind.RESULT_DISPUTED: "disputed",
    Kind.RESULT_RULED: "ruled",
    Kind.RESULT_AMENDED: "corrected",
    Kind.RESULT_VOIDED: "counts nowhere",
}


@dataclass(frozen=True)
class Version:
    """A row of the deal's history; `who` and `note` are for organisers alone."""

    seq: int
    number: int
    what: str
    words: SafeString
    at: Time | None
    reason: str
    own_table: bool
    who: str
    note: str
    erased: bool


@dataclass(frozen=True)
class Offer:
    """A correction of one tap: what it is, in words, and what its form says."""

    title: SafeString | str
    what: str
    places: str
    reason: str


def versions(league: Competition, story: Story, who: Acting) -> list[Version]:
    """All of them, oldest first. Three queries for organisers, none for others."""
    authors = _authors(league, story) if who.organises else {}
    notes = _notes(league, story) if who.organises else {}
    zone = league.club.zone
    return [
        Version(
            one.seq,
            one.version,
            WORDS[Kind(one.kind)],
            _words(one, story.names),
            time(one.row.at, zone),
            one.row.body.get("reason", ""),
            bool(one.row.body.get("own_table")),
            authors.get((one.version, one.kind), ""),
            note.text if (note := notes.get(one.row.body.get("note", ""))) else "",
            bool(note and note.erased_at),
        )
        for one in story.versions
    ]


def offers(story: Story) -> list[Offer]:
    """What is likely to be wrong, each with its correction."""
    if story.state == "void" or not story.places:
        return []
    return [
        *_swapped(story),
        *_others_last(story),
        *_counted_twice(story),
        *(
            Offer(f"Deal {deal} was told alike: this one counts nowhere", "void", "", "duplicate")
            for deal in deals.same_again(story)
        ),
    ]


def before_and_after(preview: Preview, names: Names) -> list[dict[str, Any]]:
    """Each entry that changes: rank, chips, losses, place, and whether it is in."""
    shown = []
    for one in sorted(preview.changes, key=lambda change: change.after["rank"]):
        pairs = {name: (one.before.get(name), value) for name, value in one.after.items()}
        shown.append({"name": names.get(one.entry, f"no. {one.entry}"), **pairs})
    return shown


def seatings(seating: Seating, names: Names) -> list[tuple[int, int, SafeString]]:
    """Tables by round and number, with who sits there."""
    return [(number, table, people(seats, names)) for (number, table), seats in seating.items()]


def _words(one: deals.Told, names: Names) -> SafeString:
    contested = one.row.body.get("contested")
    said = outcome(one.places, names, one.row.body.get("forfeits", ()))
    if contested is None:
        return said
    return said + SafeString("; ") + outcome(contested, names)


def _swapped(story: Story) -> list[Offer]:
    """Loser and winner changed places: known where the whole order is."""
    places = story.places
    if len(places) < 2 or len(places[0]) != len(places[-1]):
        return []
    turned = [places[-1], *places[1:-1], places[0]]
    who = people([*places[0], *places[-1]], story.names)
    return [Offer(SafeString("Winner and loser swapped: ") + who, *_form(turned, "swapped"))]


def _others_last(story: Story) -> list[Offer]:
    """Only the loser is known, and it was another."""
    places = story.places
    if len(places) != 2 or len(places[0]) < 2:
        return []
    everybody = sorted([*places[0], *places[1]])
    return [
        Offer(
            people([number], story.names) + SafeString(" was last instead"),
            *_form([[n for n in everybody if n != number], [number]], "swapped"),
        )
        for number in places[0]
    ]


def _counted_twice(story: Story) -> list[Offer]:
    twice = deals.counted_twice(story) if story.typed else []
    return [
        Offer(
            people([number], story.names)
            + SafeString(" is counted at another table too: not in this one"),
            *_form(_without(story.places, number), "duplicate"),
        )
        for number in twice
    ]


def _without(places: Sequence[Sequence[int]], number: int) -> list[list[int]]:
    left = [[one for one in group if one != number] for group in places]
    kept = [group for group in left if group]
    return kept if sum(map(len, kept)) > 1 else []


def _form(places: Sequence[Sequence[int]], reason: str) -> tuple[str, str, str]:
    return "correct", tapping.written(places), reason


def _authors(league: Competition, story: Story) -> Mapping[tuple[int, str], str]:
    """Who has written which version, by version and verb."""
    target = f"competition:{league.pk}/{story.table.round.number}/{story.table.number}"
    where = [f"{target}/{story.deal}", *([] if story.typed else [target])]
    rows = Act.objects.filter(target__in=where, verb__startswith="result.").order_by("id")
    found = {(row.data.get("version", 0), row.verb): row.actor for row in rows}
    ids = {int(a.partition(":")[2]) for a in found.values() if a.startswith("player:")}
    names = {f"player:{one.pk}": one.name for one in Player.objects.filter(pk__in=ids)}
    return {at: names.get(actor, actor) for at, actor in found.items()}


def _notes(league: Competition, story: Story) -> Mapping[str, Note]:
    hashes = [bytes.fromhex(note) for one in story.versions if (note := one.row.body.get("note"))]
    rows = Note.objects.filter(competition=league, hash__in=hashes)
    return {bytes(row.hash).hex(): row for row in rows}
