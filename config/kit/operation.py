"""The base of every API operation: strict query parameters, and receipts for safe repeats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.http import HttpResponse
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit import etag, rates, receipts
from config.kit.errors import ServiceError
from config.kit.paging import addresses, page
from config.kit.params import StrictSerializer, read_query

_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")


class Operation(APIView):
    """An address of the API. `query` names what a GET of it takes; other methods take nothing."""

    query: ClassVar[type[StrictSerializer] | None] = None
    params: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse other methods, then unknown parameters, before anything else is looked at."""
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:
            raise exceptions.MethodNotAllowed(str(request.method))
        reads = request.method in ("GET", "HEAD")
        self.params = read_query(request, self.query if reads else None)

    def perform_authentication(self, request: Request) -> None:
        """Count the request for whoever asks: for the address if that is nobody we know."""
        try:
            who: object = request.auth or request.user
        except (ServiceError, exceptions.APIException):
            rates.count(request._request, None)
            raise
        rates.count(request._request, who)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        """Tell what is left of the rate."""
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in rates.headers_of(request._request).items():
            answer[name] = value
        return answer

    def listed(
        self,
        request: Request,
        rows: QuerySet[Any],
        key: str,
        wires: Callable[[list[Any]], Sequence[object]],
    ) -> HttpResponse:
        """The page of `rows` that was asked for by `limit` and `cursor`, as `wires` writes them.

        The address of the next page has what else was asked; `key` as `paging.page` takes it."""
        asked: dict[str, Any] = {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in self.params.items()
            if name != "cursor" and value is not None
        }
        cursor, limit = self.params.get("cursor"), asked["limit"]
        found = page(rows, key, cursor, limit, addresses(request.path, asked))
        return etag.answer(request, {"results": wires(found.rows), "next": found.next})


def receipt_draft(request: Request, actor: str) -> receipts.Draft | None:
    """The receipt that this request asks for by `Idempotency-Key`. Raises `ValidationError`."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise exceptions.ValidationError({"Idempotency-Key": ["1 to 200 printable characters."]})
    body = json.dumps(request.data, sort_keys=True).encode()
    return receipts.Draft.of(actor, key, f"{request.method} {request.path}", body)
