import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type pg from 'pg';
import type { LoadedCompany } from '../documents/company-table.ts';
import type { LoadedObservation } from '../documents/observation-table.ts';
import { partitionNumber, UNDATED_PARTITION } from '../partition-number.ts';

interface ReadText {
  readonly text: string;
  readonly written: readonly string[];
  readonly partition: number;
}

export interface ReadObservation extends LoadedObservation, ReadText {}

/** `written`: words of the name, then of the profile. */
export interface ReadCompany extends LoadedCompany, ReadText {}

type TakePage<D> = (page: readonly D[]) => Promise<void>;

const PAGE = 5_000;

interface ObservationRow {
  readonly id: number;
  readonly company_id: number;
  readonly kind: number;
  readonly country: number;
  readonly occurred_at: number | null;
  readonly observed_at: number;
  readonly recorded_at: number;
  readonly deliverable_until: number;
  readonly partition: string;
  readonly length: number;
  readonly facts: readonly number[] | null;
  readonly text: string;
  readonly words: string;
}

interface CompanyRow {
  readonly id: number;
  readonly survivor_id: number;
  readonly length: number;
  readonly text: string;
  readonly name_words: string;
  readonly words: string;
  readonly hostnames: readonly string[];
  readonly supported_until: readonly number[];
}

const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::float8`;
const OBSERVATIONS = `
select i.observation_id::float8 as id, i.company_id::float8 as company_id, i.kind, i.country, ${micros('i.occurred_at')} as occurred_at,
       ${micros('i.observed_at')} as observed_at, ${micros('i.deliverable_until')} as deliverable_until, i.bucket::text as partition,
       ${micros('i.recorded_at')} as recorded_at, e.length, e.facts, e.text::text as text, e.words
  from indexed i join entry e on e.observation_id = i.observation_id and e.bucket = i.bucket
 where not i.tombstone`;
/** Only a survivor's own text describes it. Domains of a merged company still lead to it. */
const COMPANIES = `
select d.company_id::float8 as id, d.survivor_id::float8 as survivor_id,
       case when d.survivor_id = d.company_id then d.length else 0 end as length,
       case when d.survivor_id = d.company_id then d.text::text else '' end as text, d.name_words, d.words,
       domains.hostnames, domains.supported_until
  from company_doc d
 cross join lateral (
   select coalesce(array_agg(hostname), '{}') as hostnames,
          coalesce(array_agg(${micros('supported_until')}), '{}') as supported_until
     from company_domain where company_id = d.company_id) domains
 where not d.tombstone`;

export async function readPartition(pool: Pool, partition: string, take: TakePage<ReadObservation>): Promise<void> {
  await readPages<ObservationRow>(pool, `${OBSERVATIONS} and e.bucket = $1 and i.bucket = $1`, [partition], (rows) =>
    take(rows.map(observationOf)),
  );
}

export async function readObservations(db: Queryable, ids: readonly string[]): Promise<ReadObservation[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ObservationRow>(`${OBSERVATIONS} and i.observation_id = any($1::bigint[])`, [ids]);
  return rows.map(observationOf);
}

export async function readAllCompanies(pool: Pool, take: TakePage<ReadCompany>): Promise<void> {
  await readPages<CompanyRow>(pool, COMPANIES, [], (rows) => take(rows.map(companyOf)));
}

export async function readCompanies(db: Queryable, ids: readonly string[]): Promise<ReadCompany[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<CompanyRow>(`${COMPANIES} and d.company_id = any($1::bigint[])`, [ids]);
  return rows.map(companyOf);
}

/** Reads the next page while `take` works on one. */
async function readPages<Row>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
  take: (rows: Row[]) => Promise<void>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await allowLongStatements(client);
    await client.query('set local cursor_tuple_fraction = 1');
    await client.query(`declare documents no scroll cursor for ${text}`, [...values]);
    const readNext = () => {
      const page = client.query<Row & pg.QueryResultRow>(`fetch ${PAGE} from documents`);
      /* Its failure counts only when it is awaited. */
      page.catch(() => undefined);
      return page;
    };
    for (let { rows } = await readNext(); rows.length > 0; ) {
      const next = readNext();
      await take(rows);
      ({ rows } = await next);
    }
  });
}

function observationOf(row: ObservationRow): ReadObservation {
  return {
    id: row.id,
    companyId: row.company_id,
    kind: row.kind,
    country: row.country,
    occurredAt: row.occurred_at ?? Number.NaN,
    observedAt: row.observed_at,
    recordedAt: row.recorded_at,
    deliverableUntil: row.deliverable_until,
    partition: partitionNumber(row.partition),
    length: row.length,
    facts: row.facts ?? undefined,
    text: row.text,
    written: [row.words],
  };
}

function companyOf(row: CompanyRow): ReadCompany {
  return {
    id: row.id,
    survivorId: row.survivor_id,
    length: row.length,
    domains: row.hostnames.map((hostname, at) => ({ hostname, supportedUntil: row.supported_until[at] ?? 0 })),
    partition: UNDATED_PARTITION,
    text: row.text,
    written: [row.name_words, row.words],
  };
}
