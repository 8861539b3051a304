"""
Tests against the gateway of a running stack with eight companies. `npm run lab -- client-python`
starts one; without it they are skipped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ces_client import CesError, Price, Units, price_of
from conftest import Connect

_WORLD = os.environ.get("CES_TEST_WORLD")
_QUERY = "battery plant"

pytestmark = pytest.mark.skipif(_WORLD is None, reason="no gateway is running")


@pytest.fixture(scope="session")
def world() -> Any:
    return json.loads(Path(_WORLD or "").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def keys(world: Any) -> Iterator[str]:
    """API keys of accounts that nothing else uses."""
    return iter(world["api_keys"])


@pytest.fixture
def ces(connect: Connect, world: Any, keys: Iterator[str]) -> Any:
    return connect(world["base_url"], api_key=next(keys))


def _charged(ces: Any) -> tuple[int, int]:
    usage = ces.get_usage()["usage"]
    return usage["request_units"], usage["delivered_units"]


def test_a_search_knows_its_key_before_it_is_sent_and_its_units_afterwards(ces: Any) -> None:
    search = ces.search_companies(_QUERY, limit=3)
    key = search.request_key
    page = search.done()
    assert len(page["companies"]) == 3
    assert page["usage"]["request_key"] == key == search.request_key
    assert search.units == Units(request=1, delivered=3, fresh=0)
    assert (search.usage_id, search.replayed) == (page["usage"]["id"], False)
    assert search.allowance == page["request_allowance"]
    assert search.request_id


def test_the_same_key_again_is_the_same_operation_and_not_paid_for(ces: Any) -> None:
    first = ces.search_companies(_QUERY, limit=3, request_key="clé d’été ☀").done()
    again = ces.search_companies(_QUERY, limit=3, request_key="clé d’été ☀")
    assert again.done()["usage"] == first["usage"]
    assert first["usage"]["request_key"] == "clé d’été ☀"
    assert again.replayed is True
    assert _charged(ces) == (1, 3)


def test_pages_have_keys_derived_from_the_first_and_cost_nothing_twice(ces: Any) -> None:
    for is_second in (False, True):
        pages = list(ces.search_pages(_QUERY, limit=3, request_key="tour"))
        assert [len(page["companies"]) for page, _ in pages] == [3, 3, 2]
        assert [one.request_key for _, one in pages] == ["tour", "tour/2", "tour/3"]
        assert [one.replayed for _, one in pages] == [is_second] * 3
    assert len({company["id"] for page, _ in pages for company in page["companies"]}) == 8
    assert _charged(ces) == (3, 8)


def test_a_background_search_is_polled_to_the_end_and_resumed(ces: Any) -> None:
    search = ces.search_companies(_QUERY, limit=2, background=True)
    answer = search.submit()
    assert (answer.status, answer.retry_after_seconds) == ("pending", 2)
    assert search.units == Units(request=0, delivered=0, fresh=0)
    result = search.done()
    assert search.units == Units(request=1, delivered=2, fresh=0)
    resumed = ces.resume(result["usage"]["id"])
    assert resumed.done()["companies"] == result["companies"]
    assert resumed.request_key == search.request_key
    assert ces.get_operation(result["usage"]["id"]).status == "done"


def test_companies_are_looked_up_by_id_by_hostname_and_one_by_one(ces: Any, world: Any) -> None:
    company_id = world["company_id"]
    by_id = ces.look_up_companies(ids=[company_id, 999_999_999]).done()
    assert [item["status"] for item in by_id["lookups"]] == ["found", "not_found"]
    by_domain = ces.look_up_companies(domains=["northwind2.example"]).done()
    assert len(by_domain["companies"]) == 1
    one = ces.get_company(company_id)
    assert one.done()["company"]["id"] == company_id
    assert one.units == Units(request=1, delivered=1, fresh=0)
    unknown = ces.get_company(999_999_999)
    with pytest.raises(CesError, match="company_not_found"):
        unknown.done()
    assert unknown.units == Units(request=1, delivered=0, fresh=0)


def test_observations_are_looked_up_by_an_address_or_by_a_body(ces: Any, world: Any) -> None:
    since = datetime.now(UTC) - timedelta(hours=1)
    domains = ["northwind1.example", "northwind2.example"]
    found = ces.look_up_observations(domains=domains, since=since).done()
    assert len(found["observations"]) == 2
    many = [f"a-rather-long-name-northwind{number}.example" for number in range(100)]
    assert len(ces.look_up_observations(domains=many, since=since).done()["domains"]) == 100
    observation = ces.get_observation(world["observation_id"])["observation"]
    assert observation["company"]["id"] == world["company_id"]


def test_diagnostics_the_usage_report_and_sources_cost_nothing(ces: Any) -> None:
    assert ces.diagnose().done()["subscription"]["plan"] == "professional"
    assert ces.get_sources()["sources"]
    assert _charged(ces) == (0, 0)


def test_the_statement_adds_up_to_the_usage_report(ces: Any) -> None:
    list(ces.search_pages(_QUERY, limit=3, request_key="listed"))
    ces.look_up_companies(domains=["northwind1.example"]).done()
    searches = ces.each_usage(action="company_search", limit=2)
    keys = [one["usage"]["request_key"] for one in searches]
    assert keys == ["listed/3", "listed/2", "listed"]
    entries = list(ces.each_entry(limit=3))
    sums = tuple(sum(one[unit] for one in entries) for unit in ("request_units", "delivered_units"))
    assert sums == _charged(ces)
    totals = ces.get_statement(limit=1)["totals"]
    assert (totals["request_units"], totals["delivered_units"]) == sums


@pytest.mark.parametrize(
    ("query", "code", "status"),
    [
        ("sandbox:planning_unavailable", "planning_unavailable", 422),
        ("sandbox:failed", "search_failed", 422),
        ("sandbox:limit_reached", "request_limit_reached", 429),
    ],
)
def test_failures_of_the_service_have_their_code_and_key(
    connect: Connect, world: Any, query: str, code: str, status: int
) -> None:
    ces = connect(world["base_url"], api_key=world["test_key"])
    with pytest.raises(CesError) as caught:
        ces.search_companies(query, request_key=query).done()
    error = caught.value
    assert (error.code, error.status, error.request_key) == (code, status, query)


def test_losing_the_first_answer_to_every_call_changes_no_bill(
    connect: Connect, world: Any, keys: Iterator[str]
) -> None:
    bills = []
    for base_url in (world["base_url"], world["lossy_url"]):
        ces = connect(base_url, api_key=next(keys))
        list(ces.search_pages(_QUERY, limit=3, request_key="pages"))
        ces.search_companies(_QUERY, limit=2, background=True).done()
        ces.look_up_companies(domains=["northwind1.example", "nobody.example"]).done()
        ces.get_company(world["company_id"]).done()
        since = "2026-01-01T00:00:00Z"
        ces.look_up_observations(domains=["northwind3.example"], since=since).done()
        ces.diagnose().done()
        bills.append((ces.get_usage()["usage"], len(list(ces.each_entry()))))
    assert bills[0] == bills[1]
    assert (bills[0][0]["request_units"], bills[0][0]["delivered_units"]) == (7, 13)


def test_prices_are_those_of_the_typescript_client(world: Any) -> None:
    """Its tests compare them with admission."""
    assert len(world["prices"]) > 5
    for call, parameters, request_units, delivered_units in world["prices"]:
        price = getattr(price_of, call)(**parameters)
        assert price == Price(request_units, delivered_units), (call, parameters)
