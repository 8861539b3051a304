from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from answers import company_result, pending_usage
from conftest import Connect
from scripted_server import Act, json_answer, scripted_server


def test_pages_repeat_the_search_with_its_cursor_and_a_key_of_their_own(connect: Connect) -> None:
    more, last = company_result("next"), company_result()
    with scripted_server(*[json_answer(200, page) for page in (more, more, last)]) as server:
        pages = connect(server.url).search_pages("q", limit=5, request_key="k")
        keys = [operation.request_key for _, operation in pages]
    assert keys == ["k", "k/2", "k/3"]
    first = {"query": "q", "limit": 5}
    later = {**first, "cursor": "next"}
    assert [json.loads(seen.body) for seen in server.seen] == [first, later, later]
    assert [seen.headers["idempotency-key"] for seen in server.seen] == keys


def test_pages_stop_with_the_reader(connect: Connect) -> None:
    with scripted_server(json_answer(200, company_result("next"))) as server:
        for page, _ in connect(server.url).search_pages("q"):
            assert page["next_cursor"] == "next"
            break
    assert len(server.seen) == 1


@pytest.mark.parametrize("key", ["k" * 1023, ""])
def test_a_key_that_leaves_no_room_for_later_pages_is_refused(connect: Connect, key: str) -> None:
    with scripted_server(json_answer(200, company_result("next"))) as server:
        with pytest.raises(ValueError, match="request_key"):
            next(connect(server.url).search_pages("q", request_key=key))
    assert server.seen == []


def _listed(ids: list[int], next_cursor: str | None) -> Act:
    usages = [
        {"usage": {**pending_usage(), "id": one}, "action": "company_search", "query": "q"}
        for one in ids
    ]
    body = {"usages": usages, "next_cursor": next_cursor, "as_of": "2026-11-20T09:30:00.000Z"}
    return json_answer(200, body)


def test_every_operation_of_the_account_is_read_through_pages_that_are_empty(
    connect: Connect,
) -> None:
    pages = [_listed([3, 2], "a"), _listed([], "b"), _listed([1], None)]
    since = datetime(2026, 11, 1, tzinfo=UTC)
    with scripted_server(*pages) as server:
        usages = connect(server.url).each_usage(since=since, action="company_search", limit=2)
        assert [one["usage"]["id"] for one in usages] == [3, 2, 1]
    first = "/api/usages?since=2026-11-01T00%3A00%3A00Z&action=company_search&limit=2"
    assert [seen.url for seen in server.seen] == [first, f"{first}&cursor=a", f"{first}&cursor=b"]


def test_an_instant_without_a_time_zone_is_refused(connect: Connect) -> None:
    with pytest.raises(ValueError, match="time zone"):
        connect("http://gateway.example").get_statement(since=datetime(2026, 11, 1))
