"""Spreadsheets as clubs have them, none made by our export."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from openpyxl import Workbook

XML = b'<?xml version="1.0"?>'


def book(rows: Sequence[Sequence[Any]], merged: Sequence[str] = ()) -> bytes:
    """An XLSX file of one sheet."""
    made = Workbook()
    page = made.active
    for row in rows:
        page.append(list(row))
    for area in merged:
        page.merge_cells(area)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def bomb() -> bytes:
    """An XLSX whose sheet unpacks to 200 MB."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", XML)
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * 200_000_000)
    return out.getvalue()


def without_seats() -> bytes:
    """A ZIP that is no spreadsheet."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("hello.txt", b"hello")
    return out.getvalue()


def day(text: str) -> datetime:
    return datetime.fromisoformat(text)
