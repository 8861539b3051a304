from __future__ import annotations

import copy
import pickle
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from answers import DELIVERED, refusal
from ces_client import AsyncCesClient, CesAttempt, CesClient, CesError
from conftest import API_KEY, Connect
from scripted_server import (
    Act,
    dripping_body,
    end_early,
    endless,
    hang_up,
    hang_up_mid_body,
    json_answer,
    page,
    scripted_server,
    silence,
    slow_body,
)

FAULTS: dict[str, Act] = {
    "a connection that ends without an answer": hang_up,
    "a connection that ends in the middle of an answer": hang_up_mid_body,
    "an answer that does not come in time": silence,
    "an answer that does not end in time": slow_body,
    "an answer that drips": dripping_body,
    "an answer that ends too early without a word": end_early,
    "408": refusal(408, "request_timeout"),
    "429 rate_limited": refusal(429, "rate_limited", retry_after_seconds=0),
    "500": refusal(500, "internal_error"),
    "503": refusal(503, "service_unavailable", {"retry-after": "0"}),
    "502 of a proxy": page(502),
    "504 of a proxy": page(504),
}


# Long enough for a busy machine to answer, short enough to wait for.
_LATE_SECONDS = 2.0


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_same_call_is_sent_again_with_the_same_key_and_body(
    connect: Connect, fault: Act
) -> None:
    is_late = fault in (silence, slow_body, dripping_body)
    options = {"timeout_seconds": _LATE_SECONDS} if is_late else {}
    with scripted_server(fault, fault, DELIVERED) as server:
        client = connect(server.url, **options)
        search = client.search_companies("cold", filters={"countries": ["CA"]})
        assert search.done()["usage"]["id"] == 7
    assert len(server.seen) == 3
    for seen in server.seen:
        assert (seen.method, seen.url) == ("POST", "/api/companies/search")
        assert seen.headers["idempotency-key"] == search.request_key
        assert seen.body == '{"query": "cold", "filters": {"countries": ["CA"]}}'


def test_reads_are_repeated_alike(connect: Connect) -> None:
    unavailable = refusal(503, "service_unavailable")
    with scripted_server(hang_up, unavailable, json_answer(200, {"sources": []})) as server:
        assert connect(server.url).get_sources() == {"sources": []}
    assert "authorization" not in server.seen[-1].headers


def _in_seconds(seconds: int) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


ASKED: dict[str, Act] = {
    "Retry-After in seconds": refusal(503, "service_unavailable", {"retry-after": "1"}),
    "Retry-After as a date": lambda handler: refusal(
        503, "service_unavailable", {"retry-after": format_datetime(_in_seconds(2), usegmt=True)}
    )(handler),
    "retry_after_seconds": refusal(503, "service_unavailable", retry_after_seconds=1),
    "only retry_at": lambda handler: refusal(
        503, "service_unavailable", retry_at=_in_seconds(1).isoformat()
    )(handler),
}


@pytest.mark.parametrize("refused", ASKED.values(), ids=ASKED)
def test_nothing_is_sent_again_before_the_requested_wait_is_over(
    connect: Connect, refused: Act
) -> None:
    with scripted_server(refused, DELIVERED) as server:
        connect(server.url).search_companies("q").done()
    first, second = server.seen
    assert second.at - first.at > 0.95


def test_after_the_last_attempt_the_error_has_the_key_to_go_on_with(connect: Connect) -> None:
    with scripted_server(hang_up) as server:
        search = connect(server.url, max_attempts=3).search_companies("q")
        with pytest.raises(CesError) as caught:
            search.done()
    assert (caught.value.code, caught.value.status) == ("connection_failed", 0)
    assert caught.value.request_key == search.request_key
    assert len(server.seen) == 3


def test_a_wait_that_is_longer_than_the_longest_one_is_not_begun(connect: Connect) -> None:
    with scripted_server(refusal(429, "rate_limited", retry_after_seconds=1800)) as server:
        with pytest.raises(CesError) as caught:
            connect(server.url).diagnose().done()
    assert (caught.value.code, caught.value.retry_after_seconds) == ("rate_limited", 1800)
    assert caught.value.retry_at is not None
    assert caught.value.retry_at > _in_seconds(1700)
    assert len(server.seen) == 1


@pytest.mark.parametrize("seconds", [1e308, -5, "soon", True, None])
def test_waits_that_no_clock_can_hold_are_no_waits(connect: Connect, seconds: object) -> None:
    with (
        scripted_server(refusal(503, "service_unavailable", retry_after_seconds=seconds)) as server,
        pytest.raises(CesError) as caught,
    ):
        connect(server.url, max_attempts=1).get_usage()
    assert caught.value.retry_after_seconds == (0 if seconds == -5 else None)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "invalid_api_key"),
        (402, "subscription_required"),
        (404, "company_not_found"),
        (422, "invalid_search"),
        (422, "idempotency_conflict"),
        (422, "search_failed"),
        (429, "request_limit_reached"),
    ],
)
def test_a_refusal_is_raised_at_once_with_its_code(
    connect: Connect, status: int, code: str
) -> None:
    with scripted_server(refusal(status, code, retry_after_seconds=1)) as server:
        with pytest.raises(CesError) as caught:
            connect(server.url).search_companies("q").done()
    error = caught.value
    assert (error.code, error.status, error.request_id) == (code, status, "request-1")
    assert error.message == f"The message of {code}."
    assert len(server.seen) == 1


