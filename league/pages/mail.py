"""`/mail/<token>/`: no more letters of a kind, by the signed address in each of them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league import letters as written
from league.services import letters


# A mail program posts here by itself, without a form of ours (RFC 8058); the address is the proof.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mail(request: HttpRequest, token: str) -> HttpResponse:
    """A GET asks, since mail programs open addresses to look at them; a POST does it."""
    meant = written.meant(token)
    if meant is None:
        raise Http404
    player_id, event = meant
    done = request.method == "POST"
    if done:
        every = "all" in request.POST
        kinds = letters.Event.values if every else [*letters.declined(player_id), event]
        letters.choose(player_id, kinds)
    return render(request, "league/mail.html", {"event": event, "done": done})
