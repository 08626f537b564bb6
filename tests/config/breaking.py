"""What in an OpenAPI document would break a client that was written for an older one.

Of requests: what was accepted must be; of answers: what was promised must come. `python -m
tests.config.breaking` writes the document that clients may be written for, `openapi.json` here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

SNAPSHOT: Final = Path(__file__).with_name("openapi.json")
METHODS: Final = ("get", "post", "put", "patch", "delete")
TOLD: Final = ("description", "summary", "example", "examples", "tags", "title")
# Of a limit that a request must keep: the older one must lie within the newer one.
UPPER: Final = ("maximum", "maxLength", "maxItems")
LOWER: Final = ("minimum", "minLength", "minItems")
Document = dict[str, Any]


def bare(document: Any) -> Any:
    """The document without its prose."""
    if isinstance(document, list):
        return [bare(each) for each in document]
    if not isinstance(document, dict):
        return document
    return {
        key: bare(value)
        for key, value in document.items()
        # A property may be called "description".
        if key not in TOLD or (isinstance(value, dict) and {"type", "$ref", "oneOf"} & set(value))
    }


def breaks(old: Document, new: Document) -> list[str]:
    """What a client of `old` would run into, in words."""
    return sorted(set(_operations(old, new)))


def _operations(old: Document, new: Document) -> Iterator[str]:
    for path, methods in old["paths"].items():
        for method in METHODS:
            if method not in methods:
                continue
            before, after = methods[method], new["paths"].get(path, {}).get(method)
            name = f"{method.upper()} {path}"
            if after is None:
                yield f"{name}: gone"
                continue
            yield from _operation(name, before, after, Sides(old, new))


class Sides:
    """Both documents, and which of their components were compared in which direction."""

    def __init__(self, old: Document, new: Document) -> None:
        self.old, self.new = old, new
        self.done: set[tuple[str, str, bool]] = set()


def _operation(name: str, old: Document, new: Document, sides: Sides) -> Iterator[str]:
    if old["operationId"] != new["operationId"]:
        yield f"{name}: the operation is called otherwise"
    before, after = _parameters(old), _parameters(new)
    for key in before.keys() - after.keys():
        yield f"{name}: parameter {key} gone"
    for key, parameter in after.items():
        if parameter.get("required") and not before.get(key, {}).get("required"):
            yield f"{name}: parameter {key} needed"
        if key in before:
            was = before[key].get("schema", {})
            yield from _schema(f"{name} {key}", was, parameter.get("schema", {}), True, sides)
    yield from _contents(name, old.get("requestBody", {}), new.get("requestBody", {}), True, sides)
    for status, answer in old["responses"].items():
        if status not in new["responses"]:
            yield f"{name}: answer {status} gone"
            continue
        yield from _contents(f"{name} {status}", answer, new["responses"][status], False, sides)


def _parameters(operation: Document) -> dict[str, Document]:
    return {f"{one['in']} {one['name']}": one for one in operation.get("parameters", [])}


def _contents(name: str, old: Document, new: Document, asked: bool, sides: Sides) -> Iterator[str]:
    if asked and new.get("required") and not old.get("required"):
        yield f"{name}: a body needed"
    for kind, content in old.get("content", {}).items():
        if kind not in new.get("content", {}):
            yield f"{name}: {kind} gone"
            continue
        after = new["content"][kind].get("schema", {})
        yield from _schema(name, content.get("schema", {}), after, asked, sides)


def _schema(name: str, old: Document, new: Document, asked: bool, sides: Sides) -> Iterator[str]:
    if "$ref" in old and "$ref" in new:
        key = (old["$ref"], new["$ref"], asked)
        if key in sides.done:
            return
        sides.done.add(key)
        name = old["$ref"].rpartition("/")[2]
    old, new = _resolved(old, sides.old), _resolved(new, sides.new)
    narrow, wide = (old, new) if asked else (new, old)
    if _types(wide) and not _types(narrow) <= _types(wide):
        yield f"{name}: {sorted(_types(old))} became {sorted(_types(new))}"
    if asked:
        yield from _limits(name, old, new)
    if old.get("format") != new.get("format"):
        yield f"{name}: another format"
    yield from _fields(name, old, new, asked, sides)
    if "items" in old and "items" in new:
        yield from _schema(f"{name}[]", old["items"], new["items"], asked, sides)


def _limits(name: str, old: Document, new: Document) -> Iterator[str]:
    if "enum" in new and not set(map(str, old.get("enum", ["*"]))) <= set(map(str, new["enum"])):
        yield f"{name}: fewer values"
    far = float("inf")
    if any(new.get(key, far) < old.get(key, far) for key in UPPER) or any(
        new.get(key, -far) > old.get(key, -far) for key in LOWER
    ):
        yield f"{name}: narrower limits"


def _fields(name: str, old: Document, new: Document, asked: bool, sides: Sides) -> Iterator[str]:
    before, after = old.get("properties", {}), new.get("properties", {})
    for field in before.keys() - after.keys():
        yield f"{name}: field {field} gone"
    first, then = set(old.get("required", ())), set(new.get("required", ()))
    for field in (then - first) if asked else (first - then) & after.keys():
        yield f"{name}: field {field} {'needed' if asked else 'may be missing'}"
    for field in before.keys() & after.keys():
        yield from _schema(f"{name}.{field}", before[field], after[field], asked, sides)


def _resolved(schema: Document, document: Document) -> Document:
    """The schema itself; of one that is a choice, `anyOf` a type and null, all of it together."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    parts = schema.get("allOf") or schema.get("oneOf") or schema.get("anyOf")
    if not parts:
        return schema
    found: Document = {key: value for key, value in schema.items() if not key.endswith("Of")}
    types: set[str] = set()
    for part in parts:
        inner = _resolved(part, document)
        types |= _types(inner)
        found = {**inner, **found}
    return {**found, "type": sorted(types)} if types else found


def _types(schema: Document) -> set[str]:
    given = schema.get("type", [])
    return {given} if isinstance(given, str) else set(given)


def main() -> None:
    """Write what clients may be written for from now on."""
    import django  # noqa: PLC0415 - the tests have set it up

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from config.describe import schema  # noqa: PLC0415

    text = json.dumps(bare(schema()), indent=1, ensure_ascii=False, sort_keys=True)
    SNAPSHOT.write_text(text + "\n")


if __name__ == "__main__":
    main()
