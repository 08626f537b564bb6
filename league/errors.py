"""What the services of the league refuse. Knows nothing of HTTP (config/problems.py does)."""

from config.kit.errors import ForbiddenError, InvalidError, NotFoundError, ServiceError


class ClubNotFoundError(NotFoundError):
    """No such club, or a private one seen from outside."""

    code = "club_not_found"


class CompetitionNotFoundError(NotFoundError):
    """No such competition, or one of a private club seen from outside."""

    code = "competition_not_found"


class PlayerNotFoundError(NotFoundError):
    """No such player."""

    code = "player_not_found"


class TableNotFoundError(NotFoundError):
    """The competition has no table of that number."""

    code = "table_not_found"


class NotOrganiserError(ForbiddenError):
    """Only owners and organisers of the club may do this."""

    code = "not_organiser"


class NotYourPlayerError(ForbiddenError):
    """A player enters himself and his own bots; organisers enter anybody."""

    code = "not_your_player"


class BadSettingError(InvalidError):
    """A setting of a competition or schedule that can't be; `field` names it."""

    code = "bad_setting"


class BadTimetableError(InvalidError):
    """A cron line or zone that has no slot."""

    code = "bad_timetable"


class ScheduleNotFoundError(NotFoundError):
    """No such schedule, or one of a private club seen from outside."""

    code = "schedule_not_found"


class SlugTakenError(ServiceError):
    """Another club has that address."""

    code = "slug_taken"


class EntriesClosedError(ServiceError):
    """The competition takes no entries any more."""

    code = "entries_closed"


class AlreadyEnteredError(ServiceError):
    """The player has an entry already."""

    code = "already_entered"


class NotEnteredError(ServiceError):
    """The player has no entry that could be withdrawn."""

    code = "not_entered"


class CheckinClosedError(ServiceError):
    """Nobody checks in now; `opens_at` says when, or `state` why not."""

    code = "checkin_closed"


class BotsOnlyError(ServiceError):
    """Only bots can enter this competition."""

    code = "bots_only"


class PeopleOnlyError(ServiceError):
    """Only people can enter this competition."""

    code = "people_only"


class OwnerLimitError(ServiceError):
    """The owner has entered as many bots as one may; `limit` says how many."""

    code = "owner_limit"


class PresetNotDeclaredError(ServiceError):
    """The bot has not declared that it plays the competition's preset."""

    code = "preset_not_declared"


class CheckRequiredError(ServiceError):
    """The bot has not passed the check, which comes before the first rated game."""

    code = "check_required"


class TooFewEntriesError(ServiceError):
    """A competition needs two entries at least."""

    code = "too_few_entries"


class BadDocumentError(InvalidError):
    """A competition's document that does not check; `parts` says where."""

    code = "bad_document"


class ExportNotFoundError(NotFoundError):
    """There is no export of that name; `known` lists those there are."""

    code = "export_not_found"


class BadWebhookError(InvalidError):
    """A webhook that can't be: `field` names its URL or its events."""

    code = "bad_webhook"


class WebhookLimitError(ServiceError):
    """The competition has as many webhooks as one may; `limit` says how many."""

    code = "webhook_limit"


class WebhookNotFoundError(NotFoundError):
    """The competition has no such webhook, or it no such delivery."""

    code = "webhook_not_found"


class NotOpenError(ServiceError):
    """The competition is over or was called off: it can't be started."""

    code = "not_open"


class NotRunningError(ServiceError):
    """The competition is not running, or is over; `state` says what it is."""

    code = "not_running"


class NoDealError(ServiceError):
    """There is no deal of that number that could be typed in, or nothing to correct."""

    code = "no_deal"


class NotAtTableError(ForbiddenError):
    """Only who sits at the table, or an organiser, enters its results."""

    code = "not_at_table"


class BadResultError(InvalidError):
    """No deal can have gone like that; `field` says where it was told."""

    code = "bad_result"


