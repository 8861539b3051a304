import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Reference } from '../../model/result.ts';
import type { ActionDependencies, Bounds } from '../action.ts';
import { hideRepeatedCompanies } from '../hide-repeated-companies.ts';
import { hydrate } from '../hydrate.ts';
import { remainingPositions } from './skipped-positions.ts';

export interface WalkStart {
  readonly from: number;
  readonly passedOver: readonly number[];
}

export interface Walk {
  readonly companies: readonly Company[];
  readonly positions: readonly number[];
  readonly to: number;
  /** Time of the first read, at which expiry was judged. */
  readonly judgedAt: Date;
}

/** Reads this many at once after some of the first batch were not deliverable. */
const FURTHER_POSITIONS = 100;
const RESOLVED_AT_ONCE = 200;

/**
 * Stops at `limit` deliverable companies. Skips a canonical company that an earlier position
 * delivered (gateway/docs/contract.md, What an operation freezes).
 */
export async function walkShortlist(
  deps: Pick<ActionDependencies, 'lookup'>,
  shortlist: readonly Reference[],
  { from, passedOver }: WalkStart,
  limit: number,
  bounds: Bounds,
): Promise<Walk> {
  const delivered = remainingPositions(0, from, passedOver).map((position) =>
    BigInt(shortlist[position]?.company_id ?? 0),
  );
  const companyToShow = hideRepeatedCompanies(await resolveCanonicalIds(deps, delivered, bounds));
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
