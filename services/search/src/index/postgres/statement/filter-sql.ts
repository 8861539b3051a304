import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { instantText } from '../../instants.ts';
import { type Partitioning, UNDATED } from '../partitions/partitions.ts';
import { firstEventPartition } from '../partitions/searched-partitions.ts';
import { indexCodesCondition } from './index-codes.ts';
import type { Parameters } from './parameters.ts';

/**
 * Builds conditions on a row of `entry` or `indexed`. Values of one filter are OR'ed, filters are
 * AND'ed. Exclusions win, and empty filters restrict nothing.
 */
export function filterConditions(
  filters: SearchFilters,
  row: string,
  partitioning: Partitioning,
  parameters: Parameters,
): string {
  const conditions = [kindConditions(filters, row, parameters)];
  if (filters.countries.length > 0)
    conditions.push(`${row}.country = any(${parameters.add(filters.countries, 'smallint[]')})`);
  return [...conditions, ...otherConditions(filters, row, partitioning, parameters)].join('\n   and ');
}

/**
 * Builds the same on `entry`, with kinds and countries from the GIN index. They occur only once:
 * with a second condition the planner would underestimate the rows tenfold.
 */
export function indexedFilterConditions(
  filters: SearchFilters,
  row: string,
  partitioning: Partitioning,
  parameters: Parameters,
): string {
  const { kinds, occurredAfter } = filters;
  const conditions = [indexCodesCondition(filters, row, parameters)];
  if (kinds.includes(Kind.COMPANY_PROFILE)) conditions.push(kindConditions(filters, row, parameters));
  else if (occurredAfter)
    conditions.push(`${row}.occurred_at >= ${parameters.add(instantText(occurredAfter), 'timestamptz')}`);
  return [...conditions, ...otherConditions(filters, row, partitioning, parameters)].join('\n   and ');
}

function otherConditions(
  filters: SearchFilters,
  row: string,
  partitioning: Partitioning,
  parameters: Parameters,
): string[] {
  const conditions = [`${row}.deliverable_until > now()`, partitionCondition(filters, row, partitioning, parameters)];
  if (filters.observedAfter)
    conditions.push(`${row}.observed_at >= ${parameters.add(instantText(filters.observedAfter), 'timestamptz')}`);
  return [...conditions, ...companyConditions(filters, row, parameters)];
}

function companyConditions(filters: SearchFilters, row: string, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const ids = (values: readonly bigint[]) => parameters.add(values, 'bigint[]');
  if (filters.companyIds.length > 0) conditions.push(`${row}.company_id = any(${ids(filters.companyIds)})`);
  if (filters.domains.length > 0)
    conditions.push(`${row}.company_id = any(array(${companiesOf(filters.domains, parameters)}))`);
  if (filters.excludeCompanyIds.length > 0)
    conditions.push(`${row}.company_id <> all(${ids(filters.excludeCompanyIds)})`);
  if (filters.excludeDomains.length > 0)
    conditions.push(`${row}.company_id <> all(array(${companiesOf(filters.excludeDomains, parameters)}))`);
  return conditions;
}

function companiesOf(hostnames: readonly string[], parameters: Parameters): string {
  return `select d.survivor_id from company_domain join company_doc d using (company_id)
     where hostname = any(${parameters.add(hostnames, 'text[]')}) and supported_until > now() and not d.tombstone`;
}

function kindConditions(filters: SearchFilters, row: string, parameters: Parameters): string {
  const notBefore = (cutoff: Timestamp | undefined) =>
    cutoff ? ` and ${row}.occurred_at >= ${parameters.add(instantText(cutoff), 'timestamptz')}` : '';
  const events = filters.kinds.filter((kind) => kind !== Kind.COMPANY_PROFILE);
  const parts: string[] = [];
  if (events.length > 0)
    parts.push(`${row}.kind = any(${parameters.add(events, 'smallint[]')})${notBefore(filters.occurredAfter)}`);
  if (events.length < filters.kinds.length)
    parts.push(`${row}.kind = ${Kind.COMPANY_PROFILE}${notBefore(filters.profileOccurredAfter)}`);
  return `(${parts.join(' or ') || 'false'})`;
}

/** Repeats the time bounds on the partition key, so that Postgres prunes partitions. */
export function partitionCondition(
  filters: SearchFilters,
  row: string,
  partitioning: Partitioning,
  parameters: Parameters,
): string {
  const undated = `${row}.bucket = '${UNDATED}'`;
  const profiles = filters.kinds.includes(Kind.COMPANY_PROFILE);
  if (profiles && filters.kinds.length === 1) return undated;
  const dated = `${row}.bucket >= ${parameters.add(firstEventPartition(filters, partitioning), 'date')}`;
  return profiles ? `(${undated} or ${dated})` : dated;
}
