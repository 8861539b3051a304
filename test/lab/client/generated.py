"""What a program sees of the interface by the client that openapi-python-client generates; prints it as JSON."""

import datetime
import json
import os

from company_evidence_search_client import AuthenticatedClient
from company_evidence_search_client.api.look_up import look_up_companies, look_up_observations
from company_evidence_search_client.api.search import search_companies
from company_evidence_search_client.api.usage import get_usage, get_usage_report
from company_evidence_search_client.models import (
    CompanyLookupResult,
    CompanyResult,
    CompanySearchBody,
    CompanySearchFilters,
    Country,
    ErrorBody,
    FoundById,
    NotFoundById,
    ObservationLookupResult,
    Pending,
    UsageReport,
)

QUERY = "cold storage"


def client_of(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=os.environ["CES_GATEWAY_URL"], token=token, raise_on_unexpected_status=True)


def expect(kind, value):
    assert isinstance(value, kind), f"{kind.__name__} was expected and not {value}"
    return value


def main() -> None:
    client = client_of(os.environ["CES_TOKEN"])
    before = expect(UsageReport, get_usage_report.sync(client=client)).usage.request_units
    body = CompanySearchBody(query=QUERY, limit=1, filters=CompanySearchFilters(countries=[Country.US]))
    first = expect(CompanyResult, search_companies.sync(client=client, body=body, idempotency_key="python-1"))
    again = search_companies.sync_detailed(client=client, body=body, idempotency_key="python-1")
    assert expect(CompanyResult, again.parsed).usage == first.usage
    body.cursor = first.next_cursor
    second = expect(CompanyResult, search_companies.sync(client=client, body=body, idempotency_key="python-2"))
    company = first.companies[0]
    background = CompanySearchBody(query=QUERY, limit=2, background=True)
    accepted = search_companies.sync(client=client, body=background, idempotency_key="python-3")
    polled = get_usage.sync(first.usage.id, client=client)
    ids = [company.id, 2**40]
    found = expect(CompanyLookupResult, look_up_companies.sync(client=client, ids=ids, idempotency_key="python-4"))
    news = look_up_observations.sync(
        client=client,
        domains=[company.domains[0].hostname],
        since=datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1),
        idempotency_key="python-5",
    )
    blank = search_companies.sync(client=client, body=CompanySearchBody(query=" "), idempotency_key="python-6")
    unknown = get_usage_report.sync(client=client_of("ces_live_nobody"))
    after = expect(UsageReport, get_usage_report.sync(client=client)).usage.request_units
    print(
        json.dumps(
            {
                "replayed": again.headers.get("idempotent-replayed"),
                "pages": [len(page.companies) for page in (first, second)],
                "distinct": first.companies[0].id != second.companies[0].id,
                "dated": company.observations[0].occurred_at.tzinfo is not None,
                "accepted": expect(Pending, accepted).usage.status.value,
                "polled": type(expect(CompanyResult, polled)).__name__,
                "lookups": [type(item).__name__ for item in found.lookups],
                "news": type(expect(ObservationLookupResult, news)).__name__,
                "errors": [expect(ErrorBody, answer).error.code for answer in (blank, unknown)],
                "request_units": after - before,
            }
        )
    )
    expect(FoundById, found.lookups[0])
    expect(NotFoundById, found.lookups[1])


main()
