import type { Queryable } from '@ces/chassis/postgres/pool';

/** A survivor that became part of another group, with everybody who moved with it. */
export interface WrittenMerge {
  readonly companyId: bigint;
  readonly intoId: bigint;
  readonly rule: 'identifier' | 'hostname' | 'name' | 'operator';
  readonly memberIds: readonly bigint[];
}

/** Remembers merges, in their order, so that each can be taken back. */
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

/** Puts companies under the survivors of their groups. Returns those that had another one. */
export async function moveCompanies(
  client: Queryable,
  moved: readonly { readonly companyId: bigint; readonly survivorId: bigint }[],
): Promise<bigint[]> {
  if (moved.length === 0) return [];
  const { rows } = await client.query<{ id: bigint }>(
    `update company c set survivor_id = i.survivor_id
       from unnest($1::bigint[], $2::bigint[]) as i(id, survivor_id)
      where c.id = i.id and c.survivor_id <> i.survivor_id
     returning c.id`,
    [moved.map((one) => one.companyId), moved.map((one) => one.survivorId)],
  );
  return rows.map((row) => row.id);
}

/** The group of a company: its survivor and everybody in it; undefined when there is no such company. */
export async function findGroup(
  db: Queryable,
  companyId: bigint,
): Promise<{ survivorId: bigint; memberIds: bigint[] } | undefined> {
  const { rows } = await db.query<{ survivor_id: bigint; id: bigint }>(
    `select member.survivor_id, member.id
       from company c join company member on member.survivor_id = c.survivor_id
      where c.id = $1 order by member.id`,
    [companyId],
  );
  return rows[0] && { survivorId: rows[0].survivor_id, memberIds: rows.map((row) => row.id) };
}

/** The merge that made a company part of another one, marked as undone; undefined when none is on record. */
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

/** Remembers that two companies are two, whatever the rules say. */
export async function tellApart(client: Queryable, one: bigint, other: bigint): Promise<void> {
  await client.query(
    `insert into company_apart (company_id, other_id) values (least($1::bigint, $2::bigint), greatest($1::bigint, $2::bigint))
     on conflict do nothing`,
    [one, other],
  );
}

/** Forgets what tells companies of two groups apart. */
export async function forgetApart(
  client: Queryable,
  group: readonly bigint[],
  other: readonly bigint[],
): Promise<void> {
  await client.query(
    `delete from company_apart
      where (company_id = any($1) and other_id = any($2)) or (company_id = any($2) and other_id = any($1))`,
    [group, other],
  );
}
