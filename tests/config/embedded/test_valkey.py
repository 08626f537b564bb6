"""Our own broker: by its socket alone, kept over a kill, replaced when unreadable."""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from config.embedded import valkey
from config.embedded.child import spawn, stop
from config.embedded.runtime import runtime_folder


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[valkey.Broker]:
    with runtime_folder(tmp_path) as runtime:
        yield valkey.broker(tmp_path, runtime, durable=True)


@contextlib.contextmanager
def running(broker: valkey.Broker) -> Iterator[subprocess.Popen[bytes]]:
    process = spawn(broker.command(), subprocess.DEVNULL)
    try:
        while not broker.answers() and process.poll() is None:
            time.sleep(0.01)
        yield process
    finally:
        stop(process, broker.command().stages)


def client(broker: valkey.Broker) -> contextlib.closing["redis.Redis"]:
    return contextlib.closing(redis.Redis(unix_socket_path=str(broker.socket)))


def test_what_waits_in_it_outlives_a_kill(broker: valkey.Broker) -> None:
    with running(broker) as process:
        with client(broker) as talking:
            talking.lpush("queue", "wake")
        process.kill()
    with running(broker), client(broker) as talking:
        assert talking.rpop("queue") == b"wake"


def test_it_listens_on_no_port(broker: valkey.Broker) -> None:
    with running(broker), client(broker) as talking:
        assert talking.config_get("port") == {"port": "0"}


def test_data_it_cannot_read_is_set_aside_and_it_starts_empty(broker: valkey.Broker) -> None:
    folder = broker.data / "appendonlydir"
    folder.mkdir()
    (folder / "appendonly.aof.manifest").write_text("file nonsense\n")
    with running(broker) as process:
        assert process.poll() is not None
    aside = broker.set_data_aside()
    assert (aside / "appendonlydir" / "appendonly.aof.manifest").exists()
    with running(broker):
        assert broker.answers()
