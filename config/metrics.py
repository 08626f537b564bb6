"""`/metrics` for Prometheus, of this web process; for who stands beside it or has the token.

What is counted of requests, statements and migrations is django-prometheus'.
"""

from __future__ import annotations

from ipaddress import ip_address
from secrets import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django_prometheus.exports import ExportToDjangoView


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures; for others there is no such page."""
    if not (_has_token(request) or _is_beside(request)):
        raise Http404
    response: HttpResponse = ExportToDjangoView(request)
    return response


def _has_token(request: HttpRequest) -> bool:
    held = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token = settings.METRICS_TOKEN
    return bool(token) and compare_digest(held.encode(), token.encode())


def _is_beside(request: HttpRequest) -> bool:
    """Asked from this machine, and not for somebody else by a proxy on it."""
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
