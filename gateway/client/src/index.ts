export { CesClient } from './client.ts';
export { CesError, type CesErrorCode, type LocalErrorCode } from './error.ts';
export type {
  Allowance,
  AnyResult,
  Company,
  CompanyDetail,
  CompanyLookupResult,
  CompanyMatch,
  CompanyResult,
  Coverage,
  DiagnosticResult,
  Domain,
  ErrorCode,
  Evidence,
  LookupItem,
  Observation,
  ObservationDetail,
  ObservationLookupResult,
  ObservationResult,
  Operation as Usage,
  SupportingObservation,
  UsageReport,
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
  UsageFilter,
} from './inputs.ts';
export type { DoneOptions, Operation, OperationAnswer, PendingAnswer, Units } from './operation.ts';
export type { CesClientOptions } from './options.ts';
export type { SearchPage } from './pages.ts';
export { type Price, priceOf, type SearchPriceInput } from './price.ts';
export { createRequestKey } from './request-key.ts';
export type { Source, SourceList } from './sources.ts';
export type { CesAttempt } from './transport.ts';
export type { ListedUsage, StatementEntry, UsageAction, UsageList, UsageStatement } from './usages.ts';
