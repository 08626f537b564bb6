"""Files of all kinds: read to the same cells, or refused quickly with what is wrong with them."""

import time
from datetime import date
from typing import Any

import pytest

from league.spreadsheets import reading
from league.spreadsheets.cells import Line, SheetError
from tests.league.spreadsheets import files

PLAIN = "Nimi,Ilta 1,Ilta 2\nÄijä,1,0\nBertil,2,1\n"


def values(found: list[Line]) -> list[list[object]]:
    return [[cell.value for cell in line.cells.values()] for line in found]


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", "\t").encode("utf-16"),
        PLAIN.replace("\n", "\r\n").encode("latin-1"),
        PLAIN.replace("\n", "\r").encode("cp1252"),
        PLAIN.replace("\n", "\n\n").encode(),
    ],
)
def test_the_same_cells_however_it_was_saved(data: bytes) -> None:
    found = values(reading.lines(data))
    assert found == [["Nimi", "Ilta 1", "Ilta 2"], ["Äijä", "1", "0"], ["Bertil", "2", "1"]]


def test_a_book_has_numbers_days_and_formulas_as_text() -> None:
    rows: list[list[Any]] = [
        ["Nimi", files.day("2026-09-07")],
        ["Aino", 1.0],
        [None, None],
        ["Bo", "=SUM(B2)"],
    ]
    found = reading.lines(files.book(rows))
    assert values(found) == [["Nimi", date(2026, 9, 7)], ["Aino", 1], ["Bo", "=SUM(B2)"]]
    assert [line.number for line in found] == [1, 2, 4]


@pytest.mark.parametrize(
    ("data", "code", "cell"),
    [
        (b"", "empty", ""),
        (b"\n\n ,\n", "empty", ""),
        (b"Nimi\0,1\n", "not_a_sheet", ""),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not_a_sheet", ""),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted", ""),
        (b"PK\x03\x04 broken", "corrupt", ""),
        (files.book([["a"]])[:-300], "corrupt", ""),
        (files.without_seats(), "not_a_sheet", ""),
        (files.bomb(), "too_big", ""),
        (b"a," * 3_000_000, "too_big", ""),
        (b"a\n" * 1_000_000, "too_many_rows", "A5001"),
        (b"\n" * 1_000_000, "too_many_rows", "A5001"),
        (b"a," * 1000, "too_many_columns", "CW1"),
        (b"x" * 300, "too_long", "A1"),
        (b'"' + b"a\n" * 200_000, "not_a_sheet", None),
    ],
    ids=range(15),
)
def test_what_is_no_sheet_of_results_is_refused_quickly(
    data: bytes, code: str, cell: str | None
) -> None:
    began = time.process_time()
    with pytest.raises(SheetError) as refused:
        reading.lines(data)
    assert time.process_time() - began < 3
    assert refused.value.fault.code == code
    if cell is not None:
        assert refused.value.fault.cell == cell


def test_a_book_of_a_million_rows_is_refused() -> None:
    made = files.book([["Nimi", "1"]])
    far = files.book([["Nimi", "1"], *([["Aino", 1]] * 5_001)])
    assert len(reading.lines(made)) == 1
    with pytest.raises(SheetError, match="5000 rows"):
        reading.lines(far)
