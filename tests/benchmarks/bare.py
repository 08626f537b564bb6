"""The floor of `manage.py bench bots`: a bare aiohttp loop that asks the same bots the same thing.

One message, signed once; nothing is checked or stored. `python -m tests.benchmarks.bare MESSAGE
SECRET SECONDS LOOPS URL...` says how many calls a second it made, and what each took.
"""

import asyncio
import json
import sys
import time
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import aiohttp
from standardwebhooks import Webhook

WARM_UP_S = 1.0


class Message(NamedTuple):
    body: bytes
    headers: dict[str, str]


class Rate(NamedTuple):
    """Calls a second, and what each took of the processor."""

    rate: float
    cpu_us: float


async def rate(message: Message, seconds: float, loops: int, urls: list[str]) -> Rate:
    """Of so many loops at once, each with one call after the other."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        to = [url for url, _ in zip(cycle(urls), range(loops), strict=False)]
        return await _rate(session, message, seconds, to)


async def _rate(
    session: aiohttp.ClientSession, message: Message, seconds: float, to: list[str]
) -> Rate:
    calls = 0
    ends = time.monotonic() + WARM_UP_S + seconds

    async def ask(url: str) -> None:
        nonlocal calls
        while time.monotonic() < ends:
            async with session.post(url, data=message.body, headers=message.headers) as answer:
                json.loads(await answer.read())
            calls += 1

    asking = [asyncio.create_task(ask(url)) for url in to]
    await asyncio.sleep(WARM_UP_S)
    before, began, cpu = calls, time.monotonic(), time.process_time()
    await asyncio.sleep(ends - time.monotonic())
    made, took = calls - before, time.monotonic() - began
    cpu = time.process_time() - cpu
    await asyncio.gather(*asking)
    return Rate(made / took, cpu / made * 1e6)


def signed(body: bytes, secret: str) -> Message:
    now = datetime.now(UTC)
    signature = Webhook(secret).sign("msg_bare", now, body.decode())
    stamp = str(int(now.timestamp()))
    return Message(
        body,
        {
            "webhook-id": "msg_bare",
            "webhook-timestamp": stamp,
            "webhook-signature": signature,
            "Content-Type": "application/json",
        },
    )


def main(path: str, secret: str, seconds: str, loops: str, *urls: str) -> None:
    message = signed(Path(path).read_bytes(), secret)
    found = asyncio.run(rate(message, float(seconds), int(loops), list(urls)))
    sys.stdout.write(json.dumps(found._asdict()) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
