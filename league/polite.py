"""A text, or a page, without the vulgar name of the game: for clubs that want it so."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

_NAME: Final = re.compile(r"paskahousu", re.IGNORECASE)
# The word of letter leagues, whole or with hyphens: as long, since its length is the limit.
_WORD: Final = re.compile(r"\bP(-?)A\1S\1K\1A\b")
_POLITE_WORD: Final = "HÖPSÖ"
_MARK: Final = "says_it_politely"
# Tags, and what in a page is no text: scripts, styles and what somebody is typing.
_PARTS: Final = re.compile(r"(<(script|style|textarea)\b.*?</\2>|<[^>]*>)", re.DOTALL)


def text(said: str) -> str:
    """The same, said politely.

    >>> text("Aino is the Paskahousu: P-A-S-K-A"), text("PASKAHOUSU, paskahousun")
    ('Aino is the Hönö: H-Ö-P-S-Ö', 'HÖNÖ, hönön')
    """
    return _WORD.sub(lambda found: found[1].join(_POLITE_WORD), _NAME.sub(_name, said))


def told(document: dict[str, object]) -> dict[str, object]:
    """A document whose sentences are said politely."""
    sentences = document["sentences"]
    assert isinstance(sentences, list)
    said = [{**one, "text": text(one["text"])} for one in sentences]
    return {**document, "sentences": said}


def page(html: str) -> str:
    """A page whose texts are said politely; addresses and forms stay as they are.

    >>> page('<a href="/l/paskahousu/">Paskahousu</a>')
    '<a href="/l/paskahousu/">Hönö</a>'
    """
    kept = _PARTS.split(html)
    # `split` gives text, tag, name of the tag or None, text …
    return "".join(
        text(part) if at % 3 == 0 else part
        for at, part in enumerate(kept)
        if at % 3 != 2 and part is not None
    )


def _name(found: re.Match[str]) -> str:
    said = found[0]
    if said.isupper():
        return "HÖNÖ"
    return "Hönö" if said[0].isupper() else "hönö"


class PoliteMiddleware:
    """Says the pages politely that somebody has marked so (`mark`)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The page; what is no page stays as it is."""
        answer = self._get_response(request)
        html = answer.get("Content-Type", "").startswith("text/html")
        if html and getattr(request, _MARK, False) and isinstance(answer, HttpResponse):
            answer.content = page(answer.content.decode()).encode()
        return answer


def mark(request: HttpRequest, polite: bool) -> None:
    """The answer to this request is a page of a club that wants it so, or does not."""
    setattr(request, _MARK, polite)
