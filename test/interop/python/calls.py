"""Calls that an API key pays for, and how they are refused."""

import time

import grpc
from ces.failure.v1 import failure_pb2
from ces.ledger.v1 import ledger_admin_service_pb2, ledger_admin_service_pb2_grpc
from ces.operations.v1 import operations_pb2, operations_service_pb2, operations_service_pb2_grpc
from google.protobuf import json_format
from grpc_status import rpc_status

ANSWERED_WITHIN = 2.0
TOO_SHORT = 0.001


def submits(told) -> str:
    first = submit(told, told["apiKey"], "python-1")
    again = submit(told, told["apiKey"], "python-1")
    units = first.usage.units.request_units
    assert (first.replayed, units, again.replayed) == (False, 1, True), (first, again)
    assert again.usage.id == first.usage.id, (first, again)
    return f"operation {first.usage.id}, {units} request unit, then replayed"


def meets_limit(told) -> str:
    submit(told, told["limitedKey"], "python-first")
    failure = refusal(
        lambda: submit(told, told["limitedKey"], "python-second"),
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        failure_pb2.FAILURE_CODE_REQUEST_LIMIT_REACHED,
    )
    assert failure.retry_at.seconds > time.time(), failure
    return f"in {failure.retry_after_seconds} s"


def is_unknown(told) -> str:
    code = failure_pb2.FAILURE_CODE_INVALID_API_KEY
    refusal(lambda: submit(told, "ces_live_nobody", "python-nobody"), grpc.StatusCode.UNAUTHENTICATED, code)
    return "FAILURE_CODE_INVALID_API_KEY"


def is_stranger(told) -> str:
    with grpc.insecure_channel(told["ledger"]) as channel:
        stub = ledger_admin_service_pb2_grpc.LedgerAdminServiceStub(channel)
        refusal(
            lambda: stub.ListPlans(ledger_admin_service_pb2.ListPlansRequest()),
            grpc.StatusCode.PERMISSION_DENIED,
            failure_pb2.FAILURE_CODE_CALLER_NOT_ALLOWED,
        )
    return "FAILURE_CODE_CALLER_NOT_ALLOWED"


def keeps_deadline(told) -> str:
    with grpc.insecure_channel(told["operations"]) as channel:
        stub = operations_service_pb2_grpc.OperationsServiceStub(channel)

        def search(key, within):
            request = operations_service_pb2.SubmitCompanySearchRequest(
                caller={"bearer": told["testKey"]}, request_key=key, input={"query": "sandbox:slow"}
            )
            return stub.SubmitCompanySearch(request, timeout=within).answer

        begun = time.monotonic()
        status = search("python-slow", ANSWERED_WITHIN).usage.status
        took = round((time.monotonic() - begun) * 1000)
        assert status in (operations_pb2.STATUS_PENDING, operations_pb2.STATUS_PROCESSING), status
        try:
            search("python-short", TOO_SHORT)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED, error
            return f"{ANSWERED_WITHIN:.0f}s: open after {took}ms; 1ms: DEADLINE_EXCEEDED"
        raise AssertionError("a search was answered within a millisecond")


def submit(told, api_key, key):
    """The request that the page shows, under a key of its own."""
    request = json_format.ParseDict(told["request"], operations_service_pb2.SubmitCompanyLookupRequest())
    request.caller.bearer = api_key
    request.request_key = key
    with grpc.insecure_channel(told["operations"]) as channel:
        return operations_service_pb2_grpc.OperationsServiceStub(channel).SubmitCompanyLookup(request, timeout=10).answer


def refusal(call, code, failure_code):
    """The Failure among the details of the error that the call ends with, which must have these codes."""
    try:
        call()
    except grpc.RpcError as error:
        assert error.code() == code, error
        for detail in rpc_status.from_call(error).details:
            failure = failure_pb2.Failure()
            if detail.Unpack(failure):
                assert failure.code == failure_code, failure
                return failure
        raise AssertionError(f"no Failure among the details: {error}")
    raise AssertionError("the call succeeded")
