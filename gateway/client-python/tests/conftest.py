from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from ces_client import AsyncCesClient, CesClient
from ces_client._async.operation import AsyncOperation

Connect: TypeAlias = Callable[..., Any]

API_KEY = f"ces_test_{'a1B2' * 9}zz"


@pytest.fixture(autouse=True)
def _no_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits are exactly what the service requests."""
    monkeypatch.setattr(random, "random", lambda: 0.0)


@pytest.fixture(params=["sync", "asyncio"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Makes a client: every test is of both, the asynchronous one behind the calls of the other."""
    options = {"api_key": API_KEY, "timeout_seconds": 30.0}
    if request.param == "sync":
        clients: list[CesClient] = []

        def connect_sync(base_url: str, **more: object) -> object:
            clients.append(CesClient(**{"base_url": base_url, **options, **more}))  # type: ignore[arg-type]
            return clients[-1]

        yield connect_sync
        for client in clients:
            client.close()
        return
    with start_blocking_portal(request.param) as portal:
        yield lambda base_url, **more: Blocking(
            AsyncCesClient(**{"base_url": base_url, **options, **more}), portal
        )


class Blocking:
    """Waits for whatever the wrapped object returns."""

    def __init__(self, wrapped: object, portal: BlockingPortal) -> None:
        self._wrapped = wrapped
        self._portal = portal

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._wrapped, name)
        return self._call(member) if callable(member) else member

    def _call(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: object, **more: object) -> object:
            result = method(*args, **more)
            if hasattr(result, "__await__"):
                return self._portal.call(_wait_for, result)
            if hasattr(result, "__anext__"):
                return self._iterate(result)
            return Blocking(result, self._portal) if isinstance(result, AsyncOperation) else result

        return call

    def _iterate(self, items: Any) -> Iterator[Any]:
        while True:
            try:
                item = self._portal.call(items.__anext__)
            except StopAsyncIteration:
                return
            yield item


async def _wait_for(awaitable: Any) -> Any:
    return await awaitable
