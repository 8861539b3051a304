export { CesClient } from './client.ts';
export { CesError, type CesErrorCode, type LocalErrorCode } from './error.ts';
export type { CesBody, CesFetch, CesFetchInit, CesHeaders, CesReader, CesResponse } from './fetch.ts';
export type {
  Allowance,
  AnyResult,
  Company,
  CompanyDetail,
  CompanyLookupResult,
  CompanyMatch,
  CompanyResult,
  Country,
  Coverage,
  DemandClass,
  DiagnosticResult,
  Domain,
  ErrorCode,
  Evidence,
  Kind,
  ListedUsage,
  LookupItem,
  Observation,
  ObservationDetail,
  ObservationLookupResult,
  ObservationResult,
  Operation as Usage,
  OperationStatus,
  SearchableKind,
  StatementEntry,
  SupportingObservation,
  UsageList,
  UsageReport,
  UsageStatement,
} from './generated/openapi.ts';
export type {
  CallOptions,
  CompanyLookupInput,
  CompanySearchFilters,
  CompanySearchInput,
  ObservationLookupInput,
  OperationOptions,
  SearchOptions,
  StatementInterval,
  UsageAction,
  UsageFilter,
} from './inputs.ts';
export type { DoneOptions, Operation, OperationAnswer, PendingAnswer, Units } from './operation.ts';
export type { CesClientOptions } from './options.ts';
export type { SearchPage } from './pages.ts';
export { type Price, priceOf, type SearchPriceInput } from './price.ts';
export { createRequestKey } from './request-key.ts';
export type { Source, SourceList } from './sources.ts';
export type { CesAttempt } from './transport.ts';
