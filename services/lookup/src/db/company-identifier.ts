import type { Queryable } from '@ces/chassis/postgres/pool';
import { identifies } from '@ces/proto/registry-identifier';

interface CompanyNumber {
  readonly companyId: bigint;
  readonly scheme: string;
  readonly value: string;
}

/** An identifying number stays with its first company; a shared one may belong to several. */
export async function addIdentifiers(client: Queryable, numbers: readonly CompanyNumber[]): Promise<bigint[]> {
  const own = numbers.filter(({ scheme }) => identifies(scheme));
  const shared = numbers.filter(({ scheme }) => !identifies(scheme));
  return [
    ...(await insertNumbers(client, 'company_identifier', '(scheme, value)', own)),
    ...(await insertNumbers(client, 'company_shared_identifier', '(company_id, scheme, value)', shared)),
  ];
}

async function insertNumbers(
  client: Queryable,
  table: 'company_identifier' | 'company_shared_identifier',
  unique: string,
  numbers: readonly CompanyNumber[],
): Promise<bigint[]> {
  if (numbers.length === 0) return [];
  const { rows } = await client.query<{ company_id: bigint }>(
    `insert into ${table} (company_id, scheme, value)
     select * from unnest($1::bigint[], $2::text[], $3::text[]) as i(company_id, scheme, value)
      order by scheme, value
     on conflict ${unique} do nothing
     returning company_id`,
    [numbers.map((one) => one.companyId), numbers.map((one) => one.scheme), numbers.map((one) => one.value)],
  );
  return rows.map((row) => row.company_id);
}
