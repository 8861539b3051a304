import type { Queryable } from '@ces/chassis/postgres/pool';
import type { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { CursorKeys } from '../cursor/keys.ts';
import type { FrozenPlan } from '../db/plan.ts';
import type { Shortlist } from '../db/shortlist.ts';
import type { Input } from '../input/form.ts';
import type { Hydrated, StoredResult } from '../model/result.ts';
import type { Lookup } from './batched-reads.ts';

/** Actions only read, except that they count the diagnostics of an account. */
export interface ActionDependencies {
  readonly db: Queryable;
  readonly lookup: Lookup;
  readonly search: Client<typeof SearchService>;
  readonly cursorKeys: CursorKeys;
  readonly cursorTtlMs: number;
  /** How long the test query `sandbox:slow` waits. */
  readonly sandboxSlowMs: number;
  readonly diagnosticsAnHour: number;
  /** Undefined: searches ask no source. */
  readonly acquisition: Acquisition | undefined;
}

export interface Acquisition {
  readonly service: Client<typeof AcquisitionService>;
  /** Bounds all sources of a search whose caller waits. */
  readonly waitedMs: number;
}

export interface RequestedAction {
  readonly input: Input;
  /**
   * Checks plan, clock and cursor, and decides how the action runs and is paid. Only for new
   * request keys: a retry of accepted work is always answered.
   */
  readonly admit: (principal: Principal, now: Date) => Promise<PaymentPath> | PaymentPath;
  /** `admit`, if it depends on the input only: the request key is then inserted without a read. */
  readonly admitUnseen?: (principal: Principal) => PaymentPath | undefined;
}

export type PaymentPath =
  /**
   * The cost is known after a read. Admitting the worst case first makes a refusal reveal nothing.
   */
  | {
      readonly kind: 'charge';
      readonly worstCaseUnits: number;
      readonly perform: (bounds: Bounds) => Promise<ActionOutput>;
    }
  /** Reserves the worst case, then runs, after a delay if the test query asks for one. */
  | { readonly kind: 'hold'; readonly worstCaseUnits: number; readonly delayMs?: number }
  | { readonly kind: 'free'; readonly output: ActionOutput };

export interface Bounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Rejects with SourcesBusy for a long acquisition while too many runs ask sources. */
  readonly enterSources?: (forLong: boolean) => Promise<void>;
}

export interface ActionOutput {
  readonly result: StoredResult;
  /** One entry for each item of the result. */
  readonly hydrated: readonly Hydrated[];
  readonly frozen?: { readonly plan: FrozenPlan | undefined; readonly shortlist: Shortlist };
}

/** Distinct companies in order of first appearance: those that a result is charged for. */
export function distinctCompanies(companyIds: Iterable<bigint>): bigint[] {
  return [...new Set(companyIds)];
}
