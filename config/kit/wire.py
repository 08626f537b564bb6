"""JSON on the wire, in and out: one strict parser, one compact renderer, whatever `Accept` says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any, ClassVar, Final

from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from config.kit.strict import StrictJSONError, loads

LONGEST_BODY: Final = 256 * 1024
# Of a whole competition, where one is imported.
LONGEST_DOCUMENT: Final = 8 * 1024 * 1024


class BodyTooLargeError(exceptions.APIException):
    """More than any operation here can need."""

    status_code = 413
    default_code = "body_too_large"
    default_detail = "The body is too long."


class StrictJSONParser(BaseParser):
    """Reads UTF-8 JSON that no two parsers read differently."""

    media_type = "application/json"
    longest: ClassVar = LONGEST_BODY

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body as JSON. Raises `ParseError`, `BodyTooLargeError`, `UnsupportedMediaType`."""
        charset = dict(_parameters(media_type or "")).get("charset", "utf-8")
        if charset not in ("utf-8", "utf8"):
            raise exceptions.UnsupportedMediaType(media_type or "")
        body = stream.read(self.longest + 1)
        if len(body) > self.longest:
            raise BodyTooLargeError(f"A body has at most {self.longest} bytes.")
        try:
            return loads(body)
        except StrictJSONError as error:
            raise exceptions.ParseError(f"The body is no plain JSON: {error}.") from None


class JSONRenderer(BaseRenderer):
    """Writes compact UTF-8 JSON."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The bytes of `data`; nothing for None."""
        return b"" if data is None else dumps(data)


class AlwaysJSON(BaseContentNegotiation):
    """JSON is all there is, so `Accept` can't be wrong."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The parser of the content type, None if there is none (415)."""
        sent = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first renderer."""
        first = next(iter(renderers))
        return first, first.media_type or ""


def dumps(data: object) -> bytes:
    """JSON as it leaves the process."""
    text = json.dumps(
        data, cls=JSONEncoder, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    return text.encode()


def _parameters(media_type: str) -> list[tuple[str, str]]:
    parts = [part.partition("=") for part in media_type.lower().split(";")[1:]]
    return [(name.strip(), value.strip().strip('"')) for name, _, value in parts]
