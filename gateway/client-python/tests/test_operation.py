from __future__ import annotations

import json
import re
import threading

import anyio
import pytest

from answers import DELIVERED, company_result, failure, pending, pending_usage, refusal
from ces_client import AsyncCesClient, CesError, PendingAnswer, Units
from conftest import API_KEY, Connect
from scripted_server import hang_up, json_answer, scripted_server, silence


def test_nothing_is_sent_before_it_is_asked_for(connect: Connect) -> None:
    with scripted_server(DELIVERED) as server:
        search = connect(server.url).search_companies("q")
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}", search.request_key)
    assert (search.units, search.usage_id, search.replayed) == (None, None, False)
    assert server.seen == []


def test_done_polls_as_retry_after_asks_through_lost_polls(connect: Connect) -> None:
    progress: list[PendingAnswer] = []
    with scripted_server(pending(0), pending(1), hang_up, DELIVERED) as server:
        search = connect(server.url).search_companies("q")
        assert search.done(on_progress=progress.append) == company_result()
        assert search.done() == company_result()
    calls = [f"{seen.method} {seen.url}" for seen in server.seen]
    assert calls == ["POST /api/companies/search", *["GET /api/usages/7"] * 3]
    assert [(one.usage["status"], one.retry_after_seconds) for one in progress] == [
        ("pending", 0),
        ("pending", 1),
    ]
    assert server.seen[2].at - server.seen[1].at > 0.95
    assert search.units == Units(request=1, delivered=2, fresh=0)


def test_submit_gives_the_first_answer_and_done_goes_on_from_it(connect: Connect) -> None:
    with scripted_server(pending(0), DELIVERED) as server:
        search = connect(server.url).search_companies("q", background=True)
        answer = search.submit()
        assert (answer.status, answer.usage, answer.retry_after_seconds) == (
            "pending",
            pending_usage(),
            0,
        )
        assert search.usage_id == 7
        search.done()
    assert [seen.method for seen in server.seen] == ["POST", "GET"]
    assert json.loads(server.seen[0].body) == {"query": "q", "background": True}


def test_what_failed_is_submitted_again_with_the_key_it_had(connect: Connect) -> None:
    with scripted_server(refusal(401, "invalid_api_key"), DELIVERED) as server:
        search = connect(server.url).search_companies("q")
        with pytest.raises(CesError, match="invalid_api_key"):
            search.done()
        search.done()
    assert len({seen.headers["idempotency-key"] for seen in server.seen}) == 1


def test_an_exception_of_on_progress_ends_the_wait(connect: Connect) -> None:
    class Enough(Exception):
        pass

    def stop(_: PendingAnswer) -> None:
        raise Enough

    with scripted_server(pending(30), DELIVERED) as server:
        search = connect(server.url).search_companies("q")
        with pytest.raises(Enough):
            search.done(on_progress=stop)
    assert len(server.seen) == 1


def test_input_that_changes_between_attempts_is_sent_as_it_was(connect: Connect) -> None:
    domains = ["a.example"]
    with scripted_server(hang_up, DELIVERED) as server:
        search = connect(server.url).search_companies("q", filters={"domains": domains})
        domains.append("b.example")
        search.done()
    sent = [json.loads(seen.body)["filters"]["domains"] for seen in server.seen]
    assert sent == [["a.example"]] * 2


def test_a_stored_failure_is_raised_from_a_poll_with_its_operation(connect: Connect) -> None:
    with scripted_server(pending(0), failure("search_failed")) as server:
        search = connect(server.url).search_companies("q")
        with pytest.raises(CesError) as caught:
            search.done()
    assert caught.value.code == "search_failed"
    assert caught.value.usage == {**pending_usage(), "status": "failed"}
    assert search.units == Units(request=0, delivered=0, fresh=0)


def test_one_company_is_polled_by_the_identical_call(connect: Connect) -> None:
    company = {"id": 4711, "name": "Maple", "domains": [], "observations": [], "limitations": []}
    headers = {
        "usage-id": "9",
        "units-settled": "request=1, delivered=1, fresh=0",
        "idempotent-replayed": "true",
    }
    with scripted_server(pending(0), json_answer(200, {"company": company}, headers)) as server:
        one = connect(server.url).get_company(4711)
        assert one.done() == {"company": company}
    assert [seen.url for seen in server.seen] == ["/api/companies/4711"] * 2
    assert {seen.headers["idempotency-key"] for seen in server.seen} == {one.request_key}
    assert (one.units, one.usage_id, one.replayed) == (Units(1, 1, 0), 7, True)


def test_a_resumed_operation_is_polled_and_learns_its_key(connect: Connect) -> None:
    with scripted_server(pending(0), DELIVERED) as server:
        resumed = connect(server.url).resume(7)
        with pytest.raises(RuntimeError, match="first answer"):
            _ = resumed.request_key
        assert resumed.done() == company_result()
        assert resumed.request_key == "a-key"
    assert [seen.url for seen in server.seen] == ["/api/usages/7"] * 2


def test_a_key_is_sent_as_utf_8_and_one_that_no_header_carries_is_refused(
    connect: Connect,
) -> None:
    with scripted_server(DELIVERED) as server:
        client = connect(server.url)
        search = client.search_companies("q", request_key=" clé ☀ ")
        search.done()
        for key in ["", " ", "a\nb", "a\x1f", "x" * 1025, "a\ud800"]:
            with pytest.raises(ValueError, match=r"^request_key must have"):
                client.search_companies("q", request_key=key)
    assert search.request_key == "clé ☀"
    sent = server.seen[0].headers["idempotency-key"]
    assert sent.encode("latin-1").decode() == "clé ☀"
    assert len(server.seen) == 1


def test_asynchronous_waits_of_one_operation_send_it_once() -> None:
    async def run(base_url: str) -> None:
        async with AsyncCesClient(base_url=base_url, api_key=API_KEY) as client:
            search = client.search_companies("q")
            async with anyio.create_task_group() as tasks:
                for _ in range(3):
                    tasks.start_soon(search.done)

    with scripted_server(DELIVERED) as server:
        anyio.run(run, server.url)
    assert len(server.seen) == 1


def test_a_cancelled_call_ends_at_once_and_another_goes_on() -> None:
    async def run(base_url: str) -> None:
        async with AsyncCesClient(base_url=base_url, api_key=API_KEY) as client:
            search = client.search_companies("q")
            with anyio.move_on_after(0.1) as scope:
                await search.done()
            assert scope.cancelled_caught
            assert await search.done() == company_result()

    with scripted_server(silence, DELIVERED) as server:
        anyio.run(run, server.url)
    assert len({seen.headers["idempotency-key"] for seen in server.seen}) == 1


def test_threads_share_a_client_and_an_operation(connect: Connect) -> None:
    with scripted_server(DELIVERED) as server:
        search = connect(server.url).search_companies("q")
        threads = [threading.Thread(target=search.done) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(server.seen) == 1
