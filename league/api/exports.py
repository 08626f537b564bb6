"""Exports of a competition: the whole of it as JSON, records and ledger by line, tables of cells.

A file is written from one moment of the database, and sent when it is whole: a slow reader holds no
connection.
"""

from __future__ import annotations

import csv
import hashlib
import io
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, NamedTuple

from django.db import connection, transaction
from django.http import FileResponse, HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from openpyxl import Workbook
from rest_framework.request import Request

from config.kit import etag
from config.kit.operation import Operation
from config.kit.wire import dumps
from league.api import writing
from league.api.clubs import viewer_id
from league.errors import ExportNotFoundError
from league.models import Competition
from league.queries import archive, sheets, visible

IN_MEMORY: Final = 2**22
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Kind(NamedTuple):
    """A file: its media type and what writes it."""

    media_type: str
    write: Callable[[Competition, IO[bytes]], None]


def _write_json(competition: Competition, file: IO[bytes]) -> None:
    file.writelines(writing.pieces(competition))


def _write_records(competition: Competition, file: IO[bytes]) -> None:
    file.writelines(dumps(row["proof"]["record"]) + b"\n" for row in archive.records(competition))


def _write_proofs(competition: Competition, file: IO[bytes]) -> None:
    file.writelines(dumps(row["proof"]) + b"\n" for row in archive.records(competition))


def _write_ledger(competition: Competition, file: IO[bytes]) -> None:
    file.writelines(dumps(row) + b"\n" for row in archive.ledger(competition))


def _csv(sheet: str) -> Callable[[Competition, IO[bytes]], None]:
    def write(competition: Competition, file: IO[bytes]) -> None:
        file.writelines(_lines(sheets.rows(sheet, competition)))

    return write


def _lines(rows: Iterator[list[Any]]) -> Iterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        writer.writerow(row)
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()


def _write_xlsx(competition: Competition, file: IO[bytes]) -> None:
    book = Workbook(write_only=True)
    for name in sheets.SHEETS:
        page = book.create_sheet(name)
        for row in sheets.rows(name, competition):
            page.append(row)
    book.save(file)


FILES: Final[dict[str, Kind]] = {
    "competition.json": Kind("application/json", _write_json),
    "competition.xlsx": Kind(XLSX, _write_xlsx),
    "records.ndjson": Kind("application/x-ndjson", _write_records),
    "proofs.ndjson": Kind("application/x-ndjson", _write_proofs),
    "ledger.ndjson": Kind("application/x-ndjson", _write_ledger),
    **{f"{name}.csv": Kind("text/csv", _csv(name)) for name in sheets.SHEETS},
}
_EXAMPLE: Final = (
    "rank,entry,name,state,place,chips,losses,deals,first_places\r\n1,1,Kettu,entered,,0,0,1,1\r\n"
)


class Exports(Operation):
    """`/competitions/{id}/exports/{file}`"""

    @extend_schema(
        operation_id="export_competition",
        summary="Download a competition as a file",
        description=(
            "`competition.json` is all of it, with the secret when it is over: `manage.py verify` "
            "checks it and draws every round again, `manage.py restore_competition` makes it "
            "anew elsewhere. `records.ndjson` and `proofs.ndjson` have the games whose decks may "
            "be shown, `ledger.ndjson` the rows as the stream has them. In tables a cell that a "
            "spreadsheet would carry out begins with an apostrophe."
        ),
        tags=["competitions"],
        parameters=[
            OpenApiParameter("file", str, OpenApiParameter.PATH, enum=sorted(FILES)),
        ],
        responses={
            (200, kind.media_type): (
                OpenApiTypes.OBJECT
                if kind.media_type == "application/json"
                else OpenApiTypes.BINARY
            )
            for kind in FILES.values()
        },
        examples=[
            OpenApiExample("table", _EXAMPLE, response_only=True, media_type="text/csv"),
            OpenApiExample(
                "document",
                {"format": "housuliiga-competition", "version": 1},
                response_only=True,
                media_type="application/json",
            ),
        ],
        auth=[],
    )
    def get(self, request: Request, competition_id: int, file: str) -> HttpResponseBase:
        """The file."""
        found = visible.competition(competition_id, viewer_id(request))
        if file not in FILES:
            raise ExportNotFoundError("There is no such export.", known=sorted(FILES))
        kind = FILES[file]
        written: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
        with transaction.atomic():
            _one_moment()
            kind.write(visible.competition(competition_id, viewer_id(request)), written)
        tag = _tag(written)
        if etag.has(request, tag):
            written.close()
            answer: HttpResponseBase = HttpResponse(status=304)
        else:
            name = f"{found.slug}-{file}"
            answer = FileResponse(written, filename=name, content_type=kind.media_type)
            answer["Content-Disposition"] = f'attachment; filename="{name}"'
        answer["ETag"] = tag
        answer["Cache-Control"] = "private, no-cache"
        answer["Vary"] = "Authorization, Cookie"
        return answer


def _one_moment() -> None:
    """The transaction reads as of now, whatever is committed meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _tag(file: IO[bytes]) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while chunk := file.read(2**16):
        digest.update(chunk)
    file.seek(0)
    return f'"{digest.hexdigest()[:32]}"'
