import type pg from 'pg';
import { QUIET_ACCOUNTS } from './accounts.ts';
import type { Stretch } from './months.ts';

export interface Draw {
  readonly seed: number;
  readonly payers: number;
  readonly templates: number;
  /** The first templates are searches. Some searches have failed, and their holds are void. */
  readonly searches: number;
}

const QUIET_FOR_MS = 120 * 86_400_000;

/**
 * SQL that selects the operations of a stretch: id, account_id, subscription_id, credential_id,
 * template (from 1), failed, created_at, and the text of the idempotency key. The first payer has a
 * quarter of them. The second payer has one in twenty of the old ones and then becomes quiet.
 */
export function drawSql(
  { from, to, firstId, count }: Stretch,
  { seed, payers, templates, searches }: Draw,
  now: Date,
): string {
  const isOld = to.getTime() < now.getTime() - QUIET_FOR_MS;
  const stepSeconds = (to.getTime() - from.getTime()) / 1_000 / Math.max(1, count);
  const others = payers - 2 - (isOld ? 0 : QUIET_ACCOUNTS);
  const chance = (nth: number) => `((hashint8extended(n.id, ${seed + nth}) & 1048575) / 1048576.0)`;
  return `
    select d.id, p.account_id, p.subscription_id, p.credential_id, d.template, d.created_at,
           d.template <= ${searches} and d.failed as failed, 'history-' || d.id as request_key,
           md5('history-' || d.id)::uuid as identity
    from (
      select n.id,
             1 + (hashint8extended(n.id, ${seed}) & 2147483647) % ${templates} as template,
             ${chance(1)} < 0.04 as failed,
             case when ${chance(2)} < 0.25 then 1
                  when ${isOld} and ${chance(2)} < 0.3 then 2
                  else 3 + floor(${others} * power(${chance(3)}, 3))::integer end as rank,
             '${from.toISOString()}'::timestamptz + (n.id - ${firstId}) * ${stepSeconds} * interval '1 second' as created_at
      from generate_series(${firstId}::bigint, ${firstId + BigInt(count) - 1n}::bigint) as n (id)
    ) d
    join payer p on p.rank = d.rank`;
}

export async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/**
 * Inserts rows into every column: the expression in `values`, or else the column of the template
 * `t`.
 */
export function copySql(table: string, columns: readonly string[], values: Readonly<Record<string, string>>): string {
  const selected = columns.map((column) => values[column] ?? `t.${column}`);
  return `insert into ${table} (${columns.join(', ')}) overriding system value select ${selected.join(', ')}`;
}
