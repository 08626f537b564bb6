"""The shapes in which the league leaves the process: API, pages and dashboards share them."""

from datetime import datetime
from typing import Any, TypedDict


class PlayerWire(TypedDict):
    """A player as everybody may see him."""

    id: int
    name: str
    kind: str


class RulesWire(TypedDict):
    """A rule set by its nearest preset."""

    preset: str
    options: dict[str, Any]
    hash: str


class ClubWire(TypedDict):
    """A club."""

    slug: str
    name: str
    private: bool
    zone: str
    polite: bool
    created_at: datetime


class MemberWire(TypedDict):
    """A member of a club. `looks_like`: players there whose name could be taken for this one."""

    player: PlayerWire
    role: str
    nickname: str
    since: datetime
    looks_like: list[int]


class LinkWire(TypedDict):
    """A link of a club: the role that it opens with, and when it last was."""

    role: str
    created_at: datetime
    opened_at: datetime | None


class CompetitionWire(TypedDict):
    """A competition. `secret` is shown when it is over; its SHA-256 is `commitment`."""

    id: int
    slug: str
    name: str
    club: str
    kind: str
    format: str
    state: str
    rules: RulesWire
    settings: dict[str, Any]
    move_ms: int
    bank_ms: int
    reproducible: bool
    rehearsal: bool
    commitment: str
    secret: str | None
    starts_at: datetime | None
    zone: str
    checkin_opens_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    ledger_seq: int


class EntryWire(TypedDict):
    """An entry; `seed` once drawn, `place` once it is out or has won."""

    number: int
    player: PlayerWire
    state: str
    seed: int | None
    place: int | None
    version: str | None
    substitute: PlayerWire | None
    checked_in_at: datetime | None


class SeatWire(TypedDict):
    """An entry at a table and who plays it there; its place when done, and whether it goes on."""

    entry: int
    player: PlayerWire
    place: int | None
    through: bool | None


class TableWire(TypedDict):
    """A table of a round. A bye has one seat and no deals. `game` is the live one, if any."""

    round: int
    number: int
    kind: str
    state: str
    quarantined: bool
    deals_planned: int
    deals_done: int
    advance: int
    seats: list[SeatWire]
    game: str | None
    ply: int | None


class RoundWire(TypedDict):
    """A round with its tables; `draw` says what could not be avoided."""

    number: int
    state: str
    draw: dict[str, Any]
    created_at: datetime
    closed_at: datetime | None
    tables: list[TableWire]


class ReasonWire(TypedDict):
    """Why a row is above another one: the deciding step and its two values."""

    code: str
    above: PlayerWire
    values: tuple[str, str]
    text: str


class StandingWire(TypedDict):
    """A row of the standings."""

    rank: int
    entry: int
    player: PlayerWire
    state: str
    place: int | None
    chips: int
    losses: int
    deals: int
    loss_ratio: str | None
    explanation: list[ReasonWire]


class TallyWire(TypedDict):
    """What the ledger says of a player. `fair_losses`, `percentiles` in units of 1/2520."""

    entry: int
    player: PlayerWire
    chips: int
    losses: int
    deals: int
    first_places: int
    fair_losses: int
    percentiles: int
    eliminated_at: datetime | None
    eliminated_seq: int | None


class DealWire(TypedDict):
    """A deal of a table: entry numbers by seat, places as groups, and where its game is."""

    number: int
    redeal: int
    seats: list[int]
    dealer: int
    state: str
    ending: str | None
    places: list[list[int]] | None
    counts: bool
    game: str


class SubstitutedWire(TypedDict, total=False):
    """The body of `entry.substituted`: from now on `player` has the entry instead of `leaver`.

    With a `round` somebody plays from that round on, and `chips` says whose they are (`leaver`,
    `substitute`); `note` is a note's hash. Without one nobody else sat down: the entry is another
    player's, by `reason` (`merged`, `unmerged`). Older rows of merges have `was` alone, which is
    the `leaver`.
    """

    entry: int
    player: int
    leaver: int
    round: int
    chips: str
    note: str
    was: int
    reason: str


class LedgerWire(TypedDict):
    """A row of the ledger, as stream, webhook and export carry it."""

    id: int
    ledger_seq: int
    event: str
    version: int
    competition: int
    round: int | None
    table: int | None
    deal: int | None
    entry: int | None
    at: datetime
    body: dict[str, Any]
    hash: str


class ProgressWire(TypedDict):
    """How far a competition is; planned counts include rounds that are not drawn yet."""

    rounds: int
    rounds_planned: int
    games_done: int
    games_planned: int
    games_a_minute: float | None
    ends_at: datetime | None
    still_in: int
    entries: int


class FaultsWire(TypedDict):
    """Faults of a player's bot in this competition."""

    player: PlayerWire
    faults: int
    stand_ins: int


class ScheduleWire(TypedDict):
    """A schedule and its next slot."""

    id: int
    club: str
    name: str
    enabled: bool
    cron: str
    zone: str
    missing: str
    doubled: str
    missed: str
    template: dict[str, Any]
    next_at: datetime | None


class VersionWire(TypedDict):
    """One of two versions of a deal, and the chips that whom it concerns would have."""

    places: list[list[int]]
    chips: dict[str, int]


class DisputeWire(TypedDict):
    """A deal of which two seats say different things."""

    round: int
    table: int
    deal: int
    version: int
    versions: list[VersionWire]
    text: str


class DashboardWire(TypedDict):
    """All of a competition in one document, of its rounds the newest."""

    competition: CompetitionWire
    progress: ProgressWire
    rounds: list[RoundWire]
    standings: list[StandingWire]
    tallies: list[TallyWire]
    live: list[TableWire]
    faults: list[FaultsWire]
    disputes: list[DisputeWire]
    next_slot: ScheduleWire | None
    winner: PlayerWire | None
    ledger_seq: int


class NoteWire(TypedDict):
    """Prose to the row of the ledger whose `note` is `hash`; null once it is erased."""

    id: int
    hash: str
    text: str | None
    salt: str | None
    author: PlayerWire | None
    about: PlayerWire | None
    created_at: datetime
    erased_at: datetime | None


class ActWire(TypedDict):
    """A line of the act log."""

    id: int
    at: datetime
    actor: str
    verb: str
    target: str
    about: dict[str, Any]


class DealResultWire(TypedDict):
    """A typed deal as it stands; only `confirmed` counts."""

    round: int
    table: int
    deal: int
    version: int
    state: str
    places: list[list[int]]
    contested: list[list[int]] | None
    forfeits: list[int]
    confirms_at: datetime | None
