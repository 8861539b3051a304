// Made from the OpenAPI document by `npm run -w @ces/client generate`.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Request units that are left now in the rolling window and in the rolling week. */
        readonly Allowance: {
            readonly window_seconds: number;
            readonly window_remaining: number;
            readonly weekly_remaining: number;
        };
        readonly AnyResult: components["schemas"]["CompanyResult"] | components["schemas"]["ObservationResult"] | components["schemas"]["DiagnosticResult"] | components["schemas"]["CompanyLookupResult"] | components["schemas"]["ObservationLookupResult"];
        readonly Company: {
            readonly id: number;
            readonly name: string;
            /** @description Current website domains supported by the returned observations, not every domain of the company. */
            readonly domains: readonly components["schemas"]["Domain"][];
            readonly observations: readonly components["schemas"]["SupportingObservation"][];
            /** @description For example `limited_source_coverage`; values may be added. */
            readonly limitations: readonly string[];
        };
        readonly CompanyDetail: {
            readonly company: components["schemas"]["Company"];
        };
        readonly CompanyLookupResult: {
            readonly usage: components["schemas"]["Operation"];
            readonly request_allowance: components["schemas"]["Allowance"];
            readonly companies: readonly components["schemas"]["Company"][];
            readonly lookups: readonly components["schemas"]["LookupItem"][];
            /** Format: date-time */
            readonly as_of: string;
            /** @constant */
            readonly coverage_status: "partial";
            /** @description For example `limited_source_coverage`; values may be added. */
            readonly limitations: readonly string[];
            /** @constant */
            readonly delivery_unit: "company";
            readonly withheld_units: number;
        };
        readonly CompanyMatch: {
            readonly id: number;
            readonly name: string;
            /** @description Current website domains supported by the returned observations, not every domain of the company. */
            readonly domains: readonly components["schemas"]["Domain"][];
            /** @description For example `limited_source_coverage`; values may be added. */
            readonly limitations: readonly string[];
            readonly demand_class: components["schemas"]["DemandClass"];
            readonly why_it_may_matter: string;
            readonly match: components["schemas"]["Match"];
            readonly observations: readonly components["schemas"]["SupportingObservation"][];
        };
        readonly CompanyReference: {
            readonly id: number;
            readonly name: string;
        };
        readonly CompanyResult: {
            readonly usage: components["schemas"]["Operation"];
            readonly request_allowance: components["schemas"]["Allowance"];
            /** @constant */
            readonly coverage_status: "partial";
            readonly retrieval: components["schemas"]["Retrieval"];
            /**
             * Format: date-time
             * @description When the shortlist was frozen; a replay keeps it.
             */
            readonly as_of: string;
            /** @description Null on the last page. */
            readonly next_cursor: string | null;
            /** @description Settled companies that are not returned now because they lost evidence support. */
            readonly withheld_units: number;
            readonly delivery_unit: components["schemas"]["DeliveryUnit"];
            readonly companies: readonly components["schemas"]["CompanyMatch"][];
            /** @constant */
            readonly ranking: "query_relevance_baseline";
            /** @description max(100, 2 × target); 100 without. */
            readonly candidate_limit: number;
            readonly coverage: components["schemas"]["Coverage"];
        };
        readonly CompanySearchBody: {
            /** @description Natural-language description of companies and activity, 1 to 4000 characters after normalisation. `"…"` and `-word` are hard; all other words only weigh. */
            readonly query: string;
            readonly filters?: components["schemas"]["CompanySearchFilters"];
            /** @description Page size; at most 25 on plan builder, 50 on professional. Default 10, or `target` if smaller. */
            readonly limit?: number;
            /** @description Desired shortlist size, at least `limit`. */
            readonly target?: number;
            /** @description True answers 202 first, always; poll GET /api/usages/{id}. */
            readonly background?: boolean;
            /** @description `next_cursor` of the page before; repeat query, filters, limit and target with it and a new idempotency key. */
            readonly cursor?: string;
        };
        /** @description Values within one field combine as OR, fields as AND. Exclusions win over inclusions. An empty list does not restrict. */
        readonly CompanySearchFilters: {
            /** @description The observation's country, or for company profiles the supported headquarters country. */
            readonly countries?: readonly components["schemas"]["Country"][];
            /** @description Absent or empty: every kind is searched but `company_profile`. */
            readonly kinds?: readonly components["schemas"]["SearchableKind"][];
            readonly demand_classes?: readonly components["schemas"]["DemandClass"][];
            /**
             * Format: date-time
             * @description Event-date cutoff, inclusive; RFC 3339 with offset or Z. Activity searches default to 30 days ago at 00:00 UTC; structural company-profile searches have no implicit cutoff, and an explicit one excludes undated profiles.
             */
            readonly occurred_after?: string;
            /**
             * Format: date-time
             * @description Collection-date cutoff, inclusive: when evidence was collected, not when the event happened.
             */
            readonly observed_after?: string;
            readonly company_ids?: readonly number[];
            /** @description Hostnames, not URLs or e-mail addresses. Case, outer white space and a trailing dot are normalised; subdomains and `www` are not. */
            readonly domains?: readonly string[];
            readonly exclude_company_ids?: readonly number[];
            /** @description Hostnames, not URLs or e-mail addresses. Case, outer white space and a trailing dot are normalised; subdomains and `www` are not. */
            readonly exclude_domains?: readonly string[];
        };
        /** @enum {string} */
        readonly Country: "CA" | "US";
        readonly Coverage: {
            /** @description Requested page size. */
            readonly requested_companies: number;
            /** @description Acquisition goal: `target` when supplied, otherwise the page limit. */
            readonly target_companies?: number;
            /** @description Companies of the frozen shortlist; not a market total. */
            readonly available_companies?: number;
            readonly returned_companies: number;
            /** @description Effective event-date cutoff; null for structural company-profile searches, unless one was given. */
            readonly occurred_after?: string | null;
            /** @description `shortlist_page`, `target_reached`, `page_filled`, `time_budget_reached`, `acquisition_budget_reached`, `source_unavailable`, `candidate_limit_reached` or `sources_exhausted`; values may be added. */
            readonly stop_reason: string;
            /** @description For example `limited_source_coverage`; values may be added. */
            readonly limitations: readonly string[];
        };
        /**
         * @description Always `company`: settlement is per distinct company.
         * @enum {string}
         */
        readonly DeliveryUnit: "company" | "observation";
        /** @enum {string} */
        readonly DemandClass: "explicit_request" | "proxy" | "structural";
        readonly DiagnosticBody: Record<string, never>;
        readonly DiagnosticResult: {
            /** @constant */
            readonly status: "ok";
            readonly subscription: components["schemas"]["SubscriptionState"];
            readonly usage: components["schemas"]["Operation"];
            readonly request_allowance: components["schemas"]["Allowance"];
        };
        readonly Domain: {
            readonly id: number;
            readonly hostname: string;
        };
        /** @description `not_found` means no coverage yet, not that the company is inactive. */
        readonly DomainCoverage: {
            readonly hostname: string;
            /** @enum {string} */
            readonly status: "found" | "not_found";
        };
        readonly Error: {
            /** @description What clients branch on; values may be added. */
            readonly code: string;
            /** @description What is wrong and what to do, for people. */
            readonly message: string;
            /**
             * Format: date-time
             * @description When the same call would be admitted; advisory.
             */
            readonly retry_at?: string;
            /** @description Seconds from now to `retry_at`. */
            readonly retry_after_seconds?: number;
        };
        readonly ErrorBody: {
            readonly error: components["schemas"]["Error"];
            readonly usage?: components["schemas"]["Operation"];
            readonly request_allowance?: components["schemas"]["Allowance"];
        };
        readonly Evidence: {
            /** @description For company profiles it may be a company homepage, not a verified citation of each field. */
            readonly source_uri: string;
            /** @description Retained supporting text, verbatim. */
            readonly excerpt: string;
            /** @description Null for a structural profile without an event date. */
            readonly occurred_at: string | null;
            /** Format: date-time */
            readonly observed_at: string;
            /**
             * Format: date-time
             * @description Latest retrieval of the unchanged source record; not a new event.
             */
            readonly last_seen_at?: string;
        };
        readonly FoundByDomain: {
            readonly domain: string;
            /** @constant */
            readonly status: "found";
            readonly company_id: number;
        };
        readonly FoundById: {
            readonly id: number;
            /** @constant */
            readonly status: "found";
            readonly company_id: number;
        };
        /** @enum {string} */
        readonly Kind: "procurement_request" | "facility_expansion" | "funding_round" | "leadership_change" | "product_launch" | "partnership" | "technology_use" | "job_posting" | "company_profile";
        /** @description An operation without its result, which GET /api/usages/{id} has. */
        readonly ListedUsage: {
            readonly usage: components["schemas"]["Operation"];
            /** @description What it does: one of the values of the filter `action`. */
            readonly action: string;
            /** @description The query as normalised; null for look-ups and diagnostics. */
            readonly query: string | null;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            readonly created_at: string;
            /** @description When it was delivered or failed; null before. */
            readonly finished_at: string | null;
            /** @description Null unless it failed. */
            readonly error: components["schemas"]["StoredFailure"] | null;
        };
        /** @description One for each distinct input, in input order. `unavailable`: known, but nothing current supports it; `ambiguous`: current evidence ties the domain to several companies. */
        readonly LookupItem: components["schemas"]["FoundById"] | components["schemas"]["NotFoundById"] | components["schemas"]["FoundByDomain"] | components["schemas"]["NotFoundByDomain"];
        /** @description The query as normalised, and the nested observations in the order of their rank. */
        readonly Match: {
            readonly query: string;
            readonly observation_ids: readonly number[];
        };
        readonly NotFoundByDomain: {
            readonly domain: string;
            /** @enum {string} */
            readonly status: "not_found" | "ambiguous" | "unavailable";
        };
        readonly NotFoundById: {
            readonly id: number;
            /** @enum {string} */
            readonly status: "not_found" | "ambiguous" | "unavailable";
        };
        /** @description A dated fact with its evidence. Structural fit (`company_profile`, `structural`) is not evidence of current buying intent. */
        readonly Observation: {
            readonly id: number;
            readonly kind: components["schemas"]["Kind"];
            readonly observed_fact: string;
            readonly why_it_may_matter: string;
            readonly demand_class: components["schemas"]["DemandClass"];
            readonly country: components["schemas"]["Country"];
            readonly confidence: number;
            /** @description When the event happened; null only for kind `company_profile`. */
            readonly occurred_at: string | null;
            /**
             * Format: date-time
             * @description When the service collected the evidence.
             */
            readonly observed_at: string;
            readonly expires_at: string | null;
            readonly evidence: readonly components["schemas"]["Evidence"][];
            /** @description NAICS 2022 sectors reported by the source itself. */
            readonly categories?: readonly components["schemas"]["Sector"][];
            readonly company: components["schemas"]["CompanyReference"];
        };
        readonly ObservationDetail: {
            readonly observation: components["schemas"]["Observation"];
        };
        readonly ObservationLookupBody: {
            /** @description Hostnames. */
            readonly domains: readonly string[];
            /**
             * Format: date-time
             * @description Exclusive: observations recorded after this instant. RFC 3339 with offset or Z. The next poll passes the last `as_of`.
             */
            readonly since: string;
            /** @description Page size, default 100. */
            readonly limit?: number;
            /** @description `next_cursor` of the page before; use a new key. */
            readonly cursor?: string;
        };
        readonly ObservationLookupResult: {
            readonly usage: components["schemas"]["Operation"];
            readonly request_allowance: components["schemas"]["Allowance"];
            /** @description Oldest recorded first. */
            readonly observations: readonly components["schemas"]["Observation"][];
            readonly domains: readonly components["schemas"]["DomainCoverage"][];
            /**
             * Format: date-time
             * @description The instant up to which the record was complete.
             */
            readonly as_of: string;
            /** @description Null on the last page. */
            readonly next_cursor: string | null;
            /** @constant */
            readonly coverage_status: "partial";
            /** @description For example `limited_source_coverage`; values may be added. */
            readonly limitations: readonly string[];
            /** @constant */
            readonly delivery_unit: "company";
            readonly withheld_units: number;
        };
        readonly ObservationResult: {
            readonly usage: components["schemas"]["Operation"];
            readonly request_allowance: components["schemas"]["Allowance"];
            /** @constant */
            readonly coverage_status: "partial";
            readonly retrieval: components["schemas"]["Retrieval"];
            /**
             * Format: date-time
             * @description When the shortlist was frozen; a replay keeps it.
             */
            readonly as_of: string;
            /** @description Null on the last page. */
            readonly next_cursor: string | null;
            /** @description Settled companies that are not returned now because they lost evidence support. */
            readonly withheld_units: number;
            readonly delivery_unit: components["schemas"]["DeliveryUnit"];
            /** @description Newest observed first, not grouped by company. */
            readonly observations: readonly components["schemas"]["Observation"][];
        };
        readonly ObservationSearchBody: {
            /** @description Short literal terms, 1 to 500 characters after normalisation; every term must occur as a whole word. */
            readonly query: string;
            readonly filters?: components["schemas"]["ObservationSearchFilters"];
            /** @description Page size; at most 25 on plan builder, 50 on professional. Default 10. */
            readonly limit?: number;
            /** @description `next_cursor` of the page before; keep query, filters and limit, use a new key. */
            readonly cursor?: string;
        };
        /** @description Values within one field combine as OR, fields as AND. Exclusions win over inclusions. An empty list does not restrict. */
        readonly ObservationSearchFilters: {
            /** @description The observation's country, or for company profiles the supported headquarters country. */
            readonly countries?: readonly components["schemas"]["Country"][];
            readonly kinds?: readonly components["schemas"]["Kind"][];
            readonly demand_classes?: readonly components["schemas"]["DemandClass"][];
            /** Format: date-time */
            readonly occurred_after?: string;
            /**
             * Format: date-time
             * @description Collection-date cutoff, inclusive: when evidence was collected, not when the event happened.
             */
            readonly observed_after?: string;
        };
        /** @description The operation of a call. Units are what it settled: zeros while it is pending or processing, and when it failed. */
        readonly Operation: {
            readonly id: number;
            readonly status: components["schemas"]["OperationStatus"];
            /** @description The idempotency key of the operation, outer white space trimmed. */
            readonly request_key: string;
            readonly request_units: number;
            readonly delivered_units: number;
            readonly fresh_evidence_units: number;
        };
        /** @enum {string} */
        readonly OperationStatus: "pending" | "processing" | "delivered" | "failed";
        /** @description An operation that is not finished. Poll GET /api/usages/{id}, or repeat the identical call. */
        readonly Pending: {
            readonly usage: components["schemas"]["Operation"];
            readonly request_allowance: components["schemas"]["Allowance"];
        };
        readonly Reservations: {
            readonly request_units: number;
            readonly delivered_units: number;
        };
        /**
         * @description `hybrid`: vectors or a reranker took part in the order; `lexical`: only words.
         * @enum {string}
         */
        readonly Retrieval: "lexical" | "hybrid";
        /** @enum {string} */
        readonly SearchableKind: "company_profile" | "procurement_request" | "facility_expansion";
        /**
         * @description NAICS 2022 sector.
         * @enum {string}
         */
        readonly Sector: "11" | "21" | "22" | "23" | "31-33" | "42" | "44-45" | "48-49" | "51" | "52" | "53" | "54" | "55" | "56" | "61" | "62" | "71" | "72" | "81" | "92";
        /** @description What an operation settled, or the taking back of that. */
        readonly StatementEntry: {
            readonly usage_id: number;
            /** @description The idempotency key; null when the operation is no longer kept. */
            readonly request_key: string | null;
            /** @description As in GET /api/usages; null when the operation is no longer kept. */
            readonly action: string | null;
            /**
             * Format: date-time
             * @description When it was settled. A reversal has the time of the settlement that it reverses.
             */
            readonly settled_at: string;
            /** @enum {string} */
            readonly kind: "settlement" | "reversal";
            /** @description Why it was reversed; null for a settlement. */
            readonly reason: string | null;
            /** @description Negative in a reversal. */
            readonly request_units: number;
            /** @description Negative in a reversal. */
            readonly delivered_units: number;
            /** @description Negative in a reversal. */
            readonly fresh_evidence_units: number;
        };
        /** @description What the entries of all pages add up to. Of the current period: `usage` of GET /api/usage at `as_of`. */
        readonly StatementTotals: {
            readonly request_units: number;
            readonly delivered_units: number;
            readonly fresh_evidence_units: number;
        };
        /** @description Why an operation failed; nothing was charged for it. */
        readonly StoredFailure: {
            /** @description As in the Error body; values may be added. */
            readonly code: string;
            /** @description What went wrong, for people. */
            readonly message: string;
        };
        readonly SubscriptionPeriod: {
            readonly plan: string;
            readonly status: string;
            /** Format: date-time */
            readonly current_period_start: string;
            /** Format: date-time */
            readonly current_period_end: string;
        };
        readonly SubscriptionState: {
            readonly plan: string;
            readonly status: string;
        };
        /** @description A dated fact with its evidence, nested under its company. */
        readonly SupportingObservation: {
            readonly id: number;
            readonly kind: components["schemas"]["Kind"];
            readonly observed_fact: string;
            readonly why_it_may_matter: string;
            readonly demand_class: components["schemas"]["DemandClass"];
            readonly country: components["schemas"]["Country"];
            readonly confidence: number;
            /** @description When the event happened; null only for kind `company_profile`. */
            readonly occurred_at: string | null;
            /**
             * Format: date-time
             * @description When the service collected the evidence.
             */
            readonly observed_at: string;
            readonly expires_at: string | null;
            readonly evidence: readonly components["schemas"]["Evidence"][];
            /** @description NAICS 2022 sectors reported by the source itself. */
            readonly categories?: readonly components["schemas"]["Sector"][];
        };
        readonly UsageCounts: {
            readonly request_units: number;
            readonly weekly_request_units: number;
            readonly delivered_units: number;
            readonly weekly_delivered_units: number;
            readonly fresh_evidence_units: number;
        };
        readonly UsageLimits: {
            readonly request_units: number;
            readonly weekly_request_units: number;
            readonly delivered_units: number;
            readonly weekly_delivered_units: number;
        };
        readonly UsageList: {
            /** @description Newest accepted first. A page may be shorter than `limit`, or empty, while `next_cursor` is not null: it ends where many operations in other states were passed over. */
            readonly usages: readonly components["schemas"]["ListedUsage"][];
            /** @description Null on the last page. */
            readonly next_cursor: string | null;
            /**
             * Format: date-time
             * @description When this page was read.
             */
            readonly as_of: string;
        };
        /** @description Settled units of the current period and of the rolling week, shared by all credentials of the subscription. Units held by work in flight stand in `reservations`. */
        readonly UsageReport: {
            readonly subscription: components["schemas"]["SubscriptionPeriod"];
            readonly usage: components["schemas"]["UsageCounts"];
            readonly limits: components["schemas"]["UsageLimits"];
            readonly reservations: components["schemas"]["Reservations"];
        };
        /** @description What was settled on the subscription in an interval. All pages of it are as of the first. */
        readonly UsageStatement: {
            readonly subscription: components["schemas"]["SubscriptionPeriod"];
            /**
             * Format: date-time
             * @description The interval begins with this instant.
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description The interval ends before this instant.
             */
            readonly until: string;
            /**
             * Format: date-time
             * @description When the first page was read. Later settlements and reversals are on no page.
             */
            readonly as_of: string;
            /** @description Oldest settled first; a reversal follows its settlement. */
            readonly entries: readonly components["schemas"]["StatementEntry"][];
            readonly totals: components["schemas"]["StatementTotals"];
            /** @description Null on the last page. */
            readonly next_cursor: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Allowance = components['schemas']['Allowance'];
export type AnyResult = components['schemas']['AnyResult'];
export type Company = components['schemas']['Company'];
export type CompanyDetail = components['schemas']['CompanyDetail'];
export type CompanyLookupResult = components['schemas']['CompanyLookupResult'];
export type CompanyMatch = components['schemas']['CompanyMatch'];
export type CompanyReference = components['schemas']['CompanyReference'];
export type CompanyResult = components['schemas']['CompanyResult'];
export type CompanySearchBody = components['schemas']['CompanySearchBody'];
export type CompanySearchFilters = components['schemas']['CompanySearchFilters'];
export type Country = components['schemas']['Country'];
export type Coverage = components['schemas']['Coverage'];
export type DeliveryUnit = components['schemas']['DeliveryUnit'];
export type DemandClass = components['schemas']['DemandClass'];
export type DiagnosticBody = components['schemas']['DiagnosticBody'];
export type DiagnosticResult = components['schemas']['DiagnosticResult'];
export type Domain = components['schemas']['Domain'];
export type DomainCoverage = components['schemas']['DomainCoverage'];
export type Error = components['schemas']['Error'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type Evidence = components['schemas']['Evidence'];
export type FoundByDomain = components['schemas']['FoundByDomain'];
export type FoundById = components['schemas']['FoundById'];
export type Kind = components['schemas']['Kind'];
export type ListedUsage = components['schemas']['ListedUsage'];
export type LookupItem = components['schemas']['LookupItem'];
export type Match = components['schemas']['Match'];
export type NotFoundByDomain = components['schemas']['NotFoundByDomain'];
export type NotFoundById = components['schemas']['NotFoundById'];
export type Observation = components['schemas']['Observation'];
export type ObservationDetail = components['schemas']['ObservationDetail'];
export type ObservationLookupBody = components['schemas']['ObservationLookupBody'];
export type ObservationLookupResult = components['schemas']['ObservationLookupResult'];
export type ObservationResult = components['schemas']['ObservationResult'];
export type ObservationSearchBody = components['schemas']['ObservationSearchBody'];
export type ObservationSearchFilters = components['schemas']['ObservationSearchFilters'];
export type Operation = components['schemas']['Operation'];
export type OperationStatus = components['schemas']['OperationStatus'];
export type Pending = components['schemas']['Pending'];
export type Reservations = components['schemas']['Reservations'];
export type Retrieval = components['schemas']['Retrieval'];
export type SearchableKind = components['schemas']['SearchableKind'];
export type Sector = components['schemas']['Sector'];
export type StatementEntry = components['schemas']['StatementEntry'];
export type StatementTotals = components['schemas']['StatementTotals'];
export type StoredFailure = components['schemas']['StoredFailure'];
export type SubscriptionPeriod = components['schemas']['SubscriptionPeriod'];
export type SubscriptionState = components['schemas']['SubscriptionState'];
export type SupportingObservation = components['schemas']['SupportingObservation'];
export type UsageCounts = components['schemas']['UsageCounts'];
export type UsageLimits = components['schemas']['UsageLimits'];
export type UsageList = components['schemas']['UsageList'];
export type UsageReport = components['schemas']['UsageReport'];
export type UsageStatement = components['schemas']['UsageStatement'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
/** Codes of errors that the interface documents; values may be added. */
export type ErrorCode =
    | 'company_not_found'
    | 'headers_too_large'
    | 'idempotency_conflict'
    | 'idempotency_key_required'
    | 'internal_error'
    | 'invalid_api_key'
    | 'invalid_cursor'
    | 'invalid_request'
    | 'invalid_search'
    | 'observation_not_found'
    | 'payload_too_large'
    | 'planning_unavailable'
    | 'rate_limited'
    | 'request_limit_reached'
    | 'request_timeout'
    | 'search_failed'
    | 'service_unavailable'
    | 'subscription_required'
    | 'unsupported_media_type'
    | 'uri_too_long'
    | 'usage_expired'
    | 'usage_not_found';
