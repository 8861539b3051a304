import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ActionDependencies, Bounds } from '../actions/action.ts';
import { resolveCanonicalIds } from '../actions/company-search/walk-shortlist.ts';
import { findShortlistCompanies } from '../db/shortlist.ts';
import type { Operation } from '../operation/operation.ts';
import type { Hydrated, StoredResult } from '../operation/result.ts';

/**
 * Where each canonical company stands first among the positions that a page and those before it walked. Only positions that
 * this page did not deliver need the record: a first page that delivered all it walked asks nothing.
 */
export async function firstPositionsOf(
  deps: Pick<ActionDependencies, 'lookup'>,
  db: Queryable,
  operation: Operation,
  result: StoredResult,
  hydrated: readonly Hydrated[],
  bounds: Bounds,
): Promise<ReadonlyMap<bigint, number>> {
  const { details } = result;
  if (details.action !== 'company_search') return new Map();
  const { page } = details;
  const canonicalIds = new Map(hydrated.map(({ survivorId }, index) => [page.positions[index] ?? 0, survivorId]));
  if (canonicalIds.size < page.to) {
    const ids = await findShortlistCompanies(db, operation.accountId, BigInt(page.shortlist_id), page.to);
    const others = ids.flatMap((id, position) => (canonicalIds.has(position) ? [] : [{ id, position }]));
    const resolved = await resolveCanonicalIds(
      deps,
      others.map((other) => other.id),
      bounds,
    );
    for (const [index, { position }] of others.entries()) canonicalIds.set(position, resolved[index] ?? 0n);
  }
  return earliest(canonicalIds);
}

function earliest(canonicalIds: ReadonlyMap<number, bigint>): Map<bigint, number> {
  const first = new Map<bigint, number>();
  for (const [position, id] of canonicalIds) first.set(id, Math.min(position, first.get(id) ?? position));
  return first;
}
