import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ResolutionRule } from '../matching/same-company.ts';

export interface WrittenMerge {
  readonly companyId: bigint;
  readonly intoId: bigint;
  readonly rule: ResolutionRule | 'operator';
  readonly memberIds: readonly bigint[];
}

/** Keeps their order, so that each can be undone. */
export async function insertMerges(client: Queryable, merges: readonly WrittenMerge[]): Promise<void> {
  if (merges.length === 0) return;
  await client.query(
    `insert into company_merge (company_id, into_id, rule, member_ids)
     select i.company_id, i.into_id, i.rule, i.member_ids
       from json_to_recordset($1) as i(company_id bigint, into_id bigint, rule text, member_ids bigint[])`,
    [
      JSON.stringify(
        merges.map((merge) => ({
          company_id: `${merge.companyId}`,
          into_id: `${merge.intoId}`,
          rule: merge.rule,
          member_ids: merge.memberIds.map(String),
        })),
      ),
    ],
  );
}

export async function moveCompanies(
  client: Queryable,
  moved: readonly { readonly companyId: bigint; readonly canonicalId: bigint }[],
): Promise<bigint[]> {
  if (moved.length === 0) return [];
  const { rows } = await client.query<{ id: bigint }>(
    `update company c set survivor_id = i.survivor_id
       from unnest($1::bigint[], $2::bigint[]) as i(id, survivor_id)
      where c.id = i.id and c.survivor_id <> i.survivor_id
     returning c.id`,
    [moved.map((one) => one.companyId), moved.map((one) => one.canonicalId)],
  );
  return rows.map((row) => row.id);
}

export async function findGroup(
  db: Queryable,
  companyId: bigint,
): Promise<{ canonicalId: bigint; memberIds: bigint[] } | undefined> {
  const { rows } = await db.query<{ survivor_id: bigint; id: bigint }>(
    `select member.survivor_id, member.id
       from company c join company member on member.survivor_id = c.survivor_id
      where c.id = $1 order by member.id`,
    [companyId],
  );
  return rows[0] && { canonicalId: rows[0].survivor_id, memberIds: rows.map((row) => row.id) };
}

export async function undoMerge(
  client: Queryable,
  companyId: bigint,
): Promise<{ intoId: bigint; memberIds: bigint[] } | undefined> {
  const { rows } = await client.query<{ into_id: bigint; member_ids: string[] }>(
    `update company_merge set undone_at = clock_timestamp()
      where id = (select id from company_merge where company_id = $1 and undone_at is null order by id desc limit 1)
     returning into_id, member_ids::text[]`,
    [companyId],
  );
  return rows[0] && { intoId: rows[0].into_id, memberIds: rows[0].member_ids.map(BigInt) };
}
