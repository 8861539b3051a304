from __future__ import annotations

from ces_client.types import Allowance, CompanyResult, Operation as Usage
from scripted_server import Act, Headers, json_answer

ALLOWANCE: Allowance = {"window_seconds": 18_000, "window_remaining": 59, "weekly_remaining": 499}


def pending_usage() -> Usage:
    return {
        "id": 7,
        "status": "pending",
        "request_key": "a-key",
        "request_units": 0,
        "delivered_units": 0,
        "fresh_evidence_units": 0,
    }


def company_result(next_cursor: str | None = None) -> CompanyResult:
    """A page without companies, since no test reads them."""
    settled: Usage = {
        **pending_usage(),
        "status": "delivered",
        "request_units": 1,
        "delivered_units": 2,
    }
    return {
        "usage": settled,
        "request_allowance": ALLOWANCE,
        "coverage_status": "partial",
        "retrieval": "lexical",
        "as_of": "2026-11-20T09:30:00.000Z",
        "next_cursor": next_cursor,
        "withheld_units": 0,
        "delivery_unit": "company",
        "companies": [],
        "ranking": "query_relevance_baseline",
        "candidate_limit": 100,
        "coverage": {
            "requested_companies": 10,
            "returned_companies": 0,
            "stop_reason": "page_filled",
            "limitations": [],
        },
    }


DELIVERED = json_answer(200, company_result())


def pending(retry_after_seconds: int = 0) -> Act:
    body = {"usage": pending_usage(), "request_allowance": ALLOWANCE}
    return json_answer(202, body, {"retry-after": str(retry_after_seconds)})


def refusal(status: int, code: str, headers: Headers | None = None, **more: object) -> Act:
    error = {"code": code, "message": f"The message of {code}.", **more}
    return json_answer(status, {"error": error}, headers)


def failure(code: str) -> Act:
    error = {"code": code, "message": f"The message of {code}."}
    usage = {**pending_usage(), "status": "failed"}
    return json_answer(422, {"error": error, "usage": usage, "request_allowance": ALLOWANCE})
