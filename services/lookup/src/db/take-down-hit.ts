import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Scope } from './take-down.ts';

export interface Hit {
  readonly observationId: bigint;
  readonly evidenceId: bigint;
}

const PAGE = 500;

export async function findCoveredObservations(
  db: Queryable,
  takeDownId: bigint,
  scope: Scope,
  after: bigint,
): Promise<Hit[]> {
  const { rows } = await db.query<Hit>(
    `select o.id as "observationId", 0::bigint as "evidenceId"
       from observation o
      where o.id > $2 and ${COVERED[scope.scope]} and not ${isHit('o.id', '0')}
      order by o.id limit ${PAGE}`,
    [scope.subject, after, takeDownId],
  );
  return rows;
}

/** Omits observations that the take-down covers as a whole. */
export async function findCoveredEvidence(
  db: Queryable,
  takeDownId: bigint,
  scope: Scope,
  after: bigint,
): Promise<Hit[]> {
  const condition = COVERED_EVIDENCE[scope.scope];
  if (condition === undefined) return [];
  const { rows } = await db.query<Hit>(
    `select e.observation_id as "observationId", e.id as "evidenceId"
       from evidence e join observation o on o.id = e.observation_id
      where e.id > $2 and ${condition} and not (${COVERED[scope.scope]}) and not ${isHit('o.id', 'e.id')}
      order by e.id limit ${PAGE}`,
    [scope.subject, after, takeDownId],
  );
  return rows;
}

function isHit(observationId: string, evidenceId: string): string {
  return `exists (select 1 from take_down_hit hit
    where hit.take_down_id = $3 and hit.observation_id = ${observationId} and hit.evidence_id = ${evidenceId})`;
}

const OF_LICENCE = '(select s.name from source s where s.licence = $1)';

const COVERED: Record<Scope['scope'], string> = {
  source: '(o.source = $1 or o.origin = $1)',
  licence: `(o.source in ${OF_LICENCE} or o.origin in ${OF_LICENCE})`,
  company: `o.company_id = any(array(
    select member.id from company named join company member on member.survivor_id = named.survivor_id
     where named.id = $1::bigint))`,
  hostname: `o.company_id = any(array(
    select member.id
      from domain d
      join company_domain cd on cd.domain_id = d.id
      join company tied on tied.id = cd.company_id
      join company member on member.survivor_id = tied.survivor_id
     where d.hostname = $1))`,
  raw_record: `(o.id in (select e.observation_id from evidence e where e.raw_record_hash = decode($1, 'hex') and e.source = o.source)
    or o.id in (select r.observation_id from source_record r where r.content_hash = decode($1, 'hex') and r.source = o.source))`,
};

const COVERED_EVIDENCE: Partial<Record<Scope['scope'], string>> = {
  source: 'e.source = $1',
  licence: `e.source in ${OF_LICENCE}`,
  raw_record: "e.raw_record_hash = decode($1, 'hex')",
};

export async function withdrawHits(
  client: Queryable,
  takeDownId: bigint,
  reason: string,
  hits: readonly Hit[],
): Promise<Hit[]> {
  await client.query(
    `insert into take_down_hit (take_down_id, observation_id, evidence_id)
     select $1, * from unnest($2::bigint[], $3::bigint[]) on conflict do nothing`,
    [takeDownId, hits.map((hit) => hit.observationId), hits.map((hit) => hit.evidenceId)],
  );
  const why = `taken down: ${reason}`;
  const { rows: observations } = await client.query<Hit>(
    `update observation set withdrawn_at = clock_timestamp(), withdrawn_reason = $3, take_down_id = $1
      where id = any($2) and withdrawn_at is null
     returning id as "observationId", 0::bigint as "evidenceId"`,
    [takeDownId, wholeOf(hits), why],
  );
  const { rows: evidence } = await client.query<Hit>(
    `update evidence set withdrawn_at = clock_timestamp(), withdrawn_reason = $3, take_down_id = $1
      where id = any($2) and withdrawn_at is null
     returning observation_id as "observationId", id as "evidenceId"`,
    [takeDownId, hits.map((hit) => hit.evidenceId), why],
  );
  return [...observations, ...evidence];
}

export async function readHits(db: Queryable, takeDownId: bigint): Promise<Hit[]> {
  const { rows } = await db.query<Hit>(
    `select observation_id as "observationId", evidence_id as "evidenceId"
       from take_down_hit where take_down_id = $1 order by 1, 2 limit $2`,
    [takeDownId, PAGE],
  );
  return rows;
}

/** Restores what no other take-down hit and no operator has withdrawn since. */
export async function releaseHits(client: Queryable, takeDownId: bigint, hits: readonly Hit[]): Promise<Hit[]> {
  await client.query(
    `delete from take_down_hit t
      using unnest($2::bigint[], $3::bigint[]) as i(observation_id, evidence_id)
      where t.take_down_id = $1 and t.observation_id = i.observation_id and t.evidence_id = i.evidence_id`,
    [takeDownId, hits.map((hit) => hit.observationId), hits.map((hit) => hit.evidenceId)],
  );
  const { rows: observations } = await client.query<{ id: bigint; restored: boolean }>(
    `update observation o set ${released('o.id', '0')}
      where o.id = any($2) and o.take_down_id = $1
     returning o.id, o.withdrawn_at is null as restored`,
    [takeDownId, wholeOf(hits)],
  );
  const { rows: evidence } = await client.query<{ observation_id: bigint; id: bigint; restored: boolean }>(
    `update evidence e set ${released('e.observation_id', 'e.id')}
      where e.id = any($2) and e.take_down_id = $1
     returning e.observation_id, e.id, e.withdrawn_at is null as restored`,
    [takeDownId, hits.map((hit) => hit.evidenceId)],
  );
  return [
    ...observations.filter((row) => row.restored).map((row) => ({ observationId: row.id, evidenceId: 0n })),
    ...evidence.filter((row) => row.restored).map((row) => ({ observationId: row.observation_id, evidenceId: row.id })),
  ];
}

export async function findHoldingTakeDown(
  db: Queryable,
  { observationId, evidenceId }: Hit,
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ take_down_id: bigint }>(
    'select take_down_id from take_down_hit where observation_id = $1 and evidence_id = $2 limit 1',
    [observationId, evidenceId],
  );
  return rows[0]?.take_down_id;
}

/** Gives the withdrawal to another take-down of the row, or ends it. */
function released(observationId: string, evidenceId: string): string {
  const other = `(select min(t.take_down_id) from take_down_hit t
                   where t.observation_id = ${observationId} and t.evidence_id = ${evidenceId})`;
  const row = observationId.split('.')[0];
  return `take_down_id = ${other},
          withdrawn_at = case when ${other} is not null then ${row}.withdrawn_at end,
          withdrawn_reason = case when ${other} is not null then ${row}.withdrawn_reason end`;
}

function wholeOf(hits: readonly Hit[]): bigint[] {
  return hits.filter((hit) => hit.evidenceId === 0n).map((hit) => hit.observationId);
}
