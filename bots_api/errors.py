"""What the services of bots refuse. Knows nothing of HTTP."""

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


class BotLimitError(ServiceError):
    """The owner has as many bots as one may have; `limit` says how many."""

    code = "bot_limit"


class BotStateError(ServiceError):
    """Not possible in the bot's state, which `state` tells."""

    code = "bot_state"


class CheckRunningError(ServiceError):
    """The bot is being checked already; `check` tells which one."""

    code = "check_running"


class CheckLimitError(ServiceError):
    """The owner has had as many checks in an hour as one may have; `limit` says how many."""

    code = "check_limit"


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


class SecretLostError(Exception):
    """A sealed secret that none of the site's keys opens: SECRET_KEY was changed."""
