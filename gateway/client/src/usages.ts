import type { SubscriptionPeriod, Operation as Usage } from './generated/openapi.ts';

export type UsageAction =
  | 'company_search'
  | 'observation_search'
  | 'company_lookup'
  | 'observation_lookup'
  | 'diagnostic';

/** An operation without its result. */
export interface ListedUsage {
  readonly usage: Usage;
  readonly action: string;
  /** As normalised; null for what has none. */
  readonly query: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface UsageList {
  readonly usages: readonly ListedUsage[];
  readonly next_cursor: string | null;
  readonly as_of: string;
}

/** What an operation settled, or the taking back of that. */
export interface StatementEntry {
  readonly usage_id: number;
  readonly request_key: string | null;
  readonly action: string | null;
  readonly settled_at: string;
  readonly kind: 'settlement' | 'reversal';
  readonly reason: string | null;
  readonly request_units: number;
  readonly delivered_units: number;
  readonly fresh_evidence_units: number;
}

export interface UsageStatement {
  readonly subscription: SubscriptionPeriod;
  readonly since: string;
  readonly until: string;
  readonly as_of: string;
  readonly entries: readonly StatementEntry[];
  readonly totals: {
    readonly request_units: number;
    readonly delivered_units: number;
    readonly fresh_evidence_units: number;
  };
  readonly next_cursor: string | null;
}
