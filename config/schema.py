"""The OpenAPI description: what every operation has in common beside what its view declares."""

from __future__ import annotations

from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema as SpectacularAutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from bots_api.protocol.calls import Sent, sent
from config.access import security
from league.api.examples import LEDGER_ROW

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Sent again with the same key and body, a request gets the same answer for 24 h.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The `ETag` of what you hold: 304 if it is still the same.",
)


class FieldErrorSerializer(serializers.Serializer[Any]):
    """One thing that is wrong with a request."""

    field = serializers.CharField(allow_null=True)
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """An error (RFC 9457). More members may follow, by `code`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    hint = serializers.CharField()
    request_id = serializers.CharField()
    errors = FieldErrorSerializer(many=True, required=False)  # type: ignore[assignment]
    legal = serializers.ListField(child=serializers.CharField(), required=False)
    rule = serializers.CharField(required=False)


class AutoSchema(SpectacularAutoSchema):
    """Adds to every operation its problem answers and the headers of safe repeats."""

    def get_override_parameters(self) -> list[Any]:
        """The headers that go with the method."""
        if self.method == "POST":
            return [IDEMPOTENCY_KEY]
        return [IF_NONE_MATCH] if self.method == "GET" else []

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """With what speaks for who may use it."""
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is not None:
            operation["security"] = security(operation["operationId"])
        return operation

    def _get_response_bodies(
        self, direction: Literal["request", "response"] = "response"
    ) -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        component = self.resolve_serializer(ProblemSerializer, direction)
        schema = component.ref if component else {}
        bodies["default"] = {
            "description": "What went wrong, told by `code`.",
            "content": {"application/problem+json": {"schema": schema}},
        }
        if self.method == "GET":
            bodies.setdefault("304", {"description": "You hold the newest already."})
        return bodies


def add_webhooks(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of the generator: what the service itself sends to bots, and to followers of a
    competition."""
    result["webhooks"] = {call.name: {call.method: _webhook(call)} for call in sent()}
    result["webhooks"]["ledger_row"] = {"post": _LEDGER_ROW}
    return result


def _webhook(call: Sent) -> dict[str, Any]:
    """One call as an operation of the bot's."""
    described = {
        "operationId": f"bot_{call.name}",
        "summary": call.summary,
        "description": f"To `{call.method.upper()} {{url}}{call.path}`. {call.when}{_SENT_TO_ALL}",
        "tags": ["bots"],
        "parameters": _SIGNED,
        "responses": {
            "200": {
                "description": "One JSON object of at most 16 KiB, not compressed.",
                "content": _json(call.reply, call.answer),
            }
        },
    }
    if call.message is None:
        return described
    body = {"required": True, "content": _json(call.message, call.example)}
    return {**described, "requestBody": body}


def _json(schema: dict[str, Any], example: object) -> dict[str, Any]:
    return {"application/json": {"schema": schema, "examples": {"example": {"value": example}}}}


_SENT_TO_ALL = (
    " Bots that connect out get the same message on their stream, and answer where its `reply_to` "
    "says."
)
_SIGNED = [
    {
        "name": name,
        "in": "header",
        "required": True,
        "description": description,
        "schema": {"type": "string"},
    }
    for name, description in (
        ("webhook-id", "The message's own id; the same when it is sent once more."),
        ("webhook-timestamp", "When it was signed, in seconds since 1970: refuse old calls."),
        ("webhook-signature", "`v1,` and the HMAC-SHA256 in base64, one for each live secret."),
    )
]


_LEDGER_ROW = {
    "operationId": "webhook_ledger_row",
    "summary": "Hear of a row of a competition's ledger",
    "description": (
        "To the `url` of a webhook of the competition, row by row in order. What is not answered "
        "with 2xx comes again with the same `webhook-id`, before any other row; after three days "
        "of that, or by 410 at once, the webhook is disabled. A test has the type `test`, no time, "
        "and of `data` the competition alone."
    ),
    "tags": ["webhooks"],
    "parameters": _SIGNED,
    "requestBody": {
        "required": True,
        "content": _json(
            {
                "type": "object",
                "required": ["type", "timestamp", "data"],
                "properties": {
                    "type": {"type": "string", "description": "The row's `event`, or `test`."},
                    "timestamp": {"type": ["string", "null"], "format": "date-time"},
                    "data": {"$ref": "#/components/schemas/LedgerRowShape"},
                },
            },
            {"type": LEDGER_ROW["event"], "timestamp": LEDGER_ROW["at"], "data": LEDGER_ROW},
        ),
    },
    "responses": {"2XX": {"description": "It is taken; what the answer says is not read."}},
}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description names `Authorization: Bearer`."""

    target_class = "games.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: SpectacularAutoSchema) -> dict[str, Any]:
        """A bearer token."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "hlp_... or hlb_..."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description names the session of a page."""

    target_class = "games.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: SpectacularAutoSchema) -> dict[str, Any]:
        """The session's cookie."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
