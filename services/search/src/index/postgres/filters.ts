import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { bucketOf, UNDATED } from './buckets.ts';
import { instantText } from './instants.ts';
import type { Parameters } from './parameters.ts';

/** The oldest bucket that filters leave in. */
export function firstBucket(filters: SearchFilters, horizon: Date, now: Date): string {
  if (filters.kinds.includes(Kind.COMPANY_PROFILE)) return UNDATED;
  return firstEventBucket(filters, horizon, now);
}

/** Filters as conditions on `entry e`, joined by `and`: OR within one, AND across, exclusions win, empty ones restrict nothing. */
export function filterConditions(filters: SearchFilters, horizon: Date, now: Date, parameters: Parameters): string {
  const conditions = [
    'e.deliverable_until > now()',
    bucketCondition(filters, horizon, now, parameters),
    kindConditions(filters, parameters),
  ];
  if (filters.countries.length > 0)
    conditions.push(`e.country = any(${parameters.add(filters.countries, 'smallint[]')})`);
  if (filters.observedAfter)
    conditions.push(`e.observed_at >= ${parameters.add(instantText(filters.observedAfter), 'timestamptz')}`);
  return [...conditions, ...companyConditions(filters, parameters)].join('\n   and ');
}

function companyConditions(filters: SearchFilters, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (filters.companyIds.length > 0)
    conditions.push(`e.company_id = any(${parameters.add(filters.companyIds, 'bigint[]')})`);
  if (filters.domains.length > 0)
    conditions.push(`e.company_id = any(array(${companiesOf(filters.domains, parameters)}))`);
  if (filters.excludeCompanyIds.length > 0)
    conditions.push(`e.company_id <> all(${parameters.add(filters.excludeCompanyIds, 'bigint[]')})`);
  if (filters.excludeDomains.length > 0)
    conditions.push(`e.company_id <> all(array(${companiesOf(filters.excludeDomains, parameters)}))`);
  return conditions;
}

/** Companies that current evidence ties to one of the hostnames. */
function companiesOf(hostnames: readonly string[], parameters: Parameters): string {
  return `select d.survivor_id from company_domain join company_doc d using (company_id)
     where hostname = any(${parameters.add(hostnames, 'text[]')}) and supported_until > now() and not d.tombstone`;
}

function kindConditions(filters: SearchFilters, parameters: Parameters): string {
  const events = filters.kinds.filter((kind) => kind !== Kind.COMPANY_PROFILE);
  const parts: string[] = [];
  if (events.length > 0)
    parts.push(`e.kind = any(${parameters.add(events, 'smallint[]')})${notBefore(filters.occurredAfter, parameters)}`);
  if (events.length < filters.kinds.length)
    parts.push(`e.kind = ${Kind.COMPANY_PROFILE}${notBefore(filters.profileOccurredAfter, parameters)}`);
  return `(${parts.join(' or ') || 'false'})`;
}

function notBefore(cutoff: Timestamp | undefined, parameters: Parameters): string {
  return cutoff ? ` and e.occurred_at >= ${parameters.add(instantText(cutoff), 'timestamptz')}` : '';
}

/** Says again by bucket what the cutoffs say, so that partitions are left out. */
function bucketCondition(filters: SearchFilters, horizon: Date, now: Date, parameters: Parameters): string {
  const undated = `e.bucket = '${UNDATED}'`;
  const profiles = filters.kinds.includes(Kind.COMPANY_PROFILE);
  if (profiles && filters.kinds.length === 1) return undated;
  const dated = `e.bucket >= ${parameters.add(firstEventBucket(filters, horizon, now), 'date')}`;
  return profiles ? `(${undated} or ${dated})` : dated;
}

function firstEventBucket(filters: SearchFilters, horizon: Date, now: Date): string {
  const cutoff = filters.occurredAfter;
  return bucketOf(Kind.PROCUREMENT_REQUEST, cutoff ? timestampDate(cutoff) : new Date(0), horizon, now);
}
