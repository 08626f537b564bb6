"""The ASGI application: streams to a raw handler, all else to Django in threads."""

import os
import re

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.env import refuse_without_secret

refuse_without_secret(settings.SECRET_KEY)

wsgi = get_wsgi_application()

from bots_api import stream as bots  # noqa: E402 - these know models, ready only now
from config.dispatch import Dispatcher  # noqa: E402
from config.kit.streaming import Route  # noqa: E402
from games import stream as games  # noqa: E402
from league import stream as league  # noqa: E402

STREAMS = [
    Route(re.compile(r"/api/v1/bot/stream"), bots.stream),
    Route(re.compile(r"/api/v1/bot/turns"), bots.turns),
    Route(games.PATH, games.stream, accept=games.MEDIA_TYPE),
    Route(league.PATH, league.stream, accept=league.MEDIA_TYPE),
]
# The two libraries type the same WSGI differently.
django_side = WSGIMiddleware(wsgi, workers=16)  # type: ignore[arg-type]
application = Dispatcher(django_side, streams=STREAMS)