def test_a_used_up_allowance_is_waited_for_when_that_is_asked_for(connect: Connect) -> None:
    refused = refusal(429, "request_limit_reached", retry_after_seconds=1)
    with scripted_server(refused, refused, DELIVERED) as server:
        client = connect(server.url, max_attempts=1)
        client.search_companies("q", wait_for_allowance=True).done()
    assert len({seen.headers["idempotency-key"] for seen in server.seen}) == 1
    assert server.seen[2].at - server.seen[0].at > 1.95


def test_it_is_not_waited_for_longer_than_allowed_nor_when_no_wait_helps(connect: Connect) -> None:
    long = refusal(429, "request_limit_reached", retry_after_seconds=60)
    with scripted_server(long, refusal(429, "request_limit_reached")) as server:
        client = connect(server.url)
        for wait in (5, True):
            with pytest.raises(CesError, match="request_limit_reached"):
                client.search_companies("q", wait_for_allowance=wait).done()
    assert len(server.seen) == 2


def test_a_redirect_is_refused_and_nothing_goes_there(connect: Connect) -> None:
    with scripted_server(DELIVERED) as elsewhere:
        moved = page(307, {"location": f"{elsewhere.url}/api/companies/search"})
        with scripted_server(moved) as server:
            with pytest.raises(CesError, match="redirect_refused"):
                connect(server.url).search_companies("q").done()
    assert (len(server.seen), len(elsewhere.seen)) == (1, 0)


UNEXPECTED: dict[str, Act] = {
    "the page of a proxy": page(200),
    "an error page": page(404),
    "JSON that is no object": json_answer(200, []),
    "JSON too deep to read": json_answer(200, {"usage": "x", "companies": []}),
    "an error that is none of the interface": json_answer(400, {"error": "no"}),
    "a result without what it must have": json_answer(200, {"usage": {"id": "x"}, "companies": []}),
    "a pending body without its operation": json_answer(202, {}),
}


@pytest.mark.parametrize("act", UNEXPECTED.values(), ids=UNEXPECTED)
def test_what_is_not_of_the_interface_is_unexpected_and_not_quoted(
    connect: Connect, act: Act
) -> None:
    with scripted_server(act) as server, pytest.raises(CesError) as caught:
        connect(server.url).search_companies("q").done()
    assert caught.value.code == "unexpected_answer"
    assert caught.value.message.startswith("POST /api/companies/search got an answer (")
    assert not {"<", "{"} & set(str(caught.value))
    assert len(server.seen) == 1


def test_an_answer_that_does_not_end_is_given_up_at_its_bound(connect: Connect) -> None:
    with scripted_server(endless) as server:
        with pytest.raises(CesError, match="longer than 32 MiB") as caught:
            connect(server.url).get_usage()
    assert caught.value.code == "unexpected_answer"


def test_the_api_key_is_in_no_error_and_no_attempt(connect: Connect) -> None:
    unknown = {"code": "invalid_api_key", "message": f"Unknown key {API_KEY}."}
    attempts: list[CesAttempt] = []
    with scripted_server(hang_up, page(502), json_answer(401, {"error": unknown})) as server:
        client = connect(server.url, on_attempt=attempts.append)
        with pytest.raises(CesError) as caught:
            client.search_companies("q").done()
    assert [(one.attempt, one.status, one.wait_seconds) for one in attempts] == [
        (1, 0, 0.0),
        (2, 502, 0.0),
        (3, 401, None),
    ]
    errors = [caught.value, *(one.error for one in attempts)]
    printed = "".join(repr(errors) + str(attempts))
    for error in errors:
        assert error is not None
        printed += "".join(traceback.format_exception(error)) + repr(vars(error))
        # The original error of the library holds the request.
        assert not isinstance(error.__cause__ or error.__context__, httpx.HTTPError)
    assert API_KEY not in printed
    assert server.seen[0].headers["authorization"] == f"Bearer {API_KEY}"


@pytest.mark.parametrize("client_class", [CesClient, AsyncCesClient])
def test_base_url_must_be_an_address_without_a_user(
    client_class: type[CesClient] | type[AsyncCesClient],
) -> None:
    for base_url in [
        "",
        "gateway",
        "ftp://gateway",
        "http://user:password@gateway",
        "http://[",
        "/x",
    ]:
        with pytest.raises(ValueError, match="base_url must be"):
            client_class(base_url=base_url, api_key=API_KEY)


def test_base_url_may_have_a_path(connect: Connect) -> None:
    with scripted_server(json_answer(200, {"sources": []})) as server:
        connect(f"{server.url}/evidence/", user_agent="a-program/2").get_sources()
    assert server.seen[0].url == "/evidence/sources"
    assert server.seen[0].headers["user-agent"] == "a-program/2"


def test_a_text_that_no_header_takes_is_refused_as_api_key_without_being_repeated(
    connect: Connect,
) -> None:
    with scripted_server(DELIVERED) as server:
        for api_key in ["", "x y", f"{API_KEY}\n"]:
            with pytest.raises(ValueError, match="api_key must be") as caught:
                connect(server.url, api_key=api_key).get_usage()
            assert API_KEY not in str(caught.value)
    assert server.seen == []


def test_an_api_key_that_is_asked_for_is_asked_for_before_each_attempt(connect: Connect) -> None:
    keys = iter(["ces_live_1", "ces_live_2"])
    with scripted_server(hang_up, DELIVERED) as server:
        connect(server.url, api_key=lambda: next(keys)).search_companies("q").done()
    sent = [seen.headers["authorization"] for seen in server.seen]
    assert sent == ["Bearer ces_live_1", "Bearer ces_live_2"]


def test_an_error_can_be_copied_and_pickled() -> None:
    error = CesError("rate_limited", "Later.", status=429, request_key="k")
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (other.code, other.message, other.status) == ("rate_limited", "Later.", 429)
        assert other.request_key == "k"
