from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from .._outcome import OnProgress
from .._request_key import page_key
from ..types import CompanyResult
from .operation import AsyncOperation

PageT = TypeVar("PageT")
PageT_co = TypeVar("PageT_co", covariant=True)
ItemT = TypeVar("ItemT")


class AsyncSearchPage(NamedTuple):
    page: CompanyResult
    operation: AsyncOperation[CompanyResult]


class Search(Protocol):
    def __call__(
        self, *, cursor: str | None, request_key: str
    ) -> AsyncOperation[CompanyResult]: ...


class FetchPage(Protocol[PageT_co]):
    async def __call__(self, cursor: str | None) -> PageT_co: ...


async def pages_of(
    search: Search, *, first_key: str, cursor: str | None, on_progress: OnProgress | None
) -> AsyncIterator[AsyncSearchPage]:
    """Each page is charged when it is fetched."""
    number = 1
    while True:
        operation = search(cursor=cursor, request_key=page_key(first_key, number))
        page = await operation.done(on_progress=on_progress)
        yield AsyncSearchPage(page, operation)
        cursor = page["next_cursor"]
        if cursor is None:
            return
        number += 1


async def items_of(
    fetch_page: FetchPage[PageT],
    read_page: Callable[[PageT], tuple[Sequence[ItemT], str | None]],
) -> AsyncIterator[ItemT]:
    cursor: str | None = None
    while True:
        items, cursor = read_page(await fetch_page(cursor))
        for item in items:
            yield item
        if cursor is None:
            return
