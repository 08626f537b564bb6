"""Outgoing calls against servers that do what they like: a value comes back, in time."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import time
from collections.abc import Sequence

import pytest

from config.kit.egress.addresses import Allowance, allowance
from config.kit.egress.client import Budget, Egress, Outgoing
from config.kit.egress.guard import AddressError, Guard, Lookup, Trust
from config.kit.egress.results import Call, EgressFault, FaultKind
from tests.certificates import trust_in
from tests.raw_server import Script, answer, read_request, repeating, saying, serving

LOOPBACK = allowance(["loopback"])
QUICK = Budget(total_s=0.5, answer_s=0.4)
CALM = Budget(total_s=10, answer_s=10)
GET = Outgoing("GET")
POST = Outgoing("POST", {"Content-Type": "application/json"}, b'{"type": "turn"}')


def names(*answers: str) -> Lookup:
    """A name server that gives one of `answers` after the other, then the last for ever."""
    left = list(answers)

    async def lookup(host: str) -> Sequence[str]:
        return (left.pop(0) if len(left) > 1 else left[0]).split()

    return lookup


def trust() -> ssl.SSLContext:
    return trust_in(Trust(ssl.PROTOCOL_TLS_CLIENT))


def asked(
    script: Script, outgoing: Outgoing = POST, budget: Budget = CALM, *, tls: bool = False
) -> Call | EgressFault:
    """What a call to a server with this script comes to; by name when it speaks TLS."""

    async def ask() -> Call | EgressFault:
        egress = Egress(LOOPBACK, lookup=names("127.0.0.1"), trust=trust())
        async with serving(script, tls) as port:
            url = f"https://bots.example.org:{port}/" if tls else f"http://127.0.0.1:{port}/move"
            result = await egress.call(url, outgoing, budget)
            await egress.close()
            return result

    return asyncio.run(ask())


def fault(script: Script, budget: Budget = CALM, *, tls: bool = False) -> EgressFault:
    result = asked(script, POST, budget, tls=tls)
    assert isinstance(result, EgressFault), result
    return result


def call(script: Script, *, tls: bool = False) -> Call:
    result = asked(script, POST, tls=tls)
    assert isinstance(result, Call), result
    return result


def test_an_answer_comes_back_with_its_timings() -> None:
    result = call(saying(0.05, answer(b'{"action": "U"}', "200 OK", "X-A: 1", "x-a: 2")))
    assert (result.status, result.body) == (200, b'{"action": "U"}')
    assert result.headers["x-a"] == "1"
    timings = result.timings
    assert timings.first_byte_ms is not None and timings.first_byte_ms >= 50
    assert timings.last_byte_ms is not None and timings.last_byte_ms >= timings.first_byte_ms
    assert timings.connect_ms is not None and timings.tls_ms is None
    assert timings.written_at is not None and timings.total_ms >= timings.last_byte_ms


@pytest.mark.parametrize("status", ["204 No Content", "302 Found", "418 Teapot", "503 Busy"])
def test_any_status_is_an_answer_and_no_redirect_is_followed(status: str) -> None:
    script = saying(answer(b"", status, "Location: http://127.0.0.1:1/"))
    assert call(script).status == int(status[:3])


def test_headers_before_the_answer_are_passed_over() -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    assert call(saying(hints * 5, answer())).status == 200


def test_packed_bytes_stay_packed() -> None:
    bomb = gzip.compress(b"0" * 10_000_000)
    result = call(saying(answer(bomb[:9000], "200 OK", "Content-Encoding: gzip")))
    assert result.body == bomb[:9000]


def test_the_request_keeps_host_and_path_and_carries_nothing_of_its_own() -> None:
    seen: dict[str, str] = {}

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, headers, _ = await read_request(reader)
        seen.update(headers, line=line, sni=str(writer.get_extra_info("ssl_object") is not None))
        writer.write(answer(b"{}", "200 OK", "Set-Cookie: a=b"))

    result = call(script, tls=True)
    assert seen["host"].startswith("bots.example.org:")
    assert (seen["line"], seen["accept-encoding"]) == ("POST / HTTP/1.1", "identity")
    assert result.timings.tls_ms is not None and result.timings.dns_ms is not None
    assert "cookie" not in seen


def test_a_slow_drip_ends_at_the_deadline() -> None:
    began = time.monotonic()
    result = fault(repeating(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", b" ", 0.02), QUICK)
    assert (result.kind, result.late, result.status) == (FaultKind.TIMEOUT, True, 200)
    assert result.body.startswith(b"  ")
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "begin", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Le", b"HTTP"]
)
def test_a_stall_before_or_in_the_headers_is_a_timeout(begin: bytes) -> None:
    result = fault(saying(begin, 5.0), QUICK)
    assert (result.kind, result.late) == (FaultKind.TIMEOUT, True)


def test_early_hints_for_ever_are_a_timeout() -> None:
    result = fault(repeating(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.001), QUICK)
    assert result.kind is FaultKind.TIMEOUT


def test_a_huge_body_is_cut_off_while_it_is_read() -> None:
    result = fault(saying(answer(b"0" * 10_000_000)))
    assert (result.kind, result.status) == (FaultKind.TOO_LARGE, 200)
    assert len(result.body) < 200_000


def test_endless_chunks_are_cut_off() -> None:
    first = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert fault(repeating(first, b"3e8\r\n" + b"0" * 1000 + b"\r\n")).kind is FaultKind.TOO_LARGE


@pytest.mark.parametrize("line", [b"X: " + b"y" * 20_000, b"X: y\r\n" * 3000])
def test_endless_headers_are_cut_off(line: bytes) -> None:
    result = fault(saying(b"HTTP/1.1 200 OK\r\n" + line, 5.0))
    assert result.kind is FaultKind.TOO_LARGE


def test_headers_over_8_kib_together_are_too_large() -> None:
    lines = [f"X-{n}: {'y' * 200}" for n in range(60)]
    assert fault(saying(answer(b"{}", "200 OK", *lines))).kind is FaultKind.TOO_LARGE


@pytest.mark.parametrize(
    "nonsense",
    [
        b"<html>hello</html>\n\n",
        b"\x00\x01\x02\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nBad Header\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    ],
)
def test_what_is_not_http_is_malformed(nonsense: bytes) -> None:
    assert fault(saying(nonsense)).kind is FaultKind.MALFORMED


@pytest.mark.parametrize(
    "part",
    [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"],
)
def test_an_answer_that_breaks_off_is_a_lost_connection(part: bytes) -> None:
    assert fault(saying(part)).kind is FaultKind.CONNECT


def test_nobody_listening_is_no_connection() -> None:
    async def ask() -> Call | EgressFault:
        async with serving(saying()) as port:
            pass
        egress = Egress(LOOPBACK)
        result = await egress.call(f"http://127.0.0.1:{port}/", GET, CALM)
        await egress.close()
        return result

    result = asyncio.run(ask())
    assert isinstance(result, EgressFault) and result.kind is FaultKind.CONNECT


def test_a_name_that_does_not_resolve_is_no_connection() -> None:
    async def lookup(host: str) -> Sequence[str]:
        raise OSError("no such name")

    result = reached("https://bots.example.org/", lookup)
    assert result.kind is FaultKind.CONNECT


def test_a_name_server_that_stalls_ends_at_the_deadline() -> None:
    async def lookup(host: str) -> Sequence[str]:
        await asyncio.sleep(10)
        return []

    result = reached("https://bots.example.org/", lookup)
    assert (result.kind, result.late) == (FaultKind.CONNECT, True)


def test_a_plain_server_where_tls_is_due_is_a_tls_fault() -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    assert tls_fault(script, trust()).kind is FaultKind.TLS


def test_a_stall_in_the_handshake_is_a_tls_fault_at_the_deadline() -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(5)

    result = tls_fault(script, trust())
    assert (result.kind, result.late) == (FaultKind.TLS, True)


def test_a_handshake_that_breaks_off_is_a_tls_fault() -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)

    assert tls_fault(script, trust()).kind is FaultKind.TLS


def test_a_certificate_of_an_unknown_authority_is_a_tls_fault() -> None:
    assert tls_fault(saying(answer()), Trust(ssl.PROTOCOL_TLS_CLIENT), tls=True).kind is (
        FaultKind.TLS
    )


def test_a_certificate_for_another_name_is_a_tls_fault() -> None:
    result = tls_fault(saying(answer()), trust(), tls=True, host="robo.example.org")
    assert result.kind is FaultKind.TLS


def tls_fault(
    script: Script,
    trusted: ssl.SSLContext,
    *,
    tls: bool = False,
    host: str = "bots.example.org",
) -> EgressFault:
    async def ask() -> Call | EgressFault:
        egress = Egress(LOOPBACK, lookup=names("127.0.0.1"), trust=trusted)
        async with serving(script, tls) as port:
            result = await egress.call(f"https://{host}:{port}/", GET, QUICK)
            await egress.close()
            return result

    result = asyncio.run(ask())
    assert isinstance(result, EgressFault)
    return result


def reached(url: str, lookup: Lookup, allowed: Allowance = LOOPBACK) -> EgressFault:
    async def ask() -> Call | EgressFault:
        egress = Egress(allowed, lookup=lookup)
        result = await egress.call(url, GET, QUICK)
        await egress.close()
        return result

    result = asyncio.run(ask())
    assert isinstance(result, EgressFault)
    return result


@pytest.mark.parametrize(
    "addresses",
    [
        "127.0.0.1",
        "8.8.8.8 127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "fd00:ec2::254",
        "fe80::1%lo",
    ],
)
def test_a_name_that_leads_inside_is_refused(addresses: str) -> None:
    result = reached("https://bots.example.org/", names(addresses), Allowance())
    assert result.kind is FaultKind.REFUSED
    assert result.timings.connect_ms is None


def test_plain_http_goes_to_allowed_addresses_only() -> None:
    result = reached("http://bots.example.org:8001/", names("8.8.8.8"))
    assert result.kind is FaultKind.REFUSED


def test_a_name_that_is_rebound_reaches_no_private_listener() -> None:
    """The name is good for the first connection and leads to 127.0.0.1 for all after it."""
    reached_by: list[bytes] = []

    async def private(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached_by.append(await reader.read(100))

    async def ask() -> list[Call | EgressFault]:
        good = saying(answer(b"{}", "200 OK", "Connection: close"))
        lookup = names("127.0.0.2", "127.0.0.1")
        egress = Egress(allowance(["127.0.0.2/32"]), lookup=lookup)
        async with serving(private) as port, serving(good, host="127.0.0.2", port=port):
            url = f"http://bots.example.org:{port}/"
            results = [await egress.call(url, GET, QUICK) for _ in range(3)]
            await egress.close()
            return results

    first, *rest = asyncio.run(ask())
    assert isinstance(first, Call)
    assert all(isinstance(one, EgressFault) and one.kind is FaultKind.REFUSED for one in rest)
    assert reached_by == []


def test_a_resolver_that_lies_to_the_first_check_is_caught_where_the_socket_is_made() -> None:
    with pytest.raises(AddressError):
        Guard(Allowance(), plain=False).open_socket((2, 1, 6, "", ("127.0.0.1", 443)))


def test_a_bad_url_is_refused_without_a_call() -> None:
    result = reached("https://0x7f000001/", names("8.8.8.8"))
    assert (result.kind, result.timings.total_ms) == (FaultKind.REFUSED, 0)


def test_connections_are_kept_and_given_up_at_their_age() -> None:
    connections: list[int] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        while True:
            await read_request(reader)
            writer.write(answer())

    async def ask() -> list[int]:
        egress = Egress(LOOPBACK)
        counts = []
        async with serving(script) as port:
            for age in (200.0, 200.0, 0.0):
                url = f"http://127.0.0.1:{port}/"
                result = await egress.call(url, POST, CALM)
                assert isinstance(result, Call), result
                counts.append(len(connections))
                egress._connectors["http"].max_age_s = age
            egress._connectors["http"].max_age_s = 0.0
            await egress.close()
        return counts

    assert asyncio.run(ask())[:2] == [1, 1]


@pytest.mark.parametrize(("outgoing", "answered"), [(GET, True), (POST, False)])
def test_only_what_changes_nothing_goes_out_again_where_a_kept_connection_was_hung_up(
    outgoing: Outgoing, answered: bool
) -> None:
    connections: list[int] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        await read_request(reader)
        writer.write(answer())
        if len(connections) == 1:
            # Hang up on the second request, without a word.
            await read_request(reader)

    async def ask() -> Call | EgressFault:
        egress = Egress(LOOPBACK)
        async with serving(script) as port:
            url = f"http://127.0.0.1:{port}/"
            assert isinstance(await egress.call(url, POST, CALM), Call)
            result = await egress.call(url, outgoing, CALM)
            await egress.close()
            return result

    result = asyncio.run(ask())
    assert isinstance(result, Call) == answered
    assert len(connections) == (2 if answered else 1)


@pytest.mark.parametrize("value", ["a\r\nX-Evil: b", "a\nb", "a\0b"])
def test_a_header_is_one_line(value: str) -> None:
    result = asked(saying(answer()), Outgoing("POST", {"X-A": value}, b"{}"))
    assert isinstance(result, EgressFault)


def test_a_call_that_waits_for_a_slot_is_in_the_queue_and_loses_no_time() -> None:
    async def ask() -> list[Call | EgressFault]:
        egress = Egress(LOOPBACK, calls_per_origin=1)
        async with serving(saying(0.3, answer())) as port:
            url = f"http://127.0.0.1:{port}/"
            results = await asyncio.gather(*(egress.call(url, POST, QUICK) for _ in range(3)))
            await egress.close()
            return list(results)

    results = asyncio.run(ask())
    assert all(isinstance(one, Call) for one in results)
    assert results[2].timings.queue_ms >= 550


def test_the_answers_clock_starts_when_the_request_is_written() -> None:
    async def slow(host: str) -> Sequence[str]:
        await asyncio.sleep(0.3)
        return ["127.0.0.1"]

    async def ask() -> Call | EgressFault:
        egress = Egress(LOOPBACK, lookup=slow)
        async with serving(saying(0.3, answer())) as port:
            url = f"http://bots.example.org:{port}/"
            result = await egress.call(url, POST, Budget(total_s=2, answer_s=0.5))
            await egress.close()
            return result

    result = asyncio.run(ask())
    assert isinstance(result, Call)
    assert result.timings.dns_ms is not None and result.timings.dns_ms >= 300
