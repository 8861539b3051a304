import type { Queryable } from '@ces/chassis/postgres/pool';
import type { AssignedRecord } from './observation.ts';
import { passageHash } from './record-hash.ts';

const COLUMNS = `observation_id, source_uri, excerpt, occurred_at, observed_at, last_seen_at, source, raw_record_hash,
            text_hash, extractor_version, passage_hash`;

export async function insertEvidence(
  client: Queryable,
  source: string,
  observations: readonly AssignedRecord[],
): Promise<void> {
  await client.query(`insert into evidence (${COLUMNS}) ${ROWS}`, [passagesOf(observations), source]);
}

/**
 * A known passage is another occurrence; withdrawn rows stay withdrawn. Returns observations whose
 * evidence changed otherwise.
 */
export async function addEvidence(
  client: Queryable,
  source: string,
  observations: readonly AssignedRecord[],
): Promise<bigint[]> {
  if (observations.length === 0) return [];
  const { rows } = await client.query<{ observation_id: bigint; changed: boolean }>(
    `insert into evidence (${COLUMNS}) ${ROWS}
     on conflict (observation_id, passage) do update
        set occurred_at = excluded.occurred_at,
            last_seen_at = nullif(
              greatest(evidence.last_seen_at, evidence.observed_at, excluded.observed_at, excluded.last_seen_at),
              evidence.observed_at)
     returning new.observation_id,
               old.id is null or old.occurred_at is distinct from new.occurred_at as changed`,
    [passagesOf(observations), source],
  );
  return rows.filter((row) => row.changed).map((row) => row.observation_id);
}

/** Moves `last_seen_at` only forward. */
export async function updateLastSeen(client: Queryable, observations: readonly AssignedRecord[]): Promise<void> {
  if (observations.length === 0) return;
  await client.query(
    `update evidence e set last_seen_at = greatest(i.observed_at, i.last_seen_at)
       from ${PASSAGES}
      where e.observation_id = i.observation_id and e.source_uri = i.source_uri and e.excerpt = i.excerpt
        and greatest(i.observed_at, i.last_seen_at) > greatest(e.observed_at, e.last_seen_at)`,
    [passagesOf(observations)],
  );
}

/** Undefined: no such row; false: already withdrawn other than by a take-down. */
export async function withdrawEvidenceRow(
  client: Queryable,
  observationId: bigint,
  evidenceId: bigint,
  reason: string,
): Promise<boolean | undefined> {
  const { rows } = await client.query<{ changed: boolean }>(
    `update evidence
        set withdrawn_at = coalesce(withdrawn_at, clock_timestamp()), take_down_id = null,
            withdrawn_reason = case when withdrawn_at is null or take_down_id is not null then $3 else withdrawn_reason end
      where observation_id = $1 and id = $2
     returning old.withdrawn_at is null or old.take_down_id is not null as changed`,
    [observationId, evidenceId, reason],
  );
  return rows[0]?.changed;
}

/** Undefined: no such row; false: not withdrawn. */
export async function restoreEvidenceRow(
  client: Queryable,
  observationId: bigint,
  evidenceId: bigint,
): Promise<boolean | undefined> {
  const { rows } = await client.query<{ changed: boolean }>(
    `update evidence set withdrawn_at = null, withdrawn_reason = null
      where observation_id = $1 and id = $2
     returning old.withdrawn_at is not null as changed`,
    [observationId, evidenceId],
  );
  return rows[0]?.changed;
}

const PASSAGES = `json_to_recordset($1) as i(observation_id bigint, source_uri text, excerpt text,
              occurred_at timestamptz, observed_at timestamptz, last_seen_at timestamptz, raw_record_hash text, text_hash text,
              extractor_version text)`;

const ROWS = `
     select i.observation_id, i.source_uri, i.excerpt, i.occurred_at, i.observed_at, i.last_seen_at, $2,
            decode(i.raw_record_hash, 'hex'), decode(i.text_hash, 'hex'), i.extractor_version, ${passageHash('i')}
       from ${PASSAGES}`;

function passagesOf(observations: readonly AssignedRecord[]): string {
  const rows = observations.flatMap(({ observationId, record }) =>
    record.evidence.map((evidence) => ({
      observation_id: `${observationId}`,
      source_uri: evidence.sourceUri,
      excerpt: evidence.excerpt,
      occurred_at: evidence.occurredAt,
      observed_at: evidence.observedAt,
      last_seen_at: evidence.lastSeenAt,
      raw_record_hash: evidence.raw && Buffer.from(evidence.raw.recordHash).toString('hex'),
      text_hash: evidence.raw && Buffer.from(evidence.raw.textHash).toString('hex'),
      extractor_version: evidence.raw?.extractorVersion,
    })),
  );
  return JSON.stringify(rows);
}
