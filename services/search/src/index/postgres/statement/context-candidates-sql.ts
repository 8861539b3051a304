import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { countriesOf, describedKinds, newestKinds, retrievesNewest } from '../../../ranking/plan-traits.ts';
import { instantText } from '../../instants.ts';
import { filterConditions } from './filter-sql.ts';
import type { Parameters } from './parameters.ts';
import type { RankStatement } from './rank-statement.ts';

/** Descriptions retrieve at most this many observations, and the newest of each company. */
export const DESCRIBED_OBSERVATIONS = 2000;
export const OBSERVATIONS_OF_DESCRIBED = 5;
/** Literal conditions are checked on this many of the newest observations per company. */
const TRIED_OF_DESCRIBED = 100;
export const DESCRIBED_COMPANIES = 1000;
/** Recency retrieves at most this many observations, if the query has no words. */
export const NEWEST = 500;
const NEWEST_FIRST = 'order by i.occurred_at desc nulls last, i.observation_id';

/** Retrieves observations that need not contain a word of the query. */
export interface ContextCandidatesSql {
  readonly tables: string;
  readonly isCut: string;
}

export function contextCandidatesSql(
  statement: RankStatement,
  literalConditions: string,
  parameters: Parameters,
): ContextCandidatesSql {
  const ofDescribed = `of_described as materialized (${ofDescribedSql(statement, literalConditions, parameters)}
)`;
  const isDescribedCut = `(select count(*) from described) > ${DESCRIBED_COMPANIES} or (select count(*) from of_described) = ${DESCRIBED_OBSERVATIONS}`;
  if (!retrievesNewest(statement.plan))
    return {
      tables: `${ofDescribed}, context_candidates as not materialized (select * from of_described)`,
      isCut: isDescribedCut,
    };
  return {
    tables: `${ofDescribed}, newest as materialized (${newestSql(statement, parameters)}
), context_candidates as materialized (select * from of_described union select * from newest)`,
    isCut: `${isDescribedCut} or (select count(*) from newest) >= ${NEWEST}`,
  };
}

/**
 * With literal conditions, selects the newest observations that meet them, so that others cannot
 * displace those.
 */
function ofDescribedSql(statement: RankStatement, literalConditions: string, parameters: Parameters): string {
  const { plan, filters } = statement;
  const newest = `select ${columnsOf('i')} from indexed i
      where i.company_id = d.company_id and not i.tombstone
        and ${filterConditions(filters, 'i', statement, parameters)}${ofKinds(describedKinds(plan), parameters)}
      ${NEWEST_FIRST}`;
  const meeting = `select ${columnsOf('i')} from (${newest} limit ${TRIED_OF_DESCRIBED}) i
      where exists (select from entry e where e.observation_id = i.observation_id and e.bucket = i.bucket${literalConditions})
      ${NEWEST_FIRST}`;
  return `
  select newest.*
    from (select company_id from described order by context desc, company_id limit ${DESCRIBED_COMPANIES}) d
   cross join lateral (
     ${literalConditions ? meeting : newest} limit ${OBSERVATIONS_OF_DESCRIBED}) newest
   limit ${DESCRIBED_OBSERVATIONS}`;
}

/**
 * Selects the newest of the named kinds, or of the countries and the time. With an end of the time,
 * also those just before it.
 */
function newestSql(statement: RankStatement, parameters: Parameters): string {
  const { plan, filters } = statement;
  const countries = countriesOf(plan);
  const kinds = newestKinds(plan);
  const newest = (conditions: readonly string[]) => `
  (select ${columnsOf('i')} from indexed i
   where ${['not i.tombstone', filterConditions(filters, 'i', statement, parameters), ...conditions].join(' and ')}${ofKinds(kinds, parameters)}
   ${NEWEST_FIRST} limit ${NEWEST})`;
  const instant = (at: Timestamp) => parameters.add(instantText(at), 'timestamptz');
  const until = plan.until ? [`i.occurred_at < ${instant(plan.until)}`] : [];
  if (kinds.length > 0) return until.length > 0 ? `${newest([])} union ${newest(until)}` : newest([]);
  return newest([
    ...until,
    ...(plan.since ? [`i.occurred_at >= ${instant(plan.since)}`] : []),
    ...(countries.length > 0 ? [`i.country = any(${parameters.add(countries, 'smallint[]')})`] : []),
  ]);
}

function columnsOf(row: string): string {
  return ['observation_id', 'bucket', 'company_id', 'kind', 'country', 'occurred_at']
    .map((name) => `${row}.${name}`)
    .join(', ');
}

function ofKinds(kinds: readonly Kind[], parameters: Parameters): string {
  return kinds.length > 0 ? ` and i.kind = any(${parameters.add(kinds, 'smallint[]')})` : '';
}
