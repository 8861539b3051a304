from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, TypeAlias, TypeGuard

from ._errors import CesError
from ._request import CesRequest
from .types import Allowance, Operation as Usage

# A century: longer waits are no waits, since neither a clock nor a datetime may hold them.
_LONGEST_WAIT_SECONDS = 3_155_760_000

JsonObject: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RawAnswer:
    status: int
    headers: Mapping[str, str]
    """Their names are in lower case."""
    text: str


@dataclass(frozen=True, slots=True)
class CesAnswer:
    status: int
    headers: Mapping[str, str]
    body: JsonObject


def read_answer(request: CesRequest, raw: RawAnswer) -> CesAnswer:
    """Raises the CesError that an unsuccessful answer represents."""
    if 300 <= raw.status <= 399:
        raise _refuse_redirect(request, raw)
    value = _parse_json(raw.text)
    if value is None and _is_json(raw.headers):
        raise _cut_off(request, raw)
    body = value if is_object(value) else None
    if 200 <= raw.status <= 299 and body is not None:
        return CesAnswer(raw.status, raw.headers, body)
    raise _error_of(request, raw, body or {})


def unexpected_answer(request: CesRequest, answer: CesAnswer | RawAnswer) -> CesError:
    """For an answer without the members that the caller needs."""
    return CesError(
        "unexpected_answer",
        f"{request.method} {request.path} got an answer ({answer.status}) that is not one of the "
        "interface: check that base_url names the gateway, and what stands in between.",
        status=answer.status,
        request_key=request.request_key,
        request_id=answer.headers.get("x-request-id"),
    )


def is_object(value: object) -> TypeGuard[JsonObject]:
    return isinstance(value, dict)


def is_usage(value: object) -> TypeGuard[Usage]:
    return is_object(value) and _is_integer(value.get("id")) and type(value.get("status")) is str


def is_allowance(value: object) -> TypeGuard[Allowance]:
    return is_object(value) and _is_integer(value.get("window_remaining"))


def retry_after_seconds(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds until the time in `Retry-After`, which is a number of seconds or a date."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,15}", value):
        return _read_wait(int(value))
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    return _read_wait(_seconds_until(_with_zone(until), now))


def _error_of(request: CesRequest, raw: RawAnswer, body: JsonObject) -> CesError:
    error = body.get("error")
    fields = error if is_object(error) else {}
    retry_at = _read_instant(fields.get("retry_at"))
    wait = _wait_of(fields, raw.headers, retry_at)
    code, message = fields.get("code"), fields.get("message")
    usage, allowance = body.get("usage"), body.get("request_allowance")
    refused = unexpected_answer(request, raw)
    if raw.status >= 400 and isinstance(code, str) and isinstance(message, str):
        refused = CesError(
            code,
            message,
            status=raw.status,
            usage=usage if is_usage(usage) else None,
            allowance=allowance if is_allowance(allowance) else None,
            request_key=request.request_key,
            request_id=raw.headers.get("x-request-id"),
        )
    refused.retry_after_seconds = wait
    refused.retry_at = retry_at or _from_now(wait)
    return refused


def _wait_of(
    fields: JsonObject, headers: Mapping[str, str], retry_at: datetime | None
) -> float | None:
    """Prefers durations, since the local clock may be wrong."""
    asked = fields.get("retry_after_seconds")
    if isinstance(asked, int | float) and not isinstance(asked, bool):
        return _read_wait(asked)
    wait = retry_after_seconds(headers)
    if wait is None and retry_at is not None:
        return _read_wait(_seconds_until(retry_at))
    return wait


def _refuse_redirect(request: CesRequest, raw: RawAnswer) -> CesError:
    return CesError(
        "redirect_refused",
        f"{request.method} {request.path} was sent elsewhere, where the API key does not go: "
        "set base_url to the gateway itself.",
        status=raw.status,
        request_key=request.request_key,
        request_id=raw.headers.get("x-request-id"),
    )


def _cut_off(request: CesRequest, raw: RawAnswer) -> CesError:
    """Some connections end without an error when they are lost."""
    return CesError(
        "connection_failed",
        f"The answer to {request.method} {request.path} ends too early: try again.",
        request_key=request.request_key,
        request_id=raw.headers.get("x-request-id"),
    )


def _parse_json(text: str) -> object:
    parse: Callable[[str], Any] = json.loads
    try:
        value: object = parse(text)
    except (ValueError, RecursionError):
        return None
    return value


def _is_json(headers: Mapping[str, str]) -> bool:
    return re.match(r"application/json\b", headers.get("content-type", "")) is not None


def _is_integer(value: object) -> bool:
    return type(value) is int


def _read_instant(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return _with_zone(datetime.fromisoformat(value))
    except ValueError:
        return None


def _with_zone(instant: datetime) -> datetime:
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def _seconds_until(instant: datetime, now: datetime | None = None) -> float:
    return (instant - (now or datetime.now(UTC))).total_seconds()


def _read_wait(seconds: float) -> float | None:
    """None when the wait is invalid or too long."""
    return max(0.0, seconds) if abs(seconds) <= _LONGEST_WAIT_SECONDS else None


def _from_now(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.now(UTC) + timedelta(seconds=seconds)
