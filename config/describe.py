"""The service described to machines and authors: OpenAPI, Redoc, Swagger UI."""

from __future__ import annotations

from functools import cache
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer

from config.kit import etag
from config.kit.wire import dumps

# Both readers set styles from their scripts; nothing else on these pages may.
_STYLED = csp_update({"style-src": [SELF, UNSAFE_INLINE], "worker-src": [SELF, "blob:"]})


@require_safe
def openapi_json(request: HttpRequest) -> HttpResponse:
    """`/api/openapi.json`"""
    return etag.answer_bytes(request, dumps(schema()), "application/vnd.oai.openapi+json")


@require_safe
def openapi_yaml(request: HttpRequest) -> HttpResponse:
    """`/api/openapi.yaml`"""
    return etag.answer_bytes(request, _yaml(), "application/vnd.oai.openapi")


@require_safe
@_STYLED
def docs(request: HttpRequest) -> HttpResponse:
    """`/api/docs/`: Redoc."""
    return render(request, "describe/docs.html")


@require_safe
@_STYLED
def try_it(request: HttpRequest) -> HttpResponse:
    """`/api/try/`: Swagger UI."""
    return render(request, "describe/try.html")


@require_safe
def llms_txt(request: HttpRequest) -> HttpResponse:
    """`/llms.txt`: where a language model begins."""
    text = render_to_string("llms.txt", {"site": settings.PUBLIC_URL})
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI 3.1 document of all operations; made once in a process."""
    document: dict[str, Any] = SchemaGenerator().get_schema(  # type: ignore[no-untyped-call]
        request=None, public=True
    )
    return document


@cache
def _yaml() -> bytes:
    text: bytes = OpenApiYamlRenderer().render(  # type: ignore[no-untyped-call]
        schema(), renderer_context={}
    )
    return text
