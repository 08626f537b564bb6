"""What the services of games refuse, beside the engine's own refusals. Knows nothing of HTTP."""

from config.kit.errors import ForbiddenError, InvalidError, NotFoundError, ServiceError


class GameNotFoundError(NotFoundError):
    """No game of that id, or a private one seen by an outsider."""

    code = "game_not_found"


class NotYourSeatError(ForbiddenError):
    """The player has no seat in this game."""

    code = "not_your_seat"


class StaleMoveError(ServiceError):
    """The decision of that number was taken already, by another action."""

    code = "stale_move"


class EarlyMoveError(ServiceError):
    """The seat has not come to the decision of that number yet."""

    code = "early_move"


class GameOverError(ServiceError):
    """The game has ended; nothing more can be played."""

    code = "game_over"


class NotPlayingError(ServiceError):
    """The game has not been dealt yet, or it was called off."""

    code = "not_playing"


class NotFormingError(ServiceError):
    """Joining and leaving end when the cards are dealt."""

    code = "not_forming"


class GameFullError(ServiceError):
    """No seat is free, or not the one that was asked for."""

    code = "game_full"


class AlreadyReadyError(ServiceError):
    """The seat gave other entropy before; what was given stays."""

    code = "already_ready"


class NotInvitableError(InvalidError):
    """There is no such person to keep a seat for."""

    code = "not_invitable"


class NotResignableError(ServiceError):
    """A game of a competition, or a seat that is out, can't be given up."""

    code = "not_resignable"


class ResignedError(ServiceError):
    """Who has resigned plays no more: the stand-in does."""

    code = "resigned"


class NoRematchError(ServiceError):
    """A game that is not over, or not one of people."""

    code = "no_rematch"


class TableSeatError(ServiceError):
    """Who sits at a competition's table is the competition's to say."""

    code = "table_seat"


class BadHolidayError(InvalidError):
    """Days that can't be taken off: gone, backwards, far away, or taken already."""

    code = "bad_holiday"


class NoDaysLeftError(ServiceError):
    """More days off than there are in a year."""

    code = "no_days_left"


class HolidayNotFoundError(NotFoundError):
    """The player has no such holiday."""

    code = "holiday_not_found"


class HolidayOverError(ServiceError):
    """A holiday that is over can't be called off."""

    code = "holiday_over"


class UnknownPhraseError(InvalidError):
    """No phrase of that code."""

    code = "unknown_phrase"


class TooManyPhrasesError(ServiceError):
    """A seat speaks too often; `limit` says how often it may."""

    code = "too_many_phrases"

    @property
    def wait(self) -> int | None:
        """Seconds to wait, None if it is for good."""
        seconds = self.data.get("seconds")
        return seconds if isinstance(seconds, int) else None


class TooManyStreamsError(ServiceError):
    """One client holds too many streams open; `limit` says how many it may."""

    code = "too_many_streams"
    wait = 10


class BadSeatsError(InvalidError):
    """Seats that make no game: too few or too many, nobody to sit, an unknown bot."""

    code = "bad_seats"


class EntropyTooLongError(InvalidError):
    """More than 64 bytes of entropy."""

    code = "entropy_too_long"


class UnknownHouseRuleError(InvalidError):
    """No house rule of that name."""

    code = "unknown_house_rule"


class FirstNeedsPeopleError(InvalidError):
    """`challenge_mode: first` is for unrated games of people: speed decides there."""

    code = "first_needs_people"


class DeckInPlayError(ServiceError):
    """A game from this deck is still being played: no card of it may be shown."""

    code = "deck_in_play"


class BadTokenError(ServiceError):
    """A token that is unknown, expired, revoked or mistyped."""

    code = "bad_token"


class NoSuchTokenError(NotFoundError):
    """No live token of that number that is the asker's own."""

    code = "no_such_token"


class NotAPersonError(ForbiddenError):
    """Bots make no tokens for themselves."""

    code = "not_a_person"


class ScopeNotHeldError(ForbiddenError):
    """A token can't make one that may do more than itself."""

    code = "scope_not_held"


class TokenLimitError(ServiceError):
    """As many live tokens as one player may have."""

    code = "token_limit"


class BadTicketError(ServiceError):
    """A stream ticket that is unknown, used, older than a minute, or for another path."""

    code = "bad_ticket"


class BadTicketPathError(InvalidError):
    """A path that is no stream's."""

    code = "bad_ticket_path"


class EventsGoneError(ServiceError):
    """There is no event of that number to go on from, for this viewer."""

    code = "events_gone"


class UnknownRulesError(NotFoundError):
    """No rules card of that hash."""

    code = "unknown_rules"
