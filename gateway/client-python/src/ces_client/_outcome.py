from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from ._answer import (
    CesAnswer,
    is_allowance,
    is_usage,
    retry_after_seconds,
    unexpected_answer,
)
from ._errors import CesError
from ._request import CesRequest, with_id
from ._shapes import Shape
from .types import Allowance, Operation as Usage

ResultT = TypeVar("ResultT")
ResultT_co = TypeVar("ResultT_co", covariant=True)

_DEFAULT_POLL_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Units:
    request: int
    delivered: int
    fresh: int
    """Observations that the operation itself recorded for the first time."""


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    usage: Usage
    allowance: Allowance
    retry_after_seconds: float
    status: Literal["pending"] = "pending"


@dataclass(frozen=True, slots=True)
class DoneAnswer(Generic[ResultT_co]):
    result: ResultT_co
    status: Literal["done"] = "done"


OperationAnswer: TypeAlias = DoneAnswer[ResultT] | PendingAnswer
OnProgress: TypeAlias = Callable[[PendingAnswer], None]


@dataclass(frozen=True, slots=True)
class OperationPlan(Generic[ResultT]):
    submit: CesRequest
    is_result: Shape[ResultT]
    repeats: bool = False
    """Whether a poll is the identical call instead of GET /api/usages/{id}."""

    def poll(self, usage: Usage) -> CesRequest:
        return self.submit if self.repeats else poll_of(usage["id"])

    def read(self, request: CesRequest, answer: CesAnswer) -> OperationAnswer[ResultT]:
        body = answer.body
        usage, allowance = body.get("usage"), body.get("request_allowance")
        if answer.status == 200 and self.is_result(body):
            return DoneAnswer(body)
        if answer.status != 202 or not is_usage(usage) or not is_allowance(allowance):
            raise unexpected_answer(request, answer)
        wait = retry_after_seconds(answer.headers)
        return PendingAnswer(usage, allowance, _DEFAULT_POLL_SECONDS if wait is None else wait)


def poll_of(usage_id: int) -> CesRequest:
    return CesRequest("GET", with_id("/api/usages", usage_id))


class OperationFacts:
    """What the answers so far say about an operation."""

    def __init__(self, request_key: str | None) -> None:
        self.request_key = request_key
        self.units: Units | None = None
        self.usage_id: int | None = None
        self.request_id: str | None = None
        self.allowance: Allowance | None = None
        self.replayed = False

    def note(self, answer: CesAnswer) -> None:
        usage, allowance = answer.body.get("usage"), answer.body.get("request_allowance")
        self.request_id = answer.headers.get("x-request-id")
        self.replayed = self.replayed or answer.headers.get("idempotent-replayed") == "true"
        self._note_usage(
            usage if is_usage(usage) else None, allowance if is_allowance(allowance) else None
        )
        self.units = _parse_units(answer.headers.get("units-settled", "")) or self.units
        if self.usage_id is None:
            self.usage_id = _parse_id(answer.headers.get("usage-id", ""))

    def note_failure(self, error: CesError) -> None:
        self.request_id = error.request_id
        self._note_usage(error.usage, error.allowance)

    def _note_usage(self, usage: Usage | None, allowance: Allowance | None) -> None:
        self.allowance = allowance or self.allowance
        if usage is None:
            return
        self.usage_id = usage["id"]
        self.request_key = self.request_key or usage["request_key"]
        self.units = Units(
            request=usage["request_units"],
            delivered=usage["delivered_units"],
            fresh=usage["fresh_evidence_units"],
        )


def _parse_units(header: str) -> Units | None:
    """Format: `request=1, delivered=7, fresh=3`."""
    match = re.fullmatch(r"request=([0-9]+), delivered=([0-9]+), fresh=([0-9]+)", header)
    return Units(*map(int, match.groups())) if match else None


def _parse_id(header: str) -> int | None:
    return int(header) if re.fullmatch(r"[0-9]{1,18}", header) else None
