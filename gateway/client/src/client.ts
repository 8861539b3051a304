import { type CesAnswer, type JsonObject, unexpectedAnswer } from './answer.ts';
import type {
  AnyResult,
  CompanyDetail,
  CompanyLookupResult,
  CompanyResult,
  DiagnosticResult,
  ListedUsage,
  ObservationDetail,
  ObservationLookupResult,
  StatementEntry,
  UsageList,
  UsageReport,
  UsageStatement,
} from './generated/openapi.ts';
import type {
  CallOptions,
  CompanyLookupInput,
  CompanySearchInput,
  ObservationLookupInput,
  OperationOptions,
  SearchOptions,
  StatementInterval,
  UsageFilter,
} from './inputs.ts';
import { type DoneOptions, Operation, type OperationAnswer, type OperationPlan } from './operation.ts';
import { type CesClientOptions, readOptions } from './options.ts';
import { itemsOf, pagesOf, type SearchPage } from './pages.ts';
import { asText, type CesRequest, withId, withQuery } from './request.ts';
import { createRequestKey, parseRequestKey } from './request-key.ts';
import * as shapes from './shapes.ts';
import type { SourceList } from './sources.ts';
import { Transport } from './transport.ts';

/** Some proxies reject longer addresses. */
const LONGEST_PATH = 2_000;

/** The client of one API key. Every call throws CesError, or the reason of its signal. */
export class CesClient {
  readonly #transport: Transport;

  constructor(options: CesClientOptions) {
    this.#transport = new Transport(readOptions(options));
  }

  /**
   * Searches companies: one request unit, and one delivered unit for each company. Sends nothing
   * before `done()` or `submit()`.
   */
  searchCompanies(input: CompanySearchInput, options: SearchOptions = {}): Operation<CompanyResult> {
    const { background } = options;
    const body = JSON.stringify({ ...input, ...(background !== undefined && { background }) });
    const call = { method: 'POST', path: '/api/companies/search', body } as const;
    return this.#operation(call, shapes.isCompanyResult, options);
  }

  /**
   * Yields the pages of a search to the end of its shortlist. Each page is charged when it is
   * fetched; page 2 has the key `${requestKey}/2`.
   */
  searchPages(
    input: CompanySearchInput,
    options: SearchOptions & DoneOptions = {},
  ): AsyncGenerator<SearchPage, void, undefined> {
    return pagesOf((page, pageOptions) => this.searchCompanies(page, pageOptions), input, options);
  }

  /**
   * Looks up 1 to 20 companies by id or hostname: one request unit, and one delivered unit for each
   * company found.
   */
  lookUpCompanies(input: CompanyLookupInput, options: OperationOptions = {}): Operation<CompanyLookupResult> {
    const path = withQuery('/api/companies', { ids: input.ids, domains: input.domains });
    return this.#operation({ method: 'GET', path }, shapes.isCompanyLookupResult, options);
  }

  /** Gets a company by id. An unknown id throws `company_not_found` and costs one request unit. */
  getCompany(id: number, options: OperationOptions = {}): Operation<CompanyDetail> {
    const call = { method: 'GET', path: withId('/api/companies', id) } as const;
    // A poll would return the result of a look-up instead.
    return this.#operation(call, shapes.isCompanyDetail, options, 'repeat');
  }

  /**
   * Lists observations recorded since an instant: one request unit, and one delivered unit for each
   * company.
   */
  lookUpObservations(
    input: ObservationLookupInput,
    options: OperationOptions = {},
  ): Operation<ObservationLookupResult> {
    const fields = { ...input, since: asText(input.since) };
    const path = withQuery('/api/observations', fields);
    const call: CesRequest =
      path.length > LONGEST_PATH
        ? { method: 'POST', path: '/api/observations/lookup', body: JSON.stringify(fields) }
        : { method: 'GET', path };
    return this.#operation(call, shapes.isObservationLookupResult, options);
  }

