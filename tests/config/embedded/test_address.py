"""The address of `make up`: a port in use, a free one, a wrong one."""

import socket
from collections.abc import Iterator

import pytest

from config.embedded import address
from config.embedded.errors import EmbeddedError


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.delenv("PORT", raising=False)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_chosen_port_in_use_is_refused_and_another_proposed(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", str(taken))
    with pytest.raises(EmbeddedError, match=rf"Port {taken} on 127.0.0.1 is in use.*PORT=8765"):
        address.listen()


def test_without_a_chosen_port_the_next_free_one_is_taken(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "USUAL_PORT", taken)
    with address.listen() as listener:
        port = listener.getsockname()[1]
        assert taken < port < taken + address.TRIED_PORTS
        assert address.url(listener) == f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "8000.0"])
def test_a_port_that_is_no_port_is_refused(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", port)
    with pytest.raises(EmbeddedError, match="not a port number"):
        address.listen()


def test_an_address_of_another_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "192.0.2.1")
    with pytest.raises(EmbeddedError, match=r"Can't listen on 192\.0\.2\.1"):
        address.listen()


def test_a_request_waits_in_the_queue_until_somebody_answers(taken: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        probe = address.Probe(listener)
        assert not probe.answered()
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")
        while not probe.answered():
            pass
