# Generated from the OpenAPI document with sha256 26c1d0eb3f203c9e7bef58bbed9a67164a5f32cbbf04eec4732fb3f0bc90013f.

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict, final


@final
class Allowance(TypedDict):
    """Request units that are left now in the rolling window and in the rolling week."""

    window_seconds: int
    window_remaining: int
    weekly_remaining: int


@final
class CompanyReference(TypedDict):
    id: int
    name: str


CompanyId: TypeAlias = int


ExcludeCompanyId: TypeAlias = int


Country: TypeAlias = Literal['CA', 'US']


@final
class Coverage(TypedDict):
    requested_companies: int
    """Requested page size."""
    target_companies: NotRequired[int]
    """Acquisition goal: `target` when supplied, otherwise the page limit."""
    available_companies: NotRequired[int]
    """Companies of the frozen shortlist; not a market total."""
    returned_companies: int
    occurred_after: NotRequired[str | None]
    """Effective event-date cutoff; null for structural company-profile searches, unless one was given."""
    stop_reason: str
    """`shortlist_page`, `target_reached`, `page_filled`, `time_budget_reached`, `acquisition_budget_reached`, `source_unavailable`, `candidate_limit_reached` or `sources_exhausted`; values may be added."""
    limitations: Sequence[str]
    """For example `limited_source_coverage`; values may be added."""


DeliveryUnit: TypeAlias = Literal['company', 'observation']
"""Always `company`: settlement is per distinct company."""


DemandClass: TypeAlias = Literal['explicit_request', 'proxy', 'structural']


@final
class DiagnosticBody(TypedDict):
    pass


@final
class Domain(TypedDict):
    id: int
    hostname: str


@final
class DomainCoverage(TypedDict):
    """`not_found` means no coverage yet, not that the company is inactive."""

    hostname: str
    status: Literal['found', 'not_found']


@final
class Error(TypedDict):
    code: str
    """What clients branch on; values may be added."""
    message: str
    """What is wrong and what to do, for people."""
    retry_at: NotRequired[str]
    """When the same call would be admitted; advisory."""
    retry_after_seconds: NotRequired[int]
    """Seconds from now to `retry_at`."""


@final
class Evidence(TypedDict):
    source_uri: str
    """For company profiles it may be a company homepage, not a verified citation of each field."""
    excerpt: str
    """Retained supporting text, verbatim."""
    occurred_at: str | None
    """Null for a structural profile without an event date."""
    observed_at: str
    last_seen_at: NotRequired[str]
    """Latest retrieval of the unchanged source record; not a new event."""


@final
class FoundByDomain(TypedDict):
    domain: str
    status: Literal['found']
    company_id: int


@final
class FoundById(TypedDict):
    id: int
    status: Literal['found']
    company_id: int


Kind: TypeAlias = Literal['procurement_request', 'facility_expansion', 'funding_round', 'leadership_change', 'product_launch', 'partnership', 'technology_use', 'job_posting', 'company_profile']


@final
class Match(TypedDict):
    """The query as normalised, and the nested observations in the order of their rank."""

    query: str
    observation_ids: Sequence[int]


@final
class NotFoundByDomain(TypedDict):
    domain: str
    status: Literal['not_found', 'ambiguous', 'unavailable']


@final
class NotFoundById(TypedDict):
    id: int
    status: Literal['not_found', 'ambiguous', 'unavailable']


@final
class ObservationLookupBody(TypedDict):
    domains: Sequence[str]
    """Hostnames."""
    since: str
    """Exclusive: observations recorded after this instant. RFC 3339 with offset or Z. The next poll passes the last `as_of`."""
    limit: NotRequired[int]
    """Page size, default 100."""
    cursor: NotRequired[str]
    """`next_cursor` of the page before; use a new key."""


@final
class ObservationSearchFilters(TypedDict):
    """Values within one field combine as OR, fields as AND. Exclusions win over inclusions. An empty list does not restrict."""

    countries: NotRequired[Sequence[Country]]
    """The observation's country, or for company profiles the supported headquarters country."""
    kinds: NotRequired[Sequence[Kind]]
    demand_classes: NotRequired[Sequence[DemandClass]]
    occurred_after: NotRequired[str]
    observed_after: NotRequired[str]
    """Collection-date cutoff, inclusive: when evidence was collected, not when the event happened."""


