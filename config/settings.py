"""Django's settings, all from `config.env`. Owns which parts are plugged in where."""

from __future__ import annotations

import sys

from config import env as _env
from config import logs as _logs

ENV = _env.read()
BASE_DIR = _env.BASE_DIR

DEBUG = ENV.debug
SECRET_KEY = ENV.secret_key
ALLOWED_HOSTS = ENV.allowed_hosts
PUBLIC_URL = ENV.public_url
STATE_DIR = ENV.state_dir

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "django_prometheus",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "drf_standardized_errors",
    "config.kit",
    "games",
    "league",
    "bots_api",
    "config",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "config.kit.request_id.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "league.polite.PoliteMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.asgi.wsgi"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    }
]

# Services open their own durable transactions, which Django refuses inside ATOMIC_REQUESTS.
DATABASES = {"default": {**ENV.database, "ATOMIC_REQUESTS": False, "CONN_MAX_AGE": 60}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("fi", "suomi"),
    ("sv", "svenska"),
    ("es", "español"),
    ("nl", "Nederlands"),
    ("ja", "日本語"),
]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = STATE_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

CONTENT_SECURITY_POLICY = {
    # Answers to programs, which no browser shows as a page.
    "EXCLUDE_URL_PREFIXES": ["/api/v1/"],
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
}
# Accounts (config/accounts): allauth's pages under our templates. Mail is never needed.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_ADAPTER = "config.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "config.accounts.forms.SignupForm",
    "change_password": "config.accounts.forms.ChangePasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# Counted by our own throttle: allauth's reads its count and then writes it.
ACCOUNT_RATE_LIMITS = False
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "account"
LOGOUT_REDIRECT_URL = "/"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PUBLIC_URL.startswith("https://")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# At most so many tries in so many seconds (config/kit/throttle.py).
TRIES = {
    "log_in": (10, 300),
    "log_in_name": (100, 3600),
    "log_in_address": (100, 300),
    "own_password": (10, 300),
    "sign_up": (30, 3600),
}

# Any page may read public data; never with credentials.
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"]
CORS_ALLOW_HEADERS = [
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
]
CORS_EXPOSE_HEADERS = [
    "ETag",
    "Link",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Deprecation",
    "Sunset",
    "X-Request-ID",
]

CSRF_FAILURE_VIEW = "config.problems.csrf_failure"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.authentication.TokenAuthentication",
        "games.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["config.kit.wire.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.kit.wire.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "config.schema.AutoSchema",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.kit.wire.AlwaysJSON",
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "config.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Housuliiga",
    "DESCRIPTION": "Leagues, tournaments and games of Paskahousu, for people and for bots.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "REDOC_DIST": "SIDECAR",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.schema.add_webhooks",
    ],
    # Fields of one name with different values: without these the names would hold hashes.
    "ENUM_NAME_OVERRIDES": {
        "DeliveryState": "league.models.Delivery.State",
        "WebhookReason": "league.models.Webhook.Reason",
        "LedgerEvent": "league.models.LedgerRow.Kind",
        "PlayerKind": "games.models.Player.Kind",
        "GameState": "games.models.Game.State",
        "CompetitionFormat": "league.models.Format",
        "CompetitionKind": "league.models.Competition.Kind",
        "CompetitionState": "league.models.Competition.State",
        "LinkRole": "league.models.ClubLink.Role",
        "MemberRole": "league.models.Membership.Role",
        "DealResultState": "league.models.DealResult.State",
        "ResultReason": "league.api.shapes.asking.RESULT_REASONS",
        "DealChange": "league.formats.reasons.CHANGES",
        "ChipReason": "league.api.shapes.asking.CHIP_REASONS",
        "EntryState": "league.models.Entry.State",
        "RoundState": "league.models.Round.State",
        "TableKind": "league.models.Table.Kind",
        "TableState": "league.models.Table.State",
        "BotState": "bots_api.models.Bot.State",
        "FaultKind": "bots_api.models.Fault.Kind",
        "CheckState": "bots_api.models.CheckReport.State",
    },
}

CELERY_BROKER_URL = ENV.broker_url
# A hostile or dead broker must cost a request seconds at the most, so nothing here retries.
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Celery never closes a connection: config/celery.py does it as requests do.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "config.sweep", "schedule": 2.0, "options": {"expires": 10}}
}

# Lower layers reach higher ones by dotted path only (docs/architecture.md).
SEAT_AGENTS = {"house": "games.agents.HouseAgent", "bot": "bots_api.agents.BotAgent"}
# Who holds what a bot hands in for a question that was put to it.
SEAT_ANSWERS = {"bot": "bots_api.services.answers.hand_in"}
# Which machines may enter a competition, as which version, and which are not asked.
ENTRANTS = {"bot": "bots_api.services.entrants"}
# Whether somebody may have a machine of another owner at his table.
SEAT_INVITES = {"bot": "bots_api.services.accepting.invite"}
GAME_LISTENERS = ["league.tasks.game_over", "bots_api.tasks.game_over"]
# Where the pack of a game between house bots comes from, and who may see it.
HOUSE_DECKS = "league.queries.decks.of_record"
# Whose games no list may show to a player.
HIDDEN_COMPETITIONS = "league.queries.visible.hidden"
# What the sweep calls, in this order; each returns how many rows it found overdue.
SWEEPERS = ["games.tasks.sweep", "league.tasks.sweep", "bots_api.tasks.sweep"]
# What one connection of each process listens to (config/kit/hub.py).
NOTIFY_CHANNELS = ["games", "bots", "competitions"]

# How many requests in so many seconds, in each web process: of an address without a token, of a
# player's token or session, of a bot's token. RATE_FACTOR multiplies them; 0 counts nothing.
RATE_LIMITS = {
    name: (max(1, round(quota * ENV.rate_factor)), seconds)
    for name, (quota, seconds) in {
        "address": (3000, 60),
        "token": (6000, 60),
        "bot": (30_000, 60),
    }.items()
    if ENV.rate_factor > 0
}
RATE_KEYS = "games.authentication.rate_key"
# How many streams of games a player, or an address that names none, may hold open in a process.
STREAMS_OPEN = {
    kind: max(1, round(most * ENV.rate_factor))
    for kind, most in {"player": 20, "address": 200}.items()
    if ENV.rate_factor > 0
}

# Who may read /metrics from elsewhere; from this machine nobody needs it.
METRICS_TOKEN = ENV.metrics_token

# Networks outside the public internet that outgoing calls may reach, e.g. "loopback".
EGRESS_ALLOW = ENV.egress_allow

# Mail goes where EMAIL_URL says; without one nothing is mailed.
globals().update(ENV.email)
DEFAULT_FROM_EMAIL = ENV.email_from

LOGGING = _logs.configured(ENV.log_format)
