"""Parts of addresses: text that a database can be asked for."""

from django.urls.converters import StringConverter


class TextConverter(StringConverter):
    """`<text:name>`: one part of a path, without the NUL that PostgreSQL knows no text with."""

    regex = "[^/\\0]+"


class NameConverter(StringConverter):
    """`<name:name>`: a name that somebody chose, whatever stands in it, so that a link to it can
    always be written."""

    regex = "[^\\0]+"