class SeatLeftOutError(InvalidError):
    """Here a table decides who goes on, so everybody there has a place; `missing` says who has
    none."""

    code = "seat_left_out"


class ResultVoidError(ServiceError):
    """The result is void: it can't be corrected, only brought back."""

    code = "result_void"


class ResultDecidesError(ServiceError):
    """The result has decided who goes on: it can be corrected, but not be void."""

    code = "result_decides"


class BadNoteError(InvalidError):
    """A note that is too short, too long or hides characters."""

    code = "bad_note"


class NoteNotFoundError(NotFoundError):
    """The competition has no such note."""

    code = "note_not_found"


class BadChipsError(InvalidError):
    """So many chips can't be given or taken."""

    code = "bad_chips"


class ChipsNotFoundError(NotFoundError):
    """The ledger has no chips by hand under that number."""

    code = "chips_not_found"


class RevokedError(ServiceError):
    """These chips were revoked already; `by` is the ledger row that did it."""

    code = "revoked"


class NotARehearsalError(ServiceError):
    """Only a rehearsal can be wiped."""

    code = "not_a_rehearsal"


class BadSubstituteError(ServiceError):
    """The player can't play for this entry; `why` is a code."""

    code = "bad_substitute"


class ResultChangedError(ServiceError):
    """Another result stands there than the one seen; both are told, with the version to name."""

    code = "result_changed"


class RoundBegunError(ServiceError):
    """The next round has begun: it can't be drawn anew."""

    code = "round_begun"


class NotOwnerError(ForbiddenError):
    """Only an owner makes and unmakes owners and organisers."""

    code = "not_owner"


class NotMemberError(NotFoundError):
    """The player is no member of the club."""

    code = "not_member"


class AlreadyMemberError(ServiceError):
    """The player is a member already; `role` says as what."""

    code = "already_member"


class LastOwnerError(ServiceError):
    """A club keeps one owner at least."""

    code = "last_owner"


class LinkNotFoundError(NotFoundError):
    """No such link of a club, or one that was ended."""

    code = "link_not_found"


class RecoveryNotFoundError(NotFoundError):
    """No club has this recovery code; each is used once."""

    code = "recovery_not_found"


class PlaceNotFoundError(NotFoundError):
    """No place has this code or number."""

    code = "place_not_found"


class NobodySitsError(ServiceError):
    """Nobody sits at this place now."""

    code = "nobody_sits"


class OtherDeviceError(ServiceError):
    """A device speaks for one seat of a table: another seat confirms from another device."""

    code = "other_device"


class NotReportedError(ServiceError):
    """There is no result that this player could take back."""

    code = "not_reported"


class BadClaimCodeError(InvalidError):
    """No such code to claim a guest, or one that was used or is too old."""

    code = "bad_claim_code"


class NotAGuestError(ServiceError):
    """Only a guest without an account can be claimed, merged or anonymised by a club."""

    code = "not_a_guest"


class SeatedTogetherError(ServiceError):
    """The two were seated in one deal, so they are two people; `deals` names where."""

    code = "seated_together"


class BothEnteredError(ServiceError):
    """Both have an entry in one competition; `competitions` names which."""

    code = "both_entered"


class MergeNotFoundError(NotFoundError):
    """The club has no such merge that could be undone."""

    code = "merge_not_found"


class MergedSinceError(ServiceError):
    """Something has happened since that can't be told apart any more."""

    code = "merged_since"


class TooManyNamesError(InvalidError):
    """More names than a club takes at once; `limit` says how many."""

    code = "too_many_names"


class SheetRefusedError(InvalidError):
    """A spreadsheet that can't be taken; `faults` names each cell and why. Nothing was entered."""

    code = "sheet_refused"


class SheetOutdatedError(ServiceError):
    """What a sheet would change was tried on an older ledger; `ledger_seq` is the one of now."""

    code = "sheet_outdated"
