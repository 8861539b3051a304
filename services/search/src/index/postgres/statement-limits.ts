import type { Queryable } from '@ces/chassis/postgres/pool';

const LIMIT = `select set_config('statement_timeout', $1, true), set_config('max_parallel_workers_per_gather', '0', true),
            set_config('enable_seqscan', 'off', true)`;

/**
 * Limits the statements of a search within its transaction. Each gets half of the remaining
 * deadline, so that a retry has time too. They run in one process and without sequential scans.
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
