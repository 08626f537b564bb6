"""Strict parameters and bodies: what an operation does not know is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.request import Request

from config.kit.errors import InvalidError


class UnknownParameterError(InvalidError):
    """A query parameter that the operation does not have, or one given twice."""

    code = "unknown_parameter"


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer that refuses unknown fields instead of dropping them."""

    def to_internal_value(self, data: Any) -> Any:
        """As usual, and `unknown_field` for every key that is no field."""
        if isinstance(data, Mapping):
            unknown = sorted(str(key) for key in data if key not in self.fields)
            if unknown:
                message = serializers.ErrorDetail("There is no such field.", code="unknown_field")
                raise serializers.ValidationError({name: [message] for name in unknown[:20]})
        return super().to_internal_value(data)


def read_query(request: Request, known: type[StrictSerializer] | None) -> dict[str, Any]:
    """The query parameters by `known`. Raises `UnknownParameterError`, `ValidationError`."""
    given = request.query_params
    reader = _reader(known, get_language()) if known else None
    names = reader.fields if reader else {}
    for name in given:
        if name not in names:
            raise UnknownParameterError(
                "There is no such query parameter.", parameter=name[:80], known=sorted(names)
            )
        if len(given.getlist(name)) > 1:
            raise UnknownParameterError("A parameter is given twice.", parameter=name[:80])
    return dict(reader.run_validation(given.dict())) if reader else {}


def read_body(request: Request, known: type[StrictSerializer]) -> dict[str, Any]:
    """The body by `known`; an empty body counts as `{}`. Raises `ValidationError`."""
    data = request.data
    if not isinstance(data, Mapping):
        known(data=data).is_valid(raise_exception=True)
    return dict(_reader(known, get_language()).run_validation(data))


@lru_cache(1024)
def _reader(known: type[StrictSerializer], language: str | None) -> StrictSerializer:
    """One serializer for all requests in a language: reading changes nothing in it, but
    that some of its sentences stay in the language of who heard them first."""
    return known()
