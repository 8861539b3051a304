from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

Instant: TypeAlias = str | datetime
"""RFC 3339 with an offset or Z, or a datetime with a time zone."""

UsageAction: TypeAlias = Literal[
    "company_search", "observation_search", "company_lookup", "observation_lookup", "diagnostic"
]
