"""A competition as one JSON document, checked without a database. Pure: knows no Django."""

from league.archive.checking import check, is_document

FORMAT = "housuliiga-competition"
VERSION = 1

__all__ = ["FORMAT", "VERSION", "check", "is_document"]
