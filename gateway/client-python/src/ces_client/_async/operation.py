from __future__ import annotations

from typing import Generic, TypeVar

from .._concurrency import AsyncLock, async_sleep
from .._errors import CesError
from .._outcome import OnProgress, OperationAnswer, OperationFacts, OperationPlan, Units
from .._request import CesRequest
from ..types import Allowance
from .transport import AsyncTransport

ResultT = TypeVar("ResultT")


class AsyncOperation(Generic[ResultT]):
    """A metered call; its idempotency key identifies it from the first attempt on."""

    def __init__(
        self,
        transport: AsyncTransport,
        plan: OperationPlan[ResultT],
        wait_for_allowance: bool | float = False,
    ) -> None:
        self._transport = transport
        self._plan = plan
        self._wait_for_allowance = wait_for_allowance
        self._facts = OperationFacts(plan.submit.request_key)
        self._answer: OperationAnswer[ResultT] | None = None
        self._submitting = AsyncLock()

    @property
    def request_key(self) -> str:
        """
        The idempotency key. A resumed operation has it after its first answer, and raises
        RuntimeError before.
        """
        if self._facts.request_key is None:
            raise RuntimeError("The first answer brings the key: call submit() or done() first.")
        return self._facts.request_key

    @property
    def units(self) -> Units | None:
        """Units settled so far; None before the first answer."""
        return self._facts.units

    @property
    def replayed(self) -> bool:
        """
        Whether the service knew the key before the last attempt. An earlier attempt of this
        operation whose answer was lost counts too.
        """
        return self._facts.replayed

    @property
    def usage_id(self) -> int | None:
        """The id for polls and `resume`; None before the first answer."""
        return self._facts.usage_id

    @property
    def request_id(self) -> str | None:
        """Identifies the last call in the logs of the service."""
        return self._facts.request_id

    @property
    def allowance(self) -> Allowance | None:
        return self._facts.allowance

    async def submit(self) -> OperationAnswer[ResultT]:
        """A repeated call causes no further charge. Raises CesError."""
        async with self._submitting:
            return await self._send(self._plan.submit)

    async def done(self, *, on_progress: OnProgress | None = None) -> ResultT:
        """
        Submits if necessary and polls for the result. An exception of `on_progress` ends the wait,
        and the operation continues in the service. Raises CesError.
        """
        async with self._submitting:
            answer = self._answer or await self._send(self._plan.submit)
        while answer.status == "pending":
            if on_progress is not None:
                on_progress(answer)
            await async_sleep(answer.retry_after_seconds)
            answer = await self._send(self._plan.poll(answer.usage))
        return answer.result

    async def _send(self, request: CesRequest) -> OperationAnswer[ResultT]:
        try:
            answer = await self._transport.send(
                request, wait_for_allowance=self._wait_for_allowance
            )
        except CesError as error:
            self._facts.note_failure(error)
            raise
        self._facts.note(answer)
        self._answer = self._plan.read(request, answer)
        return self._answer