  /** Checks the API key, the subscription and the service; free. */
  diagnose(options: OperationOptions = {}): Operation<DiagnosticResult> {
    const call = { method: 'POST', path: '/api/diagnostics', body: '{}' } as const;
    return this.#operation(call, shapes.isDiagnosticResult, options);
  }

  /** Polls or replays an operation; free. */
  getOperation(usageId: number, options: CallOptions = {}): Promise<OperationAnswer<AnyResult>> {
    return this.resume(usageId).submit(options);
  }

  /** Resumes a submitted operation by its `usageId`; free. */
  resume(usageId: number, options: CallOptions = {}): Operation<AnyResult, string | undefined> {
    const submit: CesRequest = { method: 'GET', path: withId('/api/usages', usageId) };
    return new Operation(this.#transport, { submit, isResult: shapes.isAnyResult }, options);
  }

  /**
   * Gets one observation with its current evidence; free.
   * @deprecated The route is deprecated: look the company up.
   */
  getObservation(id: number, options: CallOptions = {}): Promise<ObservationDetail> {
    return this.#read(withId('/api/observations', id), shapes.isObservationDetail, options);
  }

  /** Reports the used, reserved and remaining allowance; free. */
  getUsage(options: CallOptions = {}): Promise<UsageReport> {
    return this.#read('/api/usage', shapes.isUsageReport, options);
  }

  /** Lists a page of the account's operations, newest first; free. */
  listUsages(filter: UsageFilter = {}, options: CallOptions = {}): Promise<UsageList> {
    return this.#read(withQuery('/api/usages', { ...filter }), shapes.isUsageList, options);
  }

  /** Yields all operations that match the filter, newest first; free. */
  eachUsage(filter: UsageFilter = {}, options: CallOptions = {}): AsyncGenerator<ListedUsage, void, undefined> {
    const fetchPage = (cursor: string | undefined) => this.listUsages(at(filter, cursor), options);
    return itemsOf(fetchPage, ({ usages }) => usages);
  }

  /** Lists a page of settled entries, oldest first, with the totals of all pages; free. */
  getStatement(interval: StatementInterval = {}, options: CallOptions = {}): Promise<UsageStatement> {
    return this.#read(withQuery('/api/usage/statement', { ...interval }), shapes.isUsageStatement, options);
  }

  /** Yields all settled entries in an interval, oldest first; free. */
  eachEntry(
    interval: StatementInterval = {},
    options: CallOptions = {},
  ): AsyncGenerator<StatementEntry, void, undefined> {
    const fetchPage = (cursor: string | undefined) => this.getStatement(at(interval, cursor), options);
    return itemsOf(fetchPage, ({ entries }) => entries);
  }

  getSources(options: CallOptions = {}): Promise<SourceList> {
    return this.#read('/sources', shapes.isSourceList, options, { isPublic: true });
  }

  #operation<Result>(
    call: CesRequest,
    isResult: OperationPlan<Result>['isResult'],
    options: OperationOptions,
    polling?: 'repeat',
  ): Operation<Result> {
    const submit = { ...call, requestKey: parseRequestKey(options.requestKey ?? createRequestKey()) };
    return new Operation(this.#transport, { submit, ...(polling && { poll: submit }), isResult }, options);
  }

  async #read<Body>(
    path: string,
    isBody: (body: JsonObject) => body is JsonObject & Body,
    options: CallOptions,
    more: Pick<CesRequest, 'isPublic'> = {},
  ): Promise<Body> {
    const request: CesRequest = { method: 'GET', path, ...more };
    const answer: CesAnswer = await this.#transport.send(request, options);
    const { body } = answer;
    if (isBody(body)) return body;
    throw unexpectedAnswer(request, answer);
  }
}

function at<Filter extends object>(filter: Filter, cursor: string | undefined): Filter & { cursor?: string } {
  return cursor === undefined ? filter : { ...filter, cursor };
}
