from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from ._errors import CesError
from ._retry import RetryPolicy
from ._version import VERSION

OWN_USER_AGENT = f"ces-client-python/{VERSION}"


@dataclass(frozen=True, slots=True)
class CesAttempt:
    """One attempt of a call, for `on_attempt`."""

    method: str
    path: str
    """Includes the query, but never the API key."""
    request_key: str | None
    attempt: int
    """Counted from 1."""
    duration_seconds: float
    status: int
    """HTTP status; 0 without an answer."""
    error: CesError | None
    wait_seconds: float | None
    """Seconds until the next attempt; None after the last."""


@dataclass(frozen=True, slots=True)
class TransportOptions:
    base_url: str
    timeout_seconds: float
    user_agent: str
    retry: RetryPolicy
    on_attempt: Callable[[CesAttempt], None] | None


def read_options(
    *,
    base_url: str,
    max_attempts: int,
    timeout_seconds: float,
    max_wait_seconds: float,
    user_agent: str | None,
    on_attempt: Callable[[CesAttempt], None] | None,
) -> TransportOptions:
    """Raises ValueError for invalid options."""
    return TransportOptions(
        base_url=_read_base_url(base_url),
        timeout_seconds=timeout_seconds,
        user_agent=user_agent or OWN_USER_AGENT,
        retry=RetryPolicy(max_attempts=max_attempts, max_wait_seconds=max_wait_seconds),
        on_attempt=on_attempt,
    )


def _read_base_url(base_url: str) -> str:
    try:
        url = urlsplit(base_url)
        # The port is parsed only when it is asked for.
        is_address = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_address = False
    if not is_address or "@" in base_url:
        raise ValueError(
            "base_url must be the http or https address of the gateway, without a user or password."
        )
    return url._replace(query="", fragment="").geturl().rstrip("/")
