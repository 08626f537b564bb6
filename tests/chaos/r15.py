"""R15: of many wrong passwords at once exactly the limit is looked at."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import urlencode
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User

from tests.benchmarks.plain_http import Connection
from tests.chaos import Proof

GOAL = "exactly the limit is tried, for a name that is there and for one that is not"
PATH = "/account/log-in/"


def prove(port: int, tries: int = 200) -> Proof:
    """So many for one name, then for another that nobody has, each from its own address."""
    limit, _ = settings.TRIES["log_in"]
    known = f"aino{uuid4().hex[:8]}"
    User.objects.create_user(known, password=uuid4().hex)
    names = {"known": known, "unknown": f"nobody{uuid4().hex[:8]}"}
    found = {kind: _all_at_once(port, name, tries) for kind, name in names.items()}
    told = "; ".join(
        f"{kind} name: {said['tried']} of {tries} tried, {said['refused']} refused"
        for kind, said in found.items()
    )
    right = Counter(tried=limit, refused=tries - limit)
    return Proof(told, GOAL, all(said == right for said in found.values()))


def _all_at_once(port: int, name: str, tries: int) -> Counter[str]:
    data, barrier = _request(name), Barrier(tries)

    def one(_: int) -> str:
        with Connection(port) as own:
            barrier.wait()
            answer = own.ask(data)
        if answer.status != 200:
            return f"status {answer.status}"
        return "refused" if b"Too many tries" in answer.body else "tried"

    with ThreadPoolExecutor(tries) as pool:
        return Counter(pool.map(one, range(tries)))


def _request(name: str) -> bytes:
    """The log-in form filled in, for one address: uvicorn believes a proxy on this machine."""
    secret = uuid4().hex
    sent = {"csrfmiddlewaretoken": secret, "login": name, "password": "wrong"}
    body = urlencode(sent).encode()
    lines = [
        f"POST {PATH} HTTP/1.1",
        "Host: localhost",
        f"Cookie: csrftoken={secret}",
        f"X-Forwarded-For: 198.51.100.{len(name)}",
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body
