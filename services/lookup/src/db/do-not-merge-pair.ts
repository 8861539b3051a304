import type { Queryable } from '@ces/chassis/postgres/pool';

export async function readDoNotMergePairs(db: Queryable, companyIds: readonly bigint[]): Promise<[bigint, bigint][]> {
  const { rows } = await db.query<{ company_id: bigint; other_id: bigint }>(
    `select company_id, other_id from do_not_merge_pair where company_id = any($1)
     union select company_id, other_id from do_not_merge_pair where other_id = any($1)`,
    [companyIds],
  );
  return rows.map((row) => [row.company_id, row.other_id]);
}

export async function insertDoNotMergePair(client: Queryable, one: bigint, other: bigint): Promise<void> {
  await client.query(
    `insert into do_not_merge_pair (company_id, other_id) values (least($1::bigint, $2::bigint), greatest($1::bigint, $2::bigint))
     on conflict do nothing`,
    [one, other],
  );
}

export async function deleteDoNotMergePairs(
  client: Queryable,
  group: readonly bigint[],
  other: readonly bigint[],
): Promise<void> {
  await client.query(
    `delete from do_not_merge_pair
      where (company_id = any($1) and other_id = any($2)) or (company_id = any($2) and other_id = any($1))`,
    [group, other],
  );
}
