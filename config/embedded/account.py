"""Who runs the database server. Owns the one rule that PostgreSQL never runs as root."""

import os
import pwd
from typing import NamedTuple

from config.embedded.errors import EmbeddedError


class Account(NamedTuple):
    """A user and group to become before a program starts."""

    uid: int
    gid: int


def server_account() -> Account | None:
    """Return the account for PostgreSQL: `nobody` when we are root, else None (as we are).

    Raises `EmbeddedError` when root has no `nobody` to become.
    """
    if os.geteuid() != 0:
        return None
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedError(
            "PostgreSQL refuses to run as root and this machine has no user 'nobody'. "
            "Run as an ordinary user, or point DATABASE_URL at a PostgreSQL of your own."
        ) from None
    return Account(nobody.pw_uid, nobody.pw_gid)
