"""What the environment may set, read once and typed. Owns names and defaults, knows no Django."""

from pathlib import Path
from typing import Any, NamedTuple

import environ

NO_SECRET = "not-a-secret-only-for-checks"  # noqa: S105 - nothing is kept by it
"""Enough for commands that show or check something; nothing that serves starts with it."""
BASE_DIR = Path(__file__).resolve().parent.parent


class Env(NamedTuple):
    """The whole of what a deployment can choose from outside."""

    debug: bool
    secret_key: str
    allowed_hosts: list[str]
    state_dir: Path
    database: dict[str, Any]
    broker_url: str
    egress_allow: list[str]
    public_url: str
    log_format: str
    email: dict[str, Any]
    email_from: str
    rate_factor: float
    metrics_token: str


def read() -> Env:
    """Read the environment; raises `ImproperlyConfigured` naming what is missing."""
    env = environ.Env()
    return Env(
        debug=env.bool("DEBUG", default=False),
        secret_key=env.str("SECRET_KEY", default="") or NO_SECRET,
        allowed_hosts=env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"]),
        state_dir=Path(env.str("STATE_DIR", default=str(BASE_DIR / "var"))),
        database=_database(env),
        broker_url=env.str("CELERY_BROKER_URL", default="memory://"),
        egress_allow=env.list("EGRESS_ALLOW", default=[]),
        public_url=env.str("PUBLIC_URL", default="http://127.0.0.1:8000").rstrip("/"),
        log_format=env.str("LOG_FORMAT", default="console"),
        email=env.email_url("EMAIL_URL", default="dummymail://"),
        email_from=env.str("EMAIL_FROM", default="housuliiga@localhost"),
        rate_factor=env.float("RATE_FACTOR", default=1.0),
        metrics_token=env.str("METRICS_TOKEN", default=""),
    )


def refuse_without_secret(secret_key: str) -> None:
    """Raise `ImproperlyConfigured` where a process that serves was given no `SECRET_KEY`."""
    if secret_key == NO_SECRET:
        raise environ.ImproperlyConfigured(
            "SECRET_KEY is not set: web and worker don't start without one. "
            "`make up` makes its own; elsewhere set a long random text, the same for all."
        )


def _database(env: environ.Env) -> dict[str, Any]:
    database: dict[str, Any] = env.db_url("DATABASE_URL", default="postgres:///housuliiga")
    # django-environ puts the query of the URL into OPTIONS: merge, never overwrite, or a socket
    # directory given as ?host= is lost.
    database["OPTIONS"] = {"connect_timeout": 5, **database.get("OPTIONS", {})}
    database["CONN_HEALTH_CHECKS"] = True
    return database
