import type { Queryable } from '@ces/chassis/postgres/pool';

const LIMIT = `select set_config('statement_timeout', $1, true), set_config('max_parallel_workers_per_gather', '0', true),
            set_config('enable_seqscan', 'off', true)`;

/**
 * Bounds the statements of a search, inside its transaction: half of what is left of the caller's deadline, so that a
 * second try has its time too; one process; and no plan that reads whole tables.
 */
export async function limitStatements(
  client: Queryable,
  statementTimeoutMs: number,
  leftMs: number | undefined,
): Promise<void> {
  const share = Math.floor((leftMs ?? Number.POSITIVE_INFINITY) / 2);
  const longest = String(Math.max(1, Math.min(statementTimeoutMs, share)));
  await client.query({ name: 'limit-statements', text: LIMIT, values: [longest] });
}
