import type { Queryable } from '@ces/chassis/postgres/pool';
import { demandClassOf } from '@ces/proto/catalog';
import type { CheckedObservation } from '../validation/check-observation.ts';
import { NEXT_RECORDED_AT } from './commit-order.ts';
import { factHash } from './record-hash.ts';

/** The observation of the record, or of the event that it duplicates. */
export interface AssignedRecord<R extends CheckedObservation = CheckedObservation> {
  readonly observationId: bigint;
  readonly companyId: bigint;
  readonly record: R;
}

/** Call it under the commit-order lock. All rows get one `recorded_at`. */
export async function insertObservations(
  client: Queryable,
  source: string,
  observations: readonly AssignedRecord[],
): Promise<void> {
  await client.query(
    `insert into observation (id, company_id, source, origin, kind, demand_class, observed_fact, why_it_may_matter,
            country, confidence, occurred_at, observed_at, expires_at, categories, first_operation_id, recorded_at,
            wording_key, wording_occurred_at, fact_hash)
     select i.id, i.company_id, $1, i.origin, i.kind, i.demand_class, i.observed_fact, i.why_it_may_matter,
            i.country, i.confidence, i.occurred_at, i.observed_at, i.expires_at, i.categories, i.first_operation_id,
            commit_order.recorded_at, i.wording_key, i.occurred_at, ${factHash('i', 'i.occurred_at')}
       from json_to_recordset($2) as i(id bigint, company_id bigint, origin text, kind text, demand_class text,
              observed_fact text, why_it_may_matter text, country text, confidence float8, occurred_at timestamptz,
              observed_at timestamptz, expires_at timestamptz, categories text[], first_operation_id bigint,
              wording_key text)
      cross join ${NEXT_RECORDED_AT} as commit_order(recorded_at)`,
    [source, JSON.stringify(observations.map(toRow))],
  );
}

/**
 * The source's newest record sets the wording; company, kind and `observed_at` stay. With other
 * records about the event, its first date and the highest confidence stay too.
 */
export async function amendObservations(
  client: Queryable,
  source: string,
  observations: readonly AssignedRecord[],
): Promise<bigint[]> {
  if (observations.length === 0) return [];
  const { rows } = await client.query<{ id: bigint; changed: boolean }>(
    `with input as (
       select i.*, exists (select 1 from source_record r
                            where r.observation_id = i.id and (r.source, r.source_key) <> ($1, i.wording_key)) as several
         from json_to_recordset($2) as i(id bigint, kind text, observed_fact text, why_it_may_matter text, country text,
                confidence float8, occurred_at timestamptz, expires_at timestamptz, categories text[], wording_key text)
        offset 0)
     update observation o
        set observed_fact = i.observed_fact, why_it_may_matter = i.why_it_may_matter, country = i.country,
            confidence = case when i.several then greatest(o.confidence, i.confidence) else i.confidence end,
            occurred_at = ${FIRST_DATE}, expires_at = i.expires_at, categories = i.categories,
            wording_key = i.wording_key, wording_occurred_at = i.occurred_at, fact_hash = ${factHash('i', FIRST_DATE)}
       from input i
      where o.id = i.id
     returning o.id,
       (old.observed_fact, old.why_it_may_matter, old.country, old.confidence, old.occurred_at, old.expires_at,
        old.categories)
       is distinct from (new.observed_fact, new.why_it_may_matter, new.country, new.confidence, new.occurred_at,
        new.expires_at, new.categories) as changed`,
    [source, JSON.stringify(observations.map(toRow))],
  );
  return rows.filter((row) => row.changed).map((row) => row.id);
}

const FIRST_DATE = 'case when i.several then least(o.occurred_at, i.occurred_at) else i.occurred_at end';

export async function raiseConfidence(client: Queryable, observations: readonly AssignedRecord[]): Promise<bigint[]> {
  if (observations.length === 0) return [];
  const { rows } = await client.query<{ id: bigint }>(
    `update observation o set confidence = i.confidence
       from unnest($1::bigint[], $2::float8[]) as i(id, confidence)
      where o.id = i.id and o.confidence < i.confidence
     returning o.id`,
    [observations.map((one) => one.observationId), observations.map((one) => one.record.confidence)],
  );
  return rows.map((row) => row.id);
}

export async function moveExpiry(client: Queryable, observations: readonly AssignedRecord[]): Promise<bigint[]> {
  if (observations.length === 0) return [];
  const { rows } = await client.query<{ id: bigint }>(
    `update observation o set expires_at = i.expires_at
       from json_to_recordset($1) as i(id bigint, expires_at timestamptz)
      where o.id = i.id and o.expires_at is distinct from i.expires_at
     returning o.id`,
    [
      JSON.stringify(
        observations.map(({ observationId, record }) => ({ id: `${observationId}`, expires_at: record.expiresAt })),
      ),
    ],
  );
  return rows.map((row) => row.id);
}

/** An index detects older documents by it. */
export async function incrementVersions(client: Queryable, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query('update observation set version = version + 1 where id = any($1)', [ids]);
}

export async function withdrawObservation(client: Queryable, id: bigint, reason: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `update observation
        set withdrawn_at = coalesce(withdrawn_at, clock_timestamp()), withdrawn_reason = $2, take_down_id = null
      where id = $1 and (withdrawn_at is null or take_down_id is not null)`,
    [id, reason],
  );
  return rowCount === 1;
}

export async function restoreObservation(client: Queryable, id: bigint): Promise<boolean> {
  const { rowCount } = await client.query(
    `update observation set withdrawn_at = null, withdrawn_reason = null
      where id = $1 and withdrawn_at is not null`,
    [id],
  );
  return rowCount === 1;
}

function toRow({ observationId, companyId, record }: AssignedRecord) {
  return {
    id: `${observationId}`,
    company_id: `${companyId}`,
    origin: record.origin,
    kind: record.kind,
    demand_class: demandClassOf(record.kind),
    observed_fact: record.observedFact,
    why_it_may_matter: record.whyItMayMatter,
    country: record.country,
    confidence: record.confidence,
    occurred_at: record.occurredAt,
    observed_at: record.observedAt,
    expires_at: record.expiresAt,
    categories: record.categories,
    first_operation_id: record.operationId && `${record.operationId}`,
    wording_key: record.key,
  };
}
