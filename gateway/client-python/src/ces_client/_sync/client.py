# Generated from `_async` by generate/generate.py.
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import TracebackType
from typing import Self, TypeVar, overload

import httpx

from .. import _shapes as shapes
from .._answer import unexpected_answer
from .._http import ApiKey, Http
from .._inputs import Instant, UsageAction
from .._options import CesAttempt, read_options
from .._outcome import OnProgress, OperationAnswer, OperationPlan, poll_of
from .._request import CesRequest, as_text, body_of, with_id, with_query
from .._request_key import check_first_key, create_request_key, parse_request_key
from .._shapes import Shape
from .._sources import SourceList
from ..types import (
    AnyResult,
    CompanyDetail,
    CompanyLookupResult,
    CompanyResult,
    CompanySearchFilters,
    DiagnosticResult,
    ListedUsage,
    ObservationDetail,
    ObservationLookupResult,
    OperationStatus,
    StatementEntry,
    UsageList,
    UsageReport,
    UsageStatement,
)
from .operation import Operation
from .pages import SearchPage, items_of, pages_of
from .transport import Transport

BodyT = TypeVar("BodyT")

# Some proxies reject longer addresses.
_LONGEST_PATH = 2_000


class CesClient:
    """
    The client of one API key. Every call raises CesError, or ValueError for an argument that no
    request can carry. All times are in seconds.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: ApiKey,
        max_attempts: int = 5,
        timeout_seconds: float = 40.0,
        max_wait_seconds: float = 60.0,
        user_agent: str | None = None,
        on_attempt: Callable[[CesAttempt], None] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        - `base_url`: address of the gateway.
        - `api_key`: `ces_live_…` or `ces_test_…`, or a function that is called before each attempt.
        - `max_attempts`: attempts of one call, including the first.
        - `timeout_seconds`: of one attempt; the default is longer than a search waits for its
          result.
        - `max_wait_seconds`: the longest wait between two attempts. A call that must wait longer
          raises.
        - `on_attempt`: called after each attempt.
        - `http_client`: a client with settings of your own, such as proxies. You close it.
        """
        options = read_options(
            base_url=base_url,
            max_attempts=max_attempts,
            timeout_seconds=timeout_seconds,
            max_wait_seconds=max_wait_seconds,
            user_agent=user_agent,
            on_attempt=on_attempt,
        )
        self._transport = Transport(options, Http(options, api_key, http_client))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def search_companies(
        self,
        query: str,
        *,
        filters: CompanySearchFilters | None = None,
        limit: int | None = None,
        target: int | None = None,
        cursor: str | None = None,
        background: bool | None = None,
        request_key: str | None = None,
        wait_for_allowance: bool | float = False,
    ) -> Operation[CompanyResult]:
        """
        Searches companies: one request unit, and one delivered unit for each company. Sends
        nothing before `done()` or `submit()`.

        - `background`: `submit()` returns as soon as the search is accepted.
        - `request_key`: the idempotency key; default: a random UUID.
        - `wait_for_allowance`: whether to wait for a used-up allowance: True without a limit, or
          up to a number of seconds. By default the call raises at once.
        """
        fields = {
            "query": query,
            "filters": filters,
            "limit": limit,
            "target": target,
            "cursor": cursor,
            "background": background,
        }
        call = CesRequest("POST", "/api/companies/search", body=body_of(fields))
        return self._operation(call, shapes.is_company_result, request_key, wait_for_allowance)

    def search_pages(
        self,
        query: str,
        *,
        filters: CompanySearchFilters | None = None,
        limit: int | None = None,
        target: int | None = None,
        cursor: str | None = None,
        background: bool | None = None,
        request_key: str | None = None,
        wait_for_allowance: bool | float = False,
        on_progress: OnProgress | None = None,
    ) -> Iterator[SearchPage]:
        """
        Yields the pages of a search to the end of its shortlist. Each page is charged when it is
        fetched; page 2 has the key `{request_key}/2`.
        """
        first_key = create_request_key() if request_key is None else request_key
        check_first_key(first_key)
        search = partial(
            self.search_companies,
            query,
            filters=filters,
            limit=limit,
            target=target,
            background=background,
            wait_for_allowance=wait_for_allowance,
        )
        return pages_of(search, first_key=first_key, cursor=cursor, on_progress=on_progress)

    @overload
    def look_up_companies(
        self,
        *,
        ids: Sequence[int],
        request_key: str | None = None,
        wait_for_allowance: bool | float = False,
    ) -> Operation[CompanyLookupResult]: ...

    @overload
    def look_up_companies(
        self,
        *,
        domains: Sequence[str],
        request_key: str | None = None,
        wait_for_allowance: bool | float = False,
    ) -> Operation[CompanyLookupResult]: ...

    def look_up_companies(
        self,
        *,
        ids: Sequence[int] | None = None,
        domains: Sequence[str] | None = None,
        request_key: str | None = None,
        wait_for_allowance: bool | float = False,
    ) -> Operation[CompanyLookupResult]:
        """
        Looks up 1 to 20 companies by id or hostname: one request unit, and one delivered unit for
        each distinct company found.
        """
        call = CesRequest("GET", with_query("/api/companies", {"ids": ids, "domains": domains}))
        is_result = shapes.is_company_lookup_result
        return self._operation(call, is_result, request_key, wait_for_allowance)

    def get_company(
        self,
        company_id: int,
        *,
        request_key: str | None = None,
        wait_for_allowance: bool | float = False,
    ) -> Operation[CompanyDetail]:
        """
        Gets a company by id. An unknown id raises `company_not_found` and costs one request unit.
        """
        call = CesRequest("GET", with_id("/api/companies", company_id))
        is_result = shapes.is_company_detail
        # A poll would return the result of a look-up instead.
        return self._operation(call, is_result, request_key, wait_for_allowance, repeats=True)

    def look_up_observations(
        self,
        *,
        domains: Sequence[str],
        since: Instant,
        limit: int | None = None,
        cursor: str | None = None,
        request_key: str | None = None,
        wait_for_allowance: bool | float = False,
    ) -> Operation[ObservationLookupResult]:
        """
        Lists observations of 1 to 100 hostnames recorded after an instant: one request unit, and
        one delivered unit for each distinct company. `since` is the `as_of` of the previous one.
        """
        since = as_text(since)
        path = with_query(
            "/api/observations",
            {"domains": domains, "since": since, "limit": limit, "cursor": cursor},
        )
        call = CesRequest("GET", path)
        if len(path) > _LONGEST_PATH:
            fields = {"domains": domains, "since": since, "limit": limit, "cursor": cursor}
            call = CesRequest("POST", "/api/observations/lookup", body=body_of(fields))
        is_result = shapes.is_observation_lookup_result
        return self._operation(call, is_result, request_key, wait_for_allowance)

    def diagnose(
        self, *, request_key: str | None = None, wait_for_allowance: bool | float = False
    ) -> Operation[DiagnosticResult]:
        """Checks the API key, the subscription and the service; free."""
        call = CesRequest("POST", "/api/diagnostics", body="{}")
        return self._operation(call, shapes.is_diagnostic_result, request_key, wait_for_allowance)

    def get_operation(self, usage_id: int) -> OperationAnswer[AnyResult]:
        """Polls or replays an operation; free."""
        return self.resume(usage_id).submit()

    def resume(self, usage_id: int) -> Operation[AnyResult]:
        """Resumes a submitted operation by its `usage_id`; free."""
        plan = OperationPlan(poll_of(usage_id), shapes.is_any_result)
        return Operation(self._transport, plan)

    def get_observation(self, observation_id: int) -> ObservationDetail:
        """
        Gets one observation with its current evidence; free. Deprecated: look the company up.
        """
        path = with_id("/api/observations", observation_id)
        return self._read(path, shapes.is_observation_detail)

    def get_usage(self) -> UsageReport:
        """Reports the used, reserved and remaining allowance; free."""
        return self._read("/api/usage", shapes.is_usage_report)

    def list_usages(
        self,
        *,
        since: Instant | None = None,
        until: Instant | None = None,
        action: UsageAction | None = None,
        status: OperationStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> UsageList:
        """Lists a page of the account's operations, newest first; free."""
        filters = {
            "since": since,
            "until": until,
            "action": action,
            "status": status,
            "limit": limit,
            "cursor": cursor,
        }
        return self._read(with_query("/api/usages", filters), shapes.is_usage_list)

    def each_usage(
        self,
        *,
        since: Instant | None = None,
        until: Instant | None = None,
        action: UsageAction | None = None,
        status: OperationStatus | None = None,
        limit: int | None = None,
    ) -> Iterator[ListedUsage]:
        """Yields all operations that match, newest first; free. `limit` is of a page."""

        def fetch_page(cursor: str | None) -> UsageList:
            return self.list_usages(
                since=since, until=until, action=action, status=status, limit=limit, cursor=cursor
            )

        return items_of(fetch_page, lambda page: (page["usages"], page["next_cursor"]))

    def get_statement(
        self,
        *,
        since: Instant | None = None,
        until: Instant | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> UsageStatement:
        """
        Lists a page of settled entries, oldest first, with the totals of all pages; free. The
        default is the current period.
        """
        interval = {"since": since, "until": until, "limit": limit, "cursor": cursor}
        path = with_query("/api/usage/statement", interval)
        return self._read(path, shapes.is_usage_statement)

    def each_entry(
        self,
        *,
        since: Instant | None = None,
        until: Instant | None = None,
        limit: int | None = None,
    ) -> Iterator[StatementEntry]:
        """Yields all settled entries in an interval, oldest first; free. `limit` is of a page."""

        def fetch_page(cursor: str | None) -> UsageStatement:
            return self.get_statement(since=since, until=until, limit=limit, cursor=cursor)

        return items_of(fetch_page, lambda page: (page["entries"], page["next_cursor"]))

    def get_sources(self) -> SourceList:
        """Lists licence and attribution of every source; sends no API key."""
        return self._read("/sources", shapes.is_source_list, is_public=True)

    def _operation(
        self,
        call: CesRequest,
        is_result: Shape[BodyT],
        request_key: str | None,
        wait_for_allowance: bool | float,
        *,
        repeats: bool = False,
    ) -> Operation[BodyT]:
        key = create_request_key() if request_key is None else parse_request_key(request_key)
        submit = CesRequest(call.method, call.path, body=call.body, request_key=key)
        plan = OperationPlan(submit, is_result, repeats)
        return Operation(self._transport, plan, wait_for_allowance)

    def _read(self, path: str, is_body: Shape[BodyT], *, is_public: bool = False) -> BodyT:
        request = CesRequest("GET", path, is_public=is_public)
        answer = self._transport.send(request)
        if is_body(answer.body):
            return answer.body
        raise unexpected_answer(request, answer)
