"""Webhooks from the ledger: in order, signed, again with the same id, disabled, replayed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now
from standardwebhooks import Webhook as Signed

from league import deliveries
from league.models import Competition, Delivery, LedgerRow, Membership, Webhook
from league.services import competitions, webhooks
from league.services.webhooks import Went
from league.tasks import call_webhooks, sweep
from tests.league import cast
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


class Receiver:
    """A server that keeps what it was sent, and answers as it is told to."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.got: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers.items()), body))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 204)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.got]

    @property
    def seqs(self) -> list[int]:
        return [json.loads(body)["data"]["ledger_seq"] for _, body in self.got]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.EGRESS_ALLOW = ["loopback"]
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


def _made(cup: Competition, url: str, *events: str) -> tuple[Webhook, str]:
    hook, secret = webhooks.create(cup.pk, url, events, "test")
    assert secret is not None
    return hook, secret


def _due_now() -> None:
    Webhook.objects.update(due_at=Now())


def test_every_row_is_told_once_in_order_signed_and_as_the_stream_has_it(
    receiver: Receiver,
) -> None:
    cup = cast.cup(cast.house_bots(6), {"table_size": 2})
    _, secret = _made(cup, receiver.url)
    competitions.start(cup.pk)
    cast.play_all()
    call_webhooks()
    cup.refresh_from_db()
    assert receiver.seqs == list(range(1, cup.ledger_seq + 1))
    headers, body = receiver.got[-1]
    told = Signed(secret).verify(body, {k.lower(): v for k, v in headers.items()})
    assert told["type"] == told["data"]["event"] == "competition.state"
    row = LedgerRow.objects.get(competition=cup, seq=cup.ledger_seq)
    assert told["data"]["hash"] == bytes(row.hash).hex()
    call_webhooks()
    assert len(receiver.got) == cup.ledger_seq


def test_a_row_that_was_not_taken_comes_again_with_its_id_before_any_other(
    receiver: Receiver,
) -> None:
    cup = cast.cup(cast.house_bots(3))
    hook, _ = _made(cup, receiver.url)
    receiver.statuses = [204, 500, 302]
    call_webhooks()
    assert receiver.seqs == [1, 2]
    call_webhooks()
    assert receiver.seqs == [1, 2]
    _due_now()
    call_webhooks()
    _due_now()
    call_webhooks()
    assert receiver.seqs == [1, 2, 2, 2, 3, 4]
    assert len(set(receiver.ids)) == 4
    log = hook.deliveries.order_by("pk").values_list("seq", "state", "status")
    assert list(log)[:4] == [
        (1, "delivered", 204),
        (2, "failed", 500),
        (2, "failed", 302),
        (2, "delivered", 204),
    ]


def test_only_the_chosen_events_are_told(receiver: Receiver) -> None:
    cup = cast.cup(cast.house_bots(6), {"table_size": 2})
    hook, _ = _made(cup, receiver.url, "round.drawn", "result.confirmed")
    competitions.start(cup.pk)
    cast.play_all()
    call_webhooks()
    kinds = {json.loads(body)["type"] for _, body in receiver.got}
    assert kinds == {"round.drawn", "result.confirmed"}
    hook.refresh_from_db()
    cup.refresh_from_db()
    assert hook.next_seq == cup.ledger_seq + 1
    assert not webhooks.due()


def test_410_disables_and_replay_enables(receiver: Receiver) -> None:
    cup = cast.cup(cast.house_bots(2))
    hook, _ = _made(cup, receiver.url)
    receiver.statuses = [204, 410]
    call_webhooks()
    hook.refresh_from_db()
    assert hook.disabled_for == "gone"
    _due_now()
    call_webhooks()
    assert receiver.seqs == [1, 2]
    webhooks.replay(cup.pk, hook.pk, 1, "test")
    call_webhooks()
    assert receiver.seqs == [1, 2, 1, 2, 3]
    assert len(set(receiver.ids)) == 3


