import type { Queryable } from '@ces/chassis/postgres/pool';
import type { LoadedObservation } from '../documents/observation-table.ts';
import { partitionNumber } from '../partition-number.ts';

/** `text` is the text form of the tsvector. */
export interface ReadObservation extends LoadedObservation {
  readonly text: string;
}

export interface ReadCompany {
  readonly id: number;
  readonly length: number;
  readonly text: string;
}

interface ObservationRow {
  readonly id: number;
  readonly company_id: number;
  readonly kind: number;
  readonly country: number;
  readonly occurred_at: number | null;
  readonly observed_at: number;
  readonly deliverable_until: number;
  readonly partition: string;
  readonly length: number;
  readonly facts: readonly number[] | null;
  readonly text: string;
}

const micros = (column: string) => `(extract(epoch from i.${column}) * 1000000)::float8`;
const OBSERVATIONS = `
select i.observation_id::float8 as id, i.company_id::float8 as company_id, i.kind, i.country, ${micros('occurred_at')} as occurred_at,
       ${micros('observed_at')} as observed_at, ${micros('deliverable_until')} as deliverable_until, i.bucket::text as partition,
       e.length, e.facts, e.text::text as text
  from indexed i join entry e on e.observation_id = i.observation_id and e.bucket = i.bucket
 where not i.tombstone`;
const COMPANIES = `
select company_id::float8 as id, length, text::text as text from company_doc
 where not tombstone and survivor_id = company_id`;

export async function readObservationsAfter(
  db: Queryable,
  partition: string,
  id: number,
  limit: number,
): Promise<ReadObservation[]> {
  const text = `${OBSERVATIONS} and e.bucket = $1 and e.observation_id > $2 order by e.observation_id limit $3`;
  const { rows } = await db.query<ObservationRow>(text, [partition, id, limit]);
  return rows.map(observationOf);
}

export async function readObservations(db: Queryable, ids: readonly string[]): Promise<ReadObservation[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ObservationRow>(`${OBSERVATIONS} and i.observation_id = any($1::bigint[])`, [ids]);
  return rows.map(observationOf);
}

export async function readCompaniesAfter(db: Queryable, id: number, limit: number): Promise<ReadCompany[]> {
  const text = `${COMPANIES} and company_id > $1 order by company_id limit $2`;
  const { rows } = await db.query<ReadCompany>(text, [id, limit]);
  return rows;
}

export async function readCompanies(db: Queryable, ids: readonly string[]): Promise<ReadCompany[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ReadCompany>(`${COMPANIES} and company_id = any($1::bigint[])`, [ids]);
  return rows;
}

function observationOf(row: ObservationRow): ReadObservation {
  return {
    id: row.id,
    companyId: row.company_id,
    kind: row.kind,
    country: row.country,
    occurredAt: row.occurred_at ?? Number.NaN,
    observedAt: row.observed_at,
    deliverableUntil: row.deliverable_until,
    partition: partitionNumber(row.partition),
    length: row.length,
    facts: row.facts ?? undefined,
    text: row.text,
  };
}
