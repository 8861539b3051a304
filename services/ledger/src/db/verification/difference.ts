import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Range } from '../range.ts';

export interface Difference {
  readonly subscriptionId: bigint;
  readonly operationId: bigint;
  readonly description: string;
}

const MAX_LISTED = 100;

interface DifferenceRow {
  operation_id: bigint;
  description: string;
}

/** `$1` holds the subscriptions, `$2` the most differences. */
export async function selectOf(
  db: Queryable,
  subscriptionIds: readonly bigint[],
  name: string,
  text: string,
): Promise<readonly Difference[]> {
  if (subscriptionIds.length === 0) return [];
  const values = [subscriptionIds, MAX_LISTED];
  const { rows } = await db.query<DifferenceRow & { subscription_id: bigint }>({ name, text, values });
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    operationId: row.operation_id,
    description: row.description,
  }));
}

/** `$1`: subscription; `$2`: most differences; `$3`, `$4`: range. */
export async function select(
  db: Queryable,
  subscriptionId: bigint,
  { after, until }: Range,
  name: string,
  text: string,
): Promise<readonly Difference[]> {
  const values = [subscriptionId, MAX_LISTED, after, until];
  const { rows } = await db.query<DifferenceRow>({ name, text, values });
  return rows.map((row) => ({ subscriptionId, operationId: row.operation_id, description: row.description }));
}