OperationStatus: TypeAlias = Literal['pending', 'processing', 'delivered', 'failed']


@final
class Reservations(TypedDict):
    request_units: int
    delivered_units: int


Retrieval: TypeAlias = Literal['lexical', 'hybrid']
"""`hybrid`: vectors or a reranker took part in the order; `lexical`: only words."""


SearchableKind: TypeAlias = Literal['company_profile', 'procurement_request', 'facility_expansion']


Sector: TypeAlias = Literal['11', '21', '22', '23', '31-33', '42', '44-45', '48-49', '51', '52', '53', '54', '55', '56', '61', '62', '71', '72', '81', '92']
"""NAICS 2022 sector."""


@final
class StatementEntry(TypedDict):
    """What an operation settled, or the taking back of that."""

    usage_id: int
    request_key: str | None
    """The idempotency key; null when the operation is no longer kept."""
    action: str | None
    """As in GET /api/usages; null when the operation is no longer kept."""
    settled_at: str
    """When it was settled. A reversal has the time of the settlement that it reverses."""
    kind: Literal['settlement', 'reversal']
    reason: str | None
    """Why it was reversed; null for a settlement."""
    request_units: int
    """Negative in a reversal."""
    delivered_units: int
    """Negative in a reversal."""
    fresh_evidence_units: int
    """Negative in a reversal."""


@final
class StatementTotals(TypedDict):
    """What the entries of all pages add up to. Of the current period: `usage` of GET /api/usage at `as_of`."""

    request_units: int
    delivered_units: int
    fresh_evidence_units: int


@final
class StoredFailure(TypedDict):
    """Why an operation failed; nothing was charged for it."""

    code: str
    """As in the Error body; values may be added."""
    message: str
    """What went wrong, for people."""


@final
class SubscriptionPeriod(TypedDict):
    plan: str
    status: str
    current_period_start: str
    current_period_end: str


@final
class SubscriptionState(TypedDict):
    plan: str
    status: str


@final
class SupportingObservation(TypedDict):
    """A dated fact with its evidence, nested under its company."""

    id: int
    kind: Kind
    observed_fact: str
    why_it_may_matter: str
    demand_class: DemandClass
    country: Country
    confidence: float
    occurred_at: str | None
    """When the event happened; null only for kind `company_profile`."""
    observed_at: str
    """When the service collected the evidence."""
    expires_at: str | None
    evidence: Sequence[Evidence]
    categories: NotRequired[Sequence[Sector]]
    """NAICS 2022 sectors reported by the source itself."""


@final
class UsageCounts(TypedDict):
    request_units: int
    weekly_request_units: int
    delivered_units: int
    weekly_delivered_units: int
    fresh_evidence_units: int


@final
class UsageLimits(TypedDict):
    request_units: int
    weekly_request_units: int
    delivered_units: int
    weekly_delivered_units: int


@final
class UsageReport(TypedDict):
    """Settled units of the current period and of the rolling week, shared by all credentials of the subscription. Units held by work in flight stand in `reservations`."""

    subscription: SubscriptionPeriod
    usage: UsageCounts
    limits: UsageLimits
    reservations: Reservations


@final
class UsageStatement(TypedDict):
    """What was settled on the subscription in an interval. All pages of it are as of the first."""

    subscription: SubscriptionPeriod
    since: str
    """The interval begins with this instant."""
    until: str
    """The interval ends before this instant."""
    as_of: str
    """When the first page was read. Later settlements and reversals are on no page."""
    entries: Sequence[StatementEntry]
    """Oldest settled first; a reversal follows its settlement."""
    totals: StatementTotals
    next_cursor: str | None
    """Null on the last page."""


