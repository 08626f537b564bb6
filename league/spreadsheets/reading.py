"""Bytes of a CSV or XLSX file to lines of cells, within limits, whoever has written them.

Nothing is carried out: a formula is a cell with text. What is too big is refused before it is read.
"""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final

import openpyxl

from league.spreadsheets.cells import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    Cell,
    Line,
    SheetError,
    Value,
)

MOST_BYTES: Final = 2 * 1024 * 1024
# Of an XLSX when unpacked: some thousands of rows have less than a tenth of it.
MOST_UNPACKED: Final = 12 * 1024 * 1024
MOST_PARTS: Final = 200
# How often the parts may be bigger than the file; sheets of numbers come to 20.
MOST_RATIO: Final = 150
_OLE: Final = b"\xd0\xcf\x11\xe0"
_DELIMITERS: Final = ";\t,"


def lines(data: bytes) -> list[Line]:
    """The lines of the first sheet that have something in them. Raises `SheetError`."""
    if not data:
        raise SheetError("empty", "The file is empty.")
    if len(data) > MOST_BYTES:
        raise SheetError("too_big", f"A file has at most {MOST_BYTES} bytes.")
    if data.startswith(_OLE):
        raise SheetError("encrypted", "It has a password, or is an old .xls: save it as .xlsx.")
    read = _book(data) if data.startswith(b"PK") else _text(data)
    found = list(_filled(read))
    if not found:
        raise SheetError("empty", "There is nothing in it.")
    return found


def _filled(rows: Iterable[Sequence[Value]]) -> Iterator[Line]:
    for number, row in enumerate(rows, start=1):
        if number > MOST_ROWS:
            raise SheetError("too_many_rows", f"At most {MOST_ROWS} rows.", f"A{number}")
        cells = {at: _cell(number, at, value) for at, value in enumerate(row, 1) if _says(value)}
        if len(row) > MOST_COLUMNS and max(cells, default=0) > MOST_COLUMNS:
            beyond = cells[max(cells)].at
            raise SheetError("too_many_columns", f"At most {MOST_COLUMNS} columns.", beyond)
        if cells:
            yield Line(number, cells)


def _says(value: Value) -> bool:
    return value is not None and (not isinstance(value, str) or bool(value.strip()))


def _cell(row: int, column: int, value: Value) -> Cell:
    assert value is not None
    cell = Cell(row, column, value.strip() if isinstance(value, str) else value)
    if isinstance(cell.value, str) and len(cell.value) > LONGEST_CELL:
        raise SheetError("too_long", f"A cell has at most {LONGEST_CELL} characters.", cell.at)
    return cell


def _text(data: bytes) -> Iterator[list[str]]:
    text = _decoded(data)
    if "\0" in text:
        raise SheetError("not_a_sheet", "This is neither text nor an .xlsx file.")
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    reader = csv.reader(io.StringIO(plain, newline=""), delimiter=_delimiter(plain))
    try:
        for row in reader:
            yield row[: MOST_COLUMNS + 1]
            # An empty line is a line; a cell that goes over some lines would hide them.
            if reader.line_num > MOST_ROWS + 1:
                raise SheetError("too_many_rows", f"At most {MOST_ROWS} rows.", f"A{MOST_ROWS + 1}")
    except csv.Error as error:
        raise SheetError("not_a_sheet", f"Not CSV: {error}.", f"A{reader.line_num}") from None


def _decoded(data: bytes) -> str:
    """UTF-8, with or without a mark; UTF-16 with one; else as old spreadsheets of Europe write."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        codes = ["utf-16"]
    else:
        codes = ["utf-8-sig", "cp1252", "latin-1"]
    for code in codes:
        try:
            return data.decode(code)
        except UnicodeDecodeError:
            continue
    raise SheetError("not_a_sheet", "This is neither text nor an .xlsx file.")


def _delimiter(text: str) -> str:
    """What stands most often in the first lines; decimal commas stand beside semicolons."""
    head = "\n".join(text.split("\n", 20)[:20])
    counts = {one: head.count(one) for one in _DELIMITERS}
    return next((one for one in ";\t" if counts[one]), ",")


def _book(data: bytes) -> Iterator[Sequence[Value]]:
    _weigh(data)
    try:
        with warnings.catch_warnings():
            # Of styles and extensions that it does not know: nothing here needs them.
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
            sheet = next((one for one in book.worksheets if one.sheet_state == "visible"), None)
            if sheet is None:
                raise SheetError("empty", "There is no sheet in it.")
            rows = sheet.iter_rows(max_col=MOST_COLUMNS + 1, max_row=MOST_ROWS + 1)
            for row in rows:
                yield [_value(cell) for cell in row]
    except SheetError:
        raise
    except Exception as error:
        # Its parser raises whatever it stumbles over: the file is not what it says it is.
        raise SheetError("corrupt", "The .xlsx file is broken.") from error


def _weigh(data: bytes) -> None:
    """Refuse what grows when it is unpacked. What parts say of their size is held by `zipfile`."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise SheetError("corrupt", "The .xlsx file is broken.") from error
    if any(part.flag_bits & 1 for part in parts):
        raise SheetError("encrypted", "It has a password: save it without.")
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > MOST_PARTS or unpacked > min(MOST_UNPACKED, MOST_RATIO * len(data) + 2**20):
        raise SheetError("too_big", "It would be too big when unpacked.")
    if not any(part.filename == "[Content_Types].xml" for part in parts):
        raise SheetError("not_a_sheet", "This archive is no .xlsx file.")


def _value(cell: Any) -> Value:
    """A cell's value; a number is whole where it is, a date is a day."""
    value = cell.value
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else str(value)
    if isinstance(value, datetime):
        return value.date()
    if value is None or isinstance(value, str | int | date):
        return value
    return str(value)
