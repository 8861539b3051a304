import type { CompanyLookupResult } from '@ces/client';

export type LookUpKind = 'ids' | 'domains';

/** One call of a look-up, with the idempotency key that it keeps through retries and replays. */
export interface LookUpCall {
  readonly requestKey: string;
  readonly kind: LookUpKind;
  readonly values: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly result?: CompanyLookupResult;
  /** The operation was there before: nothing was charged for it now. */
  readonly replayed?: boolean;
  readonly error?: unknown;
}