ErrorCode: TypeAlias = Literal['company_not_found', 'headers_too_large', 'idempotency_conflict', 'idempotency_key_required', 'internal_error', 'invalid_api_key', 'invalid_cursor', 'invalid_request', 'invalid_search', 'observation_not_found', 'payload_too_large', 'planning_unavailable', 'rate_limited', 'request_limit_reached', 'request_timeout', 'search_failed', 'service_unavailable', 'subscription_required', 'unsupported_media_type', 'uri_too_long', 'usage_expired', 'usage_not_found']
"""Codes of errors that the interface documents; values may be added."""


@final
class Company(TypedDict):
    id: int
    name: str
    domains: Sequence[Domain]
    """Current website domains supported by the returned observations, not every domain of the company."""
    observations: Sequence[SupportingObservation]
    limitations: Sequence[str]
    """For example `limited_source_coverage`; values may be added."""


@final
class CompanyDetail(TypedDict):
    company: Company


@final
class CompanyMatch(TypedDict):
    id: int
    name: str
    domains: Sequence[Domain]
    """Current website domains supported by the returned observations, not every domain of the company."""
    limitations: Sequence[str]
    """For example `limited_source_coverage`; values may be added."""
    demand_class: DemandClass
    why_it_may_matter: str
    match: Match
    observations: Sequence[SupportingObservation]


@final
class CompanySearchFilters(TypedDict):
    """Values within one field combine as OR, fields as AND. Exclusions win over inclusions. An empty list does not restrict."""

    countries: NotRequired[Sequence[Country]]
    """The observation's country, or for company profiles the supported headquarters country."""
    kinds: NotRequired[Sequence[SearchableKind]]
    """Absent or empty: every kind is searched but `company_profile`."""
    demand_classes: NotRequired[Sequence[DemandClass]]
    occurred_after: NotRequired[str]
    """Event-date cutoff, inclusive; RFC 3339 with offset or Z. Activity searches default to 30 days ago at 00:00 UTC; structural company-profile searches have no implicit cutoff, and an explicit one excludes undated profiles."""
    observed_after: NotRequired[str]
    """Collection-date cutoff, inclusive: when evidence was collected, not when the event happened."""
    company_ids: NotRequired[Sequence[CompanyId]]
    domains: NotRequired[Sequence[str]]
    """Hostnames, not URLs or e-mail addresses. Case, outer white space and a trailing dot are normalised; subdomains and `www` are not."""
    exclude_company_ids: NotRequired[Sequence[ExcludeCompanyId]]
    exclude_domains: NotRequired[Sequence[str]]
    """Hostnames, not URLs or e-mail addresses. Case, outer white space and a trailing dot are normalised; subdomains and `www` are not."""


LookupItem: TypeAlias = FoundById | NotFoundById | FoundByDomain | NotFoundByDomain
"""One for each distinct input, in input order. `unavailable`: known, but nothing current supports it; `ambiguous`: current evidence ties the domain to several companies."""


@final
class Observation(TypedDict):
    """A dated fact with its evidence. Structural fit (`company_profile`, `structural`) is not evidence of current buying intent."""

    id: int
    kind: Kind
    observed_fact: str
    why_it_may_matter: str
    demand_class: DemandClass
    country: Country
    confidence: float
    occurred_at: str | None
    """When the event happened; null only for kind `company_profile`."""
    observed_at: str
    """When the service collected the evidence."""
    expires_at: str | None
    evidence: Sequence[Evidence]
    categories: NotRequired[Sequence[Sector]]
    """NAICS 2022 sectors reported by the source itself."""
    company: CompanyReference


@final
class ObservationDetail(TypedDict):
    observation: Observation


@final
class ObservationSearchBody(TypedDict):
    query: str
    """Short literal terms, 1 to 500 characters after normalisation; every term must occur as a whole word."""
    filters: NotRequired[ObservationSearchFilters]
    limit: NotRequired[int]
    """Page size; at most 25 on plan builder, 50 on professional. Default 10."""
    cursor: NotRequired[str]
    """`next_cursor` of the page before; keep query, filters and limit, use a new key."""


@final
class Operation(TypedDict):
    """The operation of a call. Units are what it settled: zeros while it is pending or processing, and when it failed."""

    id: int
    status: OperationStatus
    request_key: str
    """The idempotency key of the operation, outer white space trimmed."""
    request_units: int
    delivered_units: int
    fresh_evidence_units: int


