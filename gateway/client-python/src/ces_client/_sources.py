from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict


class Source(TypedDict):
    name: str
    publisher: str
    url: NotRequired[str]
    licence: str
    licence_url: NotRequired[str]
    attribution: str


class SourceList(TypedDict):
    sources: Sequence[Source]
