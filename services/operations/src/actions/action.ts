import type { Queryable } from '@ces/chassis/postgres/pool';
import type { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { CursorKeys } from '../cursor/keys.ts';
import type { FrozenPlan } from '../db/plan.ts';
import type { Shortlist } from '../db/shortlist.ts';
import type { Input } from '../input/form.ts';
import type { Hydrated, StoredResult } from '../operation/result.ts';
import type { Lookup } from './shared-reads.ts';

/** What actions need: they read, and write nothing but how many diagnostics were asked for. */
export interface ActionDependencies {
  readonly db: Queryable;
  readonly lookup: Lookup;
  readonly search: Client<typeof SearchService>;
  readonly cursorKeys: CursorKeys;
  /** Life of a shortlist for new pages, in milliseconds. */
  readonly cursorTtlMs: number;
  /** How long the test query sandbox:slow waits, in milliseconds. */
  readonly sandboxSlowMs: number;
  /** How many diagnostics an account may ask for an hour. */
  readonly diagnosticsAnHour: number;
  /** Undefined: searches ask no source. */
  readonly acquisition: Acquisition | undefined;
}

/** How sources are asked. */
export interface Acquisition {
  readonly service: Client<typeof AcquisitionService>;
  /** Time for all sources of a search whose caller waits, in milliseconds. */
  readonly waitedMs: number;
  /** The same for a background search. */
  readonly backgroundMs: number;
}

/** An action as a call asks for it. */
export interface RequestedAction {
  readonly input: Input;
  /**
   * Checks what depends on plan, clock and cursor, and says how the action is performed and paid. Called only when the
   * request key is new: a retry of what was accepted is answered whatever has changed since.
   */
  readonly admit: (principal: Principal, now: Date) => Promise<PaymentPath> | PaymentPath;
  /**
   * What `admit` says, where it depends on the input alone and leaves no trace, so that a request key may be taken without a look
   * for it first. Absent, or undefined: the look comes first.
   */
  readonly admitUnseen?: (principal: Principal) => PaymentPath | undefined;
}

export type PaymentPath =
  /** The cost is known after a read: read, store, charge. Admitted by its worst case all the same, so that a refusal tells nothing of the record. */
  | {
      readonly kind: 'charge';
      readonly worstCaseUnits: number;
      readonly perform: (bounds: Bounds) => Promise<ActionOutput>;
    }
  /** The worst case is held first; then a run, after a delay if one is scripted. */
  | { readonly kind: 'hold'; readonly worstCaseUnits: number; readonly delayMs?: number }
  /** It costs nothing and nothing is read. */
  | { readonly kind: 'free'; readonly output: ActionOutput };

/** Bounds on the RPCs of one action. */
export interface Bounds {
  readonly signal: AbortSignal;
  /** For each call, in milliseconds. */
  readonly timeoutMs: number;
  /** Called before sources are asked; where that may take long it rejects with SourcesBusy while too many runs do it. */
  readonly enterSources?: (forLong: boolean) => Promise<void>;
}

/** What an action has found: the references to store, and what they stood for when they were read. */
export interface ActionOutput {
  readonly result: StoredResult;
  /** One an item of the result. */
  readonly hydrated: readonly Hydrated[];
  /** Only of a search that made a shortlist. */
  readonly frozen?: { readonly plan: FrozenPlan | undefined; readonly shortlist: Shortlist };
}

/** Distinct companies, in order of first appearance: what a result is charged for. */
export function distinctCompanies(companyIds: Iterable<bigint>): bigint[] {
  return [...new Set(companyIds)];
}
