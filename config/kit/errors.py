"""What services refuse. Each class has a `code` for machines; HTTP is none of its business.

`config/problems.py` maps every class to a status; a test finds classes that have no row there.
"""

from typing import ClassVar


class ServiceError(Exception):
    """Base of all refusals of services: a code, data for machines and a sentence for people.

    >>> raise ServiceError("Nothing of the kind.", club="kallio")
    Traceback (most recent call last):
    ...
    config.kit.errors.ServiceError: Nothing of the kind.
    """

    code: ClassVar[str] = "refused"

    def __init__(self, detail: str = "", **data: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.data = data


class NotFoundError(ServiceError):
    """There is no such thing, or none that this reader may know of."""

    code = "not_found"


class ForbiddenError(ServiceError):
    """The thing is there, but not for this actor to do."""

    code = "forbidden"


class InvalidError(ServiceError):
    """A value that a service can't accept; `field` names it."""

    code = "invalid"
