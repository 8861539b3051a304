import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Reference } from '../../operation/result.ts';
import type { ActionDependencies, Bounds } from '../action.ts';
import { hydrate } from '../hydrate.ts';
import { showOnce } from '../shown-once.ts';
import { positionsWithout } from './passed-over.ts';

/** Where a page begins. */
export interface WalkStart {
  readonly from: number;
  /** Positions before `from` that no page delivered. */
  readonly passedOver: readonly number[];
}

/** A page of a shortlist. */
export interface Walk {
  readonly companies: readonly Company[];
  /** The position of each. */
  readonly positions: readonly number[];
  /** The position reached: where the next page begins. */
  readonly to: number;
  /** When the first of them was read; expiry was judged then. */
  readonly judgedAt: Date;
}

/** Positions read beyond those that would fill the page, once one of those was not deliverable. */
const FURTHER_POSITIONS = 100;
/** Ids that lookup resolves in one call. */
const RESOLVED_AT_ONCE = 200;

/**
 * Walks frozen positions until `limit` deliverable companies are found or the shortlist ends. A position is passed over when an
 * earlier one that was delivered has the same canonical company (gateway/docs/contract.md, What an operation freezes).
 */
export async function walkShortlist(
  deps: Pick<ActionDependencies, 'lookup'>,
  shortlist: readonly Reference[],
  { from, passedOver }: WalkStart,
  limit: number,
  bounds: Bounds,
): Promise<Walk> {
  const delivered = positionsWithout(0, from, passedOver).map((position) =>
    BigInt(shortlist[position]?.company_id ?? 0),
  );
  const companyToShow = showOnce(await resolveCanonicalIds(deps, delivered, bounds));
  const companies: Company[] = [];
  const positions: number[] = [];
  let to = from;
  let judgedAt: Date | undefined;
  do {
    const ahead = judgedAt ? FURTHER_POSITIONS : limit;
    const batch = await hydrate(deps, shortlist.slice(to, to + ahead), judgedAt, bounds);
    judgedAt ??= batch.readAt;
    for (const reference of batch.hydrated) {
      if (companies.length === limit) break;
      const company = companyToShow(reference);
      if (company) {
        companies.push(company);
        positions.push(to);
      }
      to += 1;
    }
  } while (companies.length < limit && to < shortlist.length);
  return { companies, positions, to, judgedAt };
}

/** The canonical company of each, in order. */
export async function resolveCanonicalIds(
  { lookup }: Pick<ActionDependencies, 'lookup'>,
  companyIds: readonly bigint[],
  bounds: Bounds,
): Promise<bigint[]> {
  const canonicalIds: bigint[] = [];
  for (let at = 0; at < companyIds.length; at += RESOLVED_AT_ONCE) {
    const ids = companyIds.slice(at, at + RESOLVED_AT_ONCE);
    canonicalIds.push(...(await lookup.resolveCompanies({ ids }, bounds)).survivorIds);
  }
  return canonicalIds;
}
