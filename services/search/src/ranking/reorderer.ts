import type { RankedCompany } from './rank-companies.ts';

/** Lets something else than words influence the order of companies. */
export interface Reorderer {
  /** The companies in their new order; undefined when it had no influence, for whatever reason. */
  reorder(
    query: string,
    companies: readonly RankedCompany[],
    bounds: ReorderBounds,
  ): Promise<readonly RankedCompany[] | undefined>;
}

interface ReorderBounds {
  readonly signal: AbortSignal;
  /** What is left of the caller's deadline, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

/** Share of the caller's deadline that an endpoint may use which has a say in the order. */
const DEADLINE_SHARE = 0.5;

/** The longest that an endpoint may take, in milliseconds. */
export function reorderLimitMs(settingMs: number, leftMs: number | undefined): number {
  const shareMs = (leftMs ?? Number.POSITIVE_INFINITY) * DEADLINE_SHARE;
  return Math.max(1, Math.floor(Math.min(settingMs, shareMs)));
}
