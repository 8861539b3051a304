from __future__ import annotations

import re
from datetime import datetime
from typing import Literal, TypeAlias

from .types import Allowance, ErrorCode, Operation as Usage

LocalErrorCode: TypeAlias = Literal["connection_failed", "unexpected_answer", "redirect_refused"]
"""
Codes of errors that the client itself detects.

- `connection_failed`: no answer, or none in time, or an incomplete one.
- `unexpected_answer`: an answer that the interface does not give, mostly from a proxy.
- `redirect_refused`: a redirect, which the client does not follow because of the API key.
"""

CesErrorCode: TypeAlias = ErrorCode | LocalErrorCode
"""All known codes; the service may add some."""


class CesError(Exception):
    """The error of every failed call. It never contains the API key."""

    code: CesErrorCode | str
    """The code to branch on."""
    message: str
    status: int
    """HTTP status; 0 without an answer."""
    retry_at: datetime | None
    """When the same call would be admitted; advisory."""
    retry_after_seconds: float | None
    """Seconds from the answer to `retry_at`; independent of the local clock."""
    usage: Usage | None
    """The operation that stores this failure."""
    allowance: Allowance | None
    request_id: str | None
    """Identifies the call in the logs of the service."""
    request_key: str | None
    """Retry with this key to continue the same operation without a further charge."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        retry_at: datetime | None = None,
        retry_after_seconds: float | None = None,
        usage: Usage | None = None,
        allowance: Allowance | None = None,
        request_id: str | None = None,
        request_key: str | None = None,
    ) -> None:
        self.code = hide_keys(code)
        self.message = hide_keys(message)
        # The positional arguments are what copies and pickles are made from.
        super().__init__(self.code, self.message)
        self.status = status
        self.retry_at = retry_at
        self.retry_after_seconds = retry_after_seconds
        self.usage = usage
        self.allowance = allowance
        self.request_id = request_id
        self.request_key = request_key

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


def hide_keys(text: str) -> str:
    """Masks API keys in a message of another library."""
    return re.sub(r"\bces_(live|test)_[0-9A-Za-z]+", r"ces_\1_…", text)


def harmless_cause(cause: BaseException) -> Exception:
    """
    Names a failure of the HTTP library without its members, which hold the request and so the API
    key.
    """
    return ConnectionError(hide_keys(f"{type(cause).__name__}: {cause}"))
