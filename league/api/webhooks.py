"""Webhooks of a competition over the API: for its organisers alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import StrictSerializer, read_body
from games.api.examples import asks, gets
from games.api.shapes import Shape
from games.authentication import actor_of
from league.api.authority import organiser
from league.api.examples import listed
from league.api.shapes.asking import BIGGEST_ID, NothingRequest, PageQuery
from league.models import Delivery, LedgerRow, Webhook
from league.services import webhooks

URL = "https://example.org/housu"
WEBHOOK = {
    "id": 3,
    "competition": 7,
    "url": URL,
    "events": ["result.confirmed", "competition.state"],
    "next_seq": 14,
    "failures": 0,
    "disabled_for": None,
    "created_at": "2026-11-29T17:00:00Z",
}
DELIVERY = {
    "id": 41,
    "message_id": "msg_7_3_13",
    "ledger_seq": 13,
    "state": "delivered",
    "status": 204,
    "fault": None,
    "took_ms": 38,
    "at": "2026-11-29T17:00:03Z",
}


class NewWebhookRequest(StrictSerializer):
    """Where to, and which events; without any all of them."""

    url = s.CharField(max_length=500)
    events = s.ListField(child=s.CharField(max_length=20), default=list, max_length=40)


class ReplayRequest(StrictSerializer):
    """The first row to tell again."""

    from_seq = s.IntegerField(min_value=1, max_value=BIGGEST_ID)


class WebhookShape(Shape):
    """A webhook; `next_seq` is the row that it is to have next."""

    id = s.IntegerField()
    competition = s.IntegerField()
    url = s.CharField()
    events = s.ListField(child=s.ChoiceField(LedgerRow.Kind.choices))
    next_seq = s.IntegerField()
    failures = s.IntegerField()
    disabled_for = s.ChoiceField(Webhook.Reason.choices, allow_null=True)
    created_at = s.DateTimeField()


class NewWebhookShape(WebhookShape):
    """A webhook just made; `secret` is null where the request is answered again."""

    secret = s.CharField(allow_null=True)


class WebhooksShape(Shape):
    """A page of webhooks."""

    results = WebhookShape(many=True)
    next = s.CharField(allow_null=True)


class DeliveryShape(Shape):
    """A call as it went; `message_id` is the `webhook-id` that it bore."""

    id = s.IntegerField()
    message_id = s.CharField()
    ledger_seq = s.IntegerField(allow_null=True)
    state = s.ChoiceField(Delivery.State.choices)
    status = s.IntegerField(allow_null=True)
    fault = s.CharField(allow_null=True)
    took_ms = s.IntegerField(allow_null=True)
    at = s.DateTimeField()


class DeliveriesShape(Shape):
    """A page of calls."""

    results = DeliveryShape(many=True)
    next = s.CharField(allow_null=True)


class Webhooks(Operation):
    """`/competitions/{id}/webhooks`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_webhooks",
        summary="List the webhooks of a competition",
        tags=["webhooks"],
        parameters=[PageQuery],
        responses=WebhooksShape,
        examples=[gets(listed(WEBHOOK))],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """The oldest first; never with a secret."""
        organiser(request, competition_id)
        rows = Webhook.objects.filter(competition=competition_id)
        return self.listed(request, rows, "id", lambda page: [_webhook(row) for row in page])

    @extend_schema(
        operation_id="create_webhook",
        summary="Have a competition's ledger told to a URL",
        description=(
            "Each row is posted as `{type, timestamp, data}`, `data` as the stream has it, signed "
            "by Standard Webhooks, in order: a row that was not answered with 2xx is sent again "
            "with the same `webhook-id` before any other, after pauses of 5 s to 6 h. After 3 days "
            "of that, or by 410 at once, the webhook is disabled; `replay` enables it. The secret "
            "is shown once."
        ),
        tags=["webhooks"],
        request=NewWebhookRequest,
        responses={201: NewWebhookShape},
        examples=[
            asks({"url": URL, "events": WEBHOOK["events"]}),
            gets({**WEBHOOK, "secret": "whsec_…"}),
        ],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Make it."""
        organiser(request, competition_id)
        body = read_body(request, NewWebhookRequest)
        actor = actor_of(request)
        draft = receipt_draft(request, actor)
        made, secret = webhooks.create(competition_id, body["url"], body["events"], actor, draft)
        return Response({**_webhook(made), "secret": secret}, status=status.HTTP_201_CREATED)


class OneWebhook(Operation):
    """`/competitions/{id}/webhooks/{webhook_id}`"""

    @extend_schema(
        operation_id="get_webhook",
        summary="Look at a webhook",
        tags=["webhooks"],
        responses=WebhookShape,
        examples=[gets(WEBHOOK)],
    )
    def get(self, request: Request, competition_id: int, webhook_id: int) -> HttpResponse:
        """How far it is, and whether it fails."""
        organiser(request, competition_id)
        return etag.answer(request, _webhook(webhooks.get(competition_id, webhook_id)))

    @extend_schema(
        operation_id="delete_webhook",
        summary="Delete a webhook with its log",
        tags=["webhooks"],
        responses={204: None},
    )
    def delete(self, request: Request, competition_id: int, webhook_id: int) -> Response:
        """Delete it."""
        organiser(request, competition_id)
        webhooks.remove(competition_id, webhook_id, actor_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Replay(Operation):
    """`/competitions/{id}/webhooks/{webhook_id}/replay`"""

    @extend_schema(
        operation_id="replay_webhook",
        summary="Tell a webhook the ledger from a row on again",
        description="With the `webhook-id`s of the first time; enables a disabled webhook.",
        tags=["webhooks"],
        request=ReplayRequest,
        responses=WebhookShape,
        examples=[asks({"from_seq": 1}), gets({**WEBHOOK, "next_seq": 1})],
    )
    def post(self, request: Request, competition_id: int, webhook_id: int) -> Response:
        """Go back, or on."""
        organiser(request, competition_id)
        seq = read_body(request, ReplayRequest)["from_seq"]
        hook = webhooks.replay(competition_id, webhook_id, seq, actor_of(request))
        return Response(_webhook(hook))


class Test(Operation):
    """`/competitions/{id}/webhooks/{webhook_id}/test`"""

    @extend_schema(
        operation_id="test_webhook",
        summary="Send a webhook a test",
        description="One call of type `test`, not repeated; its delivery tells how it went.",
        tags=["webhooks"],
        request=NothingRequest,
        responses={201: DeliveryShape},
        examples=[asks({}), gets({**DELIVERY, "state": "queued", "ledger_seq": None})],
    )
    def post(self, request: Request, competition_id: int, webhook_id: int) -> Response:
        """Queue it."""
        organiser(request, competition_id)
        read_body(request, NothingRequest)
        made = webhooks.send_again(competition_id, webhook_id, None)
        return Response(_delivery(made), status=status.HTTP_201_CREATED)


class Deliveries(Operation):
    """`/competitions/{id}/webhooks/{webhook_id}/deliveries`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_deliveries",
        summary="List the calls of a webhook",
        description="The newest first, of the last 30 days.",
        tags=["webhooks"],
        parameters=[PageQuery],
        responses=DeliveriesShape,
        examples=[gets(listed(DELIVERY))],
    )
    def get(self, request: Request, competition_id: int, webhook_id: int) -> HttpResponse:
        """Each with its status or its fault."""
        organiser(request, competition_id)
        rows = webhooks.get(competition_id, webhook_id).deliveries.select_related("webhook")
        return self.listed(request, rows, "-id", lambda page: [_delivery(row) for row in page])


