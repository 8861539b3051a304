import type { CompanyLookupResult } from '@ces/client';

export type LookUpKind = 'ids' | 'domains';

/** Keeps its idempotency key in retries and replays. */
export interface LookUpCall {
  readonly requestKey: string;
  readonly kind: LookUpKind;
  readonly values: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly result?: CompanyLookupResult;
  /** True when the operation already existed, so that this call was free. */
  readonly replayed?: boolean;
  readonly error?: unknown;
}