@final
class Pending(TypedDict):
    """An operation that is not finished. Poll GET /api/usages/{id}, or repeat the identical call."""

    usage: Operation
    request_allowance: Allowance


@final
class CompanyLookupResult(TypedDict):
    usage: Operation
    request_allowance: Allowance
    companies: Sequence[Company]
    lookups: Sequence[LookupItem]
    as_of: str
    coverage_status: Literal['partial']
    limitations: Sequence[str]
    """For example `limited_source_coverage`; values may be added."""
    delivery_unit: Literal['company']
    withheld_units: int


@final
class CompanyResult(TypedDict):
    usage: Operation
    request_allowance: Allowance
    coverage_status: Literal['partial']
    retrieval: Retrieval
    as_of: str
    """When the shortlist was frozen; a replay keeps it."""
    next_cursor: str | None
    """Null on the last page."""
    withheld_units: int
    """Settled companies that are not returned now because they lost evidence support."""
    delivery_unit: DeliveryUnit
    companies: Sequence[CompanyMatch]
    ranking: Literal['query_relevance_baseline']
    candidate_limit: int
    """max(100, 2 × target); 100 without."""
    coverage: Coverage


@final
class CompanySearchBody(TypedDict):
    query: str
    """Natural-language description of companies and activity, 1 to 4000 characters after normalisation. `"…"` and `-word` are hard; all other words only weigh."""
    filters: NotRequired[CompanySearchFilters]
    limit: NotRequired[int]
    """Page size; at most 25 on plan builder, 50 on professional. Default 10, or `target` if smaller."""
    target: NotRequired[int]
    """Desired shortlist size, at least `limit`."""
    background: NotRequired[bool]
    """True answers 202 first, always; poll GET /api/usages/{id}."""
    cursor: NotRequired[str]
    """`next_cursor` of the page before; repeat query, filters, limit and target with it and a new idempotency key."""


@final
class DiagnosticResult(TypedDict):
    status: Literal['ok']
    subscription: SubscriptionState
    usage: Operation
    request_allowance: Allowance


@final
class ErrorBody(TypedDict):
    error: Error
    usage: NotRequired[Operation]
    request_allowance: NotRequired[Allowance]


@final
class ListedUsage(TypedDict):
    """An operation without its result, which GET /api/usages/{id} has."""

    usage: Operation
    action: str
    """What it does: one of the values of the filter `action`."""
    query: str | None
    """The query as normalised; null for look-ups and diagnostics."""
    created_at: str
    """When it was accepted."""
    finished_at: str | None
    """When it was delivered or failed; null before."""
    error: StoredFailure | None
    """Null unless it failed."""


@final
class ObservationLookupResult(TypedDict):
    usage: Operation
    request_allowance: Allowance
    observations: Sequence[Observation]
    """Oldest recorded first."""
    domains: Sequence[DomainCoverage]
    as_of: str
    """The instant up to which the record was complete."""
    next_cursor: str | None
    """Null on the last page."""
    coverage_status: Literal['partial']
    limitations: Sequence[str]
    """For example `limited_source_coverage`; values may be added."""
    delivery_unit: Literal['company']
    withheld_units: int


@final
class ObservationResult(TypedDict):
    usage: Operation
    request_allowance: Allowance
    coverage_status: Literal['partial']
    retrieval: Retrieval
    as_of: str
    """When the shortlist was frozen; a replay keeps it."""
    next_cursor: str | None
    """Null on the last page."""
    withheld_units: int
    """Settled companies that are not returned now because they lost evidence support."""
    delivery_unit: DeliveryUnit
    observations: Sequence[Observation]
    """Newest observed first, not grouped by company."""


@final
class UsageList(TypedDict):
    usages: Sequence[ListedUsage]
    """Newest accepted first. A page may be shorter than `limit`, or empty, while `next_cursor` is not null: it ends where many operations in other states were passed over."""
    next_cursor: str | None
    """Null on the last page."""
    as_of: str
    """When this page was read."""


AnyResult: TypeAlias = CompanyResult | ObservationResult | DiagnosticResult | CompanyLookupResult | ObservationLookupResult
