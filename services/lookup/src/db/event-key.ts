import type { Queryable } from '@ces/chassis/postgres/pool';
import type { EventIdentifier, EventKey } from '../deduplication/event-key.ts';
import type { EventCandidate } from '../deduplication/same-event.ts';

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

/** Candidates of the company and, by a number, of all companies. */
const MAX_CANDIDATES = 50;

/** A title is looked up only within the company. */
export interface EventKeyQuery extends EventKey {
  readonly canonicalId: bigint;
}

/** The oldest. Separate limits, so that a common number cannot hide the company's event. */
export async function findEventCandidates(db: Queryable, keys: readonly EventKeyQuery[]): Promise<EventCandidate[]> {
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
