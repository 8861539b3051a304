import type { Queryable } from '@ces/chassis/postgres/pool';
import type { FormerName } from '../matching/company-facts.ts';

interface WrittenFormerName extends FormerName {
  readonly companyId: bigint;
  readonly nameKey: string;
}

export async function readFormerNames(
  db: Queryable,
  companyIds: readonly bigint[],
): Promise<{ companyId: bigint; name: string; nameKey: string }[]> {
  const { rows } = await db.query<{ companyId: bigint; name: string; nameKey: string }>(
    `select company_id as "companyId", name, name_key as "nameKey"
       from company_former_name where company_id = any($1)`,
    [companyIds],
  );
  return rows;
}

export async function writeFormerNameKeys(
  client: Queryable,
  keys: readonly { readonly companyId: bigint; readonly name: string; readonly nameKey: string }[],
): Promise<void> {
  await client.query(
    `update company_former_name f set name_key = i.name_key
       from unnest($1::bigint[], $2::text[], $3::text[]) as i(company_id, name, name_key)
      where f.company_id = i.company_id and f.name = i.name`,
    [keys.map((one) => one.companyId), keys.map((one) => one.name), keys.map((one) => one.nameKey)],
  );
}

export async function writeFormerNames(client: Queryable, names: readonly WrittenFormerName[]): Promise<bigint[]> {
  if (names.length === 0) return [];
  const distinct = [...new Map(names.map((one) => [`${one.companyId} ${one.name}`, one])).values()];
  const { rows } = await client.query<{ company_id: bigint }>(
    `insert into company_former_name as f (company_id, name, name_key, since, until)
     select * from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
      order by 1, 2
     on conflict (company_id, name) do update set since = excluded.since, until = excluded.until
      where (f.since, f.until) is distinct from (excluded.since, excluded.until)
     returning f.company_id`,
    [
      distinct.map((one) => one.companyId),
      distinct.map((one) => one.name),
      distinct.map((one) => one.nameKey),
      distinct.map((one) => one.since ?? null),
      distinct.map((one) => one.until ?? null),
    ],
  );
  return rows.map((row) => row.company_id);
}
