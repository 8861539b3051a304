import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { CursorKeys } from '../cursor/keys.ts';
import type { FrozenPlan } from '../db/plan.ts';
import type { Shortlist } from '../db/shortlist.ts';
import type { StoredResult } from '../operation/result.ts';
import type { Acquiring } from './company-search/acquire.ts';

/** What the work of an operation needs. */
export interface WorkTools {
  readonly lookup: Client<typeof LookupService>;
  readonly search: Client<typeof SearchService>;
  readonly cursorKeys: CursorKeys;
  /** Life of a shortlist for new pages, in milliseconds. */
  readonly cursorTtlMs: number;
  /** Undefined: searches ask no source. */
  readonly acquiring: Acquiring | undefined;
}

/** Bounds on the RPCs of one piece of work. */
export interface Bounds {
  readonly signal: AbortSignal;
  /** For each call, in milliseconds. */
  readonly timeoutMs: number;
}

/** What the work has found: the references to store, and what they stood for when they were read. */
export interface Work {
  readonly result: StoredResult;
  /** One an item of the result. */
  readonly hydrated: readonly Hydrated[];
  /** Only of a search that made a shortlist. */
  readonly frozen?: { readonly plan: FrozenPlan | undefined; readonly shortlist: Shortlist };
}

/** What may be delivered of one reference. */
export interface Hydrated {
  /** The surviving company; 0 when it is unknown. */
  readonly survivorId: bigint;
  readonly company?: Company | undefined;
}

/** Distinct companies, in order of first appearance: what a result is charged for. */
export function distinctCompanies(companyIds: Iterable<bigint>): bigint[] {
  return [...new Set(companyIds)];
}
