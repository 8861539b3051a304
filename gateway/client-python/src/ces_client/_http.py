"""
The only input and output, once for each kind of client. `_sync` is generated from `_async` and
uses the second half.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import anyio
import httpx

from ._answer import RawAnswer
from ._errors import CesError, harmless_cause
from ._options import TransportOptions
from ._request import CesRequest

# Many times the longest answer of the interface.
_MOST_MIB = 32

ApiKey: TypeAlias = str | Callable[[], str]
"""`ces_live_…` or `ces_test_…`, or a function that is called before each attempt."""
AsyncApiKey: TypeAlias = str | Callable[[], str | Awaitable[str]]
"""As ApiKey; the function may be asynchronous."""


class AsyncHttp:
    def __init__(
        self, options: TransportOptions, api_key: AsyncApiKey, client: httpx.AsyncClient | None
    ) -> None:
        self._options = options
        self._api_key = api_key
        self._client = client or httpx.AsyncClient()
        self._is_own = client is None

    async def exchange(self, request: CesRequest) -> RawAnswer:
        """Raises CesError without a whole answer within the timeout."""
        prepared = _prepare(self._client, self._options, request, await self._read_key(request))
        try:
            with anyio.fail_after(self._options.timeout_seconds):
                return await self._read(request, prepared)
        except (httpx.RequestError, TimeoutError) as cause:
            failure = _connection_failed(self._options, request, cause)
        # Outside of the handler, so that the original with its request is not chained.
        raise failure

    async def close(self) -> None:
        if self._is_own:
            await self._client.aclose()

    async def _read_key(self, request: CesRequest) -> str | None:
        if request.is_public:
            return None
        key = self._api_key() if callable(self._api_key) else self._api_key
        return _check_key(await key if inspect.isawaitable(key) else key)

    async def _read(self, request: CesRequest, prepared: httpx.Request) -> RawAnswer:
        response = await self._client.send(prepared, stream=True, follow_redirects=False)
        try:
            body = _Body(request, response)
            async for chunk in response.aiter_bytes():
                body.add(chunk)
            return body.whole()
        finally:
            await response.aclose()


class Http:
    def __init__(
        self, options: TransportOptions, api_key: ApiKey, client: httpx.Client | None
    ) -> None:
        self._options = options
        self._api_key = api_key
        self._client = client or httpx.Client()
        self._is_own = client is None

    def exchange(self, request: CesRequest) -> RawAnswer:
        """Raises CesError without a whole answer within the timeout."""
        prepared = _prepare(self._client, self._options, request, self._read_key(request))
        try:
            return self._read(request, prepared, time.monotonic() + self._options.timeout_seconds)
        except (httpx.RequestError, TimeoutError) as cause:
            failure = _connection_failed(self._options, request, cause)
        # Outside of the handler, so that the original with its request is not chained.
        raise failure

    def close(self) -> None:
        if self._is_own:
            self._client.close()

    def _read_key(self, request: CesRequest) -> str | None:
        if request.is_public:
            return None
        return _check_key(self._api_key() if callable(self._api_key) else self._api_key)

    def _read(self, request: CesRequest, prepared: httpx.Request, deadline: float) -> RawAnswer:
        response = self._client.send(prepared, stream=True, follow_redirects=False)
        try:
            body = _Body(request, response)
            for chunk in response.iter_bytes():
                body.add(chunk)
                # The timeout of the library starts again with every chunk.
                if time.monotonic() > deadline:
                    raise TimeoutError("the body came too slowly")
            return body.whole()
        finally:
            response.close()


class _Body:
    def __init__(self, request: CesRequest, response: httpx.Response) -> None:
        self._request = request
        self._response = response
        self._chunks: list[bytes] = []
        self._bytes = 0

    def add(self, chunk: bytes) -> None:
        """Raises CesError `unexpected_answer` beyond the longest answer."""
        self._chunks.append(chunk)
        self._bytes += len(chunk)
        if self._bytes > _MOST_MIB * 2**20:
            raise CesError(
                "unexpected_answer",
                f"The answer to {self._request.method} {self._request.path} is longer than "
                f"{_MOST_MIB} MiB: check that base_url names the gateway, and what stands in "
                "between.",
                status=self._response.status_code,
                request_key=self._request.request_key,
            )

    def whole(self) -> RawAnswer:
        text = b"".join(self._chunks).decode("utf-8", errors="replace")
        return RawAnswer(self._response.status_code, dict(self._response.headers), text)


def _prepare(
    client: httpx.Client | httpx.AsyncClient,
    options: TransportOptions,
    request: CesRequest,
    api_key: str | None,
) -> httpx.Request:
    headers = {b"accept": b"application/json", b"user-agent": options.user_agent.encode("ascii")}
    if api_key is not None:
        headers[b"authorization"] = f"Bearer {api_key}".encode("ascii")
    if request.body is not None:
        headers[b"content-type"] = b"application/json"
    if request.request_key is not None:
        headers[b"idempotency-key"] = request.request_key.encode("utf-8")
    return client.build_request(
        request.method,
        f"{options.base_url}{request.path}",
        content=None if request.body is None else request.body.encode("utf-8"),
        headers=list(headers.items()),
        timeout=options.timeout_seconds,
    )


def _check_key(api_key: str) -> str:
    """The error of the HTTP library for an invalid header could repeat the key."""
    if api_key and all("!" <= character <= "~" for character in api_key):
        return api_key
    raise ValueError("api_key must be a text of visible ASCII characters, such as ces_live_….")


def _connection_failed(
    options: TransportOptions, request: CesRequest, cause: Exception
) -> CesError:
    timed_out = isinstance(cause, TimeoutError | httpx.TimeoutException)
    late = f"was not answered within {options.timeout_seconds:g} s"
    what = late if timed_out else "lost its connection or found none"
    then = "try again with the same request key." if request.request_key else "try again."
    failure = CesError(
        "connection_failed",
        f"{request.method} {request.path} {what}: {then}",
        request_key=request.request_key,
    )
    failure.__cause__ = harmless_cause(cause)
    return failure
