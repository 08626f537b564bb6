"""The ASGI application: streams to a raw handler, all else to Django in threads."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

wsgi = get_wsgi_application()

from config.dispatch import Dispatcher  # noqa: E402 - its problems know models, ready only now

# The two libraries type the same WSGI differently.
application = Dispatcher(WSGIMiddleware(wsgi, workers=16))  # type: ignore[arg-type]
