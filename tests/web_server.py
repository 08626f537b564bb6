"""The whole web side on a real socket, in a thread of the test and on the test's database."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import uvicorn
from a2wsgi import WSGIMiddleware
from django.db import connection

from config.dispatch import Dispatcher


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Serve until the block ends; gives the address. No connection to the database is left."""
    # It sets Django's handler up, which wants the folders of the run to be there.
    from config.asgi import STREAMS, wsgi  # noqa: PLC0415

    before = connection.settings_dict["CONN_MAX_AGE"]
    connection.settings_dict["CONN_MAX_AGE"] = 0
    django_side = WSGIMiddleware(wsgi, workers=8)  # type: ignore[arg-type]
    application = Dispatcher(django_side, streams=STREAMS)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
        connection.settings_dict["CONN_MAX_AGE"] = before
