"""The maximum cost of a call, by the rules of admission. Retries and polls are free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import httpx

_DEFAULT_LIMIT: Final = 10


@dataclass(frozen=True, slots=True)
class Price:
    """The units that admission reserves for a call; its maximum cost."""

    request_units: int
    delivered_units: int


def search(
    *,
    limit: int | None = None,
    target: int | None = None,
    available: int | None = None,
    returned: int = 0,
) -> Price:
    """
    A page of a search: `limit` companies, or what the shortlist has left.

    For a later page, `available` is `coverage["available_companies"]` and `returned` the number of
    companies on the pages before.
    """
    whole = min(_DEFAULT_LIMIT, target if target is not None else _DEFAULT_LIMIT)
    effective = whole if limit is None else limit
    left = effective if available is None else max(0, available - returned)
    return Price(request_units=1, delivered_units=min(effective, left))


def company_lookup(*, ids: Sequence[int] = (), domains: Sequence[str] = ()) -> Price:
    """One company for each distinct id or hostname."""
    distinct = set(ids) if ids else set(map(_normalise_hostname, domains))
    return Price(request_units=1, delivered_units=len(distinct))


def observation_lookup(*, domains: Sequence[str]) -> Price:
    return Price(request_units=1, delivered_units=len(set(map(_normalise_hostname, domains))))


def diagnostic() -> Price:
    return Price(request_units=0, delivered_units=0)


def _normalise_hostname(text: str) -> str:
    """
    Trims, lower-cases, removes one trailing dot and converts to A-labels, as the service does, so
    that two spellings of a hostname are one input.
    """
    lower = text.strip().removesuffix(".").lower()
    try:
        return lower if lower.isascii() else httpx.URL(f"http://{lower}").raw_host.decode()
    except httpx.InvalidURL:
        return lower
