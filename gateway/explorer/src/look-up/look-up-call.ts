import type { CompanyLookupResult } from '@ces/client';

export type LookUpKind = 'ids' | 'domains';

export interface LookUpCall {
  readonly requestKey: string;
  readonly kind: LookUpKind;
  readonly values: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly result?: CompanyLookupResult;
  /** The operation existed, so this call was free. */
  readonly replayed?: boolean;
  readonly error?: unknown;
}
