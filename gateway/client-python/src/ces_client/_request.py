from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias
from urllib.parse import quote, urlencode

QueryValue: TypeAlias = str | int | datetime | Sequence[str] | Sequence[int] | None


@dataclass(frozen=True, slots=True)
class CesRequest:
    method: Literal["GET", "POST"]
    path: str
    body: str | None = None
    """JSON, serialised once so that every attempt sends the same bytes."""
    request_key: str | None = None
    is_public: bool = False


def with_query(path: str, parameters: Mapping[str, QueryValue]) -> str:
    """Lists become `name[]`."""
    pairs: list[tuple[str, str]] = []
    for name, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, str | int | datetime):
            pairs.append((name, as_text(value)))
        else:
            pairs.extend((f"{name}[]", str(one)) for one in value)
    return f"{path}?{urlencode(pairs)}" if pairs else path


def with_id(path: str, identifier: int) -> str:
    return f"{path}/{quote(str(identifier), safe='')}"


def as_text(value: str | int | datetime) -> str:
    """Raises ValueError for an instant without a time zone."""
    if not isinstance(value, datetime):
        return str(value)
    if value.tzinfo is None:
        raise ValueError("An instant must have a time zone, such as datetime.now(timezone.utc).")
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def body_of(fields: Mapping[str, object]) -> str:
    """Leaves out what is None."""
    return json.dumps({name: value for name, value in fields.items() if value is not None})
