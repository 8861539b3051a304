from __future__ import annotations

import time

from .._answer import CesAnswer, read_answer
from .._concurrency import async_sleep
from .._errors import CesError
from .._http import AsyncHttp
from .._options import CesAttempt, TransportOptions
from .._request import CesRequest
from .._retry import Waits


class AsyncTransport:
    def __init__(self, options: TransportOptions, http: AsyncHttp) -> None:
        self._options = options
        self._http = http

    async def close(self) -> None:
        await self._http.close()

    async def send(
        self, request: CesRequest, *, wait_for_allowance: bool | float = False
    ) -> CesAnswer:
        """Raises the CesError of the last attempt."""
        waits = Waits(self._options.retry, wait_for_allowance)
        attempt = 0
        while True:
            attempt += 1
            outcome = await self._try(request, attempt, waits)
            if isinstance(outcome, CesAnswer):
                return outcome
            await async_sleep(outcome)

    async def _try(self, request: CesRequest, attempt: int, waits: Waits) -> CesAnswer | float:
        """Returns the answer, or the seconds to wait before the next attempt."""
        start = time.monotonic()
        try:
            answer = read_answer(request, await self._http.exchange(request))
        except CesError as error:
            wait = waits.after(error)
            self._report(request, attempt, start, error.status, error, wait)
            if wait is None:
                raise
            return wait
        self._report(request, attempt, start, answer.status, None, None)
        return answer

    def _report(
        self,
        request: CesRequest,
        attempt: int,
        start: float,
        status: int,
        error: CesError | None,
        wait_seconds: float | None,
    ) -> None:
        if self._options.on_attempt is None:
            return
        self._options.on_attempt(
            CesAttempt(
                method=request.method,
                path=request.path,
                request_key=request.request_key,
                attempt=attempt,
                duration_seconds=time.monotonic() - start,
                status=status,
                error=error,
                wait_seconds=wait_seconds,
            )
        )
