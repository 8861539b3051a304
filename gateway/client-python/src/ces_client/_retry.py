from __future__ import annotations

import math
import random
from dataclasses import dataclass

from ._errors import CesError

_FIRST_BACKOFF_SECONDS = 0.5
_LAST_BACKOFF_SECONDS = 10.0
_LEAST_ALLOWANCE_WAIT_SECONDS = 1.0
# The idempotency key makes retries safe, whatever happened to the previous attempt.
_TRANSIENT_STATUSES = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    max_attempts: int
    max_wait_seconds: float


class Waits:
    """The waits between the attempts of one call."""

    def __init__(self, policy: RetryPolicy, allowance: bool | float) -> None:
        """`allowance` is the maximum total wait for units, in seconds; True means no limit."""
        self._policy = policy
        self._attempts = 1
        self._allowance_seconds = math.inf if allowance is True else float(allowance)

    def after(self, error: CesError) -> float | None:
        """Seconds to wait; None when the call must not be retried."""
        if error.code == "request_limit_reached":
            return self._for_allowance(error)
        return self._for_recovery(error)

    def _for_allowance(self, error: CesError) -> float | None:
        """Attempts refused for lack of allowance do not count."""
        if error.retry_after_seconds is None:
            return None
        wait = max(error.retry_after_seconds, _LEAST_ALLOWANCE_WAIT_SECONDS)
        if wait > self._allowance_seconds:
            return None
        self._allowance_seconds -= wait
        return wait

    def _for_recovery(self, error: CesError) -> float | None:
        """The wait that the service requests, plus exponential backoff with full jitter."""
        asked = error.retry_after_seconds or 0.0
        longest = self._policy.max_wait_seconds
        is_last = self._attempts >= self._policy.max_attempts
        if is_last or asked > longest or not _is_transient(error):
            return None
        backoff = min(_LAST_BACKOFF_SECONDS, _FIRST_BACKOFF_SECONDS * 2.0 ** (self._attempts - 1))
        self._attempts += 1
        return min(longest, asked + random.random() * backoff)


def _is_transient(error: CesError) -> bool:
    return error.code == "connection_failed" or error.status in _TRANSIENT_STATUSES
