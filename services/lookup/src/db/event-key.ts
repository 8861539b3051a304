import type { Queryable } from '@ces/chassis/postgres/pool';
import type { EventIdentifier, EventKey } from '../deduplication/event-key.ts';
import type { EventCandidate } from '../deduplication/same-event.ts';

/** Remembers what observations are found by. */
export async function insertEventKeys(
  client: Queryable,
  observations: readonly { readonly observationId: bigint; readonly keys: readonly EventKey[] }[],
): Promise<void> {
  const rows = observations.flatMap(({ observationId, keys }) => keys.map((key) => ({ ...key, observationId })));
  if (rows.length === 0) return;
  await client.query(
    `insert into event_key (scheme, value, kind, observation_id)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
     on conflict do nothing`,
    [...columnsOf(rows), rows.map((row) => row.observationId)],
  );
}

/** Observations that an event key finds at most: of the company whose record has it, and of all companies by a number. */
const MAX_CANDIDATES = 50;

/** An event key and the company whose record has it: a title is looked for within that company only. */
export interface SoughtKey extends EventKey {
  readonly canonicalId: bigint;
}

/**
 * The observations that share one of these event keys: the oldest of the company and those merged with it, and of numbers the oldest of
 * all companies, since a number that many use in their own way must not hide the company's event behind those of others.
 */
export async function findEventCandidates(db: Queryable, keys: readonly SoughtKey[]): Promise<EventCandidate[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<CandidateRow>(
    `select i.scheme, i.value, i.kind, found.observation_id, found.survivor_id,
            (select json_agg(json_build_object('scheme', own.scheme, 'value', own.value))
               from event_key own where own.observation_id = found.observation_id and own.scheme <> 'title') as identifiers
       from (select distinct * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
               as i(scheme, value, kind, survivor_id)) i
      cross join lateral (
        (${sharingSql('c.survivor_id = i.survivor_id')})
        union
        (${sharingSql("i.scheme <> 'title'")})) found`,
    [...columnsOf(keys), keys.map((key) => key.canonicalId)],
  );
  return rows.map((row) => ({
    observationId: row.observation_id,
    canonicalId: row.survivor_id,
    shared: { scheme: row.scheme, value: row.value, kind: row.kind },
    identifiers: row.identifiers ?? [],
  }));
}

function sharingSql(condition: string): string {
  return `select k.observation_id, c.survivor_id
            from event_key k
            join observation o on o.id = k.observation_id
            join company c on c.id = o.company_id
           where k.scheme = i.scheme and k.value = i.value and k.kind = i.kind and ${condition}
           order by k.observation_id limit ${MAX_CANDIDATES}`;
}

function columnsOf(keys: readonly EventKey[]): string[][] {
  return [keys.map((key) => key.scheme), keys.map((key) => key.value), keys.map((key) => key.kind)];
}

interface CandidateRow extends EventKey {
  readonly observation_id: bigint;
  readonly survivor_id: bigint;
  readonly identifiers: EventIdentifier[] | null;
}
