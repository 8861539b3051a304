import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';
import { factHash, passageHash } from '../db/record-hash.ts';

export interface Judged {
  readonly observationId: bigint;
  readonly reason: string | undefined;
  readonly known: boolean;
}

/** A SQL expression; null if `o` passes verification. */
const PROBLEM = `coalesce(
  case when o.fact_hash <> ${factHash('o')} then 'its words differ from what was recorded' end,
  (select 'the passage of evidence ' || e.id || ' differs from what was recorded'
     from evidence e
    where e.observation_id = o.id and e.withdrawn_at is null and e.passage_hash <> ${passageHash('e')}
    order by e.id limit 1),
  (select 'evidence ' || e.id || ': ' || e.unverified_reason
     from evidence e
    where e.observation_id = o.id and e.withdrawn_at is null and e.unverified_reason is not null
    order by e.id limit 1))`;

/** Those that fail or failed before; counts the others. */
export async function judgePage(
  db: Queryable,
  afterId: bigint,
  limit: number,
): Promise<{ checked: number; lastId: bigint; judged: Judged[] }> {
  const { rows } = await db.query<{ id: bigint; reason: string | null; before: string | null }>(
    `select o.id, ${PROBLEM} as reason, o.unverified_reason as before
       from (select * from observation where id > $1 order by id limit $2) o
      order by o.id`,
    [afterId, limit],
  );
  const judged = rows.filter((row) => row.reason !== null || row.before !== null);
  return { checked: rows.length, lastId: rows.at(-1)?.id ?? afterId, judged: judged.map(toJudged) };
}

export async function markJudged(client: Queryable, ids: readonly bigint[]): Promise<Judged[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ id: bigint; reason: string | null; before: string | null }>(
    `with judged as (select o.id, ${PROBLEM} as reason from observation o where o.id = any($1) offset 0)
     update observation o
        set unverified_reason = judged.reason,
            unverified_at = case when judged.reason is not null then coalesce(o.unverified_at, clock_timestamp()) end
       from judged
      where o.id = judged.id and o.unverified_reason is distinct from judged.reason
     returning o.id, new.unverified_reason as reason, old.unverified_reason as before`,
    [ids],
  );
  return rows.map(toJudged);
}

export interface FoundProblem {
  readonly evidenceId: bigint;
  readonly problem: string | undefined;
}

export async function findChangedProblems(
  client: Queryable,
  results: readonly FoundProblem[],
): Promise<(FoundProblem & { readonly observationId: bigint })[]> {
  return await readRows<FoundProblem & { readonly observationId: bigint }>(
    client,
    `select e.id as "evidenceId", e.observation_id as "observationId", i.problem
       from unnest($1::bigint[], $2::text[]) as i(id, problem)
       join evidence e on e.id = i.id and e.unverified_reason is distinct from i.problem`,
    [results.map((one) => one.evidenceId), results.map((one) => one.problem)],
  );
}

export async function writeProblems(client: Queryable, results: readonly FoundProblem[]): Promise<void> {
  await client.query(
    `update evidence e set unverified_reason = i.problem
       from unnest($1::bigint[], $2::text[]) as i(id, problem)
      where e.id = i.id and e.unverified_reason is distinct from i.problem`,
    [results.map((one) => one.evidenceId), results.map((one) => one.problem)],
  );
}

function toJudged(row: { id: bigint; reason: string | null; before: string | null }): Judged {
  return { observationId: row.id, reason: row.reason ?? undefined, known: row.reason === row.before };
}
