"""What the services of bots refuse. Knows nothing of HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from config.kit.errors import ForbiddenError, InvalidError, NotFoundError, ServiceError


class BotNotFoundError(NotFoundError):
    """No bot of that id or name."""

    code = "bot_not_found"


class NotYourBotError(ForbiddenError):
    """Only its owner may see or change this of a bot."""

    code = "not_your_bot"


class NotAnOwnerError(ForbiddenError):
    """Bots belong to people: a bot owns none."""

    code = "not_an_owner"


class NameTakenError(ServiceError):
    """Another bot has this name, or one that looks like it."""

    code = "name_taken"


class BadUrlError(InvalidError):
    """A URL that the service does not call; the detail says why."""

    code = "bad_url"


class BadBotError(InvalidError):
    """A setting of a bot that makes no sense; `field` names it."""

    code = "bad_bot"


class QuotaError(ServiceError):
    """As much as one may have of something; `quota` names it, `ends_at` says until when.

    `ends_at` is null where no time but the owner ends it.
    """

    code = "quota"
    quota: ClassVar[str] = ""

    def __init__(self, detail: str, limit: int, ends_at: datetime | None = None) -> None:
        super().__init__(detail, quota=self.quota, limit=limit, ends_at=ends_at)
        self.ends_at = ends_at

    @property
    def wait(self) -> float | None:
        """Seconds until it ends, for `Retry-After`."""
        if self.ends_at is None:
            return None
        return max(0.0, (self.ends_at - datetime.now(UTC)).total_seconds())


class BotLimitError(QuotaError):
    """The owner has as many bots as one may have; `limit` says how many."""

    code = "bot_limit"
    quota = "bots_per_owner"


class BotStateError(ServiceError):
    """Not possible in the bot's state, which `state` tells."""

    code = "bot_state"


class CheckRunningError(ServiceError):
    """The bot is being checked already; `check` tells which one."""

    code = "check_running"


class CheckLimitError(QuotaError):
    """The owner has had as many checks in an hour as one may have; `limit` says how many."""

    code = "check_limit"
    quota = "checks_per_hour"


class OpenChecksError(QuotaError):
    """As many of the owner's bots are being checked as may be at once."""

    code = "open_checks"
    quota = "open_checks"


class SparringLimitError(QuotaError):
    """The owner has had as many sparring games in an hour as one may have."""

    code = "sparring_limit"
    quota = "sparring_games_per_hour"


class NotAcceptingError(ServiceError):
    """The bot does not play with this player now; `reason` is one of `accepts`' rules."""

    code = "bot_not_accepting"


class LastSecretError(ServiceError):
    """The only live secret: calls to the bot must be signed."""

    code = "last_secret"


class SecretNotFoundError(NotFoundError):
    """The bot has no live secret of that number."""

    code = "secret_not_found"


class TokenNotFoundError(NotFoundError):
    """The bot has no live token of that number."""

    code = "token_not_found"


class FaultNotFoundError(NotFoundError):
    """The bot has no fault of that number."""

    code = "fault_not_found"


class VersionNotFoundError(NotFoundError):
    """The bot has never announced that version."""

    code = "version_not_found"


class SparringNotFoundError(NotFoundError):
    """The bot has no sparring game of that number."""

    code = "sparring_not_found"


class CheckNotFoundError(NotFoundError):
    """The bot has no check of that number."""

    code = "check_not_found"


class MessageNotFoundError(NotFoundError):
    """No message of that request id was sent to this bot."""

    code = "message_not_found"


class TooLateError(ServiceError):
    """The message was answered before, or its time is up."""

    code = "too_late"


class WrongDoorError(InvalidError):
    """Turns are answered at the game, everything else at the bot's replies."""

    code = "wrong_door"


class BadReplyError(InvalidError):
    """A reply of the wrong shape; the detail says what is wrong."""

    code = "bad_reply"


class NotABotError(ForbiddenError):
    """Only a bot's own token may do this."""

    code = "not_a_bot"