class Resend(Operation):
    """`/competitions/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/resend`"""

    @extend_schema(
        operation_id="resend_delivery",
        summary="Send a delivery again",
        description="Once, with the same `webhook-id`.",
        tags=["webhooks"],
        request=NothingRequest,
        responses={201: DeliveryShape},
        examples=[asks({}), gets({**DELIVERY, "state": "queued"})],
    )
    def post(
        self, request: Request, competition_id: int, webhook_id: int, delivery_id: int
    ) -> Response:
        """Queue it."""
        organiser(request, competition_id)
        read_body(request, NothingRequest)
        made = webhooks.send_again(competition_id, webhook_id, delivery_id)
        return Response(_delivery(made), status=status.HTTP_201_CREATED)


def _webhook(row: Webhook) -> dict[str, Any]:
    columns = ("url", "events", "next_seq", "failures", "created_at")
    told = {name: getattr(row, name) for name in columns}
    reason = row.disabled_for or None
    return {"id": row.pk, "competition": row.competition_id, **told, "disabled_for": reason}


def _delivery(row: Delivery) -> dict[str, Any]:
    return {
        "id": row.pk,
        "message_id": webhooks.message_id(row.webhook, row.seq, row),
        "ledger_seq": row.seq,
        "state": row.state,
        "status": row.status,
        "fault": row.fault or None,
        "took_ms": row.took_ms,
        "at": row.at,
    }
