# Generated from `_async` by generate/generate.py.
from __future__ import annotations

from typing import Generic, TypeVar

from .._concurrency import Lock, sleep
from .._errors import CesError
from .._outcome import OnProgress, OperationAnswer, OperationFacts, OperationPlan, Units
from .._request import CesRequest
from ..types import Allowance
from .transport import Transport

ResultT = TypeVar("ResultT")


class Operation(Generic[ResultT]):
    """A metered call; its idempotency key identifies it from the first attempt on."""

    def __init__(
        self,
        transport: Transport,
        plan: OperationPlan[ResultT],
        wait_for_allowance: bool | float = False,
    ) -> None:
        self._transport = transport
        self._plan = plan
        self._wait_for_allowance = wait_for_allowance
        self._facts = OperationFacts(plan.submit.request_key)
        self._answer: OperationAnswer[ResultT] | None = None
        self._submitting = Lock()

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

    def submit(self) -> OperationAnswer[ResultT]:
        """A repeated call causes no further charge. Raises CesError."""
        with self._submitting:
            return self._send(self._plan.submit)

    def done(self, *, on_progress: OnProgress | None = None) -> ResultT:
        """
        Submits if necessary and polls for the result. An exception of `on_progress` ends the wait,
        and the operation continues in the service. Raises CesError.
        """
        with self._submitting:
            answer = self._answer or self._send(self._plan.submit)
        while answer.status == "pending":
            if on_progress is not None:
                on_progress(answer)
            sleep(answer.retry_after_seconds)
            answer = self._send(self._plan.poll(answer.usage))
        return answer.result

    def _send(self, request: CesRequest) -> OperationAnswer[ResultT]:
        try:
            answer = self._transport.send(request, wait_for_allowance=self._wait_for_allowance)
        except CesError as error:
            self._facts.note_failure(error)
            raise
        self._facts.note(answer)
        self._answer = self._plan.read(request, answer)
        return self._answer
