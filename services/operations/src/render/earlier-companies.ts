import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ActionDependencies, Bounds } from '../actions/action.ts';
import { remainingPositions } from '../actions/company-search/skipped-positions.ts';
import { resolveCanonicalIds } from '../actions/company-search/walk-shortlist.ts';
import { hydrate } from '../actions/hydrate.ts';
import { findReferences } from '../db/shortlist.ts';
import type { Operation } from '../model/operation.ts';
import type { Hydrated, StoredResult } from '../model/result.ts';

/** Companies may merge after delivery. A first page needs no read. */
export async function findEarlierCompanies(
  deps: Pick<ActionDependencies, 'lookup'>,
  db: Queryable,
  operation: Operation,
  { details, judgedAt }: StoredResult,
  hydrated: readonly Hydrated[],
  bounds: Bounds,
): Promise<ReadonlySet<bigint>> {
  if (details.action !== 'company_search' || details.page.from === 0) return NONE;
  const { shortlist_id: shortlistId, from, passed_over: passedOver } = details.page;
  const delivered = remainingPositions(0, from, passedOver);
  const references = await findReferences(db, operation.accountId, BigInt(shortlistId), delivered);
  const companyIds = references.map((reference) => BigInt(reference.company_id));
  const canonicalIds = await resolveCanonicalIds(deps, companyIds, bounds);
  const ofPage = new Set(hydrated.flatMap(({ survivorId, company }) => (company ? [survivorId] : [])));
  const same = references.filter((_, index) => ofPage.has(canonicalIds[index] ?? 0n));
  if (same.length === 0) return NONE;
  const { hydrated: earlier } = await hydrate(deps, same, judgedAt, bounds);
  return new Set(earlier.flatMap(({ survivorId, company }) => (company ? [survivorId] : [])));
}

const NONE: ReadonlySet<bigint> = new Set();
