import type { Payer } from './accounts.ts';
import { loadPayers } from './accounts.ts';
import { type Draw, drawSql } from './draw.ts';
import type { Stretch } from './months.ts';
import type { Databases } from './system.ts';
import { type PublicCall, SEARCHES, type Template } from './templates.ts';

export interface Kept {
  readonly id: bigint;
  readonly payer: Payer;
  readonly requestKey: string;
  readonly call: PublicCall;
}

export async function pickSearches(
  databases: Databases,
  stretch: Stretch,
  draw: Draw,
  payers: readonly Payer[],
  templates: readonly Template[],
  { count, now, since }: { readonly count: number; readonly now: Date; readonly since: Date },
): Promise<Kept[]> {
  await using operations = await databases.connect('operations');
  await loadPayers(operations, payers);
  const { rows } = await operations.query<{ id: string; account: string; template: string; request_key: string }>(
    `select id::text, account_id::text as account, template::text, request_key
     from (${drawSql(stretch, draw, now)}) d
     where template <= ${SEARCHES} and not failed and created_at > '${since.toISOString()}'
     order by hashint8(id) limit ${count}`,
  );
  return rows.flatMap((row) => {
    const payer = payers.find(({ accountId }) => accountId === BigInt(row.account));
    const call = templates[Number(row.template) - 1]?.call;
    return payer && call ? [{ id: BigInt(row.id), payer, requestKey: row.request_key, call }] : [];
  });
}
