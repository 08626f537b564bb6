"""Codes for phones: an address as an SVG that stands in the page."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def svg(address: str, title: str) -> SafeString:
    """The QR code of an address, black on white, four modules of rim, told as `title`."""
    code = segno.make(address, micro=False, error="m")
    drawn = code.svg_inline(border=4, omitsize=True, title=title, light="#fff", lineclass="")
    return mark_safe(drawn)  # noqa: S308 - segno escapes the title, the rest is numbers