def test_pauses_grow_and_after_three_days_it_is_disabled(receiver: Receiver) -> None:
    cup = cast.cup([])
    hook, _ = _made(cup, receiver.url)
    pauses = []
    for _ in range(10):
        webhooks.note(hook, 1, Went(503, "", 1))
        row = Webhook.objects.get(pk=hook.pk)
        pauses.append(round((row.due_at - row.failing_since).total_seconds()))  # type: ignore[operator]
    assert pauses == sorted(pauses) and pauses[0] == 5 and pauses[-1] == 6 * 3600
    Webhook.objects.update(failing_since=F("failing_since") - timedelta(days=3))
    webhooks.note(hook, 1, Went(None, "timeout", 1))
    assert Webhook.objects.get(pk=hook.pk).disabled_for == "unreachable"


def test_a_dead_receiver_holds_up_nobody(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = cast.cup(cast.house_bots(5))
    _made(cup, "http://127.0.0.1:1025/dead")
    _made(cup, receiver.url)
    call_webhooks()
    assert receiver.seqs == [1, 2, 3, 4, 5, 6]
    dead = Webhook.objects.get(url__endswith="dead")
    assert (dead.next_seq, dead.failures) == (1, 1)
    assert dead.deliveries.get().fault == "connect"


def test_two_workers_at_once_tell_everything_once(receiver: Receiver) -> None:
    cup = cast.cup(cast.house_bots(8))
    _made(cup, receiver.url)
    cast.at_once(lambda: deliveries.deliver(webhooks.claim()), 3)
    assert receiver.seqs == list(range(1, 10))


def test_over_the_api_with_the_secret_shown_once(receiver: Receiver) -> None:
    oskari, me = _api("Oskari")
    stranger, _ = _api("Outi")
    cup = cast.cup(cast.house_bots(2))
    Membership.objects.create(club_id=cup.club_id, player=me, role="organiser")
    path = f"competitions/{cup.pk}/webhooks"
    body = {"url": receiver.url, "events": ["entry.added"]}
    assert stranger.post(path, body).json()["code"] == "not_organiser"
    key = {"Idempotency-Key": "once"}
    made = oskari.post(path, body, **key)
    assert made.status_code == 201 and made.json()["secret"].startswith("whsec_")
    again = oskari.post(path, body, **key).json()
    assert (again["id"], again["secret"]) == (made.json()["id"], None)
    assert "secret" not in oskari.get(path).json()["results"][0]
    one = f"{path}/{made.json()['id']}"
    assert oskari.post(f"{one}/test", {}).status_code == 201
    call_webhooks()
    assert json.loads(receiver.got[0][1])["type"] == "test"
    log = oskari.get(f"{one}/deliveries").json()["results"]
    assert [row["ledger_seq"] for row in log] == [3, 2, None]
    assert log[0]["message_id"] == receiver.ids[-1]
    assert oskari.post(f"{one}/deliveries/{log[1]['id']}/resend", {}).status_code == 201
    call_webhooks()
    assert receiver.ids[-1] == log[1]["message_id"]
    assert oskari.post(f"{one}/replay", {"from_seq": 3}).json()["next_seq"] == 3
    assert oskari.delete(one).status_code == 204
    assert oskari.get(one).json()["code"] == "webhook_not_found"


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "https://localhost/", "ftp://example.org/", "x", "https://[::1]/"]
)
def test_urls_that_are_out_of_bounds_are_refused(url: str) -> None:
    oskari, me = _api("Oskari")
    cup = cast.cup([])
    Membership.objects.create(club_id=cup.club_id, player=me, role="owner")
    answer = oskari.post(f"competitions/{cup.pk}/webhooks", {"url": url})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_webhook")


def test_the_sweep_forgets_calls_of_a_month_ago_and_keeps_younger_ones(receiver: Receiver) -> None:
    hook, _ = _made(cast.cup(cast.house_bots(2)), receiver.url)
    old, young = (Delivery.objects.create(webhook=hook, state="delivered") for _ in range(2))
    Delivery.objects.filter(pk=old.pk).update(at=Now() - timedelta(days=31))
    sweep()
    assert list(Delivery.objects.filter(pk__in=[old.pk, young.pk])) == [young]
